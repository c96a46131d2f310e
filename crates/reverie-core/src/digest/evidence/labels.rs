//! Does a keyword, a topic or an emotion of a statement come from its lines?
//!
//! A statement may be true and carry a word that names somebody else, or a place where nobody was. Keywords are words of the lines or
//! ordinary ones; topics and emotions are the model's own words for what is told, so of them only names and numbers are asked for.

use super::strange::{Ground, is_ordinary, strange, words_in_letters};
use super::{Evidence, chinese, japanese, names, narrow, numbers};
use crate::digest::evidence::Telling;
use crate::mind::terms::SPELLING;
use crate::words::mentions;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::digest) enum Label {
    Keyword,
    Topic,
    Emotion,
}

/// Whether it says what neither the lines of its statement nor ordinary language do.
pub(in crate::digest) fn unsaid(word: &str, label: Label, statement: &str, evidence: &Evidence<'_>) -> bool {
    // What the statement itself says was held against its lines.
    let mut said: String = evidence.said.iter().map(|said| format!("{}\n", said.words)).collect();
    said.push_str(statement);
    for name in evidence.names {
        said.push('\n');
        said.push_str(name);
    }
    let (word, said) = (narrow(word.trim()), narrow(&said));
    if said.to_lowercase().contains(&word.to_lowercase()) {
        return false;
    }
    let is_strangers = evidence
        .cast
        .iter()
        .map(|name| narrow(name))
        .any(|name| mentions(&word, &name) && !mentions(&said, &name));
    let reading = names::Reading::new(&word, &said);
    is_strangers
        || numbers::unsaid(&word, &said).is_some()
        || chinese::invented(&word, &reading, &said, evidence.names).is_some()
        || japanese::invented(&reading, &said).is_some()
        || in_letters(&word, label, statement, &Ground::new(&said, evidence.names))
        || label == Label::Keyword && is_strange(&word, &Ground::new(&said, evidence.names))
}

/// Words of other scripts than ours.
fn is_strange(word: &str, ground: &Ground) -> bool {
    !word.chars().any(|c| c.is_ascii_alphabetic()) && strange(word, ground, Telling::Statement).is_some()
}

/// Of topics and emotions only what has a capital letter may be a name. Lists are of English: of other languages nothing is concluded.
fn in_letters(word: &str, label: Label, statement: &str, ground: &Ground) -> bool {
    let told = words_in_letters(statement);
    let ordinary = told.iter().filter(|word| is_ordinary(&word.to_lowercase())).count();
    let is_english = !told.is_empty() && ordinary * 3 >= told.len() || told.is_empty();
    is_english
        && words_in_letters(word).iter().any(|word| {
            let is_capital = word.chars().next().is_some_and(char::is_uppercase);
            let may_be_a_name = is_capital || label == Label::Keyword;
            word.chars().count() > 2
                && may_be_a_name
                && !is_ordinary(&word.to_lowercase())
                && !ground.says_in_letters(&SPELLING.fold(word))
        })
}
