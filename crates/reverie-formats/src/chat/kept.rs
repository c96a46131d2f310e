//! What of a chat is no line: in what form is it kept beside the lines?
//!
//! Each wording of a message is a line, and each carries what the file says of it alone: its place among the swipes and what
//! stands about it there. The wording that was chosen carries the message, too, in the file's own order and without the
//! words: in `mes`, `swipes` and `swipe_info`, `[]` stands for what a line has, and `[…]` around anything else. So whoever
//! deletes a line deletes all that was said of it, and whoever edits one edits it in every place.

use std::collections::HashMap;

use reverie_core::LineId;
use reverie_core::keepsake::{Keepsake, KeptFor};
use reverie_core::text::clean;
use serde_json::{Map, Value, json};

use super::{ChatDocument, ChatMessage, Voice};
use crate::Warning;

/// What is kept of one line.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Kept {
    /// Its place among the swipes, if it has one.
    pub(super) at: Option<usize>,
    /// What the file says about that swipe.
    pub(super) info: Option<Value>,
    /// Of the wording that was chosen.
    pub(super) message: Option<Map<String, Value>>,
    /// Whether a user speaks, and the name, where the line itself tells otherwise.
    pub(super) said: Option<(bool, String)>,
    /// The words, where a line cannot have them as they are.
    pub(super) words: Option<String>,
    /// Messages behind it that have no words at all.
    pub(super) then: Vec<Value>,
}

impl Kept {
    pub(super) fn write(self) -> String {
        let Self { at, info, message, said, words, then } = self;
        let mut kept = Map::new();
        let mut put = |key: &str, value: Option<Value>| {
            kept.extend(value.map(|value| (key.to_owned(), value)));
        };
        put("at", at.map(Into::into));
        put("info", info);
        put("said", said.map(|(is_user, name)| json!([is_user, name])));
        put("words", words.map(Value::String));
        put("then", Some(then).filter(|then| !then.is_empty()).map(Value::Array));
        put("message", message.map(Value::Object));
        Value::Object(kept).to_string()
    }

    fn read(text: &str) -> Option<Self> {
        let Ok(Value::Object(mut kept)) = serde_json::from_str(text) else { return None };
        let said = match kept.remove("said") {
            Some(Value::Array(said)) => match said.as_slice() {
                [Value::Bool(is_user), Value::String(name)] => Some((*is_user, name.clone())),
                _ => None,
            },
            _ => None,
        };
        Some(Self {
            at: kept.get("at").and_then(Value::as_u64).and_then(|at| usize::try_from(at).ok()),
            info: kept.remove("info"),
            said,
            words: kept.get("words").and_then(Value::as_str).map(ToOwned::to_owned),
            then: list(kept.remove("then")),
            message: match kept.remove("message") {
                Some(Value::Object(message)) => Some(message),
                _ => None,
            },
        })
    }

    /// The words for a file: those of the line, or those that it could not have.
    pub(super) fn words<'w>(kept: Option<&'w Self>, line: &'w str) -> &'w str {
        let original = kept.and_then(|kept| kept.words.as_deref());
        original.filter(|original| clean(original).0 == line).unwrap_or(line)
    }
}

fn list(value: Option<Value>) -> Vec<Value> {
    match value {
        Some(Value::Array(list)) => list,
        _ => Vec::new(),
    }
}

/// For every wording of a message; `is_line` tells which of them become lines.
pub(super) fn keep(message: &ChatMessage, is_line: impl Fn(usize) -> bool) -> Vec<Kept> {
    let about = message.source.get("swipe_info").and_then(Value::as_array);
    let is_narrator = message.is_user && message.voice == Voice::Narrator;
    let is_odd = message.name.is_empty() || clean(&message.name).1 > 0 || is_narrator;
    let one = |(index, wording): (usize, &super::ChatWording)| Kept {
        at: wording.at,
        info: wording.at.and_then(|at| about?.get(at)).cloned(),
        message: (index == message.chosen).then(|| without_words(message, &is_line)),
        said: is_odd.then(|| (message.is_user, message.name.clone())),
        words: (clean(&wording.text).1 > 0).then(|| wording.text.clone()),
        then: Vec::new(),
    };
    message.wordings.iter().enumerate().map(one).collect()
}

fn without_words(message: &ChatMessage, is_line: impl Fn(usize) -> bool) -> Map<String, Value> {
    let lines = message.wordings.iter().enumerate().filter(|(index, _)| is_line(*index));
    let lines: HashMap<usize, &str> =
        lines.filter_map(|(_, wording)| Some((wording.at?, wording.text.as_str()))).collect();
    let swipes = message.source.get("swipes").and_then(Value::as_array);
    let in_line = |at: usize, value: &Value| value.as_str().is_some_and(|text| lines.get(&at) == Some(&text));
    let chosen = message.wordings.get(message.chosen);
    let chosen_at = chosen.and_then(|chosen| chosen.at);
    // Where the list has other words than the message, both stay as they are.
    let agrees =
        chosen_at.is_none_or(|at| swipes.and_then(|all| all.get(at)).is_some_and(|v| in_line(at, v)));
    let mut kept = Map::new();
    for (key, value) in message.source.as_object().into_iter().flatten() {
        let value = match (key.as_str(), value) {
            ("mes", Value::String(text)) if agrees && chosen.is_some_and(|c| c.text == *text) => json!([]),
            ("mes", other) => json!([other]),
            ("swipes", Value::Array(all)) => slots(all, in_line),
            ("swipe_info", Value::Array(all)) => slots(all, |at, _| lines.contains_key(&at)),
            (_, other) => other.clone(),
        };
        kept.insert(key.clone(), value);
    }
    kept
}

fn slots(all: &[Value], in_line: impl Fn(usize, &Value) -> bool) -> Value {
    let slot = |(at, value): (usize, &Value)| if in_line(at, value) { json!([]) } else { json!([value]) };
    all.iter().enumerate().map(slot).collect()
}

/// What is kept of a conversation: the header, and what stands before the first words.
pub(super) fn of_chat(document: &ChatDocument, first: &[Value]) -> String {
    let mut kept = Map::new();
    kept.insert("header".to_owned(), document.header.clone().unwrap_or(Value::Null));
    if !first.is_empty() {
        kept.insert("first".to_owned(), Value::Array(first.to_vec()));
    }
    Value::Object(kept).to_string()
}

/// All that is kept of a conversation.
#[derive(Debug, Default)]
pub struct Keepsakes {
    /// None: nothing is kept; with None in it: the file had no header.
    pub(super) header: Option<Option<Value>>,
    pub(super) first: Vec<Value>,
    lines: HashMap<LineId, Kept>,
    /// What cannot be read, and is passed over.
    pub(super) warnings: Vec<Warning>,
}

impl Keepsakes {
    pub fn read(all: &[Keepsake]) -> Self {
        let mut keepsakes = Self::default();
        for Keepsake { of, text } in all {
            let is_read = match of {
                KeptFor::Line(line) => Kept::read(text).map(|kept| drop(keepsakes.lines.insert(*line, kept))),
                KeptFor::Conversation(_) => keepsakes.read_header(text),
                KeptFor::File(_) => None,
            };
            if is_read.is_none() {
                let message = format!("what was kept of {of:?} cannot be read, and is left out");
                keepsakes.warnings.push(Warning::new(message));
            }
        }
        keepsakes
    }

    fn read_header(&mut self, text: &str) -> Option<()> {
        let Ok(Value::Object(mut kept)) = serde_json::from_str(text) else { return None };
        self.header = Some(kept.remove("header").filter(Value::is_object));
        self.first = list(kept.remove("first"));
        Some(())
    }

    /// Whether anything is kept of it.
    pub fn has(&self, of: &KeptFor) -> bool {
        match of {
            KeptFor::Line(line) => self.lines.contains_key(line),
            KeptFor::Conversation(_) => self.header.is_some(),
            KeptFor::File(_) => false,
        }
    }

    pub(super) fn of(&self, line: LineId) -> Option<&Kept> {
        self.lines.get(&line)
    }
}
