//! Which files of a folder are of use?
//!
//! Links are followed, each folder is entered once, so that a link to a folder above ends nowhere. What is too much is
//! refused before anything is read.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use reverie_core::{Error, Result};
use reverie_formats::folder::{self, Found};

use super::super::cannot_read;

/// Files and folders that are looked at, useful or not.
pub(super) const MOST_ENTRIES: usize = 1_000_000;
/// Files that are imported.
pub(super) const MOST_FILES: usize = 200_000;

pub(super) struct Item {
    pub(super) path: PathBuf,
    /// Its path in the folder.
    pub(super) shown: String,
    pub(super) found: Found,
    pub(super) bytes: u64,
}

#[derive(Default)]
pub(super) struct Walk {
    /// By path.
    pub(super) items: Vec<Item>,
    /// What could not be looked at.
    pub(super) problems: Vec<(String, Error)>,
    entered: HashSet<PathBuf>,
    entries: usize,
}

pub(super) fn walk(top: &Path) -> Result<Walk> {
    let mut walk = Walk::default();
    let mut waiting = vec![(top.to_owned(), String::new())];
    while let Some((path, shown)) = waiting.pop() {
        if let Err(error) = walk.enter(&path, &shown, &mut waiting) {
            match shown.is_empty() || error.is_fatal {
                true => return Err(error.error),
                false => walk.problems.push((shown, error.error)),
            }
        }
    }
    walk.items.sort_by(|a, b| a.shown.cmp(&b.shown));
    walk.problems.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(walk)
}

struct Problem {
    error: Error,
    is_fatal: bool,
}

impl Walk {
    fn enter(
        &mut self,
        path: &Path,
        shown: &str,
        waiting: &mut Vec<(PathBuf, String)>,
    ) -> Result<(), Problem> {
        let no_entry = |error| Problem { error: cannot_read(path, &error), is_fatal: false };
        if !self.entered.insert(path.canonicalize().map_err(no_entry)?) {
            return Ok(());
        }
        for entry in path.read_dir().map_err(no_entry)? {
            self.count(MOST_ENTRIES, self.entries, "files and folders")?;
            self.entries += 1;
            let entry = entry.map_err(no_entry)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let shown = if shown.is_empty() { name } else { format!("{shown}/{name}") };
            let found = folder::what(&shown);
            // A link counts as what it leads to.
            match std::fs::metadata(entry.path()) {
                Ok(about) if about.is_dir() => {
                    if folder::leads_on(&shown) {
                        waiting.push((entry.path(), shown));
                    }
                }
                Ok(about) => {
                    let Some(found) = found else { continue };
                    self.count(MOST_FILES, self.items.len(), "files to import")?;
                    self.add(entry.path(), shown, found, &about);
                }
                Err(error) if found.is_some() => {
                    self.problems.push((shown, cannot_read(&entry.path(), &error)));
                }
                Err(_) => {}
            }
        }
        Ok(())
    }

    /// Reading what is no file, a pipe for instance, might never end.
    fn add(&mut self, path: PathBuf, shown: String, found: Found, about: &std::fs::Metadata) {
        if about.is_file() {
            self.items.push(Item { path, shown, found, bytes: about.len() });
            return;
        }
        let error = Error::invalid(format!("{} is not a file", path.display()));
        self.problems.push((shown, error.hint("remove it, or put the file there")));
    }

    fn count(&self, most: usize, count: usize, what: &str) -> Result<(), Problem> {
        if count < most {
            return Ok(());
        }
        let error = Error::invalid(format!("the folder holds more than {most} {what}"))
            .hint("name the folder of one user, for instance data/default-user");
        Err(Problem { error, is_fatal: true })
    }
}
