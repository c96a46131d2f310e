//! What carries over when a round is remembered anew, because one of its lines was reworded, hidden or erased?
//!
//! What its holders decided about it: pinned stays pinned, forgotten stays forgotten. (Which of several memories of one exchange counts
//! on a path follows from the path: [`Held::superseded`].)

use std::collections::BTreeSet;

use crate::id::{CharacterId, LineId};
use crate::memories::NewMemory;
use crate::memory::{Held, Layer, Origin, State};

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

/// Of what was erased with some of its lines: that in whose place the new memory stands for a holder, the newest if there are several.
pub fn predecessor<'h>(new: &NewMemory, holder: &CharacterId, erased: &'h [Held]) -> Option<&'h Held> {
    let lines: BTreeSet<LineId> = new.sources.iter().map(|source| source.line).collect();
    let is_it = |held: &&Held| {
        held.memory.origin == Origin::Round
            && held.holder == *holder
            && lines.iter().all(|line| held.memory.sources.iter().any(|source| source.line == *line))
    };
    erased.iter().filter(is_it).max_by_key(|held| held.memory.id)
}

/// What the new memory would have been to its holder when the old one was so: as pinned and as forgotten. So a checkpoint that is older
/// than the loss of a line brings back what was decided then.
pub fn as_before(new: &NewMemory, before: &State) -> State {
    let layer = if before.pinned { before.layer } else { Some(Layer::Active) };
    State { pinned: before.pinned, forgotten: before.forgotten, ..State::new(layer, new.tick) }
}
