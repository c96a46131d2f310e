//! Which lines are a round's, on which paths does it stand, and what of a path is covered?

use std::collections::BTreeSet;

use reverie_core::round::RoundState;
use reverie_core::{Attribute, Error, Result, RoundId};

use super::rounds::no_round;
use super::world::{KeptRound, ModelWorld, Node};

impl ModelWorld {
    /// A line can be put into a round that is open, and into one that is over beside a line of it, if it had not ended on the
    /// way there: then it goes on.
    pub(super) fn join(&mut self, room: usize, parent: Option<u64>, id: RoundId) -> Result<()> {
        let (round, state) = self.begun(id)?;
        if round.room != room {
            return Err(no_round(id));
        }
        if state == RoundState::Open {
            return Ok(());
        }
        let lines = self.belonging(id);
        let answers = |parent: Option<u64>| {
            let way = parent.map(|parent| self.way_to(parent)).unwrap_or_default();
            way.into_iter().rev().find(|number| self.is_spoken(*number))
        };
        let is_beside =
            |line: &u64| self.nodes.get(line).is_some_and(|node| answers(node.parent) == answers(parent));
        let way = parent.map(|parent| self.way_to(parent)).unwrap_or_default();
        let ended_elsewhere = round.explicit && round.ends_at.is_some_and(|end| !way.contains(&end));
        if !ended_elsewhere || !lines.iter().any(is_beside) {
            return Err(Error::conflict(format!("round {id} is over")).hint("open a new round"));
        }
        if let Some(round) = self.rounds.get_mut(&id) {
            round.settled = lines.last().copied().unwrap_or(0);
        }
        self.now.rounds.insert(id, RoundState::Open);
        Ok(())
    }

    /// Of rounds that arrived from where no end was written down: their last line that was shown.
    pub(super) fn end_rounds(&mut self) {
        let unknown = |round: &KeptRound| round.explicit && round.ending.is_some() && round.ends_at.is_none();
        let ids: Vec<RoundId> =
            self.rounds.iter().filter(|(_, round)| unknown(round)).map(|(id, _)| *id).collect();
        for id in ids {
            let shown = self.belonging(id).into_iter().filter(|line| !self.now.unshown.contains(line));
            let end = shown.max();
            if let Some(round) = self.rounds.get_mut(&id) {
                round.ends_at = end;
            }
        }
    }

    /// The lines of a round, on whatever branch.
    pub(super) fn belonging(&self, id: RoundId) -> Vec<u64> {
        let Some(round) = self.rounds.get(&id) else { return Vec::new() };
        match round.span {
            None => self.nodes.iter().filter(|(_, node)| node.round == Some(id)).map(|(n, _)| *n).collect(),
            Some((first, last)) => self.posted_between(first, last),
        }
    }

    /// Lines on the way from one to another that are of no host's round there.
    pub(super) fn posted_between(&self, first: u64, last: u64) -> Vec<u64> {
        let lines = self.said_between(first, last);
        let host = |number: &u64| self.nodes.get(number).and_then(|node| node.round);
        let is_posted = |number: &u64| host(number).is_none_or(|round| !self.stands_on(round, &lines));
        lines.iter().copied().filter(is_posted).collect()
    }

    /// All lines on the way from one to another.
    pub(super) fn said_between(&self, first: u64, last: u64) -> Vec<u64> {
        let mut way = self.way_to(last);
        way.retain(|number| *number >= first && self.is_spoken(*number));
        way
    }

    /// A round stands where it ended; while it is open, also wherever its lines are that no earlier end judged.
    fn stands_on(&self, id: RoundId, way: &[u64]) -> bool {
        let Some((round, state)) = self.rounds.get(&id).zip(self.now.rounds.get(&id)) else { return false };
        let Some(end) = round.span.map(|(_, last)| last).or(round.ends_at) else {
            return *state == RoundState::Open;
        };
        let is_new = |line: &u64| {
            *line > round.settled && self.nodes.get(line).is_some_and(|node| node.round == Some(id))
        };
        way.contains(&end) || (*state == RoundState::Open && way.iter().any(is_new))
    }

    /// Where a path leads through a host's round and not to its end, what nobody remembers of it.
    fn left_over(&self, room: usize, covered: u64) -> Option<u64> {
        let path = self.path(room);
        let held = |line: u64| {
            let is_found = |(id, round): (&RoundId, &KeptRound)| {
                round.span.is_some_and(|(first, last)| {
                    self.now.rounds.contains_key(id) && path.contains(&last) && (first..=last).contains(&line)
                })
            };
            self.rounds.iter().any(is_found)
        };
        let is_left = |line: &u64| {
            let round = self.nodes.get(line).and_then(|node| node.round);
            let is_over =
                round.and_then(|id| self.now.rounds.get(&id)).is_some_and(|s| *s != RoundState::Open);
            is_over
                && round.is_some_and(|id| {
                    !self.stands_on(id, &path)
                        && self.belonging(id).last().is_some_and(|last| *last > covered)
                })
        };
        let mut seen = path.iter().copied().filter(|line| !self.now.unshown.contains(line));
        seen.find(|line| *line <= covered && is_left(line) && !held(*line))
    }

    /// Lines of a round that ended on another branch are of no host's round any more: what was remembered behind them, past them,
    /// is looked at anew.
    pub(super) fn uncover(&mut self, id: RoundId, ends_at: Option<u64>, settled: u64) {
        let way = ends_at.map(|end| self.way_to(end)).unwrap_or_default();
        let mut shown = self.belonging(id).into_iter();
        let is_elsewhere =
            |line: &u64| *line > settled && !self.now.unshown.contains(line) && !way.contains(line);
        let Some(left) = shown.find(is_elsewhere) else { return };
        let room = self.rounds.get(&id).map(|round| round.room);
        let is_behind = |id: &RoundId| {
            room.is_some_and(|room| self.is_in(*id, room))
                && self.belonging(*id).last().is_some_and(|last| *last > left)
        };
        let behind: Vec<RoundId> = self.rounds.keys().copied().filter(is_behind).collect();
        for round in behind {
            if let Some(state) = self.now.rounds.get_mut(&round).filter(|s| **s == RoundState::Digested) {
                *state = RoundState::Closed;
            }
        }
    }

    /// Who hears what is said in a round behind a node: its people, whoever spoke in it, and who came to the scene without leaving
    /// it. Openings of other rounds and what is said in them bring nobody and take nobody away.
    pub(super) fn company(&self, id: RoundId, parent: Option<u64>) -> BTreeSet<usize> {
        let Some(round) = self.rounds.get(&id) else { return BTreeSet::new() };
        let mut company: BTreeSet<usize> = round.present.iter().map(|(person, _)| *person).collect();
        let mut before = self.beginning(round.room);
        let opens = |node: &Node| {
            let mut others = self.rounds.values().filter(|other| other.room == node.room && other.explicit);
            node.attribute.is_none() && others.any(|other| other.revision == node.revision)
        };
        let way = parent.map(|parent| self.way_to(parent)).unwrap_or_default();
        for node in way.iter().filter_map(|number| self.nodes.get(number)) {
            let is_later = node.revision > round.revision;
            if is_later && node.round == Some(id) && node.attribute != Some(Attribute::System) {
                company.extend(node.speaker.filter(|speaker| node.present.contains(speaker)));
            } else if is_later && node.round.is_none() && !opens(node) {
                company.extend(node.present.difference(&before));
                company.retain(|person| node.present.contains(person) || !before.contains(person));
            }
            before.clone_from(&node.present);
        }
        company
    }

    /// The head moves. A round that ended while some of its lines were undone is not what it was when they come back, or go again.
    pub(super) fn turn_to(&mut self, room: usize, head: Option<u64>) {
        let before: BTreeSet<u64> = self.path(room).into_iter().collect();
        match head {
            Some(head) => self.now.heads.insert(room, head),
            None => self.now.heads.remove(&room),
        };
        let path: BTreeSet<u64> = self.path(room).into_iter().collect();
        for line in before.symmetric_difference(&path).filter(|line| !self.now.unshown.contains(line)) {
            let Some(id) = self.nodes.get(line).and_then(|node| node.round) else { continue };
            let end = self.rounds.get(&id).and_then(|round| round.ends_at);
            if end.is_some_and(|end| end < *line && path.contains(&end))
                && let Some(state) = self.now.rounds.get_mut(&id).filter(|s| **s == RoundState::Digested)
            {
                *state = RoundState::Closed;
            }
        }
    }

    /// All nodes from the root to a node.
    pub(super) fn way_to(&self, number: u64) -> Vec<u64> {
        let mut way = Vec::new();
        let mut at = Some(number);
        while let Some(number) = at {
            way.push(number);
            at = self.nodes.get(&number).and_then(|node| node.parent);
        }
        way.reverse();
        way
    }

    pub(super) fn is_on_path(&self, id: RoundId) -> bool {
        let path = self.rounds.get(&id).map(|round| self.path(round.room)).unwrap_or_default();
        self.stands_on(id, &path) && self.span(id).is_some()
    }

    /// The last line of the path that a digested round covers, with all that comes before it.
    pub(super) fn covered(&self, room: usize) -> Option<u64> {
        let digested = self.now.rounds.iter().filter(|(_, state)| **state == RoundState::Digested);
        let here = digested.map(|(id, _)| *id).filter(|id| self.is_in(*id, room) && self.is_on_path(*id));
        let ends: Vec<u64> = here.filter_map(|id| self.span(id)).map(|(_, last)| last).collect();
        let covered = ends.iter().copied().max()?;
        match self.left_over(room, covered) {
            Some(left) => ends.into_iter().filter(|end| *end < left).max(),
            None => Some(covered),
        }
    }
}
