//! How long did each part of a prompt take?
//!
//! Core reads no clock: whoever wants to know brings a stopwatch. Nothing that comes out of a prompt depends on it.

use std::cell::Cell;
use std::sync::Arc;

/// Nanoseconds since some moment that stays the same; never less than before.
pub type Stopwatch = Arc<dyn Fn() -> u64 + Send + Sync>;

/// The parts of a prompt that are timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Reading the store, and bringing minds up to date.
    Gather,
    /// Finding out what it means that was said last.
    Embed,
    /// Each way in which memories are found.
    Lexical,
    Semantic,
    Keyword,
    Temporal,
    Emotional,
    Related,
    /// Weighing what was found, and who may hear it.
    Rank,
    /// Searching the world books.
    Lore,
    /// Choosing what fits, and writing it.
    Compose,
}

impl Part {
    /// In the order in which a prompt is made.
    pub const ALL: [Self; 11] = [
        Self::Gather,
        Self::Embed,
        Self::Lexical,
        Self::Semantic,
        Self::Keyword,
        Self::Temporal,
        Self::Emotional,
        Self::Related,
        Self::Rank,
        Self::Lore,
        Self::Compose,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Gather => "gather",
            Self::Embed => "embed",
            Self::Lexical => "lexical",
            Self::Semantic => "semantic",
            Self::Keyword => "keyword",
            Self::Temporal => "temporal",
            Self::Emotional => "emotional",
            Self::Related => "related",
            Self::Rank => "rank",
            Self::Lore => "lore",
            Self::Compose => "compose",
        }
    }
}

/// The times of one prompt. Without a stopwatch it measures nothing and costs nothing.
#[derive(Default)]
pub struct Laps {
    stopwatch: Option<Stopwatch>,
    begun: u64,
    last: Cell<u64>,
    spent: [Cell<u64>; Part::ALL.len()],
}

impl Laps {
    /// From now on.
    pub fn begin(stopwatch: &Stopwatch) -> Self {
        let now = stopwatch();
        Self {
            stopwatch: Some(Arc::clone(stopwatch)),
            begun: now,
            last: Cell::new(now),
            spent: Default::default(),
        }
    }

    /// What passed since the last call was for this. Several times for one part add up.
    pub fn lap(&self, part: Part) {
        let Some(stopwatch) = &self.stopwatch else { return };
        let now = stopwatch();
        let took = now.saturating_sub(self.last.replace(now));
        if let Some(spent) = self.spent.get(part as usize) {
            spent.set(spent.get().saturating_add(took));
        }
    }

    /// Of the whole until the last lap, and of each part, in the order of [`Part::ALL`]: microseconds. None: nobody measured.
    pub(crate) fn told(&self) -> Option<(u32, [u32; Part::ALL.len()])> {
        self.stopwatch.as_ref()?;
        let micros = |nanos: u64| u32::try_from(nanos / 1000).unwrap_or(u32::MAX);
        let mut parts = [0; Part::ALL.len()];
        for (told, spent) in parts.iter_mut().zip(&self.spent) {
            *told = micros(spent.get());
        }
        Some((micros(self.last.get().saturating_sub(self.begun)), parts))
    }
}
