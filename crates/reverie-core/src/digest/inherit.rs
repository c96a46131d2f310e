//! What carries over when a round is remembered anew, because one of its lines was reworded, hidden or erased?
//!
//! What its holders decided about it: pinned stays pinned, forgotten stays forgotten. And of two memories of one round, one of
//! which holds all that the other holds, only the fuller one is recalled while both can be.

use std::collections::BTreeSet;

use crate::id::LineId;
use crate::memories::{Commit, Effect, Guard, NewMemory, Which};
use crate::memory::{Held, Origin, Source};

/// `old` are memories of some of the same lines. Another branch of the same beginning is another round.
pub(crate) fn inherit(new: &mut NewMemory, old: &[Held]) {
    let lines: BTreeSet<LineId> = new.sources.iter().map(|source| source.line).collect();
    for held in old.iter().filter(|held| held.memory.origin == Origin::Round) {
        let before: BTreeSet<LineId> = held.memory.sources.iter().map(|source| source.line).collect();
        if !(lines.is_subset(&before) || before.is_subset(&lines)) {
            continue;
        }
        let holder = new.holders.iter_mut().find(|(holder, _)| *holder == held.holder);
        let Some((_, state)) = holder else { continue };
        state.forgotten |= held.state.forgotten;
        if held.state.pinned {
            state.pinned = true;
            state.layer = held.state.layer;
        }
    }
}

/// What is part of the new memory gives way to it, and it to what it is a part of. `place` is its place among the memories
/// that the commit makes.
pub(crate) fn give_way(new: &mut NewMemory, place: usize, old: &[Held], commit: &mut Commit) {
    let own: BTreeSet<Source> = new.sources.iter().copied().collect();
    for held in old.iter().filter(|held| held.memory.origin == Origin::Round) {
        let other: BTreeSet<Source> = held.memory.sources.iter().copied().collect();
        let holder = new.holders.iter_mut().find(|(holder, _)| *holder == held.holder);
        let Some((_, state)) = holder.filter(|_| own != other) else { continue };
        if own.is_subset(&other) {
            state.superseded_by = Some(held.memory.id);
        } else if other.is_subset(&own) && !held.superseded {
            let (memory, holder) = held.place();
            commit.guards.push(Guard::State { memory, holder: holder.clone(), version: held.version });
            commit.effects.push(Effect::State {
                memory: Which::Known(memory),
                holder,
                state: Box::new(held.state.clone()),
                summarised_by: None,
                superseded_by: Some(place),
            });
        }
    }
}
