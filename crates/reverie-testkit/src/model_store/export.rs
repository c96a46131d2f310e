//! In what records does a world leave?

use reverie_core::record::{CharacterRecord, ConversationRecord, KeyRecord, LineRecord, Record, WorldRecord};
use reverie_core::world::Change;
use reverie_core::{CheckpointId, ConversationId, LineId, Result};

use super::no_checkpoint;
use super::world::{ModelWorld, State};

impl ModelWorld {
    /// The log up to now, or up to a checkpoint's revision.
    pub(super) fn records(&self, checkpoint: Option<&CheckpointId>) -> Result<Vec<Record>> {
        let revision = match checkpoint {
            Some(id) => self.checkpoints.get(id).ok_or_else(|| no_checkpoint(id))?.revision,
            None => self.revision,
        };
        let mut records = vec![Record::World(WorldRecord {
            id: self.id.clone(),
            forked_from: self.forked_from.clone(),
            created_ms: self.created_ms,
            revision,
            next_line: if checkpoint.is_some() { self.next_line_at(revision) } else { self.next_line },
            next_round: if checkpoint.is_some() { self.next_round_at(revision) } else { self.next_round },
            next_memory: if checkpoint.is_some() { self.next_memory_at(revision) } else { self.next_memory },
            checkpoint: checkpoint.cloned(),
            has_keepsakes: !self.keepsake_records(revision).is_empty(),
        })];
        let states: Vec<(u64, &State)> = self.states.range(..=revision).map(|(r, s)| (*r, s)).collect();
        for (version, (preset, pairs)) in &self.settings {
            if *version == 0 || states.iter().any(|(_, state)| state.settings == *version) {
                let (version, preset, pairs) = (*version, *preset, pairs.clone());
                records.push(Record::Settings { version, preset, pairs });
            }
        }
        for (index, person) in
            self.people.iter().enumerate().filter(|(_, person)| person.revision <= revision)
        {
            let is_known = |version: u32| {
                version == 0 || states.iter().any(|(_, state)| state.cards.get(&index) == Some(&version))
            };
            let cards = person.cards.iter().filter(|(version, _)| is_known(**version));
            records.push(Record::Character(CharacterRecord {
                id: person.id.clone(),
                host_ids: self.character(index).host_ids,
                cards: cards.map(|(version, card)| (*version, card.clone())).collect(),
                revision: person.revision,
            }));
        }
        for room in self.rooms.iter().filter(|room| room.revision <= revision) {
            records.push(Record::Conversation(ConversationRecord {
                id: room.id.clone(),
                name: room.name.clone(),
                participants: self.ids(&room.participants),
                revision: room.revision,
            }));
        }
        records.extend(self.round_records(revision)?);
        for (number, node) in self.nodes.iter().filter(|(_, node)| node.revision <= revision) {
            let is_known = |version: u32| {
                version == 0 || states.iter().any(|(_, state)| state.wordings.get(number) == Some(&version))
            };
            let wordings = node.wordings.iter().filter(|(version, _)| is_known(**version));
            records.push(Record::Line(Box::new(LineRecord {
                id: LineId::new(*number)?,
                conversation: self.room_id(node.room),
                parent: node.parent.map(LineId::new).transpose()?,
                attribute: node.attribute,
                speaker: node.speaker.map(|speaker| self.person(speaker).id.clone()),
                display_name: node.display_name.clone(),
                wordings: wordings.map(|(version, wording)| (*version, wording.clone())).collect(),
                tick: node.tick,
                at: node.at,
                wall_ms: node.wall_ms,
                host_id: node.host_id.clone(),
                present: self.ids(&node.present),
                witnesses: self.ids(&node.witnesses),
                round: node.round,
                revision: node.revision,
            })));
        }
        for (number, node) in self.nodes.iter().filter(|(_, node)| node.revision <= revision) {
            let line = LineId::new(*number)?;
            records.extend(node.lore_timers.clone().map(|text| Record::Timers { line, text }));
        }
        records.extend(self.keepsake_records(revision));
        records.extend(self.memory_records(revision)?);
        let mut before = &State::default();
        for (revision, state) in &states {
            for change in self.changes(before, state)? {
                records.push(Record::Change { revision: *revision, change });
            }
            before = state;
        }
        for ((room, key), used) in self.keys.iter().filter(|(_, used)| used.revision <= revision) {
            records.push(Record::Key(KeyRecord {
                conversation: self.room_id(*room),
                key: key.clone(),
                digest: used.digest,
                first: LineId::new(used.first)?,
                count: used.count,
                revision: used.revision,
            }));
        }
        let checkpoints = self.checkpoints.values().filter(|checkpoint| checkpoint.revision <= revision);
        records.extend(checkpoints.cloned().map(Record::Checkpoint));
        records.extend(self.links_at(revision).into_iter().map(Record::Link));
        Ok(records)
    }

    /// Behind every line that the log still knows of.
    fn next_line_at(&self, revision: u64) -> u64 {
        let lines = self.nodes.iter().filter(|(_, node)| node.revision <= revision).map(|(n, _)| n + 1);
        let keys = self.keys.values().filter(|key| key.revision <= revision).map(|k| k.first + k.count);
        lines.chain(keys).max().unwrap_or(1)
    }

    pub(super) fn room_id(&self, room: usize) -> ConversationId {
        self.conversation(room).id
    }

    /// What one commit changed.
    fn changes(&self, before: &State, after: &State) -> Result<Vec<Change>> {
        let mut changes = Vec::new();
        for room in 0..self.rooms.len() {
            let head = after.heads.get(&room);
            if before.heads.get(&room) != head {
                let line = head.map(|line| LineId::new(*line)).transpose()?;
                changes.push(Change::Head { conversation: self.room_id(room), line });
            }
        }
        for number in self.nodes.keys() {
            let version = after.wordings.get(number);
            if before.wordings.get(number) != version {
                let version = version.copied().unwrap_or(0);
                changes.push(Change::Wording { line: LineId::new(*number)?, version });
            }
        }
        for number in self.nodes.keys() {
            let hidden = after.hidden.contains(number);
            if before.hidden.contains(number) != hidden {
                changes.push(Change::Hidden { line: LineId::new(*number)?, hidden });
            }
        }
        for (index, person) in self.people.iter().enumerate() {
            let version = after.cards.get(&index);
            if before.cards.get(&index) != version {
                let version = version.copied().unwrap_or(0);
                changes.push(Change::Card { character: person.id.clone(), version });
            }
        }
        if before.settings != after.settings {
            changes.push(Change::Settings { version: after.settings });
        }
        for room in 0..self.rooms.len() {
            let people = after.beginnings.get(&room);
            if before.beginnings.get(&room) != people {
                let people = people.map(|people| self.ids(people));
                changes.push(Change::Beginning { conversation: self.room_id(room), people });
            }
        }
        changes.extend(self.changes_of_memory(before, after)?);
        for room in 0..self.rooms.len() {
            let away = after.rooms_away.contains(&room);
            if before.rooms_away.contains(&room) != away {
                changes.push(Change::ConversationAway { conversation: self.room_id(room), away });
            }
        }
        for (index, person) in self.people.iter().enumerate() {
            let away = after.people_away.contains(&index);
            if before.people_away.contains(&index) != away {
                changes.push(Change::CharacterAway { character: person.id.clone(), away });
            }
        }
        Ok(changes)
    }
}
