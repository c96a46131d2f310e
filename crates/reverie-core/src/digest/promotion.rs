//! Which days are over, and what becomes of them?
//!
//! Once a day is over, what a character lived through that day becomes one memory of the day; once an era is over, the memories
//! of its days become one memory of the era. Days are those of the world's calendar, else of so many ticks as make 24 hours,
//! else of the wall clock (UTC). Nothing that is summed up goes away: it only leaves by age or by fading.

use std::collections::{BTreeMap, BTreeSet};

use super::summary::rule_summary;
use crate::fingerprint::fingerprint_of_summary;
use crate::id::{CharacterId, MemoryId};
use crate::layers::{Hour, LayerRules};
use crate::memories::{Commit, Effect, Guard, NewMemory, Which};
use crate::memory::{Held, Kind, Layer, Origin, State};
use crate::time::{Calendar, Moment};

/// A day or an era that is over, of one holder.
#[derive(Debug, Clone, PartialEq)]
pub struct Promotion<'a> {
    pub to: Layer,
    /// The number of the day, or of the era.
    pub number: i64,
    /// Oldest first.
    pub sources: Vec<&'a Held>,
}

/// Summaries carry the words of what they sum up, but not without end.
const WORDS: usize = 32;
const SUMMARY_BONUS: f64 = 0.2;

/// Which layers are summed up into which.
pub(crate) const STEPS: [(&[Layer], Layer); 2] =
    [(&[Layer::Active, Layer::Situational], Layer::Events), (&[Layer::Events], Layer::Archive)];

/// What of these memories of one holder, none of them summed up yet, is over by now.
pub fn promotions<'a>(
    held: &'a [Held],
    to: Layer,
    rules: &LayerRules,
    calendar: Option<&Calendar>,
    now: Moment,
) -> Vec<Promotion<'a>> {
    let period = if to == Layer::Archive { rules.era_days } else { 1 };
    let mut over: BTreeMap<i64, Vec<&Held>> = BTreeMap::new();
    for held in held {
        let then = Moment { tick: held.memory.tick, wall_ms: Some(held.memory.wall_ms) };
        let Some((then, today)) = then_and_today(rules, calendar, then, now) else { continue };
        let (then, today) = (then.div_euclid(period), today.div_euclid(period));
        if then < today {
            over.entry(then).or_default().push(held);
        }
    }
    let in_order = |mut sources: Vec<&'a Held>| {
        sources.sort_by_key(|held| (held.memory.tick, held.memory.wall_ms, held.memory.id));
        sources
    };
    over.into_iter().map(|(number, sources)| Promotion { to, number, sources: in_order(sources) }).collect()
}

/// Whether the day of a moment is over by now. A moment of which nobody knows the day never is.
pub(crate) fn is_over(rules: &LayerRules, calendar: Option<&Calendar>, then: Moment, now: Moment) -> bool {
    then_and_today(rules, calendar, then, now).is_some_and(|(then, today)| then < today)
}

/// What has no tick has a day of the wall clock, in a world with ticks too.
fn then_and_today(
    rules: &LayerRules,
    calendar: Option<&Calendar>,
    then: Moment,
    now: Moment,
) -> Option<(i64, i64)> {
    let days = day(rules, calendar, then).zip(day(rules, calendar, now));
    days.or_else(|| wall_day(then).zip(wall_day(now)))
}

pub(crate) fn day(rules: &LayerRules, calendar: Option<&Calendar>, moment: Moment) -> Option<i64> {
    if let Hour::Ticks(ticks) = rules.hour {
        return Some((moment.tick? as f64 / (24.0 * ticks)).floor() as i64);
    }
    match calendar {
        Some(calendar) if rules.hour != Hour::Wall => calendar.day(moment),
        _ => wall_day(moment),
    }
}

fn wall_day(moment: Moment) -> Option<i64> {
    Some(moment.wall_ms?.div_euclid(24 * 3_600_000))
}

impl Promotion<'_> {
    /// What a summary by rules would write.
    pub fn rule_text(&self, names: &[String], calendar: Option<&Calendar>) -> String {
        rule_summary(&self.sources, names, calendar)
    }

    pub(crate) fn source_ids(&self) -> Vec<MemoryId> {
        self.sources.iter().map(|held| held.memory.id).collect()
    }

    /// Whom the sources are about.
    pub fn about(&self) -> BTreeSet<CharacterId> {
        self.sources.iter().flat_map(|held| held.memory.about.iter().cloned()).collect()
    }

    /// All that it sums up.
    pub fn from(&self) -> BTreeSet<MemoryId> {
        let parts =
            |held: &&Held| held.memory.from.iter().copied().chain([held.memory.id]).collect::<Vec<_>>();
        self.sources.iter().flat_map(parts).collect()
    }

    /// Makes the summary, if its sources are as they were read. `fuller` sums up all of this and more, and takes its place
    /// whenever it can be recalled again.
    pub fn commit(&self, holder: &CharacterId, text: String, fuller: Option<MemoryId>) -> Commit {
        let mut commit = Commit::default();
        let newest = self.sources.last().map(|held| &held.memory);
        let tick = newest.and_then(|memory| memory.tick);
        let from = self.from();
        let mean =
            self.sources.iter().map(|held| held.importance()).sum::<f64>() / self.sources.len().max(1) as f64;
        let from: Vec<MemoryId> = from.into_iter().collect();
        commit.effects.push(Effect::Remember(NewMemory {
            fingerprint: Some(fingerprint_of_summary(&from, &text)),
            kind: Kind::Episodic,
            origin: if self.to == Layer::Archive { Origin::Era } else { Origin::Day },
            text,
            sources: Vec::new(),
            from: from.into_iter().map(Which::Known).collect(),
            about: self.about().into_iter().collect(),
            importance: (mean + SUMMARY_BONUS).min(1.0),
            keywords: self.union(|held| &held.memory.keywords),
            topics: self.union(|held| &held.memory.topics),
            emotions: self.union(|held| &held.memory.emotions),
            tick,
            wall_ms: newest.map_or(0, |memory| memory.wall_ms),
            model: None,
            holders: vec![(
                holder.clone(),
                State { superseded_by: fuller, ..State::new(Some(self.to), tick) },
            )],
        }));
        for held in &self.sources {
            let memory = held.memory.id;
            commit.guards.push(Guard::State { memory, holder: holder.clone(), version: held.version });
            commit.guards.push(Guard::Valid { memory, holder: holder.clone(), valid: true });
            commit.effects.push(Effect::State {
                memory: Which::Known(memory),
                holder: holder.clone(),
                state: Box::new(held.state.clone()),
                summarised_by: Some(0),
                superseded_by: None,
            });
        }
        commit
    }

    /// The words of the sources: those of several first, then in order.
    fn union(&self, words: impl Fn(&Held) -> &Vec<String>) -> Vec<String> {
        let mut counted: Vec<(&String, usize)> = Vec::new();
        for word in self.sources.iter().flat_map(|held| words(held)) {
            match counted.iter_mut().find(|(known, _)| *known == word) {
                Some((_, count)) => *count += 1,
                None => counted.push((word, 1)),
            }
        }
        counted.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        counted.into_iter().take(WORDS).map(|(word, _)| word.clone()).collect()
    }
}
