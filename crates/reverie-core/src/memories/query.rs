//! Which memories are asked for?

use super::order::{MemoryOrder, Spot};
use crate::id::{CharacterId, LineId, MemoryId};
use crate::memory::{Held, Kind, Layer};
use crate::time::{Moment, Tick};
use crate::{Error, Result};

/// Of whom, which, and how many at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldQuery {
    pub holder: Option<CharacterId>,
    pub which: WhichHeld,
    pub kinds: Vec<Kind>,
    pub layers: Vec<Layer>,
    pub sieve: Sieve,
    /// Also what is in no view now: off the path, forgotten, superseded.
    pub all: bool,
    pub order: MemoryOrder,
    /// Continue behind this one, in this order.
    pub after: Option<(Spot, CharacterId)>,
    /// What comes last in this order comes first.
    pub newest_first: bool,
    pub limit: usize,
}

/// Of somebody's memory what counting needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Glimpse {
    pub kind: Kind,
    /// When it happened.
    pub moment: Moment,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WhichHeld {
    Any,
    One(MemoryId),
    /// Made of one of these lines.
    From(Vec<LineId>),
    /// About one of these.
    About(Vec<CharacterId>),
    Unsummarised,
    /// Rounds of which nobody asked yet what is worth keeping.
    Unconsidered,
    /// Summaries that no model worded.
    ByRules,
}

impl HeldQuery {
    /// All of one holder, or of all holders.
    pub fn of(holder: Option<&CharacterId>, which: WhichHeld) -> Self {
        Self {
            holder: holder.cloned(),
            which,
            kinds: Vec::new(),
            layers: Vec::new(),
            sieve: Sieve::default(),
            all: false,
            order: MemoryOrder::Made,
            after: None,
            newest_first: false,
            limit: 100,
        }
    }

    /// Whether only what can be recalled is asked for.
    pub fn is_of_valid(&self) -> bool {
        !self.all && self.sieve.only == Only::Asked
    }
}

/// What a memory must be to be among those that are asked for. What is empty or None lets everything through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sieve {
    /// One of these was felt, by the names that the memory has.
    pub emotions: Vec<String>,
    /// When it happened by the wall clock: from this moment on, and before that one.
    pub from_ms: Option<i64>,
    pub to_ms: Option<i64>,
    /// The same by the host's clock. What has no tick is at no time of it.
    pub from_tick: Option<Tick>,
    pub to_tick: Option<Tick>,
    pub pinned: Option<bool>,
    /// This one can recall it, too.
    pub shared_with: Option<CharacterId>,
    pub only: Only,
}

/// Which part of what one has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Only {
    /// As the query says: what can be recalled, or everything.
    #[default]
    Asked,
    /// What its holder forgot.
    Forgotten,
    /// What cannot be recalled now: off the path, forgotten, superseded.
    Lost,
}

impl Sieve {
    /// Refuses what nothing could pass.
    pub fn check(&self) -> Result<()> {
        let runs_back = |from: Option<i64>, to: Option<i64>| from.zip(to).is_some_and(|(from, to)| from > to);
        for (from, to, is_wrong) in [
            ("from", "to", runs_back(self.from_ms, self.to_ms)),
            ("from_tick", "to_tick", runs_back(self.from_tick, self.to_tick)),
        ] {
            if is_wrong {
                return Err(Error::invalid(format!("{from} lies behind {to}"))
                    .hint("put the earlier one first: from is the first moment that counts, to the first that does not")
                );
            }
        }
        Ok(())
    }

    /// Whether a memory passes, as far as that can be seen from it: not with whom it is shared.
    pub fn lets_through(&self, held: &Held) -> bool {
        let memory = &held.memory;
        let is_felt = |emotion: &String| !emotion.is_empty() && memory.emotions.contains(emotion);
        let is_at_tick = match (self.from_tick, self.to_tick) {
            (None, None) => true,
            (from, to) => memory.tick.is_some_and(|tick| lies_within(tick, from, to)),
        };
        let is_part = match self.only {
            Only::Asked => true,
            Only::Forgotten => held.state.forgotten,
            Only::Lost => !held.is_valid(),
        };
        is_part
            && is_at_tick
            && lies_within(memory.wall_ms, self.from_ms, self.to_ms)
            && self.pinned.is_none_or(|pinned| held.state.pinned == pinned)
            && (self.emotions.is_empty() || self.emotions.iter().any(is_felt))
    }
}

fn lies_within(moment: i64, from: Option<i64>, to: Option<i64>) -> bool {
    from.is_none_or(|from| moment >= from) && to.is_none_or(|to| moment < to)
}
