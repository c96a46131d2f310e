//! What could a character recall, and how near is each of it to what is being said?
//!
//! A mind is made from what a store keeps, and can be thrown away at any time. Whatever order its notes came in, it gives the
//! same answers: sums run in the order of the query, and means are kept in whole numbers.

mod keywords;
mod postings;
pub mod terms;
mod threads;
mod vectors;
pub mod when;

use std::collections::HashMap;

use crate::embed::Vector;
use crate::id::MemoryId;
use crate::memory::Held;
use keywords::Keywords;
use postings::Postings;
use terms::{Term, each_term};
use threads::Threads;
pub use vectors::Near;
use vectors::Vectors;

/// A memory, and what finding it needs besides.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    pub held: Held,
    /// Where it stands in a conversation, for memories of rounds.
    pub thread: Option<Thread>,
    /// Words for when it was.
    pub when: String,
    /// Of its text, or of its holder's rewording, in the mind's space.
    pub vectors: Vec<Vector>,
}

/// A place in a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Thread {
    pub conversation: u64,
    /// Grows as the conversation goes on.
    pub order: u64,
}

#[derive(Debug, Default)]
pub struct Mind {
    notes: Vec<Option<Slot>>,
    free: Vec<u32>,
    by_memory: HashMap<MemoryId, u32>,
    threads: Threads,
    words: Postings,
    keywords: Keywords,
    vectors: Vectors,
    /// Of all notes together.
    length: u64,
}

#[derive(Debug)]
struct Slot {
    note: Note,
    /// How many terms it has.
    length: u32,
}

/// What is being said, in parts: the newest weighs 1.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Said {
    pub parts: Vec<(String, f32)>,
}

/// What was said before counts for less, the longer ago the less.
const FADES: f32 = 0.9;

impl Said {
    /// What was said, in order, the newest last.
    pub fn of<'a>(lines: impl DoubleEndedIterator<Item = &'a str>) -> Self {
        let mut weight = 1.0;
        let mut parts: Vec<(String, f32)> = Vec::new();
        for line in lines.rev().filter(|line| !line.trim().is_empty()) {
            parts.push((line.to_owned(), weight));
            weight *= FADES;
        }
        parts.reverse();
        Self { parts }
    }
}

/// How near the notes of a mind are to something, by their slots; those that are not near at all are 0.
pub type Nearness = Vec<f32>;

/// BM25: how soon more of a word says nothing new, and how much a long note is held against it.
const SATURATION: f32 = 1.2;
const LENGTH_WEIGHT: f32 = 0.7;

impl Mind {
    /// How many notes there are.
    pub fn len(&self) -> usize {
        self.by_memory.len()
    }

    pub fn is_empty(&self) -> bool {
        self.by_memory.is_empty()
    }

    /// Slots are numbered from 0 up to this; some may be empty.
    pub fn slots(&self) -> usize {
        self.notes.len()
    }

    pub fn note(&self, slot: usize) -> Option<&Note> {
        self.notes.get(slot)?.as_ref().map(|slot| &slot.note)
    }

    pub fn slot_of(&self, memory: MemoryId) -> Option<usize> {
        self.by_memory.get(&memory).map(|slot| *slot as usize)
    }

    /// Puts a note in place of what there was of the same memory.
    pub fn put(&mut self, note: Note) {
        self.remove(note.held.memory.id);
        let terms = terms_of(&note);
        let length = terms.iter().map(|(_, count)| u32::from(*count)).sum::<u32>();
        let slot = self.free.pop().unwrap_or_else(|| {
            self.notes.push(None);
            (self.notes.len() - 1) as u32
        });
        self.words.add(slot, &terms);
        self.keywords.add(slot, &note.held);
        self.vectors.add(slot, &note.vectors);
        self.length += u64::from(length);
        self.by_memory.insert(note.held.memory.id, slot);
        note.thread.into_iter().for_each(|thread| self.threads.add(slot, thread, note.held.memory.wall_ms));
        if let Some(place) = self.notes.get_mut(slot as usize) {
            *place = Some(Slot { note, length });
        }
    }

    pub fn remove(&mut self, memory: MemoryId) {
        let Some(slot) = self.by_memory.remove(&memory) else { return };
        let Some(gone) = self.notes.get_mut(slot as usize).and_then(Option::take) else { return };
        self.words.remove(slot, &terms_of(&gone.note));
        self.keywords.remove(slot, &gone.note.held);
        self.vectors.remove(slot);
        self.length -= u64::from(gone.length);
        gone.note.thread.into_iter().for_each(|thread| self.threads.remove(thread));
        self.free.push(slot);
    }

    /// About how much memory it takes.
    pub fn bytes(&self) -> usize {
        let text = |slot: &Slot| slot.note.held.memory.text.len() + size_of::<Slot>() + 256;
        self.notes.iter().flatten().map(text).sum::<usize>()
            + self.words.bytes()
            + self.keywords.bytes()
            + self.vectors.bytes()
            + self.threads.bytes()
    }

    /// By words, after BM25: rare words count for more, and what stands beside a note helps it.
    pub fn by_words(&self, said: &Said) -> Nearness {
        let mut near = vec![0.0; self.notes.len()];
        let mean = self.length as f32 / self.len().max(1) as f32;
        for (term, weight) in terms_of_said(said) {
            let with_it = self.words.of(term).count() as f32;
            let rarity = (1.0 + (self.len() as f32 - with_it + 0.5) / (with_it + 0.5)).ln();
            for posting in self.words.of(term) {
                let Some(Some(slot)) = self.notes.get(posting.slot as usize) else { continue };
                let count = f32::from(posting.count);
                let longer = 1.0 - LENGTH_WEIGHT + LENGTH_WEIGHT * slot.length as f32 / mean;
                let score = weight * rarity * count * (SATURATION + 1.0) / (count + SATURATION * longer);
                near.get_mut(posting.slot as usize).into_iter().for_each(|near| *near += score);
            }
        }
        self.threads.spread(&near)
    }

    /// Which notes have keywords in what is said: 1 for those that all of it names.
    pub fn by_keywords(&self, said: &Said) -> Nearness {
        self.keywords.search(said, self.notes.len())
    }

    /// The nearest by meaning of those that are admitted: so many, and all that are as near as the last of them.
    pub fn by_meaning(&self, query: &Vector, most: usize, is_admitted: &dyn Fn(usize) -> bool) -> Vec<Near> {
        self.vectors.nearest(query, most, is_admitted)
    }

    /// How near a note is by meaning; None if it has no vector.
    pub fn meaning_of(&self, query: &Vector, slot: usize) -> Option<f32> {
        self.vectors.cosine(query, slot as u32)
    }

    /// How near a note is on average: what is not nearer is not near.
    pub fn usual_meaning(&self, query: &Vector) -> f32 {
        self.vectors.mean_cosine(query)
    }
}

/// The terms by which a note is found, each once, with how often it stands there.
fn terms_of(note: &Note) -> Vec<(Term, u16)> {
    let memory = &note.held.memory;
    let labels = memory.keywords.iter().chain(&memory.topics).map(String::as_str);
    let mut terms: Vec<Term> = Vec::new();
    for text in [note.held.text(), &note.when].into_iter().chain(labels) {
        each_term(text, |term, _| terms.push(term));
    }
    terms.sort_unstable();
    let same = terms.chunk_by(|a, b| a == b);
    same.filter_map(|same| Some((*same.first()?, u16::try_from(same.len()).unwrap_or(u16::MAX)))).collect()
}

/// The terms of what is said, in their order, each once and as heavy as where it weighs most.
fn terms_of_said(said: &Said) -> Vec<(Term, f32)> {
    let mut terms: Vec<(Term, f32)> = Vec::new();
    let mut places: HashMap<Term, usize> = HashMap::new();
    for (text, part) in &said.parts {
        each_term(text, |term, tells| {
            let weight = part * tells;
            let place = *places.entry(term).or_insert(terms.len());
            match terms.get_mut(place) {
                Some((_, known)) => *known = known.max(weight),
                None => terms.push((term, weight)),
            }
        });
    }
    terms
}
