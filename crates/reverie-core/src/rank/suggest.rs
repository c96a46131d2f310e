//! What is worth raising now, without anybody having named it?
//!
//! What one wants or promised; what happened on this day, years ago; what one knows of those who are there; and what is about to
//! fade, for speaking of it keeps it.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::id::{CharacterId, LineId};
use crate::layers::Standing;
use crate::memory::Kind;
use crate::mind::{Mind, Note};

/// A memory that is worth raising, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Suggestion {
    pub note: Arc<Note>,
    pub occasion: Occasion,
    /// From 0 to 1.
    pub score: f32,
    pub standing: Option<Standing>,
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
pub struct Occasions<'a> {
    /// Who is there, without whoever remembers.
    pub people: &'a [CharacterId],
    /// What was said lately, and need not be raised.
    pub shown: &'a BTreeSet<LineId>,
    /// The wall clock. None: the world has a time of its own, without anniversaries.
    pub wall_ms: Option<i64>,
    /// Below it a memory is dormant.
    pub floor: f64,
}

/// Something this important is worth raising for its own sake.
const WEIGHTY: f64 = 0.6;

/// The most worthwhile first; of equals the one that was remembered first. Whatever is dormant stays where it is.
pub fn suggest(
    mind: &Mind,
    standing: &dyn Fn(usize) -> Option<Standing>,
    now: &Occasions<'_>,
) -> Vec<Suggestion> {
    let mut found: Vec<Suggestion> = Vec::new();
    for slot in 0..mind.slots() {
        let Some(note) = mind.note(slot) else { continue };
        let standing = standing(slot);
        let is_dormant = standing.is_some_and(|standing| standing.dormant.is_some());
        let sources = &note.held.memory.sources;
        let is_shown = !sources.is_empty() && sources.iter().all(|source| now.shown.contains(&source.line));
        if is_dormant || is_shown {
            continue;
        }
        let best = occasions(note, standing, now).into_iter().flatten().max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((occasion, score)) = best {
            found.push(Suggestion { note: Arc::clone(note), occasion, score: score as f32, standing });
        }
    }
    found.sort_by(|a, b| {
        b.score.total_cmp(&a.score).then_with(|| a.note.held.memory.id.cmp(&b.note.held.memory.id))
    });
    found
}

fn occasions(note: &Note, standing: Option<Standing>, now: &Occasions<'_>) -> [Option<(Occasion, f64)>; 4] {
    let memory = &note.held.memory;
    let importance = note.held.importance();
    let is_about = memory.about.iter().any(|person| now.people.contains(person));
    let goal = (memory.kind == Kind::Goal).then_some((Occasion::Goal, 0.6 + 0.4 * importance));
    let years =
        now.wall_ms.filter(|_| memory.kind == Kind::Episodic).and_then(|ms| years(memory.wall_ms, ms));
    let anniversary = years.map(|_| (Occasion::Anniversary, 0.5 + 0.4 * importance));
    let present = (is_about && importance >= WEIGHTY).then_some((Occasion::Present, 0.3 + 0.4 * importance));
    let fading = standing.filter(|_| note.held.state.layer.is_some()).and_then(|standing| {
        // From nothing at twice the floor to all of it at the floor.
        let left = (standing.activity - now.floor) / now.floor.max(f64::MIN_POSITIVE);
        (left < 1.0).then_some((Occasion::Fading, (1.0 - left) * importance))
    });
    [goal, anniversary, present, fading]
}

/// How many years lie between two moments of the same day of the year; None if they are not of the same, or none lie between.
fn years(then_ms: i64, now_ms: i64) -> Option<i16> {
    let date = |ms: i64| -> Option<Date> {
        Some(Timestamp::from_millisecond(ms).ok()?.to_zoned(TimeZone::UTC).date())
    };
    let (then, now) = (date(then_ms)?, date(now_ms)?);
    let is_same_day = (then.month(), then.day()) == (now.month(), now.day());
    Some(now.year() - then.year()).filter(|years| is_same_day && *years > 0)
}
