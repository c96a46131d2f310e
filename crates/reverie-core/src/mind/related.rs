//! Which notes belong to a note: the same people, the same topic, the one made of the other, the one said right after the other?

use std::collections::BTreeSet;

use super::keeping::labels;
use super::phrases::{Phrases, spelled};
use super::{Mind, Note};
use crate::id::MemoryId;
use crate::likeness::Likeness;

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
    /// Its holder said that anybody may hear it.
    pub shareable: bool,
}

/// What each link is worth, at most.
const PEOPLE: f32 = 0.4;
const TOPIC: f32 = 0.8;
const CAUSE: f32 = 1.0;
const BESIDE: f32 = 0.5;
/// A word or a person that is in more notes than this links nothing.
const COMMON: usize = 1000;
/// Among so many of the nearest it is looked for a few that are different things.
const LOOKED_AT: usize = 64;

/// Finds what belongs to notes of a mind, one after the other. A word may link a thousand notes, and this is asked for dozens of times for a
/// prompt: so each note has its place here, nothing is searched for, and only what was used is cleared.
pub(crate) struct Relating<'m> {
    mind: &'m Mind,
    /// Of each slot: its links, and how far apart they leave it.
    places: Vec<(Links, f32)>,
    linked: Vec<u32>,
}

const UNLINKED: (Links, f32) = (Links { people: false, topic: false, cause: false, beside: false }, 1.0);

impl<'m> Relating<'m> {
    pub(crate) fn new(mind: &'m Mind) -> Self {
        Self { mind, places: vec![UNLINKED; mind.notes.len()], linked: Vec::new() }
    }

    /// The nearest first; of equals the one that was remembered first.
    pub(crate) fn to(&mut self, slot: usize, most: usize) -> Vec<Related> {
        let mind = self.mind;
        let Some(note) = mind.note(slot) else { return Vec::new() };
        mind.sharing(&mind.keywords, labels(note), |other, rarity| {
            self.link(other, TOPIC * rarity, |links| links.topic = true);
        });
        mind.sharing(&mind.names, &note.names, |other, rarity| {
            self.link(other, PEOPLE * rarity, |links| links.people = true);
        });
        for other in mind.made_of(note) {
            self.link(other, CAUSE, |links| links.cause = true);
        }
        for other in mind.threads.neighbours(slot) {
            self.link(other, BESIDE, |links| links.beside = true);
        }
        let told = |(other, links, near): (u32, Links, f32)| {
            let held = &mind.note(other as usize)?.held;
            Some(Related { memory: held.memory.id, links, near, shareable: held.state.shareable })
        };
        let mut related: Vec<Related> = self.nearest(slot, most).into_iter().filter_map(told).collect();
        related.sort_by(|a, b| b.near.total_cmp(&a.near).then_with(|| a.memory.cmp(&b.memory)));
        related.truncate(most);
        related
    }

    /// The nearest first, each another thing than the note and than those before it: an event is offered once, however often it was summed
    /// up. `alike`: from here on two texts say the same.
    pub(crate) fn different(
        &mut self,
        slot: usize,
        most: usize,
        alike: Option<f64>,
        may_be_offered: &dyn Fn(usize) -> bool,
    ) -> Vec<Related> {
        let mind = self.mind;
        let Some(own) = Thing::of(mind, slot) else { return Vec::new() };
        let mut told = Told { events: own.events, texts: vec![own.text] };
        let mut different = Vec::new();
        for related in self.to(slot, LOOKED_AT) {
            if different.len() == most {
                break;
            }
            let other = mind.slot_of(related.memory).filter(|other| may_be_offered(*other));
            let Some(thing) = other.and_then(|other| Thing::of(mind, other)) else { continue };
            if told.adds(thing, alike) {
                different.push(related);
            }
        }
        different
    }

    fn link(&mut self, other: u32, near: f32, mark: fn(&mut Links)) {
        let Some((links, apart)) = self.places.get_mut(other as usize) else { return };
        if *links == Links::default() {
            self.linked.push(other);
        }
        mark(links);
        *apart *= 1.0 - near;
    }

    /// The nearest so many but the note itself, and all that are as near as the last of them; in no particular order. All links are gone
    /// afterwards.
    fn nearest(&mut self, but: usize, most: usize) -> Vec<(u32, Links, f32)> {
        let places = &mut self.places;
        let taken = self.linked.drain(..).filter_map(|other| {
            let (links, apart) = std::mem::replace(places.get_mut(other as usize)?, UNLINKED);
            Some((other, links, 1.0 - apart))
        });
        let mut found: Vec<(u32, Links, f32)> = taken.filter(|(other, ..)| *other as usize != but).collect();
        if found.len() > most {
            let Some(last) = most.checked_sub(1) else { return Vec::new() };
            let (_, last, _) = found.select_nth_unstable_by(last, |a, b| b.2.total_cmp(&a.2));
            let least = last.2;
            found.retain(|(_, _, near)| *near >= least);
        }
        found
    }
}

/// What a note tells, whichever way.
struct Thing<'m> {
    text: Likeness<'m>,
    /// What it is made of in the end, or itself.
    events: BTreeSet<MemoryId>,
}

impl<'m> Thing<'m> {
    fn of(mind: &'m Mind, slot: usize) -> Option<Self> {
        let note = mind.note(slot)?;
        let mut events = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open = vec![note.held.memory.id];
        while let Some(memory) = open.pop() {
            let note = mind.slot_of(memory).and_then(|slot| mind.note(slot));
            let parts = note.map(|note| note.held.memory.from.as_slice()).unwrap_or_default();
            if parts.is_empty() {
                events.insert(memory);
            }
            open.extend(parts.iter().copied().filter(|part| seen.insert(*part)));
        }
        Some(Self { text: Likeness::of(note.held.text(), &note.outline), events })
    }
}

/// What several notes tell together.
struct Told<'m> {
    events: BTreeSet<MemoryId>,
    texts: Vec<Likeness<'m>>,
}

impl<'m> Told<'m> {
    /// False: they tell all of it already.
    fn adds(&mut self, thing: Thing<'m>, alike: Option<f64>) -> bool {
        let says_the_same =
            |text: &Likeness<'m>| alike.is_some_and(|alike| thing.text.says_the_same_as(text, alike));
        if thing.events.is_subset(&self.events) || self.texts.iter().any(says_the_same) {
            return false;
        }
        self.events.extend(thing.events);
        self.texts.push(thing.text);
        true
    }
}

impl Mind {
    /// What belongs to a note: the nearest first; of equals the one that was remembered first.
    pub fn related(&self, slot: usize, most: usize) -> Vec<Related> {
        Relating::new(self).to(slot, most)
    }

    /// Notes with one of these phrases, and how rare it is, from 0 to 1.
    fn sharing<'p>(
        &self,
        phrases: &Phrases,
        of: impl IntoIterator<Item = &'p String>,
        mut found: impl FnMut(u32, f32),
    ) {
        let all = (1.0 + self.len() as f32).ln().max(f32::MIN_POSITIVE);
        for (term, _) in spelled(of) {
            let count = phrases.of(term).take(COMMON + 1).count();
            if count <= COMMON {
                let rarity = (1.0 + self.len() as f32 / count.max(1) as f32).ln() / all;
                phrases.of(term).for_each(|slot| found(slot, rarity.min(1.0)));
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
