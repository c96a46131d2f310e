//! Which messages of a request did somebody say, and to what end is it sent?
//!
//! Only what users and characters said to each other is dialogue. Prompts, notes, nudges, examples and what tools answer is
//! not, and requests that a client makes for itself (a title, a summary) have none at all.

use std::ops::Range;

use reverie_core::time::Calendar;

use super::body::{Body, Message, Role};
use super::markers::{self, Marker};
use super::own_words::own_words;
use super::{names, utility};

/// What is known of those who talk, and what the client says of its request.
#[derive(Debug, Clone, Default)]
pub struct Rules<'a> {
    /// What a header or the `reverie` object says; None: what the request looks like.
    pub kind: Option<Kind>,
    /// Everybody on the user's side, each by every name that they go by. First of all whoever speaks where a message does not say who.
    pub users: Vec<Vec<String>>,
    /// Every character that may speak, each by every name, whoever answers first.
    pub characters: Vec<Vec<String>>,
    /// True if the client writes before all that users say who says it; else a name that stands there was typed.
    pub has_personas: bool,
    /// True if the client is known to send only what is new: what looks like a note or like a whole chat comes with no later request.
    pub takes_notes: bool,
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
    /// Who that is, by an id, if a host has said so.
    pub speaker: Option<String>,
    /// The words alone: without a name, a time stamp and markers of the client around them. Never empty.
    pub text: String,
    /// True if tools are called with it.
    pub calls: bool,
}

/// What a request says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialogue {
    pub said: Vec<Said>,
    pub kind: Kind,
    /// Who shall answer, if a system message says so: only the client writes those.
    pub speaker: Option<String>,
    /// The same from a message in the user's name: a client joined it to what the user says, or the user typed it.
    pub nudged: Option<String>,
    /// Who is in the group, if a system message says that it is one.
    pub members: Vec<String>,
    /// True if the client says where the chat begins: then it keeps a history, even if nobody has answered yet.
    pub starts: bool,
    /// True if the answer shall go on from the last word of the last message, and is not a message of its own.
    pub continues: bool,
    /// If tools have answered and the answer goes on from there: its place among the messages of the request. What is said there or
    /// behind it was said when they were called.
    pub after_tools: Option<usize>,
    /// Who is about to answer, by an id, if a host has said so.
    pub answers: Option<String>,
    /// True if a host has said that the client names the conversation: then it is of no other one.
    pub is_named: bool,
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
        characters.extend(found.members.iter().chain(&found.speaker).map(|name| vec![name.clone()]));
        let reader = Reader { rules, characters, start: found.starts.then_some(found.begin) };
        let spoken = |index: &usize| !found.examples.contains(index);
        let indices = (found.begin..messages.len()).filter(spoken);
        let said: Vec<Said> = indices.filter_map(|index| reader.said(index, messages)).collect();
        let known: Vec<String> = rules.users.iter().chain(&reader.characters).flatten().cloned().collect();
        let guessed = || match utility::reason(messages, said.len(), &known) {
            Some(utility::FLATTENED) if rules.takes_notes => Kind::Chat,
            Some(reason) => Kind::Utility(reason),
            None if said.is_empty() && !found.starts => Kind::Utility("instructions"),
            None => Kind::Chat,
        };
        let kind = rules.kind.unwrap_or_else(guessed);
        let last_is_prefix = messages.last().is_some_and(|last| last.role == Role::Assistant && last.prefix);
        let continues = found.continues || last_is_prefix;
        let after_tools = after_tools(messages);
        let Found { speaker, nudged, members, starts, .. } = found;
        Dialogue {
            said,
            kind,
            speaker,
            nudged,
            members,
            starts,
            continues,
            after_tools,
            answers: None,
            is_named: false,
        }
    }
}

/// See [`Dialogue::after_tools`].
fn after_tools(messages: &[Message]) -> Option<usize> {
    let begin = messages.iter().rposition(|message| message.role == Role::User)? + 1;
    let answer = messages.get(begin..)?;
    let last = answer.iter().rfind(|message| message.role != Role::System)?;
    let is_begun = |message: &Message| message.role != Role::Assistant || message.calls;
    (last.role == Role::Tool && answer.iter().all(is_begun)).then_some(begin)
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
    nudged: Option<String>,
    continues: bool,
    /// Where the last example begins, if no chat begins behind it.
    example: Option<usize>,
    /// Which messages are examples that no marker ends, but the next system message.
    examples: Range<usize>,
    /// True while examples follow one another.
    is_in_examples: bool,
    /// True if somebody has answered, and not in an example.
    is_answered: bool,
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
                (found.speaker, found.nudged, found.continues) = (None, None, false);
            }
            found.is_in_examples &= message.role != Role::System;
            found.is_answered |= message.role == Role::Assistant && !found.is_in_examples;
            for marker in markers {
                found.take(marker, index, message.role);
            }
        }
        if let Some(example) = found.example {
            let behind = messages.get(example + 1..).unwrap_or_default();
            let count = behind.iter().take_while(|message| message.role != Role::System).count();
            found.examples = example + 1..example + 1 + count;
        }
        found
    }

    /// Who is there and who answers decides whose memory is read: what anybody can type does not. Nor does it end a chat in which somebody has
    /// answered already.
    fn take(&mut self, marker: Marker, index: usize, role: Role) {
        let is_clients = role == Role::System;
        let is_typed = !is_clients && self.is_answered;
        match marker {
            Marker::Start(_) | Marker::Example if is_typed => {}
            Marker::Start(members) => {
                (self.begin, self.starts, self.example) = (index, true, None);
                (self.is_in_examples, self.is_answered) = (false, false);
                if !members.is_empty() && is_clients {
                    self.members = members;
                }
            }
            Marker::Example => (self.example, self.is_in_examples) = (Some(index), true),
            Marker::Only(name) if name.is_empty() => {}
            Marker::Only(name) if is_clients => self.speaker = Some(name),
            Marker::Only(name) => self.nudged = Some(name),
            Marker::Continue => self.continues = true,
            Marker::Impersonate | Marker::Note => {}
        }
    }
}

struct Reader<'a> {
    rules: &'a Rules<'a>,
    characters: Vec<Vec<String>>,
    /// The message in which the chat begins, if a marker says so.
    start: Option<usize>,
}

impl Reader<'_> {
    fn said(&self, at: usize, messages: &[Message]) -> Option<Said> {
        let message = messages.get(at)?;
        let (by, text) = match message.role {
            Role::User => (By::User, own_words(messages, at, self.start, self.rules.takes_notes)),
            Role::Assistant => (By::Assistant, message.text.trim()),
            _ => return None,
        };
        let text = self.unstamped(text);
        let before = self.written_before(by);
        let (name, words) = match message.name.as_deref().filter(|field| names::says_something(field)) {
            Some(field) => self.named(by, field, text),
            None => match names::split(text, &before) {
                Some((name, words)) => (Some(name), words),
                None => (None, text),
            },
        };
        let words = self.unstamped(words).trim();
        // A name alone is how some clients ask somebody to go on.
        let name = name.map(str::to_owned);
        let calls = message.calls;
        (!words.is_empty()).then(|| Said { at, by, name, speaker: None, text: words.to_owned(), calls })
    }

    /// The client's field says who it is; a name before the words is taken off if it is theirs, else it is a part of them.
    fn named<'t>(&'t self, by: By, field: &'t str, text: &'t str) -> (Option<&'t str>, &'t str) {
        let people = self.people(by);
        let known = people.iter().find_map(|names| Some((names::from_field(field, names)?, names)));
        let name = known.map_or(field, |(name, _)| name);
        let theirs = known.map(|(_, names)| names.as_slice()).unwrap_or_default();
        let words = match names::prefix(text) {
            Some((before, words)) if names::is_one_of(before, field, theirs) => words,
            _ => text,
        };
        (Some(name), words)
    }

    /// Which names before the words say who says them, where no field does. Whoever speaks for the request may write their own.
    fn written_before(&self, by: By) -> Vec<&str> {
        let people = self.people(by);
        let only = if by == By::User && !self.rules.has_personas { 1 } else { people.len() };
        people.iter().take(only).flatten().map(String::as_str).collect()
    }

    fn people(&self, by: By) -> &[Vec<String>] {
        match by {
            By::User => &self.rules.users,
            By::Assistant => &self.characters,
        }
    }

    fn unstamped<'t>(&self, text: &'t str) -> &'t str {
        self.rules.calendar.and_then(|calendar| calendar.strip_stamp(text)).unwrap_or(text)
    }
}
