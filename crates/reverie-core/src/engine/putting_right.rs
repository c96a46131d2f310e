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
use crate::memory::{Held, Layer, State};

/// Summaries that are read at a time.
const PAGE: usize = 200;

/// What a commit does to somebody's days and eras.
struct Retold {
    /// The state that each gets, which of the new ones sums it up, and which takes its place.
    states: BTreeMap<MemoryId, Changed>,
    /// What is told now of what sums up the same: by all that it sums up.
    tellings: BTreeMap<Vec<MemoryId>, Held>,
}

struct Changed {
    held: Held,
    summarised_by: Option<usize>,
    superseded_by: Option<usize>,
}

/// What tells a day from now on.
enum Teller {
    Known(MemoryId),
    /// By its place among those that the commit makes.
    New(usize),
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
        let mut sources: Vec<Held> = direct.map(|part| retold.telling_of(part, summaries)).collect();
        sources.sort_by_key(|held| (held.memory.tick, held.memory.wall_ms, held.memory.id));
        let settings = self.settings(world)?;
        let names = self.names(world, summary.memory.about.iter().cloned())?;
        let text = rule_summary(&sources.iter().collect::<Vec<_>>(), &names, settings.calendar.as_ref());
        if text == summary.memory.text {
            return Ok(());
        }
        let mut earlier = None;
        for other in summaries.iter().filter(|other| tells_the_same(other, summary)) {
            if other.memory.text == text || self.is_told_as_now(world, other, parts)? {
                earlier = Some(other);
            }
        }
        let teller = match earlier {
            Some(earlier) => {
                retold.touch(earlier).held.state.superseded_by = None;
                retold.touch(summary).held.state.superseded_by = Some(earlier.memory.id);
                retold.tellings.insert(summary.memory.from.clone(), earlier.clone());
                Teller::Known(earlier.memory.id)
            }
            None => {
                let is_made = |effect: &&Effect| matches!(effect, Effect::Remember(_));
                let place = commit.effects.iter().filter(is_made).count();
                commit.effects.push(Effect::Remember(told_anew(summary, &sources, text.clone(), None)));
                retold.touch(summary).superseded_by = Some(place);
                let mut told = summary.clone();
                told.memory.text = text;
                retold.tellings.insert(summary.memory.from.clone(), told);
                Teller::New(place)
            }
        };
        for source in parts.iter().filter(|part| !within.contains(&part.memory.id)) {
            let source = retold.touch(source);
            match teller {
                Teller::Known(earlier) => source.held.state.summarised_by = Some(earlier),
                Teller::New(place) => source.summarised_by = Some(place),
            }
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

    /// A part as it is told now, if it is a day.
    fn telling_of(&self, part: &Held, summaries: &[Held]) -> Held {
        if part.memory.from.is_empty() {
            return part.clone();
        }
        let counts = |other: &&Held| other.is_valid() && other.memory.from == part.memory.from;
        let told = self.tellings.get(&part.memory.from).or_else(|| summaries.iter().find(counts));
        told.unwrap_or(part).clone()
    }
}

/// Whether one is another telling of what the other sums up, which nobody let go.
fn tells_the_same(one: &Held, other: &Held) -> bool {
    one.memory.id != other.memory.id
        && one.memory.from == other.memory.from
        && one.memory.origin == other.memory.origin
        && one.live
        && !one.state.forgotten
        && one.state.text.is_none()
}
