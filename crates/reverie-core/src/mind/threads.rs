//! What was said just before and just after?
//!
//! A question is often found by its answer and an answer by its question, so notes of one talk lend each other some of their
//! nearness.

use std::collections::BTreeMap;
use std::ops::Bound::{Excluded, Unbounded};

use super::Nearness;
use crate::recollection::Place;

#[derive(Debug, Default)]
pub(super) struct Threads {
    places: BTreeMap<Place, Stand>,
    /// By slot.
    before: Vec<u32>,
    after: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Stand {
    slot: u32,
    wall_ms: i64,
}

const NONE: u32 = u32::MAX;
/// How much a note gains from what stands before it, and behind it.
const BEFORE: f32 = 0.5;
const AFTER: f32 = 0.2;
/// Longer apart, it was another talk.
const SAME_TALK_MS: u64 = 12 * 3_600_000;

impl Threads {
    pub(super) fn add(&mut self, slot: u32, thread: Place, wall_ms: i64) {
        let (before, after) = self.beside(thread);
        let stand = Stand { slot, wall_ms };
        self.places.insert(thread, stand);
        self.tie(before, Some(stand));
        self.tie(Some(stand), after);
    }

    pub(super) fn remove(&mut self, thread: Place) {
        let Some(gone) = self.places.remove(&thread) else { return };
        let (before, after) = self.beside(thread);
        self.tie(before, None);
        self.tie(None, after);
        self.tie(before, after);
        set(&mut self.before, gone.slot, NONE);
        set(&mut self.after, gone.slot, NONE);
    }

    /// How near each note is with what stands beside it.
    pub(super) fn spread(&self, own: &Nearness) -> Nearness {
        let lent = |ties: &Vec<u32>, slot: usize, share: f32| {
            let tied = ties.get(slot).and_then(|tied| own.get(*tied as usize));
            tied.map_or(0.0, |near| share * near)
        };
        let with = |(slot, near): (usize, &f32)| {
            near + lent(&self.before, slot, BEFORE) + lent(&self.after, slot, AFTER)
        };
        own.iter().enumerate().map(with).collect()
    }

    /// What stands right before a note and right behind it.
    pub(super) fn neighbours(&self, slot: usize) -> impl Iterator<Item = u32> {
        let tied = |ties: &[u32]| ties.get(slot).copied().filter(|tied| *tied != NONE);
        tied(&self.before).into_iter().chain(tied(&self.after))
    }

    pub(super) fn bytes(&self) -> usize {
        self.places.len() * 48 + (self.before.capacity() + self.after.capacity()) * size_of::<u32>()
    }

    fn beside(&self, thread: Place) -> (Option<Stand>, Option<Stand>) {
        let is_same = |other: &Place| other.conversation == thread.conversation;
        let before = self.places.range(..thread).next_back().filter(|(other, _)| is_same(other));
        let after =
            self.places.range((Excluded(thread), Unbounded)).next().filter(|(other, _)| is_same(other));
        (before.map(|(_, stand)| *stand), after.map(|(_, stand)| *stand))
    }

    fn tie(&mut self, before: Option<Stand>, after: Option<Stand>) {
        let is_same_talk = before
            .zip(after)
            .is_some_and(|(before, after)| before.wall_ms.abs_diff(after.wall_ms) <= SAME_TALK_MS);
        let tied = |stand: Option<Stand>| stand.filter(|_| is_same_talk).map_or(NONE, |stand| stand.slot);
        before.into_iter().for_each(|before| set(&mut self.after, before.slot, tied(after)));
        after.into_iter().for_each(|after| set(&mut self.before, after.slot, tied(before)));
    }
}

fn set(ties: &mut Vec<u32>, slot: u32, tied: u32) {
    if ties.len() <= slot as usize {
        ties.resize(slot as usize + 1, NONE);
    }
    ties.get_mut(slot as usize).into_iter().for_each(|place| *place = tied);
}
