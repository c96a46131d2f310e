//! How are a character's memories spread over time?

use std::collections::BTreeMap;

use super::{Engine, MemoriesQuery};
use crate::id::WorldId;
use crate::memories::Sieve;
use crate::memory::Kind;
use crate::time::Moment;
use crate::{Error, Result};

/// Which of the two clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeAxis {
    /// Milliseconds since 1970.
    Time,
    /// The host's ticks.
    Tick,
}

/// Memories, counted in stretches of equal length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timeline {
    pub by: TimeAxis,
    /// The first moment, and the first one behind the last; None if there is nothing to be seen.
    pub span: Option<(i64, i64)>,
    /// Without a gap, the earliest first; empty ones too.
    pub stretches: Vec<Stretch>,
    /// All that were counted.
    pub memories: usize,
    /// Those of them that have no tick, where ticks count: they are in no stretch.
    pub undated: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stretch {
    /// The first moment, and the first one behind the last.
    pub from: i64,
    pub to: i64,
    pub kinds: BTreeMap<Kind, usize>,
}

/// More stretches are not told at once.
pub const MOST_STRETCHES: usize = 400;

impl Engine {
    /// How many memories there are in each of so many stretches of time, or fewer where time is short. Of the query everything counts
    /// but `order`, `after`, `newest_first` and `limit`; where it says from when and until when, the stretches begin and end there. An axis that
    /// is not given follows from the query, the world and its memories.
    pub fn timeline(
        &self,
        world: &WorldId,
        query: &MemoriesQuery,
        by: Option<TimeAxis>,
        stretches: usize,
    ) -> Result<Timeline> {
        if !(1..=MOST_STRETCHES).contains(&stretches) {
            return Err(Error::invalid(format!("time cannot be divided into {stretches} stretches"))
                .hint(format!("use a whole number from 1 to {MOST_STRETCHES}")));
        }
        self.check_query(query)?;
        self.character(world, &query.holder)?;
        let all = self.moments(world, query)?;
        let by = match by {
            Some(by) => by,
            None => self.axis_of(world, &query.sieve, &all)?,
        };
        let dated = all.iter().filter_map(|(moment, kind)| Some((by.of(*moment)?, *kind)));
        let dated: Vec<(i64, Kind)> = dated.collect();
        let span = span(&dated, &query.sieve, by);
        let mut stretches = span.map(|span| divided(span, stretches)).unwrap_or_default();
        for (moment, kind) in &dated {
            let place = stretches.partition_point(|stretch| stretch.to <= *moment);
            if let Some(stretch) = stretches.get_mut(place) {
                *stretch.kinds.entry(*kind).or_default() += 1;
            }
        }
        Ok(Timeline { by, span, stretches, memories: all.len(), undated: all.len() - dated.len() })
    }

    /// The clock that the query speaks of; else the one that the world has, or most memories.
    fn axis_of(&self, world: &WorldId, sieve: &Sieve, all: &[(Moment, Kind)]) -> Result<TimeAxis> {
        let speaks_of_ticks = sieve.from_tick.or(sieve.to_tick).is_some();
        let speaks_of_times = sieve.from_ms.or(sieve.to_ms).is_some();
        let with_tick = all.iter().filter(|(moment, _)| moment.tick.is_some()).count();
        let is_by_tick = match (speaks_of_ticks, speaks_of_times) {
            (true, _) => true,
            (false, true) => false,
            (false, false) => with_tick > all.len() / 2 || self.world(world)?.time.is_some(),
        };
        Ok(if is_by_tick { TimeAxis::Tick } else { TimeAxis::Time })
    }

    /// When each of them happened.
    fn moments(&self, world: &WorldId, query: &MemoriesQuery) -> Result<Vec<(Moment, Kind)>> {
        let mut all = Vec::new();
        if !query.is_of_mind() {
            self.store.glance(world, &query.in_store(), &mut |one| all.push((one.moment, one.kind)))?;
            return Ok(all);
        }
        let wanted = self.wanted(world, query)?;
        self.look_into(world, &query.holder, |mind, standings| {
            let notes = wanted.of(mind, standings);
            notes.map(|(_, note)| (note.held.memory.moment(), note.held.memory.kind)).collect()
        })
    }
}

impl TimeAxis {
    fn of(self, moment: Moment) -> Option<i64> {
        match self {
            Self::Time => moment.wall_ms,
            Self::Tick => moment.tick,
        }
    }
}

/// From where to where, as the query says it, else as the memories do.
fn span(dated: &[(i64, Kind)], sieve: &Sieve, by: TimeAxis) -> Option<(i64, i64)> {
    let (from, to) = match by {
        TimeAxis::Time => (sieve.from_ms, sieve.to_ms),
        TimeAxis::Tick => (sieve.from_tick, sieve.to_tick),
    };
    let moments = || dated.iter().map(|(moment, _)| *moment);
    let from = from.or_else(|| moments().min())?;
    let to = to.or_else(|| moments().max().map(|last| last.saturating_add(1)))?;
    (from < to).then_some((from, to))
}

/// At most so many of equal length; the last may be shorter.
fn divided((from, to): (i64, i64), most: usize) -> Vec<Stretch> {
    let length = to.abs_diff(from).div_ceil(most.max(1) as u64).max(1);
    let mut all = Vec::new();
    let mut begin = from;
    while begin < to {
        let end = begin.saturating_add_unsigned(length).min(to);
        all.push(Stretch { from: begin, to: end, kinds: BTreeMap::new() });
        begin = end;
    }
    all
}
