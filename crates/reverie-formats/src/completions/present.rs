//! What does the client send already? Its own lore is not told twice.

use std::collections::BTreeSet;

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

    /// What of a text is not in the request, item by item where it has such, else paragraph by paragraph; None: all of it is there.
    pub(super) fn missing(&self, text: &str, items: &[String]) -> Option<String> {
        let text = text.trim();
        if self.has(text) {
            return None;
        }
        if !items.is_empty() {
            return self.missing_items(text, items);
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

    /// The text without the lines of items that are there, and without headings of which nothing is left.
    fn missing_items(&self, text: &str, items: &[String]) -> Option<String> {
        let (there, missing): (Vec<&str>, Vec<&str>) =
            items.iter().map(|item| item.trim()).partition(|item| self.has(item));
        if there.is_empty() {
            return Some(text.to_owned());
        }
        let gone = lines_of(text, &there);
        let kept = lines_of(text, &missing);
        if kept.is_empty() {
            return None;
        }
        let lines: Vec<&str> = text.lines().collect();
        let is_gone = |at: usize| gone.contains(&at) && !kept.contains(&at);
        // A heading goes if nothing but what goes stands directly below it.
        let is_bare = |at: usize| {
            let below = (at + 1..lines.len()).take_while(|at| gone.contains(at) || kept.contains(at));
            below.clone().next().is_some() && below.clone().all(is_gone)
        };
        let is_heading = |at: usize| !gone.contains(&at) && !kept.contains(&at);
        let left =
            lines.iter().enumerate().filter(|(at, _)| !(is_gone(*at) || is_heading(*at) && is_bare(*at)));
        let left: Vec<&str> = left.map(|(_, line)| *line).collect();
        Some(left.join("\n").trim().to_owned())
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

/// Which lines of a text these items stand on.
fn lines_of(text: &str, items: &[&str]) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let line_at = |at: usize| text.get(..at).unwrap_or_default().matches('\n').count();
    for item in items.iter().filter(|item| !item.is_empty()) {
        for (at, _) in text.match_indices(item) {
            found.extend(line_at(at)..=line_at(at + item.len()));
        }
    }
    found
}
