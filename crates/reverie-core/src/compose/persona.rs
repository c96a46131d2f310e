//! Where does the persona come from? One source: the cue, else what is stored, else the character's own system lines.

use super::entry::Entry;
use crate::cue::Cue;
use crate::perspective::Voice;
use crate::store::Gathered;

/// The given persona. It replaces the system lines that would have been it: those for this character, and those for
/// everyone that stand before the first word. None leaves the lines to be the persona, in place; they are pinned then.
pub(super) fn choose<'a>(
    gathered: &'a Gathered,
    cue: &'a Cue,
    entries: &mut Vec<Entry<'a>>,
) -> Option<&'a str> {
    let stored = gathered.character.as_ref().and_then(|character| character.card.persona.as_deref());
    let given = [cue.system.as_deref(), stored].into_iter().flatten().find(|text| !text.is_empty());
    if given.is_some() {
        let mut has_begun = false;
        entries.retain_mut(|entry| {
            let is_system = entry.seen.voice == Voice::System;
            has_begun |= !is_system;
            entry.is_pinned = false;
            !(is_system && (entry.is_addressed_system || !has_begun))
        });
    }
    given
}
