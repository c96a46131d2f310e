//! Is all that is remembered the same in both stores, and only what may be?

use std::collections::{BTreeMap, BTreeSet};

use reverie_core::conversation::WhichLines;
use reverie_core::memories::{
    BacklogsQuery, HeldQuery, MemoryOrder, Only, RoundsQuery, Sieve, WhichHeld, WhichRounds,
};
use reverie_core::memory::{Held, Kind, Layer, Origin};
use reverie_core::store::Select;
use reverie_core::{CharacterId, ConversationId, Line, LineId, MemoryId, WorldId};

use super::minds::query;
use super::{Twins, Verdict, alike};

impl Twins<'_> {
    pub(super) fn look_at_backlogs(&self) -> Verdict {
        let list =
            |world: Option<&WorldId>, after, limit| BacklogsQuery { world: world.cloned(), after, limit };
        let all = self.both("backlogs", |store| store.backlogs(&list(None, None, usize::MAX)))?;
        let all = all.unwrap_or_default();
        let after = all.get(all.len() / 2).cloned();
        self.both("page of backlogs", |store| store.backlogs(&list(None, after.clone(), 2)))?;
        for world in &self.worlds {
            self.both("backlogs of a world", |store| store.backlogs(&list(Some(world), after.clone(), 3)))?;
            let rooms = self.both("conversations", |store| {
                store.conversations(world, &Select::Page { after: None, limit: 1000 })
            })?;
            for room in rooms.into_iter().flatten() {
                let backlog = self.both("backlog", |store| store.backlog(world, &room.id, usize::MAX))?;
                let waits = backlog.is_some_and(|backlog| !backlog.lines.is_empty());
                if waits != all.contains(&(world.clone(), room.id.clone())) {
                    return Err(format!(
                        "{:?} is listed, or not, while it has lines that wait: {waits}",
                        room.id
                    ));
                }
            }
        }
        Ok(())
    }

    pub(super) fn look_at_rounds(&self, world: &WorldId, room: &ConversationId) -> Verdict {
        let list = |which, after, limit| RoundsQuery { which, after, limit };
        let all = WhichRounds::Of(room.clone());
        let rounds =
            self.both("rounds", |store| store.rounds(world, &list(all.clone(), None, usize::MAX)))?;
        let rounds = rounds.unwrap_or_default();
        let after = rounds.first().map(|round| round.id);
        self.both("page of rounds", |store| store.rounds(world, &list(all.clone(), after, 2)))?;
        let open = WhichRounds::Open(room.clone());
        self.both("open rounds", |store| store.rounds(world, &list(open.clone(), None, 9)))?;
        for limit in [0, 1, 3] {
            self.both("cut backlog", |store| store.backlog(world, room, limit))?;
        }
        Ok(())
    }

    pub(super) fn look_into_minds(&self, world: &WorldId) -> Verdict {
        let all = self.all_held(world)?;
        for held in &all {
            self.both("states", |store| store.states(world, held.memory.id, &held.holder))?;
        }
        for holder in self.known(world)? {
            let own = HeldQuery { holder: Some(holder.clone()), ..query(WhichHeld::Any) };
            self.both("what one has", |store| store.held(world, &own))?;
            let valid = HeldQuery { all: false, ..own.clone() };
            let valid = self.both("what one can recall", |store| store.held(world, &valid))?;
            if let Some(held) = valid.iter().flatten().find(|held| !held.is_valid()) {
                return Err(format!("{holder:?} can recall {held:?}"));
            }
            for which in [
                WhichHeld::Unsummarised,
                WhichHeld::Unconsidered,
                WhichHeld::ByRules,
                WhichHeld::About(vec![holder.clone()]),
            ] {
                let query = HeldQuery { which, all: false, ..own.clone() };
                self.both("some of what one has", |store| store.held(world, &query))?;
            }
        }
        self.look_through_sieves(world, &all)?;
        let middle = all.get(all.len() / 2);
        let after = middle.map(|held| MemoryOrder::Made.place(held));
        let lines: Vec<LineId> =
            all.iter().flat_map(|held| &held.memory.sources).map(|source| source.line).step_by(3).collect();
        for newest_first in [false, true] {
            for some in [
                HeldQuery { which: WhichHeld::From(lines.clone()), ..query(WhichHeld::Any) },
                HeldQuery { kinds: vec![Kind::Semantic, Kind::Goal], ..query(WhichHeld::Any) },
                HeldQuery {
                    layers: vec![Layer::Active, Layer::Archive],
                    all: false,
                    ..query(WhichHeld::Any)
                },
                HeldQuery { after: after.clone(), limit: 3, ..query(WhichHeld::Any) },
                HeldQuery { after: after.clone(), limit: 2, all: false, ..query(WhichHeld::Unsummarised) },
                query(WhichHeld::Unconsidered),
                HeldQuery { all: false, ..query(WhichHeld::Unconsidered) },
                HeldQuery { after: after.clone(), limit: 2, all: false, ..query(WhichHeld::Unconsidered) },
                query(WhichHeld::ByRules),
                HeldQuery { all: false, ..query(WhichHeld::ByRules) },
            ] {
                let some = HeldQuery { newest_first, ..some };
                self.both("some of what is held", |store| store.held(world, &some))?;
            }
            for order in [MemoryOrder::Time, MemoryOrder::Tick] {
                let after = middle.map(|held| order.place(held));
                for (after, all) in [(None, true), (after.clone(), true), (after, false)] {
                    let some =
                        HeldQuery { order, newest_first, after, all, limit: 3, ..query(WhichHeld::Any) };
                    self.both("what is held as it happened", |store| store.held(world, &some))?;
                }
            }
        }
        for layers in [Layer::ALL, &[Layer::Active], &[Layer::Situational, Layer::Events]] {
            let waiting =
                self.both("who waits", |store| store.unsummarised(world, layers, None, usize::MAX))?;
            let after = waiting.and_then(|waiting| waiting.first().cloned());
            self.both("who waits next", |store| store.unsummarised(world, layers, after.as_ref(), 1))?;
        }
        self.check_minds(world, &all)
    }

    /// Whatever a sieve lets through is the same in both, listed and at a glance; and what somebody can recall is what is listed so.
    fn look_through_sieves(&self, world: &WorldId, all: &[Held]) -> Verdict {
        let middle = all.get(all.len() / 2).map(|held| &held.memory);
        let (tick, wall_ms) = (middle.and_then(|memory| memory.tick), middle.map(|memory| memory.wall_ms));
        let known = self.known(world)?;
        for holder in &known {
            let ids = self.both("all that one can recall", |store| store.recallable(world, holder))?;
            let own = all.iter().filter(|held| held.holder == *holder);
            let valid: Vec<MemoryId> =
                own.filter(|held| held.is_valid()).map(|held| held.memory.id).collect();
            if ids != Some(valid) {
                return Err(format!("{holder:?} can recall {ids:?}"));
            }
            let other = known.iter().find(|other| *other != holder).cloned();
            for sieve in [
                Sieve { only: Only::Forgotten, ..Sieve::default() },
                Sieve { only: Only::Lost, ..Sieve::default() },
                Sieve { shared_with: other, ..Sieve::default() },
                Sieve { pinned: Some(true), ..Sieve::default() },
                Sieve { emotions: vec!["开心".to_owned()], pinned: Some(false), ..Sieve::default() },
                Sieve { from_ms: wall_ms, from_tick: tick, ..Sieve::default() },
                Sieve { to_ms: wall_ms, to_tick: tick, ..Sieve::default() },
            ] {
                for all in [false, true] {
                    let sieve = sieve.clone();
                    let some =
                        HeldQuery { holder: Some(holder.clone()), sieve, all, ..query(WhichHeld::Any) };
                    let held = self.both("what passes a sieve", |store| store.held(world, &some))?;
                    let glimpsed = self.both("what passes at a glance", |store| {
                        let mut glimpsed = Vec::new();
                        store.glance(world, &some, &mut |one| glimpsed.push(format!("{one:?}")))?;
                        glimpsed.sort();
                        Ok(glimpsed)
                    })?;
                    if held.map(|held| held.len()) != glimpsed.map(|glimpsed| glimpsed.len()) {
                        return Err(format!("{some:?} finds more, or less, at a glance"));
                    }
                }
            }
        }
        Ok(())
    }

    /// Nobody recalls what is not in view, nor a round of which they did not witness everything, nor a line of a round twice.
    fn check_minds(&self, world: &WorldId, all: &[Held]) -> Verdict {
        let by_id: BTreeMap<MemoryId, &Held> = all.iter().map(|held| (held.memory.id, held)).collect();
        let on_path = self.lines_in_view(world)?;
        let mut told: BTreeSet<(&CharacterId, LineId)> = BTreeSet::new();
        for held in all.iter().filter(|held| held.memory.origin == Origin::Round && held.is_valid()) {
            let lines: BTreeSet<LineId> = held.memory.sources.iter().map(|source| source.line).collect();
            if !lines.into_iter().all(|line| told.insert((&held.holder, line))) {
                return Err(format!("{held:?} tells what another memory of its holder tells"));
            }
        }
        for held in all {
            let parts = held.memory.from.iter().filter_map(|part| by_id.get(part)).copied();
            for source in std::iter::once(held).chain(parts).flat_map(|held| &held.memory.sources) {
                let line = on_path.get(&source.line);
                let is_as_read = line.is_some_and(|line| line.version == source.version && !line.hidden);
                let forgot = line.is_some_and(|line| line.is_forgotten_by(&held.holder));
                if held.live && (!is_as_read || forgot) {
                    return Err(format!("{held:?} is live, while its line is {line:?}"));
                }
            }
            if held.memory.origin == Origin::Round {
                for source in &held.memory.sources {
                    let line = self.both("line", |store| store.line(world, source.line))?;
                    if !line.is_some_and(|line| line.is_witnessed_by(&held.holder)) {
                        return Err(format!("{held:?} is of a line that was not witnessed"));
                    }
                }
            }
        }
        Ok(())
    }

    fn lines_in_view(&self, world: &WorldId) -> Verdict<BTreeMap<LineId, Line>> {
        let page = Select::Page { after: None, limit: 1000 };
        let rooms = self.both("conversations", |store| store.conversations(world, &page))?;
        let mut in_view = BTreeMap::new();
        let mut unshown = BTreeSet::new();
        for room in rooms.into_iter().flatten() {
            let path = alike::lines(WhichLines::Path);
            let lines = self.both("path", |store| store.lines(world, &room.id, &path))?;
            for line in lines.into_iter().flatten() {
                unshown.extend(Some(line.id).filter(|_| !line.shown));
                in_view.insert(line.id, line);
            }
        }
        if unshown.is_empty() { Ok(in_view) } else { Err(format!("{unshown:?} were never shown")) }
    }
}
