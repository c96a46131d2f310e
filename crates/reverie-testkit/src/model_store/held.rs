//! What does one have in mind, and can it be recalled?

use std::collections::{BTreeMap, BTreeSet};

use reverie_core::memories::{Glimpse, HeldQuery, WhichHeld};
use reverie_core::memory::{Held, Layer, Memory, Origin, Source, State, Superseded};
use reverie_core::time::Moment;
use reverie_core::{CharacterId, LineId, MemoryId, Result};

use super::commit::no_holding;
use super::world::{ModelWorld, Node};

/// What gives way to what.
type Ways = BTreeMap<MemoryId, MemoryId>;
type Summaries = BTreeMap<MemoryId, BTreeSet<MemoryId>>;

impl ModelWorld {
    /// What the memory is to a holder now; None: it is not there.
    pub(super) fn state(&self, memory: MemoryId, holder: usize) -> Option<State> {
        let version = self.now.holdings.get(&(memory, holder))?;
        self.holdings.get(&(memory, holder))?.get(version).cloned()
    }

    fn is_live(&self, memory: MemoryId, holder: usize) -> bool {
        let sums_up = self.memories.get(&memory).is_some_and(|kept| !kept.memory.from.is_empty());
        let ways = if sums_up { self.ways(holder) } else { Ways::new() };
        self.is_live_where(memory, holder, &ways)
    }

    /// Where some memories give way to others: of what gives way no summary is made.
    fn is_live_where(&self, memory: MemoryId, holder: usize, ways: &Ways) -> bool {
        let from = self.memories.get(&memory).map(|kept| kept.memory.from.as_slice()).unwrap_or_default();
        self.stands(memory, holder) && from.iter().all(|part| !ways.contains_key(part))
    }

    /// Whether it could be recalled, if all that it sums up counts.
    fn stands(&self, memory: MemoryId, holder: usize) -> bool {
        let Some(kept) = self.memories.get(&memory) else { return false };
        let is_remembered = |from: &MemoryId| {
            let sources = self.memories.get(from).map(|kept| kept.memory.sources.as_slice());
            let is_there = self.state(*from, holder).is_some_and(|state| !state.forgotten);
            is_there && sources.is_some_and(|sources| self.are_as_they_were(sources, holder))
        };
        self.are_as_they_were(&kept.memory.sources, holder) && kept.memory.from.iter().all(is_remembered)
    }

    fn are_as_they_were(&self, sources: &[Source], holder: usize) -> bool {
        let is_as_it_was = |source: &Source| {
            let number = source.line.get();
            let forgotten = self.now.forgotten.get(&number);
            self.is_active(number)
                && forgotten.is_none_or(|by| !by.contains(&holder))
                && self
                    .line(number)
                    .is_some_and(|line| line.shown && !line.hidden && line.version == source.version)
        };
        sources.iter().all(is_as_it_was)
    }

    pub(super) fn is_at_hand(&self, memory: MemoryId, holder: usize) -> bool {
        self.is_remembered(memory, holder) && self.is_live(memory, holder)
    }

    fn is_remembered(&self, memory: MemoryId, holder: usize) -> bool {
        self.state(memory, holder).is_some_and(|state| !state.forgotten)
    }

    /// Whatever is not there is passed over.
    pub(super) fn refresh(&mut self, line: u64, refreshed: &[(MemoryId, CharacterId)]) {
        for (memory, holder) in refreshed {
            let holder = self.number_of(holder).filter(|who| self.state(*memory, *who).is_some());
            self.refreshed.extend(holder.map(|holder| (line, *memory, holder)));
        }
    }

    /// For each memory that gives way the one of the same exchange that counts here: of all that its holder has of rounds and that is
    /// live, the one that reaches furthest counts, then the one of most lines, and what shares a line with one that counts does not.
    fn ways_of_rounds(&self, holder: usize) -> Ways {
        let of_holder = self.now.holdings.keys().filter(|(_, who)| *who == holder);
        let rounds = of_holder.filter_map(|(id, _)| self.memories.get(id)).map(|kept| &kept.memory);
        let mut rounds: Vec<(Vec<LineId>, MemoryId)> = rounds
            .filter(|memory| memory.origin == Origin::Round && memory.from.is_empty())
            .map(|memory| (memory.sources.iter().map(|source| source.line).collect(), memory.id))
            .collect();
        // Most share no line with any other: nothing gives way to them, nor they to anything.
        let mut tellers: BTreeMap<LineId, usize> = BTreeMap::new();
        rounds.iter().flat_map(|(lines, _)| lines).for_each(|line| *tellers.entry(*line).or_default() += 1);
        let is_shared = |line: &LineId| tellers.get(line).is_some_and(|count| *count > 1);
        rounds.retain(|(lines, id)| lines.iter().any(is_shared) && self.stands(*id, holder));
        rounds.sort_by_key(|(lines, id)| (lines.iter().max().copied(), lines.len(), *id));
        let (mut ways, mut told) = (BTreeMap::new(), BTreeMap::new());
        for (place, (lines, id)) in rounds.into_iter().rev().enumerate() {
            // The first of those that count, in the order of the search.
            match lines.iter().filter_map(|line| told.get(line)).min() {
                Some((_, better)) => drop(ways.insert(id, *better)),
                None => told.extend(lines.into_iter().map(|line| (line, (place, id)))),
            }
        }
        ways
    }

    /// What gives way to what: memories of rounds, then days to fuller ones of which no part does, then eras.
    fn ways(&self, holder: usize) -> Ways {
        let mut ways = self.ways_of_rounds(holder);
        let own = self.now.holdings.keys().filter(|(_, who)| *who == holder).map(|(id, _)| *id);
        let mut by_depth: BTreeMap<usize, Vec<(MemoryId, BTreeSet<MemoryId>)>> = BTreeMap::new();
        for id in own.filter(|id| !self.parts_of(*id).is_empty()) {
            by_depth.entry(self.depth_of(id)).or_default().push((id, self.parts_of(id)));
        }
        for (_, mut live) in by_depth {
            live.retain(|(id, _)| self.is_live_where(*id, holder, &ways));
            let fuller = |parts: &BTreeSet<MemoryId>| {
                let is_fuller = |other: &&(MemoryId, BTreeSet<MemoryId>)| {
                    other.1.len() > parts.len()
                        && parts.is_subset(&other.1)
                        && self.is_remembered(other.0, holder)
                };
                live.iter().filter(is_fuller).max_by_key(|(id, parts)| (parts.len(), *id))
            };
            let found = live.iter().filter_map(|(id, parts)| Some((*id, fuller(parts)?.0)));
            ways.extend(found.collect::<Vec<_>>());
        }
        ways
    }

    /// An era is deeper than its days.
    fn depth_of(&self, memory: MemoryId) -> usize {
        self.parts_of(memory).into_iter().map(|part| self.depth_of(part) + 1).max().unwrap_or(0)
    }

    /// For each memory all that sums it up and that its holder can recall, except for what gives way to something fuller.
    fn summaries(&self, holder: usize, ways: &Ways) -> Summaries {
        let mut summaries = Summaries::new();
        for (id, _) in self.now.holdings.keys().filter(|(_, who)| *who == holder) {
            let parts = self.parts_of(*id);
            if parts.is_empty()
                || ways.contains_key(id)
                || !self.is_remembered(*id, holder)
                || !self.is_live_where(*id, holder, ways)
            {
                continue;
            }
            // A day that was told in other words sums up the same as the one that an era was made of.
            let tellings: BTreeSet<_> =
                parts.iter().map(|part| self.parts_of(*part)).filter(|parts| !parts.is_empty()).collect();
            let is_told_by = |id: &&MemoryId| tellings.contains(&self.parts_of(**id));
            let others = self.memories.keys().filter(|_| !tellings.is_empty()).filter(is_told_by);
            for part in parts.iter().chain(others) {
                summaries.entry(*part).or_default().insert(*id);
            }
        }
        summaries
    }

    fn parts_of(&self, memory: MemoryId) -> BTreeSet<MemoryId> {
        let parts = self.memories.get(&memory).map(|kept| kept.memory.from.iter().copied());
        parts.into_iter().flatten().collect()
    }

    fn superseded(&self, by: MemoryId) -> Option<Superseded> {
        let Memory { tick, wall_ms, .. } = self.memories.get(&by)?.memory;
        Some(Superseded { by, at: Moment { tick, wall_ms: Some(wall_ms) } })
    }

    /// Everything that anybody has of some memories, by memory, then by holder.
    fn all_held(&self, of: impl Fn(&Memory) -> bool) -> Vec<Held> {
        let mut all = Vec::new();
        let mut minds: BTreeMap<usize, (Ways, Summaries)> = BTreeMap::new();
        for ((id, holder), version) in &self.now.holdings {
            let kept = self.memories.get(id).filter(|kept| of(&kept.memory));
            let (Some(kept), Some(state)) = (kept, self.state(*id, *holder)) else { continue };
            let (ways, summaries) = minds.entry(*holder).or_insert_with(|| {
                let ways = self.ways(*holder);
                let summaries = self.summaries(*holder, &ways);
                (ways, summaries)
            });
            let summaries = summaries.get(id);
            let is_at_hand =
                |by: &MemoryId| self.is_remembered(*by, *holder) && self.is_live_where(*by, *holder, ways);
            let answers = self.refreshed.iter().filter(|(_, memory, who)| (memory, who) == (id, holder));
            let answers = answers.filter(|(line, _, _)| self.is_active(*line));
            let newest = answers.filter_map(|(line, _, _)| Some((self.nodes.get(line)?, *line)));
            let newest = newest.max_by_key(|(node, line)| (node.tick, *line));
            let said = |(node, _): (&Node, u64)| Moment { tick: node.tick, wall_ms: Some(node.wall_ms) };
            all.push(Held {
                memory: kept.memory.clone(),
                holder: self.person(*holder).id.clone(),
                version: *version,
                live: self.is_live_where(*id, *holder, ways),
                summarised: summaries.and_then(|all| {
                    let last = state.summarised_by.filter(|last| all.contains(last));
                    last.or(all.first().copied())
                }),
                superseded: ways
                    .get(id)
                    .copied()
                    .or(state.superseded_by.filter(is_at_hand))
                    .and_then(|by| self.superseded(by)),
                refreshed: newest.map(said),
                state,
            });
        }
        all.sort_by(|a, b| (a.memory.id, &a.holder).cmp(&(b.memory.id, &b.holder)));
        all
    }

    /// Without regard to order and limit.
    fn found(&self, query: &HeldQuery) -> Vec<Held> {
        let shared = query.sieve.shared_with.as_ref().map(|other| self.recallable(other));
        let mut all = self.all_held(|memory| match &query.which {
            WhichHeld::One(id) => memory.id == *id,
            WhichHeld::From(lines) => memory.sources.iter().any(|source| lines.contains(&source.line)),
            WhichHeld::About(people) => memory.about.iter().any(|id| people.contains(id)),
            _ => true,
        });
        all.retain(|held| {
            let is_wanted = match &query.which {
                WhichHeld::Any | WhichHeld::One(_) | WhichHeld::From(_) | WhichHeld::About(_) => true,
                WhichHeld::Unsummarised => held.summarised.is_none(),
                WhichHeld::Unconsidered => held.memory.origin == Origin::Round && !held.state.considered,
                WhichHeld::ByRules => {
                    matches!(held.memory.origin, Origin::Day | Origin::Era) && held.memory.model.is_none()
                }
            };
            let is_of_layer = |layer: Option<Layer>| layer.is_some_and(|layer| query.layers.contains(&layer));
            is_wanted
                && query.holder.as_ref().is_none_or(|holder| held.holder == *holder)
                && (query.kinds.is_empty() || query.kinds.contains(&held.memory.kind))
                && (query.layers.is_empty() || is_of_layer(held.state.layer))
                && (!query.is_of_valid() || held.is_valid())
                && query.sieve.lets_through(held)
                && shared.as_ref().is_none_or(|shared| shared.contains(&held.memory.id))
        });
        all
    }

    pub(super) fn held(&self, query: &HeldQuery) -> Vec<Held> {
        let mut all = self.found(query);
        all.sort_by_key(|held| query.order.place(held));
        if query.newest_first {
            all.reverse();
        }
        if let Some(place) = &query.after {
            all.retain(|held| {
                let here = query.order.place(held);
                if query.newest_first { here < *place } else { here > *place }
            });
        }
        all.truncate(query.limit);
        all
    }

    pub(super) fn glance(&self, query: &HeldQuery, each: &mut dyn FnMut(Glimpse)) {
        for held in self.found(query) {
            each(Glimpse { kind: held.memory.kind, moment: held.memory.moment() });
        }
    }

    pub(super) fn summed_up_since(&self, memories: &[MemoryId]) -> BTreeMap<MemoryId, Moment> {
        let begun = |memory: &MemoryId| {
            let parts = &self.memories.get(memory)?.memory.from;
            let parts = parts.iter().filter_map(|part| Some(self.memories.get(part)?.memory.moment()));
            let parts: Vec<Moment> = parts.collect();
            let tick = parts.iter().filter_map(|moment| moment.tick).min();
            let wall_ms = parts.iter().filter_map(|moment| moment.wall_ms).min()?;
            Some((*memory, Moment { tick, wall_ms: Some(wall_ms) }))
        };
        memories.iter().filter_map(begun).collect()
    }

    pub(super) fn recallable(&self, holder: &CharacterId) -> Vec<MemoryId> {
        let own = self.all_held(|_| true).into_iter().filter(|held| held.holder == *holder);
        own.filter(Held::is_valid).map(|held| held.memory.id).collect()
    }

    pub(super) fn states_of(
        &self,
        memory: MemoryId,
        holder: &CharacterId,
    ) -> Result<Vec<(u64, Option<State>)>> {
        let key = self.number_of(holder).map(|holder| (memory, holder));
        let (key, versions) =
            key.and_then(|key| Some((key, self.holdings.get(&key)?))).ok_or_else(|| no_holding(memory))?;
        let mut states = Vec::new();
        let mut before = None;
        for (revision, state) in &self.states {
            let version = state.holdings.get(&key);
            if version != before {
                states.push((*revision, version.and_then(|version| versions.get(version)).cloned()));
            }
            before = version;
        }
        Ok(states)
    }

    pub(super) fn unsummarised(
        &self,
        layers: &[Layer],
        after: Option<&CharacterId>,
        limit: usize,
    ) -> Vec<CharacterId> {
        let waits = |held: &Held| {
            held.is_valid()
                && held.summarised.is_none()
                && held.state.layer.is_some_and(|layer| layers.contains(&layer))
        };
        let mut who: Vec<CharacterId> =
            self.all_held(|_| true).into_iter().filter(waits).map(|held| held.holder).collect();
        who.sort();
        who.dedup();
        who.retain(|id| after.is_none_or(|after| id > after));
        who.truncate(limit);
        who
    }
}
