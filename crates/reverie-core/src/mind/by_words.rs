//! How near are the notes of a mind to what is said, by their words and by their keywords?

use super::asked::{rarity, right_now, terms_of_said};
use super::phrases::faded;
use super::{Mind, Nearness, Said, Slot};

/// How near notes are by their words.
#[derive(Debug, Default)]
pub struct ByWords {
    /// In the order in which they come to mind.
    pub near: Nearness,
    /// To what is said right now, by what each says itself.
    pub now: Nearness,
    /// What a note would be worth that has all that is said.
    pub all_said: f32,
}

/// How near notes are by their keywords.
#[derive(Debug, Default)]
pub struct ByKeywords {
    pub near: Nearness,
    /// As far as it tells notes apart: a word that many of them have says less of each.
    pub rare: Nearness,
    /// In what is said right now.
    pub now: Nearness,
}

/// BM25: how soon more of a word says nothing new, and how much a long note is held against it.
const SATURATION: f32 = 1.2;
const LENGTH_WEIGHT: f32 = 0.7;

impl Mind {
    /// By words, after BM25: rare words count for more, and what stands beside a note helps it, unless that is what is
    /// being said.
    pub fn by_words(&self, said: &Said, being_said: &[usize]) -> ByWords {
        let mut all_said = 0.0;
        let mut near = vec![0.0; self.notes.len()];
        let mut now = vec![0.0; self.notes.len()];
        let mean = self.length as f32 / self.len().max(1) as f32;
        let held_against = |slot: &Option<Slot>| {
            let length = slot.as_ref().map_or(0, |slot| slot.length);
            SATURATION * (1.0 - LENGTH_WEIGHT + LENGTH_WEIGHT * length as f32 / mean)
        };
        // Once for each note, because a common word may be in most of them.
        let held_against: Vec<f32> = self.notes.iter().map(held_against).collect();
        for asked in terms_of_said(said, &self.names) {
            let found = self.words.of(asked.term);
            let notes = found.clone().count() as f32;
            // What nobody has ever heard of is as rare as what is known from one.
            let rarity = rarity(self.len() as f32, notes.max(1.0), &asked);
            all_said += asked.weight * rarity;
            // Taken all at once: one after the other, the two parts of a list cost as much as what is done with them.
            found.for_each(|posting| {
                let slot = posting.slot as usize;
                let places = near.get_mut(slot).zip(now.get_mut(slot));
                if let (Some((near, now)), Some(against)) = (places, held_against.get(slot)) {
                    let count = f32::from(posting.count);
                    let says = rarity * count * (SATURATION + 1.0) / (count + against);
                    *near += asked.weight * says;
                    *now += asked.now * says;
                }
            });
        }
        let with_neighbours = |own: &mut Nearness| {
            let being: Vec<f32> =
                being_said.iter().filter_map(|slot| own.get_mut(*slot).map(std::mem::take)).collect();
            let mut near = self.threads.spread(own);
            for (slot, being) in being_said.iter().zip(being) {
                for of in [&mut near, &mut *own] {
                    of.get_mut(*slot).into_iter().for_each(|near| *near = being);
                }
            }
            near
        };
        let beside = with_neighbours(&mut now);
        // Neighbours help what is near itself; what shares nothing with what is said does not belong here for their sake.
        now.iter_mut().zip(beside).for_each(|(own, with)| *own = with.min(*own * 2.0));
        ByWords { near: with_neighbours(&mut near), now, all_said }
    }

    /// Which notes have keywords in what is said: 1 for those that all of it names.
    pub fn by_keywords(&self, said: &Said) -> ByKeywords {
        let worth = |notes: usize, weight: f32| {
            let all = faded(weight) / ENOUGH_KEYWORDS;
            let rare = rarity_among(self.len() as f32, notes).powi(2);
            [all, all * rare, faded(right_now(weight)) / ENOUGH_KEYWORDS]
        };
        let [near, rare, now] = self.keywords.search(said, self.notes.len(), worth);
        ByKeywords { near, rare, now }
    }
}

/// What it says that a note is one of so many: 1 for the only one.
pub(super) fn rarity_among(all: f32, notes: usize) -> f32 {
    (1.0 + all / notes.max(1) as f32).ln() / (1.0 + all).ln().max(f32::MIN_POSITIVE)
}

/// A note with so many keywords in what is said is as near as can be.
const ENOUGH_KEYWORDS: f32 = 3.0;
