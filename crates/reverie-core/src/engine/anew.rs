//! What stays of what holders decided about a round, when it is remembered anew?

use super::Engine;
use crate::Result;
use crate::digest::inherit;
use crate::id::WorldId;
use crate::memories::{Commit, Effect, HeldQuery, WhichHeld};

/// Holdings of the lines of one round that are looked at.
const OF_A_ROUND: usize = 10_000;

impl Engine {
    /// What holders decided about a round that is remembered anew stays so.
    pub(super) fn carry_over(&self, world: &WorldId, commit: &mut Commit) -> Result<()> {
        let made = commit.effects.iter_mut().filter_map(|effect| match effect {
            Effect::Remember(new) => Some(new),
            _ => None,
        });
        for new in made {
            let lines = new.sources.iter().map(|source| source.line).collect();
            let query =
                HeldQuery { all: true, limit: OF_A_ROUND, ..HeldQuery::of(None, WhichHeld::From(lines)) };
            let old = self.store.held(world, &query)?;
            inherit(new, &old);
        }
        Ok(())
    }
}
