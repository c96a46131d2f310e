//! The embedded store: one SQLite file, one writer at a time, many readers, safe for several processes.

mod append;
mod away;
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
mod fuller;
mod gather;
mod giving_way;
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
mod naming;
mod new_line;
mod open_file;
pub mod others;
mod reading;
mod rebuild;
mod recency;
mod refreshment;
mod round;
mod scrub;
mod select;
mod sharing;
mod staged;
mod summed_up;
mod timer;
mod tree;
mod vector;
mod waiting;
mod world;
mod writer;

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock};

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

use crate::export::Books;
use crate::file::Reach;
use crate::import::Import;
use crate::open_file::OpenFile;
use crate::world::WorldRow;
use crate::writer::lock;

/// A store over one file, which may be opened later: until then whatever needs it is refused with the reason.
#[derive(Default)]
pub struct SqliteStore {
    file: OnceLock<Arc<OpenFile>>,
    /// Why there is none yet.
    absence: Mutex<Option<Error>>,
}

impl SqliteStore {
    /// Opens a file, creating it if there is none. Refuses what is damaged, newer or not ours, and leaves it untouched.
    pub fn open(path: &Path, options: Options) -> Result<Self> {
        let (connection, is_new) = file::open_writer(path, &options)?;
        Ok(Self::over(OpenFile::over(connection, path, options, is_new, Reach::Shared)))
    }

    /// Opens a file that is there, for reading alone: also one that was closed and lies where nothing can be written. Every
    /// change is refused there.
    pub fn open_to_read(path: &Path, options: Options) -> Result<Self> {
        let (connection, reach) = file::open_to_read(path, &options)?;
        Ok(Self::over(OpenFile::over(connection, path, options, false, reach)))
    }

    /// A store whose file comes later, with [`arrive`](Self::arrive).
    pub fn closed_for_now() -> Self {
        Self::default()
    }

    fn over(file: OpenFile) -> Self {
        let store = Self::default();
        let _ = store.file.set(Arc::new(file));
        store
    }

    /// From now on this store works on the file that `opened` has open. Only the first one counts.
    pub fn arrive(&self, opened: &Self) -> Result<()> {
        let _ = self.file.set(Arc::clone(opened.file()?));
        Ok(())
    }

    /// Why the file did not come this time; told to whoever needs it.
    pub fn stay_closed(&self, reason: Error) {
        *lock(&self.absence) = Some(reason);
    }

    /// The file, or why there is none.
    fn file(&self) -> Result<&Arc<OpenFile>> {
        self.file.get().ok_or_else(|| {
            match lock(&self.absence).clone() {
                // Whatever is wrong with it, to the caller it is not there now.
                Some(reason) => {
                    let told =
                        Error::new(Code::Unavailable, format!("memory is off for now: {}", reason.message()));
                    reason.hint_text().into_iter().fold(told, Error::hint)
                }
                None => Error::new(Code::Unavailable, "memory is off for now: the data file is being opened")
                    .hint("try again in a moment"),
            }
        })
    }

    /// True if there was no file before.
    pub fn is_new(&self) -> bool {
        self.file.get().is_some_and(|file| file.is_new)
    }

    /// Writes a consistent copy while others go on reading and writing.
    pub fn backup(&self, to: &Path) -> Result<()> {
        self.backup_while(to, || true)
    }

    /// As [`backup`](Self::backup), for as long as it shall go on: then nothing of the copy is left, and this fails.
    pub fn backup_while(&self, to: &Path, go_on: impl Fn() -> bool + Send + 'static) -> Result<()> {
        self.file()?.backup(to, go_on)
    }

    /// Asks the file for an answer: the health of the store.
    pub fn check(&self) -> Result<()> {
        self.file()?.check()
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
        self.file()?.tidy()
    }

    /// Reads through a file that was too large to be checked when it was opened, table by table, while others work: for a
    /// thread of its own, soon after the start. False if it was told to `stop`.
    ///
    /// If the file is damaged, this fails, and so do [`check`](Self::check) and every write from then on.
    pub fn look_through(&self, stop: &Arc<AtomicBool>) -> Result<bool> {
        self.file()?.look_through(stop)
    }

    fn read<T>(&self, work: impl FnOnce(&Connection) -> error::Result<T>) -> Result<T> {
        self.file()?.read(work)
    }

    fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> error::Result<T> + Send + 'static,
    ) -> Result<T> {
        Ok(self.file()?.writer.write(work)?)
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
        self.file()?.write_world(world, work)
    }
}

impl Store for SqliteStore {
    fn trouble(&self) -> Option<Error> {
        let file = match self.file() {
            Ok(file) => file,
            Err(absence) => return Some(absence),
        };
        let health = file.options.breaker.as_ref()?.health();
        let failure = health.last_failure.filter(|_| health.state != State::Closed)?;
        Some(Error::new(Code::Unavailable, failure.message).hint("it is tried again by itself; see /health"))
    }

    fn put_world(&self, id: &WorldId, patch: &WorldPatch, now_ms: i64) -> Result<(World, bool)> {
        let (id, patch) = (id.clone(), patch.clone());
        self.write(move |connection| world::put(connection, &id, &patch, now_ms))
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
        // Hosts open before each message what has been open for long: that is no reason to wait for whoever writes.
        if let Some(known) =
            self.read_world(world, |connection, world| conversation::known(connection, world, open))?
        {
            return Ok((known, false));
        }
        let open = open.clone();
        self.write_world(world, move |connection, world| conversation::open(connection, world, &open))
    }

    fn name_conversation(
        &self,
        world: &WorldId,
        conversation: &ConversationId,
        name: &str,
    ) -> Result<Conversation> {
        let (id, name) = (conversation.clone(), name.to_owned());
        self.write_world(world, move |connection, world| conversation::name(connection, world, &id, &name))
    }

    fn conversations(&self, world: &WorldId, select: &Select) -> Result<Vec<Conversation>> {
        self.read_world(world, |connection, world| conversation::list(connection, world, select))
    }

    fn latest_conversations(
        &self,
        world: &WorldId,
        behind: Option<(Option<LineId>, &ConversationId)>,
        limit: usize,
    ) -> Result<Vec<Conversation>> {
        self.read_world(world, |connection, world| conversation::latest(connection, world, behind, limit))
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

    fn kept(&self, world: &WorldId, of: &[KeptFor]) -> Result<Vec<Keepsake>> {
        self.read_world(world, |connection, world| keepsake::of_these(connection, world, of))
    }

    fn line(&self, world: &WorldId, line: LineId) -> Result<Line> {
        self.read_world(world, |connection, world| reading::line(connection, world, line))
    }

    fn words_of(&self, world: &WorldId, lines: &[LineId]) -> Result<Vec<(LineId, String)>> {
        self.read_world(world, |connection, world| reading::words_of(connection, world, lines))
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
        match gather.as_of {
            None => self.read(|connection| gather::gather(connection, world, gather)),
            Some(revision) => {
                let file = self.file()?;
                Ok(file
                    .writer
                    .between(|connection| gather::gather_as_of(connection, world, gather, revision))?)
            }
        }
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
        let file = self.file()?;
        let erased = match what.clone() {
            Erase::World => file.erase_world(world),
            what => file.write_world(world, move |connection, world| erase::erase(connection, world, &what)),
        };
        file.scrub_now();
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
        let file = self.file()?;
        file.clear_leftovers()?;
        let mut import = Import::new(&file.writer, world);
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
        let file = self.file()?;
        file.clear_leftovers()?;
        let mut import = Import::new(&file.writer, to);
        let mut sink = |record: Record| Ok(import.push(record.forked(from, now_ms))?);
        self.read(|connection| export::export(connection, from, checkpoint, Books::Stay, &mut sink))?;
        Ok(import.finish()?)
    }
}
