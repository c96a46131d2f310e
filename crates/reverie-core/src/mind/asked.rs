//! Which terms are asked for by what is said, and how much does each of them say?

use std::collections::{BTreeSet, HashMap};

use super::Said;
use super::phrases::Phrases;
use super::terms::{Term, each_term};

/// Whoever has few memories has them of few things: before there are so many, what is in all of them is not yet common.
const ENOUGH_NOTES: f32 = 50.0;

/// How much it says that a note has a term, if so many of all have it.
pub(super) fn rarity(all: f32, with_it: f32, term: &Asked) -> f32 {
    let missing = (ENOUGH_NOTES - all).max(0.0);
    let share = 1.0 - (with_it - 1.0).max(0.0) / all.max(1.0);
    let thought_of = match term.kind {
        TermKind::Word => missing,
        // Those whom one talks to are in all that one remembers.
        TermKind::Name => missing * share * share * share * share,
        TermKind::Character => 0.0,
    };
    (1.0 + (all + thought_of - with_it + 0.5) / (with_it + 0.5)).ln()
}

/// What the lines before the newest say of whether something belongs here at all: a talk has gone on since.
const BEFORE_NOW: f32 = 0.15;

/// What a part of what is said weighs there, where in the order it weighs as much as this.
pub(super) fn right_now(weight: f32) -> f32 {
    if weight < 1.0 { weight * BEFORE_NOW } else { weight }
}

/// A term that is asked for.
pub(super) struct Asked {
    pub(super) term: Term,
    pub(super) weight: f32,
    /// What it weighs in what is said right now.
    pub(super) now: f32,
    kind: TermKind,
}

#[derive(Clone, Copy, PartialEq)]
enum TermKind {
    Word,
    /// Or a part of one.
    Name,
    /// A single one says little about what is meant.
    Character,
}

/// The terms of what is said, in their order, each once and as heavy as where it weighs most.
pub(super) fn terms_of_said(said: &Said, names: &Phrases) -> Vec<Asked> {
    let mut named: BTreeSet<Term> = BTreeSet::new();
    names.each_in(said, |name| each_term(name, |term, _| _ = named.insert(term)));
    said.names.iter().for_each(|(name, _)| each_term(name, |term, _| _ = named.insert(term)));
    let mut terms: Vec<Asked> = Vec::new();
    let mut places: HashMap<Term, usize> = HashMap::new();
    for (text, part) in said.parts.iter().chain(&said.names) {
        each_term(text, |term, tells| {
            let (weight, now) = (part * tells, right_now(*part) * tells);
            let place = *places.entry(term).or_insert(terms.len());
            match terms.get_mut(place) {
                Some(known) => (known.weight, known.now) = (known.weight.max(weight), known.now.max(now)),
                None => {
                    let kind = match named.contains(&term) {
                        _ if tells < 1.0 => TermKind::Character,
                        true => TermKind::Name,
                        false => TermKind::Word,
                    };
                    terms.push(Asked { term, weight, now, kind });
                }
            }
        });
    }
    terms
}
