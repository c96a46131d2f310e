//! What kind of key is it, and how is it made ready?

use super::fold::Folding;
use super::macros::has_macros;
use super::pattern::{Pattern, Purse, Refusal};
use super::words;

/// Bytes of a plain key. Nobody says anything longer word by word, and all keys are kept in one automaton.
const MOST_LENGTH: usize = 1 << 10;

/// A key of an entry, ready to be looked for.
#[derive(Debug, Clone)]
pub(super) enum Key {
    /// The number of a plain text, looked for together with all others.
    Plain(u32),
    Pattern {
        pattern: Pattern,
        /// Its own among patterns and macros.
        number: u32,
        /// Plain keys of which one is in every text that it matches; none: nothing is known.
        needs: Vec<u32>,
    },
    /// Names somebody: what it is shows when it is known who.
    Macro { number: u32 },
}

impl Key {
    /// Plain keys without which it cannot be there; none: it must be looked for whatever is said.
    pub(super) fn awaited(&self) -> &[u32] {
        match self {
            Self::Plain(key) => std::slice::from_ref(key),
            Self::Pattern { needs, .. } => needs,
            Self::Macro { .. } => &[],
        }
    }
}

/// A key as its author wrote it, and what became of it.
#[derive(Debug, Clone)]
pub(super) struct Written {
    pub(super) text: String,
    pub(super) key: Key,
}

/// A plain text that at least one entry looks for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Plain {
    /// Folded.
    pub(super) text: String,
    pub(super) case_sensitive: bool,
}

/// How the keys of one entry are read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reading {
    pub(super) folding: Folding,
    pub(super) use_regex: Option<bool>,
}

/// What an author's key is, before it has a number.
pub(super) enum Read {
    Nothing,
    Plain(Plain),
    Pattern(Pattern),
    Macro,
    /// It is not looked for, and the author should know why.
    Refused(String),
    /// It is looked for as plain text, and the author should know why.
    Wrong(Plain, String),
}

impl Reading {
    /// Patterns pay from the purse.
    pub(super) fn read(self, key: &str, purse: &mut Purse) -> Read {
        if has_macros(key) {
            return Read::Macro;
        }
        self.read_expanded(key, purse)
    }

    /// Without looking for macros.
    pub(super) fn read_expanded(self, key: &str, purse: &mut Purse) -> Read {
        let key = key.trim();
        if key.is_empty() {
            return Read::Nothing;
        }
        let flags = if self.folding.case { "i" } else { "" };
        let length = key.len();
        let slashed = match self.use_regex {
            Some(false) => None,
            Some(true) | None => Pattern::from_key(key, self.folding, purse),
        };
        let bare = || (self.use_regex == Some(true)).then(|| Pattern::new(key, flags, self.folding, purse));
        match slashed.or_else(bare) {
            Some(Ok(pattern)) => Read::Pattern(pattern),
            Some(Err(Refusal::TooMuch(why))) => Read::Refused(why),
            _ if length > MOST_LENGTH => {
                Read::Refused(format!("it has {length} bytes, of {MOST_LENGTH} that are allowed"))
            }
            None => Read::Plain(self.plain(key)),
            Some(Err(Refusal::Wrong(problem))) => Read::Wrong(self.plain(key), brief(&problem)),
        }
    }

    /// What a pattern needs, as plain keys.
    pub(super) fn needed(pattern: &Pattern) -> Vec<Plain> {
        let case_sensitive = !pattern.ignores_case();
        pattern.needs().iter().map(|text| Plain { text: text.clone(), case_sensitive }).collect()
    }

    fn plain(self, key: &str) -> Plain {
        Plain { text: self.folding.fold(key), case_sensitive: !self.folding.case }
    }
}

/// Parsers draw a picture of a pattern and say below it what is wrong; authors have the pattern before them anyway.
fn brief(problem: &str) -> String {
    let said = problem.rsplit_once("error: ").map_or(problem, |(_, said)| said);
    said.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A key as it is shown to its author: its beginning, if it is long.
pub(super) fn shown(key: &str) -> String {
    match beginning(key) {
        (part, true) => format!("{part:?}…"),
        (whole, false) => format!("{whole:?}"),
    }
}

/// As it is written, but not longer than somebody reads.
pub(super) fn short(key: &str) -> String {
    match beginning(key) {
        (part, true) => format!("{part}…"),
        (whole, false) => whole.to_owned(),
    }
}

/// And whether there is more of it.
fn beginning(key: &str) -> (&str, bool) {
    let key = key.trim();
    match key.char_indices().nth(60) {
        Some((end, _)) => (key.get(..end).unwrap_or_default(), true),
        None => (key, false),
    }
}

impl Plain {
    /// Looks for it by itself.
    pub(super) fn is_in(&self, folded: &str, whole_words: bool) -> bool {
        let needs_boundary = whole_words && words::is_single(&self.text);
        folded
            .match_indices(self.text.as_str())
            .any(|(from, found)| !needs_boundary || words::stands_alone(folded, from, from + found.len()))
    }
}
