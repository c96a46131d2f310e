//! What does this server understand of what could be asked?
//!
//! «OpenAI-compatible» servers differ in the parameters that they accept, and tell it only by refusing. What one has
//! refused is not asked for again.

use std::sync::{Mutex, PoisonError};

use crate::chat::{JsonMode, Shape};
use crate::error::{Error, Kind};

/// How much is asked of the server's help with JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum JsonHelp {
    /// The words of the question must do.
    Nothing,
    /// Some JSON.
    AnyObject,
    /// JSON of the given schema.
    Schema,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LimitName {
    MaxTokens,
    /// As newer OpenAI models want it.
    MaxCompletionTokens,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dialect {
    pub(crate) json: JsonHelp,
    pub(crate) limit_name: LimitName,
    /// Some models have one temperature and want to hear of no other.
    pub(crate) has_temperature: bool,
}

impl Default for Dialect {
    fn default() -> Self {
        Self { json: JsonHelp::Schema, limit_name: LimitName::MaxTokens, has_temperature: true }
    }
}

const JSON_WORDS: &[&str] = &[
    "response_format",
    "json_schema",
    "json_object",
    "json mode",
    "json schema",
    "response_mime_type",
    "responsemimetype",
    "responsejsonschema",
    "response_json_schema",
    "structured output",
];

impl Dialect {
    /// What to ask for, for an answer of this shape.
    pub(crate) fn json_for(self, shape: &Shape, mode: JsonMode) -> JsonHelp {
        let wanted = match shape {
            Shape::Text => JsonHelp::Nothing,
            Shape::Json => JsonHelp::AnyObject,
            Shape::Schema(_) => JsonHelp::Schema,
        };
        match mode {
            JsonMode::Off => JsonHelp::Nothing,
            JsonMode::On => wanted,
            JsonMode::Auto => wanted.min(self.json),
        }
    }

    /// What to say instead; None if the refusal was about something else.
    fn after(self, error: &Error, asked: JsonHelp, mode: JsonMode) -> Option<Self> {
        let is_about_parameters = error.kind() == Kind::Refused;
        if !is_about_parameters {
            return None;
        }
        if self.limit_name == LimitName::MaxTokens && error.mentions(&["max_completion_tokens"]) {
            return Some(Self { limit_name: LimitName::MaxCompletionTokens, ..self });
        }
        if asked > JsonHelp::Nothing && mode == JsonMode::Auto && error.mentions(JSON_WORDS) {
            let less = if asked == JsonHelp::Schema { JsonHelp::AnyObject } else { JsonHelp::Nothing };
            return Some(Self { json: less, ..self });
        }
        if self.has_temperature && error.mentions(&["temperature"]) {
            return Some(Self { has_temperature: false, ..self });
        }
        None
    }
}

/// What was learned so far, shared by all requests.
#[derive(Debug, Default)]
pub(crate) struct Learned(Mutex<Dialect>);

impl Learned {
    pub(crate) fn current(&self) -> Dialect {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The dialect to try after this refusal; None if it is final.
    pub(crate) fn learn(
        &self,
        spoken: Dialect,
        error: &Error,
        asked: JsonHelp,
        mode: JsonMode,
    ) -> Option<Dialect> {
        let next = spoken.after(error, asked, mode)?;
        // OpenAI gives JSON only to those who say the word; the next question may.
        let is_of_this_question = error.mentions(&["must contain the word"]);
        if !is_of_this_question {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = next;
        }
        Some(next)
    }
}
