//! Where does a history that is too long begin, so that the prompt stays the same from turn to turn?
//!
//! Of all places at which what follows would fit and still fill a good part of the room, the line with the highest
//! standing is taken. Standing is drawn once from the line's own number, so the same place wins again and again while
//! the conversation grows, until it no longer fits; then the start leaps to the next. Providers' prompt caches live on
//! that.

use super::entry::Entry;
use crate::perspective::Voice;

/// How much of the room must stay filled, in percent, when the start leaps.
const KEPT_PERCENT: usize = 60;

/// The index of the first entry to keep, given what each costs. The last `held` entries are never cut.
pub(super) fn start(entries: &[Entry<'_>], costs: &[usize], held: usize, room: usize) -> usize {
    let last = entries.len().saturating_sub(held);
    let mut kept = 0usize;
    let mut best: Option<(u64, usize)> = None;
    for (index, (entry, cost)) in entries.iter().zip(costs).enumerate().take(last).rev() {
        kept = kept.saturating_add(*cost);
        if kept > room {
            break;
        }
        // A window starts at a user message: some providers refuse one that begins with the assistant.
        if entry.seen.voice == Voice::Own {
            continue;
        }
        let fills_enough = kept.saturating_mul(100) >= room.saturating_mul(KEPT_PERCENT);
        let standing = if fills_enough { 1 + standing(entry, index) } else { 0 };
        if best.is_none_or(|(most, _)| standing >= most) {
            best = Some((standing, index));
        }
    }
    best.map_or(last, |(_, index)| index)
}

/// A number that looks random, belongs to the line for ever and says nothing else.
fn standing(entry: &Entry<'_>, index: usize) -> u64 {
    let number = entry.source.map_or(index as u64, |line| line.get());
    (number.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (number >> 7)) >> 2
}
