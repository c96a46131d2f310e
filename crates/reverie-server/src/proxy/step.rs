//! What does a request change in its conversation?

use std::collections::HashSet;
use std::sync::Arc;

use reverie_core::conversation::{Attach, ExpectedHead, HeadTarget};
use reverie_core::line::NewLine;
use reverie_core::round::{CloseRound, Ending, RoundState};
use reverie_core::store::LinePatch;
use reverie_core::{Attribute, Code, Engine, Line, LineId, Record, Result, RoundId};
use reverie_formats::completions::{By, Dialogue, Said, Then};
use tokio::sync::oneshot;

use super::answering::{record_anyway, warn_of_shortening};
use super::cast::Cast;
use super::finding::Found;
use super::places::Turn;
use super::remembering::{Off, Recalled, Session, Talk};

/// From what was found to what is so afterwards.
pub(super) struct Step<'a> {
    pub(super) talk: &'a Talk,
    pub(super) engine: &'a Engine,
    pub(super) cast: &'a Cast,
    pub(super) dialogue: &'a Dialogue,
    /// Places among the messages of the request whose text is longer than a line may be.
    pub(super) shortened: HashSet<usize>,
    pub(super) found: Found,
}

impl Step<'_> {
    /// All of it, in this order: the head, other words, what is new, what it reminds of.
    pub(super) fn take(mut self, turn: Turn, tell: oneshot::Sender<Recalled>) -> Result<Session, Off> {
        let world = &self.talk.named.world;
        let head_before = self.found.conversation.head;
        let (mut goes_on, mut instead) = (None, None);
        if let Some(line) = self.found.alignment.switch {
            self.move_head(Some(line))?;
        }
        for revised in &self.found.alignment.revised {
            let patch = LinePatch { content: Some(revised.text.clone()), ..LinePatch::default() };
            self.engine.revise_line(world, revised.line, patch)?;
        }
        self.hide_what_is_the_clients()?;
        let clients = self.clients_from_the_start()?;
        let count = self.dialogue.said.len();
        let mut generation = "normal";
        let mut instead_of = None;
        let retold = self.retold()?;
        if let Some(words) = retold.first() {
            instead_of = Some(words.id);
            self.move_head(words.parent)?;
        }
        let from = match self.found.alignment.then {
            Then::Append { from } => from,
            Then::Regenerate { beside } => {
                (generation, instead_of) = ("swipe", Some(beside));
                let parent = self.engine.line(world, &self.found.conversation.id, beside)?.parent;
                self.move_head(parent)?;
                count
            }
            Then::Branch { after, beside, from } => {
                instead_of = Some(beside);
                self.move_head(after)?;
                from
            }
            Then::Reword { line } => {
                (generation, instead) = ("swipe", Some(line));
                count
            }
            Then::Continue { line } => {
                (generation, goes_on) = ("continue", Some(line));
                count
            }
            Then::Elsewhere { .. } if self.found.conversation.head.is_none() => 0,
            // The client names the conversation, and has nothing of it: only what was said last is surely new.
            Then::Elsewhere { .. } => {
                let begun = usize::from(self.begun(0).is_some());
                let said = self.dialogue.said.get(..count - begun).unwrap_or_default();
                said.iter().rposition(|said| said.by == By::Assistant).map_or(0, |at| at + 1)
            }
        };
        let begun = self.begun(from).map(|said| said.text.clone());
        let count = count - usize::from(begun.is_some());
        // What is continued, or said in other words, was heard when it was said.
        if goes_on.is_none() && instead.is_none() {
            self.put_present(instead_of)?;
        }
        let mut session = Session {
            proxy: Arc::clone(&self.talk.proxy),
            world: world.clone(),
            conversation: self.found.conversation.clone(),
            turn,
            cast: self.cast.clone(),
            parent: self.found.conversation.head,
            round: None,
            recall: None,
            unrecalled: None,
            goes_on,
            instead,
            begun,
            head_before: head_before.filter(|_| {
                retold.is_empty() && from >= count && head_before != self.found.conversation.head
            }),
            is_row: !self.sends_history() && generation == "normal",
        };
        self.tell_again(&mut session, &retold)?;
        let is_own = |place: usize| self.found.alignment.instructions.contains(&place);
        let new = self.dialogue.said.iter().enumerate().take(count).skip(from);
        let new = new.filter(|(place, _)| !is_own(*place));
        let new: Vec<Said> = new.map(|(_, said)| said.clone()).collect();
        let new = new.as_slice();
        match new {
            [only] if only.by == By::User => {
                self.recall(&mut session, Some(only), from, generation, tell);
                self.record(&mut session, new, &clients)?;
            }
            // The head stands behind what others said meanwhile, which nobody asks about.
            [] if instead.is_some() => {
                let newest = self.dialogue.said.last();
                self.recall(&mut session, newest, from, generation, tell);
            }
            new => {
                self.record(&mut session, new, &clients)?;
                self.recall(&mut session, None, from, generation, tell);
            }
        }
        if !new.is_empty() {
            (self.talk.proxy.ring)(world);
        }
        Ok(session)
    }

    /// The last message, if it is new and the client has only begun it: the model says the rest.
    fn begun(&self, from: usize) -> Option<&Said> {
        let last = self.dialogue.said.get(from..)?.last()?;
        Some(last).filter(|last| self.dialogue.continues && last.by == By::Assistant)
    }

    fn move_head(&mut self, to: Option<LineId>) -> Result<()> {
        if self.found.conversation.head == to {
            return Ok(());
        }
        let target = to.map_or(HeadTarget::Empty, HeadTarget::Line);
        let world = &self.talk.named.world;
        self.found.conversation =
            self.engine.move_head(world, &self.found.conversation.id, target, ExpectedHead::Any)?;
        Ok(())
    }

    /// Records what is new, and hides what is the client's of it. The newest words open a round; what an unknown history brings along finds its own rounds.
    fn record(&self, session: &mut Session, new: &[Said], clients: &HashSet<usize>) -> Result<()> {
        let world = &self.talk.named.world;
        let conversation = &session.conversation.id.clone();
        let head = session.parent.map(|head| self.engine.line(world, conversation, head)).transpose()?;
        // An answer that the client tells, or begins, belongs to the words that it answers.
        let answers = new.iter().all(|said| said.by == By::Assistant)
            && head.as_ref().is_some_and(|head| head.attribute == Attribute::User);
        self.round_before(session, head.as_ref(), !new.is_empty() && !answers)?;
        if new.is_empty() {
            return Ok(());
        }
        if self.are_shortened(new) {
            warn_of_shortening(self.engine);
        }
        let newest = new.iter().rposition(|said| said.by == By::Assistant).map_or(0, |at| at + 1);
        // In a group others may answer the same words: there, rounds are found when the next words are said or nobody speaks any more.
        if newest < new.len() && !self.cast.has_several_characters() && !self.has_others_answering() {
            let round = self.engine.open_round(world, conversation, None)?.value.id;
            self.talk.proxy.places.begin(world, round, self.cast.character.who.id());
            session.round = Some(round);
        }
        let is_scene = session.conversation.name.is_some();
        let lines: Vec<NewLine> = new
            .iter()
            .enumerate()
            .map(|(at, said)| {
                let line = self.line(said, is_scene, session.round.filter(|_| answers || at >= newest));
                NewLine { hidden: clients.contains(&said.at), ..line }
            })
            .collect();
        let batches = self.batches(lines, is_scene, is_scene && head.is_none(), newest);
        for (absent, batch) in batches {
            if let Some(absent) = absent {
                self.set_present_but(session, &absent)?;
            }
            // Nothing was said here yet, but somebody may have come or gone: at the head, not at the root.
            let attach = session.parent.map_or(Attach::Head, Attach::Behind);
            let record = Record { lines: batch, attach, ..Record::default() };
            let (recorded, is_over) = record_anyway(self.engine, world, conversation, record)?;
            if let Some(round) = session.round.take_if(|_| is_over) {
                self.talk.proxy.places.end(world, round, self.cast.character.who.id());
            }
            session.parent = recorded.appended.lines.last().map(|line| line.id).or(session.parent);
        }
        Ok(())
    }

    /// Whether more was said in one of them than is recorded.
    pub(super) fn are_shortened(&self, said: &[Said]) -> bool {
        said.iter().any(|said| self.shortened.contains(&said.at))
    }

    /// What became of the round of the line that is gone on from.
    fn round_before(&self, session: &mut Session, head: Option<&Line>, is_new: bool) -> Result<()> {
        let world = &self.talk.named.world;
        let Some((line, round)) = head.and_then(|line| Some((line, line.round?))) else { return Ok(()) };
        let is_open = self.engine.round(world, round)?.state == RoundState::Open;
        if !is_new {
            // Another answer to the same words, or the first one, asked for again; or one that goes on after its tools have answered.
            session.round = Some(round).filter(|_| is_open || line.attribute == Attribute::User);
            let by = self.cast.character.who.id();
            session.round.iter().for_each(|round| self.talk.proxy.places.begin(world, *round, by));
            return Ok(());
        }
        if is_open && !self.talk.proxy.places.is_under_way(world, round) {
            // Its answer never came.
            let close = CloseRound { ending: Ending::Aborted, shown_through: Some(line.id) };
            match self.engine.close_round(world, round, close) {
                // Somebody else ended it just now.
                Err(error) if error.code() == Code::Conflict => {}
                closed => drop(closed?),
            }
        }
        Ok(())
    }

    fn line(&self, said: &Said, is_scene: bool, round: Option<RoundId>) -> NewLine {
        let (speaker, display_name) = self.cast.speaker(said, is_scene);
        let attribute = match said.by {
            By::User => Attribute::User,
            By::Assistant => Attribute::Assistant,
        };
        let mut line = NewLine::new(attribute, Some(speaker), said.text.clone());
        line.display_name = display_name;
        line.round = round;
        line
    }
}
