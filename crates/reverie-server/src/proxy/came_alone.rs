//! Was a message that came alone the beginning of another chat?
//!
//! A list of one message says nothing of that: a client that keeps no history goes on with it, one that keeps a history begins a chat. It is
//! recorded behind what was said last, as the first would have it. When a later list shows that it was the second, all such messages, each with
//! what was said behind it, become conversations of their own; where they stood they are hidden, and off the path.

use std::sync::PoisonError;

use reverie_core::conversation::{Attach, ExpectedHead, HeadTarget, LinesQuery, WhichLines};
use reverie_core::line::NewLine;
use reverie_core::round::{CloseRound, Ending};
use reverie_core::store::LinePatch;
use reverie_core::{Conversation, ConversationId, Line, LineId, Record, Result};
use reverie_formats::completions::By;

use super::finding::{Finder, Found, MOST_LINES};
use super::joining::told_again;
use super::places::Place;

/// Whoever has sent more than so many alone, and nothing else, keeps no history.
const MOST_ALONE: usize = 8;

impl Finder<'_> {
    /// Whether what is new here is put behind what was said last for want of anything that says where it belongs.
    pub(super) fn is_guess(&self, found: &Found) -> bool {
        let is_alone = matches!(self.dialogue.said.as_slice(), [only] if only.by == By::User);
        is_alone && !self.dialogue.starts && found.is_elsewhere() && found.conversation.head.is_some()
    }

    /// Before a list with a history is looked for: what came alone stands apart if the list shows that it should.
    pub(super) fn part_what_came_alone(&self, place: &mut Place) -> Result<()> {
        if !self.dialogue.has_history() || place.alone.len() > MOST_ALONE {
            return Ok(());
        }
        let Some((here, _)) = place.alone.last().cloned() else { return Ok(()) };
        let turn = self.places.turn(self.world, &here);
        let _alone = turn.lock().unwrap_or_else(PoisonError::into_inner);
        let path = self.path(&here)?;
        let begins = |line: &Line| place.alone.iter().any(|(_, alone)| *alone == line.id);
        let parts: Vec<&[Line]> = path.chunk_by(|_, next| !begins(next)).collect();
        let [first, others @ ..] = parts.as_slice() else { return Ok(()) };
        let is_under_way =
            |line: &Line| line.round.is_some_and(|round| self.places.is_under_way(self.world, round));
        // An answer that is being said belongs where its words stand: the next list tells the same.
        if others.is_empty() || !self.are_chats(&here, &path, &parts) || path.iter().any(is_under_way) {
            return Ok(());
        }
        let Some(end) = first.last() else { return Ok(()) };
        for part in others {
            let chat = self.new_chat()?.conversation;
            self.tell_there(&chat, part)?;
        }
        self.engine.move_head(self.world, &here, HeadTarget::Line(end.id), ExpectedHead::Any)?;
        let hide = LinePatch { hidden: Some(true), ..LinePatch::default() };
        for line in others.iter().flat_map(|part| part.iter()).filter(|line| !line.hidden) {
            self.engine.revise_line(self.world, line.id, hide.clone())?;
        }
        place.alone.retain(|(conversation, _)| *conversation != here);
        place.keeps_history = true;
        Ok(())
    }

    /// Whether the list is one of these parts and goes on there: behind it, though another one stands there, or from what came alone on.
    fn are_chats(&self, here: &ConversationId, path: &[Line], parts: &[&[Line]]) -> bool {
        let is_end_of_all = self.aligned(here, path, true).closeness.is_end;
        let first = self.dialogue.said.first().map(|said| said.at);
        parts.iter().enumerate().any(|(at, part)| {
            let alignment = self.aligned(here, part, true);
            let begins_so = || {
                let seen = alignment.seen.first();
                at > 0
                    && seen.map(|(at, _)| *at) == first
                    && seen.map(|(_, key)| *key) == key_of(part.first())
            };
            alignment.closeness.is_end && (!is_end_of_all || begins_so())
        })
    }

    /// What was said in one conversation, once more as the beginning of another, in the same exchanges.
    fn tell_there(&self, chat: &Conversation, lines: &[Line]) -> Result<()> {
        for exchange in lines.chunk_by(|line, next| line.round == next.round) {
            let is_exchange = exchange.first().is_some_and(|line| line.round.is_some());
            let round = match is_exchange {
                true => Some(self.engine.open_round(self.world, &chat.id, None)?.value.id),
                false => None,
            };
            let again = |line: &Line| NewLine { round, ..told_again(line, line.witnesses.clone()) };
            let record = Record {
                lines: exchange.iter().map(again).collect(),
                attach: Attach::Head,
                ..Record::default()
            };
            let told = self.engine.record(self.world, &chat.id, record)?.appended.lines;
            if let Some(round) = round {
                let is_answered = exchange.len() > 1;
                let ending = if is_answered { Ending::Complete } else { Ending::Aborted };
                let close = CloseRound { ending, shown_through: key_of(told.last()) };
                self.engine.close_round(self.world, round, close)?;
            }
        }
        Ok(())
    }

    /// Oldest first.
    fn path(&self, conversation: &ConversationId) -> Result<Vec<Line>> {
        let limit = MOST_LINES.min(self.engine.limits().page);
        let query =
            LinesQuery { which: WhichLines::Path, witness: None, after: None, newest_first: true, limit };
        let mut lines = self.engine.lines(self.world, conversation, query)?.items;
        lines.reverse();
        Ok(lines)
    }
}

impl Place {
    /// This message stands behind others only because it came alone.
    pub(super) fn came_alone(&mut self, conversation: ConversationId, line: LineId) {
        if self.alone.len() <= MOST_ALONE {
            self.alone.push((conversation, line));
        }
    }
}

fn key_of(line: Option<&Line>) -> Option<LineId> {
    line.map(|line| line.id)
}
