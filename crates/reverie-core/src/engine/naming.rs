//! What are people of a world called besides, as far as that is at hand?
//!
//! It is read once and then again when the store counted a change, in the same snapshot as everything else of a prompt.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::minds::Stale;
use crate::id::WorldId;
use crate::names::{CalledBesides, Names};

/// The names of worlds in which a prompt was made lately.
#[derive(Default)]
pub(super) struct NamesAtHand {
    worlds: Mutex<HashMap<WorldId, (u64, Arc<Names>)>>,
}

/// So many names are kept at hand, and so many worlds.
const MOST_NAMES: usize = 200_000;
const MOST_WORLDS: usize = 10_000;

impl NamesAtHand {
    /// How far the names of a world are known.
    pub(super) fn known(&self, world: &WorldId) -> Option<u64> {
        let worlds = self.worlds.lock().unwrap_or_else(PoisonError::into_inner);
        worlds.get(world).map(|(mark, _)| *mark)
    }

    /// The names as they were when this was read. `Stale`: others brought them further meanwhile.
    pub(super) fn of(&self, world: &WorldId, read: &CalledBesides) -> Result<Arc<Names>, Stale> {
        let Some(people) = &read.people else {
            let worlds = self.worlds.lock().unwrap_or_else(PoisonError::into_inner);
            let known = worlds.get(world).filter(|(mark, _)| read.mark == Some(*mark));
            return known.map(|(_, names)| Arc::clone(names)).ok_or(Stale);
        };
        let names = Arc::new(Names::new(people.clone()));
        if let Some(mark) = read.mark {
            let mut worlds = self.worlds.lock().unwrap_or_else(PoisonError::into_inner);
            let kept: usize = worlds.values().map(|(_, names)| names.len()).sum();
            if kept + names.len() > MOST_NAMES || worlds.len() >= MOST_WORLDS {
                worlds.clear();
            }
            worlds.insert(world.clone(), (mark, Arc::clone(&names)));
        }
        Ok(names)
    }
}
