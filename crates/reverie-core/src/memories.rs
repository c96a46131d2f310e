//! What does the engine need from whatever keeps memories?
//!
//! A store keeps memories and what each holder makes of them; what to remember is decided in [`crate::digest`] from what was
//! read here, and written by [`Memories::commit`], which changes nothing if what was read is not so any more.

mod order;
mod query;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::Result;
use crate::embed::{Embeddable, Embedded, SetAside, Unembedded};
use crate::id::{CharacterId, CheckpointId, ConversationId, DocumentId, LineId, MemoryId, RoundId, WorldId};
use crate::job::{Job, JobsQuery};
use crate::line::Line;
use crate::memory::{Held, Kind, Layer, Origin, Source, State};
use crate::recollection::Provenance;
use crate::round::{CloseRound, OpenRound, Participant, Round, Span};
use crate::sharing::Sharing;
use crate::time::{Moment, Tick};
pub use order::{MemoryOrder, Spot};
pub use query::{Glimpse, HeldQuery, Only, Sieve, WhichHeld};

/// Every method is one transaction.
pub trait Memories {
    /// Begins a round. Invalid if the conversation cannot have these people.
    fn open_round(&self, world: &WorldId, conversation: &ConversationId, open: &OpenRound) -> Result<Round>;
    /// Ends a round: the same ending again is answered as before, another one is a Conflict. Where another answer was put into
    /// it beside one of its lines, it goes on until it ends again, there.
    fn close_round(&self, world: &WorldId, round: RoundId, close: &CloseRound) -> Result<Round>;
    /// In the order of their ids.
    fn rounds(&self, world: &WorldId, query: &RoundsQuery) -> Result<Vec<Round>>;

    /// Conversations in which something was said that nobody remembers yet, or not as it is now; behind a place in the order
    /// of worlds and conversations. Cost what they return.
    fn backlogs(&self, query: &BacklogsQuery) -> Result<Vec<(WorldId, ConversationId)>>;
    /// What of a conversation waits to be remembered, read in one snapshot.
    fn backlog(&self, world: &WorldId, conversation: &ConversationId, lines: usize) -> Result<Backlog>;

    /// Makes and changes memories: all of it, or nothing if a guard does not hold.
    fn commit(&self, world: &WorldId, commit: &Commit) -> Result<Committed>;

    /// Lets go of all that was derived from lines, so that it is derived anew: rounds that were remembered wait again, and nobody has
    /// what was made of them. What somebody decided stays ([`State::is_decided`]), with all that a memory sums up which somebody wants
    /// to keep as it is; of what is kept it is asked again what is worth keeping for long. The revision before it gets a name.
    fn derive_anew(&self, world: &WorldId, checkpoint: &CheckpointId, now_ms: i64) -> Result<LetGo>;

    /// In the order of the query, then of their holders. In that of ids it costs what it returns, as far as an index leads there; in that
    /// of a clock everything that the query finds is looked at, without texts.
    fn held(&self, world: &WorldId, query: &HeldQuery) -> Result<Vec<Held>>;
    /// What such a query finds, at a glance: without texts, in no order. One question, however much it is; of the query `order`,
    /// `after`, `newest_first` and `limit` do not count.
    fn glance(&self, world: &WorldId, query: &HeldQuery, each: &mut dyn FnMut(Glimpse)) -> Result<()>;
    /// When the first of what each of these sums up happened, by either clock; of those that sum up nothing, nothing.
    fn begun(&self, world: &WorldId, memories: &[MemoryId]) -> Result<BTreeMap<MemoryId, Moment>>;
    /// The numbers of all that somebody can recall, sorted. Whoever nobody knows recalls nothing.
    fn recallable(&self, world: &WorldId, holder: &CharacterId) -> Result<Vec<MemoryId>>;
    /// Every state that a holding ever had, oldest first, each with the revision that gave it; None: it was not there any more,
    /// because an earlier checkpoint was restored.
    fn states(
        &self,
        world: &WorldId,
        memory: MemoryId,
        holder: &CharacterId,
    ) -> Result<Vec<(u64, Option<State>)>>;
    /// Where memories come from, for each in the order given. What is not there came from nowhere.
    fn provenance(
        &self,
        world: &WorldId,
        memories: &[MemoryId],
        as_of: Option<u64>,
    ) -> Result<Vec<Provenance>>;
    /// Who can recall the same as whom, of at most so many who can recall most. Costs what they can recall.
    fn sharing(&self, world: &WorldId, most: usize) -> Result<Sharing>;
    /// Jobs, in the order of worlds and keys. They are no part of a world's log: no checkpoint brings them back, no export takes
    /// them along.
    fn jobs(&self, query: &JobsQuery) -> Result<Vec<(WorldId, Job)>>;

    /// Adds tokens that models took in an hour (hours since 1970), or takes back what was estimated too high; what was taken in
    /// that hour. Earlier hours are let go. No part of any world: no checkpoint brings it back, no export takes it along.
    fn spend(&self, hour: i64, tokens: i64) -> Result<u64>;

    /// Texts that have no vector in a space, or only one of an older wording: in a fixed order, at most so
    /// many.
    fn unembedded(&self, space: &str, of: &Embedding, limit: usize) -> Result<Vec<Unembedded>>;
    /// Keeps vectors. What is not there any more, or was reworded meanwhile, is passed over.
    fn put_vectors(&self, space: &str, vectors: &[Embedded]) -> Result<()>;
    /// Vectors in a space, those of older wordings left out; in a fixed order, behind one.
    fn vectors(
        &self,
        space: &str,
        of: &Embedding,
        after: Option<&Embeddable>,
        limit: usize,
    ) -> Result<Vec<Embedded>>;
    /// How many texts have a vector in each space, and how many texts there are.
    fn spaces(&self, of: &Embedding) -> Result<Spaces>;
    /// Sets texts aside that have no vector and shall not be asked about again: for [`unembedded`](Self::unembedded) they have one,
    /// and [`vectors`](Self::vectors) lists them without a chunk. What is not there any more, or was reworded meanwhile, is passed over.
    fn set_aside(&self, texts: &[SetAside]) -> Result<()>;
    /// Texts that are set aside, in any space, in a fixed order.
    fn aside(&self, of: &Embedding, limit: usize) -> Result<Vec<SetAside>>;
    /// Lets texts of a space wait for a vector again that were set aside under other settings, everywhere.
    fn try_again(&self, space: &str, settings: &str) -> Result<()>;
    /// Takes away all vectors of other spaces.
    fn keep_space(&self, space: &str, of: &Embedding) -> Result<()>;

    /// Characters with memories that wait to be summed up, behind one in the order of ids: live, not forgotten, not summarised, in
    /// one of these layers.
    fn unsummarised(
        &self,
        world: &WorldId,
        layers: &[Layer],
        after: Option<&CharacterId>,
        limit: usize,
    ) -> Result<Vec<CharacterId>>;
}

/// What is to be derived anew.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LetGo {
    /// Rounds that wait to be remembered now.
    pub rounds: u64,
    /// Memories that somebody does not have any more, each counted for each of them.
    pub holdings: u64,
}

/// Whose vectors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Embedding {
    /// Of the memories of a world: of each its own text, if somebody holds it as it is, and each holder's rewording.
    World(WorldId),
    /// Of these entries of a book: those that are searched by meaning.
    Book { book: DocumentId, entries: Vec<Arc<str>> },
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Spaces {
    /// By name: how many texts have a vector there.
    pub embedded: BTreeMap<String, usize>,
    pub texts: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoundsQuery {
    pub which: WhichRounds,
    pub after: Option<RoundId>,
    pub limit: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WhichRounds {
    One(RoundId),
    /// All that ever were: also those whose lines are off the path.
    Of(ConversationId),
    Open(ConversationId),
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BacklogsQuery {
    /// None: all worlds.
    pub world: Option<WorldId>,
    pub after: Option<(WorldId, ConversationId)>,
    pub limit: usize,
}

/// What of a conversation waits to be remembered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backlog {
    pub conversation: ConversationId,
    /// The last line of the path that a digested round covers, with all that comes before it.
    pub covered: Option<LineId>,
    /// Rounds that are closed and not digested, and open ones, as far as they have lines in `lines`; with those digested ones
    /// that `lines` reach into. By id. Only rounds that stand on the path: a host's round that ended stands where the line is
    /// at which it ended. A line whose round is not among these is of no round here.
    pub rounds: Vec<Round>,
    /// Lines of the active path, oldest first: all that stand behind the last digested round of the path, and those of every
    /// round that is closed and not digested. At most so many as asked for, but whole rounds: the first is never cut.
    pub lines: Vec<PathLine>,
    /// True if lines of the path follow that did not fit.
    pub is_cut: bool,
}

/// A line, and what deciding about its memory needs besides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathLine {
    pub line: Line,
    /// The names that its speaker and those present had when it was recorded; the line's own display name wins for its
    /// speaker. Everybody present, sorted by id; of a line in a host's round the people of that round, and who else heard it.
    pub present: Vec<Participant>,
    /// The name that came with the line itself.
    pub own_name: Option<String>,
    /// False: the speaker tells the story and is nobody in it.
    pub by_person: bool,
}

/// What shall be true of memories from now on, if what was read still is.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Commit {
    pub guards: Vec<Guard>,
    pub effects: Vec<Effect>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Guard {
    /// Each of these lines is on the active path, with this wording, hidden or not and forgotten by these.
    Lines(Vec<ReadLine>),
    /// The last line of the conversation's path that a digested round covers is this one.
    Covered { conversation: ConversationId, through: Option<LineId> },
    /// A round is closed and not digested.
    Waiting(RoundId),
    /// The holding is there and its state has this version.
    State { memory: MemoryId, holder: CharacterId, version: u32 },
    /// A job has this version; 0: there is no such job.
    Job { key: String, version: u64 },
    /// Whether the holder can recall the memory: it is there, live and not forgotten.
    Valid { memory: MemoryId, holder: CharacterId, valid: bool },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadLine {
    pub line: LineId,
    pub version: u32,
    pub hidden: bool,
    /// Sorted.
    pub forgotten_by: Vec<CharacterId>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Makes a memory. If there is one with this fingerprint, that one is meant, and only holders who do not have it get it;
    /// a memory without a fingerprint is always a new one.
    Remember(NewMemory),
    /// A round that a host opened, or that was found before, is digested.
    Digested(RoundId),
    /// A round that was found, and is digested.
    Found { conversation: ConversationId, span: Span },
    /// Puts a job in place of the one with its key, or takes it away. Its version becomes one more than that of the old one. This
    /// alone is no new revision of the world.
    Job { key: String, job: Option<Box<Job>> },
    /// A witness forgets lines, or has them in mind again. What was remembered of their rounds is not what they are now. Lines that
    /// it did not witness are passed over.
    Lines { lines: Vec<LineId>, holder: CharacterId, forgotten: bool },
    /// Gives a holding a new state. A memory made by this commit is named by its place among the `Remember` effects.
    State {
        memory: Which,
        holder: CharacterId,
        state: Box<State>,
        summarised_by: Option<usize>,
        superseded_by: Option<usize>,
    },
}

/// A memory that is there, or that this commit makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    Known(MemoryId),
    /// By its place among the `Remember` effects.
    New(usize),
}

#[derive(Debug, Clone, PartialEq)]
pub struct NewMemory {
    /// What it is made of, as a number: two digests of the same never make two memories.
    pub fingerprint: Option<[u8; 16]>,
    pub kind: Kind,
    pub origin: Origin,
    pub text: String,
    pub sources: Vec<Source>,
    /// The memories that it sums up; of those that this commit makes only what comes before it.
    pub from: Vec<Which>,
    pub about: Vec<CharacterId>,
    pub importance: f64,
    pub keywords: Vec<String>,
    pub topics: Vec<String>,
    pub emotions: Vec<String>,
    pub tick: Option<Tick>,
    pub wall_ms: i64,
    pub model: Option<String>,
    pub holders: Vec<(CharacterId, State)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Committed {
    /// The memories of the `Remember` effects, in their order, how many of them nobody had before, and the new revision.
    Done { memories: Vec<MemoryId>, made: usize, revision: u64 },
    /// Something changed since it was read; nothing was written.
    Stale,
}
