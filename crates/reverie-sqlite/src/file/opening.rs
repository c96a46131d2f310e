//! How is a file opened, for each of those who work on it?

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use reverie_core::{Code, Error};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::looking::{check_before_touching, is_blank, is_in_use};
use super::migrating::{MIGRATIONS, migrate};
use super::{Options, Reach, damaged, describe, is_full, side_file};
use crate::error::{Result, is_busy};

/// Whoever opens a file in this process does it alone: see [`is_in_use`].
static OPENING: Mutex<()> = Mutex::new(());

/// Opens the file for writing, creating or migrating it first. True if it was created.
pub(crate) fn open_writer(path: &Path, options: &Options) -> reverie_core::Result<(Connection, bool)> {
    let _alone = OPENING.lock().unwrap_or_else(PoisonError::into_inner);
    // In this order: who creates the file writes its WAL last.
    let has_wal = is_full(&side_file(path, "-wal"));
    let exists = is_full(path);
    if exists {
        check_before_touching(path, options)?;
    } else if has_wal {
        return Err(damaged(path, "it is empty or missing, but its -wal file is there"));
    } else if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        create_folder(folder).map_err(|error| {
            Error::new(Code::Unavailable, format!("cannot create the folder {}: {error}", folder.display()))
                .hint("choose another place with --data DIR")
        })?;
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    let writer = connect(path, flags, options).and_then(|writer| {
        let mode = patiently(options, || {
            Ok(writer.pragma_update_and_check(None, "journal_mode", "wal", |row| row.get::<_, String>(0))?)
        })?;
        if mode != "wal" {
            return Err(Error::new(
                Code::Unavailable,
                "this place does not let several readers and a writer share a file",
            )
            .hint("network shares often do not: choose a local folder with --data DIR")
            .into());
        }
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

/// For whoever only reads: as a writer where that is possible, else as a sealed file.
pub(crate) fn open_to_read(path: &Path, options: &Options) -> reverie_core::Result<(Connection, Reach)> {
    match open_writer(path, options) {
        Ok((connection, _)) => Ok((connection, Reach::Shared)),
        Err(error) if is_sealed(path) => {
            let connection = open_reader(path, options, Reach::Sealed).map_err(|_| error.clone())?;
            // An older schema would have to be migrated first.
            let version = connection.pragma_query_value(None, "user_version", |row| row.get::<_, usize>(0));
            if version == Ok(MIGRATIONS.len()) { Ok((connection, Reach::Sealed)) } else { Err(error) }
        }
        Err(error) => Err(error),
    }
}

/// SQLite reads a file with a write-ahead log only if it may make that log and its index beside it. Where nobody may, and
/// none was left behind, the file is all there is.
fn is_sealed(path: &Path) -> bool {
    let is_closed =
        is_full(path) && ["-wal", "-shm", "-journal"].iter().all(|suffix| !side_file(path, suffix).exists());
    is_closed && !is_writable_beside(path)
}

fn is_writable_beside(path: &Path) -> bool {
    let probe = side_file(path, &format!("-probe-{}", std::process::id()));
    match File::create_new(&probe) {
        Ok(_) => {
            // Only asked: what cannot be removed again harms nobody.
            let _ = fs::remove_file(&probe);
            true
        }
        Err(error) => !matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem),
    }
}

/// Tries again for a while what SQLite refuses at once when two processes begin together.
fn patiently<T>(options: &Options, work: impl Fn() -> Result<T>) -> Result<T> {
    let deadline = Instant::now() + options.patience;
    loop {
        match work() {
            Err(error) if is_busy(&error) && Instant::now() < deadline => {
                std::thread::sleep(Duration::from_millis(5));
            }
            result => return result,
        }
    }
}

/// What people said in private is nobody else's to read.
fn create_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// A reader that may write elsewhere: `VACUUM INTO` is refused where `query_only` is on.
pub(crate) fn open_for_copy(path: &Path, options: &Options, reach: Reach) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    match reach {
        Reach::Shared => connect(path, flags, options),
        Reach::Sealed => connect(&sealed_uri(path)?, flags | OpenFlags::SQLITE_OPEN_URI, options),
    }
}

pub(crate) fn open_reader(path: &Path, options: &Options, reach: Reach) -> Result<Connection> {
    let reader = open_for_copy(path, options, reach)?;
    reader.pragma_update(None, "query_only", true)?;
    Ok(reader)
}

/// For looking at a file that may be in nobody's use, and leaving it as it was.
pub(crate) fn open_examiner(path: &Path, options: &Options) -> reverie_core::Result<Connection> {
    let _alone = OPENING.lock().unwrap_or_else(PoisonError::into_inner);
    check_before_touching(path, options)?;
    // Who only reads cannot take away an empty WAL behind it.
    let flags = match is_in_use(path) {
        true => OpenFlags::SQLITE_OPEN_READ_ONLY,
        false => OpenFlags::SQLITE_OPEN_READ_WRITE,
    };
    let connection = connect(path, flags, options).and_then(|connection| {
        connection.pragma_update(None, "query_only", true)?;
        // From here on it is in use.
        is_blank(&connection)?;
        Ok(connection)
    });
    match connection {
        Err(_) if is_sealed(path) => open_reader(path, options, Reach::Sealed),
        connection => connection,
    }
    .map_err(|error| describe(path, error))
}

/// `file:///folder/reverie.db?immutable=1`.
pub(super) fn sealed_uri(path: &Path) -> Result<PathBuf> {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let text = path.to_str().ok_or_else(|| Error::invalid("the file's name is not UTF-8"))?;
    let text = if cfg!(windows) { text.replace('\\', "/") } else { text.to_owned() };
    let encoded = text.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    Ok(format!("file:///{}?immutable=1", encoded.trim_start_matches('/')).into())
}

pub(super) fn connect(path: &Path, flags: OpenFlags, options: &Options) -> Result<Connection> {
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = match &options.vfs {
        Some(vfs) => Connection::open_with_flags_and_vfs(path, flags, vfs.as_str())?,
        None => Connection::open_with_flags(path, flags)?,
    };
    connection.busy_timeout(options.patience)?;
    connection.set_prepared_statement_cache_capacity(256);
    // Plans must not depend on bound values: otherwise partial indexes make SQLite prepare a statement anew at each use.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    // Each connection has one of its own, and whoever reads begins with an empty one after each write of another.
    connection.pragma_update(None, "cache_size", -8_000)?;
    connection.pragma_update(None, "temp_store", "memory")?;
    Ok(connection)
}
