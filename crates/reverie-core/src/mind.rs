//! What could a character recall, and how near is each of it to what is being said?
//!
//! A mind is made from what a store keeps, and can be thrown away at any time. Whatever order its notes came in, it gives the
//! same answers: sums run in the order of the query, and means are kept in whole numbers.

mod asked;
mod phrases;
mod postings;
mod related;
pub mod terms;
mod threads;
mod vectors;
pub mod when;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};

use crate::digest::meant;
use crate::embed::{Tongue, Vector};
use crate::feeling::{Feeling, felt, named};
use crate::id::{LineId, MemoryId};
use crate::layers::{LayerRules, Order, Stand};
use crate::map::Layout;
use crate::memory::{Held, Kind, Memory, Origin};
use crate::recollection::{Kept, Place};
use crate::time::{Calendar, Moment};
use crate::time_words::day_of;
use asked::{rarity, terms_of_said};
use phrases::Phrases;
use postings::Postings;
pub use related::{Links, Related};
use terms::{Term, each_term};
use threads::Threads;
pub use vectors::Near;
use vectors::Vectors;
use when::Stretch;

/// A memory, and what finding it needs besides.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    pub held: Held,
    /// Where it stands in a conversation.
    pub place: Option<Place>,
    /// What those whom it is about are called.
    pub names: Vec<String>,
    /// Words for when it was.
    pub when: String,
    /// The number of the day on which it was; None: nobody knows.
    pub day: Option<i64>,
    /// What was felt: as its emotions say, else as its words do.
    pub feelings: Vec<(Feeling, f32)>,
    /// What it is written in.
    pub tongue: Option<Tongue>,
}

impl Note {
    /// `calendar` is the world's own.
    pub fn new(held: Held, place: Option<Place>, names: Vec<String>, calendar: Option<&Calendar>) -> Self {
        let memory = &held.memory;
        let moment = Moment { tick: memory.tick, wall_ms: Some(memory.wall_ms) };
        let when = when::words(moment, calendar);
        let told = memory.emotions.iter().filter_map(|emotion| Some((named(emotion)?, 1.0)));
        let told: Vec<(Feeling, f32)> = told.collect();
        let feelings = if memory.emotions.is_empty() { felt(held.text()) } else { told };
        let tongue = Tongue::of(&meant(held.text()));
        Self { day: day_of(moment, calendar), held, place, names, when, feelings, tongue }
    }
}

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
    /// Of all notes together.
    length: u64,
    text_bytes: usize,
    pinned: BTreeSet<u32>,
    kinds: BTreeMap<Kind, BTreeSet<u32>>,
    /// By the last line of each round.
    rounds: HashMap<LineId, u32>,
    /// What sums a memory up.
    sums: BTreeMap<MemoryId, BTreeSet<u32>>,
    /// By slot: the day of each note.
    days: Vec<Option<i64>>,
    /// By slot: what decides about its place among the others.
    stands: Vec<Option<Stand>>,
    /// Where all of it lies on a map, once somebody asked.
    layout: OnceLock<Arc<Layout>>,
}

#[derive(Debug)]
struct Slot {
    note: Arc<Note>,
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

    /// Makes room for what a store told, before it is kept.
    pub fn expect(&mut self, all: &[Kept]) {
        let vectors = all.iter().flat_map(|kept| &kept.vectors);
        if let Some(first) = vectors.clone().next() {
            self.vectors.expect(vectors.count(), first);
        }
        self.by_memory.reserve(all.len());
    }

    /// What a store told, in place of what there was of the same memory.
    pub fn keep(&mut self, kept: Kept, calendar: Option<&Calendar>) {
        let Kept { held, place, names, vectors } = kept;
        self.put(Note::new(held, place, names, calendar), &vectors);
    }

    /// Puts a note in place of what there was of the same memory. Vectors are of its text, or of its holder's rewording, in the
    /// mind's space.
    pub fn put(&mut self, note: Note, vectors: &[Vector]) {
        self.remove(note.held.memory.id);
        self.layout.take();
        let terms = terms_of(&note);
        let length = terms.iter().map(|(_, count)| u32::from(*count)).sum::<u32>();
        let slot = self.free.pop().unwrap_or_else(|| {
            self.notes.push(None);
            (self.notes.len() - 1) as u32
        });
        self.words.add(slot, &terms);
        self.keywords.add(slot, labels(&note));
        self.names.add(slot, &note.names);
        self.vectors.add(slot, vectors);
        self.length += u64::from(length);
        self.text_bytes += bytes_of(&note);
        let Held { memory, state, .. } = &note.held;
        if state.pinned {
            self.pinned.insert(slot);
        }
        self.kinds.entry(memory.kind).or_default().insert(slot);
        self.rounds.extend(last_line(memory).map(|line| (line, slot)));
        for part in &memory.from {
            self.sums.entry(*part).or_default().insert(slot);
        }
        self.days.resize(self.notes.len(), None);
        self.days.get_mut(slot as usize).into_iter().for_each(|day| *day = note.day);
        self.stands.resize(self.notes.len(), None);
        self.stands.get_mut(slot as usize).into_iter().for_each(|stand| *stand = Some(Stand::of(&note.held)));
        self.by_memory.insert(note.held.memory.id, slot);
        let wall_ms = note.held.memory.wall_ms;
        thread(&note).into_iter().for_each(|place| self.threads.add(slot, place, wall_ms));
        if let Some(place) = self.notes.get_mut(slot as usize) {
            *place = Some(Slot { note: Arc::new(note), length });
        }
    }

    pub fn remove(&mut self, memory: MemoryId) {
        let Some(slot) = self.by_memory.remove(&memory) else { return };
        self.layout.take();
        let Some(gone) = self.notes.get_mut(slot as usize).and_then(Option::take) else { return };
        self.words.remove(slot, &terms_of(&gone.note));
        self.keywords.remove(slot, labels(&gone.note));
        self.names.remove(slot, &gone.note.names);
        self.vectors.remove(slot);
        self.length -= u64::from(gone.length);
        self.text_bytes -= bytes_of(&gone.note);
        self.pinned.remove(&slot);
        if let Some(line) =
            last_line(&gone.note.held.memory).filter(|line| self.rounds.get(line) == Some(&slot))
        {
            self.rounds.remove(&line);
        }
        for part in &gone.note.held.memory.from {
            let sums = self.sums.get_mut(part);
            if sums.is_some_and(|sums| sums.remove(&slot) && sums.is_empty()) {
                self.sums.remove(part);
            }
        }
        let of_kind = self.kinds.get_mut(&gone.note.held.memory.kind);
        of_kind.into_iter().for_each(|slots| _ = slots.remove(&slot));
        self.days.get_mut(slot as usize).into_iter().for_each(|day| *day = None);
        self.stands.get_mut(slot as usize).into_iter().for_each(|stand| *stand = None);
        thread(&gone.note).into_iter().for_each(|place| self.threads.remove(place));
        self.free.push(slot);
    }

    /// About how much memory it takes.
    pub fn bytes(&self) -> usize {
        self.text_bytes
            + self.notes.capacity() * size_of::<Option<Slot>>()
            + self.word_bytes()
            + self.vector_bytes()
            + self.threads.bytes()
            + self.rounds.len() * 24
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

    /// By words, after BM25: rare words count for more, and what stands beside a note helps it, unless that is what is
    /// being said.
    pub fn by_words(&self, said: &Said, being_said: &[usize]) -> Nearness {
        let mut near = vec![0.0; self.notes.len()];
        let mean = self.length as f32 / self.len().max(1) as f32;
        for asked in terms_of_said(said, &self.names) {
            let with_it = self.words.of(asked.term).count() as f32;
            let rarity = rarity(self.len() as f32, with_it, &asked);
            for posting in self.words.of(asked.term) {
                let Some(Some(slot)) = self.notes.get(posting.slot as usize) else { continue };
                let count = f32::from(posting.count);
                let longer = 1.0 - LENGTH_WEIGHT + LENGTH_WEIGHT * slot.length as f32 / mean;
                let score =
                    asked.weight * rarity * count * (SATURATION + 1.0) / (count + SATURATION * longer);
                near.get_mut(posting.slot as usize).into_iter().for_each(|near| *near += score);
            }
        }
        let own: Vec<f32> =
            being_said.iter().filter_map(|slot| near.get_mut(*slot).map(std::mem::take)).collect();
        let mut near = self.threads.spread(&near);
        for (slot, own) in being_said.iter().zip(own) {
            near.get_mut(*slot).into_iter().for_each(|near| *near = own);
        }
        near
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

    /// Which notes have keywords in what is said: 1 for those that all of it names.
    pub fn by_keywords(&self, said: &Said) -> Nearness {
        self.keywords.search(said, self.notes.len(), |_| 1.0 / ENOUGH_KEYWORDS)
    }

    /// Which notes are about somebody who is named: the rarer notes about them are, the nearer.
    pub fn by_names(&self, said: &Said) -> Nearness {
        let all = (1.0 + self.len() as f32).ln().max(f32::MIN_POSITIVE);
        let rarity = |notes: usize| (1.0 + self.len() as f32 / notes.max(1) as f32).ln() / all;
        self.names.search(said, self.notes.len(), rarity)
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
        self.days.iter().map(|day| day.map_or(0.0, near)).collect()
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
    fn tells_what_is_usual(&self) -> f32 {
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
        let stands = (0..).zip(&self.stands);
        Order::new(stands.filter_map(|(slot, stand)| Some((slot, stand.as_ref()?))), rules)
    }

    /// What stands right before a note and right behind it.
    pub fn neighbours(&self, slot: usize) -> impl Iterator<Item = usize> {
        self.threads.neighbours(slot).map(|slot| slot as usize)
    }
}

/// So many notes know half of what is usual.
const FEW_NOTES: f32 = 2.0;
/// A stretch of so many days still tells which are meant.
const TELLING_DAYS: f32 = 92.0;
/// A note with so many keywords in what is said is as near as can be.
const ENOUGH_KEYWORDS: f32 = 3.0;

/// About what a note takes besides what finds it.
fn bytes_of(note: &Note) -> usize {
    let memory = &note.held.memory;
    let words = memory.keywords.iter().chain(&memory.topics).chain(&memory.emotions).chain(&note.names);
    let own = note.held.state.text.as_ref().map_or(0, String::len);
    memory.text.len()
        + own
        + note.when.len()
        + words.map(|word| word.len() + size_of::<String>()).sum::<usize>()
        + (memory.sources.len() + memory.from.len()) * 16
        + size_of::<Note>()
        + 64
}

/// Where it stands among what was said. Only rounds do: others tell of the same lines once more, and two cannot stand in one
/// place.
fn thread(note: &Note) -> Option<Place> {
    note.place.filter(|_| note.held.memory.origin == Origin::Round)
}

/// Of a round.
fn last_line(memory: &Memory) -> Option<LineId> {
    memory.sources.last().filter(|_| memory.origin == Origin::Round).map(|source| source.line)
}

fn labels(note: &Note) -> impl Iterator<Item = &String> {
    note.held.memory.keywords.iter().chain(&note.held.memory.topics)
}

/// The terms by which a note is found, each once, with how often it stands there.
fn terms_of(note: &Note) -> Vec<(Term, u16)> {
    let memory = &note.held.memory;
    let labels = memory.keywords.iter().chain(&memory.topics).map(String::as_str);
    let mut terms: Vec<Term> = Vec::new();
    let own = note.held.text();
    // Whoever is named in it is named once.
    let names = note.names.iter().map(String::as_str).filter(|name| !own.contains(name));
    for text in [own, &note.when].into_iter().chain(labels).chain(names) {
        each_term(text, |term, _| terms.push(term));
    }
    terms.sort_unstable();
    let same = terms.chunk_by(|a, b| a == b);
    same.filter_map(|same| Some((*same.first()?, u16::try_from(same.len()).unwrap_or(u16::MAX)))).collect()
}
