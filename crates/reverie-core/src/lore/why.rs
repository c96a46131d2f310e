//! Why is an entry active, or why not?

use std::sync::Arc;

use super::entry::Logic;
use super::window::Origin;

#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    pub book: Arc<str>,
    pub entry: Arc<str>,
    /// The pass that decided it, from 1.
    pub pass: u32,
    pub outcome: Outcome,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    Active(By),
    Disabled,
    /// For other kinds of generation.
    OtherGeneration,
    /// The filter names others.
    Filtered,
    /// `known_by` names others.
    NotKnownByCharacter,
    /// The fact is not what it must be.
    Condition(String),
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
    Unlucky {
        roll: f64,
        chance: f64,
    },
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
    Taken,
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
        secondary: Vec<String>,
    },
    Similarity(f64),
    /// How near in time, from 0 to 1.
    Time(f64),
    Mood(String),
    Topic(String),
}
