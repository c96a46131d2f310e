//! What could a character recall, and how near is each of it to what is being said?
//!
//! A mind is made from what a store keeps, and can be thrown away at any time. Whatever order its notes came in, it gives the
//! same answers: sums run in the order of the query, and means are kept in whole numbers.

mod asked;
mod irregular;
mod keeping;
mod moods;
mod people;
pub(crate) mod phrases;
mod postings;
mod related;
mod repeating;
mod spoken;
pub mod terms;
mod threads;
mod vectors;
pub mod when;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};

use crate::digest::meant;
use crate::embed::{Languages, Tongue, Vector};
use crate::feeling::{Feeling, felt, named, says_something};
use crate::id::{LineId, MemoryId};
use crate::layers::{LayerRules, Order, Stand};
use crate::likeness::Outline;
use crate::map::Layout;
use crate::memory::{Held, Kind};
use crate::recollection::Place;
use crate::time::Calendar;
use crate::time_words::day_of;
use asked::{rarity, right_now, terms_of_said};
pub use moods::Mood;
use moods::Moods;
use phrases::{Phrases, faded};
use postings::Postings;
pub(crate) use related::Relating;
pub use related::{Links, Related};
pub(crate) use terms::{Term, each_term};
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
    /// Of its text.
    pub(crate) outline: Outline,
}

impl Note {
    /// `calendar` is the world's own.
    pub fn new(held: Held, place: Option<Place>, names: Vec<String>, calendar: Option<&Calendar>) -> Self {
        let told = held.memory.emotions.iter().filter_map(|emotion| Some((named(emotion)?, 1.0)));
        let told: Vec<(Feeling, f32)> = told.collect();
        let is_told_of = held.memory.emotions.iter().any(|emotion| says_something(emotion));
        let feelings = if is_told_of { told } else { felt(held.text()) };
        let tongue = Tongue::of(&meant(held.text()));
        let moment = held.memory.moment();
        let when = when::words(moment, calendar);
        let outline = Outline::of(held.text());
        Self { day: day_of(moment, calendar), held, place, names, when, feelings, tongue, outline }
    }

    /// The same memory as it stands now, with the same words: what they are and what is felt in them need not be found out again.
    fn as_now(
        &self,
        held: Held,
        place: Option<Place>,
        names: Vec<String>,
        calendar: Option<&Calendar>,
    ) -> Self {
        let moment = held.memory.moment();
        let when = when::words(moment, calendar);
        let (feelings, tongue, outline) = (self.feelings.clone(), self.tongue, self.outline.clone());
        Self { day: day_of(moment, calendar), held, place, names, when, feelings, tongue, outline }
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

/// What is being said, in parts: the newest weighs 1.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Said {
    pub parts: Vec<(String, f32)>,
    /// What those who are named in it are called, said or not: words that name somebody.
    pub names: Vec<(String, f32)>,
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
        Self { parts, names: Vec::new() }
    }

    /// What was said last, as it was said: names that are spelled out stand behind it.
    pub(crate) fn newest(&self) -> Option<&str> {
        self.parts.iter().find(|(_, weight)| *weight >= 1.0).map(|(text, _)| text.as_str())
    }
}

/// How near the notes of a mind are to something, by their slots; those that are not near at all are 0.
pub type Nearness = Vec<f32>;

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
            + (self.len() + self.pinned.len() + self.sums.len() * 2) * IN_A_TREE
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
    pub fn by_keywords(&self, said: &Said) -> ByKeywords {
        let worth = |notes: usize, weight: f32| {
            let all = faded(weight) / ENOUGH_KEYWORDS;
            let rare = rarity_among(self.len() as f32, notes).powi(2);
            [all, all * rare, faded(right_now(weight)) / ENOUGH_KEYWORDS]
        };
        let [near, rare, now] = self.keywords.search(said, self.notes.len(), worth);
        ByKeywords { near, rare, now }
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

/// What it says that a note is one of so many: 1 for the only one.
fn rarity_among(all: f32, notes: usize) -> f32 {
    (1.0 + all / notes.max(1) as f32).ln() / (1.0 + all).ln().max(f32::MIN_POSITIVE)
}

/// A number that leads to a slot, with what the table keeps free.
const IN_A_TABLE: usize = 20;
/// A slot in a tree that is as full as trees are.
const IN_A_TREE: usize = 8;
/// So many notes know half of what is usual.
const FEW_NOTES: f32 = 2.0;
/// A stretch of so many days still tells which are meant.
const TELLING_DAYS: f32 = 92.0;
/// A note with so many keywords in what is said is as near as can be.
const ENOUGH_KEYWORDS: f32 = 3.0;
