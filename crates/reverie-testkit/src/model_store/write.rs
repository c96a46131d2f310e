//! How do conversations begin, grow, turn and change?

use std::collections::{BTreeMap, BTreeSet};

use reverie_core::character::Who;
use reverie_core::conversation::{Append, Appended, ExpectedHead, HeadTarget, OpenConversation};
use reverie_core::keepsake::KeptFor;
use reverie_core::line::{NewLine, Order};
use reverie_core::store::LinePatch;
use reverie_core::{Attribute, ConversationId, Error, LineId, Result};

use super::no_line;
use super::world::{Key, ModelWorld, Node, Room};

/// What an append did, to be told once it is committed.
pub(super) struct Written {
    room: usize,
    first: u64,
    count: u64,
    revision: u64,
    replayed: bool,
    ran_back_from: Option<i64>,
}

impl ModelWorld {
    pub(super) fn open(&mut self, open: &OpenConversation) -> Result<(usize, bool)> {
        // Whom a bare name means can change by meeting somebody, so everybody is met once.
        let mut met = None;
        let found = match (&open.name, &open.id) {
            (Some(name), _) => self.rooms.iter().position(|room| room.name.as_ref() == Some(name)),
            (None, Some(id)) if open.participants.is_empty() => Some(self.room(id)?),
            (None, _) => {
                let set = self.meet_all(&open.participants)?;
                if set.is_empty() {
                    return Err(Error::invalid("a conversation needs participants or a name"));
                }
                let found =
                    self.rooms.iter().position(|room| room.name.is_none() && room.participants == set);
                met = Some(set);
                found
            }
        };
        if let Some(room) = found {
            let is_other = open.id.as_ref().is_some_and(|id| self.rooms.get(room).map(|r| &r.id) != Some(id));
            let other = || Error::conflict("that conversation exists already under another id");
            if is_other {
                return Err(other());
            }
            let is_scene = self.rooms.get(room).is_some_and(|room| room.name.is_some());
            if is_scene && !self.now.heads.contains_key(&room) && !open.participants.is_empty() {
                let people = self.meet_all(&open.participants)?;
                self.now.beginnings.insert(room, people);
            }
            if self.now.rooms_away.contains(&room) {
                self.room_returns(room);
            }
            return Ok((room, false));
        }
        let beginning = match met {
            Some(set) => set,
            None => self.meet_all(&open.participants)?,
        };
        let id = match &open.id {
            Some(id) if self.room(id).is_ok() => {
                return Err(Error::conflict("that conversation id is taken"));
            }
            Some(id) => id.clone(),
            None => self.fresh_room_id()?,
        };
        let revision = self.revision + 1;
        match open.name.clone() {
            Some(name) => {
                self.now.beginnings.insert(self.rooms.len(), beginning);
                self.rooms.push(Room { id, name: Some(name), participants: BTreeSet::new(), revision });
            }
            None => self.rooms.push(Room { id, name: None, participants: beginning, revision }),
        }
        Ok((self.rooms.len() - 1, true))
    }

    /// As if it had been a scene from the first.
    pub(super) fn name_room(&mut self, id: &ConversationId, name: &str) -> Result<usize> {
        let at = self.room(id)?;
        let is_taken = self.rooms.iter().any(|room| room.name.as_deref() == Some(name));
        let room = self.rooms.get_mut(at).expect("it was found");
        if room.name.as_deref() == Some(name) {
            return Ok(at);
        }
        if is_taken || room.name.is_some() {
            return Err(Error::conflict("a conversation has one name, and a name one conversation"));
        }
        room.name = Some(name.to_owned());
        let people = std::mem::take(&mut room.participants);
        let opened = room.revision;
        for (_, state) in self.states.range_mut(opened..) {
            state.beginnings.insert(at, people.clone());
        }
        self.now.beginnings.insert(at, people);
        Ok(at)
    }

    fn fresh_room_id(&self) -> Result<ConversationId> {
        let mut ids = (1..).map(|number| ConversationId::new(&format!("c{number}")));
        ids.find(|id| id.as_ref().map_or(true, |id| self.room(id).is_err())).expect("numbers do not end")
    }

    pub(super) fn set_present(
        &mut self,
        id: &ConversationId,
        present: &[Who],
        expected: ExpectedHead,
    ) -> Result<usize> {
        let room = self.room(id)?;
        self.check_head(room, expected)?;
        if !self.is_scene(room) {
            return Err(Error::invalid("the participants of a set never change"));
        }
        let present = self.meet_all(present)?;
        if present == self.present(room) {
            return Ok(room);
        }
        let parent = self.now.heads.get(&room).copied();
        let (at, tick) = self.place(None, parent, self.time());
        let node = Node {
            room,
            parent,
            attribute: None,
            speaker: None,
            display_name: None,
            wordings: BTreeMap::from([(0, Default::default())]),
            tick,
            at,
            wall_ms: 0,
            host_id: None,
            present,
            witnesses: BTreeSet::new(),
            revision: self.revision + 1,
            hidden_at_first: false,
            said: self.said_until(parent),
            lore_timers: None,
            round: None,
        };
        let number = self.grow(node)?;
        self.now.heads.insert(room, number);
        self.room_returns(room);
        Ok(room)
    }

    pub(super) fn move_head(
        &mut self,
        id: &ConversationId,
        target: HeadTarget,
        expected: ExpectedHead,
    ) -> Result<usize> {
        let room = self.room(id)?;
        self.check_head(room, expected)?;
        let head = match target {
            HeadTarget::Empty => None,
            HeadTarget::Line(line) => Some(self.spoken_in(room, line)?),
            HeadTarget::Back(count) => {
                let path = self.path(room);
                let mut rest = path.as_slice();
                let is_unseen = |number: &u64| self.is_spoken(*number) && self.now.unshown.contains(number);
                for _ in 0..count {
                    let is_seen = |number: &u64| self.is_spoken(*number) && !is_unseen(number);
                    let seen = rest.iter().rposition(is_seen);
                    let seen = seen.ok_or_else(|| Error::invalid("there are not so many lines"))?;
                    rest = rest.get(..seen).unwrap_or_default();
                }
                let mut rest = rest.iter().rev();
                match count {
                    0 => rest.next().copied(),
                    _ => rest.find(|number| !is_unseen(number)).copied(),
                }
            }
        };
        if self.now.heads.get(&room).copied() != head {
            self.turn_to(room, head);
            self.room_returns(room);
        }
        Ok(room)
    }

    pub(super) fn append(&mut self, id: &ConversationId, append: &Append) -> Result<Written> {
        let room = self.room(id)?;
        let key = append.key.as_ref().map(|key| (room, key.key.clone()));
        if let (Some(asked), Some(used)) = (&append.key, key.as_ref().and_then(|key| self.keys.get(key))) {
            if used.digest != asked.digest {
                return Err(Error::conflict("the key was used for other lines"));
            }
            let Key { first, count, revision, .. } = *used;
            return Ok(Written { room, first, count, revision, replayed: true, ran_back_from: None });
        }
        self.check_head(room, append.expected_head)?;
        let time = self.time();
        let mut parent = self.attach_to(room, append.attach)?;
        for round in append.lines.iter().filter_map(|line| line.round) {
            self.join(room, parent, round)?;
        }
        let (first, count, revision) = (self.next_line, append.lines.len() as u64, self.revision + 1);
        for line in &append.lines {
            parent = Some(self.say(room, parent, line, append.now_ms, time)?);
        }
        if let Some(head) = parent {
            self.turn_to(room, Some(head));
            self.room_returns(room);
        }
        let last = parent.filter(|_| count > 0).and_then(|last| self.nodes.get_mut(&last));
        if let Some(last) = last {
            last.lore_timers = append.lore_timers.clone();
        }
        for (at, text) in &append.keepsakes {
            if *at >= append.lines.len() {
                return Err(Error::invalid("something is kept of a line that is not there"));
            }
            self.keepsakes.insert(KeptFor::Line(LineId::new(first + *at as u64)?), text.clone());
        }
        if let Some(last) = parent.filter(|_| count > 0) {
            self.refresh(last, &append.refreshed);
        }
        if let (Some(asked), Some(key)) = (&append.key, key) {
            self.keys.insert(key, Key { digest: asked.digest, first, count, revision });
        }
        let ticks = append.lines.iter().filter_map(|line| line.tick);
        let times: Vec<i64> = time.into_iter().chain(ticks).collect();
        let ran_back_from = times
            .iter()
            .zip(times.iter().skip(1))
            .find(|(before, tick)| tick < before)
            .map(|(before, _)| *before);
        Ok(Written { room, first, count, revision, replayed: false, ran_back_from })
    }

    fn say(
        &mut self,
        room: usize,
        parent: Option<u64>,
        line: &NewLine,
        now_ms: i64,
        time: Option<i64>,
    ) -> Result<u64> {
        let speaker = line.speaker.as_ref().map(|who| self.meet(who)).transpose()?;
        let person = speaker.filter(|speaker| !self.is_narrator(*speaker));
        let mut present = match parent.and_then(|parent| self.nodes.get(&parent)) {
            Some(parent) => parent.present.clone(),
            None => self.beginning(room),
        };
        let is_system = line.attribute == Attribute::System;
        // Whoever speaks in a scene is there. A participant set stays as it is.
        if let Some(person) = person.filter(|_| !is_system)
            && present.insert(person)
            && !self.is_scene(room)
        {
            return Err(Error::invalid("the speaker is not a participant"));
        }
        let mut witnesses = match &line.witnesses {
            // A system line is for its addressee's eyes only.
            _ if is_system && speaker.is_some() => BTreeSet::new(),
            Some(witnesses) => self.meet_all(witnesses)?,
            None => match line.round {
                Some(round) => self.company(round, parent),
                None => present.clone(),
            },
        };
        witnesses.extend(person);
        let is_taken = |node: &Node| node.room == room && node.host_id == line.host_id;
        if line.host_id.is_some() && self.nodes.values().any(is_taken) {
            return Err(Error::conflict("the host id is taken"));
        }
        let (at, tick) = self.place(line.tick, parent, time);
        self.grow(Node {
            room,
            parent,
            attribute: Some(line.attribute),
            speaker,
            display_name: line.display_name.clone(),
            wordings: BTreeMap::from([(0, line.wording.clone())]),
            tick,
            at,
            wall_ms: line.wall_ms.unwrap_or(now_ms),
            host_id: line.host_id.clone(),
            present,
            witnesses,
            revision: self.revision + 1,
            hidden_at_first: line.hidden,
            said: self.said_until(parent) + 1,
            lore_timers: None,
            round: line.round,
        })
    }

    fn place(&self, own: Option<i64>, parent: Option<u64>, time: Option<i64>) -> (i64, Option<i64>) {
        let parent = parent.and_then(|parent| self.nodes.get(&parent));
        Order::place(own, parent.map(|parent| (parent.at, parent.tick)), time)
    }

    pub(super) fn said_until(&self, node: Option<u64>) -> u64 {
        node.and_then(|number| self.nodes.get(&number)).map_or(0, |node| node.said)
    }

    fn grow(&mut self, node: Node) -> Result<u64> {
        let number = self.next_line;
        self.next_line += 1;
        if node.hidden_at_first {
            self.now.hidden.insert(number);
        }
        self.nodes.insert(number, node);
        Ok(number)
    }

    pub(super) fn appended(&self, written: &Written) -> Appended {
        Appended {
            lines: self
                .nodes
                .range(written.first..written.first + written.count)
                .filter(|(_, node)| node.room == written.room && node.attribute.is_some())
                .filter_map(|(number, _)| self.line(*number))
                .collect(),
            head: self.spoken_head(written.room).and_then(|head| LineId::new(head).ok()),
            revision: written.revision,
            replayed: written.replayed,
            tick_ran_back_from: written.ran_back_from,
        }
    }

    pub(super) fn revise(&mut self, number: u64, patch: &LinePatch) -> Result<()> {
        let old = self.line(number).ok_or_else(|| no_line(number))?;
        let wording = patch.apply(&old.wording);
        if let Some(node) = self.nodes.get_mut(&number)
            && wording != old.wording
        {
            let version = node.wordings.keys().next_back().map_or(0, |newest| newest + 1);
            node.wordings.insert(version, wording.clone());
            self.now.wordings.insert(number, version);
        }
        if wording != old.wording || patch.hidden.is_some_and(|hidden| hidden != old.hidden) {
            self.is_stale_now(number);
        }
        match patch.hidden {
            Some(true) => self.now.hidden.insert(number),
            Some(false) => self.now.hidden.remove(&number),
            None => false,
        };
        Ok(())
    }

    pub(super) fn spoken_in(&self, room: usize, line: LineId) -> Result<u64> {
        let is_here = self.nodes.get(&line.get()).is_some_and(|node| node.room == room);
        if is_here && self.is_spoken(line.get()) { Ok(line.get()) } else { Err(no_line(line.get())) }
    }

    fn check_head(&self, room: usize, expected: ExpectedHead) -> Result<()> {
        let head = self.spoken_head(room).and_then(|head| LineId::new(head).ok());
        if expected.admits(head) { Ok(()) } else { Err(Error::conflict("the head is somewhere else")) }
    }
}
