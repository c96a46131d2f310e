//! What carries over when a round is remembered anew, because one of its lines was reworded, hidden or erased?
//!
//! What its holders decided about it: pinned stays pinned, forgotten stays forgotten. (Which of several memories of one exchange counts
//! on a path follows from the path: [`Held::superseded`].)

use std::collections::BTreeSet;

use crate::id::LineId;
use crate::memories::NewMemory;
use crate::memory::{Held, Origin};

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
