//! What does the engine need from whatever keeps the log?
//!
//! Every method is one transaction, except those that would keep all others waiting for a whole world: an import, a fork and
//! the erasure of a world may be many, and yet a world is seen whole or not at all. A restore is one. A store keeps the
//! invariants that only it can keep: a line is durable before the call returns, a character gets only what it witnessed, and
//! reads cost what they return.

use std::collections::BTreeMap;

use crate::character::{Character, CharacterPatch, Who};
use crate::conversation::{
    Append, Appended, Attach, Conversation, ExpectedHead, Graft, Grafted, HeadTarget, LinesQuery,
    OpenConversation,
};
use crate::history::{History, HistoryQuery};
use crate::id::{CharacterId, CheckpointId, ConversationId, LineId, WorldId};
use crate::keepsake::{Keepsake, KeptFor};
use crate::library::{Library, Link};
use crate::line::{Line, Wording};
use crate::memories::Memories;
use crate::names::CalledBesides;
use crate::recollection::{Mark, Recollections};
use crate::record::Record;
use crate::settings::{HistoryScope, WorldSettings};
use crate::world::{Checkpoint, World, WorldPatch};
use crate::{Error, Result};

pub trait Store: Library + Memories + Send + Sync {
    /// Why nothing can be written at present, if that is known; reading may go on.
    fn trouble(&self) -> Option<Error> {
        None
    }

    /// Creates or changes a world. True if it was created.
    fn put_world(&self, id: &WorldId, patch: &WorldPatch, now_ms: i64) -> Result<(World, bool)>;
    fn worlds(&self, select: &Select) -> Result<Vec<World>>;

    fn put_character(&self, world: &WorldId, who: &Who, patch: &CharacterPatch) -> Result<(Character, bool)>;
    /// A page of them leaves out those that are [away](Self::restore).
    fn characters(&self, world: &WorldId, select: &Select) -> Result<Vec<Character>>;

    /// Finds the conversation, or opens it. True if it was opened.
    fn open_conversation(&self, world: &WorldId, open: &OpenConversation) -> Result<(Conversation, bool)>;
    /// Makes a scene of a conversation of a set, called so: whatever was said in it stays, and from now on people come and go. It is as if it had
    /// been opened with a name. A Conflict if it has another name, or another scene has this one.
    fn name_conversation(
        &self,
        world: &WorldId,
        conversation: &ConversationId,
        name: &str,
    ) -> Result<Conversation>;
    /// A page of them leaves out those that are [away](Self::restore).
    fn conversations(&self, world: &WorldId, select: &Select) -> Result<Vec<Conversation>>;
    /// Those in which something was said last come first; behind the one that stood at this head with this id.
    fn latest_conversations(
        &self,
        world: &WorldId,
        behind: Option<(Option<LineId>, &ConversationId)>,
        limit: usize,
    ) -> Result<Vec<Conversation>>;
    /// Says who is there from now on. Only scenes have people who come and go.
    fn set_present(
        &self,
        world: &WorldId,
        conversation: &ConversationId,
        present: &[Who],
        expected_head: ExpectedHead,
    ) -> Result<Conversation>;
    fn move_head(
        &self,
        world: &WorldId,
        conversation: &ConversationId,
        target: HeadTarget,
        expected_head: ExpectedHead,
    ) -> Result<Conversation>;

    fn append(&self, world: &WorldId, conversation: &ConversationId, append: Append) -> Result<Appended>;
    /// Appends branches and puts the head in its place, all of it or nothing. If every branch was recorded before, the head
    /// stays where it is: somebody may have gone on from there.
    fn graft(&self, world: &WorldId, conversation: &ConversationId, graft: Graft) -> Result<Grafted>;
    fn revise(&self, world: &WorldId, line: LineId, patch: &LinePatch) -> Result<Line>;
    fn lines(&self, world: &WorldId, conversation: &ConversationId, query: &LinesQuery) -> Result<Vec<Line>>;
    /// Those of the host ids whose line was deleted for good, in the order given. Whoever brings the same lines again asks,
    /// so that they do not come back.
    fn erased_host_ids(
        &self,
        world: &WorldId,
        conversation: &ConversationId,
        host_ids: &[String],
    ) -> Result<Vec<String>>;
    /// Keeps a text for each, in place of the one before; None takes it away. All of them or none; how many are other texts
    /// than before.
    fn put_keepsakes(&self, world: &WorldId, keepsakes: &[(KeptFor, Option<String>)]) -> Result<usize>;
    /// Those of a conversation and of its lines, in this order, the lines in the order of recording. None: the files of the
    /// world, by name.
    fn keepsakes(&self, world: &WorldId, of: Option<&ConversationId>) -> Result<Vec<Keepsake>>;
    /// Those of these, in the order given. What is not there is passed over. Costs what is asked for, not what is kept.
    fn kept(&self, world: &WorldId, of: &[KeptFor]) -> Result<Vec<Keepsake>>;
    /// One line, on the active path or not.
    fn line(&self, world: &WorldId, line: LineId) -> Result<Line>;
    /// What these lines say now, in the order given; what is gone is left out.
    fn words_of(&self, world: &WorldId, lines: &[LineId]) -> Result<Vec<(LineId, String)>>;

    fn history(&self, world: &WorldId, query: &HistoryQuery) -> Result<History>;
    /// All that a prompt is made of, read in one snapshot.
    fn gather(&self, world: &WorldId, gather: &Gather) -> Result<Gathered>;

    /// What runs where lines would attach, and whether the path there leads through a line.
    fn timers_at(
        &self,
        world: &WorldId,
        conversation: &ConversationId,
        attach: Attach,
        through: Option<LineId>,
    ) -> Result<TimersAt>;

    /// How much there is.
    fn counts(&self, world: &WorldId) -> Result<Counts>;

    /// Names the current revision; an id that is in use moves.
    fn put_checkpoint(&self, world: &WorldId, id: &CheckpointId, now_ms: i64) -> Result<(Checkpoint, bool)>;
    fn checkpoints(&self, world: &WorldId, select: &Select) -> Result<Vec<Checkpoint>>;
    /// Begins anew at a checkpoint. Nothing is deleted: conversations and characters that came later are away. They are found by
    /// their ids, but neither listed nor counted, until a later checkpoint is restored or somebody uses them: a conversation that
    /// is opened, written to or whose head is moved is there again with everyone on its path, a character that is mentioned or
    /// given a memory is, too.
    fn restore(&self, world: &WorldId, checkpoint: &CheckpointId) -> Result<World>;

    /// Removes for good: texts are gone from tables and indexes when this returns. Whatever was derived from a line goes with it; with a
    /// person all that was derived from what was said before them, and the summaries and rounds that are about them. Where a holder had
    /// decided something about a round that goes so, what is left of it is remembered in the same transaction, as decided
    /// ([`remember_anew`](crate::digest::remember_anew)); the rest waits.
    fn erase(&self, world: &WorldId, what: &Erase) -> Result<()>;

    /// Hands out a world as it is, or as it was at a checkpoint, record by record, from one snapshot. Writers go on
    /// meanwhile; what is held in memory does not grow with the world's lines.
    fn export(
        &self,
        world: &WorldId,
        checkpoint: Option<&CheckpointId>,
        sink: &mut dyn FnMut(Record) -> Result<()>,
    ) -> Result<()>;
    /// Makes a new world from records, all of it or nothing. Nobody sees it before it is whole; writers get their turn
    /// meanwhile.
    fn import(&self, world: &WorldId, records: &mut dyn Iterator<Item = Result<Record>>) -> Result<World>;
    /// Copies a world as it is, or as it was at a checkpoint: an import of its export.
    fn fork(
        &self,
        from: &WorldId,
        to: &WorldId,
        checkpoint: Option<&CheckpointId>,
        now_ms: i64,
    ) -> Result<World>;
}

/// How much a world holds that is there now: lines on the active paths, and neither characters nor conversations that came after
/// the checkpoint that was restored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Without those that were deleted.
    pub characters: u64,
    pub conversations: u64,
    pub lines: u64,
    pub open_rounds: u64,
    pub closed_rounds: u64,
    pub digested_rounds: u64,
    pub memories: u64,
}

/// One thing by its id, or a page of things in the order of their ids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Select {
    One(String),
    Page { after: Option<String>, limit: usize },
}

/// Most things that a hint names.
pub(crate) const NAMED: usize = 20;

impl Select {
    /// As many as a hint names, and one more to know whether there are others.
    pub fn some_of_them() -> Self {
        Self::Page { after: None, limit: NAMED + 1 }
    }
}

/// What to change about a recorded line; None leaves a thing as it is, Some(None) removes it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LinePatch {
    pub content: Option<String>,
    pub original_emotion: Option<Option<String>>,
    pub predicted_emotion: Option<Option<String>>,
    pub tts: Option<Option<String>>,
    pub action: Option<Option<String>>,
    pub audio: Option<Option<String>>,
    pub hidden: Option<bool>,
}

/// The whole wording anew.
impl From<Wording> for LinePatch {
    fn from(wording: Wording) -> Self {
        Self {
            content: Some(wording.content),
            original_emotion: Some(wording.original_emotion),
            predicted_emotion: Some(wording.predicted_emotion),
            tts: Some(wording.tts),
            action: Some(wording.action),
            audio: Some(wording.audio),
            hidden: None,
        }
    }
}

impl LinePatch {
    /// The wording after the change.
    pub fn apply(&self, old: &Wording) -> Wording {
        let optional =
            |new: &Option<Option<String>>, old: &Option<String>| new.clone().unwrap_or_else(|| old.clone());
        Wording {
            content: self.content.clone().unwrap_or_else(|| old.content.clone()),
            original_emotion: optional(&self.original_emotion, &old.original_emotion),
            predicted_emotion: optional(&self.predicted_emotion, &old.predicted_emotion),
            tts: optional(&self.tts, &old.tts),
            action: optional(&self.action, &old.action),
            audio: optional(&self.audio, &old.audio),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Erase {
    World,
    Character(CharacterId),
    Line(LineId),
    Checkpoint(CheckpointId),
}

/// What a prompt needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gather {
    pub character: Who,
    pub place: Place,
    pub scope: Option<HistoryScope>,
    /// Lines of the window at most.
    pub window_lines: usize,
    /// Tokens of the prompt; None: as the world has it.
    pub budget: Option<usize>,
    pub also: Vec<ConversationId>,
    /// Whether background is wanted.
    pub background: bool,
    /// Others who hear the answer, whether known to be present or not.
    pub listeners: Vec<Who>,
    /// Whose memories are wanted, if any.
    pub minds: Vec<Who>,
    /// The space in which their vectors are wanted. None: no vectors.
    pub space: Option<String>,
    /// How far memories are known already.
    pub known: Vec<Mark>,
    /// How far it is known already what people are called besides.
    pub known_names: Option<u64>,
    /// So many lines are read that stand before the window and that nobody remembers yet; 0: none, and none from elsewhere.
    pub unremembered_lines: usize,
    /// Everything as it was at this revision of the world; nobody's memories are told further from there. None: as it is now. Books
    /// and vectors are what they are, and what was deleted is gone.
    pub as_of: Option<u64>,
}

/// Of lines that nobody remembers yet so much is read.
pub const UNREMEMBERED_BYTES: usize = 64 << 10;
/// Of what was heard in other conversations so many of the last words are looked at, and no more text than this, the line that
/// crosses it included.
pub const ELSEWHERE_LINES: usize = 160;
pub const ELSEWHERE_BYTES: usize = 64 << 10;

/// No common text has more bytes to a token, so this much text fills any window.
const BYTES_PER_TOKEN: usize = 6;

impl Gather {
    /// Everything about somebody somewhere, and nobody's memories.
    pub fn new(character: Who, place: Place) -> Self {
        Self {
            character,
            place,
            scope: None,
            window_lines: usize::MAX,
            budget: None,
            also: Vec::new(),
            background: true,
            listeners: Vec::new(),
            minds: Vec::new(),
            space: None,
            known: Vec::new(),
            known_names: None,
            unremembered_lines: 0,
            as_of: None,
        }
    }

    /// How many bytes of content are read at most, newest first, the line that crosses it included.
    pub fn window_bytes(&self, settings: &WorldSettings) -> usize {
        self.budget.unwrap_or(settings.budget).saturating_mul(BYTES_PER_TOKEN)
    }
}

/// Where the character is about to speak.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    Conversation(ConversationId),
    Among(Vec<Who>),
    /// The host brings its own history.
    Nowhere,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Gathered {
    pub world: World,
    /// None: nobody of this name is known yet.
    pub character: Option<Character>,
    /// Where the character speaks; among people: the conversation of exactly this set, if they ever had one.
    pub conversation: Option<Conversation>,
    /// Sorted, each once. Those around, who would hear what is said; a stranger among them is known here by the id it would get.
    pub people: Vec<CharacterId>,
    /// System lines that stand before the window, oldest first: the character's own, and those to everyone before the
    /// first word.
    pub earlier_system: Vec<Line>,
    /// What the character witnessed, oldest first, hidden lines left out.
    pub window: Vec<Line>,
    /// True if there are older lines that the window did not take.
    pub window_is_cut: bool,
    /// The last line of the path up to which everything is remembered, if `unremembered` was asked for.
    pub remembered_through: Option<LineId>,
    /// What the character, or one of those whose memories were asked for, witnessed in this conversation behind that line, oldest first:
    /// words that were said, the newest so many, and of these no more than [`UNREMEMBERED_BYTES`], the line that crosses it
    /// included. Not what stands in the window and all of them witnessed, nor what all who witnessed it decided about.
    pub unremembered: Vec<Line>,
    /// Of the last words that each of them heard in other conversations, with others around, those that nobody remembers yet, with
    /// the same left out; in the order of their numbers. None where the world's audience is that of each conversation alone.
    pub elsewhere: Vec<Line>,
    /// Who of them forgot what was made of a line when it was remembered before, or put it into words of their own: of these lines, and
    /// of those in the window behind `remembered_through`. To these it is no news, while it waits to be remembered anew. Sorted.
    pub decided: BTreeMap<LineId, Vec<CharacterId>>,
    /// From conversations with others around, oldest first, allowed by the audience policy, if it was asked for.
    pub background: Vec<Line>,
    pub also: Vec<Line>,
    /// The books for this character, and for those whose memories were asked for, in this conversation that are there, with
    /// their revisions; by rank, then by id.
    pub books: Vec<(Link, u64)>,
    /// Links to books that are gone, in the same order.
    pub missing_books: Vec<Link>,
    /// The lore timers that were recorded last on the active path of the conversation.
    pub lore_timers: Option<String>,
    /// How many lines were said on the active path of the conversation.
    pub path_lines: u64,
    /// What they have in mind whose memories were asked for, each once, in this order; strangers have nothing.
    pub minds: Vec<Recollections>,
    /// What people of this world are called besides, if anybody's memories were asked for.
    pub names: CalledBesides,
    /// They themselves, in the same order, if several were asked for.
    pub voiced: Vec<Character>,
    /// Whoever of these nobody knows, or was deleted.
    pub strangers: Vec<Who>,
}

impl Gathered {
    /// Whether somebody witnessed a line, has not forgotten it, and decided nothing about it when it was remembered before.
    pub fn is_news_to(&self, who: &CharacterId, line: &Line) -> bool {
        let has_decided = self.decided.get(&line.id).is_some_and(|by| by.contains(who));
        line.is_witnessed_by(who) && !line.is_forgotten_by(who) && !has_decided
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimersAt {
    /// As they were recorded; None: nothing ever ran.
    pub timers: Option<String>,
    /// The newest line of the active path.
    pub head: Option<LineId>,
    /// Whether the path to the place leads through the line that was asked about; it leads through no line always.
    pub leads_through: bool,
}

impl Default for Select {
    fn default() -> Self {
        Self::Page { after: None, limit: 100 }
    }
}
