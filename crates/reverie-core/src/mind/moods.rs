//! Which notes were felt alike, and how many are there of each feeling?
//!
//! Feelings have an index of their own, so that a mood costs what it brings to mind and not what there is.

use std::collections::{BTreeMap, HashMap};

use super::{Mind, Note};
use crate::feeling::{Feeling, own_name};
use crate::id::MemoryId;

/// By feeling, and by names of hosts' own; each in the order in which it was remembered.
#[derive(Debug, Default)]
pub(super) struct Moods {
    feelings: BTreeMap<Feeling, BTreeMap<MemoryId, u32>>,
    names: HashMap<String, BTreeMap<MemoryId, u32>>,
    count: usize,
}

impl Moods {
    pub(super) fn add(&mut self, slot: u32, note: &Note) {
        let memory = note.held.memory.id;
        for (feeling, _) in &note.feelings {
            let known = self.feelings.entry(*feeling).or_default().insert(memory, slot);
            self.count += usize::from(known.is_none());
        }
        for name in own_names(note) {
            let known = self.names.entry(name).or_default().insert(memory, slot);
            self.count += usize::from(known.is_none());
        }
    }

    pub(super) fn remove(&mut self, note: &Note) {
        let memory = note.held.memory.id;
        for (feeling, _) in &note.feelings {
            let gone = self.feelings.get_mut(feeling).and_then(|notes| notes.remove(&memory));
            self.count -= usize::from(gone.is_some());
        }
        for name in own_names(note) {
            let Some(notes) = self.names.get_mut(&name) else { continue };
            self.count -= usize::from(notes.remove(&memory).is_some());
            if notes.is_empty() {
                self.names.remove(&name);
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.count * 24 + self.names.len() * 96
    }
}

/// What a host calls by names that nobody here knows as feelings.
fn own_names(note: &Note) -> impl Iterator<Item = String> {
    note.held.memory.emotions.iter().filter_map(|label| own_name(label))
}

/// What is felt: a feeling, or a host's own name for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood<'a> {
    Feeling(Feeling),
    /// As [`own_name`] spells it.
    Name(&'a str),
}

impl Mind {
    /// How much it says that a note was felt so, from 0 (all were) to 1 (no other was).
    pub fn rarity_of_mood(&self, mood: Mood<'_>) -> f32 {
        let (all, with_it) = (self.len() as f32, self.felt_so(mood).map_or(0, BTreeMap::len) as f32);
        if with_it < 1.0 || all <= with_it {
            return 0.0;
        }
        // All but one can be ruled out by it, or half of all: what counts is how many times over.
        (all / with_it).ln() / all.ln()
    }

    /// Notes that were felt so, what was remembered last first.
    pub fn by_mood(&self, mood: Mood<'_>) -> impl Iterator<Item = usize> {
        let notes = self.felt_so(mood).into_iter();
        notes.flat_map(|notes| notes.values().rev().map(|slot| *slot as usize))
    }

    fn felt_so(&self, mood: Mood<'_>) -> Option<&BTreeMap<MemoryId, u32>> {
        match mood {
            Mood::Feeling(feeling) => self.moods.feelings.get(&feeling),
            Mood::Name(name) => self.moods.names.get(name),
        }
    }
}
