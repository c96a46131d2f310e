//! In what order do memories come to mind, and which of them enter a prompt?
//!
//! Each leg says how near a memory is to what is being said, from 0 to 1. Words and meaning are weighed against the best that
//! they found, because what either finds best in one question is worth more than in another; how good that best is counts for
//! all that it found. The other legs speak for themselves.

mod choose;
mod corrected;
mod leg;
mod mood;
mod several;
mod suggest;

use std::collections::{BTreeSet, HashMap};

use crate::digest::speech;
use crate::embed::{Languages, Reading, Tongue, Vector};
use crate::feeling::Feeling;
use crate::id::{LineId, MemoryId};
use crate::laps::{Laps, Part as Timed};
use crate::mind::terms::SPELLING;
use crate::mind::when::Stretch;
use crate::mind::{ByKeywords, ByWords, Mind, Near, Note, Related, Relating, Said};
use crate::settings::recall::RecallRules;

pub use choose::{Barred, Choice, Considered, Dropped, Fate, considered};
pub(crate) use choose::{Choosing, sort};
use leg::Leg;
use mood::{Felt, InTheAir};
pub(crate) use several::{merge, note_who_else};
pub use suggest::{Occasion, Suggestion};
pub(crate) use suggest::{Occasions, each_once, suggest};

/// What is being said, for all legs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Question {
    pub said: Said,
    /// Its place in the mind's space. None: nobody knows, and meaning says nothing.
    pub meaning: Option<Vector>,
    /// The same of the newest line alone. None: that is all there is, or nobody knows without asking a second time.
    pub newest: Option<Vector>,
    /// How that space is to be read.
    pub bearing: Bearing,
    /// The language of what was said last.
    pub tongue: Option<Tongue>,
    /// Days that it speaks of.
    pub days: Vec<Stretch>,
    /// The last lines: memories of nothing but these are what is being said, not what it reminds of.
    pub lines: BTreeSet<LineId>,
    /// What is in the air. What is heard in words adds up to how sure that is; what somebody said is sure.
    pub feelings: Vec<(Feeling, f32)>,
    /// The same as somebody called it; it may have a name that nobody knows as a feeling.
    pub moods: Vec<String>,
}

/// What is known of a space of meanings.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Bearing {
    pub reading: Reading,
    /// None: nobody asked, and the memories themselves tell.
    pub languages: Option<Languages>,
}

/// How near a memory is by each leg.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Parts {
    pub lexical: f32,
    pub semantic: f32,
    pub keyword: f32,
    pub temporal: f32,
    pub emotional: f32,
    pub related: f32,
}

/// A memory that came to mind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    pub slot: usize,
    pub parts: Parts,
    /// How it stands to the others: the best by words and the best by meaning are worth the same.
    pub score: f32,
    /// How near it is in itself, whatever else was found.
    pub nearness: f32,
}

/// Words that are as rare as this sum make a memory half as near as can be.
const HALF_WORDS: f32 = 4.0;
/// Words that are as rare as this sum, or all that is said if that is less, let the words decide. Where the best has less of it, as when a
/// question shares nothing but its verb with many memories, meaning says the more.
const ENOUGH_WORDS: f32 = 25.0;
/// Of what each leg finds, so many are looked at by all legs.
const LOOKED_AT: usize = 100;

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
    let asked_for = question.meaning.as_ref().filter(|_| legs.semantic > 0.0);
    let apart = |meaning: Option<&Vector>| {
        let meaning = meaning.filter(|_| reading.without_common > 0.0)?;
        mind.without_common(meaning, reading.without_common)
    };
    let newest = question.newest.as_ref();
    let (all_apart, newest_apart) = (apart(asked_for), apart(newest));
    let (meaning, newest) = (all_apart.as_ref().or(asked_for), newest_apart.as_ref().or(newest));
    let most = rules.semantic_top.unwrap_or(LOOKED_AT).min(LOOKED_AT);
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
    let tells = meaning.map_or(0.0, |meaning| tells_apart(mind, meaning, &near));
    let whole: Whole<'_> = (&slots, least, &is_other);
    let meaning_now =
        meaning.map(|all| meaning_now(mind, (all, newest), reading.same, whole)).unwrap_or_default();
    let meaning = meaning.map(|meaning| by_meaning(mind, (meaning, reading.same), whole)).unwrap_or_default();
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
    let mut found: Vec<Candidate> = Vec::with_capacity(slots.len());
    for (place, slot) in slots.into_iter().enumerate() {
        if mind.note(slot).is_none() {
            continue;
        }
        let (by_words, by_meaning) = (of(&words.near, place), of(&meaning.near, place));
        let felt = moods.get(place).copied().unwrap_or_default();
        let parts = Parts {
            lexical: words_now.best * of(&words_now.near, place),
            semantic: meaning_now.best * of(&meaning_now.near, place),
            keyword: of(&keywords_now, slot),
            temporal: of(&days, slot),
            emotional: felt.near,
            related: of(&names, slot).max(linked.get(&slot).copied().unwrap_or_default()),
        };
        let near = near_by_both(slot, by_words, by_meaning);
        let named = if parts.temporal > OF_NOW || !speaks_of_now { parts.temporal } else { 0.0 };
        let beside = [(legs.keyword, parts.keyword), (legs.temporal, named), (legs.related, parts.related)];
        let raised = if rules.emotional_boost { (legs.emotional * parts.emotional).min(1.0) } else { 0.0 };
        // Whatever many have in common makes each of them near, and none of them nearer than the others.
        let [.., relation] = beside;
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
        let score = (all(1.0 - best * near, beside_others) * beside_time).max(felt.order());
        let by_words = legs.lexical.min(1.0) * parts.lexical;
        let by_meaning = (tells * heard(slot).0 * legs.semantic).min(1.0) * parts.semantic;
        if score > 0.0 {
            let nearness = all((1.0 - by_words) * (1.0 - by_meaning), beside).max(felt.alone);
            found.push(Candidate { slot, parts, score, nearness });
        }
    }
    let id = |candidate: &Candidate| mind.note(candidate.slot).map(|note| note.held.memory.id);
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| id(a).cmp(&id(b))));
    found
}

/// So many of the nearest by words may be what was asked before.
const ASKED_BEFORE: usize = 8;

/// Those in which somebody says just what is being said.
fn asked_before(mind: &Mind, words: &[f32], slots: &[usize], said: &Said) -> Vec<usize> {
    let Some((newest, _)) = said.parts.iter().rev().find(|(_, weight)| *weight >= 1.0) else {
        return Vec::new();
    };
    let bare = |text: &str| {
        let spelled = SPELLING.fold(text);
        spelled.chars().filter(|char| char.is_alphanumeric()).collect::<String>()
    };
    let newest = bare(newest);
    let score = |slot: &usize| words.get(*slot).copied().unwrap_or_default();
    let mut nearest: Vec<usize> = slots.iter().copied().filter(|slot| score(slot) > 0.0).collect();
    nearest.sort_unstable_by(|a, b| score(b).total_cmp(&score(a)).then(a.cmp(b)));
    nearest.truncate(ASKED_BEFORE);
    let is_said = |slot: &usize| {
        let text = mind.note(*slot).map(|note| note.held.text()).unwrap_or_default();
        text.lines().any(|line| bare(speech(line).map_or(line, |(_, words)| words)) == newest)
    };
    nearest.retain(|slot| !newest.is_empty() && is_said(slot));
    nearest
}

/// No more is what is now.
const OF_NOW: f32 = 0.5;

/// What counts of how something stands to others, if a time is named and it was at another one. Where nothing is of that time, nobody
/// means it; and of today is spoken all the time.
fn at_another_time(days: &[f32], weight: f32) -> f32 {
    let named = days.iter().copied().fold(0.0, f32::max);
    if named > OF_NOW { 1.0 - (weight * named).min(1.0) } else { 1.0 }
}

/// So many of the nearest bring along what belongs to them.
const BRING_ALONG: usize = 5;
/// What each of them brings along at most.
const BROUGHT: usize = 20;

/// What belongs to the nearest, the nearer the more. What was said right before or after is left to words.
fn by_links(mind: &Mind, mut scores: Vec<(f32, usize)>, rules: &RecallRules) -> HashMap<usize, f32> {
    let id = |slot: usize| mind.note(slot).map(|note| note.held.memory.id);
    scores.retain(|(score, _)| *score >= rules.threshold);
    scores.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| id(a.1).cmp(&id(b.1))));
    let mut linked: HashMap<usize, f32> = HashMap::new();
    let mut relating = Relating::new(mind);
    for (score, slot) in scores.into_iter().take(BRING_ALONG) {
        for Related { memory, links, near, .. } in relating.to(slot, BROUGHT) {
            let belongs = links.people || links.topic || links.cause;
            if let Some(slot) = mind.slot_of(memory).filter(|_| belongs) {
                let known = linked.entry(slot).or_default();
                *known = known.max(score * near);
            }
        }
    }
    linked
}

/// The slots of the nearest, and of those that are as near as the last of them.
fn nearest(mind: &Mind, near: &[f32], words: &[f32], is_admitted: &dyn Fn(usize) -> bool) -> Vec<usize> {
    let mut found: Vec<(f32, usize)> = Vec::with_capacity(LOOKED_AT * 4);
    let (mut least, mut full) = (f32::MIN_POSITIVE, LOOKED_AT * 4);
    for (slot, near) in near.iter().enumerate() {
        // Most of thousands are less near than what was found already, and cost no more than this.
        if *near < least || !is_admitted(slot) {
            continue;
        }
        found.push((*near, slot));
        if found.len() >= full {
            least = least_of_the_nearest(&mut found).unwrap_or(least);
            found.retain(|(near, _)| *near >= least);
            // Where all are equally near, none can be left out.
            full = full.max(found.len() * 2);
        }
    }
    let Some(least) = least_of_the_nearest(&mut found) else {
        return found.into_iter().map(|(_, slot)| slot).collect();
    };
    let (nearer, rest): (Vec<_>, Vec<_>) = found.into_iter().partition(|(near, _)| *near > least);
    let equals = rest.into_iter().filter(|(near, _)| *near >= least).map(|(_, slot)| slot).collect();
    nearer.into_iter().map(|(_, slot)| slot).chain(some_of(equals, mind, words)).collect()
}

/// How near the last of the nearest is; None if there is room for all.
fn least_of_the_nearest(found: &mut [(f32, usize)]) -> Option<f32> {
    let is_more = found.len() > LOOKED_AT;
    is_more.then(|| found.select_nth_unstable_by(LOOKED_AT - 1, |a, b| b.0.total_cmp(&a.0)).1.0)
}

/// Of very many that are equally near, those that words speak for, the oldest and the newest: a name may be in thousands of memories, and all of
/// a day is equally near to that day.
fn some_of(equals: Vec<usize>, mind: &Mind, words: &[f32]) -> Vec<usize> {
    const OF_EITHER_END: usize = LOOKED_AT / 2;
    if equals.len() <= LOOKED_AT * 2 {
        return equals;
    }
    let id = |slot: usize| mind.note(slot).map(|note| note.held.memory.id);
    let mut aged: Vec<(Option<MemoryId>, usize)> = equals.into_iter().map(|slot| (id(slot), slot)).collect();
    let newest = aged.len() - OF_EITHER_END;
    aged.select_nth_unstable(newest);
    let (older, newest) = aged.split_at_mut(newest);
    older.select_nth_unstable(OF_EITHER_END);
    let (oldest, between) = older.split_at_mut(OF_EITHER_END);
    let said = |slot: usize| words.get(slot).copied().unwrap_or_default();
    between.select_nth_unstable_by(LOOKED_AT, |a, b| {
        said(b.1).total_cmp(&said(a.1)).then_with(|| a.0.cmp(&b.0))
    });
    let spoken_for = between.iter().take(LOOKED_AT);
    spoken_for.chain(&*oldest).chain(&*newest).map(|(_, slot)| *slot).collect()
}

/// Where it tells memories apart, meaning soon says as much as words, and never more.
const MEANING: f32 = 1.6;
/// How well a memory is found by what was said, as far as their languages are concerned; and whether these differ.
fn heard(mind: &Mind, question: &Question, languages: Option<&Languages>, slot: usize) -> (f32, bool) {
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
/// What words in common say of a memory in another language, beside what they say of one in the same.
const NAMES: f32 = 0.1;
/// If so many are as near as the nearest, that says nothing.
const MANY: usize = 10;

/// How well a space tells memories apart, from 0 to 1: where it does not speak the language of what is said, all are equally near.
fn tells_apart(mind: &Mind, meaning: &Vector, near: &[Near]) -> f32 {
    let usual = mind.usual_meaning(meaning);
    let mut above: Vec<f32> = near.iter().map(|near| (near.cosine - usual).max(0.0)).collect();
    above.sort_unstable_by(|a, b| b.total_cmp(a));
    let (best, many) = (above.first().copied().unwrap_or(0.0), above.get(MANY).copied().unwrap_or(0.0));
    if best > 0.0 { 1.0 - many / best } else { 0.0 }
}

/// What all are measured by: the best of those that are not being said, unless nothing else is near.
fn best_of(slots: &[usize], is_other: &dyn Fn(&usize) -> bool, near: &[f32]) -> f32 {
    let others = slots.iter().zip(near).filter(|(slot, _)| is_other(slot)).map(|(_, near)| *near);
    let others = others.fold(0.0, f32::max);
    if others > 0.0 { others } else { near.iter().copied().fold(0.0, f32::max) }
}

/// The slots that are looked at, how near the least is that counts, and which of them are not being said.
type Whole<'w> = (&'w [usize], f32, &'w dyn Fn(&usize) -> bool);

/// How near each is itself to what is said right now, and somewhat to what the talk was about before.
fn meaning_now(
    mind: &Mind,
    (all, newest): (&Vector, Option<&Vector>),
    same: f32,
    (slots, least, is_other): Whole<'_>,
) -> Leg {
    let above = |to: &Vector, slot: usize| mind.meaning_of(to, slot).unwrap_or_default();
    let share = |cosine: f32, usual: f32| {
        ((cosine - usual).max(0.0) / (same - usual).max(f32::MIN_POSITIVE)).min(1.0)
    };
    let usual = mind.usual_meaning(all);
    let newest = newest.map(|newest| (newest, mind.usual_meaning(newest)));
    let near = |slot: &usize| {
        let to_all = above(all, *slot);
        if to_all < least {
            return 0.0;
        }
        let to_all = share(to_all, usual);
        newest.map_or(to_all, |(newest, usual)| share(above(newest, *slot), usual).max(BEFORE_NOW * to_all))
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
fn by_meaning(mind: &Mind, (meaning, same): (&Vector, f32), (slots, least, is_other): Whole<'_>) -> Leg {
    let usual = mind.usual_meaning(meaning);
    let above = |slot: usize| {
        let cosine = mind.meaning_of(meaning, slot).filter(|cosine| *cosine >= least);
        cosine.map_or(0.0, |cosine| (cosine - usual).max(0.0))
    };
    // Neighbours stand near each other in memory too, and what is measured is read from there once.
    let mut known: Vec<Option<f32>> = vec![None; mind.slots()];
    let mut above = |slot: usize| match known.get_mut(slot) {
        Some(known) => *known.get_or_insert_with(|| above(slot)),
        None => above(slot),
    };
    let (mut own, mut near) = (Vec::with_capacity(slots.len()), Vec::with_capacity(slots.len()));
    for slot in slots {
        let of_slot = above(*slot);
        let lent = mind.neighbours(*slot).filter(|other| is_other(other)).map(&mut above).sum::<f32>();
        own.push(of_slot);
        near.push(of_slot + NEIGHBOURS * lent);
    }
    let best = best_of(slots, is_other, &own);
    Leg::new(near.iter().copied(), best_of(slots, is_other, &near), best / (same - usual).max(best))
}

/// What stands right before and right behind a note lends it so much of its meaning.
const NEIGHBOURS: f32 = 0.5;
