//! Why is an entry active, or why not?

use std::sync::Arc;

use super::entry::{Condition, Logic};
use super::key;
use super::origin::Origin;
use crate::cue::LoreName;
use crate::time::Tick;

/// So many of what is there are told to each entry.
const MOST_TOLD: usize = 16;

#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    pub book: Arc<str>,
    pub entry: Arc<str>,
    /// The pass that decided it, from 1.
    pub pass: u32,
    pub outcome: Outcome,
    /// The roll of its chance, lost or won, if one was made.
    pub roll: Option<Roll>,
    /// What besides keys would have set it off, and was not there. Its own trigger first.
    pub missed: Vec<Missed>,
}

/// Both in percent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Roll {
    pub roll: f64,
    pub chance: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    Active(By),
    /// By itself, or with the part of its book that it belongs to.
    Disabled {
        with: Option<String>,
    },
    /// For other kinds of generation.
    OtherGeneration {
        wanted: Vec<String>,
        present: String,
    },
    /// The filter names others.
    Filtered(Box<Filtered>),
    /// `known_by` names others.
    NotKnownByCharacter {
        known_by: Vec<String>,
        present: Present,
    },
    /// The fact is not what it must be.
    Condition(Box<Broken>),
    /// Messages are missing until it may come.
    Delayed {
        missing: u32,
    },
    /// Comes with every so many messages.
    NotThisTime {
        every: u32,
    },
    /// Messages until it may come again.
    CoolingDown {
        left: u32,
    },
    /// Was set off once, and never again.
    Spent,
    /// Only other entries set it off, from this level on.
    WaitsForRecursion {
        level: u32,
    },
    ExcludedFromRecursion,
    /// An order at the head of its content.
    Forbidden,
    /// It has none, and nothing else set it off.
    NoKeys,
    NoKeyFound,
    /// This key was not looked for, or not to the end: it is too large, or patterns took all the work that one search may do.
    NotSearched {
        key: String,
    },
    /// The search had ended before it came to what would have set this one off.
    NotReached {
        stop: Stop,
        by: Box<By>,
    },
    /// A key was found, but not with its secondary keys.
    Secondary {
        key: String,
        logic: Logic,
        found: Vec<String>,
    },
    /// A key was found, and one that must not be there.
    ExcludedBy {
        key: String,
        by: String,
    },
    LostGroup {
        group: String,
        how: Contest,
    },
    /// The roll was greater than the chance.
    Unlucky,
    OverBudget {
        needed: usize,
        budget: usize,
    },
    /// The prompt itself, of so many tokens at most, has no room for it.
    OverPromptBudget {
        budget: usize,
    },
}

/// What ended a search before everything was searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The lore budget was full.
    Budget,
    /// There were as many passes as the settings allow.
    Steps,
    /// There were as many passes as any search may take.
    Passes,
}

/// How an inclusion group was decided.
#[derive(Debug, Clone, PartialEq)]
pub enum Contest {
    /// A member is active already.
    Taken { by: Arc<str> },
    /// A member stays.
    Sticky,
    /// Another has more keys in the text.
    Score { own: u32, best: u32 },
    /// Another is preferred.
    Override { winner: Arc<str> },
    /// Another was drawn.
    Draw { winner: Arc<str>, roll: f64, total: f64 },
}

#[derive(Debug, Clone, PartialEq)]
pub enum By {
    Constant,
    Sticky,
    /// An order at the head of its content.
    Order,
    Key {
        key: String,
        origin: Origin,
        /// The character at which it begins in that text, from 0; only of plain keys outside of speakers' names, and for
        /// those who ask.
        at: Option<u32>,
        secondary: Vec<String>,
    },
    Similarity(f64),
    /// How near in time, from 0 to 1.
    Time(f64),
    Mood(String),
    Topic(String),
}

/// A condition that does not hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Broken {
    pub condition: Condition,
    /// What the fact is. Nothing: nobody says it.
    pub present: Present,
}

/// What kept an entry from a character.
#[derive(Debug, Clone, PartialEq)]
pub struct Filtered {
    pub by: FilteredBy,
    /// The filter is for everybody but those whom it names.
    pub exclude: bool,
    pub named: Vec<String>,
    pub present: Present,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilteredBy {
    Name,
    Tag,
}

/// Some of what is there, as long as somebody reads.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Present {
    pub some: Vec<String>,
    /// How many there are besides.
    pub more: u32,
}

impl Present {
    pub(super) fn new<S: AsRef<str>>(all: &[S]) -> Self {
        let some = all.iter().take(MOST_TOLD).map(|one| key::short(one.as_ref()));
        Self { some: some.collect(), more: all.len().saturating_sub(MOST_TOLD) as u32 }
    }
}

/// What is known of entries that are found by meaning and are not among the near ones, for those who ask why.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Meaning {
    pub unlike: Vec<(LoreName, Unlike)>,
    /// Why nothing is known of the others.
    pub others: Unmeasured,
}

/// What would have set an entry off besides its keys, and why it did not.
#[derive(Debug, Clone, PartialEq)]
pub enum Missed {
    Meaning(Unlike),
    Time(Untimely),
    Mood {
        wanted: Vec<String>,
        present: Present,
        /// Set where one of them is there, but too weak.
        strength: Option<f64>,
    },
    Topic {
        wanted: Vec<String>,
        named: Present,
        /// Set where one of them is named, but the entry is too weak.
        strength: Option<f64>,
    },
}

/// Why an entry was not near in meaning.
#[derive(Debug, Clone, PartialEq)]
pub enum Unlike {
    /// Its weight taken into account, it is less like what was said than it must be.
    Below {
        similarity: f64,
        weight: f64,
        threshold: f64,
    },
    /// Like enough, its weight taken into account, but so many others that could come are nearer, and no more come.
    Behind {
        likeness: f64,
        nearest: usize,
    },
    Unmeasured(Unmeasured),
}

/// Why nobody knows how near an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unmeasured {
    /// Whoever says what is near did not name it.
    #[default]
    NotNamed,
    NoEmbedder,
    /// It has no vector yet.
    NotEmbedded,
    /// It says nothing that could have one.
    NothingToEmbed,
    /// There is nothing to compare it with.
    NothingSaid,
    EmbedderUnavailable,
    VectorsUnavailable,
}

/// Why an entry was not near in time.
#[derive(Debug, Clone, PartialEq)]
pub enum Untimely {
    /// `near` is from 0 to 1, its weight taken into account.
    Far {
        then: Tick,
        now: Tick,
        days: f64,
        near: f64,
    },
    EntryHasNoTick,
    NobodySaysWhenItIs,
    /// Nobody says how long a day is.
    NoCalendar,
}
