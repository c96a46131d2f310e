//! What becomes of days and eras that tell what somebody has put into other words?
//!
//! A summary says what its parts said when it was made. Whoever rewords one of these has the day told anew in the same change, by rules; a
//! model words it better when it is asked next. The old telling is superseded, not gone: where the old wording comes back, so does the
//! telling of it.

use std::collections::{BTreeMap, BTreeSet};

use super::Engine;
use crate::Result;
use crate::digest::{rule_summary, told_anew};
use crate::id::{CharacterId, MemoryId, WorldId};
use crate::memories::{Commit, Effect, Guard, HeldQuery, MemoryOrder, Which, WhichHeld};
use crate::memory::{Held, Layer, Origin, State};

/// Summaries that are read at a time.
const PAGE: usize = 200;

/// What a commit does to somebody's days and eras.
struct Retold {
    /// The state that each gets, which of the new ones sums it up, and which takes its place.
    states: BTreeMap<MemoryId, Changed>,
    /// How each day and era is told from now on: by all that happened then.
    tellings: BTreeMap<(Origin, Vec<MemoryId>), Telling>,
}

/// A summary as it is told from now on, and its place among those that the commit makes, if it does.
#[derive(Clone)]
struct Telling {
    held: Held,
    place: Option<usize>,
}

impl Telling {
    fn known(held: &Held) -> Self {
        Self { held: held.clone(), place: None }
    }

    /// Whether it took the place of this part.
    fn replaces(&self, part: &Held) -> bool {
        self.place.is_some() || self.held.memory.id != part.memory.id
    }
}

struct Changed {
    held: Held,
    summarised_by: Option<usize>,
    superseded_by: Option<usize>,
}

impl Engine {
    /// Adds to a commit what the new words of a memory make of all that sums it up, for one who has it. Gives back the memory's own
    /// state, and which of the new ones sums it up.
    pub(super) fn put_right(
        &self,
        world: &WorldId,
        before: &Held,
        after: State,
        commit: &mut Commit,
    ) -> Result<(State, Option<usize>)> {
        let changed = Held { state: after, ..before.clone() };
        let mut retold = Retold { states: BTreeMap::new(), tellings: BTreeMap::new() };
        retold.touch(&changed);
        let summaries = self.summaries(world, &before.holder)?;
        let tells = |held: &&Held| held.is_valid() && held.memory.from.contains(&before.memory.id);
        // In words of the holder's own it tells what they want it to.
        let mut concerned: Vec<&Held> =
            summaries.iter().filter(tells).filter(|held| held.state.text.is_none()).collect();
        // A day before its era.
        concerned.sort_by_key(|held| (held.memory.from.len(), held.memory.id));
        for summary in concerned {
            let parts = self.parts(world, summary, &changed)?;
            if !self.is_told_as_now(world, summary, &parts)? {
                self.tell_anew(world, summary, (&parts, &summaries), &mut retold, commit)?;
            }
        }
        let own = retold.states.remove(&changed.memory.id);
        for Changed { held, summarised_by, superseded_by } in retold.states.into_values() {
            let (memory, holder) = (held.memory.id, held.holder);
            commit.guards.push(Guard::State { memory, holder: holder.clone(), version: held.version });
            let state = Box::new(held.state);
            let memory = Which::Known(memory);
            commit.effects.push(Effect::State { memory, holder, state, summarised_by, superseded_by });
        }
        Ok(own.map_or((changed.state, None), |own| (own.held.state, own.summarised_by)))
    }

    /// Puts another telling in the place of a summary: one that told the same words before, else a new one.
    fn tell_anew(
        &self,
        world: &WorldId,
        summary: &Held,
        (parts, summaries): (&[Held], &[Held]),
        retold: &mut Retold,
        commit: &mut Commit,
    ) -> Result<()> {
        let within: BTreeSet<MemoryId> =
            parts.iter().flat_map(|part| part.memory.from.iter().copied()).collect();
        // An era is told from its days, not from what these were made of.
        let direct = parts.iter().filter(|part| !within.contains(&part.memory.id));
        let mut told: Vec<(&Held, Telling)> =
            direct.map(|part| (part, retold.telling_of(part, summaries))).collect();
        told.sort_by_key(|(part, _)| (part.memory.tick, part.memory.wall_ms, part.memory.id));
        let sources: Vec<Held> = told.iter().map(|(_, telling)| telling.held.clone()).collect();
        let settings = self.settings(world)?;
        let names = self.names(world, summary.memory.about.iter().cloned())?;
        let text = rule_summary(&sources.iter().collect::<Vec<_>>(), &names, settings.calendar.as_ref());
        if text == summary.memory.text {
            return Ok(());
        }
        let mut earlier = None;
        for other in summaries.iter().filter(|other| tells_the_same(other, summary, summaries)) {
            if other.memory.text == text || self.is_told_as_now(world, other, parts)? {
                earlier = Some(other);
            }
        }
        let telling = match earlier {
            Some(earlier) => {
                retold.touch(earlier).held.state.superseded_by = None;
                retold.touch(summary).held.state.superseded_by = Some(earlier.memory.id);
                Telling::known(earlier)
            }
            None => {
                let is_made = |effect: &&Effect| matches!(effect, Effect::Remember(_));
                let place = commit.effects.iter().filter(is_made).count();
                let mut new = told_anew(summary, &sources, text.clone(), None);
                // An era is made of its days as they are told now.
                for (part, telling) in told.iter().filter(|(part, telling)| telling.replaces(part)) {
                    new.from.retain(|from| *from != Which::Known(part.memory.id));
                    new.from.push(telling.place.map_or(Which::Known(telling.held.memory.id), Which::New));
                }
                commit.effects.push(Effect::Remember(new));
                retold.touch(summary).superseded_by = Some(place);
                let mut held = summary.clone();
                held.memory.text = text;
                held.state = State { text: None, superseded_by: None, ..held.state };
                Telling { held, place: Some(place) }
            }
        };
        retold.tellings.insert(kind_of(summary, summaries), telling.clone());
        for (_, source) in told {
            retold.sum_up(source, &telling, commit);
        }
        Ok(())
    }

    /// All that a summary sums up, as its holder has it; `changed` as it will be.
    fn parts(&self, world: &WorldId, summary: &Held, changed: &Held) -> Result<Vec<Held>> {
        let mut parts = Vec::new();
        for part in &summary.memory.from {
            if *part == changed.memory.id {
                parts.push(changed.clone());
                continue;
            }
            let which = WhichHeld::One(*part);
            let query = HeldQuery { all: true, ..HeldQuery::of(Some(&summary.holder), which) };
            parts.extend(self.store.held(world, &query)?);
        }
        Ok(parts)
    }

    /// Whether all that a summary was made of had the words that it has now.
    fn is_told_as_now(&self, world: &WorldId, summary: &Held, parts: &[Held]) -> Result<bool> {
        for part in parts {
            let states = self.store.states(world, part.memory.id, &part.holder)?;
            let then = states.iter().rev().find(|(at, _)| *at <= summary.memory.revision);
            let then = then.and_then(|(_, state)| state.as_ref()?.text.as_deref());
            if then != part.state.text.as_deref() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Somebody's days and eras, whether they count or not.
    fn summaries(&self, world: &WorldId, holder: &CharacterId) -> Result<Vec<Held>> {
        let mut found: Vec<Held> = Vec::new();
        loop {
            let query = HeldQuery {
                layers: vec![Layer::Events, Layer::Archive],
                after: found.last().map(|last| MemoryOrder::Made.place(last)),
                all: true,
                limit: PAGE,
                ..HeldQuery::of(Some(holder), WhichHeld::Any)
            };
            let page = self.store.held(world, &query)?;
            let is_last = page.len() < PAGE;
            found.extend(page);
            if is_last {
                found.retain(|held| !held.memory.from.is_empty());
                return Ok(found);
            }
        }
    }
}

impl Retold {
    fn touch(&mut self, held: &Held) -> &mut Changed {
        let changed = || Changed { held: held.clone(), summarised_by: None, superseded_by: None };
        self.states.entry(held.memory.id).or_insert_with(changed)
    }

    /// Says what sums up a part, as it is told now.
    fn sum_up(&mut self, part: Telling, by: &Telling, commit: &mut Commit) {
        let Some(place) = part.place else {
            let known = self.touch(&part.held);
            match by.place {
                Some(place) => known.summarised_by = Some(place),
                None => known.held.state.summarised_by = Some(by.held.memory.id),
            }
            return;
        };
        let state = State { summarised_by: Some(by.held.memory.id), ..part.held.state };
        commit.effects.push(Effect::State {
            memory: Which::New(place),
            holder: part.held.holder,
            state: Box::new(state),
            summarised_by: by.place,
            superseded_by: None,
        });
    }

    /// A part as it is told now, if it is a day.
    fn telling_of(&self, part: &Held, summaries: &[Held]) -> Telling {
        if part.memory.from.is_empty() {
            return Telling::known(part);
        }
        let kind = kind_of(part, summaries);
        let counts = |other: &&Held| other.is_valid() && kind_of(other, summaries) == kind;
        let told = || summaries.iter().find(counts).map(Telling::known);
        self.tellings.get(&kind).cloned().or_else(told).unwrap_or_else(|| Telling::known(part))
    }
}

/// Whether one is another telling of what the other sums up, which nobody let go.
fn tells_the_same(one: &Held, other: &Held, summaries: &[Held]) -> bool {
    one.memory.id != other.memory.id
        && kind_of(one, summaries) == kind_of(other, summaries)
        && one.live
        && !one.state.forgotten
        && one.state.text.is_none()
}

/// What a summary is of: a day or an era, and all that happened then. In which words its days were told does not count.
fn kind_of(summary: &Held, summaries: &[Held]) -> (Origin, Vec<MemoryId>) {
    let is_summary = |part: &MemoryId| summaries.iter().any(|other| other.memory.id == *part);
    let happened = summary.memory.from.iter().copied().filter(|part| !is_summary(part));
    (summary.memory.origin, happened.collect())
}
