//! What is left when everything that was derived is to be derived anew?

use reverie_core::memories::LetGo;
use reverie_core::memory::State;
use reverie_core::round::RoundState;
use reverie_core::world::Checkpoint;
use reverie_core::{CheckpointId, MemoryId};

use super::world::ModelWorld;

impl ModelWorld {
    pub(super) fn derive_anew(&mut self, checkpoint: &CheckpointId, now_ms: i64) -> LetGo {
        let time = self.time();
        let named = Checkpoint { id: checkpoint.clone(), revision: self.revision, time, created_ms: now_ms };
        self.checkpoints.insert(checkpoint.clone(), named);
        self.aside.jobs.clear();
        let kept: Vec<(MemoryId, usize)> = self
            .now
            .holdings
            .keys()
            .copied()
            .filter(|(memory, holder)| self.stays(*memory, *holder))
            .collect();
        let before = self.now.holdings.len();
        self.now.holdings.retain(|key, _| kept.contains(key));
        let holdings = (before - self.now.holdings.len()) as u64;
        for (memory, holder) in kept {
            let state = self.state(memory, holder).filter(|state| state.considered && !state.forgotten);
            if let Some(state) = state.filter(|_| self.is_derived(memory)) {
                self.put_state(memory, holder, State { considered: false, ..state });
            }
        }
        for state in self.now.rounds.values_mut().filter(|state| **state == RoundState::Digested) {
            *state = RoundState::Closed;
        }
        let rounds = self.now.rounds.values().filter(|state| **state == RoundState::Closed).count() as u64;
        // Even a rebuild of nothing is a new revision.
        self.commit();
        LetGo { rounds, holdings }
    }

    fn is_derived(&self, memory: MemoryId) -> bool {
        self.memories.get(&memory).is_some_and(|kept| kept.memory.origin.is_derived())
    }

    fn stays(&self, memory: MemoryId, holder: usize) -> bool {
        let is_decided = self.state(memory, holder).is_some_and(|state| state.is_decided());
        let is_part = |whole: &MemoryId| {
            self.memories.get(whole).is_some_and(|kept| kept.memory.from.contains(&memory))
                && self.state(*whole, holder).is_some_and(|state| state.is_cherished())
        };
        !self.is_derived(memory) || is_decided || self.memories.keys().any(is_part)
    }
}
