//! Does a chat go on in another name? Whoever changes the persona in a chat sends what they said before as somebody else.
//!
//! Others talk to the same character, begin with the same greeting and say what everybody says. So nothing less counts than a list that is the end
//! of a chat word for word, and has words in it that were recorded as somebody else's and are not said in every chat.

use std::collections::HashSet;

use reverie_core::conversation::Conversation;
use reverie_core::{Attribute, CharacterId, Code, ConversationId, Line, LineId, Result};
use reverie_formats::completions::{By, is_telling};

use super::finding::{Finder, Found, scene_name};
use super::searching::Search;

/// So many chats are listed at once.
const PAGE: usize = 100;

impl Finder<'_> {
    /// Whether the list can be of somebody else's chat at all: a chat that begins has nothing that was said before. Whose key says who they are is
    /// nobody else.
    pub(super) fn may_be_somebody_else(&self) -> bool {
        let said = &self.dialogue.said;
        let newest = said.iter().rposition(|said| said.by == By::User).unwrap_or_default();
        let has_said = said.iter().take(newest).any(|said| said.by == By::User && is_telling(&said.text));
        has_said && self.dialogue.has_history() && !self.cast.is_known_by_key
    }

    /// Whether a chat has so much of what the user said before that nobody else's comes into question: a message is edited in it, most likely, and that
    /// should not wait until all others are read.
    pub(super) fn has_most(&self, found: &Found) -> bool {
        let users = self.dialogue.said.iter().filter(|said| said.by == By::User).count();
        2 * found.alignment.closeness.users >= users.saturating_sub(1)
    }

    /// Looks at what others said to the one who answers, the newest first.
    pub(super) fn look_as_somebody_else(&self, search: &mut Search<'_>) -> Result<()> {
        if !self.may_be_somebody_else() {
            return Ok(());
        }
        let Some(character) = self.cast.character.who.id() else { return Ok(()) };
        let mut behind: Option<(Option<LineId>, ConversationId)> = None;
        while !search.is_over() {
            let limit = PAGE.min(self.engine.limits().page);
            let after = behind.as_ref().map(|(head, id)| (*head, id));
            let listed = self.engine.latest_conversations(self.world, after, limit)?;
            behind = listed.items.last().map(|last| (last.head, last.id.clone()));
            let is_one = |chat: &Conversation| {
                chat.head.is_some() && chat.participants.binary_search(character).is_ok()
            };
            for chat in listed.items.into_iter().filter(is_one) {
                if search.is_over() {
                    break;
                }
                if !search.has_seen(&chat.id) {
                    search.take_if_proven(self.look_at_its_end(chat)?);
                }
            }
            if !listed.has_more {
                break;
            }
        }
        Ok(())
    }

    /// Whether it is a chat of these people, or the list proves that it has become one.
    pub(super) fn is_proven(&self, found: &Found) -> bool {
        let chat = &found.conversation;
        let is_there = |person: &CharacterId| chat.participants.binary_search(person).is_ok();
        let people = self.cast.ids();
        let is_exactly = people.iter().all(is_there) && people.len() == chat.participants.len();
        if is_exactly || (chat.name.is_some() && self.cast.is_group()) {
            return true;
        }
        let (_, characters) = self.cast.sides();
        let is_answer = |line: &&Line| line.attribute == Attribute::Assistant;
        let is_theirs = |line: &Line| line.speaker.as_ref().is_some_and(|who| characters.contains(who));
        let are_answers_theirs = found.lines.iter().filter(is_answer).all(is_theirs);
        are_answers_theirs && self.is_word_for_word(found)
    }

    /// Whether the list is the end of it, and something that is not said in every chat stands there before the newest words.
    fn is_word_for_word(&self, found: &Found) -> bool {
        let newest = self.dialogue.said.iter().rfind(|said| said.by == By::User).map(|said| said.at);
        let seen: HashSet<LineId> =
            found.alignment.seen.iter().filter(|(at, _)| Some(*at) < newest).map(|(_, line)| *line).collect();
        let is_telling = |line: &Line| {
            line.attribute == Attribute::User && seen.contains(&line.id) && is_telling(&line.wording.content)
        };
        found.alignment.closeness.is_end && found.lines.iter().any(is_telling)
    }

    /// Somebody joins: what was a conversation of a set is a scene from now on.
    pub(super) fn as_a_scene(&self, conversation: Conversation) -> Result<Conversation> {
        if conversation.name.is_some() {
            return Ok(conversation);
        }
        let names: Vec<&str> = conversation.participants.iter().map(CharacterId::as_str).collect();
        let mut at = self.engine.now_ms();
        loop {
            let name = scene_name(&names, at);
            match self.engine.name_conversation(self.world, &conversation.id, &name) {
                Err(error) if error.code() == Code::Conflict => at += 1,
                named => return named,
            }
        }
    }
}
