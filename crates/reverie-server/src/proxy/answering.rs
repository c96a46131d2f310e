//! How is an answer recorded, whole or as far as it was shown?

use std::sync::PoisonError;

use reverie_core::character::Who;
use reverie_core::conversation::{Attach, ExpectedHead, HeadTarget, LinesQuery, WhichLines};
use reverie_core::line::NewLine;
use reverie_core::round::{CloseRound, Ending, RoundState};
use reverie_core::store::LinePatch;
use reverie_core::{
    Attribute, Code, ConversationId, Engine, Line, LineId, Record, Recorded, Result, WorldId,
};
use reverie_formats::completions::spoken;

use super::remembering::{Session, beginning};
use super::stored::children;
use super::tap::Heard;

/// How far back it is looked whether a line is still on the path.
const NEAR: usize = 100;

impl Session {
    /// Blocks. `is_shown`: whether the client saw all of it.
    pub(super) fn write(mut self, heard: &Heard, is_shown: bool) -> Result<()> {
        loop {
            let turn = std::sync::Arc::clone(&self.turn);
            let _alone = turn.lock().unwrap_or_else(PoisonError::into_inner);
            if self.goes_along() {
                continue;
            }
            let round = self.round;
            let written = self.write_down(heard, is_shown);
            if let Some(round) = round {
                self.proxy.places.end(&self.world, round, self.cast.character.who.id());
            }
            (self.proxy.ring)(&self.world);
            return written;
        }
    }

    fn write_down(&mut self, heard: &Heard, is_shown: bool) -> Result<()> {
        let heard_text = match &self.begun {
            Some(begun) if !heard.text.trim().is_empty() => behind(begun, heard.text.trim_end()),
            _ => heard.text.clone(),
        };
        let text = spoken(heard_text.trim(), &self.cast.character.names).trim();
        let most = self.proxy.engine.limits().bytes_per_text;
        if text.len() > most {
            warn_of_shortening(&self.proxy.engine);
        }
        let text = beginning(text, most);
        if text.is_empty() {
            return self.nothing_was_said();
        }
        if let Some(line) = self.goes_on {
            // Whether a space stands between the two is the model's to say.
            return self.go_on(line, heard.text.trim_end());
        }
        if let Some(line) = self.instead {
            return self.reword(line, text);
        }
        let ending = if heard.is_whole && is_shown { Ending::Complete } else { Ending::Aborted };
        match self.answer(text, ending)? {
            // When the tools have answered, it goes on in the same round.
            Some(_) if heard.calls && ending == Ending::Complete => Ok(()),
            Some(line) => self.close(ending, Some(line)),
            None => self.close(Ending::Complete, None),
        }
    }

    /// The same words may be asked for again, so a round stays open for them, unless others have gone on; but nothing else has changed.
    fn nothing_was_said(&self) -> Result<()> {
        if self.instead.is_some() {
            return Ok(());
        }
        let engine = &self.proxy.engine;
        let here = engine.conversation(&self.world, &self.conversation.id)?;
        let Some(before) = self.head_before else {
            let is_left = here.head != self.parent;
            let is_open =
                |round| engine.round(&self.world, round).map(|round| round.state == RoundState::Open);
            return match self.round.filter(|_| is_left).map(is_open).transpose()? {
                Some(true) => self.close(Ending::Aborted, self.parent),
                _ => Ok(()),
            };
        };
        if here.head == self.parent {
            let expected = self.parent.map_or(ExpectedHead::Empty, ExpectedHead::Line);
            engine.move_head(&self.world, &self.conversation.id, HeadTarget::Line(before), expected)?;
        }
        Ok(())
    }

    /// Where others asked at the same time, another answer stands where the first one stood: the old words stay as a version.
    fn reword(&self, line: LineId, text: &str) -> Result<()> {
        let content = Some(text.to_owned());
        let patch = LinePatch { content, ..LinePatch::default() };
        self.proxy.engine.revise_line(&self.world, line, patch).map(drop)
    }

    /// An answer that was continued is one line.
    fn go_on(&self, line: LineId, text: &str) -> Result<()> {
        let engine = &self.proxy.engine;
        let said = engine.line(&self.world, &self.conversation.id, line)?.wording.content;
        let most = engine.limits().bytes_per_text;
        let content = Some(beginning(&behind(&said, text), most).to_owned());
        engine.revise_line(&self.world, line, LinePatch { content, ..LinePatch::default() }).map(drop)
    }

    /// The line that it became; None if the same answer stands there already.
    fn answer(&mut self, text: &str, ending: Ending) -> Result<Option<LineId>> {
        let engine = &self.proxy.engine;
        let head = engine.conversation(&self.world, &self.conversation.id)?.head;
        if head == self.parent {
            return self.record(text, self.parent.map_or(Attach::Root, Attach::Behind), None).map(Some);
        }
        let newest_first = self.newest_first()?;
        self.follow(&newest_first)?;
        // Somebody went on meanwhile: perhaps the client itself, which then has told the answer already.
        if self.is_told(text, ending)? {
            return Ok(None);
        }
        if (self.is_row || self.is_beside_others()?) && self.is_missing()? {
            return self.record(text, Attach::Head, None).map(Some);
        }
        // Who came or went since the words that it answers is told behind them, and the path leads elsewhere now.
        let is_scene = self.conversation.name.is_some();
        let heard = is_scene.then(|| self.conversation.present.iter().cloned().map(Who::Id).collect());
        // Others have asked at the same time: all answers stand behind all that was asked. Another answer stands beside the first one.
        if self.round.is_some() && self.head_before.is_none() && self.is_missing()? && !self.is_answered()? {
            return self.record(text, Attach::Head, heard).map(Some);
        }
        let line = self.record(text, self.parent.map_or(Attach::Root, Attach::Behind), heard)?;
        let target = head.map_or(HeadTarget::Empty, HeadTarget::Line);
        self.proxy.engine.move_head(&self.world, &self.conversation.id, target, ExpectedHead::Line(line))?;
        Ok(Some(line))
    }

    /// Whether these words answer the same already. Of what was cut off a client may have shown less than was heard, or more.
    fn is_told(&self, text: &str, ending: Ending) -> Result<bool> {
        let Some(parent) = self.parent else { return Ok(false) };
        let siblings = children(&self.proxy.engine, &self.world, &self.conversation.id, parent)?;
        let is_same = |told: &str| match ending {
            Ending::Complete => told == text,
            Ending::Aborted => !told.is_empty() && (text.starts_with(told) || told.starts_with(text)),
        };
        let is_answer = |line: &Line| line.attribute == Attribute::Assistant;
        Ok(siblings.iter().filter(|line| is_answer(line)).any(|line| is_same(line.wording.content.trim())))
    }

    /// Whether the path leads through what is answered, and this one's answer is not on it: others may answer the same words.
    fn is_missing(&self) -> Result<bool> {
        let newest_first = self.newest_first()?;
        let Some(at) = newest_first.iter().position(|line| Some(line.id) == self.parent) else {
            return Ok(false);
        };
        let speaker = self.cast.character.who.id();
        let is_ours = |line: &Line| {
            line.attribute == Attribute::Assistant
                && line.round == self.round
                && line.speaker.as_ref() == speaker
        };
        Ok(!newest_first.iter().take(at).any(is_ours))
    }

    /// Whether nothing but answers stands behind what is answered here, too, in no round: others of a group were asked at the same time.
    fn is_beside_others(&self) -> Result<bool> {
        let newest_first = self.newest_first()?;
        let mut behind = newest_first.iter().take_while(|line| Some(line.id) != self.parent);
        let is_answer = |line: &Line| line.attribute == Attribute::Assistant;
        Ok(self.round.is_none() && self.head_before.is_none() && behind.all(is_answer))
    }

    /// Whether the client has told an answer by itself, in words of its own: it stands directly behind what is answered, and in no round.
    fn is_answered(&self) -> Result<bool> {
        let newest_first = self.newest_first()?;
        let behind = newest_first.iter().take_while(|line| Some(line.id) != self.parent).last();
        Ok(behind.is_some_and(|line| line.attribute == Attribute::Assistant && line.round.is_none()))
    }

    /// The end of the path.
    fn newest_first(&self) -> Result<Vec<Line>> {
        let query = LinesQuery {
            which: WhichLines::Path,
            witness: None,
            after: None,
            newest_first: true,
            limit: NEAR.min(self.proxy.engine.limits().page),
        };
        Ok(self.proxy.engine.lines(&self.world, &self.conversation.id, query)?.items)
    }

    /// `heard`: by whom; None: by those who are there.
    fn record(&mut self, text: &str, attach: Attach, heard: Option<Vec<Who>>) -> Result<LineId> {
        let mut line = NewLine::new(Attribute::Assistant, Some(self.cast.character.who.clone()), text);
        line.witnesses = heard;
        line.round = self.round;
        let record = Record { lines: vec![line], attach, recall: self.recall.clone(), ..Record::default() };
        let engine = &self.proxy.engine;
        let (recorded, is_over) = record_anyway(engine, &self.world, &self.conversation.id, record)?;
        if is_over {
            self.round = None;
        }
        let written = recorded.appended.lines.last().map(|line| line.id);
        // Before its round is over, and somebody writes down what was said.
        if let Some(Err(error)) = written.map(|line| engine.speak_as_said(&self.world, line)) {
            tracing::warn!(code = error.code().as_str(), "nobody knows in what language a world speaks");
        }
        written.ok_or_else(|| reverie_core::Error::new(Code::Internal, "an answer was recorded as no line"))
    }

    fn close(&self, ending: Ending, shown_through: Option<LineId>) -> Result<()> {
        let Some(round) = self.round else { return Ok(()) };
        let close = CloseRound { ending, shown_through };
        self.proxy.engine.close_round(&self.world, round, close).map(drop)
    }
}

/// What was begun and how it goes on, which some models tell from the beginning.
fn behind(begun: &str, text: &str) -> String {
    match text.trim_start().starts_with(begun) {
        true => text.trim_start().to_owned(),
        false => format!("{begun}{text}"),
    }
}

/// Records lines also where their round is over, because somebody closed it or it ended without an answer: then without it, which is told.
pub(super) fn record_anyway(
    engine: &Engine,
    world: &WorldId,
    conversation: &ConversationId,
    mut record: Record,
) -> Result<(Recorded, bool)> {
    let has_round = record.lines.iter().any(|line| line.round.is_some());
    match engine.record(world, conversation, record.clone()) {
        Err(error) if error.code() == Code::Conflict && has_round => {
            record.lines.iter_mut().for_each(|line| line.round = None);
            Ok((engine.record(world, conversation, record)?, true))
        }
        recorded => Ok((recorded?, false)),
    }
}

/// Nobody else would learn that more was said than is remembered.
pub(super) fn warn_of_shortening(engine: &Engine) {
    let limit = engine.limits().bytes_per_text;
    tracing::warn!(limit, "a text is longer than limits.content_bytes: only its beginning is recorded");
}
