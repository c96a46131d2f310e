//! Where does a history that is too long begin, so that the prompt stays the same from turn to turn?
//!
//! Of all places at which what precedes the newest message would fill a good part of the room, the line with the highest
//! standing is taken. Standing belongs to the line for ever, so the same place wins again and again while the
//! conversation grows, until it no longer fits; then the start leaps to the next. Providers' prompt caches live on that.
//!
//! Standings follow the marks of a ruler: of any stretch of lines one stands out, and the longer the stretch the more, so
//! that two leaps lie about as far apart as the room allows.

use super::entry::Entry;
use crate::id::LineId;

/// How much of the room must stay filled, in percent, when the start leaps.
const KEPT_PERCENT: usize = 50;
/// What is said last and around it has another length in every turn. In steps of this part of the budget it matters, so
/// that the start does not follow every little change.
const STEPS: usize = 16;

/// A place to begin.
pub(super) struct Start {
    pub(super) index: usize,
    /// Of everything from here on.
    pub(super) cost: usize,
    pub(super) standing: u32,
}

/// How much there is room for.
pub(super) struct Room {
    /// For all of the history, the newest message included: never exceeded.
    pub(super) most: usize,
    /// For what precedes the newest message, nearly the same from turn to turn.
    steady: usize,
    newest: usize,
}

impl Room {
    /// `most` is what there is for history; `volatile` of the rest goes to what changes in every turn.
    pub(super) fn new(budget: usize, most: usize, newest: usize, volatile: usize) -> Self {
        let step = (budget / STEPS).max(1);
        let changing = (newest + volatile).div_ceil(step) * step;
        Self { most, steady: (most + volatile).saturating_sub(changing), newest }
    }

    /// The best of the places that fit, given newest first.
    pub(super) fn choose(&self, starts: &[Start]) -> Option<usize> {
        let is_steady = |start: &&Start| {
            let earlier = start.cost.saturating_sub(self.newest);
            earlier <= self.steady && earlier * 100 >= self.steady * KEPT_PERCENT
        };
        // Of equals the oldest: it keeps the most, and it is the one that was taken before.
        let best = starts
            .iter()
            .filter(is_steady)
            .max_by_key(|start| (start.standing, std::cmp::Reverse(start.index)));
        // Where no place is that good (a message before it is huge), the oldest that fits keeps the most.
        best.or(starts.last()).map(|start| start.index)
    }
}

/// How a line stands out from those before it. `previous` is the next older place to begin.
pub(super) fn standing(entry: &Entry<'_>, previous: Option<LineId>) -> u32 {
    match (entry.source, previous) {
        // Numbers are shared with other conversations, so a line has the best of all numbers since the place before it.
        (Some(line), Some(previous)) => highest_mark(previous.get(), line.get()),
        // What stands before the oldest line that was read is not known.
        (Some(_), None) => 0,
        // A line that the host brings along has no number; its words are as good.
        (None, _) => digest(entry.seen.content).trailing_zeros(),
    }
}

/// The most trailing zeros of any number above `low` and up to `high`.
fn highest_mark(low: u64, high: u64) -> u32 {
    (low ^ high).checked_ilog2().unwrap_or(0)
}

fn digest(text: &str) -> u64 {
    let fnv = text.bytes().fold(0xCBF2_9CE4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    });
    (fnv ^ (fnv >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_mark_of_a_stretch_is_that_of_its_roundest_number() {
        for (low, high) in [(0, 1), (0, 7), (3, 4), (4, 7), (5, 6), (7, 9), (11, 17), (100, 130), (63, 64)] {
            let roundest = (low + 1..=high).map(u64::trailing_zeros).max();
            assert_eq!(Some(highest_mark(low, high)), roundest, "{low}..={high}");
        }
    }
}
