//! What is a line, before and after it is recorded?

use crate::character::Who;
use crate::id::{CharacterId, ConversationId, LineId, RoundId};
use crate::time::Tick;
use crate::{Attribute, Error, Result};

/// Ticks stay where every JSON reader keeps them exact.
pub const MAX_TICK: Tick = 1 << 53;

/// What to do where a line is not there.
const NO_SUCH_LINE: &str =
    "check its id, which whoever records a line is told; it may have been deleted, or stand in another world";

/// Why a line is not given.
pub fn no_line(id: LineId) -> Error {
    Error::not_found(format!("there is no line {id}")).hint(NO_SUCH_LINE)
}

/// Why a line is not given that may stand somewhere else.
pub fn no_line_in(id: impl std::fmt::Display, conversation: &ConversationId) -> Error {
    Error::not_found(format!("there is no line {id} in conversation {conversation:?}")).hint(NO_SUCH_LINE)
}

/// The part of a line that can be edited.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wording {
    pub content: String,
    pub original_emotion: Option<String>,
    pub predicted_emotion: Option<String>,
    pub tts: Option<String>,
    pub action: Option<String>,
    pub audio: Option<String>,
}

/// A line as a host hands it in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewLine {
    pub attribute: Attribute,
    /// Who speaks; for a system line whom it addresses. None: nobody in particular.
    pub speaker: Option<Who>,
    /// The name to show for this line, where it differs from the character's label.
    pub display_name: Option<String>,
    pub wording: Wording,
    pub tick: Option<Tick>,
    /// None: when it is recorded.
    pub wall_ms: Option<i64>,
    pub host_id: Option<String>,
    /// None: everybody present at that point; in a round, everybody who is with it. The speaker always witnesses its own line.
    pub witnesses: Option<Vec<Who>>,
    pub hidden: bool,
    /// The open round that it belongs to. None: it falls into a round by itself, later.
    pub round: Option<RoundId>,
}

impl NewLine {
    /// Words, and nothing else that is known of them: said now, to everybody present.
    pub fn new(attribute: Attribute, speaker: Option<Who>, content: impl Into<String>) -> Self {
        Self {
            attribute,
            speaker,
            display_name: None,
            wording: Wording { content: content.into(), ..Wording::default() },
            tick: None,
            wall_ms: None,
            host_id: None,
            witnesses: None,
            hidden: false,
            round: None,
        }
    }
}

/// A recorded line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub id: LineId,
    pub conversation: ConversationId,
    pub parent: Option<LineId>,
    pub attribute: Attribute,
    pub speaker: Option<CharacterId>,
    /// The line's own display name, else the speaker's label.
    pub name: Option<String>,
    pub wording: Wording,
    /// Its own tick, else its parent's.
    pub tick: Option<Tick>,
    pub wall_ms: i64,
    pub host_id: Option<String>,
    /// Sorted. Everyone who may ever recall this line.
    pub witnesses: Vec<CharacterId>,
    /// Sorted. Those of them who forgot it: it is in none of their views.
    pub forgotten_by: Vec<CharacterId>,
    pub hidden: bool,
    /// False if its round ended before it was shown to anybody: then it is in no view.
    pub shown: bool,
    /// The round that a host put it into.
    pub round: Option<RoundId>,
    /// How often it was edited.
    pub version: u32,
}

impl Line {
    pub fn is_witnessed_by(&self, character: &CharacterId) -> bool {
        self.witnesses.binary_search(character).is_ok()
    }

    pub fn is_forgotten_by(&self, character: &CharacterId) -> bool {
        self.forgotten_by.binary_search(character).is_ok()
    }
}

/// Where a line stands when lines of several conversations are merged.
///
/// `at` is the greatest tick on the path up to the line, so path order always wins inside one conversation; while a
/// game is paused many lines share a tick and the order of recording decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Order {
    pub at: Tick,
    pub line: LineId,
}

impl Order {
    /// What `at` is for a line that was recorded before its world knew any tick.
    pub const BEFORE_TIME: Tick = Tick::MIN;

    /// The `at` and the inherited tick of a new line.
    pub fn place(
        own: Option<Tick>,
        parent: Option<(Tick, Option<Tick>)>,
        world_time: Option<Tick>,
    ) -> (Tick, Option<Tick>) {
        match parent {
            Some((parent_at, parent_tick)) => {
                let tick = own.or(parent_tick);
                (tick.map_or(parent_at, |tick| tick.max(parent_at)), tick)
            }
            None => (own.or(world_time).unwrap_or(Self::BEFORE_TIME), own),
        }
    }
}

pub fn check_tick(tick: Tick) -> Result<Tick> {
    if (-MAX_TICK..=MAX_TICK).contains(&tick) {
        return Ok(tick);
    }
    Err(Error::invalid(format!("tick {tick} is outside ±2^53"))
        .hint("send the game's own tick counter as a whole number"))
}

/// The years 0000 to 9999 of UTC: what RFC 3339 can write.
const WALL_MS: std::ops::RangeInclusive<i64> = -62_167_219_200_000..=253_402_300_799_999;

pub fn check_wall_ms(ms: i64) -> Result<i64> {
    if WALL_MS.contains(&ms) {
        return Ok(ms);
    }
    Err(Error::invalid(format!("{ms} ms is no time in the years 0000 to 9999"))
        .hint("times are milliseconds since 1970, UTC"))
}
