//! Was a message that came alone the beginning of another chat?
//!
//! A list of one message says nothing of that: a client that keeps no history goes on with it, one that keeps a history begins a chat. It is
//! recorded behind what was said last, as the first would have it. When a later list shows that it was the second, all such messages, each with
//! what was said behind it, become conversations of their own; where they stood they are hidden, and off the path. An answer that is still
//! being said goes along.

use std::sync::{Arc, PoisonError};

use reverie_core::conversation::{Attach, ExpectedHead, HeadTarget, LinesQuery, WhichLines};
use reverie_core::line::NewLine;
use reverie_core::round::{CloseRound, Ending, RoundState};
use reverie_core::store::LinePatch;
use reverie_core::{Attribute, Code, Conversation, ConversationId, Line, LineId, Record, Result, RoundId};
use reverie_formats::completions::By;

use super::finding::{Finder, Found, MOST_LINES};
use super::joining::{end, told_again};
use super::places::{Moved, Place};
use super::remembering::Session;

/// Whoever has sent more than so many alone, and nothing else, keeps no history.
const MOST_ALONE: usize = 8;

/// A message that stands behind others only because it came alone.
#[derive(Debug)]
pub(super) struct Alone {
    conversation: ConversationId,
    line: LineId,
    /// Numbers are given again when a world is erased and begun anew: then the line is another one.
    at: i64,
}

impl Finder<'_> {
    /// Whether what is new here is put behind what was said last for want of anything that says where it belongs.
    pub(super) fn is_guess(&self, found: &Found) -> bool {
        let is_alone = matches!(self.dialogue.said.as_slice(), [only] if only.by == By::User);
        is_alone && !self.dialogue.starts && found.is_elsewhere() && found.conversation.head.is_some()
    }

    /// This line was put there by a guess. One that cannot be read stays where it stands.
    pub(super) fn note_guess(&self, place: &mut Place, conversation: &ConversationId, line: LineId) {
        if place.alone.len() > MOST_ALONE {
            return;
        }
        if let Ok(Line { wall_ms: at, .. }) = self.engine.line(self.world, conversation, line) {
            place.alone.push(Alone { conversation: conversation.clone(), line, at });
        }
    }

    /// Before a list with a history is looked for: what came alone stands apart if the list shows that it should.
    pub(super) fn part_what_came_alone(&self, place: &mut Place) -> Result<()> {
        if !self.dialogue.has_history() || place.alone.len() > MOST_ALONE {
            return Ok(());
        }
        let Some(here) = place.alone.last().map(|alone| alone.conversation.clone()) else { return Ok(()) };
        let turn = self.places.turn(self.world, &here);
        let _alone = turn.lock().unwrap_or_else(PoisonError::into_inner);
        let (path, is_whole) = match self.path(&here) {
            Err(error) if error.code() == Code::NotFound => {
                place.alone.retain(|alone| alone.conversation != here);
                return Ok(());
            }
            path => path?,
        };
        let begins = |line: &Line| {
            place
                .alone
                .iter()
                .any(|alone| (&alone.conversation, alone.line, alone.at) == (&here, line.id, line.wall_ms))
        };
        let Some(kept) = path.iter().position(begins).and_then(|first| path.get(..first)) else {
            return Ok(());
        };
        let parts = parts(&path, begins);
        let ([first, others @ ..], Some(end_of_kept)) = (parts.as_slice(), kept.last()) else {
            return Ok(());
        };
        if !self.are_chats(&here, (&path, is_whole), &parts) {
            return Ok(());
        }
        // Before anything is written: what fails half-way is not told a second time with every request that follows.
        place.alone.retain(|alone| alone.conversation != here);
        place.keeps_history = true;
        for part in others {
            let chat = self.new_chat()?.conversation;
            self.tell_there(&chat, part)?;
        }
        self.engine.move_head(self.world, &here, HeadTarget::Line(end_of_kept.id), ExpectedHead::Any)?;
        // An answer that came behind what did not belong there.
        let late: Vec<NewLine> =
            first.iter().skip(kept.len()).map(|line| told_again(line, line.witnesses.clone())).collect();
        if !late.is_empty() {
            let record = Record { lines: late, attach: Attach::Head, ..Record::default() };
            self.engine.record(self.world, &here, record)?;
        }
        let hide = LinePatch { hidden: Some(true), ..LinePatch::default() };
        for line in path.iter().skip(kept.len()).filter(|line| !line.hidden) {
            self.engine.revise_line(self.world, line.id, hide.clone())?;
        }
        Ok(())
    }

    /// Whether the list is one of these parts and goes on there: behind it, though another one stands there, or from what came alone on.
    fn are_chats(&self, here: &ConversationId, path: (&[Line], bool), parts: &[Vec<Line>]) -> bool {
        let (path, is_whole) = path;
        let whole = self.aligned(here, path, is_whole);
        let has_some =
            |part: &Vec<Line>| part.iter().any(|line| whole.seen.iter().any(|(_, seen)| *seen == line.id));
        // What was said at once may be missing in a list, and it is the end all the same.
        let is_end_of_all =
            whole.closeness.is_end && parts.iter().skip_while(|part| !has_some(part)).all(has_some);
        let first = self.dialogue.said.first().map(|said| said.at);
        parts.iter().enumerate().any(|(at, part)| {
            let alignment = self.aligned(here, part, is_whole || at > 0);
            let begins_so = || {
                let seen = alignment.seen.first();
                at > 0
                    && seen.map(|(at, _)| *at) == first
                    && seen.map(|(_, key)| *key) == part.first().map(|line| line.id)
            };
            alignment.closeness.is_end && (!is_end_of_all || begins_so())
        })
    }

    /// What was said in one conversation, once more as the beginning of another, in the same exchanges: one that is not over goes on there.
    fn tell_there(&self, chat: &Conversation, lines: &[Line]) -> Result<()> {
        for exchange in lines.chunk_by(|line, next| line.round == next.round) {
            let before = exchange.first().and_then(|line| line.round);
            let round = match before {
                Some(_) => Some(self.engine.open_round(self.world, &chat.id, None)?.value.id),
                None => None,
            };
            let again = |line: &Line| NewLine { round, ..told_again(line, line.witnesses.clone()) };
            let record = Record {
                lines: exchange.iter().map(again).collect(),
                attach: Attach::Head,
                ..Record::default()
            };
            let told = self.engine.record(self.world, &chat.id, record)?.appended.lines;
            if let (Some(before), Some(round), Some(last), Some(words)) =
                (before, round, told.last(), exchange.last())
            {
                self.go_on_there(chat, (before, words.id), (round, last))?;
            }
        }
        Ok(())
    }

    /// An exchange has become another one: both as far as their last line.
    fn go_on_there(
        &self,
        chat: &Conversation,
        (before, words): (RoundId, LineId),
        (round, last): (RoundId, &Line),
    ) -> Result<()> {
        if self.engine.round(self.world, before)?.state != RoundState::Open {
            let is_answered = last.attribute == Attribute::Assistant;
            let ending = if is_answered { Ending::Complete } else { Ending::Aborted };
            let close = CloseRound { ending, shown_through: Some(last.id) };
            return self.engine.close_round(self.world, round, close).map(drop);
        }
        let conversation = self.engine.conversation(self.world, &chat.id)?;
        self.places.go_along(self.world, before, Moved { conversation, line: last.id, round });
        end(self.engine, self.world, before, words)
    }

    /// Oldest first, and whether it is all of it.
    fn path(&self, conversation: &ConversationId) -> Result<(Vec<Line>, bool)> {
        let limit = MOST_LINES.min(self.engine.limits().page);
        let query =
            LinesQuery { which: WhichLines::Path, witness: None, after: None, newest_first: true, limit };
        let listed = self.engine.lines(self.world, conversation, query)?;
        let mut lines = listed.items;
        lines.reverse();
        Ok((lines, !listed.has_more))
    }
}

impl Session {
    /// Whether what is answered has become another conversation's: then the answer belongs there. Looked at in its turn.
    pub(super) fn goes_along(&mut self) -> bool {
        let moved = self.round.and_then(|round| self.proxy.places.moved(&self.world, round));
        let Some(Moved { conversation, line, round }) = moved else { return false };
        self.turn = Arc::clone(&self.proxy.places.turn(&self.world, &conversation.id));
        (self.conversation, self.parent, self.round) = (conversation, Some(line), Some(round));
        // Both are of where it was asked.
        (self.head_before, self.recall) = (None, None);
        true
    }
}

/// From each line that begins one to the next; but what belongs to an exchange stands where that began, though somebody else spoke meanwhile.
fn parts(path: &[Line], begins: impl Fn(&Line) -> bool) -> Vec<Vec<Line>> {
    let mut parts: Vec<Vec<Line>> = vec![Vec::new()];
    for line in path {
        if begins(line) {
            parts.push(vec![line.clone()]);
            continue;
        }
        let is_same = |other: &Line| other.round.is_some() && other.round == line.round;
        let begun = parts.iter().position(|part| part.iter().any(is_same));
        let at = begun.unwrap_or(parts.len() - 1);
        if let Some(part) = parts.get_mut(at) {
            part.push(line.clone());
        }
    }
    parts
}
