//! What could a character recall, and how near is each of it to what is being said?
//!
//! A mind is made from what a store keeps, and can be thrown away at any time. Whatever order its notes came in, it gives the
//! same answers: sums run in the order of the query, and means are kept in whole numbers.

mod asked;
mod by_words;
mod irregular;
mod keeping;
mod moods;
mod note;
mod people;
pub(crate) mod phrases;
mod postings;
mod related;
mod repeating;
mod said;
mod spoken;
pub mod terms;
mod threads;
mod vectors;
pub mod when;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};

use crate::embed::{Languages, Vector};
use crate::id::{LineId, MemoryId};
use crate::layers::{LayerRules, Order, Stand};
use crate::map::Layout;
use crate::memory::Kind;
pub use by_words::{ByKeywords, ByWords};
pub use moods::Mood;
use moods::Moods;
pub use note::Note;
use phrases::Phrases;
use postings::Postings;
pub(crate) use related::Relating;
pub use related::{Links, Related};
pub use said::Said;
pub(crate) use terms::{Term, each_term};
use threads::Threads;
pub use vectors::Near;
use vectors::Vectors;
use when::Stretch;

#[derive(Debug, Default)]
pub struct Mind {
    notes: Vec<Option<Slot>>,
    free: Vec<u32>,
    by_memory: HashMap<MemoryId, u32>,
    threads: Threads,
    words: Postings,
    keywords: Phrases,
    names: Phrases,
    vectors: Vectors,
    moods: Moods,
    /// Of all notes together.
    length: u64,
    text_bytes: usize,
    pinned: BTreeSet<u32>,
    kinds: BTreeMap<Kind, BTreeSet<u32>>,
    /// By the last line of each round.
    rounds: HashMap<LineId, u32>,
    /// What sums a memory up.
    sums: BTreeMap<MemoryId, BTreeSet<u32>>,
    /// Those that sum something up.
    summaries: BTreeSet<u32>,
    /// By slot: the day of each note.
    days: Vec<Option<i64>>,
    /// By slot: what decides about its place among the others.
    stands: Vec<Option<Stand>>,
    /// Where all of it lies on a map, once somebody asked.
    layout: OnceLock<Arc<Layout>>,
    /// What the notes tell of the languages that their space speaks, once somebody asked.
    languages: OnceLock<Languages>,
}

#[derive(Debug)]
struct Slot {
    note: Arc<Note>,
    /// How many terms it has.
    length: u32,
}

/// How near the notes of a mind are to something, by their slots; those that are not near at all are 0.
pub type Nearness = Vec<f32>;

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

    pub fn note(&self, slot: usize) -> Option<&Arc<Note>> {
        self.notes.get(slot)?.as_ref().map(|slot| &slot.note)
    }

    /// All notes with their slots.
    pub fn notes(&self) -> impl Iterator<Item = (usize, &Arc<Note>)> {
        self.notes.iter().enumerate().filter_map(|(slot, note)| Some((slot, &note.as_ref()?.note)))
    }

    pub fn slot_of(&self, memory: MemoryId) -> Option<usize> {
        self.by_memory.get(&memory).map(|slot| *slot as usize)
    }

    /// About how much memory it takes.
    pub fn bytes(&self) -> usize {
        self.text_bytes
            + self.notes.capacity() * size_of::<Option<Slot>>()
            + self.word_bytes()
            + self.vector_bytes()
            + self.threads.bytes()
            + self.moods.bytes()
            + (self.rounds.capacity() + self.by_memory.capacity()) * IN_A_TABLE
            + (self.len() + self.pinned.len() + self.summaries.len() + self.sums.len() * 2) * IN_A_TREE
            + self.days.capacity() * size_of::<Option<i64>>()
            + self.stands.capacity() * size_of::<Option<Stand>>()
    }

    /// What vectors take of it.
    pub fn vector_bytes(&self) -> usize {
        self.vectors.bytes()
    }

    /// What the indexes of words, keywords and names take of it.
    pub fn word_bytes(&self) -> usize {
        self.words.bytes() + self.keywords.bytes() + self.names.bytes()
    }

    /// The notes of rounds that have all their lines among these, and of what sums up nothing else.
    pub fn made_of_these(&self, lines: &BTreeSet<LineId>) -> Vec<usize> {
        let rounds = lines.iter().filter_map(|line| self.rounds.get(line)).map(|slot| *slot as usize);
        let is_whole = |slot: &usize| {
            self.note(*slot).is_some_and(|note| {
                note.held.memory.sources.iter().all(|source| lines.contains(&source.line))
            })
        };
        let mut these: Vec<usize> = rounds.filter(is_whole).collect();
        let mut next = 0;
        while let Some(memory) =
            these.get(next).and_then(|slot| self.note(*slot)).map(|note| note.held.memory.id)
        {
            next += 1;
            for sum in self.sums.get(&memory).into_iter().flatten().map(|slot| *slot as usize) {
                let is_among =
                    |part: &MemoryId| self.slot_of(*part).is_some_and(|slot| these.contains(&slot));
                let is_made_of_these =
                    self.note(sum).is_some_and(|note| note.held.memory.from.iter().all(is_among));
                if is_made_of_these && !these.contains(&sum) {
                    these.push(sum);
                }
            }
        }
        these
    }

    /// Notes of these days: 1 for what a week, a month or a season holds; a year says little.
    /// Of these days it is said all the time, and seldom to ask about them: what is now counts by half.
    pub fn by_days(&self, days: &[Stretch]) -> Nearness {
        if days.is_empty() {
            return Vec::new();
        }
        let tells = |days: &Stretch| {
            let tells = (TELLING_DAYS / (days.last - days.first + 1).max(1) as f32).min(1.0);
            if days.is_now { tells / 2.0 } else { tells }
        };
        let near = |day: i64| {
            let met = days.iter().filter(|days| (days.first..=days.last).contains(&day));
            met.map(tells).fold(0.0, f32::max)
        };
        let mut found: Nearness = self.days.iter().map(|day| day.map_or(0.0, near)).collect();
        // What sums up several days is of each of them, and of none as what happened then is.
        for slot in &self.summaries {
            let Some(note) = self.note(*slot as usize) else { continue };
            let parts = note.held.memory.from.iter().filter_map(|part| self.slot_of(*part));
            let of: BTreeSet<i64> = parts.filter_map(|part| self.days.get(part).copied().flatten()).collect();
            if of.len() > 1 {
                let share = of.iter().map(|day| near(*day)).sum::<f32>() / of.len() as f32;
                found.get_mut(*slot as usize).into_iter().for_each(|near| *near = share);
            }
        }
        found
    }

    /// Notes that are pinned.
    pub fn pinned(&self) -> impl Iterator<Item = usize> {
        self.pinned.iter().map(|slot| *slot as usize)
    }

    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = usize> {
        self.kinds.get(&kind).into_iter().flatten().map(|slot| *slot as usize)
    }

    /// The nearest by meaning of those that are admitted: so many, and all that are as near as the last of them.
    pub fn by_meaning(&self, query: &Vector, most: usize, is_admitted: &dyn Fn(usize) -> bool) -> Vec<Near> {
        self.vectors.nearest(query, most, is_admitted)
    }

    /// Whether any memory but these has a place in the space of meanings.
    pub fn has_vectors_besides(&self, these: &BTreeSet<MemoryId>) -> bool {
        let slots = these.iter().filter_map(|memory| self.by_memory.get(memory));
        self.vectors.len() > slots.map(|slot| self.vectors.of(*slot)).sum()
    }

    /// How near a note is by meaning; None if it has no vector.
    pub fn meaning_of(&self, query: &Vector, slot: usize) -> Option<f32> {
        self.vectors.cosine(query, slot as u32)
    }

    /// What is asked, without a share of what all notes have in common.
    pub fn without_common(&self, query: &Vector, share: f32) -> Option<Vector> {
        self.vectors.without_common(query, share * self.tells_what_is_usual())
    }

    /// A few notes tell little of what is usual.
    pub(crate) fn tells_what_is_usual(&self) -> f32 {
        let notes = self.len() as f32;
        notes * notes / (notes * notes + FEW_NOTES * FEW_NOTES)
    }

    /// How near a note is on average: what is not nearer is not near.
    pub fn usual_meaning(&self, query: &Vector) -> f32 {
        self.vectors.mean_cosine(query) * self.tells_what_is_usual()
    }

    /// Where a note stands in the space of meanings, each of its chunks.
    pub(crate) fn chunks_of(&self, slot: usize) -> impl Iterator<Item = &[f32]> {
        self.vectors.chunks_of(slot as u32)
    }

    /// The mean of all that has a place in the space of meanings.
    pub(crate) fn common_meaning(&self) -> Vec<f32> {
        self.vectors.mean()
    }

    /// Where all of it lies on a map. Found out once, until something changes.
    pub(crate) fn layout(&self) -> Arc<Layout> {
        Arc::clone(self.layout.get_or_init(|| Arc::new(Layout::of(self))))
    }

    /// How the notes are ordered, whatever the time is.
    pub(crate) fn order(&self, rules: &LayerRules) -> Order {
        // The newest stand last, nearly always.
        let newest_first = self.stands.iter().enumerate().rev();
        Order::new(newest_first.filter_map(|(slot, stand)| Some((slot as u32, stand.as_ref()?))), rules)
    }

    /// What stands right before a note and right behind it.
    pub fn neighbours(&self, slot: usize) -> impl Iterator<Item = usize> {
        self.threads.neighbours(slot).map(|slot| slot as usize)
    }
}

/// A number that leads to a slot, with what the table keeps free.
const IN_A_TABLE: usize = 20;
/// A slot in a tree that is as full as trees are.
const IN_A_TREE: usize = 8;
/// So many notes know half of what is usual.
const FEW_NOTES: f32 = 2.0;
/// A stretch of so many days still tells which are meant.
const TELLING_DAYS: f32 = 92.0;
