//! What do SQLite files say that other programs keep, and that a host brings along? They are read and never written.

use std::path::Path;

use reverie_core::{Code, Error, Result};
use rusqlite::{Connection, OpenFlags, Row};

/// What mem0 did to a memory, from its `history.db`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mem0Event {
    pub memory: String,
    pub text: Option<String>,
    pub event: String,
    pub created_at: Option<String>,
    pub updated_at: Option<String>,
    pub actor: Option<String>,
    pub role: Option<String>,
}

/// A file of which a table is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Table {
    /// A collection of Qdrant's local mode: pickled points.
    Points,
    /// mem0's `history.db`.
    Mem0History,
}

/// Which of the tables a file has; None: none, or it is no SQLite file.
pub fn table_of(path: &Path) -> Option<Table> {
    let connection = open(path).ok()?;
    let has = |table: &str| {
        let found = connection.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1");
        found.and_then(|mut statement| statement.exists([table])).unwrap_or(false)
    };
    match (has("points"), has("history")) {
        (true, _) => Some(Table::Points),
        (_, true) => Some(Table::Mem0History),
        _ => None,
    }
}

/// The points of a collection, as they are pickled.
pub fn points(path: &Path) -> Result<Vec<Vec<u8>>> {
    rows(path, "SELECT point FROM points ORDER BY id", |row| row.get(0))
}

/// Everything that was done, in the order in which it was.
pub fn mem0_history(path: &Path) -> Result<Vec<Mem0Event>> {
    let sql = "SELECT memory_id, new_memory, event, created_at, updated_at, actor_id, role FROM history ORDER BY rowid";
    rows(path, sql, |row| {
        Ok(Mem0Event {
            memory: row.get(0)?,
            text: row.get(1)?,
            event: row.get(2)?,
            created_at: row.get(3)?,
            updated_at: row.get(4)?,
            actor: row.get(5)?,
            role: row.get(6)?,
        })
    })
}

fn rows<T>(path: &Path, sql: &str, read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>) -> Result<Vec<T>> {
    let all = || -> rusqlite::Result<Vec<T>> { open(path)?.prepare(sql)?.query_map([], read)?.collect() };
    all().map_err(|error| {
        Error::new(Code::Invalid, format!("{} cannot be read: {error}", path.display()))
            .hint("stop the program that uses it, and try again; or take its JSON export")
    })
}

fn open(path: &Path) -> rusqlite::Result<Connection> {
    Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)
}
