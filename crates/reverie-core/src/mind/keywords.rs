//! Which notes have a keyword that is being said?
//!
//! Keywords change with every memory, so there is no automaton to build again each time: what is said is short, and each of its
//! stretches that could be a keyword is looked up.

use super::Said;
use super::postings::Postings;
use super::terms::{SPELLING, Term};
use crate::memory::Held;
use crate::words::is_written_together;

#[derive(Debug, Default)]
pub(super) struct Keywords {
    phrases: Postings,
}

/// No keyword is longer, in characters.
const LONGEST: usize = 24;
/// A note with so many keywords in what is said is as near as can be.
const ENOUGH: f32 = 3.0;

impl Keywords {
    pub(super) fn add(&mut self, slot: u32, held: &Held) {
        self.phrases.add(slot, &phrases_of(held));
    }

    pub(super) fn remove(&mut self, slot: u32, held: &Held) {
        self.phrases.remove(slot, &phrases_of(held));
    }

    pub(super) fn bytes(&self) -> usize {
        self.phrases.bytes()
    }

    pub(super) fn search(&self, said: &Said, slots: usize) -> Vec<f32> {
        let mut near = vec![0.0; slots];
        let mut known: Vec<Term> = Vec::new();
        // The newest first, so that a keyword weighs as much as where it was said last.
        for (text, weight) in said.parts.iter().rev() {
            each_stretch(&SPELLING.fold(text), |stretch| {
                let term = Term::whole(stretch);
                let mut found = self.phrases.of(term).peekable();
                if found.peek().is_none() || known.contains(&term) {
                    return;
                }
                known.push(term);
                for posting in found {
                    near.get_mut(posting.slot as usize)
                        .into_iter()
                        .for_each(|near: &mut f32| *near += weight / ENOUGH);
                }
            });
        }
        near.iter_mut().for_each(|near| *near = near.min(1.0));
        near
    }
}

/// As they are spelled, each once.
fn phrases_of(held: &Held) -> Vec<(Term, u16)> {
    let labels = held.memory.keywords.iter().chain(&held.memory.topics);
    let mut phrases: Vec<Term> = labels
        .map(|label| SPELLING.fold(label.trim()))
        .filter(|label| label.chars().count() <= LONGEST && is_telling(label))
        .map(|label| Term::whole(&label))
        .collect();
    phrases.sort_unstable();
    phrases.dedup();
    phrases.into_iter().map(|phrase| (phrase, 1)).collect()
}

/// One letter is in every text; one ideograph may be a name.
fn is_telling(phrase: &str) -> bool {
    let mut chars = phrase.chars();
    match (chars.next(), chars.next()) {
        (Some(only), None) => is_written_together(only) && !matches!(only, '\u{3040}'..='\u{30FF}'),
        (first, _) => first.is_some(),
    }
}

/// Calls for all that could be a keyword: between words where they have ends, else between any two characters.
fn each_stretch(text: &str, mut found: impl FnMut(&str)) {
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
