//! `reverie doctor`: is everything in the data file as it should be?

use reverie_core::{Code, Error, Result};
use reverie_sqlite::{Options, examine};
use serde_json::json;

use crate::output::{Failure, Output, error_json};
use crate::settings::Settings;

pub(super) fn run(output: Output, settings: &Settings) -> Result<(), Failure> {
    let file = settings.data_file();
    let report = examine(&file, &Options::default())?;
    let mut text = format!(
        "{}: {} bytes\n{} worlds, {} characters, {} conversations, {} lines",
        file.display(),
        report.bytes,
        report.worlds,
        report.characters,
        report.conversations,
        report.lines
    );
    for finding in &report.findings {
        text.push_str(&format!("\nbroken: {}: {}", finding.rule, finding.detail));
    }
    if report.findings.is_empty() {
        text.push_str("\neverything is as it should be");
    }
    let findings: Vec<_> =
        report.findings.iter().map(|found| json!({"rule": found.rule, "detail": found.detail})).collect();
    let mut json = json!({
        "file": file.to_string_lossy(),
        "bytes": report.bytes,
        "worlds": report.worlds,
        "characters": report.characters,
        "conversations": report.conversations,
        "lines": report.lines,
        "findings": findings,
    });
    if report.findings.is_empty() {
        output.answer(&text, &json);
        return Ok(());
    }
    let broken =
        Error::new(Code::Corrupt, format!("{} things are not as they should be", report.findings.len()))
            .hint("keep a copy of the file, then restore a backup");
    if let Some(fields) = json.as_object_mut() {
        fields.insert("error".to_owned(), error_json(&broken));
    }
    output.answer(&text, &json);
    Err(Failure::from(broken).already_in_json())
}
