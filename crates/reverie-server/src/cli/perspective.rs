//! `reverie perspective`: one character's view of a file of lines, without any store.

use std::io::Read;
use std::path::PathBuf;

use reverie_api::perspective;
use reverie_api::wire::{PerspectiveBody, ProfileBody, WireNamed, WireWho, numbered};
use reverie_api::wording::plain;
use reverie_core::perspective::Profile;
use reverie_core::{Error, Limits, Result};
use reverie_formats::json::{sanitise, without_illegal};
use reverie_formats::rows;
use reverie_formats::utf8;
use serde_json::Value;

use super::read_file;
use crate::output::{Failure, Output};

#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// Whose view: role_id=1, script_role_id=…, display_name=… or id=…; repeat for several names of the same character.
    #[arg(long = "as", value_name = "KEY=VALUE", required = true)]
    target: Vec<String>,
    /// How others' lines are written: example or rule-text.
    #[arg(long, default_value = "example")]
    profile: String,
    /// A JSON array of lines, or one JSON object a line; - reads standard input.
    file: PathBuf,
}

pub(super) fn run(output: Output, options: Options) -> Result<(), Failure> {
    let target = WireWho::Named(target(&options.target).map_err(Failure::usage)?);
    Profile::from_name(&options.profile).map_err(Failure::usage)?;
    let bytes = if options.file.as_os_str() == "-" {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().read_to_end(&mut bytes);
        read.map_err(|error| Error::invalid(format!("standard input cannot be read: {error}")))?;
        bytes
    } else {
        read_file(&options.file)?
    };
    let text = utf8::text(&bytes).map_err(|problem| {
        Error::invalid(format!("the lines cannot be read: {problem}")).hint(problem.hint())
    })?;
    let (text, broken) = sanitise(text);
    let (text, illegal) = without_illegal(&text);
    if broken + illegal > 0 {
        output.warning(&format!(
            "{} characters of the lines could not be kept; U+FFFD stands in their place",
            broken + illegal
        ));
    }
    let mut lines = Vec::new();
    for (index, row) in rows::read(text.as_bytes())?.into_iter().enumerate() {
        let line = serde_json::from_value(Value::Object(row));
        lines.push(numbered(index, line.map_err(|error| Error::invalid(plain(&error))))?);
    }
    let profile = Some(ProfileBody::Name(options.profile));
    // Whoever runs a command on a file of their own is not kept from it.
    let all = usize::MAX;
    let limits = Limits { window_lines: all, bytes_per_text: all, people: all, ..Limits::default() };
    let view = perspective::run(PerspectiveBody { target, profile, lines }, &limits)?;
    for found in &view.degraded {
        output.warning(&format!("{}\nhint: {}", found.message, found.hint));
    }
    let messages = serde_json::to_value(view.messages).unwrap_or_default();
    // The messages are the answer, for people and programs alike.
    let text = serde_json::to_string_pretty(&messages).unwrap_or_default();
    output.answer(&text, &messages);
    Ok(())
}

fn target(pairs: &[String]) -> Result<WireNamed> {
    let mut named = WireNamed::default();
    for pair in pairs {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let place = match key {
            "role_id" => &mut named.role_id,
            "script_role_id" => &mut named.script_role_id,
            "display_name" => &mut named.display_name,
            "id" | "speaker" => &mut named.id,
            _ => return Err(not_a_name(pair)),
        };
        if value.is_empty() {
            return Err(not_a_name(pair));
        }
        *place = Some(value.to_owned());
    }
    Ok(named)
}

fn not_a_name(pair: &str) -> Error {
    Error::invalid(format!("--as cannot be {pair:?}"))
        .hint("use role_id=1, script_role_id=…, display_name=… or id=…")
}
