//! What stays of what holders decided about a round, when it is remembered anew?

use super::Engine;
use crate::Result;
use crate::digest::{give_way, inherit};
use crate::id::WorldId;
use crate::memories::{Commit, Effect, HeldQuery, WhichHeld};

/// Holdings of the lines of one round that are looked at.
const OF_A_ROUND: usize = 10_000;

impl Engine {
    /// What holders decided about a round that is remembered anew stays so.
    pub(super) fn carry_over(&self, world: &WorldId, commit: &mut Commit) -> Result<()> {
        let mut changes = Commit::default();
        let made = commit.effects.iter_mut().filter_map(|effect| match effect {
            Effect::Remember(new) => Some(new),
            _ => None,
        });
        for (place, new) in made.enumerate() {
            let lines = new.sources.iter().map(|source| source.line).collect();
            let query =
                HeldQuery { all: true, limit: OF_A_ROUND, ..HeldQuery::of(None, WhichHeld::From(lines)) };
            let old = self.store.held(world, &query)?;
            inherit(new, &old);
            give_way(new, place, &old, &mut changes);
        }
        commit.guards.append(&mut changes.guards);
        commit.effects.append(&mut changes.effects);
        Ok(())
    }
}
