//! Is this file ours, whole and of a version that we know; and how is it opened?

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use reverie_core::{Code, Error};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::error::{Result, is_corrupt};

/// "Revr": tells our files from other SQLite files.
pub(crate) const APPLICATION_ID: i32 = 0x5265_7672;

const MIGRATIONS: &[&str] = &[include_str!("migrations/0001.sql")];

/// Files up to this size are checked through when they are opened; larger ones by `reverie doctor`, so that starting
/// does not slow down as a file grows.
const CHECKED_AT_START: u64 = 4 << 20;

/// How the file is opened.
#[derive(Debug, Clone)]
pub struct Options {
    /// How long a writer waits for other processes and for its turn.
    pub patience: Duration,
    /// A registered SQLite VFS to use instead of the system's.
    pub vfs: Option<String>,
    /// Readers kept open for reuse.
    pub readers: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { patience: Duration::from_secs(20), vfs: None, readers: 8 }
    }
}

/// Opens the file for writing, creating or migrating it first. True if it was created.
pub(crate) fn open_writer(path: &Path, options: &Options) -> reverie_core::Result<(Connection, bool)> {
    let exists = fs::metadata(path).is_ok_and(|file| file.len() > 0);
    if exists {
        check_before_touching(path, options)?;
    } else if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(|error| {
            Error::new(Code::Unavailable, format!("cannot create the folder {}: {error}", folder.display()))
                .hint("choose another place with --data DIR")
        })?;
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    let writer = connect(path, flags, options).and_then(|writer| {
        writer.pragma_update(None, "journal_mode", "wal")?;
        // FULL: a commit returns only when it is on the disk.
        writer.pragma_update(None, "synchronous", "full")?;
        // What is deleted is overwritten, not only forgotten.
        writer.pragma_update(None, "secure_delete", true)?;
        writer.pragma_update(None, "journal_size_limit", 64 << 20)?;
        Ok(writer)
    });
    let writer = writer.map_err(|error| describe(path, error))?;
    migrate(&writer, path)?;
    Ok((writer, !exists))
}

pub(crate) fn open_reader(path: &Path, options: &Options) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let reader = connect(path, flags, options)?;
    reader.pragma_update(None, "query_only", true)?;
    Ok(reader)
}

fn connect(path: &Path, flags: OpenFlags, options: &Options) -> Result<Connection> {
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = match &options.vfs {
        Some(vfs) => Connection::open_with_flags_and_vfs(path, flags, vfs.as_str())?,
        None => Connection::open_with_flags(path, flags)?,
    };
    connection.busy_timeout(options.patience)?;
    connection.set_prepared_statement_cache_capacity(256);
    // Plans must not depend on bound values: otherwise partial indexes make SQLite prepare a statement anew at each use.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.pragma_update(None, "cache_size", -16_000)?;
    connection.pragma_update(None, "temp_store", "memory")?;
    Ok(connection)
}

/// Refuses what is not ours while the file is still opened for reading only.
pub(crate) fn check_before_touching(path: &Path, options: &Options) -> reverie_core::Result<()> {
    let mut header = [0u8; 100];
    let read = File::open(path).and_then(|mut file| file.read(&mut header)).map_err(|error| {
        Error::new(Code::Unavailable, format!("cannot read {}: {error}", path.display()))
            .hint("check the file's permissions, or choose another place with --data DIR")
    })?;
    if read < header.len() || !header.starts_with(b"SQLite format 3\0") {
        return Err(damaged(path, "it is not an SQLite file"));
    }
    let wal = side_file(path, "-wal");
    let has_wal = fs::metadata(&wal).is_ok_and(|wal| wal.len() > 0);
    let length = fs::metadata(path).map_or(0, |file| file.len());
    if !has_wal && length < length_in_header(&header) {
        return Err(damaged(path, "it has been cut short"));
    }
    // A writing connection is needed to see what is only in the WAL; without one, reading alone is enough.
    let flags = if has_wal { OpenFlags::SQLITE_OPEN_READ_WRITE } else { OpenFlags::SQLITE_OPEN_READ_ONLY };
    let looked = connect(path, flags, options).and_then(|connection| {
        let application: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
        let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        let verdict: String = if length <= CHECKED_AT_START {
            connection.pragma_query_value(None, "quick_check", |row| row.get(0))?
        } else {
            "ok".to_owned()
        };
        Ok((application, version, tables, verdict))
    });
    let (application, version, tables, verdict) = looked.map_err(|error| describe(path, error))?;
    if verdict != "ok" {
        return Err(damaged(path, &verdict));
    }
    if application != APPLICATION_ID && tables > 0 {
        return Err(Error::invalid(format!("{} is an SQLite file of another program", path.display()))
            .hint("choose another place with --data DIR"));
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

fn migrate(writer: &Connection, path: &Path) -> reverie_core::Result<()> {
    let version = |connection: &Connection| -> Result<usize> {
        Ok(connection.pragma_query_value(None, "user_version", |row| row.get(0))?)
    };
    let run = || -> Result<()> {
        let found = version(writer)?;
        if found == MIGRATIONS.len() {
            return Ok(());
        }
        if found > 0 {
            let backup = side_file(path, &format!(".schema{found}.bak"));
            writer.execute("VACUUM INTO ?1", [backup.to_string_lossy()])?;
        }
        writer.execute_batch("BEGIN IMMEDIATE")?;
        // Another process may have been faster.
        let found = version(writer)?;
        for (number, sql) in MIGRATIONS.iter().enumerate().skip(found) {
            writer.execute_batch(sql)?;
            writer.pragma_update(None, "user_version", number as i64 + 1)?;
        }
        writer.pragma_update(None, "application_id", APPLICATION_ID)?;
        writer.execute_batch("COMMIT")?;
        Ok(())
    };
    run().map_err(|error| describe(path, error))
}

/// The database's size as its own header has it; 0 where an older library left it open.
fn length_in_header(header: &[u8; 100]) -> u64 {
    let [.., p0, p1] = [header[16], header[17]];
    let page = match u16::from_be_bytes([p0, p1]) {
        1 => 65536,
        size => u64::from(size),
    };
    let number =
        |at: usize| header.get(at..at + 4).and_then(|b| b.try_into().ok()).map_or(0, u32::from_be_bytes);
    let (change_counter, pages, valid_for) = (number(24), number(28), number(92));
    if change_counter == valid_for { page * u64::from(pages) } else { 0 }
}

pub(crate) fn side_file(path: &Path, suffix: &str) -> PathBuf {
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
        .hint("it was left as it is: keep a copy, restore a backup in its place, or choose another place with --data DIR")
}
