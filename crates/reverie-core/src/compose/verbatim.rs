//! Does what a memory quotes stand in the prompt word for word, whoever said it and wherever?
//!
//! Every new chat may begin with the same greeting, and a host's own prompt may say what somebody said once: whoever reads it there
//! learns nothing from being told again.

use std::cell::OnceCell;

use crate::digest::{is_heading, speech};
use crate::memory::Held;
use crate::mind::terms::SPELLING;

/// Shorter words are only found as whole lines: they stand in many others.
const LONG: usize = 12;
/// What no text has stands between two.
const BETWEEN: char = '\u{0}';

/// Texts that the model gets besides this prompt.
pub(super) struct Shown<'a> {
    texts: &'a [String],
    /// Most prompts have no memory that could stand there.
    spelled: OnceCell<Spelled>,
}

struct Spelled {
    /// Line by line, with a break before and behind each.
    lines: String,
    /// The same without breaks.
    flat: String,
}

impl<'a> Shown<'a> {
    pub(super) fn new(texts: &'a [String]) -> Self {
        Self { texts, spelled: OnceCell::new() }
    }

    /// `words`: as [`spelled`].
    pub(super) fn has(&self, words: &str) -> bool {
        if self.texts.is_empty() {
            return false;
        }
        let Spelled { lines, flat } = self.spelled.get_or_init(|| Spelled::of(self.texts));
        if words.chars().nth(LONG - 1).is_some() {
            return flat.contains(words);
        }
        // A name may stand before the words.
        ['\n', ':'].iter().any(|before| lines.contains(&format!("{before}{words}\n")))
    }
}

impl Spelled {
    fn of(texts: &[String]) -> Self {
        let mut all = Self { lines: String::from("\n"), flat: String::new() };
        for text in texts {
            for line in text.lines().map(spelled).filter(|line| !line.is_empty()) {
                all.lines.push_str(&line);
                all.lines.push('\n');
                all.flat.push_str(&line);
            }
            all.flat.push(BETWEEN);
        }
        all
    }
}

/// However it is written: without white space, in one spelling.
pub(super) fn spelled(words: &str) -> String {
    let mut spelled = SPELLING.fold(words);
    spelled.retain(|char| !char.is_whitespace());
    spelled
}

/// All that a memory says, each quoted line for itself, as [`spelled`]. Empty: it says nothing.
pub(super) fn quotes_of(held: &Held) -> Vec<String> {
    let text = held.text();
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let quoted = match (is_heading(first), held.memory.id.line()) {
        (true, _) => rest,
        // Lines as they were said have no heading.
        (false, Some(_)) => text,
        (false, None) => return Vec::from_iter(Some(spelled(text)).filter(|text| !text.is_empty())),
    };
    let mut quotes: Vec<String> = Vec::new();
    for line in quoted.lines() {
        match (speech(line), quotes.last_mut()) {
            (Some((_, words)), _) => quotes.push(words.to_owned()),
            // What somebody said may have several lines.
            (None, Some(quote)) => quote.push_str(line),
            (None, None) => quotes.push(line.to_owned()),
        }
    }
    let quotes = quotes.iter().map(|quote| quote.strip_suffix('"').unwrap_or(quote));
    quotes.map(spelled).filter(|quote| !quote.is_empty()).collect()
}
