//! When is a round over that no host closed, and what else may be set about digesting?

use super::prompts::Prompts;
use crate::embed::CHUNK_CHARS;
use crate::settings::{choose, number, unknown};
use crate::{Error, Result};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DigestRules {
    pub enabled: bool,
    /// A found round is over when nobody spoke for so long.
    pub idle_ms: i64,
    /// A found round is over when it has so many lines.
    pub round_lines: usize,
    /// A round that its host left open is taken for complete after so long a silence.
    pub abandoned_ms: i64,
    /// Whether models are asked what is worth keeping, where there are any.
    pub models: bool,
    /// Whether they are asked first if anything is.
    pub decide: bool,
    pub prompts: Prompts,
    /// In place of those of `prompts`.
    pub decide_prompt: Option<String>,
    pub summarise_prompt: Option<String>,
    pub retell_prompt: Option<String>,
    /// Rounds that are asked about together, and how long they wait for each other.
    pub batch_rounds: usize,
    pub batch_ms: i64,
    pub batch_tokens: usize,
    /// Characters of a piece of text that gets a vector of its own.
    pub chunk_chars: usize,
}

/// Every key: its name, its default, what it means.
pub const KEYS: &[(&str, &str, &str)] = &[
    ("digest.enabled", "true", "rounds become memories: true or false"),
    (
        "digest.idle_seconds",
        "300",
        "lines outside a round are one when a user speaks again after a reply, or after so long a silence",
    ),
    ("digest.round_lines", "60", "or when they are so many"),
    (
        "digest.abandoned_seconds",
        "3600",
        "a round that its host left open is complete after so long a silence",
    ),
    ("digest.models", "true", "ask a chat model what is worth keeping, where there is one: true or false"),
    ("digest.decide", "true", "ask first whether anything is: true or false"),
    (
        "digest.prompts",
        "full",
        "how to ask: full (several statements, each citing its lines) or single (one sentence, as small bots do it)",
    ),
    ("digest.decide_prompt", "", "in place of that prompt; {conversation} is where the lines stand"),
    (
        "digest.summarise_prompt",
        "",
        "in place of that prompt; {conversation}, {known}, {holders}, {language}",
    ),
    ("digest.retell_prompt", "", "in place of that prompt; {conversation}, {holders}, {language}"),
    ("digest.batch_rounds", "4", "rounds that a model is asked about together"),
    ("digest.batch_seconds", "600", "or as many as there are after so long"),
    (
        "digest.batch_tokens",
        "3000",
        "tokens of dialogue in one question at most; a longer round is asked about alone",
    ),
    (
        "digest.chunk_chars",
        "300",
        "longer texts are embedded in pieces of so many characters; what has its vectors keeps them",
    ),
];

impl Default for DigestRules {
    fn default() -> Self {
        Self {
            enabled: true,
            idle_ms: 300_000,
            round_lines: 60,
            abandoned_ms: 3_600_000,
            models: true,
            decide: true,
            prompts: Prompts::Full,
            decide_prompt: None,
            summarise_prompt: None,
            retell_prompt: None,
            batch_rounds: 4,
            batch_ms: 600_000,
            batch_tokens: 3000,
            chunk_chars: CHUNK_CHARS,
        }
    }
}

/// Less means nothing by itself.
const LEAST_CHUNK: usize = 10;
/// A year.
const MOST_SECONDS: usize = 31_536_000;
/// What a backlog brings at a time, so that every round that is over can be seen to be.
pub(crate) const MOST_LINES: usize = 1000;

impl DigestRules {
    /// Whether what is worth keeping has to come as JSON.
    pub(crate) fn summary_is_json(&self) -> bool {
        match &self.summarise_prompt {
            Some(prompt) => prompt.contains("JSON"),
            None => self.prompts.summary_is_json(),
        }
    }

    pub(crate) fn set(&mut self, key: &str, value: &str) -> Result<()> {
        let ms = || number(key, value, MOST_SECONDS).map(|seconds| seconds as i64 * 1000);
        let flag = || choose(key, value, &[("true", true), ("false", false)]);
        match key {
            "digest.enabled" => self.enabled = flag()?,
            "digest.idle_seconds" => self.idle_ms = ms()?,
            "digest.round_lines" => self.round_lines = number(key, value, MOST_LINES / 2)?.max(1),
            "digest.abandoned_seconds" => self.abandoned_ms = ms()?,
            "digest.models" => self.models = flag()?,
            "digest.decide" => self.decide = flag()?,
            "digest.prompts" => {
                self.prompts = choose(key, value, &[("full", Prompts::Full), ("single", Prompts::Single)])?;
            }
            "digest.decide_prompt" => self.decide_prompt = Some(prompt(key, value)?),
            "digest.summarise_prompt" => self.summarise_prompt = Some(prompt(key, value)?),
            "digest.retell_prompt" => self.retell_prompt = Some(prompt(key, value)?),
            "digest.batch_rounds" => self.batch_rounds = number(key, value, 100)?.max(1),
            "digest.batch_seconds" => self.batch_ms = ms()?,
            "digest.batch_tokens" => self.batch_tokens = number(key, value, 1 << 20)?.max(1),
            "digest.chunk_chars" => self.chunk_chars = number(key, value, 1 << 20)?.max(LEAST_CHUNK),
            _ => return Err(unknown(key)),
        }
        Ok(())
    }
}

/// A prompt without the conversation would ask about nothing.
fn prompt(key: &str, value: &str) -> Result<String> {
    if value.contains("{conversation}") {
        return Ok(value.to_owned());
    }
    Err(Error::invalid(format!("{key} does not say where the conversation stands"))
        .hint("write {conversation} where the lines shall be"))
}
