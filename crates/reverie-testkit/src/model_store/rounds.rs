//! How do rounds begin and end, which lines are theirs, and what of a conversation waits to be remembered?

use std::collections::BTreeSet;

use reverie_core::character::Who;
use reverie_core::conversation::ExpectedHead;
use reverie_core::memories::{Backlog, PathLine, RoundsQuery, WhichRounds};
use reverie_core::round::{CloseRound, Ending, OpenRound, Participant, Round, RoundState, Span};
use reverie_core::{Attribute, ConversationId, Error, LineId, Result, RoundId};

use super::world::{KeptRound, ModelWorld};

impl ModelWorld {
    pub(super) fn open_round(&mut self, id: &ConversationId, open: &OpenRound) -> Result<RoundId> {
        let room = self.room(id)?;
        let present = match &open.present {
            Some(all) => self.who_takes_part(id, all)?,
            None => {
                let mut here: Vec<usize> = self.present(room).into_iter().collect();
                here.sort_by_key(|person| self.person(*person).id.clone());
                here.into_iter().map(|person| (person, self.card(person).display_name)).collect()
            }
        };
        self.room_returns(room);
        // Whoever was deleted is nobody to remember anything.
        let present = present.into_iter().filter(|(person, _)| !self.person(*person).erased).collect();
        let opened_ms = open.now_ms;
        let round = KeptRound {
            room,
            explicit: true,
            present,
            opened_ms,
            span: None,
            ending: None,
            ends_at: None,
            settled: 0,
            revision: self.revision + 1,
        };
        self.begin_round(round, RoundState::Open)
    }

    /// In the host's order, each once, with the name that the host has for them.
    fn who_takes_part(&mut self, id: &ConversationId, all: &[Who]) -> Result<Vec<(usize, Option<String>)>> {
        let room = self.room(id)?;
        if self.is_scene(room) {
            self.set_present(id, all, ExpectedHead::Any)?;
        }
        let people = self.meet_all(all)?;
        if !people.is_subset(&self.present(room)) {
            return Err(Error::invalid("somebody in the round is not in the conversation")
                .hint("a participant set never changes; use a scene for people who come and go"));
        }
        let mut present: Vec<(usize, Option<String>)> = Vec::new();
        for who in all {
            let person = self.meet(who)?;
            let own_name = who.called().map(str::to_owned);
            if people.contains(&person) && !present.iter().any(|(other, _)| *other == person) {
                present.push((person, own_name.or_else(|| self.card(person).display_name)));
            }
        }
        Ok(present)
    }

    pub(super) fn begin_round(&mut self, round: KeptRound, state: RoundState) -> Result<RoundId> {
        let id = RoundId::new(self.next_round)?;
        self.next_round += 1;
        self.rounds.insert(id, round);
        self.now.rounds.insert(id, state);
        Ok(id)
    }

    /// A round that a restore took back is unknown.
    pub(super) fn begun(&self, id: RoundId) -> Result<(&KeptRound, RoundState)> {
        let round = self.rounds.get(&id).zip(self.now.rounds.get(&id).copied());
        round.ok_or_else(|| no_round(id))
    }

    pub(super) fn close_round(&mut self, id: RoundId, close: &CloseRound) -> Result<()> {
        let (round, state) = self.begun(id)?;
        let (room, ending, is_explicit, settled) = (round.room, round.ending, round.explicit, round.settled);
        let lines = self.belonging(id);
        let through = close.shown_through.map(LineId::get);
        if through.is_some_and(|through| !lines.contains(&through)) {
            return Err(Error::invalid(format!("that line is not in round {id}"))
                .hint("shown_through is a line that was recorded with this round"));
        }
        let lines: Vec<u64> = lines.into_iter().filter(|line| *line > settled).collect();
        let is_unshown = |line: &u64| match (through, close.ending) {
            (Some(through), _) => *line > through,
            (None, Ending::Complete) => false,
            (None, Ending::Aborted) => {
                self.nodes.get(line).is_some_and(|node| node.attribute == Some(Attribute::Assistant))
            }
        };
        let unshown: BTreeSet<u64> = lines.iter().copied().filter(is_unshown).collect();
        if !is_explicit || state != RoundState::Open {
            let unshown_before = lines.iter().copied().filter(|line| self.now.unshown.contains(line));
            let is_same =
                ending == Some(close.ending) && unshown_before.collect::<BTreeSet<u64>>() == unshown;
            return if is_same { Ok(()) } else { Err(Error::conflict("the round ended otherwise before")) };
        }
        self.cut_head(room, &unshown);
        self.now.unshown.extend(unshown);
        self.now.rounds.insert(id, RoundState::Closed);
        let path = self.path(room);
        let shown = lines.into_iter().filter(|line| !self.now.unshown.contains(line));
        let end = shown.max_by_key(|line| (path.contains(line), *line));
        let ends_at = self.rounds.get_mut(&id).and_then(|round| {
            round.ending = Some(close.ending);
            round.ends_at = end.or(round.ends_at);
            round.ends_at
        });
        self.uncover(id, ends_at, settled);
        Ok(())
    }

    /// Where the path ends with these lines, whoever came and went in between included, it ends before them.
    fn cut_head(&mut self, room: usize, unshown: &BTreeSet<u64>) {
        let mut path = self.path(room);
        let is_shown_line = |number: &u64| self.is_spoken(*number) && !unshown.contains(number);
        let kept = path.iter().rposition(is_shown_line).map_or(0, |last| last + 1);
        let Some(first_gone) = path.iter().skip(kept).position(|number| unshown.contains(number)) else {
            return;
        };
        path.truncate(kept + first_gone);
        match path.last() {
            Some(head) => self.now.heads.insert(room, *head),
            None => self.now.heads.remove(&room),
        };
    }

    /// Those lines of a round that are to be seen on the path where it stands.
    fn lines_in_view(&self, id: RoundId) -> Vec<u64> {
        let Some(round) = self.rounds.get(&id) else { return Vec::new() };
        let path = self.path(round.room);
        let mut lines = self.belonging(id);
        lines.retain(|line| path.contains(line) && !self.now.unshown.contains(line));
        lines
    }

    pub(super) fn span(&self, id: RoundId) -> Option<(u64, u64)> {
        let found = self.rounds.get(&id).and_then(|round| round.span);
        found.or_else(|| {
            let lines = self.lines_in_view(id);
            lines.first().copied().zip(lines.last().copied())
        })
    }

    pub(super) fn round(&self, id: RoundId) -> Result<Round> {
        let (round, state) = self.begun(id)?;
        let name = |(person, name): &(usize, Option<String>)| Participant {
            character: self.person(*person).id.clone(),
            name: name.clone(),
        };
        let span = match self.span(id) {
            Some((first, last)) => Some(Span { first: LineId::new(first)?, last: LineId::new(last)? }),
            None => None,
        };
        Ok(Round {
            id,
            conversation: self.conversation(round.room).id,
            explicit: round.explicit,
            state,
            present: round.present.iter().map(name).collect(),
            opened_ms: round.opened_ms,
            span,
        })
    }

    pub(super) fn list_rounds(&self, query: &RoundsQuery) -> Result<Vec<Round>> {
        let mut rounds: Vec<Round> =
            self.now.rounds.keys().map(|id| self.round(*id)).collect::<Result<_>>()?;
        match &query.which {
            WhichRounds::One(id) => rounds.retain(|round| round.id == *id),
            WhichRounds::Of(conversation) | WhichRounds::Open(conversation) => {
                self.room(conversation)?;
                rounds.retain(|round| round.conversation == *conversation);
            }
        }
        if let WhichRounds::Open(_) = query.which {
            rounds.retain(|round| round.state == RoundState::Open);
        }
        rounds.retain(|round| query.after.is_none_or(|after| round.id > after));
        rounds.truncate(query.limit);
        Ok(rounds)
    }

    pub(super) fn is_in(&self, id: RoundId, room: usize) -> bool {
        self.rounds.get(&id).is_some_and(|round| round.room == room)
    }

    /// Those that are over and not remembered, or not as they are now.
    fn waiting(&self, room: usize) -> Vec<RoundId> {
        let closed = self.now.rounds.iter().filter(|(_, state)| **state == RoundState::Closed);
        closed.map(|(id, _)| *id).filter(|id| self.is_in(*id, room) && self.is_on_path(*id)).collect()
    }

    fn waiting_lines(&self, room: usize) -> Vec<u64> {
        let covered = self.covered(room);
        let of_rounds: BTreeSet<u64> =
            self.waiting(room).into_iter().flat_map(|id| self.lines_in_view(id)).collect();
        let mut lines = self.path(room);
        lines.retain(|line| self.is_spoken(*line) && !self.now.unshown.contains(line));
        lines.retain(|line| of_rounds.contains(line) || covered.is_none_or(|covered| *line > covered));
        lines
    }

    pub(super) fn has_backlog(&self, room: usize) -> bool {
        !self.waiting_lines(room).is_empty()
    }

    pub(super) fn backlog(&self, id: &ConversationId, limit: usize) -> Result<Backlog> {
        let room = self.room(id)?;
        let mut lines = self.waiting_lines(room);
        let waiting = self.waiting(room).into_iter().map(|id| (self.lines_in_view(id), id));
        let first_round = waiting.min_by_key(|(lines, id)| (lines.first().copied(), *id));
        let end_of_it = first_round.and_then(|(lines, _)| lines.last().copied());
        let whole = lines.iter().filter(|line| end_of_it.is_some_and(|end| **line <= end)).count();
        let kept = limit.max(whole).max(1);
        let is_cut = kept < lines.len();
        lines.truncate(kept);
        let reaches_into = |id: &RoundId| {
            self.is_in(*id, room)
                && self.is_on_path(*id)
                && self.lines_in_view(*id).iter().any(|line| lines.contains(line))
        };
        let rounds = self.now.rounds.keys().copied().filter(reaches_into);
        Ok(Backlog {
            conversation: id.clone(),
            covered: self.covered(room).map(LineId::new).transpose()?,
            rounds: rounds.map(|id| self.round(id)).collect::<Result<_>>()?,
            lines: lines.iter().filter_map(|number| self.path_line(*number)).collect(),
            is_cut,
        })
    }

    fn path_line(&self, number: u64) -> Option<PathLine> {
        let node = self.nodes.get(&number)?;
        let cards = self.state_at(node.revision).cards;
        let name_then = |person: usize| {
            let version = cards.get(&person).copied().unwrap_or(0);
            self.person(person).cards.get(&version).and_then(|card| card.display_name.clone())
        };
        let own_name = |person: usize| node.display_name.clone().filter(|_| node.speaker == Some(person));
        let mut there = node.present.clone();
        if let Some(round) = node.round.and_then(|id| self.rounds.get(&id)) {
            there = node.witnesses.iter().copied().chain(round.present.iter().map(|(one, _)| *one)).collect();
        }
        let mut present: Vec<Participant> = there
            .iter()
            .map(|person| Participant {
                character: self.person(*person).id.clone(),
                name: own_name(*person).or_else(|| name_then(*person)),
            })
            .collect();
        present.sort_by(|a, b| a.character.cmp(&b.character));
        let by_person = node.speaker.is_some_and(|speaker| !self.is_narrator(speaker));
        let own_name = node.display_name.clone();
        Some(PathLine { line: self.line(number)?, present, own_name, by_person })
    }
}

pub(super) fn no_round(id: RoundId) -> Error {
    Error::not_found(format!("there is no round {id}")).hint("open a round first")
}
