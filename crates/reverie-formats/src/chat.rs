//! What is in a chat that was saved as one JSON object a line?
//!
//! The first line is the header `{user_name, character_name, create_date, chat_metadata}` (older group chats have none);
//! every other line is a message `{name, is_user, is_system, send_date, mes, extra, swipe_id, swipes, swipe_info, …}`.
//! A message with `is_system` is one that its user has hidden from prompts. Swipes are other wordings of a message, of
//! which one was chosen.
//!
//! In reading order: [`read`] and [`write()`] (the file), `message` (one line of it), [`time`] (when), [`cast`] (who),
//! [`plan`] (how it becomes a tree of lines), `kept` (what is no line), `recorded` (which of them are there already),
//! `compose` and `filled` (the way back), `renewed` (what a chat says otherwise than before).

pub mod cast;
mod compose;
mod filled;
mod kept;
mod message;
pub mod plan;
mod read;
mod recorded;
mod renewed;
pub mod time;
mod zone;

use serde_json::Value;

use crate::Warning;

pub use cast::{Cast, Member};
pub use compose::{Composed, Person, compose};
pub use kept::Keepsakes;
pub use plan::{ChatPlan, PlanOptions, plan};
pub use read::{is_chat, read};
pub use recorded::{Known, Recorded};
pub use renewed::renewed;
pub use time::Time;
pub use zone::Zone;

/// A whole chat. Nothing of the file is lost: `header` and each `source` are as they were.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatDocument {
    pub header: Option<Value>,
    pub messages: Vec<ChatMessage>,
    /// What could not be understood and is left aside.
    pub warnings: Vec<Warning>,
}

/// One message, as the file has it and as it is understood.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatMessage {
    pub source: Value,
    /// Counted from 1, in the file.
    pub line: usize,
    /// Who speaks, by name; may be empty.
    pub name: String,
    /// The picture of who speaks, by its file's name: that of a card, for users that of a persona.
    pub avatar: Option<String>,
    pub is_user: bool,
    /// Kept out of prompts.
    pub hidden: bool,
    pub voice: Voice,
    /// Every wording, in the order of the file; none if the message has no text at all.
    pub wordings: Vec<ChatWording>,
    /// Which of them was chosen.
    pub chosen: usize,
}

/// Who can have said it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Voice {
    /// A user or a character.
    Person,
    /// Nobody in the story: the narrator, a note between the lines, the program itself.
    Narrator,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChatWording {
    pub text: String,
    pub time: Option<Time>,
    /// Its place among the swipes; None: it stands only in the message itself.
    pub at: Option<usize>,
}

impl ChatDocument {
    /// True if the chosen wording of this message has a date that names no zone.
    pub(crate) fn is_dated_locally(&self, message: usize) -> bool {
        let message = self.messages.get(message);
        let chosen = message.and_then(|message| message.wordings.get(message.chosen));
        chosen.and_then(|wording| wording.time).is_some_and(|time| time.is_local)
    }

    /// A name from the header. Files of groups have a filler there.
    pub(crate) fn header_name(&self, key: &str) -> Option<String> {
        let name = crate::field::filled(self.header.as_ref()?, key)?;
        (name != "unused").then_some(name)
    }
}

/// The file again, equal in value.
pub fn write(document: &ChatDocument) -> String {
    let sources = document.messages.iter().map(|message| &message.source);
    let lines: Vec<String> = document.header.iter().chain(sources).map(Value::to_string).collect();
    lines.join("\n")
}
