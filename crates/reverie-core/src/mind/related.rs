//! Which notes belong to a note: the same people, the same topic, the one made of the other, the one said right after the other?

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

/// What is linked so far. A word may link a thousand notes, and this is asked for dozens of times for a prompt, so each note has its
/// place and nothing is searched for.
struct Found {
    /// Of each slot: its links, and how far apart they leave it.
    places: Vec<(Links, f32)>,
    linked: Vec<u32>,
}

impl Found {
    fn among(notes: usize) -> Self {
        Self { places: vec![(Links::default(), 1.0); notes], linked: Vec::new() }
    }

    fn link(&mut self, other: u32, near: f32, mark: fn(&mut Links)) {
        let Some((links, apart)) = self.places.get_mut(other as usize) else { return };
        if *links == Links::default() {
            self.linked.push(other);
        }
        mark(links);
        *apart *= 1.0 - near;
    }

    /// The nearest so many, and all that are as near as the last of them; in no particular order.
    fn nearest(self, most: usize, counts: impl Fn(u32) -> bool) -> Vec<(u32, Links, f32)> {
        let of = |other: u32| {
            let (links, apart) = self.places.get(other as usize)?;
            Some((other, *links, 1.0 - apart))
        };
        let linked = self.linked.iter().filter(|other| counts(**other));
        let mut found: Vec<(u32, Links, f32)> = linked.filter_map(|other| of(*other)).collect();
        if found.len() > most {
            let Some(last) = most.checked_sub(1) else { return Vec::new() };
            let (_, last, _) = found.select_nth_unstable_by(last, |a, b| b.2.total_cmp(&a.2));
            let least = last.2;
            found.retain(|(_, _, near)| *near >= least);
        }
        found
    }
}

impl Mind {
    /// The nearest first; of equals the one that was remembered first.
    pub fn related(&self, slot: usize, most: usize) -> Vec<Related> {
        let Some(note) = self.note(slot) else { return Vec::new() };
        let mut found = Found::among(self.notes.len());
        self.sharing(&self.keywords, labels(note), |other, rarity| {
            found.link(other, TOPIC * rarity, |links| links.topic = true);
        });
        self.sharing(&self.names, &note.names, |other, rarity| {
            found.link(other, PEOPLE * rarity, |links| links.people = true);
        });
        for other in self.made_of(note) {
            found.link(other, CAUSE, |links| links.cause = true);
        }
        for other in self.threads.neighbours(slot) {
            found.link(other, BESIDE, |links| links.beside = true);
        }
        let id = |other: u32| self.note(other as usize).map(|note| note.held.memory.id);
        let nearest = found.nearest(most, |other| other as usize != slot && id(other).is_some());
        let mut related: Vec<Related> = nearest
            .into_iter()
            .filter_map(|(other, links, near)| Some(Related { memory: id(other)?, links, near }))
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
