//! Does somebody else answer words that were said already? Then they are heard by whoever answers them, and all answers belong to one
//! exchange.
//!
//! Who heard a line never changes, and a round that has ended takes no more answers. Where that stands in the way, the words are told once
//! more beside themselves, with all answers behind them, and the path leads there. It does so once for each who comes to a scene:
//! from then on it is known that several answer there.

use std::collections::BTreeSet;

use reverie_core::character::Who;
use reverie_core::conversation::Attach;
use reverie_core::line::NewLine;
use reverie_core::round::{CloseRound, Ending, RoundState};
use reverie_core::{Attribute, CharacterId, Code, Engine, Line, LineId, Record, Result, RoundId, WorldId};
use reverie_formats::completions::Then;

use super::remembering::Session;
use super::step::Step;

impl Step<'_> {
    /// The newest words and what is answered to them, if they have to be told once more, so that whoever answers them now has heard them.
    pub(super) fn retold(&self) -> Result<Vec<Line>> {
        let is_known =
            matches!(self.found.alignment.then, Then::Append { from } if from == self.dialogue.said.len());
        let lines = &self.found.lines;
        let newest = lines.iter().rposition(|line| line.attribute == Attribute::User);
        let told = newest.filter(|_| is_known && self.is_room()).and_then(|newest| lines.get(newest..));
        let Some([words, answers @ ..]) = told else { return Ok(Vec::new()) };
        let is_meant = self.found.alignment.seen.iter().any(|(_, seen)| *seen == words.id);
        match is_meant && self.is_shut(words, answers)? {
            true => Ok(told.unwrap_or_default().to_vec()),
            false => Ok(Vec::new()),
        }
    }

    /// Whether the one who answers has not heard these words, or their round takes no answer of another one.
    fn is_shut(&self, words: &Line, answers: &[Line]) -> Result<bool> {
        let Some(character) = self.cast.character.who.id() else { return Ok(false) };
        if !words.is_witnessed_by(character) {
            return Ok(true);
        }
        let Some(round) = words.round else { return Ok(false) };
        let world = &self.talk.named.world;
        let is_over = self.engine.round(world, round)?.state != RoundState::Open;
        let is_anothers = self.talk.proxy.places.is_anothers(world, round, character);
        Ok(is_anothers || (is_over && !answers.is_empty()))
    }

    /// Whether somebody else has answered on this path lately: then the next words may have several answers, too.
    pub(super) fn has_others_answering(&self) -> bool {
        let character = self.cast.character.who.id();
        let is_answer = |line: &&Line| line.attribute == Attribute::Assistant && line.speaker.is_some();
        let mut answers = self.found.lines.iter().filter(is_answer);
        self.is_room() && answers.any(|line| line.speaker.as_ref() != character)
    }

    /// Whether others may come to answer here, whose clients send no history.
    fn is_room(&self) -> bool {
        self.found.conversation.name.is_some() && !self.sends_history() && !self.dialogue.starts
    }

    /// Whether somebody answered before the newest message, on whichever side the client has what they said.
    pub(super) fn sends_history(&self) -> bool {
        let is_seen = |line: &Line| self.found.alignment.seen.iter().any(|(_, seen)| *seen == line.id);
        let mut answers = self.found.lines.iter().filter(|line| line.attribute == Attribute::Assistant);
        self.dialogue.has_history() || answers.any(is_seen)
    }

    /// The head stands before them already, and who is there has been put there.
    pub(super) fn tell_again(&mut self, session: &mut Session, lines: &[Line]) -> Result<()> {
        let world = &self.talk.named.world;
        let Some((words, answers)) = lines.split_first() else { return Ok(()) };
        let now: BTreeSet<CharacterId> = self.cast.ids().into_iter().chain(words.witnesses.clone()).collect();
        let mut again = vec![told_again(words, now.into_iter().collect())];
        again.extend(answers.iter().map(|line| told_again(line, line.witnesses.clone())));
        let attach = session.parent.map_or(Attach::Head, Attach::Behind);
        let record = Record { lines: again, attach, ..Record::default() };
        let recorded = self.engine.record(world, &session.conversation.id, record)?;
        let again = recorded.appended.lines;
        session.parent = again.last().map(|line| line.id).or(session.parent);
        // It was heard now.
        let told = again.first().map_or(words.id, |line| line.id);
        let seen = self.found.alignment.seen.iter_mut().filter(|(_, line)| *line == words.id);
        seen.for_each(|(_, line)| *line = told);
        match words.round {
            // Its answer never came, and comes elsewhere now.
            Some(round) if !self.talk.proxy.places.is_under_way(world, round) => {
                end(self.engine, world, round, words.id)
            }
            _ => Ok(()),
        }
    }
}

/// As it was, at another place and in no round.
pub(super) fn told_again(line: &Line, witnesses: Vec<CharacterId>) -> NewLine {
    NewLine {
        wording: line.wording.clone(),
        tick: line.tick,
        wall_ms: Some(line.wall_ms),
        witnesses: Some(witnesses.into_iter().map(Who::Id).collect()),
        hidden: line.hidden,
        ..NewLine::new(line.attribute, line.speaker.clone().map(Who::Id), "")
    }
}

impl Session {
    /// What is answered was told once more elsewhere meanwhile, because somebody else answers it, too: then the answer belongs there, and
    /// its round is left behind. `newest_first`: the path.
    pub(super) fn follow(&mut self, newest_first: &[Line]) -> Result<()> {
        let Some(parent) = self.parent else { return Ok(()) };
        if newest_first.iter().any(|line| line.id == parent) {
            return Ok(());
        }
        let engine = &self.proxy.engine;
        let answered = engine.line(&self.world, &self.conversation.id, parent)?;
        let is_again = |line: &&Line| {
            (line.attribute, &line.speaker) == (answered.attribute, &answered.speaker)
                && line.wall_ms == answered.wall_ms
                && line.wording == answered.wording
        };
        let Some(again) = newest_first.iter().find(is_again) else { return Ok(()) };
        self.parent = Some(again.id);
        if let Some(round) = self.round.take().filter(|round| Some(*round) == answered.round) {
            return end(engine, &self.world, round, answered.id);
        }
        Ok(())
    }
}

/// Ends a round with the words that it began with, if it is open.
pub(super) fn end(engine: &Engine, world: &WorldId, round: RoundId, words: LineId) -> Result<()> {
    if engine.round(world, round)?.state != RoundState::Open {
        return Ok(());
    }
    let close = CloseRound { ending: Ending::Aborted, shown_through: Some(words) };
    match engine.close_round(world, round, close) {
        // Somebody else ended it just now.
        Err(error) if error.code() == Code::Conflict => Ok(()),
        closed => closed.map(drop),
    }
}
