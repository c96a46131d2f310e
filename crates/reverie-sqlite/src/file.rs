//! Is this file ours, whole and of a version that we know; and how is it opened?

use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use reverie_core::{Code, Error};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::error::{Result, is_busy, is_corrupt};

/// "Revr": tells our files from other SQLite files.
pub(crate) const APPLICATION_ID: i32 = 0x5265_7672;

const MIGRATIONS: &[&str] = &[include_str!("migrations/0001.sql"), include_str!("migrations/0002.sql")];

/// Files up to this size are checked through when they are opened; larger ones by `reverie doctor`, so that starting
/// does not slow down as a file grows.
const CHECKED_AT_START: u64 = 4 << 20;

const HEADER: usize = 100;

/// Whoever opens a file in this process does it alone: see [`is_in_use`].
static OPENING: Mutex<()> = Mutex::new(());

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
}

impl Default for Options {
    fn default() -> Self {
        Self { patience: Duration::from_secs(20), vfs: None, readers: 8, slice: 4096 }
    }
}

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

/// How a file is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Beside others who may write to it.
    Shared,
    /// Closed, in a place that cannot be written: it cannot change, so nothing is needed beside it.
    Sealed,
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
fn sealed_uri(path: &Path) -> Result<PathBuf> {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let text = path.to_str().ok_or_else(|| Error::invalid("the file's name is not UTF-8"))?;
    let text = if cfg!(windows) { text.replace('\\', "/") } else { text.to_owned() };
    let encoded = text.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    Ok(format!("file:///{}?immutable=1", encoded.trim_start_matches('/')).into())
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

/// Refuses what is not ours, newer or damaged, before anything could change it.
pub(crate) fn check_before_touching(path: &Path, options: &Options) -> reverie_core::Result<()> {
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
pub(crate) fn is_in_use(path: &Path) -> bool {
    side_file(path, "-shm").exists() || is_full(&side_file(path, "-wal"))
}

fn is_full(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| file.len() > 0)
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
    let unreadable = |error: std::io::Error| {
        Error::new(Code::Unavailable, format!("cannot read {}: {error}", path.display()))
            .hint("check the file's permissions, or choose another place with --data DIR")
    };
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
    if length < length_in_header(&header) {
        return Err(damaged(path, "it has been cut short"));
    }
    let (application, version) = (number(&header, 68) as i32, i64::from(number(&header, 60)));
    if length > CHECKED_AT_START {
        return Ok(Look { application, version, is_blank: false, verdict: "ok".to_owned() });
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

fn is_blank(connection: &Connection) -> Result<bool> {
    Ok(connection.query_row("SELECT count(*) = 0 FROM sqlite_schema", [], |row| row.get(0))?)
}

fn verdict(connection: &Connection, length: u64) -> Result<String> {
    if length > CHECKED_AT_START {
        return Ok("ok".to_owned());
    }
    Ok(connection.pragma_query_value(None, "quick_check", |row| row.get(0))?)
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
fn length_in_header(header: &[u8; HEADER]) -> u64 {
    let page = match u16::from_be_bytes([header[16], header[17]]) {
        1 => 65536,
        size => u64::from(size),
    };
    let (change_counter, pages, valid_for) = (number(header, 24), number(header, 28), number(header, 92));
    if change_counter == valid_for { page * u64::from(pages) } else { 0 }
}

fn number(header: &[u8; HEADER], at: usize) -> u32 {
    header.get(at..at + 4).and_then(|b| b.try_into().ok()).map_or(0, u32::from_be_bytes)
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
