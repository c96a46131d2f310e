//! Where does each memory stand, before it is drawn: by what it means, or else by its words?
//!
//! As a direction from what all of them have in common, so that what everything is about draws nothing together.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::chance::spread;
use super::rows::{Rows, add, to_unit};
use crate::id::MemoryId;
use crate::mind::terms::SPELLING;
use crate::mind::{Mind, Note};
use crate::words::{is_filler, keywords};

/// What decides which memories are near each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum By {
    /// Vectors of a space of meanings.
    Meaning,
    /// Topics and keywords, or words of the text where there are none.
    #[default]
    Words,
}

pub(super) struct Ground<'m> {
    mind: &'m Mind,
    pub(super) by: By,
    /// In the order of ids, so that nothing depends on what happened to the mind before: id and slot.
    pub(super) notes: Vec<(MemoryId, usize)>,
    /// What all have in common.
    mean: Vec<f32>,
    /// By meaning: which numbers of a vector are turned around before they are added up; empty: nothing is added up.
    signs: Vec<f32>,
    /// By words: of each note in this order.
    words: Rows,
}

/// Numbers for a note's words.
const WORD_WIDTH: usize = 128;
/// So many of them tell one word.
const MARKS: u64 = 5;
/// Vectors with more numbers than the first are folded to the second: what is near stays near enough for a picture, and a map
/// costs the same in every space.
const WIDEST: usize = 384;
const FOLDED: usize = 256;
/// Of a note that nobody gave any words so many are looked for in its text.
const OWN_WORDS: usize = 8;

impl<'m> Ground<'m> {
    pub(super) fn of(mind: &'m Mind) -> Self {
        // What only says again what another note says would lie upon it.
        let repeating: HashSet<MemoryId> = mind.repeating().collect();
        let notes = mind.notes().map(|(slot, note)| (note.held.memory.id, slot));
        let mut notes: Vec<(MemoryId, usize)> = notes.filter(|(id, _)| !repeating.contains(id)).collect();
        notes.sort_unstable();
        let with_vectors = notes.iter().filter(|(_, slot)| mind.chunks_of(*slot).next().is_some()).count();
        // While most have no vector yet, a map of the few would say little of all.
        let by = if with_vectors * 2 >= notes.len().max(1) { By::Meaning } else { By::Words };
        let mut ground =
            Self { mind, by, notes, mean: Vec::new(), signs: Vec::new(), words: Rows::default() };
        match by {
            By::Meaning => {
                let common = mind.common_meaning();
                ground.mean = vec![0.0; common.len()];
                if common.len() > WIDEST {
                    let sign = |at: usize| if spread(at as u64) & 1 == 0 { 1.0 } else { -1.0 };
                    ground.signs = (0..common.len()).map(sign).collect();
                    ground.mean.truncate(FOLDED);
                }
                let mut mean = std::mem::take(&mut ground.mean);
                ground.add_folded(&mut mean, &common);
                ground.mean = mean;
            }
            By::Words => {
                ground.words = ground.rows_of_words();
                let mut mean = vec![0.0; WORD_WIDTH];
                ground.words.iter().for_each(|row| add(&mut mean, row, 1.0 / ground.notes.len() as f32));
                ground.mean = mean;
            }
        }
        ground
    }

    pub(super) fn width(&self) -> usize {
        self.mean.len()
    }

    pub(super) fn note(&self, place: usize) -> Option<&'m Note> {
        let (_, slot) = self.notes.get(place)?;
        self.mind.note(*slot).map(AsRef::as_ref)
    }

    /// Writes where a note stands; false if nobody knows. A note that is all common stands in the middle: all zeros.
    pub(super) fn direction(&self, place: usize, into: &mut [f32]) -> bool {
        let is_known = match self.by {
            By::Meaning => {
                into.fill(0.0);
                let slot = self.notes.get(place).map_or(usize::MAX, |(_, slot)| *slot);
                self.mind.chunks_of(slot).for_each(|chunk| self.add_folded(into, chunk));
                to_unit(into)
            }
            By::Words => {
                let row = self.words.row(place);
                into.iter_mut().zip(row).for_each(|(into, value)| *into = *value);
                row.iter().any(|value| *value != 0.0)
            }
        };
        if is_known {
            add(into, &self.mean, -1.0);
            to_unit(into);
        }
        is_known
    }

    /// Adds a vector, in as many numbers as a map works with.
    fn add_folded(&self, into: &mut [f32], vector: &[f32]) {
        if self.signs.is_empty() {
            return add(into, vector, 1.0);
        }
        for (part, signs) in vector.chunks(FOLDED).zip(self.signs.chunks(FOLDED)) {
            let values = part.iter().zip(signs);
            into.iter_mut().zip(values).for_each(|(into, (value, sign))| *into += value * sign);
        }
    }

    /// A word marks a few numbers up or down; rare words mark more.
    fn rows_of_words(&self) -> Rows {
        // As written, and as spelt: what is written the same is not folded twice.
        let (mut written, mut known): (HashMap<Cow<'_, str>, u32>, HashMap<String, u32>) = Default::default();
        let mut counts: Vec<u32> = Vec::new();
        let mut of_notes: Vec<Vec<u32>> = Vec::with_capacity(self.notes.len());
        for place in 0..self.notes.len() {
            let mut own: Vec<u32> = Vec::new();
            for word in self.note(place).map(words_of).unwrap_or_default() {
                let number = written.get(&word).copied().unwrap_or_else(|| {
                    let next = known.len() as u32;
                    *known.entry(SPELLING.fold(&word)).or_insert(next)
                });
                counts.resize(known.len(), 0);
                own.push(number);
                written.entry(word).or_insert(number);
            }
            own.sort_unstable();
            own.dedup();
            for word in &own {
                counts.get_mut(*word as usize).into_iter().for_each(|count| *count += 1);
            }
            of_notes.push(own);
        }
        let mut marks: Vec<u64> = vec![0; counts.len()];
        for (word, number) in &known {
            let hash = word.bytes().fold(0, |hash, byte| spread(hash ^ u64::from(byte)));
            marks.get_mut(*number as usize).into_iter().for_each(|mark| *mark = hash);
        }
        let all = self.notes.len() as f32;
        let mut rows = Rows::new(WORD_WIDTH, self.notes.len());
        let mut row = vec![0.0f32; WORD_WIDTH];
        for own in of_notes {
            row.fill(0.0);
            let count_of = |word: &u32| counts.get(*word as usize).copied().unwrap_or_default();
            // What nobody else says draws a note to nobody.
            let has_shared = own.iter().any(|word| count_of(word) > 1);
            for word in own.iter().filter(|word| !has_shared || count_of(word) > 1) {
                let weight = (1.0 + all / count_of(word).max(1) as f32).ln();
                let word = *word as usize;
                let hash = marks.get(word).copied().unwrap_or_default();
                for mark in (0..MARKS).map(|mark| spread(hash.wrapping_add(mark))) {
                    let at = (mark >> 8) as usize % WORD_WIDTH;
                    let sign = if mark & 1 == 0 { weight } else { -weight };
                    row.get_mut(at).into_iter().for_each(|value| *value += sign);
                }
            }
            to_unit(&mut row);
            rows.push(&row);
        }
        rows
    }
}

/// What a note is about: as it was given, else as its text shows. Hosts and models give fillers, too, which draw nothing together and
/// count only where there is nothing else.
pub(super) fn words_of(note: &Note) -> Vec<Cow<'_, str>> {
    let memory = &note.held.memory;
    let given = || memory.topics.iter().chain(&memory.keywords).map(|word| Cow::Borrowed(word.as_str()));
    let telling: Vec<Cow<'_, str>> = given().filter(|word| !is_filler(&word.to_lowercase())).collect();
    if !telling.is_empty() {
        return telling;
    }
    let names: Vec<&str> = note.names.iter().map(String::as_str).collect();
    let own = keywords([note.held.text()], &names, OWN_WORDS);
    if own.is_empty() { given().collect() } else { own.into_iter().map(Cow::Owned).collect() }
}
