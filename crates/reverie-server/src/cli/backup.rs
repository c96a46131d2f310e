//! `reverie backup`: a consistent copy of the data file, while a server goes on working on it.

use std::path::{Path, PathBuf};

use reverie_core::{Error, Result};
use serde_json::json;

use crate::data;
use crate::output::{Failure, Output};
use crate::settings::Settings;

#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// The copy; an existing file is not overwritten.
    to: PathBuf,
}

pub(super) fn run(output: Output, settings: &Settings, options: &Options) -> Result<(), Failure> {
    let (store, _) = data::open_existing(settings)?;
    check_folder(&options.to)?;
    store.backup(&options.to)?;
    let bytes = std::fs::metadata(&options.to).map_or(0, |file| file.len());
    let to = options.to.display();
    output.answer(
        &format!("backed up to {to} ({bytes} bytes); to use it, put it in the data directory as reverie.db"),
        &json!({"file": options.to.to_string_lossy(), "bytes": bytes}),
    );
    Ok(())
}

/// SQLite's own words for it would speak of the data file.
fn check_folder(to: &Path) -> Result<()> {
    match to.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) if !folder.is_dir() => {
            Err(Error::not_found(format!("there is no folder {}", folder.display()))
                .hint("name a file in a folder that exists"))
        }
        _ => Ok(()),
    }
}
