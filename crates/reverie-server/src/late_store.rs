//! A store whose file is not open yet, or cannot be: what needs it is refused with the reason, until it comes.
//!
//! The server begins with this, so that a chat never waits for a disk. From the moment when the file is there every call goes to it.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use reverie_core::character::{Character, CharacterPatch, Who};
use reverie_core::conversation::{
    Append, Appended, Attach, Conversation, ExpectedHead, Graft, Grafted, HeadTarget, LinesQuery,
    OpenConversation,
};
use reverie_core::embed::{Embeddable, Embedded, SetAside, Unembedded};
use reverie_core::history::{History, HistoryQuery};
use reverie_core::job::{Job, JobsQuery};
use reverie_core::keepsake::{Keepsake, KeptFor};
use reverie_core::library::{
    Document, DocumentEntry, DocumentKind, DocumentPut, EntryChange, EntrySelect, Library, Link, Scope,
};
use reverie_core::memories::{
    Backlog, BacklogsQuery, Commit, Committed, Embedding, HeldQuery, LetGo, RoundsQuery, Spaces,
};
use reverie_core::memory::{Held, Layer, State};
use reverie_core::recollection::Provenance;
use reverie_core::record::Record;
use reverie_core::round::{CloseRound, OpenRound};
use reverie_core::store::{Counts, Erase, Gather, Gathered, LinePatch, Select, TimersAt};
use reverie_core::world::{Checkpoint, World, WorldPatch};
use reverie_core::{
    CharacterId, CheckpointId, Code, ConversationId, DocumentId, Error, Line, LineId, Memories, MemoryId,
    Result, Round, RoundId, Store, WorldId,
};
use reverie_sqlite::SqliteStore;

#[derive(Default)]
pub(crate) struct LateStore {
    file: OnceLock<Arc<SqliteStore>>,
    /// Why it is not there yet.
    reason: Mutex<Option<Error>>,
}

impl LateStore {
    /// From now on there is a file. Only the first one counts.
    pub(crate) fn arrive(&self, store: Arc<SqliteStore>) {
        let _ = self.file.set(store);
    }

    /// Why it did not come this time.
    pub(crate) fn is_late(&self, reason: Error) {
        *self.reason.lock().unwrap_or_else(PoisonError::into_inner) = Some(reason);
    }

    /// The file, or why there is none.
    pub(crate) fn file(&self) -> Result<&Arc<SqliteStore>> {
        self.file.get().ok_or_else(|| {
            let reason = self.reason.lock().unwrap_or_else(PoisonError::into_inner).clone();
            match reason {
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
}

impl Store for LateStore {
    fn trouble(&self) -> Option<Error> {
        self.file().map_or_else(Some, |store| store.trouble())
    }

    fn put_keepsakes(&self, world: &WorldId, keepsakes: &[(KeptFor, Option<String>)]) -> Result<usize> {
        self.file()?.put_keepsakes(world, keepsakes)
    }

    fn keepsakes(&self, world: &WorldId, of: Option<&ConversationId>) -> Result<Vec<Keepsake>> {
        self.file()?.keepsakes(world, of)
    }

    fn put_world(&self, id: &WorldId, patch: &WorldPatch, now_ms: i64) -> Result<(World, bool)> {
        self.file()?.put_world(id, patch, now_ms)
    }

    fn worlds(&self, select: &Select) -> Result<Vec<World>> {
        self.file()?.worlds(select)
    }

    fn put_character(&self, world: &WorldId, who: &Who, patch: &CharacterPatch) -> Result<(Character, bool)> {
        self.file()?.put_character(world, who, patch)
    }

    fn characters(&self, world: &WorldId, select: &Select) -> Result<Vec<Character>> {
        self.file()?.characters(world, select)
    }

    fn open_conversation(&self, world: &WorldId, open: &OpenConversation) -> Result<(Conversation, bool)> {
        self.file()?.open_conversation(world, open)
    }

    fn conversations(&self, world: &WorldId, select: &Select) -> Result<Vec<Conversation>> {
        self.file()?.conversations(world, select)
    }

    fn set_present(
        &self,
        world: &WorldId,
        conversation: &ConversationId,
        present: &[Who],
        expected_head: ExpectedHead,
    ) -> Result<Conversation> {
        self.file()?.set_present(world, conversation, present, expected_head)
    }

    fn move_head(
        &self,
        world: &WorldId,
        conversation: &ConversationId,
        target: HeadTarget,
        expected_head: ExpectedHead,
    ) -> Result<Conversation> {
        self.file()?.move_head(world, conversation, target, expected_head)
    }

    fn append(&self, world: &WorldId, conversation: &ConversationId, append: Append) -> Result<Appended> {
        self.file()?.append(world, conversation, append)
    }

    fn graft(&self, world: &WorldId, conversation: &ConversationId, graft: Graft) -> Result<Grafted> {
        self.file()?.graft(world, conversation, graft)
    }

    fn revise(&self, world: &WorldId, line: LineId, patch: &LinePatch) -> Result<Line> {
        self.file()?.revise(world, line, patch)
    }

    fn lines(&self, world: &WorldId, conversation: &ConversationId, query: &LinesQuery) -> Result<Vec<Line>> {
        self.file()?.lines(world, conversation, query)
    }

    fn erased_host_ids(
        &self,
        world: &WorldId,
        conversation: &ConversationId,
        host_ids: &[String],
    ) -> Result<Vec<String>> {
        self.file()?.erased_host_ids(world, conversation, host_ids)
    }

    fn line(&self, world: &WorldId, line: LineId) -> Result<Line> {
        self.file()?.line(world, line)
    }

    fn history(&self, world: &WorldId, query: &HistoryQuery) -> Result<History> {
        self.file()?.history(world, query)
    }

    fn gather(&self, world: &WorldId, gather: &Gather) -> Result<Gathered> {
        self.file()?.gather(world, gather)
    }

    fn timers_at(
        &self,
        world: &WorldId,
        conversation: &ConversationId,
        attach: Attach,
        through: Option<LineId>,
    ) -> Result<TimersAt> {
        self.file()?.timers_at(world, conversation, attach, through)
    }

    fn counts(&self, world: &WorldId) -> Result<Counts> {
        self.file()?.counts(world)
    }

    fn put_checkpoint(&self, world: &WorldId, id: &CheckpointId, now_ms: i64) -> Result<(Checkpoint, bool)> {
        self.file()?.put_checkpoint(world, id, now_ms)
    }

    fn checkpoints(&self, world: &WorldId, select: &Select) -> Result<Vec<Checkpoint>> {
        self.file()?.checkpoints(world, select)
    }

    fn restore(&self, world: &WorldId, checkpoint: &CheckpointId) -> Result<World> {
        self.file()?.restore(world, checkpoint)
    }

    fn erase(&self, world: &WorldId, what: &Erase) -> Result<()> {
        self.file()?.erase(world, what)
    }

    fn export(
        &self,
        world: &WorldId,
        checkpoint: Option<&CheckpointId>,
        sink: &mut dyn FnMut(Record) -> Result<()>,
    ) -> Result<()> {
        self.file()?.export(world, checkpoint, sink)
    }

    fn import(&self, world: &WorldId, records: &mut dyn Iterator<Item = Result<Record>>) -> Result<World> {
        self.file()?.import(world, records)
    }

    fn fork(
        &self,
        from: &WorldId,
        to: &WorldId,
        checkpoint: Option<&CheckpointId>,
        now_ms: i64,
    ) -> Result<World> {
        self.file()?.fork(from, to, checkpoint, now_ms)
    }
}

impl Memories for LateStore {
    fn derive_anew(&self, world: &WorldId, checkpoint: &CheckpointId, now_ms: i64) -> Result<LetGo> {
        self.file()?.derive_anew(world, checkpoint, now_ms)
    }

    fn spend(&self, hour: i64, tokens: i64) -> Result<u64> {
        self.file()?.spend(hour, tokens)
    }

    fn open_round(&self, world: &WorldId, conversation: &ConversationId, open: &OpenRound) -> Result<Round> {
        self.file()?.open_round(world, conversation, open)
    }

    fn close_round(&self, world: &WorldId, round: RoundId, close: &CloseRound) -> Result<Round> {
        self.file()?.close_round(world, round, close)
    }

    fn rounds(&self, world: &WorldId, query: &RoundsQuery) -> Result<Vec<Round>> {
        self.file()?.rounds(world, query)
    }

    fn backlogs(&self, query: &BacklogsQuery) -> Result<Vec<(WorldId, ConversationId)>> {
        self.file()?.backlogs(query)
    }

    fn backlog(&self, world: &WorldId, conversation: &ConversationId, lines: usize) -> Result<Backlog> {
        self.file()?.backlog(world, conversation, lines)
    }

    fn commit(&self, world: &WorldId, commit: &Commit) -> Result<Committed> {
        self.file()?.commit(world, commit)
    }

    fn held(&self, world: &WorldId, query: &HeldQuery) -> Result<Vec<Held>> {
        self.file()?.held(world, query)
    }

    fn states(
        &self,
        world: &WorldId,
        memory: MemoryId,
        holder: &CharacterId,
    ) -> Result<Vec<(u64, Option<State>)>> {
        self.file()?.states(world, memory, holder)
    }

    fn provenance(&self, world: &WorldId, memories: &[MemoryId]) -> Result<Vec<Provenance>> {
        self.file()?.provenance(world, memories)
    }

    fn jobs(&self, query: &JobsQuery) -> Result<Vec<(WorldId, Job)>> {
        self.file()?.jobs(query)
    }

    fn unembedded(&self, space: &str, of: &Embedding, limit: usize) -> Result<Vec<Unembedded>> {
        self.file()?.unembedded(space, of, limit)
    }

    fn put_vectors(&self, space: &str, vectors: &[Embedded]) -> Result<()> {
        self.file()?.put_vectors(space, vectors)
    }

    fn vectors(
        &self,
        space: &str,
        of: &Embedding,
        after: Option<&Embeddable>,
        limit: usize,
    ) -> Result<Vec<Embedded>> {
        self.file()?.vectors(space, of, after, limit)
    }

    fn spaces(&self, of: &Embedding) -> Result<Spaces> {
        self.file()?.spaces(of)
    }

    fn set_aside(&self, texts: &[SetAside]) -> Result<()> {
        self.file()?.set_aside(texts)
    }

    fn aside(&self, of: &Embedding, limit: usize) -> Result<Vec<SetAside>> {
        self.file()?.aside(of, limit)
    }

    fn try_again(&self, space: &str, settings: &str) -> Result<()> {
        self.file()?.try_again(space, settings)
    }

    fn keep_space(&self, space: &str, of: &Embedding) -> Result<()> {
        self.file()?.keep_space(space, of)
    }

    fn unsummarised(
        &self,
        world: &WorldId,
        layers: &[Layer],
        after: Option<&CharacterId>,
        limit: usize,
    ) -> Result<Vec<CharacterId>> {
        self.file()?.unsummarised(world, layers, after, limit)
    }
}

impl Library for LateStore {
    fn put_document(
        &self,
        kind: DocumentKind,
        id: &DocumentId,
        put: DocumentPut,
    ) -> Result<(Document, bool)> {
        self.file()?.put_document(kind, id, put)
    }

    fn documents(&self, kind: DocumentKind, select: &Select) -> Result<Vec<Document>> {
        self.file()?.documents(kind, select)
    }

    fn document_file(&self, kind: DocumentKind, id: &DocumentId) -> Result<Option<Vec<u8>>> {
        self.file()?.document_file(kind, id)
    }

    fn erase_document(&self, kind: DocumentKind, id: &DocumentId) -> Result<()> {
        self.file()?.erase_document(kind, id)
    }

    fn change_entries(
        &self,
        book: &DocumentId,
        changes: Vec<EntryChange>,
        expected_revision: Option<u64>,
    ) -> Result<Document> {
        self.file()?.change_entries(book, changes, expected_revision)
    }

    fn entries(&self, book: &DocumentId, select: &EntrySelect) -> Result<(u64, Vec<DocumentEntry>)> {
        self.file()?.entries(book, select)
    }

    fn put_link(&self, world: &WorldId, link: &Link) -> Result<bool> {
        self.file()?.put_link(world, link)
    }

    fn remove_link(&self, world: &WorldId, book: &DocumentId, scope: &Scope) -> Result<()> {
        self.file()?.remove_link(world, book, scope)
    }

    fn links(&self, world: &WorldId) -> Result<Vec<Link>> {
        self.file()?.links(world)
    }
}
