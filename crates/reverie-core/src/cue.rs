//! Who is about to speak, where, and what comes back?

use std::sync::Arc;

use crate::Attribute;
use crate::character::Who;
use crate::engine::Degraded;
use crate::id::{CharacterId, ConversationId, DocumentId, LineId, MemoryId};
use crate::line::Wording;
use crate::lore::entry;
use crate::perspective::Role;
use crate::rank::{Considered, Fate};
use crate::settings::{HistoryScope, Pairs};
use crate::store::Place;
use crate::time::Tick;

/// What a host asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct Cue {
    /// The character about to speak.
    pub character: Who,
    /// Others who are given a voice by the same prompt.
    pub with: Vec<Who>,
    pub place: Place,
    /// The host's own history, used instead of what is stored and recorded nowhere.
    pub history: Option<Vec<InlineLine>>,
    /// What was just said to the character and is not recorded yet.
    pub message: Option<CueMessage>,
    /// The persona, instead of the stored one and of system lines.
    pub system: Option<String>,
    pub scene: Scene,
    /// Weather, reference material …: label and text.
    pub other: Vec<(String, String)>,
    /// Facts of the scene, for lore that has conditions: faction, quest flags … One with several values stands there once
    /// for each.
    pub facts: Vec<(String, String)>,
    /// Emotions in the air.
    pub mood: Vec<String>,
    /// What the prompt is made for: normal, continue, swipe …
    pub generation: Option<String>,
    pub lore: LoreCue,
    pub tick: Option<Tick>,
    pub also: Vec<ConversationId>,
    /// Whether what these people said with others around is quoted. Without it, such things come to mind like all others.
    pub background: bool,
    /// Texts that the model gets besides, in a prompt of the host's own: what stands there word for word is not told again.
    pub shown: Vec<String>,
    pub scope: Option<HistoryScope>,
    /// Lines of history at most.
    pub history_limit: Option<usize>,
    /// Tokens of the whole prompt at most.
    pub budget: Option<usize>,
    /// As it would have been at this revision of the world. None: now.
    pub as_of: Option<u64>,
    /// Settings of recall and lore for this prompt alone, over the world's and the characters'.
    pub settings: Pairs,
    pub detail: Detail,
}

/// How much is told of the memories that came to mind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Detail {
    /// Also what belongs to each of the nearest.
    #[default]
    Related,
    /// What the prompt needs, without what is too far to enter it: for whoever does not look at them one by one, and is waited for.
    Prompt,
}

impl Cue {
    pub fn new(character: Who, place: Place) -> Self {
        Self {
            character,
            with: Vec::new(),
            place,
            history: None,
            message: None,
            system: None,
            scene: Scene::default(),
            other: Vec::new(),
            facts: Vec::new(),
            mood: Vec::new(),
            generation: None,
            lore: LoreCue::default(),
            tick: None,
            also: Vec::new(),
            background: true,
            shown: Vec::new(),
            scope: None,
            history_limit: None,
            budget: None,
            as_of: None,
            settings: Pairs::new(),
            detail: Detail::default(),
        }
    }

    /// All who are given a voice, each once.
    pub fn voiced(&self) -> Vec<Who> {
        let mut voiced = vec![self.character.clone()];
        for who in &self.with {
            if !voiced.contains(who) {
                voiced.push(who.clone());
            }
        }
        voiced
    }
}

/// What only the host knows of what world books ask for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LoreCue {
    /// Of the character, for filters, by id or by name. None: those that are stored with it; if none are, filters by tag
    /// let everybody through.
    pub tags: Option<Vec<String>>,
    /// Texts besides the chat that entries may want searched. The persona is searched as the character's description if
    /// none is given.
    pub texts: LoreTexts,
    /// What it is about, for entries that name topics.
    pub topics: Vec<String>,
    /// Entries whose meaning is near what is said.
    pub similar: Vec<(LoreName, f64)>,
    /// Of those that could come so many do, the nearest. None: all, because whoever names them has chosen.
    pub most_similar: Option<usize>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoreTexts {
    pub persona: String,
    pub character: String,
    pub personality: String,
    pub depth_prompt: String,
    pub scenario: String,
    pub creator_notes: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CueMessage {
    pub content: String,
    pub speaker: Option<Who>,
}

/// One line of a history that the host brings along.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InlineLine {
    pub attribute: Attribute,
    /// None: of an answer the character about to speak, of anything else nobody knows who.
    pub speaker: Option<Who>,
    pub display_name: Option<String>,
    pub wording: Wording,
    pub tick: Option<Tick>,
    pub wall_ms: Option<i64>,
    /// None: everybody.
    pub witnesses: Option<Vec<Who>>,
}

impl InlineLine {
    /// Whether it is an answer that names nobody: in a list of nothing but roles and contents, those of the character about to
    /// speak.
    pub(crate) fn is_the_characters(&self) -> bool {
        let has_name = self.display_name.as_deref().is_some_and(|name| !name.is_empty());
        self.attribute == Attribute::Assistant && self.speaker.is_none() && !has_name
    }
}

/// Time, place, people, event: what surrounds the next words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scene {
    pub time: Option<String>,
    pub place: Option<String>,
    pub people: Vec<String>,
    pub event: Option<String>,
    /// Whatever else the host wants to say about it: label and text.
    pub more: Vec<(String, String)>,
}

/// A finished prompt, and what it was made of.
#[derive(Debug, Clone, PartialEq)]
pub struct Recall {
    /// Recording the answer with it keeps running what this prompt set off, and fresh what it reminded of.
    pub id: String,
    pub messages: Vec<PromptMessage>,
    pub blocks: Vec<Block>,
    pub left_out: Vec<LeftOut>,
    pub tokens: Tokens,
    /// What went on without a part of it, or looks wrong.
    pub degraded: Vec<Degraded>,
    /// The revision that was read.
    pub revision: u64,
    /// The books that were searched, and the revision of each: they change beside the world.
    pub books: Vec<(DocumentId, u64)>,
    /// All that came to mind: what is always there first, then the nearest; with what became of it.
    pub memories: Vec<Recalled>,
}

/// A memory that came to mind, and what became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Recalled {
    pub considered: Considered,
    pub fate: Fate,
    /// What is told of it, where that is not all.
    pub excerpt: Option<String>,
}

impl Recall {
    /// What stands in the prompt, and whose memory it is: fresh again when the answer is recorded.
    pub(crate) fn refreshed(&self) -> Vec<(MemoryId, CharacterId)> {
        let kept = self.memories.iter().filter(|recalled| recalled.fate == Fate::Kept);
        // What nobody remembers yet does not fade.
        let kept = kept.filter(|recalled| recalled.considered.note.held.memory.id.line().is_none());
        let of = |recalled: &Recalled| {
            let memory = recalled.considered.note.held.memory.id;
            recalled
                .considered
                .known_by
                .iter()
                .map(move |holder| (memory, holder.clone()))
                .collect::<Vec<_>>()
        };
        kept.flat_map(of).collect()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptMessage {
    pub role: Role,
    pub content: String,
    /// Only where it fits what providers accept; it never changes the content.
    pub name: Option<String>,
}

/// One part of the prompt, for hosts that build their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    pub position: Position,
    /// How many messages follow the one that carries it.
    pub depth: usize,
    pub role: Role,
    pub text: String,
    pub tokens: usize,
    /// The lines it was made of.
    pub sources: Vec<LineId>,
    /// For a piece of lore.
    pub lore: Option<LoreBlock>,
    /// The memories that it tells, in this order.
    pub memories: Vec<MemoryId>,
}

/// Where lore stands as its author put it, and which entries it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoreBlock {
    pub position: entry::Position,
    /// Always there, and so behind the persona: what stands there stays the same from turn to turn.
    pub constant: bool,
    pub outlet: Option<String>,
    pub entries: Vec<LoreName>,
}

/// An entry of a book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoreName {
    pub book: Arc<str>,
    pub entry: Arc<str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Position {
    Persona,
    Background,
    /// From world books.
    Lore,
    /// From conversations that the host granted with `also`.
    Granted,
    History,
    Scene,
    Other,
    /// What comes to mind.
    Memory,
    /// The newest message.
    Message,
}

impl Position {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Persona => "persona",
            Self::Background => "background",
            Self::Lore => "lore",
            Self::Granted => "granted",
            Self::History => "history",
            Self::Scene => "scene",
            Self::Other => "other",
            Self::Memory => "memory",
            Self::Message => "message",
        }
    }
}

/// Something that would have belonged into the prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    pub position: Position,
    pub reason: Reason,
    /// The lines, oldest first; of those beyond the reading window nothing is known but that they exist.
    pub lines: Vec<LineId>,
    pub and_older: bool,
    pub lore: Vec<LoreName>,
    pub memories: Vec<MemoryId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    Budget,
    Limit,
}

impl Reason {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Budget => "budget",
            Self::Limit => "limit",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tokens {
    pub counter: &'static str,
    pub used: usize,
    pub budget: usize,
}
