//! What kind of key is it, and how is it made ready?

use super::fold::Folding;
use super::macros::has_macros;
use super::pattern::Pattern;
use super::words;

/// A key of an entry, ready to be looked for.
#[derive(Debug, Clone)]
pub(super) enum Key {
    /// The number of a plain text, looked for together with all others.
    Plain(u32),
    Pattern(Pattern),
    /// Names somebody: what it is shows when it is known who.
    Macro(String),
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
    pub(super) use_regex: bool,
}

/// What an author's key is, before it has a number.
pub(super) enum Read {
    Nothing,
    Plain(Plain),
    Pattern(Pattern),
    Macro(String),
    /// It is looked for as plain text, and the author should know why.
    Wrong(Plain, String),
}

impl Reading {
    pub(super) fn read(self, key: &str) -> Read {
        if has_macros(key) {
            return Read::Macro(key.to_owned());
        }
        self.read_expanded(key)
    }

    /// Without looking for macros.
    pub(super) fn read_expanded(self, key: &str) -> Read {
        let key = key.trim();
        if key.is_empty() {
            return Read::Nothing;
        }
        let flags = if self.folding.case { "i" } else { "" };
        let pattern = Pattern::from_key(key).or_else(|| self.use_regex.then(|| Pattern::new(key, flags)));
        match pattern {
            None => Read::Plain(self.plain(key)),
            Some(Ok(pattern)) => Read::Pattern(pattern),
            Some(Err(problem)) => Read::Wrong(self.plain(key), problem),
        }
    }

    fn plain(self, key: &str) -> Plain {
        Plain { text: self.folding.fold(key), case_sensitive: !self.folding.case }
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
