//! What carries over when a round is remembered anew, because one of its lines was reworded, hidden or erased?
//!
//! What its holders decided about it: pinned stays pinned, forgotten stays forgotten.

use std::collections::HashSet;

use crate::id::LineId;
use crate::memories::NewMemory;
use crate::memory::{Held, Origin};

/// `old` are memories of some of the same lines. Another branch of the same beginning is another round.
pub(crate) fn inherit(new: &mut NewMemory, old: &[Held]) {
    let lines: HashSet<LineId> = new.sources.iter().map(|source| source.line).collect();
    for held in
        old.iter().filter(|held| held.memory.origin == Origin::Round && held.memory.sources != new.sources)
    {
        let before: HashSet<LineId> = held.memory.sources.iter().map(|source| source.line).collect();
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
