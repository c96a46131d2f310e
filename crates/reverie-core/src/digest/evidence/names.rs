//! Which name does a statement give that its lines do not?
//!
//! What the lines say is taken as it is; only words that they do not say are looked at, and of those only what looks like a name:
//! a capital letter inside a sentence, quotation marks, and in Chinese and Japanese a family name, a form of address, or
//! words that come before a name.

use super::words::{DOINGS, OPENERS, each};
use super::{chinese, japanese};
use crate::words::{is_stop_word, mentions};

/// A text, and which of its characters stand in the lines with a neighbour.
pub(super) struct Reading {
    pub(super) chars: Vec<char>,
    is_said: Vec<bool>,
}

impl Reading {
    pub(super) fn new(text: &str, ground: &str) -> Self {
        let chars: Vec<char> = text.chars().collect();
        let said: Vec<char> = ground.chars().collect();
        let pairs: std::collections::HashSet<(char, char)> =
            said.iter().copied().zip(said.iter().copied().skip(1)).collect();
        let mut is_said = vec![false; chars.len()];
        for (place, pair) in chars.iter().copied().zip(chars.iter().copied().skip(1)).enumerate() {
            if pairs.contains(&pair) {
                is_said.iter_mut().skip(place).take(2).for_each(|said| *said = true);
            }
        }
        Self { chars, is_said }
    }

    pub(super) fn at(&self, place: usize) -> Option<char> {
        self.chars.get(place).copied()
    }

    /// Whether none of these characters is in the lines.
    pub(super) fn is_new(&self, place: usize, count: usize) -> bool {
        place + count <= self.is_said.len() && self.is_said.iter().skip(place).take(count).all(|said| !said)
    }

    pub(super) fn text(&self, place: usize, count: usize) -> String {
        self.chars.iter().skip(place).take(count).collect()
    }

    pub(super) fn begins_with(&self, place: usize, word: &str) -> bool {
        let mut chars = self.chars.iter().skip(place);
        word.chars().all(|c| chars.next() == Some(&c))
    }

    pub(super) fn ends_with(&self, place: usize, word: &str) -> bool {
        place.checked_sub(word.chars().count()).is_some_and(|start| self.begins_with(start, word))
    }
}

/// The first such name. `known` are the names of those who speak or are there.
pub(super) fn invented(text: &str, ground: &str, known: &[String]) -> Option<String> {
    let lower = ground.to_lowercase();
    let is_said = |name: &String| lower.contains(&name.to_lowercase());
    if let Some(name) = capitals(text).into_iter().chain(quoted(text)).find(|name| !is_said(name)) {
        return Some(name);
    }
    if let Some(name) =
        opening(text).into_iter().find(|name| !is_said(name) && !known.iter().any(|one| mentions(one, name)))
    {
        return Some(name);
    }
    let reading = Reading::new(text, ground);
    chinese::invented(text, &reading, ground, known).or_else(|| japanese::invented(&reading, ground))
}

/// Words with a capital letter that do not begin a sentence.
fn capitals(text: &str) -> Vec<String> {
    let mut named = Vec::new();
    let mut begins = true;
    for piece in text.split_inclusive(char::is_whitespace) {
        let word: &str = piece.trim_matches(|c: char| !c.is_alphanumeric());
        if !begins && word.chars().next().is_some_and(|c| c.is_ascii_uppercase()) && word.len() > 1 {
            named.push(word.trim_end_matches("'s").to_owned());
        }
        if !word.is_empty() || piece.contains(['.', '!', '?']) {
            begins = piece.trim_end().ends_with(['.', '!', '?', ':', '"']);
        }
    }
    named
}

/// What stands in quotation marks.
fn quoted(text: &str) -> Vec<String> {
    let mut quoted = Vec::new();
    for (open, close) in [('「', '」'), ('『', '』'), ('《', '》'), ('“', '”')] {
        let mut rest = text;
        while let Some((_, behind)) = rest.split_once(open) {
            let Some((inside, after)) = behind.split_once(close) else { break };
            quoted.push(inside.to_owned());
            rest = after;
        }
    }
    quoted
}

/// Words in letters that begin a sentence, are no ordinary beginning, and do something.
pub(in crate::digest) fn opening(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for sentence in text.split(['.', '!', '?']) {
        let mut words = sentence.split_whitespace();
        let (Some(first), Some(second)) = (words.next(), words.next()) else { continue };
        let second = second.to_lowercase();
        let (name, is_owner) = match first.strip_suffix("'s") {
            Some(owner) => (owner, true),
            None => (first, false),
        };
        let is_word = name.len() > 1 && name.chars().all(|c| c.is_ascii_alphabetic());
        let lower = name.to_lowercase();
        let is_ordinary = is_stop_word(&lower) || each(OPENERS).any(|word| word == lower);
        let does = is_owner || each(DOINGS).any(|word| word == second);
        if is_word && name.starts_with(|c: char| c.is_ascii_uppercase()) && !is_ordinary && does {
            found.push(name.to_owned());
        }
    }
    found
}
