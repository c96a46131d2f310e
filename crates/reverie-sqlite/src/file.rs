//! The data file: how is it opened, and what is it called beside others?

mod looking;
mod migrating;
mod opening;
mod sampling;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use reverie_core::dependency::Dependency;
use reverie_core::{Code, Error};

use crate::error::is_corrupt;

pub(crate) use looking::CHECKED_AT_START;
pub(crate) use opening::{open_examiner, open_for_copy, open_reader, open_to_read, open_writer};

/// How the file is opened.
#[derive(Debug, Clone)]
pub struct Options {
    /// How long a writer waits for other processes and for its turn.
    pub patience: Duration,
    /// A registered SQLite VFS to use instead of the system's.
    pub vfs: Option<String>,
    /// Readers kept open for reuse.
    pub readers: usize,
    /// How many rows of a world on its way in, or on its way out, are written in one transaction. Other writers get their
    /// turn in between.
    pub slice: usize,
    /// Writes are refused at once for a while after several have failed in a row, so that nobody waits for a disk that is full or
    /// gone; [`SqliteStore::tidy`](crate::SqliteStore::tidy) tries it again. Without one each write is tried.
    pub breaker: Option<Dependency>,
}

impl Default for Options {
    fn default() -> Self {
        Self { patience: Duration::from_secs(20), vfs: None, readers: 8, slice: 4096, breaker: None }
    }
}

/// How a file is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Beside others who may write to it.
    Shared,
    /// Closed, in a place that cannot be written: it cannot change, so nothing is needed beside it.
    Sealed,
}

fn is_full(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| file.len() > 0)
}

fn side_file(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

fn describe(path: &Path, error: crate::error::Error) -> Error {
    match &error {
        crate::error::Error::Sql(sql) if is_corrupt(sql) => damaged(path, &sql.to_string()),
        _ => {
            let error = Error::from(error);
            let described = Error::new(error.code(), format!("{}: {}", path.display(), error.message()));
            match error.hint_text() {
                Some(hint) => described.hint(hint),
                None => described,
            }
        }
    }
}

fn damaged(path: &Path, why: &str) -> Error {
    Error::new(Code::Corrupt, format!("{} is damaged: {why}", path.display()))
        .hint(
            "it was left as it is: keep a copy, put a backup in its place (and take away the -wal and -shm files beside the old one), or \
             choose another place with --data DIR",
        )
}
