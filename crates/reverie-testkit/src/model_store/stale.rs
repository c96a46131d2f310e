//! What is no longer remembered as it is, and which memories go when something is deleted?

use std::collections::BTreeSet;

use reverie_core::memory::{Memory, Origin, Source};
use reverie_core::round::RoundState;
use reverie_core::{MemoryId, RoundId};

use super::world::{KeptRound, ModelWorld, Node};

impl ModelWorld {
    /// A line changed: what was remembered of its rounds is not what they are now.
    pub(super) fn is_stale_now(&mut self, line: u64) {
        // Where a host's round does not stand its lines are in others, and where that is may change.
        let holds = |(id, round): &(&RoundId, &KeptRound)| match round.span {
            Some((first, last)) => self.said_between(first, last).contains(&line),
            None => self.belonging(**id).contains(&line),
        };
        let rounds: Vec<RoundId> = self.rounds.iter().filter(holds).map(|(id, _)| *id).collect();
        for id in rounds {
            if let Some(state) = self.now.rounds.get_mut(&id).filter(|s| **s == RoundState::Digested) {
                *state = RoundState::Closed;
            }
        }
    }

    pub(super) fn rounds_with(&self, line: u64) -> Vec<RoundId> {
        let ends_there =
            |round: &KeptRound| round.span.is_some_and(|(first, last)| first == line || last == line);
        let holds =
            |(id, round): &(&RoundId, &KeptRound)| ends_there(round) || self.belonging(**id).contains(&line);
        self.rounds.iter().filter(holds).map(|(id, _)| *id).collect()
    }

    /// Before a line goes: the round that ended at it ends at the line of it that comes before.
    fn end_before(&mut self, line: u64) {
        let ended: Vec<RoundId> =
            self.rounds.iter().filter(|(_, round)| round.ends_at == Some(line)).map(|(id, _)| *id).collect();
        for id in ended {
            let is_of_it = |number: &u64| {
                *number != line
                    && !self.now.unshown.contains(number)
                    && self.nodes.get(number).is_some_and(|node| node.round == Some(id))
            };
            let end = self.way_to(line).into_iter().rev().find(is_of_it);
            if let Some(round) = self.rounds.get_mut(&id) {
                round.ends_at = end;
            }
        }
    }

    /// What was remembered of these rounds is gone for good, so no restore finds them remembered.
    pub(super) fn undigest(&mut self, rounds: &[RoundId]) {
        for state in self.all_states() {
            for id in rounds {
                if let Some(state) = state.rounds.get_mut(id).filter(|s| **s == RoundState::Digested) {
                    *state = RoundState::Closed;
                }
            }
        }
    }

    /// Before a line is taken out of its tree: rounds that were found hold on to the lines that remain.
    pub(super) fn let_go_of(&mut self, line: u64) {
        let rounds = self.rounds_with(line);
        self.undigest(&rounds);
        for id in rounds {
            let mut lines = self.belonging(id);
            lines.retain(|other| *other != line);
            let Some(round) = self.rounds.get_mut(&id).filter(|round| round.span.is_some()) else { continue };
            round.span = lines.first().copied().zip(lines.last().copied());
            if round.span.is_none() {
                self.rounds.remove(&id);
                for state in self.all_states() {
                    state.rounds.remove(&id);
                }
            }
        }
        self.end_before(line);
        let made_of_it = self
            .memories
            .values()
            .filter(|kept| kept.memory.sources.iter().any(|source| source.line.get() == line));
        let gone = made_of_it.map(|kept| kept.memory.id).collect();
        self.erase_memories(gone);
        self.refreshed.retain(|(other, _, _)| *other != line);
    }

    /// With all that sums them up.
    pub(super) fn erase_memories(&mut self, mut gone: BTreeSet<MemoryId>) {
        loop {
            let derived = self.memories.values().filter(|kept| {
                !gone.contains(&kept.memory.id) && kept.memory.from.iter().any(|from| gone.contains(from))
            });
            let derived: Vec<MemoryId> = derived.map(|kept| kept.memory.id).collect();
            if derived.is_empty() {
                break;
            }
            gone.extend(derived);
        }
        self.memories.retain(|id, _| !gone.contains(id));
        self.holdings.retain(|(id, _), _| !gone.contains(id));
        self.refreshed.retain(|(_, id, _)| !gone.contains(id));
        self.aside.vectors.retain(|(id, ..), _| !gone.contains(id));
        for state in self.all_states() {
            state.holdings.retain(|(id, _), _| !gone.contains(id));
        }
        for state in self.holdings.values_mut().flat_map(|versions| versions.values_mut()) {
            state.summarised_by = state.summarised_by.filter(|id| !gone.contains(id));
            state.superseded_by = state.superseded_by.filter(|id| !gone.contains(id));
        }
    }

    /// Before a person's lines go.
    pub(super) fn forget_person(&mut self, gone: usize) {
        let took_part: Vec<RoundId> =
            self.rounds.keys().copied().filter(|id| self.took_part(*id, gone)).collect();
        self.undigest(&took_part);
        for round in self.rounds.values_mut() {
            round.present.retain(|(person, _)| *person != gone);
        }
        let about = self.memories.values().filter(|kept| self.is_derived_before(&kept.memory, gone));
        let about = about.map(|kept| kept.memory.id).collect();
        self.erase_memories(about);
        let id = self.person(gone).id.clone();
        self.memories.values_mut().for_each(|kept| kept.memory.about.retain(|other| *other != id));
        let had: Vec<MemoryId> =
            self.holdings.keys().filter(|(_, holder)| *holder == gone).map(|(id, _)| *id).collect();
        self.holdings.retain(|(_, holder), _| *holder != gone);
        self.refreshed.retain(|(_, _, holder)| *holder != gone);
        self.aside.vectors.retain(|(_, holder, _), _| *holder != Some(gone));
        for state in self.all_states() {
            state.holdings.retain(|(_, holder), _| *holder != gone);
        }
        let is_held = |id: &MemoryId| self.holdings.keys().any(|(held, _)| held == id);
        let nobodys = had.into_iter().filter(|id| !is_held(id)).collect();
        self.erase_memories(nobodys);
    }

    fn took_part(&self, id: RoundId, person: usize) -> bool {
        let Some(round) = self.rounds.get(&id) else { return false };
        let is_listed = round.present.iter().any(|(other, _)| *other == person);
        let lines = self.belonging(id);
        is_listed
            || lines
                .iter()
                .filter_map(|line| self.nodes.get(line))
                .any(|node| node.speaker == Some(person) || self.was_there(node, person))
    }

    /// With a host's round were those of it, and who else heard it.
    fn was_there(&self, node: &Node, person: usize) -> bool {
        match node.round {
            None => node.present.contains(&person),
            Some(id) => {
                let people = self.rounds.get(&id).map(|round| &round.present);
                let is_listed = people.is_some_and(|people| people.iter().any(|(other, _)| *other == person));
                is_listed || node.witnesses.contains(&person)
            }
        }
    }

    /// Whether it is about somebody and can be derived again without them.
    pub(super) fn is_derived_before(&self, memory: &Memory, person: usize) -> bool {
        let was_there = |source: &Source| {
            self.nodes.get(&source.line.get()).is_some_and(|node| self.was_there(node, person))
        };
        memory.about.contains(&self.person(person).id)
            && match memory.origin {
                Origin::Round | Origin::Day | Origin::Era => true,
                Origin::Statement => memory.sources.iter().any(was_there),
                Origin::Event | Origin::Hand => false,
            }
    }

    /// Where something is to be remembered anew when somebody and what they said is gone.
    pub(super) fn rooms_with(&self, person: usize, said: &[u64]) -> BTreeSet<usize> {
        let rounds = self.rounds.iter().filter(|(id, _)| self.took_part(**id, person));
        let rooms = rounds.map(|(_, round)| round.room);
        rooms.chain(said.iter().filter_map(|line| self.nodes.get(line).map(|node| node.room))).collect()
    }
}
