//! What sets an entry off besides its keys: meaning, topic, time and mood. And what was missing where it did not?
//!
//! Weights and age make each of them weaker; what is too weak sets nothing off.

use std::collections::HashMap;

use super::entry::{Entry, Trigger};
use super::nearest::Nearest;
use super::rules::Request;
use super::shelf::Shelf;
use super::why::{By, Missed, Outcome, Present, Unlike, Unmeasured, Untimely};

/// Below this, something is too weak to come to mind.
pub const NEAR: f64 = 0.3;
/// Per day.
const USUAL_DECAY: f64 = 0.1;

/// `similarity` is how near it is in meaning, if that is known.
pub(super) fn set_off(entry: &Entry, request: &Request<'_>, similarity: Option<f64>) -> Option<By> {
    let fresh = freshness(entry, request);
    let relevance = relevance(entry, fresh);
    if let Some(likeness) = similarity.and_then(|similarity| likeness(entry, request, similarity)) {
        return Some(By::Similarity(likeness));
    }
    if let Some(topic) = shared(&entry.topics, request.topics).filter(|_| relevance >= NEAR) {
        return Some(By::Topic(topic.clone()));
    }
    match entry.trigger {
        Trigger::Temporal => fresh.map(|_| relevance).filter(|near| *near >= NEAR).map(By::Time),
        Trigger::Emotional => {
            let felt = shared(&entry.emotions, request.mood);
            felt.filter(|_| feeling(entry, fresh) >= NEAR).cloned().map(By::Mood)
        }
        Trigger::Keyword | Trigger::Semantic => None,
    }
}

/// How like in meaning an entry is, its weight taken into account; None: too little to set it off.
pub(super) fn likeness(entry: &Entry, request: &Request<'_>, similarity: f64) -> Option<f64> {
    let likeness = similarity * relevance(entry, freshness(entry, request));
    (entry.is_found_by_meaning() && likeness >= NEAR).then_some(likeness)
}

/// Tells what was missing, to those who ask why.
pub(super) struct Missing<'a> {
    shelf: &'a Shelf,
    request: &'a Request<'a>,
    similar: Nearest,
    unlike: HashMap<u32, &'a Unlike>,
    others: Unmeasured,
}

impl<'a> Missing<'a> {
    /// `similar` is how near entries are in meaning.
    pub(super) fn new(shelf: &'a Shelf, request: &'a Request<'a>, similar: Nearest) -> Self {
        let meaning = request.meaning.filter(|_| request.explain);
        let known = meaning.into_iter().flat_map(|meaning| &meaning.unlike);
        let unlike = known.filter_map(|(name, unlike)| Some((shelf.find(&name.book, &name.entry)?, unlike)));
        let others = meaning.map(|meaning| meaning.others).unwrap_or_default();
        Self { shelf, request, similar, unlike: unlike.collect(), others }
    }

    /// What would have set an entry off and was not there, its own trigger first.
    pub(super) fn of(&self, index: u32, outcome: &Outcome) -> Vec<Missed> {
        let needed_something = matches!(
            outcome,
            Outcome::NoKeys
                | Outcome::NoKeyFound
                | Outcome::NotSearched { .. }
                | Outcome::Secondary { .. }
                | Outcome::ExcludedBy { .. }
        );
        match self.shelf.items.get(index as usize).filter(|_| needed_something) {
            Some(item) => self.of_entry(index, &item.entry),
            None => Vec::new(),
        }
    }

    fn of_entry(&self, index: u32, entry: &Entry) -> Vec<Missed> {
        let request = self.request;
        let fresh = freshness(entry, request);
        let relevance = relevance(entry, fresh);
        let of_trigger = match entry.trigger {
            Trigger::Temporal => Some(Missed::Time(untimely(entry, request, relevance))),
            Trigger::Emotional => Some(Missed::Mood {
                wanted: entry.emotions.clone(),
                present: Present::new(request.mood),
                strength: shared(&entry.emotions, request.mood).map(|_| feeling(entry, fresh)),
            }),
            Trigger::Keyword | Trigger::Semantic => None,
        };
        let by_meaning = entry.is_found_by_meaning().then(|| Missed::Meaning(self.unlike(index, relevance)));
        let by_topic = (!entry.topics.is_empty()).then(|| Missed::Topic {
            wanted: entry.topics.clone(),
            named: Present::new(request.topics),
            strength: shared(&entry.topics, request.topics).map(|_| relevance),
        });
        of_trigger.into_iter().chain(by_meaning).chain(by_topic).collect()
    }

    fn unlike(&self, index: u32, weight: f64) -> Unlike {
        if let Some((likeness, nearest)) = self.similar.behind(index) {
            return Unlike::Behind { likeness, nearest };
        }
        match (self.similar.of(index), self.unlike.get(&index)) {
            (Some(similarity), _) => Unlike::Below { similarity, weight, threshold: NEAR },
            (None, Some(unlike)) => (*unlike).clone(),
            (None, None) => Unlike::Unmeasured(self.others),
        }
    }
}

fn untimely(entry: &Entry, request: &Request<'_>, near: f64) -> Untimely {
    let Some(then) = entry.tick else { return Untimely::EntryHasNoTick };
    let Some(now) = request.tick else { return Untimely::NobodySaysWhenItIs };
    match request.ticks_per_day {
        Some(day) => Untimely::Far { then, now, days: (now as f64 - then as f64).abs() / day, near },
        None => Untimely::NoCalendar,
    }
}

fn relevance(entry: &Entry, fresh: Option<f64>) -> f64 {
    entry.relevance_weight.unwrap_or(1.0) * fresh.unwrap_or(1.0)
}

fn feeling(entry: &Entry, fresh: Option<f64>) -> f64 {
    entry.emotional_weight.unwrap_or(1.0) * fresh.unwrap_or(1.0)
}

/// From 1 for now towards 0; None: it has no time, or the world has none.
fn freshness(entry: &Entry, request: &Request<'_>) -> Option<f64> {
    let age = (request.tick? as f64 - entry.tick? as f64).abs() / request.ticks_per_day?;
    Some((-entry.time_decay.unwrap_or(USUAL_DECAY) * age).exp())
}

/// The first that is wanted and there, in any case.
fn shared<'w>(wanted: &'w [String], there: &[String]) -> Option<&'w String> {
    wanted.iter().find(|wanted| there.iter().any(|there| same(wanted, there)))
}

fn same(a: &str, b: &str) -> bool {
    a.trim().to_lowercase() == b.trim().to_lowercase()
}
