//! What is done with a chat before it goes on: what is new in it is recorded, and what it reminds of is put into a copy of it.
//!
//! Runs on a thread that may block. Where one message is new, which is nearly always, the prompt is made first and the message recorded
//! while the upstream thinks already: a chat waits for reading, not for the disk.

use std::sync::{Arc, PoisonError};

use hyper::body::Bytes;
use reverie_core::conversation::{Attach, ExpectedHead, HeadTarget};
use reverie_core::cue::{Cue, CueMessage};
use reverie_core::line::NewLine;
use reverie_core::round::{CloseRound, Ending, RoundState};
use reverie_core::settings::{HistoryScope, Preset};
use reverie_core::store::{LinePatch, Place as Where};
use reverie_core::world::WorldPatch;
use reverie_core::{
    Attribute, CharacterId, Code, Conversation, Engine, Error, Line, LineId, Record, Result, RoundId, WorldId,
};
use reverie_formats::completions::{Body, By, Dialogue, Kind, Late, Rules, Said, Then};
use tokio::sync::oneshot;

use super::Proxy;
use super::cast::Cast;
use super::finding::{Finder, Found};
use super::injecting::{unwitnessed, with_memory};
use super::places::Shared;
use super::tap::without_thoughts;
use super::who::Named;

/// Lines in one batch.
const BATCH: usize = 200;

/// A request to be remembered.
pub(super) struct Talk {
    pub(super) proxy: Arc<Proxy>,
    pub(super) named: Named,
    pub(super) body: Body,
    pub(super) late: Late,
}

/// What goes on to the upstream, and what the client is told of it.
pub(super) struct Recalled {
    pub(super) bytes: Bytes,
    pub(super) world: String,
    pub(super) conversation: String,
    pub(super) recall: String,
    pub(super) recorded: usize,
    pub(super) degraded: Vec<&'static str>,
}

/// Why nothing is remembered.
#[derive(Debug)]
pub(super) struct Off(pub(super) String);

impl From<Error> for Off {
    fn from(error: Error) -> Self {
        Self(error.code().as_str().to_owned())
    }
}

/// Where the answer belongs.
pub(super) struct Session {
    pub(super) proxy: Arc<Proxy>,
    pub(super) world: WorldId,
    pub(super) conversation: Conversation,
    pub(super) place: Shared,
    pub(super) cast: Cast,
    /// The line that is answered; None: nothing was said yet.
    pub(super) parent: Option<LineId>,
    pub(super) round: Option<RoundId>,
    pub(super) recall: Option<String>,
    /// The line that the answer is the end of.
    pub(super) goes_on: Option<LineId>,
    /// Where the head stood before an answer was asked for again.
    pub(super) head_before: Option<LineId>,
    /// True if the client sends no history, and something new: then everything is one row.
    pub(super) is_row: bool,
}

impl Talk {
    /// `tell` hears what goes on as soon as that is known; what is left to be written is written after that.
    pub(super) fn remember(self, tell: oneshot::Sender<Recalled>) -> Result<Session, Off> {
        let engine = Arc::clone(&self.proxy.engine);
        let named = &self.named;
        make_world(&engine, &named.world)?;
        let cast = Cast::find(&engine, named)?;
        let mut dialogue = self.dialogue(&cast);
        if let Kind::Utility(reason) = dialogue.kind {
            return Err(Off(format!("utility:{reason}")));
        }
        if dialogue.said.is_empty() {
            return Err(Off("no-dialogue".to_owned()));
        }
        let newest = dialogue.said.iter().rev().find(|said| said.by == By::User);
        let name_of_user = newest.and_then(|said| self.body.name_of(said.at)).map(str::to_owned);
        let cast = cast.with_dialogue(&engine, named, &dialogue, name_of_user.as_deref())?;
        // Names that were not known before may stand before words.
        dialogue = self.dialogue(&cast);
        cut(&mut dialogue, engine.limits().bytes_per_text);
        let place = self.proxy.places.of(&named.world, place_name(named, &cast));
        let shared = Arc::clone(&place);
        let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
        let finder = Finder {
            engine: &engine,
            world: &named.world,
            cast: &cast,
            dialogue: &dialogue,
            is_all: !named.present.is_empty(),
        };
        let found = match &named.conversation {
            Some(name) => finder.named(name)?,
            None => finder.unnamed(&mut place)?,
        };
        place.keeps_history |= dialogue.has_history();
        place.newest = Some(found.conversation.id.clone());
        let step = Step { talk: &self, engine: &engine, cast: &cast, dialogue: &dialogue, found };
        step.take(shared, tell)
    }

    fn dialogue(&self, cast: &Cast) -> Dialogue {
        let rules = Rules {
            kind: self.named.kind,
            users: cast.user.names.clone(),
            characters: cast.all().skip(1).flat_map(|person| person.names.clone()).collect(),
            calendar: None,
        };
        self.body.dialogue(&rules)
    }
}

fn make_world(engine: &Engine, world: &WorldId) -> Result<()> {
    match engine.world(world) {
        Err(error) if error.code() == Code::NotFound => {
            let patch = WorldPatch { preset: Some(Preset::Companion), ..WorldPatch::default() };
            engine.put_world(world, patch).map(drop)
        }
        found => found.map(drop),
    }
}

fn place_name(named: &Named, cast: &Cast) -> String {
    if let Some(name) = &named.conversation {
        return format!("#{name}");
    }
    let mut names: Vec<&str> =
        cast.all().filter_map(|person| person.names.first().map(String::as_str)).collect();
    names.sort_unstable();
    names.join("\n")
}

/// What a model thought aloud was not said, and of a text that is too long its beginning is kept.
fn cut(dialogue: &mut Dialogue, most: usize) {
    for said in &mut dialogue.said {
        if said.by == By::Assistant {
            said.text = without_thoughts(&said.text).to_owned();
        }
        said.text.truncate(beginning(&said.text, most).len());
    }
    dialogue.said.retain(|said| !said.text.trim().is_empty());
}

/// As much of a text as fits into so many bytes.
pub(super) fn beginning(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    text.get(..end).unwrap_or_default()
}

/// From what was found to what is so afterwards.
struct Step<'a> {
    talk: &'a Talk,
    engine: &'a Engine,
    cast: &'a Cast,
    dialogue: &'a Dialogue,
    found: Found,
}

impl Step<'_> {
    fn take(mut self, place: Shared, tell: oneshot::Sender<Recalled>) -> Result<Session, Off> {
        let world = &self.talk.named.world;
        let head_before = self.found.conversation.head;
        let mut goes_on = None;
        if let Some(line) = self.found.alignment.switch {
            self.move_head(Some(line))?;
        }
        for revised in &self.found.alignment.revised {
            let patch = LinePatch { content: Some(revised.text.clone()), ..LinePatch::default() };
            self.engine.revise_line(world, revised.line, patch)?;
        }
        let count = self.dialogue.said.len();
        let mut generation = "normal";
        let from = match self.found.alignment.then {
            Then::Append { from } => from,
            Then::Regenerate { beside } => {
                generation = "swipe";
                let parent = self.engine.line(world, &self.found.conversation.id, beside)?.parent;
                self.move_head(parent)?;
                count
            }
            Then::Branch { after, from, .. } => {
                self.move_head(Some(after))?;
                from
            }
            Then::Continue { line } => {
                (generation, goes_on) = ("continue", Some(line));
                count
            }
            Then::Elsewhere { .. } if self.found.conversation.head.is_none() => 0,
            // The client names the conversation, and has nothing of it: only what was said last is surely new.
            Then::Elsewhere { .. } => {
                self.dialogue.said.iter().rposition(|said| said.by == By::Assistant).map_or(0, |at| at + 1)
            }
        };
        let mut session = Session {
            proxy: Arc::clone(&self.talk.proxy),
            world: world.clone(),
            conversation: self.found.conversation.clone(),
            place,
            cast: self.cast.clone(),
            parent: self.found.conversation.head,
            round: None,
            recall: None,
            goes_on,
            head_before: (head_before != self.found.conversation.head).then_some(head_before).flatten(),
            is_row: !self.dialogue.has_history() && from < count,
        };
        let new = self.dialogue.said.get(from..).unwrap_or_default();
        match new {
            [only] if only.by == By::User => {
                self.recall(&mut session, Some(only), new.len(), generation, tell);
                self.record(&mut session, new)?;
            }
            new => {
                self.record(&mut session, new)?;
                self.recall(&mut session, None, new.len(), generation, tell);
            }
        }
        if !new.is_empty() {
            (self.talk.proxy.ring)(world);
        }
        Ok(session)
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

    /// Records what is new. The newest words open a round; what an unknown history brings along finds its own rounds.
    fn record(&self, session: &mut Session, new: &[Said]) -> Result<()> {
        let world = &self.talk.named.world;
        let conversation = &session.conversation.id.clone();
        let head = session.parent.map(|head| self.engine.line(world, conversation, head)).transpose()?;
        self.round_before(session, head.as_ref(), !new.is_empty())?;
        if new.is_empty() {
            return Ok(());
        }
        let newest = new.iter().rposition(|said| said.by == By::Assistant).map_or(0, |at| at + 1);
        if newest < new.len() {
            let round = self.engine.open_round(world, conversation, None)?.value.id;
            self.talk.proxy.places.begin(world, round);
            session.round = Some(round);
        }
        let is_scene = session.conversation.name.is_some();
        let lines: Vec<NewLine> = new
            .iter()
            .enumerate()
            .map(|(at, said)| self.line(said, is_scene, session.round.filter(|_| at >= newest)))
            .collect();
        for batch in lines.chunks(BATCH.min(self.engine.limits().lines_per_append.max(1))) {
            let attach = session.parent.map_or(Attach::Root, Attach::Behind);
            let record = Record { lines: batch.to_vec(), attach, ..Record::default() };
            let recorded = self.engine.record(world, conversation, record)?;
            session.parent = recorded.appended.lines.last().map(|line| line.id).or(session.parent);
        }
        Ok(())
    }

    /// What became of the round of the line that is gone on from.
    fn round_before(&self, session: &mut Session, head: Option<&Line>, is_new: bool) -> Result<()> {
        let world = &self.talk.named.world;
        let Some((line, round)) = head.and_then(|line| Some((line, line.round?))) else { return Ok(()) };
        if !is_new {
            // Another answer to the same words, or the first one, asked for again.
            session.round = Some(round).filter(|_| line.attribute == Attribute::User);
            return Ok(());
        }
        let is_open = self.engine.round(world, round)?.state == RoundState::Open;
        if is_open && !self.talk.proxy.places.is_under_way(world, round) {
            // Its answer never came.
            let close = CloseRound { ending: Ending::Aborted, shown_through: Some(line.id) };
            self.engine.close_round(world, round, close)?;
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

    /// Tells what goes on. Whatever fails here, the chat goes on without it.
    fn recall(
        &self,
        session: &mut Session,
        message: Option<&Said>,
        recorded: usize,
        generation: &str,
        tell: oneshot::Sender<Recalled>,
    ) {
        let named = &self.talk.named;
        let mut cue =
            Cue::new(self.cast.character.who.clone(), Where::Conversation(session.conversation.id.clone()));
        cue.scope = Some(HistoryScope::Conversation);
        // What the client does not send any more may come to mind.
        cue.history_limit = Some(self.dialogue.said.len().max(1));
        cue.generation = Some(generation.to_owned());
        cue.message = message.map(|said| CueMessage {
            content: said.text.clone(),
            speaker: Some(self.cast.speaker(said, session.conversation.name.is_some()).0),
        });
        let recall = match self.engine.recall(&named.world, &cue) {
            Ok(recall) => recall,
            Err(error) => {
                tracing::debug!(code = error.code().as_str(), "a chat goes on without its memory");
                return;
            }
        };
        let unwitnessed = if named.only_witnessed { self.unwitnessed() } else { Vec::new() };
        let body = with_memory(&self.talk.body, &recall, &unwitnessed, self.talk.late);
        session.recall = Some(recall.id.clone());
        let told = Recalled {
            bytes: body.to_bytes().into(),
            world: named.world.to_string(),
            conversation: session.conversation.id.to_string(),
            recall: recall.id,
            recorded,
            degraded: recall.degraded.iter().map(|degraded| degraded.code).collect(),
        };
        // Nobody listens any more if it took too long.
        let _ = tell.send(told);
    }

    fn unwitnessed(&self) -> Vec<usize> {
        let Some(character) = self.character() else { return Vec::new() };
        let witnessed = |id: LineId| {
            let line = self.found.lines.iter().find(|line| line.id == id);
            line.is_none_or(|line| line.is_witnessed_by(&character))
        };
        unwitnessed(&self.found.alignment.seen, witnessed)
    }

    /// Who answers, by id: the one of those present who is called so.
    fn character(&self) -> Option<CharacterId> {
        if let Some(id) = self.cast.character.who.id() {
            return Some(id.clone());
        }
        let name = self.cast.character.who.called()?;
        let is_called = |id: &&CharacterId| {
            let found = self.engine.character(&self.talk.named.world, id);
            found.is_ok_and(|found| found.card.display_name.as_deref() == Some(name))
        };
        self.found.conversation.present.iter().find(is_called).cloned()
    }
}
