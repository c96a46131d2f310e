//! Is the file found to be damaged while it is used; and what then?
//!
//! Whoever has much time reads the file through ([`SqliteStore::look_through`](crate::SqliteStore::look_through)); whoever meets damage on other work says so
//! too. From then on nothing is written: reading goes on, so that what is left can be carried away.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use reverie_core::{Code, Error};

use crate::error::{self, is_corrupt};
use crate::file;
use crate::open_file::OpenFile;

/// Steps of SQLite between two questions whether to stop.
const STEPS: i32 = 1000;

/// Damage that was seen, the first of it.
#[derive(Clone, Default)]
pub(crate) struct Damage(Arc<OnceLock<Error>>);

impl Damage {
    /// An error if any was seen.
    pub(crate) fn check(&self) -> reverie_core::Result<()> {
        self.0.get().map_or(Ok(()), |damage| Err(damage.clone()))
    }

    /// Looks whether something failed because of it.
    pub(crate) fn watch<T>(&self, result: &error::Result<T>) {
        if let Err(error::Error::Sql(sql)) = result
            && is_corrupt(sql)
        {
            self.note(&sql.to_string());
        }
    }

    fn note(&self, what: &str) -> Error {
        let seen = || {
            Error::new(Code::Corrupt, format!("the data file is damaged: {what}")).hint(
                "nothing more is written to it: stop, keep a copy of the file, and restore a backup; `reverie doctor` tells more",
            )
        };
        self.0.get_or_init(seen).clone()
    }
}

impl OpenFile {
    /// See [`SqliteStore::look_through`](crate::SqliteStore::look_through).
    pub(crate) fn look_through(&self, stop: &Arc<AtomicBool>) -> reverie_core::Result<bool> {
        let length = fs::metadata(&self.path).map_or(0, |file| file.len());
        if length <= file::CHECKED_AT_START {
            return Ok(true);
        }
        let mut connection = file::open_reader(&self.path, &self.options, self.reach)?;
        let told = Arc::clone(stop);
        let ask = move || told.load(Ordering::Relaxed);
        connection.progress_handler(STEPS, Some(ask)).map_err(error::Error::from)?;
        let tables = self.looking(|| {
            let mut statement =
                connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")?;
            let names = statement.query_map([], |row| row.get::<_, String>(0))?;
            Ok(names.collect::<rusqlite::Result<Vec<_>>>()?)
        });
        for table in tables? {
            // One table at a time: as long as a snapshot is held, the write-ahead log cannot be emptied.
            let sql = format!("PRAGMA quick_check(\"{}\")", table.replace('"', "\"\""));
            let verdict = self.looking(|| Ok(connection.query_row(&sql, [], |row| row.get::<_, String>(0))?));
            match verdict {
                Ok(verdict) if verdict == "ok" => {}
                Ok(verdict) => return Err(self.damage.note(&verdict)),
                Err(_) if stop.load(Ordering::Relaxed) => return Ok(false),
                Err(error) => return Err(self.damage.check().err().unwrap_or(error)),
            }
        }
        Ok(true)
    }

    fn looking<T>(&self, look: impl FnOnce() -> error::Result<T>) -> reverie_core::Result<T> {
        let reading = self.scrub.reading();
        let seen = look();
        self.damage.watch(&seen);
        drop(reading);
        self.scrub_if_it_waits();
        Ok(seen?)
    }
}
