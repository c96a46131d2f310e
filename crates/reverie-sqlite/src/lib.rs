//! The embedded store: one SQLite file, one writer at a time, many readers, safe for several processes.

mod append;
mod backlog;
mod candidates;
mod cast;
mod character;
mod circle;
mod commit;
mod conversation;
mod counts;
mod damage;
mod doctor;
mod document;
mod entry;
mod erase;
mod error;
mod export;
mod file;
mod forgotten;
mod gather;
mod graft;
mod growth;
mod held;
mod history;
mod holding;
mod import;
mod job;
mod keepsake;
mod library;
mod line;
mod link;
mod living;
mod log;
mod memories;
mod memory;
mod merge;
mod mind;
mod new_line;
mod reading;
mod rebuild;
mod recency;
mod refreshment;
mod round;
mod scrub;
mod select;
mod staged;
mod timer;
mod tree;
mod vector;
mod world;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use reverie_core::breaker::State;
use reverie_core::character::{Character, CharacterPatch, Who};
use reverie_core::conversation::{
    Append, Appended, Attach, Conversation, ExpectedHead, Graft, Grafted, HeadTarget, LinesQuery,
    OpenConversation,
};
use reverie_core::history::{History, HistoryQuery};
use reverie_core::keepsake::{Keepsake, KeptFor};
use reverie_core::record::Record;
use reverie_core::store::{Counts, Erase, Gather, Gathered, LinePatch, Select, Store, TimersAt};
use reverie_core::world::{Checkpoint, World, WorldPatch};
use reverie_core::{CheckpointId, Code, ConversationId, Error, Line, LineId, Result, WorldId};
use rusqlite::Connection;

pub use doctor::{Finding, Report, examine};
pub use file::Options;

use crate::damage::Damage;
use crate::export::Books;
use crate::file::Reach;
use crate::import::Import;
use crate::scrub::Scrub;
use crate::world::WorldRow;
use crate::writer::{Writer, lock};

pub struct SqliteStore {
    path: PathBuf,
    options: Options,
    // Closed before the writer, so that the writer is the last to close and takes the WAL away with it.
    readers: Mutex<Vec<Connection>>,
    writer: Writer,
    scrub: Scrub,
    damage: Damage,
    is_new: bool,
    reach: Reach,
}

impl SqliteStore {
    /// Opens a file, creating it if there is none. Refuses what is damaged, newer or not ours, and leaves it untouched.
    pub fn open(path: &Path, options: Options) -> Result<Self> {
        let (connection, is_new) = file::open_writer(path, &options)?;
        Ok(Self::over(connection, path, options, is_new, Reach::Shared))
    }

    /// Opens a file that is there, for reading alone: also one that was closed and lies where nothing can be written. Every
    /// change is refused there.
    pub fn open_to_read(path: &Path, options: Options) -> Result<Self> {
        let (connection, reach) = file::open_to_read(path, &options)?;
        Ok(Self::over(connection, path, options, false, reach))
    }

    fn over(connection: Connection, path: &Path, options: Options, is_new: bool, reach: Reach) -> Self {
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

    /// True if there was no file before.
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// Writes a consistent copy while others go on reading and writing.
    pub fn backup(&self, to: &Path) -> Result<()> {
        // Whoever comes second finds the name taken, and nobody removes what another one wrote.
        reserve(to)?;
        let copy = || -> error::Result<()> {
            // A connection of its own: VACUUM takes its snapshot itself and refuses to run inside a transaction.
            file::open_for_copy(&self.path, &self.options, self.reach)?
                .execute("VACUUM INTO ?1", [to.to_string_lossy()])?;
            Ok(())
        };
        let copied = copy().map_err(Error::from).and_then(|()| sync(to));
        if copied.is_err() {
            // Half a copy is worse than none.
            let _ = std::fs::remove_file(to);
        }
        copied
    }

    /// Asks the file for an answer: the health of the store.
    pub fn check(&self) -> Result<()> {
        self.damage.check()?;
        self.read(|connection| {
            Ok(connection.query_row("SELECT count(*) FROM (SELECT 1 FROM world LIMIT 1)", [], |_| Ok(()))?)
        })
    }

    /// Housekeeping: clears away worlds that will never be whole, and empties the write-ahead log if erased text may still
    /// stand in it. True if nothing is left to do.
    ///
    /// Erasures, imports and the readers of this process see to it themselves; to call this now and then is for files that
    /// other processes use too.
    ///
    /// Where writes are refused because others failed, one is tried here as soon as it is time: so a disk that is well again is
    /// noticed although nobody writes.
    pub fn tidy(&self) -> Result<bool> {
        if self.options.breaker.as_ref().is_some_and(|breaker| !breaker.is_closed()) {
            self.writer.write(touch)?;
        }
        let cleared = self.clear_leftovers();
        let is_empty = self.empty_log()?;
        cleared.map(|()| is_empty)
    }

    fn clear_leftovers(&self) -> Result<()> {
        let found = self.read(import::abandoned)?;
        let cleared = import::clear_abandoned(&self.writer, &found);
        if !found.is_empty() {
            self.scrub.mark_due();
        }
        Ok(cleared?)
    }

    /// From sight at once; then piece by piece, between which others write. Whoever fails at that leaves the rest to `tidy`.
    fn erase_world(&self, world: &WorldId) -> Result<()> {
        let condemned = self.write_world(world, import::condemn_whole)?;
        Ok(import::clear_condemned(&self.writer, condemned)?)
    }

    fn read<T>(&self, work: impl FnOnce(&Connection) -> error::Result<T>) -> Result<T> {
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

    fn read_world<T>(
        &self,
        world: &WorldId,
        work: impl FnOnce(&Connection, &WorldRow) -> error::Result<T>,
    ) -> Result<T> {
        self.read(|connection| work(connection, &WorldRow::find(connection, world)?))
    }

    fn write_world<T: Send + 'static>(
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

impl Store for SqliteStore {
    fn trouble(&self) -> Option<Error> {
        let health = self.options.breaker.as_ref()?.health();
        let failure = health.last_failure.filter(|_| health.state != State::Closed)?;
        Some(Error::new(Code::Unavailable, failure.message).hint("it is tried again by itself; see /health"))
    }

    fn put_world(&self, id: &WorldId, patch: &WorldPatch, now_ms: i64) -> Result<(World, bool)> {
        let (id, patch) = (id.clone(), patch.clone());
        Ok(self.writer.write(move |connection| world::put(connection, &id, &patch, now_ms))?)
    }

    fn worlds(&self, select: &Select) -> Result<Vec<World>> {
        self.read(|connection| world::list(connection, select))
    }

    fn put_character(&self, world: &WorldId, who: &Who, patch: &CharacterPatch) -> Result<(Character, bool)> {
        let (who, patch) = (who.clone(), patch.clone());
        self.write_world(world, move |connection, world| character::put(connection, world, &who, &patch))
    }

    fn characters(&self, world: &WorldId, select: &Select) -> Result<Vec<Character>> {
        self.read_world(world, |connection, world| character::list(connection, world, select))
    }

    fn open_conversation(&self, world: &WorldId, open: &OpenConversation) -> Result<(Conversation, bool)> {
        let open = open.clone();
        self.write_world(world, move |connection, world| conversation::open(connection, world, &open))
    }

    fn conversations(&self, world: &WorldId, select: &Select) -> Result<Vec<Conversation>> {
        self.read_world(world, |connection, world| conversation::list(connection, world, select))
    }

    fn set_present(
        &self,
        world: &WorldId,
        conversation: &ConversationId,
        present: &[Who],
        expected: ExpectedHead,
    ) -> Result<Conversation> {
        let (id, present) = (conversation.clone(), present.to_vec());
        self.write_world(world, move |connection, world| {
            append::set_present(connection, world, &id, &present, expected)
        })
    }

    fn move_head(
        &self,
        world: &WorldId,
        conversation: &ConversationId,
        target: HeadTarget,
        expected: ExpectedHead,
    ) -> Result<Conversation> {
        let id = conversation.clone();
        self.write_world(world, move |connection, world| {
            tree::move_head(connection, world, &id, target, expected)
        })
    }

    fn append(&self, world: &WorldId, conversation: &ConversationId, append: Append) -> Result<Appended> {
        let id = conversation.clone();
        self.write_world(world, move |connection, world| append::append(connection, world, &id, append))
    }

    fn graft(&self, world: &WorldId, conversation: &ConversationId, graft: Graft) -> Result<Grafted> {
        let id = conversation.clone();
        self.write_world(world, move |connection, world| graft::graft(connection, world, &id, graft))
    }

    fn revise(&self, world: &WorldId, line: LineId, patch: &LinePatch) -> Result<Line> {
        let patch = patch.clone();
        self.write_world(world, move |connection, world| line::revise(connection, world, line, &patch))
    }

    fn lines(&self, world: &WorldId, conversation: &ConversationId, query: &LinesQuery) -> Result<Vec<Line>> {
        self.read_world(world, |connection, world| reading::lines(connection, world, conversation, query))
    }

    fn erased_host_ids(
        &self,
        world: &WorldId,
        conversation: &ConversationId,
        host_ids: &[String],
    ) -> Result<Vec<String>> {
        self.read_world(world, |connection, world| {
            append::erased_host_ids(connection, world, conversation, host_ids)
        })
    }

    fn put_keepsakes(&self, world: &WorldId, keepsakes: &[(KeptFor, Option<String>)]) -> Result<usize> {
        let keepsakes = keepsakes.to_vec();
        self.write_world(world, move |connection, world| keepsake::put(connection, world, &keepsakes))
    }

    fn keepsakes(&self, world: &WorldId, of: Option<&ConversationId>) -> Result<Vec<Keepsake>> {
        self.read_world(world, |connection, world| keepsake::list(connection, world, of))
    }

    fn line(&self, world: &WorldId, line: LineId) -> Result<Line> {
        self.read_world(world, |connection, world| reading::line(connection, world, line))
    }

    fn timers_at(
        &self,
        world: &WorldId,
        conversation: &ConversationId,
        attach: Attach,
        through: Option<LineId>,
    ) -> Result<TimersAt> {
        self.read_world(world, |connection, world| {
            timer::at(connection, world, conversation, attach, through)
        })
    }

    fn history(&self, world: &WorldId, query: &HistoryQuery) -> Result<History> {
        self.read_world(world, |connection, world| history::history(connection, world, query))
    }

    fn gather(&self, world: &WorldId, gather: &Gather) -> Result<Gathered> {
        self.read(|connection| gather::gather(connection, world, gather))
    }

    fn counts(&self, world: &WorldId) -> Result<Counts> {
        self.read_world(world, counts::counts)
    }

    fn put_checkpoint(&self, world: &WorldId, id: &CheckpointId, now_ms: i64) -> Result<(Checkpoint, bool)> {
        let id = id.clone();
        self.write_world(world, move |connection, world| log::put_checkpoint(connection, world, &id, now_ms))
    }

    fn checkpoints(&self, world: &WorldId, select: &Select) -> Result<Vec<Checkpoint>> {
        self.read_world(world, |connection, world| log::list(connection, world, select))
    }

    fn restore(&self, world: &WorldId, checkpoint: &CheckpointId) -> Result<World> {
        let (id, checkpoint) = (world.clone(), checkpoint.clone());
        self.write_world(world, move |connection, world| {
            log::restore(connection, world, &checkpoint)?;
            world::read(connection, &id)
        })
    }

    fn erase(&self, world: &WorldId, what: &Erase) -> Result<()> {
        let erased = match what.clone() {
            Erase::World => self.erase_world(world),
            what => self.write_world(world, move |connection, world| erase::erase(connection, world, &what)),
        };
        self.scrub_now();
        erased
    }

    fn export(
        &self,
        world: &WorldId,
        checkpoint: Option<&CheckpointId>,
        sink: &mut dyn FnMut(Record) -> Result<()>,
    ) -> Result<()> {
        self.read(|connection| export::export(connection, world, checkpoint, Books::Come, sink))
    }

    fn import(&self, world: &WorldId, records: &mut dyn Iterator<Item = Result<Record>>) -> Result<World> {
        self.clear_leftovers()?;
        let mut import = Import::new(&self.writer, world);
        for record in records {
            import.push(record?)?;
        }
        Ok(import.finish()?)
    }

    fn fork(
        &self,
        from: &WorldId,
        to: &WorldId,
        checkpoint: Option<&CheckpointId>,
        now_ms: i64,
    ) -> Result<World> {
        self.clear_leftovers()?;
        let mut import = Import::new(&self.writer, to);
        let mut sink = |record: Record| Ok(import.push(record.forked(from, now_ms))?);
        self.read(|connection| export::export(connection, from, checkpoint, Books::Stay, &mut sink))?;
        Ok(import.finish()?)
    }
}

/// A write that changes nothing and still has to become durable.
fn touch(connection: &Connection) -> error::Result<()> {
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    Ok(connection.pragma_update(None, "user_version", version)?)
}

/// Creates an empty file, which SQLite takes for none.
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
