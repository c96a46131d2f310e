//! Who can recall the same as whom? Counted one by one.

use std::collections::{BTreeMap, BTreeSet};

use reverie_core::memories::{HeldQuery, WhichHeld};
use reverie_core::sharing::{Shared, Sharer, Sharing};
use reverie_core::{CharacterId, MemoryId};

use super::world::ModelWorld;

impl ModelWorld {
    pub(super) fn sharing(&self, most: usize) -> Sharing {
        let mut minds: BTreeMap<CharacterId, BTreeSet<MemoryId>> = BTreeMap::new();
        for held in self.held(&HeldQuery { limit: usize::MAX, ..HeldQuery::of(None, WhichHeld::Any) }) {
            minds.entry(held.holder).or_default().insert(held.memory.id);
        }
        let mut richest: Vec<(&CharacterId, &BTreeSet<MemoryId>)> = minds.iter().collect();
        richest.sort_by_key(|(_, memories)| std::cmp::Reverse(memories.len()));
        let told = richest.get(..most.min(richest.len())).unwrap_or_default();
        let name =
            |id: &CharacterId| self.number_of(id).map_or(String::new(), |who| self.character(who).name());
        let sharer = |(id, memories): &(&CharacterId, &BTreeSet<MemoryId>)| Sharer {
            id: (*id).clone(),
            name: name(id),
            memories: memories.len() as u64,
        };
        let mut links = Vec::new();
        for (one, its) in told {
            for (other, theirs) in told.iter().filter(|(other, _)| one < other) {
                let memories = its.intersection(theirs).count() as u64;
                if memories > 0 {
                    links.push(Shared { between: [(*one).clone(), (*other).clone()], memories });
                }
            }
        }
        links.sort_by_key(|link| (std::cmp::Reverse(link.memories), link.between.clone()));
        Sharing { characters: told.iter().map(sharer).collect(), links, left_out: richest.len() - told.len() }
    }
}
