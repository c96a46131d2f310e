//! When is a round over that no host closed, and what else may be set about digesting?

use crate::Result;
use crate::settings::{choose, number, unknown};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DigestRules {
    pub enabled: bool,
    /// A found round is over when nobody spoke for so long.
    pub idle_ms: i64,
    /// A found round is over when it has so many lines.
    pub round_lines: usize,
    /// A round that its host left open is taken for complete after so long a silence.
    pub abandoned_ms: i64,
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
];

impl Default for DigestRules {
    fn default() -> Self {
        Self { enabled: true, idle_ms: 300_000, round_lines: 60, abandoned_ms: 3_600_000 }
    }
}

/// A year.
const MOST_SECONDS: usize = 31_536_000;
/// What a backlog brings at a time, so that every round that is over can be seen to be.
pub(crate) const MOST_LINES: usize = 1000;

impl DigestRules {
    pub(crate) fn set(&mut self, key: &str, value: &str) -> Result<()> {
        let ms = || number(key, value, MOST_SECONDS).map(|seconds| seconds as i64 * 1000);
        match key {
            "digest.enabled" => self.enabled = choose(key, value, &[("true", true), ("false", false)])?,
            "digest.idle_seconds" => self.idle_ms = ms()?,
            "digest.round_lines" => self.round_lines = number(key, value, MOST_LINES / 2)?.max(1),
            "digest.abandoned_seconds" => self.abandoned_ms = ms()?,
            _ => return Err(unknown(key)),
        }
        Ok(())
    }
}
