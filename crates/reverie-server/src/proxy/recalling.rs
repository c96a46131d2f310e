//! What does a request remind of, and what goes on to the upstream?

use std::borrow::Cow;

use reverie_core::Attribute;
use reverie_core::cue::{Cue, CueMessage, Detail, InlineLine};
use reverie_core::line::Wording;
use reverie_core::settings::HistoryScope;
use reverie_core::store::Place as Where;
use reverie_formats::completions::{Body, By, Said};
use tokio::sync::oneshot;

use super::injecting::with_memory;
use super::remembering::{Recalled, Session};
use super::step::Step;

/// Of a longer message so many characters at its beginning and at its end remind of something.
const MOST_AT_AN_END: usize = 2000;
/// What the client is told if more was said than a line may hold.
const TEXT_CUT: &str = "text_cut";

impl Step<'_> {
    /// Tells what goes on; what stands at `from` and behind it is new. Whatever fails here, the chat goes on without it.
    pub(super) fn recall(
        &self,
        session: &mut Session,
        message: Option<&Said>,
        from: usize,
        generation: &str,
        tell: oneshot::Sender<Recalled>,
    ) {
        // The chat has gone on without: what is left is to record it, and the sooner, the sooner others have their memory in time.
        if tell.is_closed() {
            return;
        }
        let named = &self.talk.named;
        let mut cue =
            Cue::new(self.cast.character.who.clone(), Where::Conversation(session.conversation.id.clone()));
        cue.scope = Some(HistoryScope::Conversation);
        // It has no place in the client's prompt, and what stood there would be told nowhere.
        cue.background = false;
        // What the client does not send any more may come to mind.
        cue.history_limit = Some(self.dialogue.said.len().max(self.said_at_once(session)).max(1));
        cue.generation = Some(generation.to_owned());
        cue.detail = Detail::Prompt;
        let is_scene = session.conversation.name.is_some();
        let told = |said: &Said| CueMessage {
            content: ends(&said.text),
            speaker: Some(self.cast.speaker(said, is_scene).0),
        };
        cue.message = message.map(told);
        let newest = self.dialogue.said.iter().rev().find(|said| said.by == By::User);
        if let (None, Some(newest)) = (message, newest.filter(|said| is_long(&said.text))) {
            // It is recorded already, and needs no room in a prompt of ours: it stands in the client's. Whoever is there hears it.
            let CueMessage { content, speaker } = told(newest);
            cue.history = Some(vec![InlineLine {
                attribute: Attribute::User,
                speaker,
                display_name: None,
                wording: Wording { content, ..Wording::default() },
                tick: None,
                wall_ms: None,
                witnesses: Some(self.listening(session)),
            }]);
        }
        let unwitnessed = if named.only_witnessed { self.unwitnessed(from) } else { Vec::new() };
        let body = without(&self.talk.body, &unwitnessed);
        cue.shown = body.texts().map(str::to_owned).collect();
        let recall = match self.engine.recall(&named.world, &cue) {
            Ok(recall) => recall,
            Err(error) => {
                tracing::debug!(code = error.code().as_str(), "a chat goes on without its memory");
                session.unrecalled = Some(error.code());
                return;
            }
        };
        let body = with_memory(body, &recall, self.talk.late);
        session.recall = Some(recall.id.clone());
        let mut degraded: Vec<&'static str> = recall.degraded.iter().map(|degraded| degraded.code).collect();
        if self.are_shortened(self.dialogue.said.get(from..).unwrap_or_default()) {
            degraded.push(TEXT_CUT);
        }
        let told = Recalled {
            bytes: body.to_bytes().into(),
            world: named.world.to_string(),
            conversation: session.conversation.id.to_string(),
            recall: recall.id,
            recorded: self.dialogue.said.len().saturating_sub(from),
            degraded,
        };
        // Nobody listens any more if it took too long.
        let _ = tell.send(told);
    }
}

/// The request without the messages at these places.
fn without<'b>(body: &'b Body, places: &[usize]) -> Cow<'b, Body> {
    if places.is_empty() { Cow::Borrowed(body) } else { Cow::Owned(body.without(places)) }
}

/// A message as far as it reminds of something.
fn ends(text: &str) -> String {
    if !is_long(text) {
        return text.to_owned();
    }
    let count = text.chars().count();
    let beginning = text.chars().take(MOST_AT_AN_END);
    beginning.chain(['\n']).chain(text.chars().skip(count - MOST_AT_AN_END)).collect()
}

fn is_long(text: &str) -> bool {
    text.chars().nth(2 * MOST_AT_AN_END).is_some()
}
