//! Which files does the project have, and what did a rule find in them?

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::environment::Environment;
use crate::json::{list, text};

pub(super) struct Project<'e> {
    pub(super) environment: &'e Environment,
    /// Every file, relative to the root, with forward slashes, sorted.
    pub(super) files: Vec<String>,
    /// The workspace as cargo sees it, without its dependencies.
    pub(super) metadata: Value,
}

impl<'e> Project<'e> {
    pub(super) fn read(environment: &'e Environment) -> Result<Self> {
        let mut files = Vec::new();
        collect(&environment.root, "", &mut files)?;
        files.sort();
        Ok(Self { environment, files, metadata: environment.metadata()? })
    }

    pub(super) fn text(&self, path: &str) -> Result<String> {
        let text = fs::read_to_string(self.environment.root.join(path));
        text.with_context(|| format!("{path} is missing or no text"))
    }

    pub(super) fn has(&self, path: &str) -> bool {
        self.environment.root.join(path).exists()
    }

    pub(super) fn ending(&self, end: &str) -> impl Iterator<Item = &str> {
        self.files.iter().map(String::as_str).filter(move |path| path.ends_with(end))
    }

    /// Name and description of each package of the workspace.
    pub(super) fn packages(&self) -> impl Iterator<Item = (&str, &Value)> {
        let packages = list(&self.metadata, "/packages");
        packages.filter_map(|package| Some((text(package, "/name")?, package)))
    }
}

/// Files below a folder, leaving out what git and cargo keep there.
fn collect(folder: &Path, prefix: &str, files: &mut Vec<String>) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        if !entry.file_type()?.is_dir() {
            // In a linked worktree .git is a file.
            if name != ".git" {
                files.push(path);
            }
        } else if name != ".git" && name != "target" && !entry.path().join("CACHEDIR.TAG").exists() {
            collect(&entry.path(), &format!("{path}/"), files)?;
        }
    }
    Ok(())
}

/// What breaks a rule, and what only comes near.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) problems: Vec<String>,
    pub(super) warnings: Vec<String>,
}

impl Findings {
    pub(super) fn problem(text: String) -> Self {
        Self { problems: vec![text], warnings: Vec::new() }
    }

    pub(super) fn add(&mut self, problem: String) {
        self.problems.push(problem);
    }

    pub(super) fn warn(&mut self, warning: String) {
        self.warnings.push(warning);
    }
}
