//! How does a mind take in what a store tells, and let go of it?

use std::sync::Arc;

use super::terms::{Term, each_term};
use super::{Mind, Note, Slot};
use crate::embed::Vector;
use crate::feeling::Feeling;
use crate::id::{LineId, MemoryId};
use crate::layers::Stand;
use crate::memory::{Held, Memory, Origin, Source};
use crate::recollection::{Kept, Place};
use crate::time::Calendar;

impl Mind {
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
        let known = self.slot_of(held.memory.id).and_then(|slot| self.note(slot));
        let note = match known.filter(|known| reads_the_same(&known.held, &held)) {
            Some(known) => known.as_now(held, place, names, calendar),
            None => Note::new(held, place, names, calendar),
        };
        self.put(note, &vectors);
    }

    /// Puts a note in place of what there was of the same memory. Vectors are of its text, or of its holder's rewording, in the
    /// mind's space.
    pub fn put(&mut self, note: Note, vectors: &[Vector]) {
        let known = self.by_memory.get(&note.held.memory.id).copied();
        let is_same = |known: &Arc<Note>| is_found_the_same(known, &note);
        // With every answer it changes how some memories stand, and none of their words. These stay where they are: to take one out of a
        // word that all notes have is to look through all notes.
        let same = known.filter(|slot| self.note(*slot as usize).is_some_and(is_same));
        if let Some((slot, before)) = same.and_then(|slot| Some((slot, self.leave(slot)?))) {
            return self.enter(slot, note, before.length, vectors);
        }
        self.remove(note.held.memory.id);
        let terms = terms_of(&note);
        let length = terms.iter().map(|(_, count)| u32::from(*count)).sum::<u32>();
        let slot = self.free.pop().unwrap_or_else(|| {
            self.notes.push(None);
            (self.notes.len() - 1) as u32
        });
        self.words.add(slot, &terms);
        self.keywords.add(slot, labels(&note));
        self.names.add(slot, &note.names);
        self.enter(slot, note, length, vectors);
    }

    pub fn remove(&mut self, memory: MemoryId) {
        let Some(slot) = self.by_memory.get(&memory).copied() else { return };
        let Some(Slot { note: gone, .. }) = self.leave(slot) else { return };
        self.words.remove(slot, &terms_of(&gone));
        self.keywords.remove(slot, labels(&gone));
        self.names.remove(slot, &gone.names);
        self.free.push(slot);
    }

    /// Puts a note into its place, besides its words.
    fn enter(&mut self, slot: u32, note: Note, length: u32, vectors: &[Vector]) {
        self.layout.take();
        self.languages.take();
        self.vectors.add(slot, vectors);
        self.moods.add(slot, &note);
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
            self.summaries.insert(slot);
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

    /// Takes a note out of its place, besides its words.
    fn leave(&mut self, slot: u32) -> Option<Slot> {
        let left = self.notes.get_mut(slot as usize).and_then(Option::take)?;
        self.layout.take();
        self.languages.take();
        let gone = &left.note;
        self.by_memory.remove(&gone.held.memory.id);
        self.vectors.remove(slot);
        self.moods.remove(gone);
        self.length -= u64::from(left.length);
        self.text_bytes -= bytes_of(gone);
        self.pinned.remove(&slot);
        self.summaries.remove(&slot);
        let line = last_line(&gone.held.memory);
        if let Some(line) = line.filter(|line| self.rounds.get(line) == Some(&slot)) {
            self.rounds.remove(&line);
        }
        for part in &gone.held.memory.from {
            let sums = self.sums.get_mut(part);
            if sums.is_some_and(|sums| sums.remove(&slot) && sums.is_empty()) {
                self.sums.remove(part);
            }
        }
        let of_kind = self.kinds.get_mut(&gone.held.memory.kind);
        of_kind.into_iter().for_each(|slots| _ = slots.remove(&slot));
        self.days.get_mut(slot as usize).into_iter().for_each(|day| *day = None);
        self.stands.get_mut(slot as usize).into_iter().for_each(|stand| *stand = None);
        thread(gone).into_iter().for_each(|place| self.threads.remove(place));
        Some(left)
    }
}

/// Whether both say the same in the same words, and tell of the same feelings.
fn reads_the_same(one: &Held, other: &Held) -> bool {
    one.text() == other.text() && one.memory.emotions == other.memory.emotions
}

/// Whether both are found by the same words, keywords and names.
fn is_found_the_same(one: &Note, other: &Note) -> bool {
    one.held.text() == other.held.text()
        && one.when == other.when
        && one.names == other.names
        && labels(one).eq(labels(other))
}

/// About what a note takes besides what finds it. What is read of a text once it was compared with others like it does not count:
/// few are.
fn bytes_of(note: &Note) -> usize {
    let memory = &note.held.memory;
    let words = memory.keywords.iter().chain(&memory.topics).chain(&memory.emotions).chain(&note.names);
    let own = note.held.state.text.as_deref().map_or(0, piece);
    let people = memory.about.iter().chain([&note.held.holder]);
    piece(&memory.text)
        + own
        + piece(&note.when)
        + words.map(|word| piece(word) + size_of::<String>()).sum::<usize>()
        + people.map(|id| piece(id.as_str()) + PIECE).sum::<usize>()
        + (memory.sources.capacity() + memory.from.capacity()) * size_of::<Source>()
        + note.feelings.capacity() * size_of::<(Feeling, f32)>()
        + size_of::<Note>()
        + LISTS * PIECE
}

/// A text of its own, as common allocators hand it out: with a word of theirs, in steps of 16 bytes, and never less than 32.
fn piece(text: &str) -> usize {
    (text.len() + size_of::<usize>()).next_multiple_of(PIECE).max(2 * PIECE)
}

const PIECE: usize = 16;
/// Pieces that a note has besides texts: itself, and its lists.
const LISTS: usize = 6;

/// Where it stands among what was said. Only rounds do: others tell of the same lines once more, and two cannot stand in one
/// place.
fn thread(note: &Note) -> Option<Place> {
    note.place.filter(|_| note.held.memory.origin == Origin::Round)
}

/// Of a round.
fn last_line(memory: &Memory) -> Option<LineId> {
    memory.sources.last().filter(|_| memory.origin == Origin::Round).map(|source| source.line)
}

/// Keywords and topics. Those that were taken from words which its holder has put into others are not meant any more.
pub(super) fn labels(note: &Note) -> impl Iterator<Item = &String> {
    let Held { memory, state, .. } = &note.held;
    let is_meant = |label: &&String| {
        state
            .text
            .as_ref()
            .is_none_or(|own| own.contains(label.as_str()) || !memory.text.contains(label.as_str()))
    };
    memory.keywords.iter().chain(&memory.topics).filter(is_meant)
}

/// The terms by which a note is found, each once, with how often it stands there.
fn terms_of(note: &Note) -> Vec<(Term, u16)> {
    let labels = labels(note).map(String::as_str);
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
