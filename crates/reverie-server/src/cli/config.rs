//! `reverie config`: which settings would `serve` run with, and where does each come from?

use serde_json::json;

use crate::output::{Failure, Output};
use crate::settings::{Settings, config_json, config_text, reference};

#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// Print a reference of all settings (Markdown) instead.
    #[arg(long)]
    reference: bool,
}

pub(super) fn run(
    output: Output,
    settings: impl FnOnce() -> Result<Settings, Failure>,
    options: Options,
) -> Result<(), Failure> {
    if options.reference {
        let page = reference();
        output.answer(&page, &json!({"markdown": page}));
        return Ok(());
    }
    let settings = settings()?;
    output.answer(&config_text(&settings), &config_json(&settings));
    Ok(())
}
