//! What is worth raising now, without anybody having named it?
//!
//! What one wants or promised; what happened on this day, years ago; what one knows of those who are there; and what is about to
//! fade, for speaking of it keeps it. What happened is raised once: not as the summary of a day, and again as what that sums up.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::civil::Date;

use crate::id::{CharacterId, LineId, MemoryId};
use crate::layers::Standing;
use crate::likeness::Likeness;
use crate::memory::Kind;
use crate::mind::{Mind, Note};
use crate::time::{Calendar, Moment};
use crate::time_words::day_of;

/// A memory that is worth raising, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Suggestion {
    pub note: Arc<Note>,
    pub occasion: Occasion,
    /// From 0 to 1.
    pub score: f32,
    pub standing: Option<Standing>,
}

/// What could be raised, while it is not known yet who may hear it.
pub(crate) struct Raised {
    pub(crate) suggestion: Suggestion,
    /// What it tells, however often that was summed up: memories that sum up nothing. Sorted.
    leaves: Vec<MemoryId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Occasion {
    /// It is still wanted, or promised.
    Goal,
    /// It was on this day of another year.
    Anniversary,
    /// It is about somebody who is there.
    Present,
    /// It will soon be forgotten.
    Fading,
}

/// What is going on.
#[derive(Debug, Clone)]
pub(crate) struct Occasions<'a> {
    /// Who is there, without whoever remembers.
    pub people: &'a [CharacterId],
    /// What was said lately, and need not be raised.
    pub shown: &'a BTreeSet<LineId>,
    pub now: Moment,
    /// Only days of Earth have anniversaries.
    pub calendar: Option<&'a Calendar>,
    /// Below it a memory is dormant.
    pub floor: f64,
}

/// Something this important is worth raising for its own sake.
const WEIGHTY: f64 = 0.6;

/// The most worthwhile first; of equals the one that was remembered first. Whatever is dormant stays where it is.
pub(crate) fn suggest(
    mind: &Mind,
    standing: &dyn Fn(usize) -> Option<Standing>,
    now: &Occasions<'_>,
) -> Vec<Raised> {
    let today = now.date_of(now.now);
    let mut found: Vec<Raised> = Vec::new();
    for slot in 0..mind.slots() {
        let Some(note) = mind.note(slot) else { continue };
        let standing = standing(slot);
        let is_dormant = standing.is_some_and(|standing| standing.dormant.is_some());
        let sources = &note.held.memory.sources;
        let is_shown = !sources.is_empty() && sources.iter().all(|source| now.shown.contains(&source.line));
        if is_dormant || is_shown {
            continue;
        }
        let all = occasions(note, standing, now, today);
        let best = all.into_iter().flatten().max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((occasion, score)) = best {
            let suggestion = Suggestion { note: Arc::clone(note), occasion, score: score as f32, standing };
            found.push(Raised { suggestion, leaves: leaves(note, mind) });
        }
    }
    found.sort_by(|a, b| {
        let (a, b) = (&a.suggestion, &b.suggestion);
        b.score.total_cmp(&a.score).then_with(|| a.note.held.memory.id.cmp(&b.note.held.memory.id))
    });
    found
}

/// Each thing once, at most so many: no part of what is raised already, and nothing that is almost the same as this `alike`, as in a
/// prompt. Where that is off, all of them.
pub(crate) fn each_once(found: Vec<Raised>, alike: Option<f64>, most: usize) -> Vec<Suggestion> {
    let Some(alike) = alike else {
        return found.into_iter().take(most).map(|one| one.suggestion).collect();
    };
    let mut kept: Vec<&Raised> = Vec::new();
    let mut texts: Vec<Likeness<'_>> = Vec::new();
    for one in &found {
        if kept.len() == most {
            break;
        }
        let note = &one.suggestion.note;
        let text = Likeness::of(note.held.text(), &note.outline);
        let is_told = kept.iter().any(|other| one.is_part_of(other))
            || texts.iter().any(|other| text.says_the_same_as(other, alike));
        if !is_told {
            kept.push(one);
            texts.push(text);
        }
    }
    kept.into_iter().map(|one| one.suggestion.clone()).collect()
}

impl Raised {
    fn is_part_of(&self, other: &Self) -> bool {
        self.leaves.iter().all(|leaf| other.leaves.binary_search(leaf).is_ok())
    }
}

fn leaves(note: &Note, mind: &Mind) -> Vec<MemoryId> {
    let mut leaves = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![note.held.memory.id];
    while let Some(id) = open.pop() {
        let memory = mind.slot_of(id).and_then(|slot| mind.note(slot)).map(|note| &note.held.memory);
        match memory.filter(|memory| !memory.from.is_empty()) {
            Some(memory) if seen.insert(id) => open.extend(&memory.from),
            Some(_) => {}
            // Also what this mind does not have any more.
            None => drop(leaves.insert(id)),
        }
    }
    leaves.into_iter().collect()
}

impl Occasions<'_> {
    /// On Earth.
    fn date_of(&self, moment: Moment) -> Option<Date> {
        if !self.calendar.is_none_or(Calendar::is_gregorian) {
            return None;
        }
        let day = day_of(moment, self.calendar)?;
        jiff::civil::date(1970, 1, 1).checked_add(jiff::Span::new().try_days(day).ok()?).ok()
    }
}

fn occasions(
    note: &Note,
    standing: Option<Standing>,
    now: &Occasions<'_>,
    today: Option<Date>,
) -> [Option<(Occasion, f64)>; 4] {
    let memory = &note.held.memory;
    let importance = note.held.importance();
    let is_about = memory.about.iter().any(|person| now.people.contains(person));
    let goal = (memory.kind == Kind::Goal).then_some((Occasion::Goal, 0.6 + 0.4 * importance));
    let then = || now.date_of(Moment { tick: memory.tick, wall_ms: Some(memory.wall_ms) });
    let is_of_this_day = memory.kind == Kind::Episodic && is_anniversary(then(), today);
    let anniversary = is_of_this_day.then_some((Occasion::Anniversary, 0.5 + 0.4 * importance));
    let present = (is_about && importance >= WEIGHTY).then_some((Occasion::Present, 0.3 + 0.4 * importance));
    let fading = standing.filter(|_| note.held.state.layer.is_some()).and_then(|standing| {
        // From nothing at twice the floor to all of it at the floor.
        let left = (standing.activity - now.floor) / now.floor.max(f64::MIN_POSITIVE);
        (left < 1.0).then_some((Occasion::Fading, (1.0 - left) * importance))
    });
    [goal, anniversary, present, fading]
}

/// Whether they are the same day of different years, in this order.
fn is_anniversary(then: Option<Date>, today: Option<Date>) -> bool {
    then.zip(today).is_some_and(|(then, today)| {
        (then.month(), then.day()) == (today.month(), today.day()) && then.year() < today.year()
    })
}
