//! How does somebody find a memory of a character by a few words?

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::{Engine, Listed, MemoriesQuery, Remembered};
use crate::Result;
use crate::character::is_erased;
use crate::id::{CharacterId, MemoryId, WorldId};
use crate::layers::{Now, Standing, activity};
use crate::memories::{HeldQuery, MemoryOrder, Only, Sieve};
use crate::memory::Held;
use crate::mind::Note;
use crate::search::{Searched, search};
use crate::settings::WorldSettings;

/// A memory that a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundMemory {
    pub remembered: Remembered,
    /// Comparable within one search: greater is better.
    pub score: f64,
}

/// A page of memories when all that a holder cannot recall are read.
const PAGE: usize = 1000;
/// More than so many holders are a crowd.
const CROWD: usize = 16;
/// More than comes to mind by any way.
const MOST_REMINDED: usize = 2000;

impl Engine {
    /// The memories of a character in which these words are, the best first, dormant ones too; behind the first `skip` of
    /// them. Of the query everything counts but `order`, `after` and `newest_first`.
    pub fn search_memories(
        &self,
        world: &WorldId,
        words: &str,
        query: &MemoriesQuery,
        skip: usize,
    ) -> Result<Listed<FoundMemory>> {
        self.check_page(query.limit)?;
        self.check_query(query)?;
        self.limits.check_text("the search", words.len())?;
        self.character(world, &query.holder)?;
        let all = self.searched(world, query)?;
        let searched: Vec<Searched<'_>> = all.iter().map(|(note, _)| note.searched()).collect();
        let page = search(words, &searched).skip(skip).take(query.limit + 1);
        let items = page.filter_map(|found| {
            let (note, standing) = all.get(found.place)?;
            let remembered = Remembered { held: note.held().clone(), standing: *standing };
            Some(FoundMemory { remembered, score: found.score })
        });
        Ok(Listed::of(items.collect(), query.limit))
    }

    /// What a text brings to somebody's mind, as [`reminded`](Self::reminded) has it; of that, what is asked for, behind the first
    /// `skip` of it. Of the query everything counts but `order`, `after` and `newest_first`.
    pub fn reminded_of(
        &self,
        world: &WorldId,
        text: &str,
        query: &MemoriesQuery,
        skip: usize,
    ) -> Result<Listed<FoundMemory>> {
        self.check_page(query.limit)?;
        self.check_query(query)?;
        self.check_in_mind(query)?;
        let wanted = self.wanted(world, query)?;
        let mut found = self.reminded(world, &query.holder, text, MOST_REMINDED)?;
        found.retain(|FoundMemory { remembered: Remembered { held, standing }, .. }| {
            wanted.admits(held, || *standing)
        });
        let page = found.into_iter().skip(skip).take(query.limit + 1);
        Ok(Listed::of(page.collect(), query.limit))
    }

    /// How memories stand among the others of each who has them. Of one that many have, only how alive it is: each one's memories
    /// would have to be read.
    pub fn with_standings(&self, world: &WorldId, held: Vec<Held>) -> Result<Vec<Remembered>> {
        let mut holders: HashMap<MemoryId, usize> = HashMap::new();
        held.iter().for_each(|held| *holders.entry(held.memory.id).or_default() += 1);
        let is_crowd = |held: &Held| holders.get(&held.memory.id).is_some_and(|count| *count > CROWD);
        let mut asked: BTreeMap<&CharacterId, Vec<MemoryId>> = BTreeMap::new();
        for held in held.iter().filter(|held| held.is_valid() && !is_crowd(held)) {
            asked.entry(&held.holder).or_default().push(held.memory.id);
        }
        let mut known: HashMap<(CharacterId, MemoryId), Standing> = HashMap::new();
        for (holder, memories) in asked {
            let standings: Vec<Option<Standing>> = self.look_into(world, holder, |mind, standings| {
                memories.iter().map(|memory| standings.of(mind.slot_of(*memory)?)).collect()
            })?;
            let standings = memories.into_iter().zip(standings);
            known.extend(standings.filter_map(|(memory, one)| Some(((holder.clone(), memory), one?))));
        }
        let world = self.world(world)?;
        let settings = WorldSettings::resolve(world.preset, &world.settings)?;
        let now = Now::new(&settings.layers, settings.calendar.as_ref(), world.time, self.now_ms());
        let standing = |held: &Held| match is_crowd(held) && held.is_valid() {
            true => Some(Standing { activity: activity(held, &settings.layers, &now), dormant: None }),
            false => known.get(&(held.holder.clone(), held.memory.id)).copied(),
        };
        Ok(held.into_iter().map(|held| Remembered { standing: standing(&held), held }).collect())
    }

    /// All in which is searched: what is in mind as it is there, and what cannot be recalled as the store has it.
    fn searched(&self, world: &WorldId, query: &MemoriesQuery) -> Result<Vec<(Sought, Option<Standing>)>> {
        let mut all = Vec::new();
        if query.sieve.only == Only::Asked {
            let wanted = self.wanted(world, query)?;
            // Texts are searched when nobody waits for this mind any more.
            all = self.look_into(world, &query.holder, |mind, standings| {
                let wanted = wanted.of(mind, standings);
                wanted.map(|(slot, note)| (Sought::Note(Arc::clone(note)), standings.of(slot))).collect()
            })?;
        }
        if !query.is_of_mind() {
            let lost = self.lost(world, query)?;
            let names = self.names_in(world, &lost)?;
            all.extend(lost.into_iter().map(|held| {
                let names = held.memory.about.iter().filter_map(|id| names.get(id).cloned()).collect();
                (Sought::Lost(Box::new((held, names))), None)
            }));
        }
        Ok(all)
    }

    fn lost(&self, world: &WorldId, query: &MemoriesQuery) -> Result<Vec<Held>> {
        let only = if query.sieve.only == Only::Asked { Only::Lost } else { query.sieve.only };
        let sieve = Sieve { only, ..query.sieve.clone() };
        let mut all: Vec<Held> = Vec::new();
        loop {
            let order = MemoryOrder::Made;
            let after = all.last().map(|last| order.place(last));
            let asked = HeldQuery { sieve: sieve.clone(), order, after, limit: PAGE, ..query.in_store() };
            let page = self.store.held(world, &HeldQuery { newest_first: false, ..asked })?;
            let is_last = page.len() < PAGE;
            all.extend(page);
            if is_last {
                return Ok(all);
            }
        }
    }

    /// What those are called whom memories are about.
    fn names_in(&self, world: &WorldId, all: &[Held]) -> Result<HashMap<CharacterId, String>> {
        let mut names: HashMap<CharacterId, String> = HashMap::new();
        for id in all.iter().flat_map(|held| &held.memory.about).filter(|id| !is_erased(id)) {
            if !names.contains_key(id) {
                let found = self.store.characters(world, &super::one(id))?.pop();
                let name = found.and_then(|found| found.card.display_name);
                names.insert(id.clone(), name.unwrap_or_else(|| id.to_string()));
            }
        }
        Ok(names)
    }
}

/// A memory in which is searched.
enum Sought {
    Note(Arc<Note>),
    /// What cannot be recalled, and what those are called whom it is about.
    Lost(Box<(Held, Vec<String>)>),
}

impl Sought {
    fn held(&self) -> &Held {
        match self {
            Self::Note(note) => &note.held,
            Self::Lost(lost) => &lost.0,
        }
    }

    fn searched(&self) -> Searched<'_> {
        let names = match self {
            Self::Note(note) => &note.names,
            Self::Lost(lost) => &lost.1,
        };
        Searched { held: self.held(), names }
    }
}
