//! How does a key reach the server and nothing else?

use std::fmt;

use crate::error::{Error, Result};

/// A key that no `{}` and no `{:?}` shows.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// Space around it, as it comes along when pasted, is taken off.
    pub fn new(text: &str) -> Result<Self> {
        let text = text.trim();
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Error::invalid("a key needs visible ASCII characters, and nothing else")
                .hint("copy the key again from the provider's page; leave it away where none is needed"));
        }
        Ok(Self(text.to_owned()))
    }

    /// The only way to the text: for the header.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

pub(crate) const HIDDEN: &str = "[hidden]";

/// What must not come back in words of others: a careless server repeats the headers that it got.
#[derive(Clone, Default)]
pub(crate) struct Secrets(Vec<String>);

impl Secrets {
    pub(crate) fn add(&mut self, secret: &str) {
        // Shorter ones would blot out ordinary words.
        if secret.len() >= 4 {
            self.0.push(secret.to_owned());
        }
    }

    pub(crate) fn hide(&self, text: &str) -> String {
        let hidden = self.0.iter().fold(text.to_owned(), |text, secret| text.replace(secret, HIDDEN));
        // A text that was cut in the middle of a secret ends with its beginning.
        self.0.iter().fold(hidden, |text, secret| {
            let longest = (4..secret.len())
                .rev()
                .find(|end| secret.get(..*end).is_some_and(|beginning| text.ends_with(beginning)));
            match longest.and_then(|end| text.get(..text.len() - end)) {
                Some(rest) => format!("{rest}{HIDDEN}"),
                None => text,
            }
        })
    }
}
