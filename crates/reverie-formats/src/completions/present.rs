//! What does the client send already? Its own lore is not told twice.

use super::body::Message;
use super::words::{joined, lined};

/// Shorter texts are only found as whole lines: a word or two stand in many others.
const LONG: usize = 12;

/// All that a request says.
pub(super) struct Present {
    /// Every line of every message without white space, with a break before and behind it.
    lined: String,
    /// The same without breaks.
    flat: String,
}

impl Present {
    pub(super) fn look(messages: &[Message]) -> Self {
        let mut all = String::from("\n");
        messages.iter().for_each(|message| all.push_str(&lined(&message.text)));
        let flat = joined(&all);
        Self { lined: all, flat }
    }

    /// What of a text is not in the request, paragraph by paragraph; None: all of it is there.
    pub(super) fn missing(&self, text: &str) -> Option<String> {
        let text = text.trim();
        if self.has(text) {
            return None;
        }
        let paragraphs: Vec<&str> =
            text.split("\n\n").map(str::trim).filter(|text| !text.is_empty()).collect();
        let missing: Vec<&str> =
            paragraphs.iter().copied().filter(|paragraph| !self.has(paragraph)).collect();
        match missing.len() {
            0 => None,
            // As it is written, if nothing is taken from it.
            count if count == paragraphs.len() => Some(text.to_owned()),
            _ => Some(missing.join("\n\n")),
        }
    }

    fn has(&self, text: &str) -> bool {
        let lines = lined(text);
        let flat = joined(&lines);
        if flat.is_empty() {
            return true;
        }
        self.lined.contains(&format!("\n{lines}"))
            || (flat.chars().count() >= LONG && self.flat.contains(&flat))
    }
}
