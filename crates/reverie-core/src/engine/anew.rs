//! What stays of what holders decided about a round, when it is remembered anew?

use super::digesting::Digested;
use super::{Engine, TRIES};
use crate::digest::{MOST_LINES, digest_rounds, give_way, inherit};
use crate::id::{ConversationId, LineId, WorldId};
use crate::memories::{Commit, Effect, HeldQuery, WhichHeld};
use crate::memory::Held;
use crate::{Error, Result};

/// Holdings of the lines of one round that are looked at.
const OF_A_ROUND: usize = 10_000;

impl Engine {
    /// What holders decided about the rounds with a line in them, before it is erased and that with it. None: nothing.
    pub(super) fn decided_about(
        &self,
        world: &WorldId,
        line: LineId,
    ) -> Result<Option<(ConversationId, Vec<Held>)>> {
        let which = WhichHeld::From(vec![line]);
        let query = HeldQuery { all: true, limit: OF_A_ROUND, ..HeldQuery::of(None, which) };
        let mut decided = self.store.held(world, &query)?;
        decided.retain(|held| held.state.pinned || held.state.forgotten);
        if decided.is_empty() {
            return Ok(None);
        }
        Ok(Some((self.store.line(world, line)?.conversation, decided)))
    }

    /// Remembers what is left of rounds whose memories were erased, with what their holders had decided about them.
    pub(super) fn remember_anew(
        &self,
        world: &WorldId,
        conversation: &ConversationId,
        decided: &[Held],
    ) -> Result<()> {
        let settings = self.settings(world)?;
        for _ in 0..TRIES {
            let backlog = self.store.backlog(world, conversation, MOST_LINES)?;
            let mut commit = digest_rounds(&backlog, &settings.digest, self.due()).commit;
            if !settings.digest.enabled || commit.effects.is_empty() {
                return Ok(());
            }
            self.carry_over(world, &mut commit, decided)?;
            if self.commit(world, &commit, &mut Digested::default())? {
                return Ok(());
            }
        }
        Err(Error::conflict("the line is erased, but others keep changing what was said around it")
            .hint("what is left of its round is remembered by and by, neither pinned nor forgotten"))
    }

    /// What holders decided about a round that is remembered anew stays so. `erased` is what is not there any more.
    pub(super) fn carry_over(&self, world: &WorldId, commit: &mut Commit, erased: &[Held]) -> Result<()> {
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
            inherit(new, erased);
            give_way(new, place, &old, &mut changes);
        }
        commit.guards.append(&mut changes.guards);
        commit.effects.append(&mut changes.effects);
        Ok(())
    }
}
