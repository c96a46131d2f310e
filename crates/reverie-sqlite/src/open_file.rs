//! A file that is open: who reads it, who writes to it, and who keeps it tidy?

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use reverie_core::{Code, Error, Result, WorldId};
use rusqlite::Connection;

use crate::damage::Damage;
use crate::file::{self, Options, Reach};
use crate::scrub::Scrub;
use crate::world::WorldRow;
use crate::writer::{Writer, lock};
use crate::{error, import};

pub(crate) struct OpenFile {
    pub(crate) path: PathBuf,
    pub(crate) options: Options,
    // Closed before the writer, so that the writer is the last to close and takes the WAL away with it.
    readers: Mutex<Vec<Connection>>,
    pub(crate) writer: Writer,
    pub(crate) scrub: Scrub,
    pub(crate) damage: Damage,
    pub(crate) is_new: bool,
    pub(crate) reach: Reach,
}

impl OpenFile {
    pub(crate) fn over(
        connection: Connection,
        path: &Path,
        options: Options,
        is_new: bool,
        reach: Reach,
    ) -> Self {
        let damage = Damage::default();
        Self {
            path: path.to_owned(),
            writer: Writer::new(connection, path, &options, damage.clone()),
            damage,
            readers: Mutex::default(),
            scrub: Scrub::of(reach),
            is_new,
            reach,
            options,
        }
    }

    pub(crate) fn backup(&self, to: &Path, go_on: impl Fn() -> bool + Send + 'static) -> Result<()> {
        // Whoever comes second finds the name taken, and nobody removes what another one wrote.
        reserve(to)?;
        let copy = || -> error::Result<()> {
            // A connection of its own: VACUUM takes its snapshot itself and refuses to run inside a transaction.
            let mut connection = file::open_for_copy(&self.path, &self.options, self.reach)?;
            connection.progress_handler(STEPS, Some(move || !go_on()))?;
            connection.execute("VACUUM INTO ?1", [to.to_string_lossy()])?;
            Ok(())
        };
        let copied = copy().map_err(Error::from).and_then(|()| sync(to));
        if copied.is_err() {
            // Half a copy is worse than none.
            let _ = std::fs::remove_file(to);
        }
        copied
    }

    pub(crate) fn check(&self) -> Result<()> {
        self.damage.check()?;
        self.read(|connection| {
            Ok(connection.query_row("SELECT count(*) FROM (SELECT 1 FROM world LIMIT 1)", [], |_| Ok(()))?)
        })
    }

    pub(crate) fn tidy(&self) -> Result<bool> {
        if self.options.breaker.as_ref().is_some_and(|breaker| !breaker.is_closed()) {
            self.writer.write(touch)?;
        }
        let cleared = self.clear_leftovers();
        let is_empty = self.empty_log()?;
        cleared.map(|()| is_empty)
    }

    pub(crate) fn clear_leftovers(&self) -> Result<()> {
        let found = self.read(import::abandoned)?;
        let cleared = import::clear_abandoned(&self.writer, &found);
        if !found.is_empty() {
            self.scrub.mark_due();
        }
        Ok(cleared?)
    }

    /// From sight at once; then piece by piece, between which others write. Whoever fails at that leaves the rest to `tidy`.
    pub(crate) fn erase_world(&self, world: &WorldId) -> Result<()> {
        let condemned = self.write_world(world, import::condemn_whole)?;
        Ok(import::clear_condemned(&self.writer, condemned)?)
    }

    pub(crate) fn read<T>(&self, work: impl FnOnce(&Connection) -> error::Result<T>) -> Result<T> {
        let reading = self.scrub.reading();
        let pooled = lock(&self.readers).pop();
        let connection = match pooled {
            Some(connection) => connection,
            None => file::open_reader(&self.path, &self.options, self.reach)?,
        };
        let run = || -> error::Result<T> {
            connection.prepare_cached("BEGIN")?.execute([])?;
            let result = work(&connection);
            connection.prepare_cached("ROLLBACK")?.execute([])?;
            result
        };
        let result = run();
        self.damage.watch(&result);
        // A connection whose transaction did not end is not used again.
        let mut readers = lock(&self.readers);
        if connection.is_autocommit() && readers.len() < self.options.readers {
            readers.push(connection);
        }
        drop(readers);
        drop(reading);
        self.scrub_if_it_waits();
        Ok(result?)
    }

    pub(crate) fn write_world<T: Send + 'static>(
        &self,
        world: &WorldId,
        work: impl FnOnce(&Connection, &WorldRow) -> error::Result<T> + Send + 'static,
    ) -> Result<T> {
        let world = world.clone();
        let written =
            self.writer.write(move |connection| work(connection, &WorldRow::find(connection, &world)?));
        self.scrub_if_it_waits();
        Ok(written?)
    }
}

/// A write that changes nothing and still has to become durable.
fn touch(connection: &Connection) -> error::Result<()> {
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    Ok(connection.pragma_update(None, "user_version", version)?)
}

/// Creates an empty file, which SQLite takes for none.
/// Steps of a copy between two looks at whether it shall go on.
const STEPS: i32 = 1000;

fn reserve(file: &Path) -> Result<()> {
    std::fs::File::create_new(file).map(drop).map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => Error::conflict(format!("{} exists already", file.display()))
            .hint("name a file that does not exist; a backup never overwrites"),
        _ => {
            let message = format!("{} cannot be written: {error}", file.display());
            Error::new(Code::Unavailable, message)
                .hint("name a file in a folder that exists and can be written")
        }
    })
}

/// A copy counts when it is on the disk.
fn sync(file: &Path) -> Result<()> {
    let synced = std::fs::File::options().write(true).open(file).and_then(|file| file.sync_all());
    synced.map_err(|error| {
        let message = format!("{} cannot be written: {error}", file.display());
        Error::new(Code::Unavailable, message)
    })
}
