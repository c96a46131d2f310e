//! What is seen of a world: conversations, lines, history, and what a prompt is made of?

use std::collections::{BTreeMap, BTreeSet};

use reverie_core::conversation::{Attach, LinesQuery, WhichLines};
use reverie_core::history::{History, HistoryQuery};
use reverie_core::round::RoundState;
use reverie_core::settings::{Audience, HistoryScope, WorldSettings};
use reverie_core::store::{Counts, Gather, Gathered, Place, TimersAt};
use reverie_core::{
    Attribute, CharacterId, Conversation, ConversationId, Error, Line, LineId, MemoryId, Result,
};

use super::world::{ModelWorld, Node, Room};

impl ModelWorld {
    pub(super) fn counts(&self) -> Counts {
        let rounds = |state| self.now.rounds.values().filter(|found| **found == state).count() as u64;
        let memories: BTreeSet<MemoryId> = self.now.holdings.keys().map(|(memory, _)| *memory).collect();
        let lines = (0..self.rooms.len()).flat_map(|room| self.path(room));
        Counts {
            characters: self.people_there().count() as u64,
            conversations: self.rooms_there().count() as u64,
            lines: lines.filter(|number| self.is_spoken(*number)).count() as u64,
            open_rounds: rounds(RoundState::Open),
            closed_rounds: rounds(RoundState::Closed),
            digested_rounds: rounds(RoundState::Digested),
            memories: memories.len() as u64,
        }
    }

    pub(super) fn people_there(&self) -> impl Iterator<Item = usize> {
        let is_there = |index: &usize| !self.person(*index).erased && !self.now.people_away.contains(index);
        (0..self.people.len()).filter(is_there)
    }

    pub(super) fn rooms_there(&self) -> impl Iterator<Item = usize> {
        (0..self.rooms.len()).filter(|room| !self.now.rooms_away.contains(room))
    }

    pub(super) fn room(&self, id: &ConversationId) -> Result<usize> {
        let found = self.rooms.iter().position(|room| room.id == *id);
        found.ok_or_else(|| Error::not_found(format!("there is no conversation {id:?}")))
    }

    pub(super) fn is_scene(&self, room: usize) -> bool {
        self.rooms.get(room).is_some_and(|room| room.name.is_some())
    }

    pub(super) fn is_spoken(&self, number: u64) -> bool {
        self.nodes.get(&number).is_some_and(|node| node.attribute.is_some())
    }

    pub(super) fn spoken_head(&self, room: usize) -> Option<u64> {
        self.path(room).into_iter().rfind(|number| self.is_spoken(*number))
    }

    /// Who would witness the next line.
    pub(super) fn present(&self, room: usize) -> BTreeSet<usize> {
        match self.now.heads.get(&room).and_then(|head| self.nodes.get(head)) {
            Some(head) => head.present.clone(),
            None => self.beginning(room),
        }
    }

    /// Everyone who was ever present on the active path.
    fn participants(&self, room: usize) -> BTreeSet<usize> {
        let mut all = self.beginning(room);
        if self.is_scene(room) {
            all.extend(self.path_nodes(room).into_iter().flat_map(|(_, node)| node.present.iter().copied()));
        }
        all
    }

    /// It is used: it is there, and so is everyone on its path.
    pub(super) fn room_returns(&mut self, room: usize) {
        self.now.rooms_away.remove(&room);
        let mut people = self.participants(room);
        for (_, node) in self.path_nodes(room) {
            people.extend(node.speaker);
            people.extend(&node.witnesses);
        }
        people.retain(|person| !self.person(*person).erased);
        people.iter().for_each(|person| _ = self.now.people_away.remove(person));
    }

    fn path_nodes(&self, room: usize) -> Vec<(u64, &Node)> {
        let path = self.path(room);
        path.into_iter().filter_map(|number| self.nodes.get(&number).map(|node| (number, node))).collect()
    }

    /// Who is there while the path is empty.
    pub(super) fn beginning(&self, room: usize) -> BTreeSet<usize> {
        match self.rooms.get(room) {
            Some(set) if set.name.is_none() => set.participants.clone(),
            _ => self.now.beginnings.get(&room).cloned().unwrap_or_default(),
        }
    }

    pub(super) fn ids(&self, people: &BTreeSet<usize>) -> Vec<CharacterId> {
        let mut ids: Vec<CharacterId> = people.iter().map(|index| self.person(*index).id.clone()).collect();
        ids.sort();
        ids
    }

    pub(super) fn conversation(&self, room: usize) -> Conversation {
        let here = self.rooms.get(room).expect("rooms are never taken off the list");
        Conversation {
            id: here.id.clone(),
            name: here.name.clone(),
            participants: self.ids(&self.participants(room)),
            present: self.ids(&self.present(room)),
            head: self.spoken_head(room).and_then(|head| LineId::new(head).ok()),
        }
    }

    /// The nearest line above a node; who came and went in between is no line.
    fn spoken_parent(&self, node: &Node) -> Option<u64> {
        let mut at = node.parent;
        while let Some(number) = at {
            if self.is_spoken(number) {
                break;
            }
            at = self.nodes.get(&number).and_then(|node| node.parent);
        }
        at
    }

    pub(super) fn line(&self, number: u64) -> Option<Line> {
        let node = self.nodes.get(&number)?;
        let version = self.now.wordings.get(&number).copied().unwrap_or(0);
        let label = node.speaker.and_then(|speaker| self.card(speaker).display_name);
        Some(Line {
            id: LineId::new(number).ok()?,
            conversation: self.rooms.get(node.room)?.id.clone(),
            parent: self.spoken_parent(node).and_then(|parent| LineId::new(parent).ok()),
            attribute: node.attribute?,
            speaker: node.speaker.map(|speaker| self.person(speaker).id.clone()),
            name: node.display_name.clone().or(label),
            wording: node.wordings.get(&version)?.clone(),
            tick: node.tick,
            wall_ms: node.wall_ms,
            host_id: node.host_id.clone(),
            witnesses: self.ids(&node.witnesses),
            forgotten_by: self.now.forgotten.get(&number).map(|by| self.ids(by)).unwrap_or_default(),
            hidden: self.now.hidden.contains(&number),
            shown: !self.now.unshown.contains(&number),
            round: node.round,
            version,
        })
    }

    pub(super) fn lines(&self, id: &ConversationId, query: &LinesQuery) -> Result<Vec<Line>> {
        let room = self.room(id)?;
        let numbers: Vec<u64> = match query.which {
            WhichLines::Path => self.path(room),
            WhichLines::Tree | WhichLines::Children(_) => self.nodes.keys().copied().collect(),
        };
        let mut lines: Vec<Line> = numbers.into_iter().filter_map(|number| self.line(number)).collect();
        lines.retain(|line| line.conversation == *id && (line.shown || query.which == WhichLines::Tree));
        if let WhichLines::Children(parent) = query.which {
            lines.retain(|line| line.parent == parent);
        }
        if let Some(witness) = &query.witness {
            lines.retain(|line| line.is_witnessed_by(witness) && !line.is_forgotten_by(witness));
        }
        if query.newest_first {
            lines.reverse();
        }
        if let Some(after) = query.after {
            lines.retain(|line| if query.newest_first { line.id < after } else { line.id > after });
        }
        lines.truncate(query.limit);
        Ok(lines)
    }

    /// Everything to be seen in these rooms, in the order in which it happened, by those who all witnessed it; without what the viewer
    /// forgot.
    pub(super) fn seen(
        &self,
        rooms: impl IntoIterator<Item = usize>,
        witnesses: &BTreeSet<usize>,
        viewer: Option<usize>,
    ) -> Vec<Line> {
        let mut nodes = Vec::new();
        for room in rooms {
            nodes.extend(self.path_nodes(room));
        }
        nodes.retain(|(_, node)| witnesses.is_subset(&node.witnesses));
        let forgot = |number: &u64| {
            let by = self.now.forgotten.get(number);
            by.is_some_and(|by| viewer.is_some_and(|viewer| by.contains(&viewer)))
        };
        nodes.retain(|(number, _)| !forgot(number));
        nodes.sort_by_key(|(number, node)| (node.at, *number));
        let lines = nodes.into_iter().filter_map(|(number, _)| self.line(number));
        lines.filter(|line| line.shown && !line.hidden).collect()
    }

    pub(super) fn rooms_of(&self, is_wanted: impl Fn(&BTreeSet<usize>) -> bool) -> Vec<usize> {
        (0..self.rooms.len()).filter(|room| is_wanted(&self.participants(*room))).collect()
    }

    fn granted(&self, ids: &[ConversationId], viewer: Option<usize>, limit: usize) -> Result<Vec<Line>> {
        let rooms: BTreeSet<usize> = ids.iter().map(|id| self.room(id)).collect::<Result<_>>()?;
        Ok(newest(self.seen(rooms, &BTreeSet::new(), viewer), limit))
    }

    pub(super) fn history(&self, query: &HistoryQuery) -> Result<History> {
        let viewer = query.witness.as_ref().and_then(|witness| self.number_of(witness));
        let also = self.granted(&query.also, viewer, query.limit)?;
        let nothing = History { also: also.clone(), ..History::default() };
        let Some(set) = self.look_all(&query.participants)?.filter(|set| !set.is_empty()) else {
            return Ok(nothing);
        };
        let witness = match &query.witness {
            None => BTreeSet::new(),
            Some(witness) => match self.number_of(witness) {
                Some(witness) => BTreeSet::from([witness]),
                None => return Ok(nothing),
            },
        };
        let exactly = self.rooms_of(|participants| *participants == set);
        let with_others = self.rooms_of(|participants| set.is_subset(participants) && *participants != set);
        Ok(History {
            primary: newest(self.seen(exactly, &witness, viewer), query.limit),
            ancillary: newest(self.seen(with_others, &witness, viewer), query.limit),
            also,
        })
    }

    /// The node behind which lines would stand.
    pub(super) fn attach_to(&self, room: usize, attach: Attach) -> Result<Option<u64>> {
        Ok(match attach {
            Attach::Head => self.now.heads.get(&room).copied(),
            Attach::Root => None,
            Attach::Behind(line) if self.spoken_head(room) == Some(line.get()) => {
                self.now.heads.get(&room).copied()
            }
            Attach::Behind(line) => Some(self.spoken_in(room, line)?),
            Attach::Beside(line) => {
                let beside = self.spoken_in(room, line)?;
                self.nodes.get(&beside).and_then(|node| node.parent)
            }
        })
    }

    pub(super) fn timers_at(&self, room: usize, attach: Attach, through: Option<LineId>) -> Result<TimersAt> {
        let mut path = Vec::new();
        let mut at = self.attach_to(room, attach)?;
        while let Some(number) = at {
            path.push(number);
            at = self.nodes.get(&number).and_then(|node| node.parent);
        }
        let timers = path.iter().find_map(|number| self.nodes.get(number)?.lore_timers.clone());
        let head = self.spoken_head(room).map(LineId::new).transpose()?;
        let leads_through = through.is_none_or(|line| path.contains(&line.get()));
        Ok(TimersAt { timers, head, leads_through })
    }

    fn lore_timers(&self, room: usize) -> Option<String> {
        self.path_nodes(room).into_iter().filter_map(|(_, node)| node.lore_timers.clone()).next_back()
    }

    pub(super) fn gather(&self, gather: &Gather) -> Result<Gathered> {
        let world = self.view();
        let settings = WorldSettings::resolve(world.preset, &world.settings)?;
        let speaking = self.look(&gather.character)?.filter(|who| !self.person(*who).erased);
        let (mut listeners, mut strangers) = self.tell_apart(&gather.listeners)?;
        let (room, people) = match &gather.place {
            Place::Nowhere => (None, BTreeSet::new()),
            Place::Among(all) => {
                let (known, unknown) = self.tell_apart(all)?;
                listeners.extend(known.iter().copied());
                let has_strangers = !unknown.is_empty();
                strangers.extend(unknown);
                let is_theirs = |room: &Room| room.name.is_none() && room.participants == known;
                match has_strangers {
                    true => (None, BTreeSet::new()),
                    false => (self.rooms.iter().position(is_theirs), known),
                }
            }
            Place::Conversation(id) => (Some(self.room(id)?), self.present(self.room(id)?)),
        };
        listeners.extend(people.iter().copied());
        let mut gathered = Gathered {
            world,
            character: speaking.map(|who| self.character(who)),
            conversation: room.map(|room| self.conversation(room)),
            people: self.ids(&listeners),
            earlier_system: Vec::new(),
            window: Vec::new(),
            window_is_cut: false,
            remembered_through: None,
            unremembered: Vec::new(),
            elsewhere: Vec::new(),
            decided: BTreeMap::new(),
            background: Vec::new(),
            also: self.granted(&gather.also, speaking, settings.background_lines)?,
            books: Vec::new(),
            missing_books: Vec::new(),
            lore_timers: room.and_then(|room| self.lore_timers(room)),
            minds: self.minds(gather)?,
            names: self.called_besides(gather),
            voiced: self.voiced(gather)?,
            strangers: self.strangers(gather)?,
            path_lines: room.map_or(0, |room| self.said_until(self.now.heads.get(&room).copied())),
        };
        gathered.people.extend(strangers.iter().cloned());
        gathered.people.sort();
        let Some(speaking) = speaking else {
            self.read_waiting(&mut gathered, gather, room)?;
            return Ok(gathered);
        };
        let own = BTreeSet::from([speaking]);

        let mut rooms: BTreeSet<usize> = room.into_iter().collect();
        let scope = gather.scope.unwrap_or(settings.history_scope);
        if !people.is_empty() && (room.is_none() || scope == HistoryScope::Primary) {
            rooms.extend(self.rooms_of(|participants| *participants == people));
        }
        let all = self.seen(rooms, &own, Some(speaking));
        let mut bytes = gather.window_bytes(&settings);
        let mut from = all.len();
        for line in all.iter().rev().take(gather.window_lines) {
            if bytes == 0 {
                break;
            }
            bytes = bytes.saturating_sub(line.wording.content.len());
            from -= 1;
        }
        gathered.window = all.get(from..).unwrap_or_default().to_vec();
        gathered.window_is_cut = from > 0;

        if let Some(here) = room.filter(|_| gathered.window_is_cut) {
            let id = self.conversation(here).id;
            let first = gathered.window.iter().find(|line| line.conversation == id).map(|line| line.id);
            gathered.earlier_system = self.seen([here], &own, Some(speaking));
            let is_word = |line: &&Line| line.attribute != Attribute::System;
            let first_word = gathered.earlier_system.iter().find(is_word).map(|line| line.id);
            let me = gathered.character.as_ref().map(|character| character.id.clone());
            gathered.earlier_system.retain(|line| {
                let is_mine = line.speaker.is_some() && line.speaker == me;
                let is_opening = first_word.is_none_or(|word| line.id < word);
                line.attribute == Attribute::System
                    && first.is_none_or(|first| line.id < first)
                    && (is_mine || is_opening)
            });
        }

        self.read_waiting(&mut gathered, gather, room)?;
        let mut witnesses = own;
        if settings.audience == Audience::Strict {
            witnesses.extend(listeners.iter().copied());
        }
        let is_barred = !gather.background || settings.audience == Audience::Strict && !strangers.is_empty();
        if settings.audience != Audience::SameConversation && !people.is_empty() && !is_barred {
            let mut rooms = self.rooms_of(|others| people.is_subset(others) && *others != people);
            rooms.retain(|other| Some(*other) != room);
            gathered.background = self.seen(rooms, &witnesses, Some(speaking));
            gathered.background.retain(|line| line.attribute != Attribute::System);
            gathered.background = newest(gathered.background, settings.background_lines);
        }
        Ok(gathered)
    }
}

pub(super) fn newest(mut lines: Vec<Line>, limit: usize) -> Vec<Line> {
    lines.drain(..lines.len().saturating_sub(limit));
    lines
}
