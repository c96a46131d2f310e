//! Does the space of meanings speak the language of the notes, as far as the notes themselves can tell?
//!
//! Of two notes that share rare words, a space that speaks their language knows that they are near. So each note of a sample is held
//! against the one that shares most with it: of all others in the sample, how many are further away? By chance half of them are. This
//! is only asked where nobody could ask the embedder, costs a few milliseconds, and is known until a note changes.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::terms::{Term, each_term};
use super::{Mind, Note};
use crate::embed::{Evidence, Languages, Tongue, Vector};
use crate::id::MemoryId;

/// So many notes of a language are looked at.
const SAMPLE: usize = 128;
/// Fewer notes share words by chance, and tell nothing.
const ENOUGH: usize = 16;
/// What more notes share is not rare.
const RARE: usize = 16;
/// Of few notes, so large a part.
const RARE_PART: usize = 4;
/// What a long note shares with many says less; a short one is taken to have so many words more.
const SHORT: f32 = 5.0;

/// A note of the sample.
struct Sampled<'m> {
    memory: MemoryId,
    slot: usize,
    note: &'m Arc<Note>,
}

impl Mind {
    /// How well this mind's space speaks each language, as its notes tell. Found out once, until something changes.
    pub fn languages(&self) -> Languages {
        *self.languages.get_or_init(|| Languages::seen(Tongue::ALL.map(|tongue| self.evidence(tongue))))
    }

    /// What the notes of one language tell of that.
    pub fn evidence(&self, tongue: Tongue) -> Evidence {
        let sample = self.sample(tongue);
        let mut evidence = Evidence::default();
        if sample.len() < ENOUGH {
            return evidence;
        }
        for one in &sample {
            let meaning = self.vectors.chunks_of(one.slot as u32).next();
            let Some(meaning) = meaning.map(|chunk| Vector(chunk.into())) else { continue };
            let Some(other) = self.sharing_most(one, tongue) else { continue };
            let Some(near) = self.meaning_of(&meaning, other) else { continue };
            let others = sample.iter().filter(|third| third.slot != one.slot && third.slot != other);
            let cosines = others.filter_map(|third| self.meaning_of(&meaning, third.slot));
            let (mut further, mut met) = (0usize, 0usize);
            for cosine in cosines {
                met += 1;
                further += usize::from(cosine < near);
            }
            evidence.add(further, met);
        }
        evidence
    }

    /// Notes with a place in the space, evenly from all that were remembered; whatever slots they are in.
    fn sample(&self, tongue: Tongue) -> Vec<Sampled<'_>> {
        let is_placed = |slot: usize| self.vectors.of(slot as u32) > 0;
        let mut all: Vec<Sampled<'_>> = self
            .notes()
            .filter(|(slot, note)| note.tongue == Some(tongue) && is_placed(*slot))
            .map(|(slot, note)| Sampled { memory: note.held.memory.id, slot, note })
            .collect();
        all.sort_unstable_by_key(|one| one.memory);
        let step = all.len().div_ceil(SAMPLE).max(1);
        all.into_iter().step_by(step).collect()
    }

    /// The note that shares most rare words with one, if any does; not one that says the very same.
    fn sharing_most(&self, one: &Sampled<'_>, tongue: Tongue) -> Option<usize> {
        let all = self.len() as f32;
        let most = RARE.min(self.len() / RARE_PART).max(2);
        let mut shared: HashMap<u32, f32> = HashMap::new();
        // Dates and names that stand beside the text are not in its meaning, and a single character says too little.
        let mut terms: BTreeSet<Term> = BTreeSet::new();
        each_term(one.note.held.text(), |term, tells| {
            if tells >= 1.0 {
                terms.insert(term);
            }
        });
        for term in terms {
            let found = self.words.of(term);
            let count = found.clone().take(most + 1).count();
            if (2..=most).contains(&count) {
                let tells = (1.0 + (all - count as f32 + 0.5) / (count as f32 + 0.5)).ln();
                found.for_each(|posting| *shared.entry(posting.slot).or_default() += tells);
            }
        }
        let text = one.note.held.text();
        let mut best: Option<(f32, MemoryId, usize)> = None;
        for (slot, shared) in shared {
            let slot = slot as usize;
            let Some(other) = self.notes.get(slot).and_then(Option::as_ref) else { continue };
            let is_other =
                slot != one.slot && other.note.tongue == Some(tongue) && other.note.held.text() != text;
            if !is_other || self.vectors.of(slot as u32) == 0 {
                continue;
            }
            let share = shared / (other.length as f32 + SHORT).sqrt();
            let memory = other.note.held.memory.id;
            let is_better = best.is_none_or(|(known, earlier, _)| {
                share.total_cmp(&known).then_with(|| earlier.cmp(&memory)).is_gt()
            });
            if is_better {
                best = Some((share, memory, slot));
            }
        }
        best.map(|(_, _, slot)| slot)
    }
}
