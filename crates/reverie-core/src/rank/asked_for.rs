//! Of whom is everything asked that is remembered?
//!
//! `What did Lime tell you?` names nobody but whom all memories may be about, and has no other word that could find one. What is meant is
//! what there is of Lime: the weightiest, and of equals the newest.

use std::cmp::Reverse;

use super::Question;
use super::nearest::LOOKED_AT;
use crate::inquiry::{Asks, Clause, NAME, clauses, inquiry};
use crate::memory::Held;
use crate::mind::Mind;
use crate::mind::terms::SPELLING;
use crate::words::{is_function_word, is_written_together};

/// What is remembered of whoever is asked for.
pub(super) struct AskedFor {
    /// By slot: the weightiest first, the least of them [`LEAST`].
    near: Vec<f32>,
    /// Whether nothing else is asked. Else it only counts where that is not found.
    pub(super) is_all: bool,
}

/// How near the last of those is that are brought.
const LEAST: f32 = 0.8;

impl AskedFor {
    pub(super) fn of(&self, slot: usize) -> f32 {
        self.near.get(slot).copied().unwrap_or_default()
    }

    pub(super) fn slots(&self) -> impl Iterator<Item = usize> {
        self.near.iter().enumerate().filter(|(_, near)| **near > 0.0).map(|(slot, _)| slot)
    }
}

/// None: nobody is asked for, or nothing of them is among those that are admitted.
pub(super) fn asked_for(
    mind: &Mind,
    question: &Question,
    is_admitted: &dyn Fn(usize) -> bool,
) -> Option<AskedFor> {
    let text = SPELLING.fold(question.said.newest()?);
    let mut of_them: Vec<bool> = Vec::new();
    let (mut is_all, mut is_more) = (false, false);
    for clause in clauses(&text) {
        let names = NamesIn::new(mind, question, clause.text);
        let asked = inquiry(Clause { text: &names.masked, ..clause });
        let asks = asked.asks != Asks::Nothing;
        is_more |= asked.of_something && (asks || clause.is_asked);
        let is_for_all = asks && !asked.of_something;
        if !names.whom.is_empty() && (is_for_all || asked.asks == Asks::Memory) {
            of_them.resize(mind.slots(), false);
            names.whom.iter().for_each(|name| mind.mark_of_person(name, &mut of_them));
            is_all |= is_for_all;
        } else if let Some(asker) = question.asker.as_ref().filter(|_| names.whom.is_empty() && asked.of_me) {
            of_them.resize(mind.slots(), false);
            let about = mind.notes().filter(|(_, note)| note.held.memory.about.contains(asker));
            about.for_each(|(slot, _)| of_them.get_mut(slot).into_iter().for_each(|note| *note = true));
            is_all = true;
        }
    }
    let near = in_order(mind, &of_them, is_admitted)?;
    Some(AskedFor { near, is_all: is_all && !is_more })
}

/// The weightiest of these first, of equals the newest; None: there are none.
fn in_order(mind: &Mind, of_them: &[bool], is_admitted: &dyn Fn(usize) -> bool) -> Option<Vec<f32>> {
    let slots = of_them.iter().enumerate().filter(|(slot, is_meant)| **is_meant && is_admitted(*slot));
    let mut notes: Vec<(usize, &Held)> =
        slots.filter_map(|(slot, _)| Some((slot, &mind.note(slot)?.held))).collect();
    let order = |(_, a): &(usize, &Held), (_, b): &(usize, &Held)| {
        let newest = |held: &Held| Reverse((held.memory.tick, held.memory.wall_ms, held.memory.id));
        b.importance().total_cmp(&a.importance()).then_with(|| newest(a).cmp(&newest(b)))
    };
    if notes.len() > LOOKED_AT {
        notes.select_nth_unstable_by(LOOKED_AT, order);
        notes.truncate(LOOKED_AT);
    }
    notes.sort_unstable_by(order);
    let mut near = vec![0.0; mind.slots()];
    for (place, (slot, _)) in notes.iter().enumerate() {
        let behind = (1.0 - LEAST) * place as f32 / LOOKED_AT as f32;
        near.get_mut(*slot).into_iter().for_each(|near| *near = 1.0 - behind);
    }
    (!notes.is_empty()).then_some(near)
}

/// Who is named in a clause, other than whoever is asked.
struct NamesIn {
    /// By the names that memories know them by.
    whom: Vec<String>,
    /// The clause with a mark in the place of each name.
    masked: String,
}

impl NamesIn {
    fn new(mind: &Mind, question: &Question, clause: &str) -> Self {
        let own: Vec<String> = question.called.iter().map(|name| SPELLING.fold(name)).collect();
        let aliases = question.said.names.iter().map(|(name, _)| SPELLING.fold(name));
        let aliases: Vec<String> = aliases.filter(|alias| stands_in(clause, alias)).collect();
        let mut whom = mind.names_in(clause);
        if !aliases.is_empty() {
            // Whoever is called otherwise has the name spelled out behind what was said.
            let spelled_out = question.said.parts.iter().filter(|(_, weight)| *weight >= 1.0).skip(1);
            whom.extend(spelled_out.map(|(name, _)| SPELLING.fold(name)));
        }
        // Somebody may go by the name of `You`.
        whom.retain(|name| !own.contains(name) && !is_function_word(name));
        let mut names: Vec<&String> =
            whom.iter().chain(aliases.iter().filter(|name| !own.contains(name))).collect();
        // 小雪 is in 小雪莲.
        names.sort_by_key(|name| Reverse(name.len()));
        let without_own = own.iter().fold(clause.to_owned(), |text, name| replaced(&text, name, ' '));
        let masked = names.into_iter().fold(without_own, |text, name| replaced(&text, name, NAME));
        Self { whom, masked }
    }
}

fn stands_in(text: &str, name: &str) -> bool {
    places(text, name).next().is_some()
}

/// A text with a mark in the place of a name.
fn replaced(text: &str, name: &str, mark: char) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut from = 0;
    for at in places(text, name).filter(|at| *at >= from).collect::<Vec<usize>>() {
        masked.push_str(text.get(from..at).unwrap_or_default());
        masked.extend([' ', mark, ' ']);
        from = at + name.len();
    }
    masked.push_str(text.get(from..).unwrap_or_default());
    masked
}

/// Where a name stands, as a whole word where words have ends.
fn places<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = usize> + 't {
    let goes_on = |inner: Option<char>, outer: Option<char>| {
        let is_inner = |char: char| char.is_alphanumeric() && !is_written_together(char);
        inner.is_some_and(is_inner) && outer.is_some_and(is_inner)
    };
    let found = text.match_indices(name).filter(|_| !name.is_empty());
    found.map(|(at, _)| at).filter(move |at| {
        let (before, behind) = (text.get(..*at), text.get(at + name.len()..));
        let begins = goes_on(name.chars().next(), before.and_then(|text| text.chars().next_back()));
        let ends = goes_on(name.chars().next_back(), behind.and_then(|text| text.chars().next()));
        !begins && !ends
    })
}
