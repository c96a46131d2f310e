//! What lies in a folder that is nobody's data folder? Each file is told by its content.
//!
//! Folders below are entered, links are not: what they lead to inside of the folder is met there, and what lies outside was
//! not asked for.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use reverie_api::export::is_export;
use reverie_core::{Error, Result};
use reverie_formats::folder::{Found, Kind};
use reverie_formats::{Limits, look};

use super::super::cannot_read;
use super::super::detect::{What, what};
use super::people::stem_of;
use super::walk::{Item, MOST_ENTRIES, MOST_FILES};

/// Levels of folders.
const DEEPEST: usize = 16;
/// So much tells what most files are.
const BEGINNING: usize = 64 << 10;

#[derive(Default)]
pub(super) struct Loose {
    /// By path.
    pub(super) items: Vec<Item>,
    /// Tables of lines, with their paths in the folder.
    pub(super) tables: Vec<(PathBuf, String)>,
    /// What is nothing that can be imported, and why.
    pub(super) skipped: Vec<(String, String)>,
    /// What is broken.
    pub(super) problems: Vec<(String, Error)>,
    entries: usize,
}

pub(super) fn sort(top: &Path, limits: &Limits) -> Result<Loose> {
    let mut loose = Loose::default();
    let mut waiting = vec![(top.to_owned(), String::new(), 0)];
    while let Some((path, shown, depth)) = waiting.pop() {
        match path.read_dir() {
            Err(error) if shown.is_empty() => return Err(cannot_read(&path, &error)),
            Err(error) => loose.problems.push((shown, cannot_read(&path, &error))),
            Ok(entries) => {
                for entry in entries {
                    let entry = entry.map_err(|error| cannot_read(&path, &error))?;
                    loose.check_counts()?;
                    let name = entry.file_name().to_string_lossy().into_owned();
                    let shown = if shown.is_empty() { name } else { format!("{shown}/{name}") };
                    if loose.is_folder(&entry.path(), &shown, depth, limits) {
                        waiting.push((entry.path(), shown, depth + 1));
                    }
                }
            }
        }
    }
    loose.items.sort_by(|a, b| a.shown.cmp(&b.shown));
    loose.tables.sort();
    loose.skipped.sort();
    loose.problems.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(loose)
}

impl Loose {
    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty() && self.tables.is_empty()
    }

    fn check_counts(&mut self) -> Result<()> {
        self.entries += 1;
        if self.entries <= MOST_ENTRIES && self.items.len() < MOST_FILES {
            return Ok(());
        }
        Err(Error::invalid(format!(
            "the folder holds more than {MOST_ENTRIES} files and folders, or more than {MOST_FILES} files to import"
        ))
        .hint("import it in parts"))
    }

    /// True if there is more to see in it; a file is put where it belongs.
    fn is_folder(&mut self, path: &Path, shown: &str, depth: usize, limits: &Limits) -> bool {
        let about = match path.symlink_metadata() {
            Ok(about) => about,
            Err(error) => {
                self.problems.push((shown.to_owned(), cannot_read(path, &error)));
                return false;
            }
        };
        let is_secret = shown.rsplit('/').next().is_some_and(|name| name.starts_with('.'));
        let why_not = match about.file_type() {
            _ if is_secret => Some("hidden files and folders are left alone"),
            kind if kind.is_symlink() => Some("links are not followed"),
            kind if kind.is_dir() && depth == DEEPEST => Some("it lies too deep"),
            kind if !kind.is_dir() && !kind.is_file() => Some("it is not a file"),
            _ => None,
        };
        if let Some(why) = why_not {
            self.skipped.push((shown.to_owned(), why.to_owned()));
            return false;
        }
        if about.is_dir() {
            return true;
        }
        match kind(path, shown, limits) {
            Ok(Sorted::Item(kind)) => {
                let found = Found { root: String::new(), kind };
                let (path, shown) = (path.to_owned(), shown.to_owned());
                self.items.push(Item { path, shown, found, bytes: about.len() });
            }
            Ok(Sorted::Table) => self.tables.push((path.to_owned(), shown.to_owned())),
            Ok(Sorted::Nothing(why)) => self.skipped.push((shown.to_owned(), why)),
            Err(error) => self.problems.push((shown.to_owned(), error)),
        }
        false
    }
}

enum Sorted {
    Item(Kind),
    Table,
    Nothing(String),
}

fn kind(path: &Path, shown: &str, limits: &Limits) -> Result<Sorted> {
    let mut file = File::open(path).map_err(|error| cannot_read(path, &error))?;
    let mut bytes = Vec::new();
    let beginning = file.by_ref().take(BEGINNING as u64).read_to_end(&mut bytes);
    beginning.map_err(|error| cannot_read(path, &error))?;
    if is_export(&bytes) {
        let why = "it is an export of a world, which is imported by itself: reverie import FILE";
        return Ok(Sorted::Nothing(why.to_owned()));
    }
    // A film need not be read to its end to know that it is none of ours.
    if is_foreign(look(&bytes)) {
        return Ok(Sorted::Nothing(format!("this looks like {}, which cannot be imported", look(&bytes))));
    }
    let bytes = super::super::read_all(bytes.as_slice().chain(file), path, limits.file_bytes)?;
    let (folder, file) = shown.rsplit_once('/').unwrap_or(("", shown));
    let (stem, folder) = (stem_of(file).to_owned(), folder.rsplit('/').next().unwrap_or_default().to_owned());
    Ok(Sorted::Item(match what(&bytes, limits)? {
        What::Card(_) => Kind::Card { file: shown.to_owned() },
        What::Book(_) => Kind::World { name: stem },
        What::Chat => Kind::Chat { character: folder, name: stem },
        What::Memory(_) => Kind::Memory { character: if folder.is_empty() { stem } else { folder } },
        What::Table => return Ok(Sorted::Table),
        What::Nothing(why) => return Ok(Sorted::Nothing(why.message().to_owned())),
    }))
}

fn is_foreign(looks_like: &str) -> bool {
    let may_hold_a_card = ["picture", "zip archive", "JSON", "UTF-16"];
    !may_hold_a_card.iter().any(|part| looks_like.contains(part))
}
