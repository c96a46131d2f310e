//! How near are memories by what they mean, and how much does that tell?

use std::cell::RefCell;

use super::Question;
use super::leg::{Leg, best_of};
use crate::embed::{Languages, Vector};
use crate::mind::{Mind, Near};

/// How well a memory is found by what was said, as far as their languages are concerned; and whether these differ.
pub(super) fn heard(
    mind: &Mind,
    question: &Question,
    languages: Option<&Languages>,
    slot: usize,
) -> (f32, bool) {
    let Some(languages) = languages else { return (1.0, false) };
    let told = mind.note(slot).and_then(|note| note.tongue).or(question.tongue);
    let both = question.tongue.zip(told);
    // Characters in common say as much in Japanese as in Chinese, and a few of them alone may be either.
    let is_foreign =
        languages.knows_across() && both.is_some_and(|(asked, told)| !asked.shares_words_with(told));
    (languages.finds(question.tongue, told).max(HARDLY), is_foreign)
}

/// What is said in a language that a space does not speak still orders what nothing else orders.
const HARDLY: f32 = 0.001;

/// If so many are as near as the nearest, that says nothing.
const MANY: usize = 10;

/// How well a space tells memories apart, from 0 to 1: where it does not speak the language of what is said, all are equally near.
pub(super) fn tells_apart(all: &Measured<'_>, near: &[Near]) -> f32 {
    let usual = all.usual;
    let mut above: Vec<f32> = near.iter().map(|near| (near.cosine - usual).max(0.0)).collect();
    above.sort_unstable_by(|a, b| b.total_cmp(a));
    let (best, many) = (above.first().copied().unwrap_or(0.0), above.get(MANY).copied().unwrap_or(0.0));
    if best > 0.0 { 1.0 - many / best } else { 0.0 }
}

/// How near notes are to what is said, each measured once: what is near is asked for by several, and by its neighbours.
pub(super) struct Measured<'m> {
    mind: &'m Mind,
    meaning: &'m Vector,
    usual: f32,
    known: RefCell<Vec<Known>>,
}

#[derive(Clone, Copy)]
enum Known {
    NotYet,
    /// It has no place in the space of meanings.
    Nowhere,
    Cosine(f32),
}

impl<'m> Measured<'m> {
    pub(super) fn new(mind: &'m Mind, meaning: &'m Vector, near: &[Near]) -> Self {
        let mut known = vec![Known::NotYet; mind.slots()];
        for Near { slot, cosine } in near {
            known.get_mut(*slot).into_iter().for_each(|known| *known = Known::Cosine(*cosine));
        }
        Self { mind, meaning, usual: mind.usual_meaning(meaning), known: RefCell::new(known) }
    }

    fn cosine(&self, slot: usize) -> Option<f32> {
        let mut known = self.known.borrow_mut();
        let known = known.get_mut(slot)?;
        if matches!(known, Known::NotYet) {
            *known = self.mind.meaning_of(self.meaning, slot).map_or(Known::Nowhere, Known::Cosine);
        }
        match known {
            Known::Cosine(cosine) => Some(*cosine),
            Known::NotYet | Known::Nowhere => None,
        }
    }
}

/// The slots that are looked at, how near the least is that counts, and which of them are not being said.
pub(super) type Whole<'w> = (&'w [usize], f32, &'w dyn Fn(&usize) -> bool);

/// How near each is itself to what is said right now, and somewhat to what the talk was about before.
pub(super) fn meaning_now(
    all: &Measured<'_>,
    newest: Option<&Vector>,
    same: f32,
    (slots, least, is_other): Whole<'_>,
) -> Leg {
    let mind = all.mind;
    let share = |cosine: f32, usual: f32| {
        ((cosine - usual).max(0.0) / (same - usual).max(f32::MIN_POSITIVE)).min(1.0)
    };
    let usual = all.usual;
    let newest = newest.map(|newest| (newest, mind.usual_meaning(newest)));
    let near = |slot: &usize| {
        let to_all = all.cosine(*slot).unwrap_or_default();
        if to_all < least {
            return 0.0;
        }
        let to_all = share(to_all, usual);
        newest.map_or(to_all, |(newest, usual)| {
            let to_newest = mind.meaning_of(newest, *slot).unwrap_or_default();
            share(to_newest, usual).max(BEFORE_NOW * to_all)
        })
    };
    let mut near: Vec<f32> = slots.iter().map(near).collect();
    let best = best_of(slots, is_other, &near);
    let others = || slots.iter().zip(&near).filter(|(slot, _)| is_other(slot)).map(|(_, near)| *near);
    let next = others().filter(|near| *near < best).fold(0.0, f32::max);
    let is_one = others().filter(|near| *near >= best).count() == 1;
    // Among a few it is no wonder that one is ahead.
    let ahead = (best - next) * mind.tells_what_is_usual();
    let stands_out = if is_one { STANDS_OUT * ahead } else { 0.0 };
    near.iter_mut().filter(|near| **near >= best).for_each(|near| *near += stands_out);
    let best = best + stands_out;
    Leg::new(near.iter().copied(), best, best.min(1.0))
}

/// What being near to all that is listened to says, where the newest line alone is known.
const BEFORE_NOW: f32 = 0.5;
/// Where one alone is near, it is meant sooner than one of many that are as near: so much of what it is ahead by.
const STANDS_OUT: f32 = 0.6;

/// What is no nearer than usual is not near, and neither is what is less near than the least that counts.
pub(super) fn by_meaning(all: &Measured<'_>, same: f32, (slots, least, is_other): Whole<'_>) -> Leg {
    let (mind, usual) = (all.mind, all.usual);
    let above = |slot: usize| {
        let cosine = all.cosine(slot).filter(|cosine| *cosine >= least);
        cosine.map_or(0.0, |cosine| (cosine - usual).max(0.0))
    };
    let (mut own, mut near) = (Vec::with_capacity(slots.len()), Vec::with_capacity(slots.len()));
    for slot in slots {
        let of_slot = above(*slot);
        let lent = mind.neighbours(*slot).filter(|other| is_other(other)).map(above).sum::<f32>();
        own.push(of_slot);
        near.push(of_slot + NEIGHBOURS * lent);
    }
    let best = best_of(slots, is_other, &own);
    Leg::new(near.iter().copied(), best_of(slots, is_other, &near), best / (same - usual).max(best))
}

/// What stands right before and right behind a note lends it so much of its meaning.
const NEIGHBOURS: f32 = 0.5;
