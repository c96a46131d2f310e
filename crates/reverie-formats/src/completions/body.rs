//! What is in a request, and how does it leave as it came?
//!
//! Fields and messages are kept as the text that they are, so that whatever is not changed goes on byte for byte: numbers of
//! any size, escapes, fields that nobody has heard of.

use std::collections::HashSet;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use super::content;
use crate::json::sanitise;

/// The field that is ours and never forwarded.
pub(super) const OURS: &str = "reverie";
const MESSAGES: &str = "messages";

/// A request for a chat completion.
#[derive(Debug, Clone)]
pub struct Body {
    /// All but ours, in the order of the request; that of the messages stands there for its place alone.
    fields: Vec<(String, Box<RawValue>)>,
    messages: Vec<Message>,
    reverie: Option<Value>,
}

/// Why a request has no dialogue that could be remembered. It is forwarded as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BodyError {
    #[error("the body is not a JSON object")]
    NotAnObject,
    #[error("a field of the body is given twice")]
    Repeated,
    #[error("the body has no list of messages")]
    NoMessages,
}

impl BodyError {
    /// For a header of the answer.
    pub fn reason(self) -> &'static str {
        match self {
            Self::NotAnObject => "not-json",
            Self::Repeated => "repeated-field",
            Self::NoMessages => "no-messages",
        }
    }
}

/// One message, as it is written and as it is understood.
#[derive(Debug, Clone)]
pub(crate) struct Message {
    raw: Box<RawValue>,
    pub(super) role: Role,
    pub(super) name: Option<String>,
    pub(super) text: String,
    /// True if it calls tools.
    pub(crate) calls: bool,
    /// True if the answer goes on from its last word, as some providers let a client say.
    pub(super) prefix: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    System,
    User,
    Assistant,
    /// What a tool answered.
    Tool,
    /// Of another role, or unreadable.
    Other,
}

impl Body {
    pub fn parse(bytes: &[u8]) -> Result<Self, BodyError> {
        let Fields(mut read) = serde_json::from_slice(bytes).map_err(|_| BodyError::NotAnObject)?;
        let mut names: Vec<&str> = read.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        if names.windows(2).any(|pair| pair.first() == pair.last()) {
            return Err(BodyError::Repeated);
        }
        let (_, list) = read.iter_mut().find(|(name, _)| name == MESSAGES).ok_or(BodyError::NoMessages)?;
        let list = std::mem::replace(list, RawValue::NULL.to_owned());
        let messages: Vec<Box<RawValue>> =
            serde_json::from_str(list.get()).map_err(|_| BodyError::NoMessages)?;
        let ours = read.iter().find(|(name, _)| name == OURS).and_then(|(_, raw)| value(raw));
        let fields = read.into_iter().filter(|(name, _)| name != OURS).collect();
        Ok(Self { fields, messages: messages.into_iter().map(Message::read).collect(), reverie: ours })
    }

    /// A field of the request, `reverie` and `messages` aside.
    pub fn field(&self, name: &str) -> Option<Value> {
        let found = self.fields.iter().find(|(known, _)| known == name && known != MESSAGES);
        value(&found?.1)
    }

    pub fn model(&self) -> Option<String> {
        text(self.field("model"))
    }

    /// True if the answer shall come as a stream.
    pub fn is_streamed(&self) -> bool {
        self.field("stream").and_then(|stream| stream.as_bool()).unwrap_or(false)
    }

    /// What the client says to us; not a part of what is forwarded.
    pub fn reverie(&self) -> Option<&Value> {
        self.reverie.as_ref()
    }

    /// How many messages there are.
    pub fn message_count(&self) -> usize {
        self.messages.len()
    }

    /// The `name` field of a message, as the client wrote it.
    pub fn name_of(&self, message: usize) -> Option<&str> {
        self.messages.get(message)?.name.as_deref()
    }

    /// Whether the client says who is to speak, or how: a system message that has words.
    pub fn has_system(&self) -> bool {
        let is_prompt = |message: &Message| message.role == Role::System && !message.text.trim().is_empty();
        self.messages.iter().any(is_prompt)
    }

    /// Whether the client tells what was answered before.
    pub fn has_answers(&self) -> bool {
        self.messages.iter().any(|message| message.role == Role::Assistant)
    }

    /// Sets the model, as the upstream knows it.
    pub fn set_model(&mut self, model: &str) {
        self.set("model", &Value::from(model));
    }

    /// Sets a field where it stands, or puts it last. Messages are not set so.
    pub fn set(&mut self, name: &str, value: &Value) {
        // A value can always be written: its names are texts.
        let Ok(raw) = to_raw_value(value) else { return };
        match self.fields.iter_mut().find(|(known, _)| known == name) {
            Some((known, _)) if known == MESSAGES => {}
            Some((_, place)) => *place = raw,
            None => self.fields.push((name.to_owned(), raw)),
        }
    }

    /// The same request without these messages: those that the character who speaks did not witness. One that calls tools
    /// stays, because what they answered would stand there alone.
    pub fn without(&self, messages: &[usize]) -> Self {
        let messages: HashSet<usize> = messages.iter().copied().collect();
        let mut rest = self.clone();
        let mut index = 0;
        rest.messages.retain(|message| {
            index += 1;
            message.calls || !messages.contains(&(index - 1))
        });
        rest
    }

    /// What is forwarded: every field and message that was not changed is written as it came.
    pub fn to_bytes(&self) -> Vec<u8> {
        let size: usize = self.messages.iter().map(|message| message.raw.get().len() + 1).sum();
        let mut out = String::with_capacity(size + 1024);
        out.push('{');
        for (index, (name, raw)) in self.fields.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            out.push_str(&Value::from(name.as_str()).to_string());
            out.push(':');
            match name == MESSAGES {
                true => self.write_messages(&mut out),
                false => out.push_str(raw.get()),
            }
        }
        out.push('}');
        out.into_bytes()
    }

    /// The whole request as a value, for upstreams that speak another language.
    pub fn to_value(&self) -> Value {
        let read = |raw: &RawValue| value(raw).unwrap_or_default();
        let field = |(name, raw): &(String, Box<RawValue>)| match name == MESSAGES {
            true => (name.clone(), self.messages.iter().map(|message| read(&message.raw)).collect()),
            false => (name.clone(), read(raw)),
        };
        Value::Object(self.fields.iter().map(field).collect())
    }

    fn write_messages(&self, out: &mut String) {
        out.push('[');
        for (index, message) in self.messages.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            out.push_str(message.raw.get());
        }
        out.push(']');
    }

    /// What stands in its messages, whosever they are.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.messages.iter().map(|message| message.text.as_str())
    }

    pub(crate) fn messages(&self) -> &[Message] {
        &self.messages
    }

    pub(super) fn messages_mut(&mut self) -> &mut Vec<Message> {
        &mut self.messages
    }
}

impl Message {
    fn read(raw: Box<RawValue>) -> Self {
        let read = value(&raw).unwrap_or_default();
        let role = match read.get("role").and_then(Value::as_str) {
            Some("system" | "developer") => Role::System,
            Some("user") => Role::User,
            Some("assistant") => Role::Assistant,
            Some("tool" | "function") => Role::Tool,
            _ => Role::Other,
        };
        let is_filled = |field: &str| {
            read.get(field).is_some_and(|value| match value {
                Value::Array(list) => !list.is_empty(),
                value => value.is_object(),
            })
        };
        let is_set = |field: &str| read.get(field).and_then(Value::as_bool).unwrap_or(false);
        Self {
            role,
            name: name(read.get("name")).filter(|name| !name.trim().is_empty()),
            text: read.get("content").map(content::text).unwrap_or_default(),
            calls: is_filled("tool_calls") || is_filled("function_call"),
            prefix: is_set("prefix") || is_set("partial"),
            raw,
        }
    }

    /// A message of our own.
    pub(super) fn new(role: reverie_core::perspective::Role, text: &str) -> Self {
        use reverie_core::perspective::Role as Theirs;
        let role = match role {
            Theirs::System => "system",
            Theirs::User => "user",
            Theirs::Assistant => "assistant",
        };
        Self::of(&serde_json::json!({ "role": role, "content": text }))
    }

    /// The same message with its content changed; its other fields stay, in their order.
    pub(super) fn with_content(&self, change: impl FnOnce(&mut Value)) -> Self {
        let mut read = value(&self.raw).unwrap_or_default();
        if let Some(content) = read.get_mut("content") {
            change(content);
        }
        Self::of(&read)
    }

    fn of(value: &Value) -> Self {
        // A value can always be written: its names are texts.
        Self::read(to_raw_value(value).unwrap_or_else(|_| RawValue::NULL.to_owned()))
    }
}

/// Lone surrogates, which JSON of some clients has and text cannot, are replaced for reading only.
pub(super) fn value(raw: &RawValue) -> Option<Value> {
    serde_json::from_str(&sanitise(raw.get()).0).ok()
}

fn text(value: Option<Value>) -> Option<String> {
    match value? {
        Value::String(text) => Some(text),
        _ => None,
    }
}

/// Who it is: some clients have numbers for people.
fn name(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::Number(number) => Some(number.to_string()),
        value => value.as_str().map(str::to_owned),
    }
}

/// The members of an object in their order, repeated ones too.
pub(super) struct Fields(pub(super) Vec<(String, Box<RawValue>)>);

impl<'de> serde::Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = Fields;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Fields, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = members.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(Read)
    }
}
