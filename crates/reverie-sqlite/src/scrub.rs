//! When does erased text leave the write-ahead log?
//!
//! At once, if nobody reads. Otherwise whoever of this process stops reading last sees to it; nobody waits for anybody.
//! Only a reader in another process leaves it undone: then it is for the next erasure, for `tidy`, or for the closing of
//! the file.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use reverie_core::Result;
use rusqlite::Connection;

use crate::error;
use crate::file::Reach;
use crate::open_file::OpenFile;

pub(crate) struct Scrub {
    /// True while erased text may still stand in the log.
    is_due: AtomicBool,
    /// True if that waits for readers of this process.
    waits: AtomicBool,
    readers: AtomicUsize,
}

impl Scrub {
    /// Whoever had the file before may have left something behind; beside a sealed one there is no log.
    pub(crate) fn of(reach: Reach) -> Self {
        let is_due = reach == Reach::Shared;
        Self { is_due: is_due.into(), waits: is_due.into(), readers: AtomicUsize::new(0) }
    }

    pub(crate) fn mark_due(&self) {
        self.is_due.store(true, Ordering::SeqCst);
    }

    pub(crate) fn reading(&self) -> Reading<'_> {
        self.readers.fetch_add(1, Ordering::SeqCst);
        Reading(self)
    }
}

/// Held while a snapshot is read.
pub(crate) struct Reading<'s>(&'s Scrub);

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        self.0.readers.fetch_sub(1, Ordering::SeqCst);
    }
}

impl OpenFile {
    /// Empties the log if erased text may still stand in it. True if nothing is left to do.
    pub(crate) fn empty_log(&self) -> Result<bool> {
        self.scrub_by(|| Some(self.writer.between(|connection| self.try_to_empty_log(connection))))
    }

    /// After an erasure: the text is gone from the tables. If the log cannot be emptied now, that is for `tidy` to try and
    /// to tell again.
    pub(crate) fn scrub_now(&self) {
        self.scrub.mark_due();
        let _ = self.empty_log();
    }

    /// What `empty_log` does, if readers of this process were in the way and are no longer, and nobody writes just now.
    pub(crate) fn scrub_if_it_waits(&self) {
        let scrub = &self.scrub;
        if !scrub.waits.load(Ordering::SeqCst) || scrub.readers.load(Ordering::SeqCst) > 0 {
            return;
        }
        // The caller's own work is done; a disk that fails here is for the next `tidy` to tell.
        let _ = self.scrub_by(|| self.writer.between_if_free(|connection| self.try_to_empty_log(connection)));
    }

    fn scrub_by(&self, attempt: impl Fn() -> Option<error::Result<bool>>) -> Result<bool> {
        let scrub = &self.scrub;
        // To empty the log is to write to the file.
        self.damage.check()?;
        // The second time is for a reader who stopped while the first was under way.
        for _ in 0..2 {
            if !scrub.is_due.load(Ordering::SeqCst) {
                scrub.waits.store(false, Ordering::SeqCst);
                return Ok(true);
            }
            match attempt() {
                Some(Ok(true)) => continue,
                Some(Ok(false)) => {}
                Some(Err(error)) => {
                    scrub.waits.store(false, Ordering::SeqCst);
                    return Err(error.into());
                }
                None => return Ok(false),
            }
            scrub.waits.store(true, Ordering::SeqCst);
            if scrub.readers.load(Ordering::SeqCst) > 0 {
                return Ok(false);
            }
        }
        scrub.waits.store(false, Ordering::SeqCst);
        Ok(!scrub.is_due.load(Ordering::SeqCst))
    }

    /// True if it worked; readers who are still at work are not waited for. No erasure happens meanwhile, because this
    /// is the writing connection.
    fn try_to_empty_log(&self, connection: &Connection) -> error::Result<bool> {
        connection.busy_timeout(Duration::ZERO)?;
        let busy = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0));
        connection.busy_timeout(self.options.patience)?;
        let is_empty = busy? == 0;
        if is_empty {
            self.scrub.is_due.store(false, Ordering::SeqCst);
        }
        Ok(is_empty)
    }
}
