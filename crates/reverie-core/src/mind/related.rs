//! Which notes belong to a note: the same people, the same topic, the one made of the other, the one said right after the other?

use std::collections::BTreeMap;

use super::terms::Term;
use super::{Mind, Note, labels};
use crate::id::MemoryId;

/// What two memories have in common.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Links {
    /// They are about the same person.
    pub people: bool,
    /// They share a keyword or a topic.
    pub topic: bool,
    /// One of them was made of the other.
    pub cause: bool,
    /// One was said right before the other.
    pub beside: bool,
}

/// A memory that belongs to another one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Related {
    pub memory: MemoryId,
    pub links: Links,
    /// From 0 to 1.
    pub near: f32,
}

/// What each link is worth, at most.
const PEOPLE: f32 = 0.4;
const TOPIC: f32 = 0.8;
const CAUSE: f32 = 1.0;
const BESIDE: f32 = 0.5;
/// A word or a person that is in more notes than this links nothing.
const COMMON: usize = 1000;

impl Mind {
    /// The nearest first; of equals the one that was remembered first.
    pub fn related(&self, slot: usize, most: usize) -> Vec<Related> {
        let Some(note) = self.note(slot) else { return Vec::new() };
        let mut found: BTreeMap<u32, (Links, f32)> = BTreeMap::new();
        let mut link = |other: u32, near: f32, mark: fn(&mut Links)| {
            let (links, apart) = found.entry(other).or_insert((Links::default(), 1.0));
            mark(links);
            *apart *= 1.0 - near;
        };
        self.sharing(&self.keywords, labels(note), |other, rarity| {
            link(other, TOPIC * rarity, |links| links.topic = true);
        });
        self.sharing(&self.names, &note.names, |other, rarity| {
            link(other, PEOPLE * rarity, |links| links.people = true);
        });
        for other in self.made_of(note) {
            link(other, CAUSE, |links| links.cause = true);
        }
        for other in self.threads.neighbours(slot) {
            link(other, BESIDE, |links| links.beside = true);
        }
        found.remove(&(slot as u32));
        let mut related: Vec<Related> = found
            .into_iter()
            .filter_map(|(slot, (links, apart))| {
                let memory = self.note(slot as usize)?.held.memory.id;
                Some(Related { memory, links, near: 1.0 - apart })
            })
            .collect();
        related.sort_by(|a, b| b.near.total_cmp(&a.near).then_with(|| a.memory.cmp(&b.memory)));
        related.truncate(most);
        related
    }

    /// Notes with one of these phrases, and how rare it is, from 0 to 1.
    fn sharing<'p>(
        &self,
        phrases: &super::phrases::Phrases,
        of: impl IntoIterator<Item = &'p String>,
        mut found: impl FnMut(u32, f32),
    ) {
        let all = (1.0 + self.len() as f32).ln().max(f32::MIN_POSITIVE);
        for (slots, count) in phrases.shared(of) {
            if count <= COMMON {
                let rarity = (1.0 + self.len() as f32 / count.max(1) as f32).ln() / all;
                slots.into_iter().for_each(|slot| found(slot, rarity.min(1.0)));
            }
        }
    }

    /// What it sums up, and what sums it up.
    fn made_of(&self, note: &Note) -> Vec<u32> {
        let memory = &note.held.memory;
        let parts = memory.from.iter().filter_map(|part| self.by_memory.get(part));
        let sums = self.sums.get(&memory.id).into_iter().flatten();
        parts.chain(sums).copied().collect()
    }
}

impl super::phrases::Phrases {
    /// Of each phrase the slots that have it, and how many they are.
    fn shared<'p>(&self, phrases: impl IntoIterator<Item = &'p String>) -> Vec<(Vec<u32>, usize)> {
        let terms: Vec<(Term, u16)> = super::phrases::spelled(phrases);
        let of = |(term, _): (Term, u16)| {
            let slots: Vec<u32> = self.of(term).take(COMMON + 1).collect();
            let count = slots.len();
            (slots, count)
        };
        terms.into_iter().map(of).collect()
    }
}
