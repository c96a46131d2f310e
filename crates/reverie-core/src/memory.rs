//! What is a memory, what of it is shared, and what belongs to each one who has it?

use crate::id::{CharacterId, LineId, MemoryId};
use crate::time::{Moment, Tick};
use crate::{Error, Result};

/// Shared by all who have it, and never changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Memory {
    pub id: MemoryId,
    pub kind: Kind,
    pub origin: Origin,
    pub text: String,
    /// The lines it was made of, in order, each with the version of its wording that was read.
    pub sources: Vec<Source>,
    /// The memories it sums up, and those that these sum up; sorted.
    pub from: Vec<MemoryId>,
    /// Sorted.
    pub about: Vec<CharacterId>,
    /// 0 to 1.
    pub importance: f64,
    pub keywords: Vec<String>,
    pub topics: Vec<String>,
    pub emotions: Vec<String>,
    /// When it happened: of its newest line.
    pub tick: Option<Tick>,
    pub wall_ms: i64,
    /// The model that worded it. None: nobody but those who said it, the host or the rules.
    pub model: Option<String>,
    /// The revision that made it.
    pub revision: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Source {
    pub line: LineId,
    pub version: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// What happened.
    Episodic,
    /// Facts about people and the world.
    Semantic,
    /// What someone is like.
    Trait,
    /// What someone wants or promised.
    Goal,
}

/// Where a memory comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Origin {
    /// The words of a round as they were said.
    Round,
    /// Something that the host says happened.
    Event,
    /// Written by hand.
    Hand,
    /// What a model found worth keeping in rounds.
    Statement,
    /// A day, summed up.
    Day,
    /// Many days, summed up.
    Era,
}

impl Origin {
    /// Whether it can be made again from what was said.
    pub fn is_derived(self) -> bool {
        match self {
            Self::Round | Self::Statement | Self::Day | Self::Era => true,
            Self::Event | Self::Hand => false,
        }
    }

    /// Whether it says what is so until something else is, not what happened once.
    pub fn is_of_facts(self) -> bool {
        match self {
            Self::Statement | Self::Hand => true,
            Self::Round | Self::Event | Self::Day | Self::Era => false,
        }
    }
}

impl Memory {
    /// When it was said, or happened: from then on what it says is so.
    pub fn moment(&self) -> Moment {
        Moment { tick: self.tick, wall_ms: Some(self.wall_ms) }
    }
}

/// How far a lived memory has sunk. Only episodic ones have a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Layer {
    Active,
    Situational,
    Events,
    Archive,
}

/// What a memory is to one who has it. Versioned as a whole; a checkpoint brings it back.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    pub layer: Option<Layer>,
    /// What it was at `since`; what it is now follows from world time.
    pub activity: f64,
    pub since: Option<Tick>,
    /// The same by the wall clock. None: when what it tells happened.
    pub since_ms: Option<i64>,
    pub pinned: bool,
    pub forgotten: bool,
    /// Its lines were forgotten with it.
    pub lines_forgotten: bool,
    /// May be told to everyone, whoever witnessed it.
    pub shareable: bool,
    /// In place of the memory's own text.
    pub text: Option<String>,
    /// In place of the memory's own importance.
    pub importance: Option<f64>,
    /// Whether it was asked what of it is worth keeping for long.
    pub considered: bool,
    /// The memory that summed it up last. It counts while one can recall that one.
    pub summarised_by: Option<MemoryId>,
    /// The memory that says better what this one said. It counts while one can recall that one.
    pub superseded_by: Option<MemoryId>,
}

/// A memory as one has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Held {
    pub memory: Memory,
    pub holder: CharacterId,
    pub state: State,
    /// Which version of the state that is.
    pub version: u32,
    /// False if a line that it was made of is off the path, reworded, hidden, gone or forgotten by its holder, or a memory that it
    /// sums up is so, was forgotten or gives way to another one of the same lines: then it is in no view until that returns.
    pub live: bool,
    /// What sums it up on this path: the memory in `summarised_by` before all others, else the oldest. It is made of this one, or of one
    /// that sums up the same as this one in other words, and this holder can recall it: it is there, live and not forgotten.
    pub summarised: Option<MemoryId>,
    /// What stands in its place on this path: the memory in `superseded_by`, if that one can be recalled; or, of a memory of a round,
    /// another one of the same lines that reaches further, or as far and holds more.
    pub superseded: Option<Superseded>,
    /// When the newest line on the path was said that answered a prompt with this memory in it.
    pub refreshed: Option<Moment>,
}

/// What stands in the place of a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Superseded {
    pub by: MemoryId,
    /// When that was said, or happened: from then on the older one is not so any more.
    pub at: Moment,
}

impl Held {
    pub fn text(&self) -> &str {
        self.state.text.as_deref().unwrap_or(&self.memory.text)
    }

    pub fn importance(&self) -> f64 {
        self.state.importance.unwrap_or(self.memory.importance)
    }

    /// From when on what it says is so; None if it tells what happened once.
    pub fn valid_from(&self) -> Option<Moment> {
        self.memory.origin.is_of_facts().then(|| self.memory.moment())
    }

    /// Until when it was so: when that was said which took its place, as long as that counts.
    pub fn valid_until(&self) -> Option<Moment> {
        self.superseded.filter(|_| self.memory.origin.is_of_facts()).map(|superseded| superseded.at)
    }

    /// Can be recalled, if nothing else speaks against it.
    pub fn is_valid(&self) -> bool {
        self.live && !self.state.forgotten && self.superseded.is_none()
    }
}

impl State {
    /// Whether somebody decided something about it, which no derivation would.
    pub fn is_decided(&self) -> bool {
        self.forgotten || self.is_cherished()
    }

    /// Whether somebody wants to keep it as it is.
    pub fn is_cherished(&self) -> bool {
        !self.forgotten && (self.pinned || self.shareable || self.text.is_some() || self.importance.is_some())
    }

    /// How a memory begins.
    pub fn new(layer: Option<Layer>, since: Option<Tick>) -> Self {
        Self {
            layer,
            activity: 1.0,
            since,
            since_ms: None,
            pinned: false,
            forgotten: false,
            lines_forgotten: false,
            shareable: false,
            text: None,
            importance: None,
            considered: false,
            summarised_by: None,
            superseded_by: None,
        }
    }
}

/// The names of an enumeration, for the wire and for stores.
macro_rules! names {
    ($type:ident, $what:literal, $($variant:ident = $name:literal),+ $(,)?) => {
        impl $type {
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name),+
                }
            }

            pub fn from_name(name: &str) -> Result<Self> {
                match name {
                    $($name => Ok(Self::$variant),)+
                    _ => Err(Error::invalid(format!(concat!("unknown ", $what, " {:?}"), name))
                        .hint(concat!("use one of:" $(, " ", $name)+))),
                }
            }
        }
    };
}

names!(Kind, "kind of memory", Episodic = "episodic", Semantic = "semantic", Trait = "trait", Goal = "goal");
names!(
    Origin,
    "origin of a memory",
    Round = "round",
    Event = "event",
    Hand = "hand",
    Statement = "statement",
    Day = "day",
    Era = "era",
);
names!(
    Layer,
    "layer",
    Active = "active",
    Situational = "situational",
    Events = "events",
    Archive = "archive",
);
