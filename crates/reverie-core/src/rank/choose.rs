//! Which of the memories that came to mind enter a prompt, and why not the others?

use std::collections::BTreeSet;
use std::sync::Arc;

use super::corrected::tells_what_was_corrected;
use super::{Candidate, Parts, Question};
use crate::compose::template;
use crate::id::{CharacterId, LineId, MemoryId};
use crate::laps::{Laps, Part};
use crate::layers::{Dormant, Now, Standing};
use crate::likeness::Likeness;
use crate::memory::{Held, Kind, Origin};
use crate::mind::{Mind, Note, Related, Relating};
use crate::settings::recall::RecallRules;
use crate::time::Moment;

/// A memory that may enter a prompt, and all that is known of why.
#[derive(Debug, Clone, PartialEq)]
pub struct Considered {
    pub note: Arc<Note>,
    /// Whose mind it came to.
    pub known_by: Vec<CharacterId>,
    /// Who else of those that speak has the same in mind, word for word, as another memory: of these one is told.
    pub known_besides: Vec<CharacterId>,
    pub parts: Parts,
    /// All legs together, whatever else was found.
    pub nearness: f32,
    /// What its kind is worth: what is less near, times this, than the threshold stays away.
    pub weight: f32,
    /// What its age makes of it, from 0.3 to 1.5.
    pub time_factor: f32,
    /// In the order of this they enter.
    pub score: f32,
    pub standing: Option<Standing>,
    /// Pinned, or of a kind that is always there.
    pub is_constant: bool,
    /// Why it may not enter at all.
    pub barred: Option<Barred>,
    /// Who of those around lacks what the audience policy keeps from them.
    pub lacked_by: Vec<CharacterId>,
    /// What belongs to it, for those that come first.
    pub related: Vec<Related>,
    /// Every line that it tells, itself or by what it sums up. Sorted; empty: it tells of none, of more than lines, or nobody knows of which.
    pub lines: Vec<LineId>,
    /// A summary by rules, of nothing but what comes to mind by itself: it has no words of its own.
    pub is_only_parts: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Barred {
    Dormant(Dormant),
    /// Not everybody who hears the answer may know.
    Audience,
    /// Not near enough.
    Threshold,
    /// It sums up what its holder has put into other words since.
    Corrected,
}

/// What became of a memory that was considered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    Kept,
    Dropped(Dropped),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dropped {
    Barred(Barred),
    /// All that it tells stands in the history, or is quoted as background.
    InHistory,
    /// Another one says the same.
    Alike(MemoryId),
    /// The template would not write it.
    NotInTemplate,
    /// There are enough of its kind.
    Enough,
    /// There is no room for it.
    Room,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choice {
    /// Places of those that enter, in this order.
    pub kept: Vec<usize>,
    /// Of each that was considered, in the same order.
    pub fates: Vec<Fate>,
}

/// What came to one mind, with all that speaks for and against it: what is always there first, then the nearest. What is not near
/// enough to enter is left out unless `tells_far`.
pub fn considered(
    (mind, holder): (&Mind, &CharacterId),
    mut found: Vec<Candidate>,
    question: &Question,
    rules: &RecallRules,
    standing: &dyn Fn(usize) -> Option<Standing>,
    (now, tells_far, laps): (&Now, bool, &Laps),
) -> Vec<Considered> {
    let mut known: Vec<usize> = found.iter().map(|found| found.slot).collect();
    known.sort_unstable();
    let kinds = Kind::ALL.iter().filter(|kind| rules.of(**kind).constant);
    let mut constants: Vec<usize> = mind.pinned().chain(kinds.flat_map(|kind| mind.of_kind(*kind))).collect();
    constants.sort_unstable();
    constants.dedup();
    for slot in constants {
        if known.binary_search(&slot).is_err() {
            found.push(Candidate { slot, parts: Parts::default(), score: 0.0, nearness: 0.0 });
        }
    }
    let asks_for_a_time = question.days.iter().any(|days| !days.is_now);
    let mut all: Vec<Considered> = Vec::with_capacity(found.len());
    for Candidate { slot, parts, score, nearness } in found {
        let Some(note) = mind.note(slot) else { continue };
        let kind = rules.of(note.held.memory.kind);
        let weight = kind.weight;
        let is_constant = is_constant(note, rules);
        // The nearest is told of whatever it is: that there are memories at all counts.
        if !tells_far && !is_constant && nearness * weight < rules.threshold && !all.is_empty() {
            continue;
        }
        // Whoever asks for another time does not want the newest.
        let counts = rules.time_decay && !asks_for_a_time;
        let time_factor = if counts { time_factor(note, kind.decay, now) } else { 1.0 };
        let stands = standing(slot);
        all.push(Considered {
            note: Arc::clone(note),
            known_by: vec![holder.clone()],
            known_besides: Vec::new(),
            parts,
            nearness,
            weight,
            time_factor,
            score: score * weight * time_factor,
            standing: stands,
            is_constant,
            barred: barred(stands, nearness * weight, is_constant, rules)
                .or_else(|| tells_what_was_corrected(note, mind).then_some(Barred::Corrected)),
            lacked_by: Vec::new(),
            related: Vec::new(),
            lines: lines_of(note, mind),
            is_only_parts: is_only_parts(note, mind, rules, standing),
        });
    }
    sort(&mut all);
    laps.lap(Part::Rank);
    all
}

/// Says what belongs to those that come first. What is dormant is not offered.
pub fn relate(
    all: &mut [Considered],
    mind: &Mind,
    rules: &RecallRules,
    standing: &dyn Fn(usize) -> Option<Standing>,
) {
    let mut relating = Relating::new(mind);
    let alike = rules.near_duplicate.map(f64::from);
    let is_awake = |slot: usize| standing(slot).and_then(|standing| standing.dormant).is_none();
    for one in all.iter_mut().filter(|one| one.barred.is_none()).take(LINKED) {
        let slot = mind.slot_of(one.note.held.memory.id);
        one.related =
            slot.map(|slot| relating.different(slot, RELATED, alike, &is_awake)).unwrap_or_default();
    }
}

fn lines_of(note: &Note, mind: &Mind) -> Vec<LineId> {
    let memory = &note.held.memory;
    let mut lines: Vec<LineId> = memory.sources.iter().map(|source| source.line).collect();
    for part in &memory.from {
        let part = mind.slot_of(*part).and_then(|slot| mind.note(slot)).map(|note| &note.held.memory);
        // What happened with nobody saying it stands in no line.
        let Some(part) = part.filter(|part| !(part.sources.is_empty() && part.from.is_empty())) else {
            return Vec::new();
        };
        lines.extend(part.sources.iter().map(|source| source.line));
    }
    lines.sort_unstable();
    lines.dedup();
    lines
}

fn is_only_parts(
    note: &Note,
    mind: &Mind,
    rules: &RecallRules,
    standing: &dyn Fn(usize) -> Option<Standing>,
) -> bool {
    let Held { memory, state, .. } = &note.held;
    let is_by_rules = matches!(memory.origin, Origin::Day | Origin::Era) && memory.model.is_none();
    if !is_by_rules || state.text.is_some() {
        return false;
    }
    memory.from.iter().all(|part| {
        let Some(slot) = mind.slot_of(*part) else { return false };
        let is_summary = mind.note(slot).is_some_and(|note| !note.held.memory.from.is_empty());
        is_summary || keeps_away(standing(slot), rules).is_none()
    })
}

/// Of so many it is told what belongs to them; of each so much.
const LINKED: usize = 20;
pub(super) const RELATED: usize = 5;

/// What is always there, pins before all, the more important the earlier; then what is nearest.
pub(crate) fn sort(all: &mut [Considered]) {
    all.sort_by(|a, b| {
        let rank = |one: &Considered| (!one.note.held.state.pinned, !one.is_constant);
        let weight = |one: &Considered| match one.is_constant {
            true => one.note.held.importance(),
            false => f64::from(one.score),
        };
        rank(a)
            .cmp(&rank(b))
            .then_with(|| weight(b).total_cmp(&weight(a)))
            .then_with(|| a.note.held.memory.id.cmp(&b.note.held.memory.id))
    });
}

fn is_constant(note: &Note, rules: &RecallRules) -> bool {
    note.held.state.pinned || rules.of(note.held.memory.kind).constant
}

/// From 1.5 for what was just now down to 0.3. Where time is not counted, it counts for nothing.
fn time_factor(note: &Note, decay: f32, now: &Now) -> f32 {
    let memory = &note.held.memory;
    let then = Moment { tick: memory.tick, wall_ms: Some(memory.wall_ms) };
    now.days_since(then).map_or(1.0, |days| 0.3 + 1.2 / (1.0 + decay * days as f32))
}

/// Age decides about the order, not about whether something is near: an old promise that is asked for is told.
fn barred(
    standing: Option<Standing>,
    relevance: f32,
    is_constant: bool,
    rules: &RecallRules,
) -> Option<Barred> {
    let is_far = !is_constant && relevance < rules.threshold;
    keeps_away(standing, rules).map(Barred::Dormant).or(is_far.then_some(Barred::Threshold))
}

fn keeps_away(standing: Option<Standing>, rules: &RecallRules) -> Option<Dormant> {
    let dormant = standing.and_then(|standing| standing.dormant);
    dormant.filter(|dormant| !(rules.archive && *dormant == Dormant::Past))
}

/// What came to mind, to be chosen from more than once.
pub(crate) struct Choosing<'c> {
    all: &'c [Considered],
    rules: &'c RecallRules,
    /// Of each.
    texts: Vec<Likeness<'c>>,
    /// Kinds that the template never writes.
    unwritten: Vec<Kind>,
}

impl<'c> Choosing<'c> {
    pub(crate) fn new(all: &'c [Considered], rules: &'c RecallRules) -> Self {
        let text = |one: &'c Considered| Likeness::of(one.note.held.text(), &one.note.outline);
        let unwritten = Kind::ALL.iter().copied().filter(|kind| !template::writes(*kind, rules)).collect();
        Self { all, rules, texts: all.iter().map(text).collect(), unwritten }
    }

    /// `shown` are the lines that stand in the prompt anyway; `keeps_out` says why the last of these cannot stand
    /// there with the others.
    pub(crate) fn choose(
        &self,
        shown: &BTreeSet<LineId>,
        keeps_out: &mut dyn FnMut(&[usize]) -> Option<Dropped>,
    ) -> Choice {
        let mut choice = Choice::default();
        for (place, one) in self.all.iter().enumerate() {
            let dropped = self.dropped(place, one, &choice.kept, shown).or_else(|| {
                choice.kept.push(place);
                let kept_out = keeps_out(&choice.kept);
                if kept_out.is_some() {
                    choice.kept.pop();
                }
                kept_out
            });
            choice.fates.push(dropped.map_or(Fate::Kept, Fate::Dropped));
        }
        choice
    }

    fn dropped(
        &self,
        place: usize,
        one: &Considered,
        kept: &[usize],
        shown: &BTreeSet<LineId>,
    ) -> Option<Dropped> {
        if let Some(barred) = one.barred {
            return Some(Dropped::Barred(barred));
        }
        let held = &one.note.held;
        if self.unwritten.contains(&held.memory.kind) {
            return Some(Dropped::NotInTemplate);
        }
        let is_shown = !one.lines.is_empty() && one.lines.iter().all(|line| shown.contains(line));
        if is_shown && !one.is_constant {
            return Some(Dropped::InHistory);
        }
        let kept = || kept.iter().filter_map(|place| Some((*place, self.all.get(*place)?)));
        if let Some(alike) = self.rules.near_duplicate.map(f64::from) {
            let own = self.texts.get(place);
            let is_same = |(place, other): &(usize, &Considered)| {
                let both = own.zip(self.texts.get(*place));
                both.is_some_and(|(own, text)| own.says_the_same_as(text, alike)) || is_part_of(one, other)
            };
            if let Some((_, other)) = kept().find(is_same) {
                return Some(Dropped::Alike(other.note.held.memory.id));
            }
        }
        let of_kind = |kind: Kind| {
            let counted = kept().filter(|(_, other)| !other.note.held.state.pinned);
            counted.filter(|(_, other)| other.note.held.memory.kind == kind).count()
        };
        let kind = held.memory.kind;
        (!held.state.pinned && of_kind(kind) >= self.rules.of(kind).most).then_some(Dropped::Enough)
    }
}

/// Whether one is summed up by the other; or sums up the other, with all its lines or in no words of its own.
fn is_part_of(one: &Considered, other: &Considered) -> bool {
    let has_same_lines = || !one.lines.is_empty() && one.lines == other.lines;
    other.note.held.memory.from.contains(&one.note.held.memory.id)
        || (one.note.held.memory.from.contains(&other.note.held.memory.id)
            && (one.is_only_parts || has_same_lines()))
}
