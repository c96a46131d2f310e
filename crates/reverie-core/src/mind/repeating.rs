//! Which summaries only say again what one memory says?
//!
//! A day on which one thing happened is summed up like any other, so that something of it stays when that one has gone, and so is an
//! era with one day. Who looks through a list would read the same three times.

use std::collections::HashSet;

use super::Mind;
use crate::id::MemoryId;
use crate::memory::{Held, Origin};

impl Mind {
    /// Summaries by rules of one memory alone, a day perhaps, which is in this mind, too. Not those about which somebody decided something.
    pub fn repeating(&self) -> impl Iterator<Item = MemoryId> {
        let all = self.notes().map(|(_, note)| &note.held);
        all.filter(|held| self.repeats_one(held)).map(|held| held.memory.id)
    }

    fn repeats_one(&self, held: &Held) -> bool {
        let Held { memory, state, .. } = held;
        let is_by_rules = matches!(memory.origin, Origin::Day | Origin::Era) && memory.model.is_none();
        // What sums up others was made after them: if one is all of it, it is the last.
        let last = memory.from.iter().max().filter(|_| is_by_rules && !state.is_decided());
        last.is_some_and(|part| self.is_all_of(*part, &memory.from))
    }

    /// Whether this memory, and what it sums up itself, is all of these.
    fn is_all_of(&self, part: MemoryId, all: &[MemoryId]) -> bool {
        let Some(part) = self.slot_of(part).and_then(|slot| self.note(slot)) else { return false };
        let from = &part.held.memory.from;
        if from.len() + 1 != all.len() {
            return false;
        }
        let all: HashSet<&MemoryId> = all.iter().collect();
        from.iter().all(|one| all.contains(one))
    }
}
