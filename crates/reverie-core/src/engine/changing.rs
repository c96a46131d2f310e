//! How is a memory changed for one who has it or for all: pinned, reworded, forgotten, brought back?

use std::collections::BTreeSet;

use super::{Engine, Past, TRIES, Written};
use crate::admit::check_share;
use crate::id::{CharacterId, LineId, MemoryId, WorldId};
use crate::memories::{Commit, Committed, Effect, Guard, HeldQuery, Which, WhichHeld};
use crate::memory::{Held, Layer, Memory, Origin, State};
use crate::time::Tick;
use crate::{Error, Result};

/// What to change about a memory for one who has it; None leaves a thing as it is, Some(None) gives it back its own.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MemoryPatch {
    pub text: Option<Option<String>>,
    pub importance: Option<Option<f64>>,
    pub pinned: Option<bool>,
    pub shareable: Option<bool>,
    /// Whoever remembers it again remembers its lines again.
    pub forgotten: Option<bool>,
    /// Whoever forgets it forgets the lines that it was made of, too: they are in none of their views any more, and nothing is
    /// derived from them for them.
    pub lines: bool,
}

impl Engine {
    /// Changes what a memory is to one holder, or to all who have it.
    pub fn change_memory(
        &self,
        world: &WorldId,
        memory: MemoryId,
        holder: Option<&CharacterId>,
        mut patch: MemoryPatch,
    ) -> Result<Written<Vec<Held>>> {
        let mut replaced = 0;
        if let Some(Some(text)) = &mut patch.text {
            replaced = self.limits.admit_memory_text(text)?;
        }
        patch.importance.flatten().map(|share| check_share("importance", share)).transpose()?;
        if patch.lines && patch.forgotten != Some(true) {
            return Err(Error::invalid("lines are only forgotten with their memory")
                .hint("say that the memory is forgotten, too"));
        }
        self.held_by(world, memory, holder)?;
        let now_ms = self.now_ms();
        self.change(world, memory, |held, time| {
            let is_meant = holder.is_none_or(|holder| held.holder == *holder);
            is_meant.then(|| patched(held, &patch, time, now_ms))
        })?;
        let value = self.held_by(world, memory, holder)?;
        if patch.forgotten.is_some() {
            self.forget_likewise(world, &value, None)?;
        }
        Ok(Written { value, created: false, replaced })
    }

    /// Takes back the last change of a memory, for all whom it concerned, or for one holder; or gives it the state that it had at a
    /// revision.
    ///
    /// Of what was written down, by a model, a host or by hand, the first change is that it was added: taken back, it is let go, as if
    /// it was forgotten, and what it took the place of counts again.
    pub fn undo_memory(
        &self,
        world: &WorldId,
        memory: MemoryId,
        holder: Option<&CharacterId>,
        revision: Option<u64>,
    ) -> Result<Vec<Held>> {
        let mut history = self.memory_history(world, memory, holder)?;
        if revision.is_none() {
            history
                .iter_mut()
                .for_each(|past| past.states.dedup_by(|later, earlier| is_same(later, earlier)));
        }
        let last = |states: &[(u64, Option<State>)]| states.last().map(|(at, _)| *at);
        let newest = history.iter().filter_map(|past| last(&past.states)).max();
        let was_added = self.holdings(world, memory)?.first().is_some_and(|held| {
            matches!(held.memory.origin, Origin::Statement | Origin::Event | Origin::Hand)
        });
        let mut before: Vec<(CharacterId, State)> = Vec::new();
        for Past { holder, states, .. } in history {
            let then = match revision {
                Some(revision) => states.iter().rev().find(|(at, _)| *at <= revision),
                None if last(&states) == newest => states.iter().rev().nth(1),
                None => continue,
            };
            let then = match (then, states.last()) {
                (Some((_, then)), _) => then.clone(),
                (None, Some((_, Some(now)))) if revision.is_none() && was_added && !now.forgotten => {
                    Some(State { forgotten: true, ..now.clone() })
                }
                (None, _) => None,
            };
            before.extend(then.map(|state| (holder, state)));
        }
        if before.is_empty() {
            return Err(Error::conflict("there is nothing to go back to").hint(
                "GET …/memories/{memory}/history lists the states that it had, and the revision of each",
            ));
        }
        let state_of = |holder: &CharacterId| {
            before.iter().find(|(other, _)| other == holder).map(|(_, state)| state.clone())
        };
        self.change(world, memory, |held, _| {
            let then = state_of(&held.holder)?;
            let State { summarised_by, considered, .. } = held.state;
            Some(if revision.is_some() { then } else { State { summarised_by, considered, ..then } })
        })?;
        let mut undone = self.holdings(world, memory)?;
        undone.retain(|held| state_of(&held.holder).is_some());
        let then = revision.or_else(|| newest.map(|newest| newest.saturating_sub(1)));
        self.forget_likewise(world, &undone, then)?;
        Ok(undone)
    }

    /// What a memory took the place of must not come back when that memory is forgotten, and comes back with it. So do other memories of
    /// the same round, which are in no view now because a line of it is hidden or reads otherwise.
    ///
    /// Where a memory goes back to what it was at a revision, what it took the place of only goes along if it was likewise then.
    fn forget_likewise(&self, world: &WorldId, changed: &[Held], then: Option<u64>) -> Result<()> {
        for first in changed {
            let all = self.all_of(world, &first.holder, true)?;
            let mut met: BTreeSet<MemoryId> = BTreeSet::from([first.memory.id]);
            let mut next = vec![first];
            while let Some(newest) = next.pop() {
                for other in all.iter().filter(|held| held.state.forgotten != first.state.forgotten) {
                    let is_older = other.state.superseded_by == Some(newest.memory.id)
                        && self.was_likewise(world, other, first.state.forgotten, then)?;
                    let is_same_round = is_of_one_round(&newest.memory, &other.memory)
                        && (first.state.forgotten || !is_barred(other, newest, &all));
                    if (is_older || is_same_round) && met.insert(other.memory.id) {
                        next.push(other);
                        self.forget_like(world, other, first, is_older)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether somebody's memory was as forgotten at a revision.
    fn was_likewise(&self, world: &WorldId, held: &Held, forgotten: bool, then: Option<u64>) -> Result<bool> {
        let Some(then) = then else { return Ok(true) };
        let states = self.store.states(world, held.memory.id, &held.holder)?;
        let state = states.iter().rev().find(|(at, _)| *at <= then).and_then(|(_, state)| state.as_ref());
        Ok(state.map_or(!forgotten, |state| state.forgotten == forgotten))
    }

    /// Its lines are forgotten with what says better what it said, and come back with whatever brings it back.
    fn forget_like(&self, world: &WorldId, other: &Held, first: &Held, is_older: bool) -> Result<()> {
        let State { forgotten, lines_forgotten, .. } = first.state;
        self.change(world, other.memory.id, |held, _| {
            let with_lines = forgotten && (held.state.lines_forgotten || (is_older && lines_forgotten));
            let is_meant = held.holder == other.holder;
            is_meant.then(|| State { forgotten, lines_forgotten: with_lines, ..held.state.clone() })
        })
    }

    /// Gives each holder the state that `change` says, if it says one.
    fn change(
        &self,
        world: &WorldId,
        memory: MemoryId,
        change: impl Fn(&Held, Option<Tick>) -> Option<State>,
    ) -> Result<()> {
        for _ in 0..TRIES {
            let time = self.world(world)?.time;
            let mut commit = Commit::default();
            for held in &self.holdings(world, memory)? {
                let Some(state) = change(held, time) else { continue };
                let holder = held.holder.clone();
                commit.guards.push(Guard::State { memory, holder: holder.clone(), version: held.version });
                if held.state.lines_forgotten != state.lines_forgotten {
                    let forgotten = state.lines_forgotten;
                    let lines = self.lines_of(world, held, forgotten)?;
                    commit.effects.push(Effect::Lines { lines, holder: holder.clone(), forgotten });
                }
                let (state, summarised_by) = match held.state.text == state.text {
                    true => (state, None),
                    false => self.put_right(world, held, state, &mut commit)?,
                };
                commit.effects.push(Effect::State {
                    memory: Which::Known(memory),
                    holder,
                    state: Box::new(state),
                    summarised_by,
                    superseded_by: None,
                });
            }
            if commit.effects.is_empty() {
                return Err(super::listing::no_memory(memory));
            }
            if self.store.commit(world, &commit)? != Committed::Stale {
                // A summary of what is forgotten, or comes back, is none any more.
                self.sum_up_anew(world);
                return Ok(());
            }
        }
        Err(Error::conflict("others keep changing this memory").hint("try again"))
    }

    /// The lines that are forgotten with a memory; or those that come back with it, because nothing else that its holder forgot was
    /// made of them.
    fn lines_of(&self, world: &WorldId, held: &Held, forgotten: bool) -> Result<Vec<LineId>> {
        let mut lines = self.lines_behind(world, held)?;
        if !forgotten {
            for other in self.all_of(world, &held.holder, true)? {
                if other.state.lines_forgotten && other.memory.id != held.memory.id {
                    lines = &lines - &self.lines_behind(world, &other)?;
                }
            }
        }
        Ok(lines.into_iter().collect())
    }

    /// What a memory was made of, or what it sums up was.
    fn lines_behind(&self, world: &WorldId, held: &Held) -> Result<BTreeSet<LineId>> {
        let of = |held: &Held| held.memory.sources.iter().map(|source| source.line).collect::<Vec<_>>();
        let mut lines: BTreeSet<LineId> = of(held).into_iter().collect();
        for part in &held.memory.from {
            let query = HeldQuery { all: true, ..HeldQuery::of(Some(&held.holder), WhichHeld::One(*part)) };
            lines.extend(self.store.held(world, &query)?.iter().flat_map(of));
        }
        Ok(lines)
    }
}

/// Whether nobody changed anything between two states: that something was summed up or considered meanwhile is no change to take back.
fn is_same((_, later): &(u64, Option<State>), (_, earlier): &(u64, Option<State>)) -> bool {
    let decided = |state: &State| State { summarised_by: None, considered: false, ..state.clone() };
    later.as_ref().map(decided) == earlier.as_ref().map(decided)
}

/// Whether both are of one round: one of them holds all lines of the other.
fn is_of_one_round(one: &Memory, other: &Memory) -> bool {
    let lines =
        |memory: &Memory| -> BTreeSet<LineId> { memory.sources.iter().map(|source| source.line).collect() };
    let (own, others) = (lines(one), lines(other));
    let are_rounds = one.origin == Origin::Round && other.origin == Origin::Round;
    are_rounds && (own.is_subset(&others) || others.is_subset(&own))
}

/// Whether something else that its holder forgot, and that is not of the round that comes back, holds it back.
fn is_barred(held: &Held, back: &Held, all: &[Held]) -> bool {
    all.iter().any(|other| {
        other.state.forgotten
            && other.memory.id != held.memory.id
            && is_of_one_round(&other.memory, &held.memory)
            && !is_of_one_round(&other.memory, &back.memory)
    })
}

/// `time` is the world's, `now_ms` the wall clock's.
fn patched(held: &Held, patch: &MemoryPatch, time: Option<Tick>, now_ms: i64) -> State {
    let mut state = held.state.clone();
    if let Some(text) = &patch.text {
        state.text = text.clone().filter(|text| !text.trim().is_empty() && *text != held.memory.text);
    }
    if let Some(importance) = patch.importance {
        state.importance = importance;
    }
    if let Some(shareable) = patch.shareable {
        state.shareable = shareable;
    }
    if let Some(forgotten) = patch.forgotten {
        state.forgotten = forgotten;
        state.lines_forgotten = forgotten && (state.lines_forgotten || patch.lines);
    }
    if let Some(pinned) = patch.pinned.filter(|pinned| *pinned != state.pinned) {
        state.pinned = pinned;
        // It begins to fade when it is let go.
        state.since = time.or(state.since);
        state.since_ms = Some(now_ms);
        if pinned && state.layer == Some(Layer::Active) {
            state.layer = Some(Layer::Situational);
        }
    }
    state
}
