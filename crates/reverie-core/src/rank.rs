//! In what order do memories come to mind?
//!
//! Each leg says how near a memory is to what is being said, from 0 to 1. Words and meaning are weighed against the best that
//! they found, because what either finds best in one question is worth more than in another; how good that best is counts for
//! all that it found. The other legs speak for themselves: a keyword alone brings a memory to mind.

use crate::embed::Vector;
use crate::mind::{Mind, Note, Said};

/// What is being said, for all legs.
#[derive(Debug, Clone, Default)]
pub struct Question {
    pub said: Said,
    /// Its place in the mind's space. None: nobody knows, and meaning says nothing.
    pub meaning: Option<Vector>,
}

/// How much each leg says; 0 silences it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    pub lexical: f32,
    pub semantic: f32,
    pub keyword: f32,
}

impl Default for Weights {
    fn default() -> Self {
        Self { lexical: 1.0, semantic: 1.0, keyword: 0.5 }
    }
}

/// How near a memory is by each leg.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Parts {
    pub lexical: f32,
    pub semantic: f32,
    pub keyword: f32,
}

/// A memory that came to mind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    pub slot: usize,
    pub parts: Parts,
    pub score: f32,
}

/// Words that are as rare as this sum make a memory half as near as can be.
const HALF_WORDS: f32 = 4.0;
/// Of what each leg finds, so many are looked at by all legs.
const LOOKED_AT: usize = 200;

/// What comes to mind, the nearest first; of equals the one that was remembered first. `admits` says which memories may come to
/// mind at all.
pub fn recollect(
    mind: &Mind,
    question: &Question,
    weights: &Weights,
    admits: &dyn Fn(&Note) -> bool,
) -> Vec<Candidate> {
    let is_admitted = |slot: usize| mind.note(slot).is_some_and(admits);
    let said = &question.said;
    let words = if weights.lexical > 0.0 { mind.by_words(said) } else { Vec::new() };
    let keywords = if weights.keyword > 0.0 { mind.by_keywords(said) } else { Vec::new() };
    let meaning = question.meaning.as_ref().filter(|_| weights.semantic > 0.0);
    let near = meaning.map(|meaning| mind.by_meaning(meaning, LOOKED_AT, &is_admitted)).unwrap_or_default();
    let mut slots: Vec<usize> = near.iter().map(|near| near.slot).collect();
    slots.extend(nearest(&words, &is_admitted));
    slots.extend(nearest(&keywords, &is_admitted));
    slots.sort_unstable();
    slots.dedup();
    let of = |near: &[f32], slot: usize| near.get(slot).copied().unwrap_or_default();
    let words = Leg::new(slots.iter().map(|slot| of(&words, *slot)), |best| best / (best + HALF_WORDS));
    let meaning = meaning.map(|meaning| by_meaning(mind, meaning, &slots)).unwrap_or_default();
    let (lexical, semantic) = (words.weight(weights.lexical), meaning.weight(weights.semantic));
    let best = 1.0 - (1.0 - words.best) * (1.0 - meaning.best);
    let mut found: Vec<Candidate> = Vec::with_capacity(slots.len());
    for (place, slot) in slots.into_iter().enumerate() {
        let (by_words, by_meaning) = (of(&words.near, place), of(&meaning.near, place));
        let keyword = of(&keywords, slot);
        let near = (lexical * by_words + semantic * by_meaning) / (lexical + semantic).max(f32::MIN_POSITIVE);
        let score = 1.0 - (1.0 - best * near) * (1.0 - weights.keyword.min(1.0) * keyword);
        let parts = Parts { lexical: words.best * by_words, semantic: meaning.best * by_meaning, keyword };
        if score > 0.0 {
            found.push(Candidate { slot, parts, score });
        }
    }
    let id = |candidate: &Candidate| mind.note(candidate.slot).map(|note| note.held.memory.id);
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| id(a).cmp(&id(b))));
    found
}

/// The slots of the nearest, and of all that are as near as the last of them.
fn nearest(near: &[f32], is_admitted: &dyn Fn(usize) -> bool) -> Vec<usize> {
    let mut found: Vec<(f32, usize)> =
        near.iter().enumerate().filter(|(_, near)| **near > 0.0).map(|(slot, near)| (*near, slot)).collect();
    found.retain(|(_, slot)| is_admitted(*slot));
    if found.len() > LOOKED_AT {
        let (_, last, _) = found.select_nth_unstable_by(LOOKED_AT - 1, |a, b| b.0.total_cmp(&a.0));
        let least = last.0;
        found.retain(|(near, _)| *near >= least);
    }
    found.into_iter().map(|(_, slot)| slot).collect()
}

/// What is no nearer than usual is not near.
fn by_meaning(mind: &Mind, meaning: &Vector, slots: &[usize]) -> Leg {
    let usual = mind.usual_meaning(meaning);
    let above =
        |slot: &usize| mind.meaning_of(meaning, *slot).map_or(0.0, |cosine| (cosine - usual).max(0.0));
    Leg::new(slots.iter().map(above), |best| best / (1.0 - usual).max(best))
}

/// What a leg says of each candidate, measured by its best.
#[derive(Default)]
struct Leg {
    /// 1 for the best.
    near: Vec<f32>,
    /// How near the best is.
    best: f32,
}

impl Leg {
    fn new(near: impl Iterator<Item = f32>, how_near: impl Fn(f32) -> f32) -> Self {
        let mut near: Vec<f32> = near.collect();
        let best = near.iter().copied().fold(0.0, f32::max);
        if best <= 0.0 {
            return Self::default();
        }
        near.iter_mut().for_each(|near| *near /= best);
        Self { near, best: how_near(best) }
    }

    /// A leg that found nothing has no say.
    fn weight(&self, weight: f32) -> f32 {
        if self.near.is_empty() { 0.0 } else { weight }
    }
}
