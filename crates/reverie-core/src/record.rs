//! In what pieces does a world travel?
//!
//! An export is the world's log up to a revision, as records that refer to each other by id and stand in this order:
//! world, settings, characters, conversations, rounds, lines, timers, keepsakes, memories, holdings, refreshments, changes,
//! keys, checkpoints, links, and each linked book with its entries behind it. Everything else a store keeps (active paths,
//! seats, indexes) is derived from them again on import.
//!
//! Keepsakes, links and books come as they are now, whatever the revision: no checkpoint brings them back. Where a book arrives, the
//! same book is used if it is there; if another one has its id, that one stays as it is and this one gets another
//! ([`another_id`](crate::library::another_id)).

use crate::Attribute;
use crate::character::{Card, Namespace};
use crate::id::{CharacterId, CheckpointId, ConversationId, DocumentId, LineId, MemoryId, RoundId, WorldId};
use crate::keepsake::Keepsake;
use crate::library::{DocumentEntry, Link};
use crate::line::Wording;
use crate::memory::{Memory, State};
use crate::round::{Ending, Participant, Span};
use crate::settings::{Pairs, Preset};
use crate::time::Tick;
use crate::world::{Change, Checkpoint};

#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    World(WorldRecord),
    Settings {
        version: u32,
        preset: Preset,
        pairs: Pairs,
    },
    Character(CharacterRecord),
    Conversation(ConversationRecord),
    Round(RoundRecord),
    Line(Box<LineRecord>),
    /// The lore timers that a line left running.
    Timers {
        line: LineId,
        text: String,
    },
    /// What is kept of a host's file: files of the world first, then those of conversations, then those of lines.
    Keepsake(Keepsake),
    /// Without what each holder makes of it.
    Memory {
        memory: Box<Memory>,
        fingerprint: Option<[u8; 16]>,
    },
    Holding(HoldingRecord),
    /// A line that answered a prompt with this memory in it.
    Refreshed {
        line: LineId,
        memory: MemoryId,
        holder: CharacterId,
    },
    Change {
        revision: u64,
        change: Change,
    },
    Key(KeyRecord),
    Checkpoint(Checkpoint),
    Link(Link),
    Book(Box<BookRecord>),
    Entry {
        book: DocumentId,
        entry: DocumentEntry,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorldRecord {
    pub id: WorldId,
    pub forked_from: Option<WorldId>,
    pub created_ms: i64,
    pub revision: u64,
    /// The number that the next line gets.
    pub next_line: u64,
    /// The numbers that the next round and the next memory get.
    pub next_round: u64,
    pub next_memory: u64,
    /// The checkpoint at which the log was cut, if it was.
    pub checkpoint: Option<CheckpointId>,
    /// True if keepsakes follow, which earlier readers do not know.
    pub has_keepsakes: bool,
}

impl Record {
    /// The first record of a fork, made from that of its origin.
    pub fn forked(self, from: &WorldId, now_ms: i64) -> Self {
        match self {
            Self::World(world) => {
                Self::World(WorldRecord { forked_from: Some(from.clone()), created_ms: now_ms, ..world })
            }
            record => record,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CharacterRecord {
    pub id: CharacterId,
    pub host_ids: Vec<(Namespace, String)>,
    /// Every version of the card that the log refers to; version 0 is that of the first mention.
    pub cards: Vec<(u32, Card)>,
    /// The revision that mentioned it first.
    pub revision: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConversationRecord {
    pub id: ConversationId,
    pub name: Option<String>,
    /// The participant set; of a scene nobody, because the log says who was there when it began.
    pub participants: Vec<CharacterId>,
    /// The revision that opened it.
    pub revision: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoundRecord {
    pub id: RoundId,
    pub conversation: ConversationId,
    pub explicit: bool,
    pub present: Vec<Participant>,
    pub opened_ms: i64,
    /// Of a round that was found.
    pub span: Option<Span>,
    pub ending: Option<Ending>,
    /// Of a round that a host ended: its last line that was shown. None also in worlds that were written before this was kept.
    pub ends_at: Option<LineId>,
    /// Of a round that went on after its end: lines up to this one were judged then.
    pub settled: Option<LineId>,
    pub revision: u64,
}

/// Every state that the log refers to; version 0 is the one that it began with.
#[derive(Debug, Clone, PartialEq)]
pub struct HoldingRecord {
    pub memory: MemoryId,
    pub holder: CharacterId,
    pub states: Vec<(u32, State)>,
}

/// A node of the tree: something said, or a change of who is present.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineRecord {
    pub id: LineId,
    pub conversation: ConversationId,
    pub parent: Option<LineId>,
    /// None: nobody spoke, only `present` changed.
    pub attribute: Option<Attribute>,
    pub speaker: Option<CharacterId>,
    pub display_name: Option<String>,
    /// Every version of the wording that the log refers to; version 0 is how it was recorded.
    pub wordings: Vec<(u32, Wording)>,
    pub tick: Option<Tick>,
    pub at: Tick,
    pub wall_ms: i64,
    pub host_id: Option<String>,
    pub present: Vec<CharacterId>,
    pub witnesses: Vec<CharacterId>,
    pub round: Option<RoundId>,
    pub revision: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRecord {
    pub conversation: ConversationId,
    pub key: String,
    pub digest: [u8; 16],
    pub first: LineId,
    pub count: u64,
    pub revision: u64,
}

/// A book without its entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookRecord {
    pub id: DocumentId,
    pub name: String,
    pub format: String,
    pub text: String,
    pub file: Option<Vec<u8>>,
    /// As in [`Document`](crate::library::Document).
    pub imported: Option<[u8; 16]>,
}
