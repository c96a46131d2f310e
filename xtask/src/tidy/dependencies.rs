//! Who may depend on whom?

use std::time::Duration;

use anyhow::Result;
use serde_json::Value;

use super::project::{Findings, Project};
use crate::json::{at, list, text};
use crate::run::output;

/// From the ground up: a crate depends only on crates that stand before it.
const HOUSE: &[&str] = &[
    "reverie-core",
    "reverie-sqlite",
    "reverie-formats",
    "reverie-models",
    "reverie-offline",
    "reverie-api",
    "reverie",
    "reverie-server",
];
/// Fixtures and second opinions: over core, and for tests only.
const TESTKIT: &str = "reverie-testkit";
/// Work for the project, not for its users; nobody depends on these.
const CHORES: &[&str] = &["xtask", "reverie-bench", "reverie-table"];

/// What core does without, its dependencies' dependencies included.
const NOT_IN_CORE: &[&str] =
    &["tokio", "hyper", "reqwest", "rusqlite", "libsqlite3-sys", "serde", "serde_json"];

const LIMIT: Duration = Duration::from_secs(120);

pub(super) fn point_down_the_house(project: &Project<'_>) -> Result<Findings> {
    let mut findings = Findings::default();
    let ours: Vec<&str> = project.packages().map(|(name, _)| name).collect();
    for (name, package) in project.packages() {
        let Some(floor) = floor(name) else {
            findings.add(format!("{name} has no place in the house: name it in {}", file!()));
            continue;
        };
        for (other, kind) in dependencies(package).filter(|(other, _)| ours.contains(other)) {
            if let Some(problem) = forbidden(name, floor, other, kind) {
                findings.add(problem);
            }
        }
    }
    Ok(findings)
}

/// How high a crate stands; None: it stands nowhere.
fn floor(name: &str) -> Option<usize> {
    if name == TESTKIT || CHORES.contains(&name) {
        return Some(HOUSE.len());
    }
    HOUSE.iter().position(|known| *known == name)
}

fn forbidden(name: &str, name_floor: usize, other: &str, kind: &str) -> Option<String> {
    let place = floor(other).unwrap_or(usize::MAX);
    match () {
        () if CHORES.contains(&other) => Some(format!("{name} depends on {other}, which is a chore")),
        () if other == TESTKIT && kind == "dev" => None,
        () if other == TESTKIT => Some(format!("{name} depends on {other} outside of its tests")),
        () if place < name_floor => None,
        () => Some(format!("{name} depends on {other}, which stands above it")),
    }
}

pub(super) fn core_stays_pure(project: &Project<'_>) -> Result<Findings> {
    let arguments = [
        "tree",
        "--package",
        "reverie-core",
        "--edges",
        "normal",
        "--prefix",
        "none",
        "--format",
        "{p}",
        "--locked",
    ];
    let tree = output(&mut project.environment.cargo(&arguments), LIMIT)?;
    let names = tree.lines().filter_map(|line| line.split_whitespace().next());
    let mut findings = Findings::default();
    let mut found: Vec<&str> = names.filter(|name| NOT_IN_CORE.contains(name)).collect();
    found.dedup();
    for name in found {
        findings
            .add(format!("{name} came into reverie-core; `cargo tree -p reverie-core -i {name}` says how"));
    }
    Ok(findings)
}

/// anyhow is for main and for chores.
pub(super) fn libraries_have_errors_of_their_own(project: &Project<'_>) -> Result<Findings> {
    let mut findings = Findings::default();
    for (name, package) in project.packages() {
        let may = name == "reverie-server" || CHORES.contains(&name);
        if !may && dependencies(package).any(|(other, kind)| other == "anyhow" && kind != "dev") {
            findings.add(format!("{name} is a library and depends on anyhow; give it an error type"));
        }
    }
    Ok(findings)
}

pub(super) fn cargo_run_finds_one_binary(project: &Project<'_>) -> Result<Findings> {
    let mut findings = Findings::default();
    let default = at(&project.metadata, "/workspace_default_members").as_array();
    let is_default =
        |package: &Value| default.is_some_and(|members| members.iter().any(|id| *id == *at(package, "/id")));
    let mut binaries = Vec::new();
    for (_, package) in project.packages().filter(|(_, package)| is_default(package)) {
        for target in list(package, "/targets") {
            let is_binary =
                at(target, "/kind").as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "bin"));
            binaries.extend(text(target, "/name").filter(|_| is_binary));
        }
    }
    if binaries != ["reverie"] {
        findings.add(format!("`cargo run` should find `reverie` alone, and finds {binaries:?}"));
    }
    Ok(findings)
}

pub(super) fn crates_inherit_the_lints(project: &Project<'_>) -> Result<Findings> {
    let mut findings = Findings::default();
    for path in project.ending("/Cargo.toml") {
        if !project.text(path)?.contains("[lints]\nworkspace = true") {
            findings.add(format!("{path} does not inherit the lints: add `[lints]` with `workspace = true`"));
        }
    }
    Ok(findings)
}

/// Name and kind (normal, dev, build) of what a package depends on directly.
fn dependencies(package: &Value) -> impl Iterator<Item = (&str, &str)> {
    let listed = list(package, "/dependencies");
    listed.filter_map(|dependency| {
        Some((text(dependency, "/name")?, text(dependency, "/kind").unwrap_or("normal")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_downwards_and_the_testkit_only_in_tests() {
        let allowed =
            |from: &str, to: &str, kind: &str| forbidden(from, floor(from).unwrap(), to, kind).is_none();
        assert!(allowed("reverie-api", "reverie-core", "normal"));
        assert!(allowed("reverie-core", "reverie-testkit", "dev"));
        assert!(allowed("reverie-testkit", "reverie-core", "normal"));
        assert!(allowed("reverie-bench", "reverie-sqlite", "normal"));
        assert!(!allowed("reverie-core", "reverie-sqlite", "normal"));
        assert!(!allowed("reverie-core", "reverie-sqlite", "dev"));
        assert!(!allowed("reverie-sqlite", "reverie-testkit", "normal"));
        assert!(!allowed("reverie-server", "xtask", "dev"));
        assert_eq!(floor("reverie-utils"), None);
    }
}
