//! Is this file ours, whole and of a version that we know? Looks without touching.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use reverie_core::{Code, Error};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::migrating::MIGRATIONS;
use super::opening::{connect, sealed_uri};
use super::sampling::{HEADER, Header, find_damage};
use super::{Options, damaged, describe, is_full, side_file};
use crate::error::Result;

/// "Revr": tells our files from other SQLite files.
pub(super) const APPLICATION_ID: i32 = 0x5265_7672;

/// Files up to this size are checked through when they are opened. Of larger ones a few pages are looked at, so that starting
/// does not slow down as a file grows; the rest is for [`look_through`](crate::SqliteStore::look_through).
pub(crate) const CHECKED_AT_START: u64 = 4 << 20;

/// Refuses what is not ours, newer or damaged, before anything could change it.
pub(super) fn check_before_touching(path: &Path, options: &Options) -> reverie_core::Result<()> {
    let looked = match is_in_use(path) {
        true => look_through_sqlite(path, options),
        false => look_at_bytes(path),
    };
    // Another process may have begun to write while we looked.
    let looked = match looked {
        Err(_) if is_in_use(path) => look_through_sqlite(path, options),
        looked => looked,
    };
    let Look { application, version, is_blank, verdict } = looked?;
    if verdict != "ok" {
        return Err(damaged(path, &verdict));
    }
    if application != APPLICATION_ID && !is_blank {
        return Err(Error::invalid(format!("{} is an SQLite file of another program", path.display()))
            .hint("choose another place with --data DIR"));
    }
    if application == APPLICATION_ID && version < 1 {
        return Err(damaged(path, "it does not say which version it is"));
    }
    if version > MIGRATIONS.len() as i64 {
        return Err(Error::invalid(format!(
            "{} was written by a newer Reverie (schema {version}, this one knows {})",
            path.display(),
            MIGRATIONS.len()
        ))
        .hint("update Reverie, or choose another place with --data DIR"));
    }
    Ok(())
}

/// What a file says about itself.
struct Look {
    application: i32,
    version: i64,
    is_blank: bool,
    verdict: String,
}

/// True if somebody has the file open, or ended without closing it: then its newest state is in the WAL. A file that this
/// process has open must never be opened past SQLite: closing it again would drop SQLite's locks.
pub(super) fn is_in_use(path: &Path) -> bool {
    side_file(path, "-shm").exists() || is_full(&side_file(path, "-wal"))
}

/// Changes neither the file nor its WAL.
fn look_through_sqlite(path: &Path, options: &Options) -> reverie_core::Result<Look> {
    let look = || -> Result<Look> {
        let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY, options)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        let length = fs::metadata(path).map_or(0, |file| file.len());
        // One snapshot: another process may be creating the tables right now.
        connection.execute_batch("BEGIN")?;
        Ok(Look {
            application: connection.pragma_query_value(None, "application_id", |row| row.get(0))?,
            version: connection.pragma_query_value(None, "user_version", |row| row.get(0))?,
            is_blank: is_blank(&connection)?,
            verdict: verdict(&connection, length)?,
        })
    };
    look().map_err(|error| describe(path, error))
}

/// Reads the file and nothing else: not even an empty WAL is left beside it.
fn look_at_bytes(path: &Path) -> reverie_core::Result<Look> {
    let unreadable = |error: std::io::Error| unreadable(path, &error);
    let mut file = File::open(path).map_err(unreadable)?;
    let length = file.metadata().map_err(unreadable)?.len();
    let mut header = [0u8; HEADER];
    if length < HEADER as u64 {
        return Err(damaged(path, "it is not an SQLite file"));
    }
    file.read_exact(&mut header).map_err(unreadable)?;
    if !header.starts_with(b"SQLite format 3\0") {
        return Err(damaged(path, "it is not an SQLite file"));
    }
    let said = Header(&header);
    if length < said.length() {
        return Err(damaged(path, "it has been cut short"));
    }
    let (application, version) = (said.application(), said.version());
    if length > CHECKED_AT_START {
        // What is half done, its journal takes back.
        let is_ours = application == APPLICATION_ID && !is_full(&side_file(path, "-journal"));
        let verdict = if is_ours { sample(path, &mut file, &said)? } else { "ok".to_owned() };
        return Ok(Look { application, version, is_blank: false, verdict });
    }
    // As a database in memory it may not be one with a WAL.
    header[18] = 1;
    header[19] = 1;
    let mut look = || -> Result<Look> {
        let mut memory = Connection::open_in_memory()?;
        memory.deserialize_read_exact("main", header.chain(&mut file), length as usize, true)?;
        let (is_blank, verdict) = (is_blank(&memory)?, verdict(&memory, length)?);
        Ok(Look { application, version, is_blank, verdict })
    };
    look().map_err(|error| describe(path, error))
}

pub(super) fn is_blank(connection: &Connection) -> Result<bool> {
    Ok(connection.query_row("SELECT count(*) = 0 FROM sqlite_schema", [], |row| row.get(0))?)
}

fn verdict(connection: &Connection, length: u64) -> Result<String> {
    if length <= CHECKED_AT_START {
        return Ok(connection.pragma_query_value(None, "quick_check", |row| row.get(0))?);
    }
    // Past SQLite nobody may read a file that is in use; so much of every table can be read through it.
    let tables: Vec<String> = connection
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")?
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    for table in tables {
        let first = format!("SELECT * FROM \"{}\" LIMIT 1", table.replace('"', "\"\""));
        connection.prepare(&first)?.exists([])?;
    }
    Ok("ok".to_owned())
}

/// Looks at a few pages of a large file that is closed, and ours.
fn sample(path: &Path, file: &mut File, header: &Header<'_>) -> reverie_core::Result<String> {
    let roots = || -> Result<Vec<u32>> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let connection = connect(&sealed_uri(path)?, flags, &Options::default())?;
        let roots = connection
            .prepare("SELECT rootpage FROM sqlite_schema WHERE rootpage > 0")?
            .query_map([], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        Ok(roots)
    };
    let roots = roots().map_err(|error| describe(path, error))?;
    let found = find_damage(file, header, &roots).map_err(|error| unreadable(path, &error))?;
    found.map_or(Ok("ok".to_owned()), |found| Err(damaged(path, &found)))
}

fn unreadable(path: &Path, error: &std::io::Error) -> Error {
    Error::new(Code::Unavailable, format!("cannot read {}: {error}", path.display()))
        .hint("check the file's permissions, or choose another place with --data DIR")
}
