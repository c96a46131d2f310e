//! Which memories does a character have, how do they stand to each other, and what were they before?

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::{Engine, Listed, MemoriesQuery};
use crate::id::{CharacterId, MemoryId, WorldId};
use crate::layers::Standing;
use crate::memories::{HeldQuery, MemoryOrder, Spot, WhichHeld};
use crate::memory::{Held, State};
use crate::time::Moment;
use crate::{Error, Result};

/// A memory as one has it, and how it stands among the others.
#[derive(Debug, Clone, PartialEq)]
pub struct Remembered {
    pub held: Held,
    /// Of what cannot be recalled now there is no standing.
    pub standing: Option<Standing>,
}

/// What a memory was to one who has it: every state, oldest first, each with the revision that gave it. None: it was not there,
/// because an earlier checkpoint was restored.
#[derive(Debug, Clone, PartialEq)]
pub struct Past {
    pub holder: CharacterId,
    pub states: Vec<(u64, Option<State>)>,
    /// From when on what it says is so; None if it tells what happened once.
    pub valid_from: Option<Moment>,
    /// Of each memory that took its place in one of the states, and that its holder can recall now: when that was said.
    pub replaced: BTreeMap<MemoryId, Moment>,
}

/// Of those who have a memory, an error names so many.
const NAMED: usize = 20;
/// A page of memories when all of a holder's are read.
const PAGE: usize = 1000;

impl Engine {
    /// Every state that a memory had for each who has it, or for one holder: oldest first, with the revision that gave it.
    pub fn memory_history(
        &self,
        world: &WorldId,
        memory: MemoryId,
        holder: Option<&CharacterId>,
    ) -> Result<Vec<Past>> {
        let mut history = Vec::new();
        for held in self.held_by(world, memory, holder)? {
            let states = self.store.states(world, memory, &held.holder)?;
            let valid_from = held.valid_from();
            let mut replaced = BTreeMap::new();
            for by in states.iter().filter_map(|(_, state)| state.as_ref()?.superseded_by) {
                if valid_from.is_some() && !replaced.contains_key(&by) {
                    replaced.extend(self.replacing(world, by, &held.holder)?.map(|at| (by, at)));
                }
            }
            history.push(Past { holder: held.holder, states, valid_from, replaced });
        }
        Ok(history)
    }

    /// When a memory was said, if its holder can recall it.
    fn replacing(&self, world: &WorldId, memory: MemoryId, holder: &CharacterId) -> Result<Option<Moment>> {
        let query = HeldQuery { all: true, limit: 1, ..HeldQuery::of(Some(holder), WhichHeld::One(memory)) };
        let found = self.store.held(world, &query)?.pop();
        Ok(found.filter(|held| held.live && !held.state.forgotten).map(|held| held.memory.moment()))
    }

    /// A memory, for each who has it.
    pub fn memory(&self, world: &WorldId, memory: MemoryId) -> Result<Vec<Held>> {
        self.holdings(world, memory)
    }

    /// The memories of a character, and how they stand to each other.
    pub fn memories(&self, world: &WorldId, query: &MemoriesQuery) -> Result<Listed<Remembered>> {
        self.check_page(query.limit)?;
        self.check_query(query)?;
        let found = match query.is_of_mind() {
            true => self.page_of_mind(world, query)?,
            false => {
                let held = HeldQuery { limit: query.limit + 1, ..query.in_store() };
                self.with_standings(world, self.store.held(world, &held)?)?
            }
        };
        Ok(Listed::of(found, query.limit))
    }

    /// One more than a page of what can be recalled.
    fn page_of_mind(&self, world: &WorldId, query: &MemoriesQuery) -> Result<Vec<Remembered>> {
        let wanted = self.wanted(world, query)?;
        self.look_into(world, &query.holder, |mind, standings| {
            let is_behind = |spot: &Spot| match query.after {
                Some(after) if query.newest_first => *spot < after,
                Some(after) => *spot > after,
                None => true,
            };
            let found = wanted.of(mind, standings);
            let found = found.map(|(slot, note)| (query.order.spot(&note.held.memory), slot));
            let found = found.filter(|(spot, _)| is_behind(spot)).collect();
            let page = match query.newest_first {
                true => least(found, query.limit + 1, Reverse),
                false => least(found, query.limit + 1, |spot| spot),
            };
            let remembered = |slot: usize| {
                Some(Remembered { held: mind.note(slot)?.held.clone(), standing: standings.of(slot) })
            };
            page.into_iter().filter_map(|(_, slot)| remembered(slot)).collect()
        })
    }

    /// `all`: also what is in no view now.
    pub(super) fn all_of(&self, world: &WorldId, holder: &CharacterId, all: bool) -> Result<Vec<Held>> {
        let mut found: Vec<Held> = Vec::new();
        loop {
            let after = found.last().map(|last| MemoryOrder::Made.place(last));
            let query = HeldQuery { after, all, limit: PAGE, ..HeldQuery::of(Some(holder), WhichHeld::Any) };
            let page = self.store.held(world, &query)?;
            let is_last = page.len() < PAGE;
            found.extend(page);
            if is_last {
                return Ok(found);
            }
        }
    }

    pub(super) fn holdings(&self, world: &WorldId, memory: MemoryId) -> Result<Vec<Held>> {
        let held = self.held_of(world, memory)?;
        if held.is_empty() { Err(no_memory(memory)) } else { Ok(held) }
    }

    /// A memory, for each who has it; nothing if nobody does.
    pub(super) fn held_of(&self, world: &WorldId, memory: MemoryId) -> Result<Vec<Held>> {
        let one = HeldQuery::of(None, WhichHeld::One(memory));
        self.store.held(world, &HeldQuery { all: true, limit: self.limits.people, ..one })
    }

    /// A memory for one holder, or for each who has it.
    pub(super) fn held_by(
        &self,
        world: &WorldId,
        memory: MemoryId,
        holder: Option<&CharacterId>,
    ) -> Result<Vec<Held>> {
        let all = self.holdings(world, memory)?;
        let Some(holder) = holder else { return Ok(all) };
        let (own, others): (Vec<Held>, Vec<Held>) = all.into_iter().partition(|held| held.holder == *holder);
        if !own.is_empty() {
            return Ok(own);
        }
        let named: Vec<&str> = others.iter().take(NAMED).map(|held| held.holder.as_str()).collect();
        Err(Error::not_found(format!("{:?} does not have memory {memory}", holder.as_str()))
            .hint(format!("these have it: {}", named.join(", "))))
    }
}

/// The first of these by a key, in order. The others are not sorted: there may be many.
fn least<K: Ord>(mut all: Vec<(Spot, usize)>, count: usize, key: impl Fn(Spot) -> K) -> Vec<(Spot, usize)> {
    if count < all.len() {
        all.select_nth_unstable_by_key(count, |(spot, _)| key(*spot));
        all.truncate(count);
    }
    all.sort_unstable_by_key(|(spot, _)| key(*spot));
    all
}

pub(super) fn no_memory(memory: MemoryId) -> Error {
    Error::not_found(format!("there is no memory {memory}")).hint("GET …/memories lists them")
}
