//! What is done with a chat before it goes on: what is new in it is recorded, and what it reminds of is put into a copy of it.
//!
//! Runs on a thread that may block. Where one message is new, which is nearly always, the prompt is made first and the message recorded
//! while the upstream thinks already: a chat waits for reading, not for the disk.

use std::collections::HashSet;
use std::sync::{Arc, PoisonError};

use hyper::body::Bytes;
use reverie_core::settings::Preset;
use reverie_core::world::WorldPatch;
use reverie_core::{Attribute, Code, Conversation, Error, LineId, Result, RoundId, WorldId};
use reverie_formats::completions::{Body, By, Dialogue, Kind, Late, Rules};
use tokio::sync::oneshot;

use super::Proxy;
use super::cast::Cast;
use super::finding::{Finder, Found};
use super::places::Turn;
use super::step::Step;
use super::thoughts::without_thoughts;
use super::who::Named;
use crate::http::body::Share;

/// A request to be remembered.
pub(super) struct Talk {
    pub(super) proxy: Arc<Proxy>,
    pub(super) named: Named,
    pub(super) body: Arc<Body>,
    pub(super) late: Late,
    /// Of what all that wait may hold.
    pub(super) _share: Share,
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
    pub(super) turn: Turn,
    pub(super) cast: Cast,
    /// The line that is answered; None: nothing was said yet.
    pub(super) parent: Option<LineId>,
    pub(super) round: Option<RoundId>,
    pub(super) recall: Option<String>,
    /// Why nothing was recalled.
    pub(super) unrecalled: Option<Code>,
    /// The line that the answer is the end of.
    pub(super) goes_on: Option<LineId>,
    /// The line that the answer takes the place of, while all around it stays.
    pub(super) instead: Option<LineId>,
    /// What the client wrote of the answer itself, and nobody has recorded.
    pub(super) begun: Option<String>,
    /// Where the head stood before an answer was asked for again.
    pub(super) head_before: Option<LineId>,
    /// True if the client sends no history, and asks for no other answer: then everything is one row.
    pub(super) is_row: bool,
}

impl Talk {
    /// `tell` hears what goes on as soon as that is known; what is left to be written is written after that.
    pub(super) fn remember(self, tell: oneshot::Sender<Recalled>) -> Result<Session, Off> {
        let engine = Arc::clone(&self.proxy.engine);
        let named = &self.named;
        let cast = Cast::find(&engine, named)?;
        let talkers = cast.as_written(&named.world);
        let mut takes_notes = false;
        let mut dialogue = self.dialogue(&cast, takes_notes);
        if is_guess(dialogue.kind) && self.proxy.habits.sends_only_what_is_new(&talkers) {
            takes_notes = true;
            dialogue = self.dialogue(&cast, takes_notes);
        }
        if let Kind::Utility(reason) = dialogue.kind {
            return Err(Off(format!("utility:{reason}")));
        }
        if dialogue.said.is_empty() {
            return Err(Off("no-dialogue".to_owned()));
        }
        // Whoever only asks for a title has said nothing yet.
        let patch = WorldPatch { preset: Some(Preset::Companion), ..WorldPatch::default() };
        engine.make_world(&named.world, patch, [], [])?;
        let mut cast = cast.with_dialogue(&engine, named, &dialogue)?;
        cast.resolve(&engine, &named.world, &self.proxy.people)?;
        // Names that were not known before may stand before words.
        dialogue = self.dialogue(&cast, takes_notes);
        let shortened = cut(&mut dialogue, engine.limits().bytes_per_text);
        cast.tell_speakers(&mut dialogue);
        dialogue.is_named = named.conversation.is_some();
        let finder = Finder {
            engine: &engine,
            world: &named.world,
            cast: &cast,
            dialogue: &dialogue,
            places: &self.proxy.places,
            patience: self.proxy.settings.recall_timeout / 2,
        };
        let theirs = self.proxy.places.of(&named.world, cast.ids());
        // Held until all is said: the next one of the same people then finds it.
        let mut place = None;
        let room = named.conversation.as_ref().map(|name| self.proxy.places.room(&named.world, name));
        let _opening = room.as_ref().map(|room| room.lock().unwrap_or_else(PoisonError::into_inner));
        let found = match &named.conversation {
            Some(name) => finder.named(name)?,
            None => {
                let place = place.insert(theirs.lock().unwrap_or_else(PoisonError::into_inner));
                let found = if cast.is_group() { finder.group(place)? } else { finder.unnamed(place)? };
                place.keeps_history |= dialogue.has_history() || dialogue.starts;
                place.newest = Some(found.conversation.id.clone());
                found
            }
        };
        let joins = !cast.is_of(&found.conversation);
        // Before anybody is told that it is remembered.
        if joins && named.conversation.is_some() {
            return Err(Off("wrong-people".to_owned()));
        }
        self.proxy.habits.saw(talkers, is_only_new(&dialogue, &found));
        let turn = self.proxy.places.turn(&named.world, &found.conversation.id);
        let _alone = turn.lock().unwrap_or_else(PoisonError::into_inner);
        // Others may have come to the same conversation by another way.
        let now = engine.conversation(&named.world, &found.conversation.id)?;
        let now = if joins { finder.as_a_scene(now)? } else { now };
        let found = match now.head == found.conversation.head {
            true => Found { conversation: now, ..found },
            false => finder.look_on_any_branch(now)?,
        };
        let is_guess = !cast.is_group() && finder.is_guess(&found);
        let step = Step { talk: &self, engine: &engine, cast: &cast, dialogue: &dialogue, shortened, found };
        let session = step.take(Arc::clone(&turn), tell)?;
        if let (Some(place), Some(line), true) = (&mut place, session.parent, is_guess) {
            finder.note_guess(place, &session.conversation.id, line);
        }
        Ok(session)
    }

    fn dialogue(&self, cast: &Cast, takes_notes: bool) -> Dialogue {
        let rules = Rules { kind: self.named.kind, takes_notes, ..cast.rules() };
        self.body.dialogue(&rules)
    }
}

/// Whether a request only looks like none of a chat: nothing in it asks for something else.
fn is_guess(kind: Kind) -> bool {
    matches!(kind, Kind::Utility("flattened" | "instructions"))
}

/// Whether the client sends nothing of what was answered before; None: it cannot be told.
fn is_only_new(dialogue: &Dialogue, found: &Found) -> Option<bool> {
    if dialogue.has_history() || dialogue.starts {
        return Some(false);
    }
    let was_answered = found.lines.iter().any(|line| line.attribute == Attribute::Assistant);
    was_answered.then_some(true)
}

/// What a model thought aloud was not said, and of a text that is too long its beginning is kept. The places of those texts among the messages of
/// the request.
fn cut(dialogue: &mut Dialogue, most: usize) -> HashSet<usize> {
    let mut shortened = HashSet::new();
    for said in &mut dialogue.said {
        if said.by == By::Assistant {
            said.text = without_thoughts(&said.text).to_owned();
        }
        let kept = beginning(&said.text, most).len();
        if kept < said.text.len() {
            shortened.insert(said.at);
            said.text.truncate(kept);
        }
    }
    dialogue.said.retain(|said| !said.text.trim().is_empty());
    shortened
}

/// As much of a text as fits into so many bytes.
pub(super) fn beginning(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    text.get(..end).unwrap_or_default()
}
