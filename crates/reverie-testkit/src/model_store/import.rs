//! How do records become a world again, and which records are refused?

use std::collections::{BTreeMap, BTreeSet};

use reverie_core::character::{Directory, is_erased};
use reverie_core::line::{Order, check_tick};
use reverie_core::record::{CharacterRecord, ConversationRecord, KeyRecord, LineRecord, Record};
use reverie_core::settings::{Pairs, Preset, WorldSettings};
use reverie_core::world::Change;
use reverie_core::{CharacterId, Error, LineId, Result, WorldId};

use super::along::{Books, take_book, take_entry};
use super::world::{Key, ModelWorld, Node, Person, Room};

impl ModelWorld {
    pub(super) fn from_records(
        id: &WorldId,
        records: &mut dyn Iterator<Item = Result<Record>>,
    ) -> Result<(Self, Books)> {
        let Some(Record::World(head)) = records.next().transpose()? else {
            return Err(broken("it does not begin with a world"));
        };
        let counters = [head.next_line, head.next_round, head.next_memory];
        if counters.iter().any(|next| !(1..=LineId::LIMIT).contains(next)) || head.revision > 1 << 53 {
            return Err(broken("its counters are out of range"));
        }
        let mut world = Self::new(id, Preset::default(), Pairs::new(), head.created_ms)?;
        world.forked_from = head.forked_from;
        world.revision = head.revision;
        world.next_line = head.next_line;
        world.next_round = head.next_round;
        world.next_memory = head.next_memory;
        world.settings.clear();
        world.states.clear();
        let mut books = Books::new();
        let mut changes: BTreeMap<u64, Vec<Change>> = BTreeMap::new();
        for record in records {
            match record? {
                Record::World(_) => return Err(broken("it holds two worlds")),
                Record::Settings { version, preset, pairs } => {
                    WorldSettings::resolve(preset, &pairs)?;
                    if world.settings.insert(version, (preset, pairs)).is_some() {
                        return Err(broken("it has a version of the settings twice"));
                    }
                }
                Record::Character(record) => world.take_person(record)?,
                Record::Conversation(record) => world.take_room(record)?,
                Record::Round(record) => world.take_round(record)?,
                Record::Line(record) => world.take_node(*record)?,
                Record::Change { revision, change } => {
                    world.check_revision(revision)?;
                    world.check_change(&change)?;
                    changes.entry(revision).or_default().push(change);
                }
                Record::Key(record) => world.take_key(record)?,
                Record::Timers { line, text } => world.take_timers(line.get(), text)?,
                Record::Keepsake(keepsake) => world.take_keepsake(keepsake)?,
                Record::Memory { memory, fingerprint } => world.take_memory(*memory, fingerprint)?,
                Record::Holding(record) => world.take_holding(record)?,
                Record::Refreshed { line, memory, holder } => {
                    world.take_refreshed(line, memory, &holder)?;
                }
                Record::Link(link) => world.take_link(link)?,
                Record::Book(book) => take_book(&mut books, *book)?,
                Record::Entry { book, entry } => take_entry(&mut books, &book, entry)?,
                Record::Checkpoint(checkpoint) => {
                    world.check_revision(checkpoint.revision)?;
                    if world.checkpoints.insert(checkpoint.id.clone(), checkpoint).is_some() {
                        return Err(broken("it has a checkpoint twice"));
                    }
                }
            }
        }
        world.check_rounds()?;
        if !world.settings.contains_key(&0) {
            return Err(broken("it has no settings"));
        }
        for (revision, changes) in changes {
            for change in changes {
                world.replay(revision, &change)?;
            }
            world.states.insert(revision, world.now.clone());
        }
        world.states.insert(world.revision, world.now.clone());
        world.end_rounds();
        Ok((world, books))
    }

    fn take_person(&mut self, record: CharacterRecord) -> Result<()> {
        let cards: BTreeMap<_, _> = record.cards.into_iter().collect();
        if !cards.contains_key(&0) || self.exists(&record.id)? {
            return Err(broken("a character comes twice or has no first card"));
        }
        for (namespace, value) in &record.host_ids {
            if self.by_host_id(*namespace, value)?.is_some() {
                return Err(broken("two characters have the same alias"));
            }
        }
        let erased = is_erased(&record.id);
        let revision = record.revision;
        self.check_revision(revision)?;
        self.people.push(Person { id: record.id, host_ids: record.host_ids, cards, erased, revision });
        Ok(())
    }

    fn take_room(&mut self, record: ConversationRecord) -> Result<()> {
        let participants = self.known(&record.participants)?;
        for room in &self.rooms {
            let is_same_place = match (&room.name, &record.name) {
                (None, None) => room.participants == participants,
                (one, other) => one == other,
            };
            if room.id == record.id || is_same_place {
                return Err(broken("a conversation comes twice"));
            }
        }
        let revision = record.revision;
        self.check_revision(revision)?;
        self.rooms.push(Room { id: record.id, name: record.name, participants, revision });
        Ok(())
    }

    fn take_node(&mut self, record: LineRecord) -> Result<()> {
        let number = record.id.get();
        self.check_revision(record.revision)?;
        let room = self.room(&record.conversation).map_err(|_| broken("a line is nowhere"))?;
        if number >= self.next_line || self.nodes.last_key_value().is_some_and(|(last, _)| *last >= number) {
            return Err(broken("a line is out of order"));
        }
        let parent = record.parent.map(|parent| parent.get());
        let above = match parent {
            None => None,
            Some(parent) => {
                let found = self.nodes.get(&parent).filter(|node| node.room == room);
                Some(found.ok_or_else(|| broken("a parent does not come before its child"))?)
            }
        };
        let earliest = [above.map(|above| above.at), record.tick].into_iter().flatten().max();
        if record.at < earliest.unwrap_or(Order::BEFORE_TIME) {
            return Err(broken("a line comes before its parent or its own tick"));
        }
        for tick in record.tick.into_iter().chain(Some(record.at).filter(|at| *at != Order::BEFORE_TIME)) {
            check_tick(tick)?;
        }
        if record.wordings.first().map(|(version, _)| *version) != Some(0) {
            return Err(broken("a line has no first wording"));
        }
        let is_taken = |node: &Node| node.room == room && node.host_id == record.host_id;
        if record.host_id.is_some() && self.nodes.values().any(is_taken) {
            return Err(broken("two lines have the same host id"));
        }
        self.check_round_of(room, record.round)?;
        let (present, witnesses) = (self.known(&record.present)?, self.known(&record.witnesses)?);
        let speaker = record.speaker.as_ref().map(|id| self.one_known(id)).transpose()?;
        let node = Node {
            room,
            parent,
            attribute: record.attribute,
            speaker,
            display_name: record.display_name,
            wordings: record.wordings.into_iter().collect(),
            tick: record.tick,
            at: record.at,
            wall_ms: record.wall_ms,
            host_id: record.host_id,
            present,
            witnesses,
            revision: record.revision,
            hidden_at_first: false,
            said: self.said_until(parent) + u64::from(record.attribute.is_some()),
            lore_timers: None,
            round: record.round,
        };
        self.nodes.insert(number, node);
        Ok(())
    }

    fn take_key(&mut self, record: KeyRecord) -> Result<()> {
        self.check_revision(record.revision)?;
        let room = self.room(&record.conversation).map_err(|_| broken("a key is nowhere"))?;
        let (first, count) = (record.first.get(), record.count);
        let end = first.checked_add(count).filter(|end| *end > first && *end <= self.next_line);
        let end = end.ok_or_else(|| broken("a key stands for no line, or lies behind the last one"))?;
        if self.nodes.range(first..end).any(|(_, node)| node.room != room) {
            return Err(broken("a key stands for lines of another conversation"));
        }
        let of = |key: &Key| self.nodes.range(key.first..key.first + key.count).count();
        let keyed: usize = self.keys.values().map(of).sum();
        if keyed + self.nodes.range(first..end).count() > self.nodes.len() {
            return Err(broken("keys stand for more lines than there are"));
        }
        let key = Key { digest: record.digest, first, count, revision: record.revision };
        match self.keys.insert((room, record.key), key) {
            Some(_) => Err(broken("a key comes twice")),
            None => Ok(()),
        }
    }

    fn check_change(&self, change: &Change) -> Result<()> {
        let fits = match change {
            Change::Head { conversation, line } => {
                let room = self.room(conversation).map_err(|_| broken("a head is nowhere"))?;
                line.is_none_or(|line| self.nodes.get(&line.get()).is_some_and(|node| node.room == room))
            }
            Change::Wording { line, version } => {
                self.nodes.get(&line.get()).is_some_and(|node| node.wordings.contains_key(version))
            }
            Change::Hidden { line, .. } | Change::Unshown { line, .. } => {
                self.nodes.contains_key(&line.get())
            }
            Change::Forgotten { line, by } => {
                let by = self.known(by)?;
                self.nodes.get(&line.get()).is_some_and(|node| by.is_subset(&node.witnesses))
            }
            Change::Card { character, version } => {
                self.people.get(self.one_known(character)?).is_some_and(|p| p.cards.contains_key(version))
            }
            Change::Settings { version } => self.settings.contains_key(version),
            Change::ConversationAway { conversation, .. } => self.room(conversation).is_ok(),
            Change::CharacterAway { character, .. } => self.number_of(character).is_some(),
            Change::Beginning { conversation, people } => {
                self.known(people.as_deref().unwrap_or_default())?;
                let room = self.room(conversation).map_err(|_| broken("a beginning is nowhere"))?;
                self.rooms.get(room).is_some_and(|room| room.name.is_some())
            }
            Change::Round { round, .. } => self.rounds.contains_key(round),
            Change::Holding { memory, holder, version } => {
                let versions = self.holdings.get(&(*memory, self.one_known(holder)?));
                versions.is_some_and(|v| version.is_none_or(|version| v.contains_key(&version)))
            }
        };
        if fits { Ok(()) } else { Err(broken("a change speaks of something that is not in it")) }
    }

    fn replay(&mut self, revision: u64, change: &Change) -> Result<()> {
        match change {
            Change::Head { conversation, line } => {
                let room = self.room(conversation)?;
                match line {
                    Some(line) => self.now.heads.insert(room, line.get()),
                    None => self.now.heads.remove(&room),
                };
            }
            Change::Wording { line, version } => {
                self.now.wordings.insert(line.get(), *version);
                self.now.wordings.retain(|_, version| *version > 0);
            }
            Change::Hidden { line, hidden } => {
                if *hidden {
                    self.now.hidden.insert(line.get());
                } else {
                    self.now.hidden.remove(&line.get());
                }
                if let Some(node) = self.nodes.get_mut(&line.get()).filter(|node| node.revision == revision) {
                    node.hidden_at_first = *hidden;
                }
            }
            Change::Card { character, version } => {
                self.now.cards.insert(self.one_known(character)?, *version);
                self.now.cards.retain(|_, version| *version > 0);
            }
            Change::Settings { version } => self.now.settings = *version,
            Change::ConversationAway { conversation, away } => {
                let room = self.room(conversation)?;
                match away {
                    true => self.now.rooms_away.insert(room),
                    false => self.now.rooms_away.remove(&room),
                };
            }
            Change::CharacterAway { character, away } => {
                let person = self.one_known(character)?;
                match away {
                    true => self.now.people_away.insert(person),
                    false => self.now.people_away.remove(&person),
                };
            }
            Change::Beginning { conversation, people } => {
                let room = self.room(conversation)?;
                match people {
                    Some(people) => self.now.beginnings.insert(room, self.known(people)?),
                    None => self.now.beginnings.remove(&room),
                };
            }
            Change::Forgotten { line, by } => {
                let by = self.known(by)?;
                self.now.forgotten.insert(line.get(), by);
                self.now.forgotten.retain(|_, by| !by.is_empty());
            }
            Change::Unshown { line, unshown: true } => drop(self.now.unshown.insert(line.get())),
            Change::Unshown { line, unshown: false } => drop(self.now.unshown.remove(&line.get())),
            Change::Round { round, state } => {
                match state {
                    Some(state) => self.now.rounds.insert(*round, *state),
                    None => self.now.rounds.remove(round),
                };
            }
            Change::Holding { memory, holder, version } => {
                let key = (*memory, self.one_known(holder)?);
                match version {
                    Some(version) => self.now.holdings.insert(key, *version),
                    None => self.now.holdings.remove(&key),
                };
            }
        }
        Ok(())
    }

    pub(super) fn check_revision(&self, revision: u64) -> Result<()> {
        if revision <= self.revision { Ok(()) } else { Err(broken("a revision lies behind its last one")) }
    }

    pub(super) fn known(&self, ids: &[CharacterId]) -> Result<BTreeSet<usize>> {
        ids.iter().map(|id| self.one_known(id)).collect()
    }

    pub(super) fn one_known(&self, id: &CharacterId) -> Result<usize> {
        self.number_of(id).ok_or_else(|| broken("it mentions somebody who is not in it"))
    }
}

pub(super) fn broken(why: &str) -> Error {
    Error::invalid(format!("this is not a whole export: {why}"))
}
