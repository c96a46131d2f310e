//! What comes to mind by what is said, and in what order?
//!
//! Each leg says how near a memory is to what is being said, from 0 to 1. Words and meaning are weighed against the best that
//! they found, because what either finds best in one question is worth more than in another; how good that best is counts for
//! all that it found. The other legs speak for themselves.

use std::collections::{BTreeSet, HashMap};

use super::asked_before::asked_before;
use super::asked_for::{AskedFor, asked_for};
use super::leg::{Leg, best_of};
use super::linked::by_links;
use super::meaning::{Measured, Whole, by_meaning, heard, meaning_now, tells_apart};
use super::mood::{Felt, InTheAir};
use super::nearest::{LOOKED_AT, nearest};
use super::{Candidate, Parts, Question};
use crate::embed::Vector;
use crate::laps::{Laps, Part as Timed};
use crate::mind::{ByKeywords, ByWords, Mind, Note};
use crate::settings::recall::RecallRules;

/// Words that are as rare as this sum make a memory half as near as can be.
const HALF_WORDS: f32 = 4.0;
/// Words that are as rare as this sum, or all that is said if that is less, let the words decide. Where the best has less of it, as when a
/// question shares nothing but its verb with many memories, meaning says the more.
const ENOUGH_WORDS: f32 = 25.0;
/// Where it tells memories apart, meaning soon says as much as words, and never more.
const MEANING: f32 = 1.6;
/// What words in common say of a memory in another language, beside what they say of one in the same.
const NAMES: f32 = 0.1;

/// What somebody is remembered by counts so many times as much where all of it is asked for.
const ASKED_FOR: f32 = 4.0;

/// What comes to mind, the nearest first; of equals the one that was remembered first. `admits` says which memories may come to
/// mind at all; `laps` is told how long each leg takes.
pub fn recollect(
    mind: &Mind,
    question: &Question,
    rules: &RecallRules,
    admits: &dyn Fn(&Note) -> bool,
    laps: &Laps,
) -> Vec<Candidate> {
    let is_admitted = |slot: usize| mind.note(slot).is_some_and(|note| admits(note));
    let legs = &rules.legs;
    let said = &question.said;
    let asked = |weight: f32, search: &dyn Fn() -> Vec<f32>| if weight > 0.0 { search() } else { Vec::new() };
    let being_said = mind.made_of_these(&question.lines);
    let is_other = |slot: &usize| !being_said.contains(slot);
    laps.lap(Timed::Rank);
    let ByWords { near: words, now: words_now, all_said } =
        if legs.lexical > 0.0 { mind.by_words(said, &being_said) } else { ByWords::default() };
    laps.lap(Timed::Lexical);
    let ByKeywords { near: keywords, rare: rare_keywords, now: keywords_now } =
        if legs.keyword > 0.0 { mind.by_keywords(said) } else { ByKeywords::default() };
    laps.lap(Timed::Keyword);
    let names = asked(legs.related, &|| mind.by_names(said));
    laps.lap(Timed::Related);
    let days = if legs.temporal > 0.0 { mind.by_days(&question.days) } else { Vec::new() };
    let at_another_time = at_another_time(&days, legs.temporal);
    // Of now is spoken all the time: that orders, and by itself brings nothing nearer.
    let speaks_of_now = question.days.iter().any(|days| days.is_now);
    laps.lap(Timed::Temporal);
    let reading = &question.bearing.reading;
    let sought = question.meaning.as_ref().filter(|_| legs.semantic > 0.0);
    let apart = |meaning: Option<&Vector>| {
        let meaning = meaning.filter(|_| reading.without_common > 0.0)?;
        mind.without_common(meaning, reading.without_common)
    };
    let newest = question.newest.as_ref();
    let (all_apart, newest_apart) = (apart(sought), apart(newest));
    let (meaning, newest) = (all_apart.as_ref().or(sought), newest_apart.as_ref().or(newest));
    let most = rules.semantic_top.unwrap_or(LOOKED_AT);
    let is_found = |slot: usize| is_other(&slot) && is_admitted(slot);
    let mut near = meaning.map(|meaning| mind.by_meaning(meaning, most, &is_found)).unwrap_or_default();
    near.retain(|near| near.cosine >= rules.semantic_floor);
    laps.lap(Timed::Semantic);
    let least = rules.semantic_top.and_then(|_| near.iter().map(|near| near.cosine).min_by(f32::total_cmp));
    let mut slots: Vec<usize> = near.iter().map(|near| near.slot).collect();
    laps.lap(Timed::Rank);
    let air = InTheAir::new(mind, question, rules);
    slots.extend(air.brings(mind, &is_found));
    laps.lap(Timed::Emotional);
    for found in [&words, &keywords, &names, &days] {
        slots.extend(nearest(mind, found, &words, &is_admitted));
    }
    laps.lap(Timed::Rank);
    // Of a time that is named, what somebody told then.
    let names_a_time = !days.is_empty() && question.days.iter().any(|days| !days.is_now);
    let is_then = |slot: usize| !names_a_time || days.get(slot).is_some_and(|near| *near > 0.0);
    let whom = (legs.related > 0.0)
        .then(|| asked_for(mind, question, &|slot| is_found(slot) && is_then(slot)))
        .flatten();
    slots.extend(whom.iter().flat_map(AskedFor::slots));
    laps.lap(Timed::Related);
    slots.sort_unstable();
    slots.dedup();
    let of = |near: &[f32], slot: usize| near.get(slot).copied().unwrap_or_default();
    // What was asked before in the same words reminds of itself: nothing is measured by it, and it lends nothing to its neighbours.
    let asked_before = asked_before(mind, &words, &slots, said);
    let is_other = |slot: &usize| is_other(slot) && !asked_before.contains(slot);
    let words: Vec<f32> = slots.iter().map(|slot| of(&words, *slot)).collect();
    let now: Vec<f32> = slots.iter().map(|slot| of(&words_now, *slot)).collect();
    let best = best_of(&slots, &is_other, &now);
    let words_now = Leg::new(now.iter().copied(), best, best / (best + HALF_WORDS));
    let best = best_of(&slots, &is_other, &words);
    let told = (best / all_said.clamp(f32::MIN_POSITIVE, ENOUGH_WORDS)).min(1.0);
    let words = Leg::new(words.iter().copied(), best, best / (best + HALF_WORDS));
    laps.lap(Timed::Rank);
    let least = least.unwrap_or(f32::NEG_INFINITY).max(rules.semantic_floor);
    let meaning_asked = meaning.is_some();
    let measured = meaning.map(|meaning| Measured::new(mind, meaning, &near));
    let measured = measured.as_ref();
    let tells = measured.map_or(0.0, |all| tells_apart(all, &near));
    let whole: Whole<'_> = (&slots, least, &is_other);
    let meaning_now = measured.map(|all| meaning_now(all, newest, reading.same, whole)).unwrap_or_default();
    let meaning = measured.map(|all| by_meaning(all, reading.same, whole)).unwrap_or_default();
    laps.lap(Timed::Semantic);
    let said = meaning.weight((MEANING * tells).min(1.0) * legs.semantic);
    let lexical = words.weight(legs.lexical * told);
    let spoken = meaning_asked.then(|| question.bearing.languages.unwrap_or_else(|| mind.languages()));
    let heard = |slot: usize| heard(mind, question, spoken.as_ref(), slot);
    let near_by_both = |slot: usize, by_words: f32, by_meaning: f32| {
        let (heard, is_foreign) = heard(slot);
        // Words in common are of little use where a memory is in another language: names, if any. Meaning then repeats nothing.
        let (lexical, semantic) = match is_foreign {
            true => (lexical * (1.0 - (1.0 - NAMES) * heard), said * heard),
            false => (lexical, said * heard * reading.beside_words),
        };
        (lexical * by_words + semantic * by_meaning) / (lexical + semantic).max(f32::MIN_POSITIVE)
    };
    let best = 1.0 - (1.0 - words.best) * (1.0 - meaning.best);
    let mut linked: HashMap<usize, f32> = HashMap::new();
    laps.lap(Timed::Rank);
    if legs.related > 0.0 {
        let scores = slots.iter().enumerate().map(|(place, slot)| {
            let near = best * near_by_both(*slot, of(&words.near, place), of(&meaning.near, place));
            (1.0 - (1.0 - near) * (1.0 - (legs.keyword * of(&keywords, *slot)).min(1.0)), *slot)
        });
        linked = by_links(mind, scores.filter(|(_, slot)| is_other(slot)).collect(), rules);
        let known: BTreeSet<usize> = slots.iter().copied().collect();
        slots.extend(linked.keys().copied().filter(|slot| !known.contains(slot) && is_admitted(*slot)));
    }
    laps.lap(Timed::Related);
    let felt = |slot: &usize| mind.note(*slot).map(|note| air.of(note)).unwrap_or_default();
    let moods: Vec<Felt> = slots.iter().map(felt).collect();
    laps.lap(Timed::Emotional);
    let weigh = |(place, slot): (usize, usize), whom: Option<&AskedFor>| {
        let (by_words, by_meaning) = (of(&words.near, place), of(&meaning.near, place));
        let felt = moods.get(place).copied().unwrap_or_default();
        let asked = whom.map_or(0.0, |whom| whom.of(slot));
        let related = of(&names, slot).max(linked.get(&slot).copied().unwrap_or_default());
        let parts = Parts {
            lexical: words_now.best * of(&words_now.near, place),
            semantic: meaning_now.best * of(&meaning_now.near, place),
            keyword: of(&keywords_now, slot),
            temporal: of(&days, slot),
            emotional: felt.near,
            related: related.max(asked),
        };
        let near = near_by_both(slot, by_words, by_meaning);
        let named = if parts.temporal > OF_NOW || !speaks_of_now { parts.temporal } else { 0.0 };
        let relation = match asked > 0.0 {
            true => (legs.related * ASKED_FOR, asked),
            false => (legs.related, related),
        };
        let beside = [(legs.keyword, parts.keyword), (legs.temporal, named), relation];
        let raised = if rules.emotional_boost { (legs.emotional * parts.emotional).min(1.0) } else { 0.0 };
        // Whatever many have in common makes each of them near, and none of them nearer than the others.
        let beside_others =
            [(legs.keyword, of(&rare_keywords, slot)), (legs.temporal, parts.temporal), relation];
        let all = |apart: f32, beside: [(f32, f32); 3]| {
            let apart = beside
                .into_iter()
                .fold(apart, |apart, (weight, part)| apart * (1.0 - (weight * part).min(1.0)));
            // A feeling in common raises what is near for other reasons.
            1.0 - apart * (1.0 - (1.0 - apart) * raised)
        };
        let beside_time = if parts.temporal > 0.0 { 1.0 } else { at_another_time };
        let score = match whom.is_some_and(|whom| whom.is_all) && asked > 0.0 {
            // Words to ask with order nothing.
            true => asked,
            false => (all(1.0 - best * near, beside_others) * beside_time).max(felt.order()),
        };
        let by_words = legs.lexical.min(1.0) * parts.lexical;
        let by_meaning = (tells * heard(slot).0 * legs.semantic).min(1.0) * parts.semantic;
        let nearness = all((1.0 - by_words) * (1.0 - by_meaning), beside).max(felt.alone);
        Candidate { slot, parts, score, nearness }
    };
    let places: Vec<(usize, usize)> = slots.into_iter().enumerate().collect();
    let weigh_all = |whom: Option<&AskedFor>| -> Vec<Candidate> {
        let known = places.iter().filter(|(_, slot)| mind.note(*slot).is_some());
        known.map(|place| weigh(*place, whom)).filter(|found| found.score > 0.0).collect()
    };
    let mut found = weigh_all(whom.as_ref().filter(|whom| whom.is_all));
    let is_near = |found: &Candidate| {
        let kind = mind.note(found.slot).map(|note| note.held.memory.kind);
        kind.is_some_and(|kind| found.nearness * rules.of(kind).weight >= rules.threshold)
    };
    // What else is asked comes first, if there is any of it.
    let whom = whom.filter(|whom| !whom.is_all);
    if let Some(whom) = whom.filter(|_| !found.iter().any(|found| is_other(&found.slot) && is_near(found))) {
        found = weigh_all(Some(&whom));
    }
    put_the_nearest_first(&mut found, &is_other);
    let id = |candidate: &Candidate| mind.note(candidate.slot).map(|note| note.held.memory.id);
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| id(a).cmp(&id(b))));
    found
}

/// What is so many times as near to what is said right now as what would come first.
const FAR_NEARER: f32 = 1.8;

/// In the order, all of the talk counts. Where somebody has come to speak of something else, what answers them would come behind
/// whatever the talk was about before, and there are only a few places.
fn put_the_nearest_first(found: &mut [Candidate], is_other: &dyn Fn(&usize) -> bool) {
    let others = || found.iter().filter(|one| is_other(&one.slot));
    let Some(first) = others().max_by(|a, b| a.score.total_cmp(&b.score)).copied() else { return };
    let nearest = others().map(|one| one.nearness).fold(0.0, f32::max);
    if nearest <= first.nearness * FAR_NEARER {
        return;
    }
    let is_nearest = |one: &&mut Candidate| is_other(&one.slot) && one.nearness >= nearest;
    found.iter_mut().filter(is_nearest).for_each(|one| one.score = first.score);
}

/// No more is what is now.
const OF_NOW: f32 = 0.5;

/// What counts of how something stands to others, if a time is named and it was at another one. Where nothing is of that time, nobody
/// means it; and of today is spoken all the time.
fn at_another_time(days: &[f32], weight: f32) -> f32 {
    let named = days.iter().copied().fold(0.0, f32::max);
    if named > OF_NOW { 1.0 - (weight * named).min(1.0) } else { 1.0 }
}
