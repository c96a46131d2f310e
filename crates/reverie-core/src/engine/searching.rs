//! How does somebody find a memory of a character by a few words?

use std::collections::HashMap;

use super::{Engine, Listed, MemoriesQuery, Remembered};
use crate::Result;
use crate::id::{CharacterId, WorldId};
use crate::layers::{Now, Standing, activity};
use crate::memories::{HeldQuery, WhichHeld};
use crate::memory::Held;
use crate::search::search;
use crate::settings::WorldSettings;

impl MemoriesQuery {
    /// All that a character can recall, a hundred at a time.
    pub fn of(holder: CharacterId) -> Self {
        Self {
            holder,
            kinds: Vec::new(),
            layers: Vec::new(),
            about: Vec::new(),
            all: false,
            after: None,
            newest_first: false,
            limit: 100,
        }
    }
}

/// A memory that a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundMemory {
    pub remembered: Remembered,
    /// Comparable within one search: greater is better.
    pub score: f64,
}

/// A page of memories when all of a holder's are read.
const PAGE: usize = 1000;
/// More than so many holders are a crowd.
const CROWD: usize = 16;

impl Engine {
    /// The memories of a character in which these words are, the best first, dormant ones too; behind the first `skip` of
    /// them. Of the query everything counts but `after` and `newest_first`.
    pub fn search_memories(
        &self,
        world: &WorldId,
        words: &str,
        query: &MemoriesQuery,
        skip: usize,
    ) -> Result<Listed<FoundMemory>> {
        self.check_page(query.limit)?;
        self.limits.check_text("the search", words.len())?;
        self.character(world, &query.holder)?;
        let held = self.searched(world, query)?;
        let names = self.names_of(world, &held)?;
        let found = search(words, &held, &|id| names.get(id).cloned().flatten());
        let standings = self.standings_of(world, &query.holder)?;
        let page = found.into_iter().skip(skip).take(query.limit + 1);
        let remembered = |held: &Held| Remembered {
            standing: standings.get(&held.memory.id).copied(),
            held: held.clone(),
        };
        let items = page.filter_map(|found| {
            let remembered = remembered(held.get(found.place)?);
            Some(FoundMemory { remembered, score: found.score })
        });
        Ok(Listed::of(items.collect(), query.limit))
    }

    /// How a memory stands among the others of each who has it. Where many have it, only how alive it is: each one's memories
    /// would have to be read.
    pub fn with_standings(&self, world: &WorldId, held: Vec<Held>) -> Result<Vec<Remembered>> {
        let is_crowd = held.len() > CROWD;
        let now = self.world(world)?;
        let settings = WorldSettings::resolve(now.preset, &now.settings)?;
        let now = Now::new(&settings.layers, settings.calendar.as_ref(), now.time, self.now_ms());
        let standing = |held: &Held| -> Result<Option<Standing>> {
            if !held.is_valid() {
                return Ok(None);
            }
            if is_crowd {
                let activity = activity(held, &settings.layers, &now);
                return Ok(Some(Standing { activity, dormant: None }));
            }
            Ok(self.standings_of(world, &held.holder)?.get(&held.memory.id).copied())
        };
        held.into_iter().map(|held| Ok(Remembered { standing: standing(&held)?, held })).collect()
    }

    /// How each memory that a holder can recall stands among the others.
    pub(super) fn standings_of(
        &self,
        world: &WorldId,
        holder: &CharacterId,
    ) -> Result<HashMap<crate::MemoryId, Standing>> {
        let all = self.all_held(world, holder)?;
        let standings = self.standings(world, &all)?;
        Ok(all.iter().map(|held| held.memory.id).zip(standings).collect())
    }

    fn searched(&self, world: &WorldId, query: &MemoriesQuery) -> Result<Vec<Held>> {
        let which = match query.about.is_empty() {
            true => WhichHeld::Any,
            false => WhichHeld::About(query.about.clone()),
        };
        let mut all: Vec<Held> = Vec::new();
        loop {
            let page = self.store.held(
                world,
                &HeldQuery {
                    kinds: query.kinds.clone(),
                    layers: query.layers.clone(),
                    all: query.all,
                    after: all.last().map(Held::place),
                    limit: PAGE,
                    ..HeldQuery::of(Some(&query.holder), which.clone())
                },
            )?;
            let is_last = page.len() < PAGE;
            all.extend(page);
            if is_last {
                return Ok(all);
            }
        }
    }

    fn names_of(&self, world: &WorldId, held: &[Held]) -> Result<HashMap<CharacterId, Option<String>>> {
        let mut names = HashMap::new();
        for id in held.iter().flat_map(|held| &held.memory.about) {
            if !names.contains_key(id) {
                let found = self.store.characters(world, &super::one(id))?.pop();
                names.insert(id.clone(), found.and_then(|found| found.card.display_name));
            }
        }
        Ok(names)
    }
}
