//! What is there to choose from among a character's memories?

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use super::stats::count;
use super::{CharacterStats, Engine};
use crate::Result;
use crate::character::is_erased;
use crate::id::{CharacterId, MemoryId, WorldId};
use crate::memories::{HeldQuery, Only, Sieve, WhichHeld};
use crate::mind::Mind;
use crate::time::Moment;

/// What a character can recall, by what one would look for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facets {
    pub stats: CharacterStats,
    /// What was felt, as memories name it; the most frequent first, at most [`MOST_FACETS`]. What only repeats another memory does not
    /// count, here and for people.
    pub emotions: Vec<(String, usize)>,
    /// Whom memories are about; the most frequent first, at most [`MOST_FACETS`].
    pub people: Vec<(CharacterId, usize)>,
    /// How many memories it forgot. They are none of the others.
    pub forgotten: usize,
    /// The earliest of each clock, and the latest; None without memories.
    pub first: Option<Moment>,
    pub last: Option<Moment>,
}

/// More emotions, or people, are not told.
pub const MOST_FACETS: usize = 200;

impl Engine {
    /// What a character can recall, counted. Costs a pass over it.
    pub fn facets(&self, world: &WorldId, character: &CharacterId) -> Result<Facets> {
        // Somebody who is not there remembers nothing; a misspelt name must not look like one who forgot everything.
        self.character(world, character)?;
        let forgotten = Sieve { only: Only::Forgotten, ..Sieve::default() };
        let query = HeldQuery { sieve: forgotten, ..HeldQuery::of(Some(character), WhichHeld::Any) };
        let mut forgotten = 0;
        self.store.glance(world, &query, &mut |_| forgotten += 1)?;
        self.look_into(world, character, |mind, standings| {
            let (first, last) = span(mind);
            let repeats: HashSet<MemoryId> = mind.repeating().collect();
            let telling = || notes(mind).filter(|memory| !repeats.contains(&memory.id));
            let felt = telling().flat_map(|memory| &memory.emotions);
            let people = telling().flat_map(|memory| &memory.about).filter(|id| !is_erased(id));
            Facets {
                stats: count(character, mind, standings),
                emotions: most_frequent(felt),
                people: most_frequent(people),
                forgotten,
                first,
                last,
            }
        })
    }
}

fn notes(mind: &Mind) -> impl Iterator<Item = &crate::memory::Memory> {
    mind.notes().map(|(_, note)| &note.held.memory)
}

/// The earliest and the latest moment, of each clock by itself.
fn span(mind: &Mind) -> (Option<Moment>, Option<Moment>) {
    let ticks = || notes(mind).filter_map(|memory| memory.tick);
    let times = || notes(mind).map(|memory| memory.wall_ms);
    let moment = |tick: Option<i64>, wall_ms: Option<i64>| wall_ms.map(|_| Moment { tick, wall_ms });
    (moment(ticks().min(), times().min()), moment(ticks().max(), times().max()))
}

/// Of equals the first in order comes first.
fn most_frequent<'n, N: Ord + Hash + Clone + 'n>(all: impl Iterator<Item = &'n N>) -> Vec<(N, usize)> {
    let mut counts: HashMap<&N, usize> = HashMap::new();
    for one in all {
        *counts.entry(one).or_default() += 1;
    }
    let mut counts: Vec<(&N, usize)> = counts.into_iter().collect();
    counts.sort_unstable_by_key(|(one, count)| (Reverse(*count), *one));
    counts.truncate(MOST_FACETS);
    counts.into_iter().map(|(one, count)| (one.clone(), count)).collect()
}
