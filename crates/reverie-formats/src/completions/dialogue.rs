//! Which messages of a request did somebody say, and to what end is it sent?
//!
//! Only what users and characters said to each other is dialogue. Prompts, notes, nudges, examples and what tools answer is
//! not, and requests that a client makes for itself (a title, a summary) have none at all.

use std::ops::Range;

use reverie_core::time::Calendar;

use super::body::{Body, Message, Role};
use super::markers::{self, Marker};
use super::{content, names, utility};

/// What is known of those who talk, and what the client says of its request.
#[derive(Debug, Clone, Default)]
pub struct Rules<'a> {
    /// What a header or the `reverie` object says; None: what the request looks like.
    pub kind: Option<Kind>,
    /// Every name that the user goes by.
    pub users: Vec<String>,
    /// Every name of a character that may speak, whoever answers first.
    pub characters: Vec<String>,
    /// Of the world: time stamps that a model wrote before its words are no part of them.
    pub calendar: Option<&'a Calendar>,
}

/// To what end a request is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Somebody said something, or asks for another answer.
    Chat,
    /// The client asks for itself, for this reason (`title`, `summary`, `impersonation`, `flattened` …): nothing of it is
    /// recorded, and nothing recalled.
    Utility(&'static str),
}

/// Whose words a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum By {
    User,
    /// Any character.
    Assistant,
}

/// A message that somebody said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// Its place among the messages of the request.
    pub at: usize,
    pub by: By,
    /// Who it was, where the client says so: a name of [`Rules`] or of the group's members, or one that nobody knows.
    pub name: Option<String>,
    /// The words alone: without a name, a time stamp and markers of the client around them. Never empty.
    pub text: String,
}

/// What a request says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialogue {
    pub said: Vec<Said>,
    pub kind: Kind,
    /// Who shall answer, if the client says so.
    pub speaker: Option<String>,
    /// Who is in the group, if the client says that it is one.
    pub members: Vec<String>,
    /// True if the client says where the chat begins: then it keeps a history, even if nobody has answered yet.
    pub starts: bool,
    /// True if the answer shall go on from the last word of the last message, and is not a message of its own.
    pub continues: bool,
}

impl Dialogue {
    /// True if somebody answered before the newest message: the client keeps a history.
    pub fn has_history(&self) -> bool {
        self.said.iter().any(|said| said.by == By::Assistant)
    }
}

impl Body {
    /// The dialogue in this request.
    pub fn dialogue(&self, rules: &Rules<'_>) -> Dialogue {
        let messages = self.messages();
        let found = Found::look(messages);
        let mut characters = rules.characters.clone();
        characters.extend(found.members.iter().chain(&found.speaker).cloned());
        let reader = Reader { rules, characters };
        let spoken = |index: &usize| found.is_spoken(*index, messages);
        let indices = (found.begin..messages.len()).filter(spoken);
        let said: Vec<Said> = indices.filter_map(|index| reader.said(index, messages.get(index)?)).collect();
        let known = [&rules.users[..], &reader.characters].concat();
        let guessed = || match utility::reason(messages, said.len(), &known) {
            Some(reason) => Kind::Utility(reason),
            None if said.is_empty() && !found.starts => Kind::Utility("instructions"),
            None => Kind::Chat,
        };
        let kind = rules.kind.unwrap_or_else(guessed);
        let last_is_prefix = messages.last().is_some_and(|last| last.role == Role::Assistant && last.prefix);
        let continues = found.continues || last_is_prefix;
        let starts = found.starts;
        Dialogue { said, kind, speaker: found.speaker, members: found.members, starts, continues }
    }
}

/// True if a message of the user is a note of the client: a known one, or any in brackets beside another of the user.
pub(super) fn is_note(messages: &[Message], index: usize) -> bool {
    let Some(message) = messages.get(index) else { return false };
    if markers::without_markers(&message.text).is_empty() {
        return true;
    }
    if markers::bracketed(&message.text).is_none() || content::is_stand_in(&message.text) {
        return false;
    }
    let is_users = |index: usize| {
        messages
            .get(index)
            .is_some_and(|near| near.role == Role::User && markers::bracketed(&near.text).is_none())
    };
    index.checked_sub(1).is_some_and(is_users) || is_users(index + 1)
}

/// What the markers of a request say.
#[derive(Default)]
struct Found {
    /// The first message that may be dialogue.
    begin: usize,
    /// True if a marker says where the chat begins.
    starts: bool,
    members: Vec<String>,
    speaker: Option<String>,
    continues: bool,
    /// Where the last example begins, if no chat begins behind it.
    example: Option<usize>,
    /// Which messages are examples that no marker ends, but the next system message.
    examples: Range<usize>,
}

impl Found {
    fn look(messages: &[Message]) -> Self {
        let mut found = Self::default();
        for (index, message) in messages.iter().enumerate() {
            let markers = match message.role {
                Role::System | Role::User => markers::markers(&message.text),
                _ => Vec::new(),
            };
            // What is said after a nudge is not what it asked for.
            if matches!(message.role, Role::User | Role::Assistant) {
                (found.speaker, found.continues) = (None, false);
            }
            for marker in markers {
                found.take(marker, index);
            }
        }
        if let Some(example) = found.example {
            let behind = messages.get(example + 1..).unwrap_or_default();
            let count = behind.iter().take_while(|message| message.role != Role::System).count();
            found.examples = example + 1..example + 1 + count;
        }
        found
    }

    fn take(&mut self, marker: Marker, index: usize) {
        match marker {
            Marker::Start(members) => {
                (self.begin, self.starts, self.example) = (index, true, None);
                if !members.is_empty() {
                    self.members = members;
                }
            }
            Marker::Example => self.example = Some(index),
            Marker::Only(name) => self.speaker = Some(name).filter(|name| !name.is_empty()),
            Marker::Continue => self.continues = true,
            Marker::Impersonate | Marker::Note => {}
        }
    }

    fn is_spoken(&self, index: usize, messages: &[Message]) -> bool {
        let Some(message) = messages.get(index) else { return false };
        let is_example = self.examples.contains(&index);
        match message.role {
            Role::User => !is_example && !is_note(messages, index),
            Role::Assistant => !is_example,
            _ => false,
        }
    }
}

struct Reader<'a> {
    rules: &'a Rules<'a>,
    characters: Vec<String>,
}

impl Reader<'_> {
    fn said(&self, at: usize, message: &Message) -> Option<Said> {
        let (by, known) = match message.role {
            Role::User => (By::User, &self.rules.users),
            _ => (By::Assistant, &self.characters),
        };
        let text = match by {
            By::User => markers::without_markers(&message.text),
            By::Assistant => message.text.trim(),
        };
        let text = self.unstamped(text);
        let field = message.name.as_deref();
        let from_field = field.and_then(|field| names::from_field(field, known)).or(field);
        let (name, words) = match names::split(text, known) {
            Some((name, words)) => (Some(name), words),
            None => (from_field, names::spoken(text, from_field.as_slice())),
        };
        let words = self.unstamped(words).trim();
        // A name alone is how some clients ask somebody to go on.
        (!words.is_empty()).then(|| Said {
            at,
            by,
            name: name.filter(|name| name.contains(char::is_alphanumeric)).map(str::to_owned),
            text: words.to_owned(),
        })
    }

    fn unstamped<'t>(&self, text: &'t str) -> &'t str {
        self.rules.calendar.and_then(|calendar| calendar.strip_stamp(text)).unwrap_or(text)
    }
}
