//! The records of an export as JSON, one object each; `type` says which.

mod incoming;
mod outgoing;
mod remembered;

use reverie_core::settings::Pairs;
use serde::{Deserialize, Serialize};

use self::remembered::{WireMemory, WireRound, WireState};

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum WireRecord {
    World {
        /// Of the format.
        version: u32,
        id: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        forked_from: Option<String>,
        created_ms: i64,
        revision: u64,
        next_line: u64,
        #[serde(default = "first", skip_serializing_if = "is_one")]
        next_round: u64,
        #[serde(default = "first", skip_serializing_if = "is_one")]
        next_memory: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        checkpoint: Option<String>,
    },
    Settings {
        version: u32,
        preset: String,
        pairs: Pairs,
    },
    Character {
        id: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        aliases: Vec<(String, String)>,
        cards: Vec<WireCard>,
        revision: u64,
    },
    Conversation {
        id: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        participants: Vec<String>,
        revision: u64,
    },
    Round(WireRound),
    Line(Box<WireLineRecord>),
    Timers {
        line: u64,
        text: String,
    },
    /// What is kept of a line's, a conversation's or a host's own file.
    Keepsake {
        #[serde(skip_serializing_if = "Option::is_none")]
        line: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        conversation: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        file: Option<String>,
        text: String,
    },
    Memory(Box<WireMemory>),
    Holding {
        memory: u64,
        holder: String,
        states: Vec<WireState>,
    },
    /// A line that answered a prompt with this memory in it.
    Refreshed {
        line: u64,
        memory: u64,
        holder: String,
    },
    Head {
        revision: u64,
        conversation: String,
        line: Option<u64>,
    },
    Beginning {
        revision: u64,
        conversation: String,
        /// Null: not begun.
        people: Option<Vec<String>>,
    },
    Wording {
        revision: u64,
        line: u64,
        version: u32,
    },
    Hidden {
        revision: u64,
        line: u64,
        hidden: bool,
    },
    Unshown {
        revision: u64,
        line: u64,
        unshown: bool,
    },
    /// Which of its witnesses forgot a line.
    Forgotten {
        revision: u64,
        line: u64,
        by: Vec<String>,
    },
    RoundChange {
        revision: u64,
        round: u64,
        /// Null: not begun.
        state: Option<String>,
    },
    HoldingChange {
        revision: u64,
        memory: u64,
        holder: String,
        /// Null: not there.
        version: Option<u32>,
    },
    Card {
        revision: u64,
        character: String,
        version: u32,
    },
    SettingsChange {
        revision: u64,
        version: u32,
    },
    /// Whether a restore went back behind its opening.
    ConversationAway {
        revision: u64,
        conversation: String,
        away: bool,
    },
    /// Whether a restore went back behind its first mention.
    CharacterAway {
        revision: u64,
        character: String,
        away: bool,
    },
    Key {
        conversation: String,
        key: String,
        digest: String,
        first: u64,
        count: u64,
        revision: u64,
    },
    Checkpoint {
        id: String,
        revision: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        time: Option<i64>,
        created_ms: i64,
    },
    /// For a character, for a conversation, or for the whole world.
    Link {
        book: String,
        rank: i64,
        #[serde(skip_serializing_if = "Option::is_none")]
        character: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        conversation: Option<String>,
    },
    Book {
        id: String,
        name: String,
        format: String,
        text: String,
        /// In base64url.
        #[serde(skip_serializing_if = "Option::is_none")]
        file: Option<String>,
        /// A fingerprint of what an import brought last, in base64url.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        imported: Option<String>,
    },
    Entry {
        book: String,
        id: String,
        text: String,
    },
    /// The last line of every export.
    End {
        /// How many came before it.
        records: u64,
    },
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct WireCard {
    version: u32,
    kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    display_name: Option<String>,
    /// What it is called besides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    aliases: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    persona: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tags: Option<Vec<String>>,
    /// The card of the library that it was made from; the library does not travel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    card: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct WireLineRecord {
    id: u64,
    conversation: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<u64>,
    /// Absent: nobody spoke, only who is present changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    attribute: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    speaker: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    display_name: Option<String>,
    wordings: Vec<WireWording>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tick: Option<i64>,
    /// Absent: before the world knew any tick.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<i64>,
    wall_ms: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    host_id: Option<String>,
    present: Vec<String>,
    /// Absent: those present.
    #[serde(skip_serializing_if = "Option::is_none")]
    witnesses: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    round: Option<u64>,
    revision: u64,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct WireWording {
    #[serde(default, skip_serializing_if = "is_first")]
    version: u32,
    content: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    original_emotion: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    predicted_emotion: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tts: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    audio: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands references")]
fn is_first(version: &u32) -> bool {
    *version == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands references")]
fn is_one(number: &u64) -> bool {
    *number == 1
}

/// Exports of before there were rounds and memories do not number them.
fn first() -> u64 {
    1
}
