//! Which notes have a keyword or a name that is being said?
//!
//! These change with every memory, so there is no automaton to build again each time: what is said is short, and each of its
//! stretches that could be a keyword is looked up.

use super::Said;
use super::postings::Postings;
use super::terms::{SPELLING, Term};
use crate::words::is_written_together;

#[derive(Debug, Default)]
pub(super) struct Phrases {
    phrases: Postings,
}

/// What was said before fades faster for phrases than for words, so many times: a name or a keyword is of what is said now, and a talk
/// goes on to others.
const FADES: i32 = 3;

/// What is left of a weight.
pub(super) fn faded(weight: f32) -> f32 {
    weight.powi(FADES)
}
/// No phrase is longer, in characters.
pub(crate) const LONGEST: usize = 24;

impl Phrases {
    pub(super) fn add<'p>(&mut self, slot: u32, phrases: impl IntoIterator<Item = &'p String>) {
        self.phrases.add(slot, &spelled(phrases));
    }

    pub(super) fn remove<'p>(&mut self, slot: u32, phrases: impl IntoIterator<Item = &'p String>) {
        self.phrases.remove(slot, &spelled(phrases));
    }

    /// The slots that have a phrase, in no particular order.
    pub(super) fn of(&self, phrase: Term) -> impl Iterator<Item = u32> {
        self.phrases.of(phrase).map(|posting| posting.slot)
    }

    pub(super) fn bytes(&self) -> usize {
        self.phrases.bytes()
    }

    /// Calls for each phrase in what is said.
    pub(super) fn each_in(&self, said: &Said, mut found: impl FnMut(&str)) {
        for (text, _) in &said.parts {
            self.each_stretch_in(&SPELLING.fold(text), &mut found);
        }
    }

    /// Calls for each phrase in a text whose spelling is folded.
    pub(super) fn each_stretch_in(&self, text: &str, mut found: impl FnMut(&str)) {
        each_stretch(text, |stretch| {
            if self.phrases.of(Term::whole(stretch)).next().is_some() {
                found(stretch);
            }
        });
    }

    /// For each slot what its phrases in what is said are worth together, 1 at most, in several ways at once; `worth` says it of a phrase that
    /// so many notes have, and that was said with this weight.
    pub(super) fn search<const WAYS: usize>(
        &self,
        said: &Said,
        slots: usize,
        worth: impl Fn(usize, f32) -> [f32; WAYS],
    ) -> [Vec<f32>; WAYS] {
        let mut near = [(); WAYS].map(|()| vec![0.0; slots]);
        let mut known: Vec<Term> = Vec::new();
        // The newest first, so that a phrase weighs as much as where it was said last.
        for (text, weight) in said.parts.iter().rev() {
            each_stretch(&SPELLING.fold(text), |stretch| {
                let term = Term::whole(stretch);
                let found = self.phrases.of(term);
                let notes = found.clone().count();
                if notes == 0 || known.contains(&term) {
                    return;
                }
                known.push(term);
                let worth = worth(notes, *weight);
                found.for_each(|posting| {
                    for (near, worth) in near.iter_mut().zip(worth) {
                        let place = near.get_mut(posting.slot as usize);
                        place.into_iter().for_each(|near: &mut f32| *near += worth);
                    }
                });
            });
        }
        near.iter_mut().flatten().for_each(|near| *near = near.min(1.0));
        near
    }
}

/// As they are spelled, each once.
pub(super) fn spelled<'p>(phrases: impl IntoIterator<Item = &'p String>) -> Vec<(Term, u16)> {
    let mut phrases: Vec<Term> = phrases
        .into_iter()
        .map(|phrase| SPELLING.fold(phrase.trim()))
        .filter(|phrase| phrase.chars().count() <= LONGEST && is_telling(phrase))
        .map(|phrase| Term::whole(&phrase))
        .collect();
    phrases.sort_unstable();
    phrases.dedup();
    phrases.into_iter().map(|phrase| (phrase, 1)).collect()
}

/// One letter is in every text; one ideograph may be a name.
pub(crate) fn is_telling(phrase: &str) -> bool {
    let mut chars = phrase.chars();
    match (chars.next(), chars.next()) {
        (Some(only), None) => is_written_together(only) && !matches!(only, '\u{3040}'..='\u{30FF}'),
        (first, _) => first.is_some(),
    }
}

/// Calls for all that could be a keyword: between words where they have ends, else between any two characters.
pub(crate) fn each_stretch(text: &str, mut found: impl FnMut(&str)) {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let goes_on = |a: usize, b: usize| {
        let at = |index: usize| chars.get(index).map(|(_, char)| *char);
        let is_inner = |char: char| char.is_alphanumeric() && !is_written_together(char);
        at(a).zip(at(b)).is_some_and(|(a, b)| is_inner(a) && is_inner(b))
    };
    for begin in 0..chars.len() {
        if begin > 0 && goes_on(begin - 1, begin)
            || chars.get(begin).is_none_or(|(_, c)| !c.is_alphanumeric())
        {
            continue;
        }
        for end in begin..chars.len().min(begin + LONGEST) {
            if goes_on(end, end + 1) || chars.get(end).is_none_or(|(_, c)| !c.is_alphanumeric()) {
                continue;
            }
            let from = chars.get(begin).map_or(0, |(at, _)| *at);
            let to = chars.get(end + 1).map_or(text.len(), |(at, _)| *at);
            text.get(from..to).into_iter().for_each(&mut found);
        }
    }
}
