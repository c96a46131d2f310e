//! In what records do rounds and memories leave, and which are taken in?

use std::collections::BTreeSet;

use reverie_core::memory::Memory;
use reverie_core::record::{HoldingRecord, Record, RoundRecord};
use reverie_core::round::{Participant, Span};
use reverie_core::world::Change;
use reverie_core::{CharacterId, LineId, MemoryId, Result, RoundId};

use super::import::broken;
use super::world::{KeptMemory, KeptRound, ModelWorld, State};

impl ModelWorld {
    pub(super) fn round_records(&self, revision: u64) -> Result<Vec<Record>> {
        let mut records = Vec::new();
        for (id, round) in self.rounds.iter().filter(|(_, round)| round.revision <= revision) {
            let span = match round.span {
                Some((first, last)) => Some(Span { first: LineId::new(first)?, last: LineId::new(last)? }),
                None => None,
            };
            let was_there = |line: &u64| self.nodes.get(line).is_some_and(|node| node.revision <= revision);
            let mut judged = if round.explicit { self.belonging(*id) } else { Vec::new() };
            judged.retain(|line| *line <= round.settled && was_there(line));
            let settled = judged.last().copied();
            let present = round.present.iter().map(|(person, name)| Participant {
                character: self.person(*person).id.clone(),
                name: name.clone(),
            });
            records.push(Record::Round(RoundRecord {
                id: *id,
                conversation: self.room_id(round.room),
                explicit: round.explicit,
                present: present.collect(),
                opened_ms: round.opened_ms,
                span,
                ending: round.ending,
                ends_at: round.ends_at.filter(|line| was_there(line)).map(LineId::new).transpose()?,
                settled: settled.map(LineId::new).transpose()?,
                revision: round.revision,
            }));
        }
        Ok(records)
    }

    /// Memories, then holdings, then refreshments.
    pub(super) fn memory_records(&self, revision: u64) -> Result<Vec<Record>> {
        let made = self.memories.values().filter(|kept| kept.memory.revision <= revision);
        let mut records: Vec<Record> = made
            .map(|kept| Record::Memory {
                memory: Box::new(kept.memory.clone()),
                fingerprint: kept.fingerprint,
            })
            .collect();
        for (key, states) in &self.holdings {
            let log = self.states.range(..=revision);
            let logged: BTreeSet<u32> =
                log.filter_map(|(_, state)| state.holdings.get(key)).copied().collect();
            if logged.is_empty() {
                continue;
            }
            let states = states.iter().filter(|(version, _)| **version == 0 || logged.contains(version));
            records.push(Record::Holding(HoldingRecord {
                memory: key.0,
                holder: self.person(key.1).id.clone(),
                states: states.map(|(version, state)| (*version, state.clone())).collect(),
            }));
        }
        for (line, memory, holder) in &self.refreshed {
            if self.nodes.get(line).is_some_and(|node| node.revision <= revision) {
                let holder = self.person(*holder).id.clone();
                records.push(Record::Refreshed { line: LineId::new(*line)?, memory: *memory, holder });
            }
        }
        Ok(records)
    }

    /// Behind every round that the log still knows of.
    pub(super) fn next_round_at(&self, revision: u64) -> u64 {
        let known = self.rounds.iter().filter(|(_, round)| round.revision <= revision);
        known.map(|(id, _)| id.get() + 1).max().unwrap_or(1)
    }

    pub(super) fn next_memory_at(&self, revision: u64) -> u64 {
        let known = self.memories.values().filter(|kept| kept.memory.revision <= revision);
        known.map(|kept| kept.memory.id.get() + 1).max().unwrap_or(1)
    }

    /// What one commit changed.
    pub(super) fn changes_of_memory(&self, before: &State, after: &State) -> Result<Vec<Change>> {
        let mut changes = Vec::new();
        for number in self.nodes.keys() {
            let unshown = after.unshown.contains(number);
            if before.unshown.contains(number) != unshown {
                changes.push(Change::Unshown { line: LineId::new(*number)?, unshown });
            }
        }
        for id in self.rounds.keys() {
            let state = after.rounds.get(id).copied();
            if before.rounds.get(id).copied() != state {
                changes.push(Change::Round { round: *id, state });
            }
        }
        for key in self.holdings.keys() {
            let version = after.holdings.get(key).copied();
            if before.holdings.get(key).copied() != version {
                let holder = self.person(key.1).id.clone();
                changes.push(Change::Holding { memory: key.0, holder, version });
            }
        }
        for number in self.nodes.keys() {
            let by = after.forgotten.get(number);
            if before.forgotten.get(number) != by {
                let by = by.map(|by| self.ids(by)).unwrap_or_default();
                changes.push(Change::Forgotten { line: LineId::new(*number)?, by });
            }
        }
        Ok(changes)
    }

    pub(super) fn take_round(&mut self, record: RoundRecord) -> Result<()> {
        self.check_revision(record.revision)?;
        let room = self.room(&record.conversation).map_err(|_| broken("a round is nowhere"))?;
        let last = self.rounds.last_key_value().map(|(last, _)| *last);
        if record.id.get() >= self.next_round || last.is_some_and(|last| last >= record.id) {
            return Err(broken("a round is out of order"));
        }
        if record.explicit == record.span.is_some() {
            return Err(broken("a round was opened and found, or neither"));
        }
        let mut present: Vec<(usize, Option<String>)> = Vec::new();
        for Participant { character, name } in record.present {
            let person = self.one_known(&character)?;
            if present.iter().any(|(other, _)| *other == person) {
                return Err(broken("somebody is in a round twice"));
            }
            present.push((person, name));
        }
        let round = KeptRound {
            room,
            explicit: record.explicit,
            present,
            opened_ms: record.opened_ms,
            span: record.span.map(|span| (span.first.get(), span.last.get())),
            ending: record.ending,
            ends_at: record.ends_at.map(LineId::get),
            settled: record.settled.map_or(0, LineId::get),
            revision: record.revision,
        };
        self.rounds.insert(record.id, round);
        Ok(())
    }

    pub(super) fn check_round_of(&self, room: usize, round: Option<RoundId>) -> Result<()> {
        let round = round.map(|id| self.rounds.get(&id));
        let fits = round.is_none_or(|round| round.is_some_and(|r| r.explicit && r.room == room));
        if fits { Ok(()) } else { Err(broken("a line is of a round that is not in it")) }
    }

    /// When the lines are there: those of the rounds that were found stand where they should, and those of hosts end at
    /// lines of their own.
    pub(super) fn check_rounds(&self) -> Result<()> {
        for (id, round) in &self.rounds {
            let is_of_it = |end: u64| self.nodes.get(&end).is_some_and(|node| node.round == Some(*id));
            if round.ends_at.is_some_and(|end| !is_of_it(end)) {
                return Err(broken("a round ends at no line of it"));
            }
            let Some((first, last)) = round.span else { continue };
            let is_said = |line: u64| {
                let node = self.nodes.get(&line).filter(|node| node.room == round.room);
                node.is_some_and(|node| node.attribute.is_some())
            };
            if !is_said(first) || !is_said(last) || !self.way_to(last).contains(&first) {
                return Err(broken("a round was found where no lines are"));
            }
        }
        Ok(())
    }

    pub(super) fn take_memory(&mut self, memory: Memory, fingerprint: Option<[u8; 16]>) -> Result<()> {
        self.check_revision(memory.revision)?;
        let last = self.memories.last_key_value().map(|(last, _)| *last);
        if memory.id.get() >= self.next_memory || last.is_some_and(|last| last >= memory.id) {
            return Err(broken("a memory is out of order"));
        }
        let is_taken = |kept: &KeptMemory| fingerprint.is_some() && kept.fingerprint == fingerprint;
        if self.memories.values().any(is_taken) {
            return Err(broken("two memories are made of the same"));
        }
        self.known(&memory.about)?;
        if memory.sources.iter().any(|source| !self.is_spoken(source.line.get())) {
            return Err(broken("a memory is made of a line that is not in it"));
        }
        if memory.from.iter().any(|from| !self.memories.contains_key(from)) {
            return Err(broken("a memory sums up one that does not come before it"));
        }
        self.memories.insert(memory.id, KeptMemory { memory, fingerprint });
        Ok(())
    }

    pub(super) fn take_holding(&mut self, record: HoldingRecord) -> Result<()> {
        let holder = self.one_known(&record.holder)?;
        if !self.memories.contains_key(&record.memory) {
            return Err(broken("somebody has a memory that is not in it"));
        }
        if record.states.first().map(|(version, _)| *version) != Some(0) {
            return Err(broken("a holding has no first state"));
        }
        let named = record.states.iter().flat_map(|(_, state)| [state.summarised_by, state.superseded_by]);
        if named.flatten().any(|id| !self.memories.contains_key(&id)) {
            return Err(broken("a memory gives way to one that is not in it"));
        }
        let states = record.states.into_iter().collect();
        match self.holdings.insert((record.memory, holder), states) {
            Some(_) => Err(broken("a holding comes twice")),
            None => Ok(()),
        }
    }

    pub(super) fn take_refreshed(
        &mut self,
        line: LineId,
        memory: MemoryId,
        holder: &CharacterId,
    ) -> Result<()> {
        let holder = self.one_known(holder)?;
        if !self.is_spoken(line.get()) || !self.holdings.contains_key(&(memory, holder)) {
            return Err(broken("a line refreshed what is not in it"));
        }
        match self.refreshed.insert((line.get(), memory, holder)) {
            true => Ok(()),
            false => Err(broken("a line refreshed a memory twice")),
        }
    }
}
