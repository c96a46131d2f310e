//! Do the lines that a statement cites really say so?
//!
//! A model may be wrong, and a line may try to talk it into something. So nothing that a statement names is believed unless
//! its lines bear it out:
//! - every number and date occurs in them, in digits or in words, or follows from a word for a day in them ("tomorrow");
//! - every name of somebody known in this world occurs in them, or is that of one who speaks there or is there;
//! - whatever looks like a name occurs in them: a word with a capital letter inside a sentence, what stands in quotation marks,
//!   and in Chinese and Japanese what stands where names do ([`names`]);
//! - at least half of its other content words do;
//! - it is in the language of its lines.

mod chinese;
mod japanese;
mod names;
mod numbers;
mod words;

use std::collections::HashSet;

use super::dates::meant_dates;
use super::language::tongue_of;
use crate::time::{Calendar, Moment};
use crate::words::{is_content_word, mentions, words as words_of};

/// What a statement may lean on.
pub(super) struct Evidence<'a> {
    /// Words, and when they were said.
    pub(super) said: Vec<(&'a str, Moment)>,
    /// Of those who speak and are there.
    pub(super) names: &'a [String],
    /// Of everybody in the world.
    pub(super) cast: &'a [String],
    pub(super) calendar: Option<&'a Calendar>,
}

/// Why a statement is not believed; None: it is.
pub(super) fn objection(text: &str, evidence: &Evidence<'_>) -> Option<String> {
    let said: Vec<&str> = evidence.said.iter().map(|(content, _)| *content).collect();
    if tongue_of([text]) != tongue_of(said.iter().copied()) {
        return Some("it is in another language than its lines".to_owned());
    }
    let mut ground = said.join("\n");
    for (content, moment) in &evidence.said {
        for date in meant_dates(content, *moment, evidence.calendar) {
            ground.push('\n');
            ground.push_str(&date);
        }
    }
    for name in evidence.names {
        ground.push('\n');
        ground.push_str(name);
    }
    let ground = narrow(&ground);
    let text = narrow(text);
    // Whoever is named bears nothing out: a name beside an invented deed would be half of the words. And 张三 is no number.
    let nameless = without_names(&text, evidence);
    let possible: HashSet<i128> = numbers::possible(&ground).into_iter().map(|number| number.value).collect();
    if let Some(number) =
        numbers::certain(&nameless).into_iter().find(|number| !possible.contains(&number.value))
    {
        return Some(format!("its lines do not say {}", number.written));
    }
    let unknown = evidence
        .cast
        .iter()
        .map(|name| narrow(name))
        .find(|name| mentions(&text, name) && !mentions(&ground, name));
    if let Some(name) = unknown.or_else(|| names::invented(&text, &ground, evidence.names)) {
        return Some(format!("its lines do not name {name}"));
    }
    let content: HashSet<String> =
        words_of(&nameless).filter(|word| is_content_word(word)).map(str::to_lowercase).collect();
    let lower = ground.to_lowercase();
    let borne_out = content.iter().filter(|word| lower.contains(stem(word))).count();
    if borne_out * 2 < content.len() {
        return Some("its lines say something else".to_owned());
    }
    None
}

fn without_names(text: &str, evidence: &Evidence<'_>) -> String {
    let mut names: Vec<String> =
        evidence.names.iter().chain(evidence.cast).map(|name| narrow(name)).collect();
    // Longer ones first, because some hold others.
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    let of_one_letter = |name: &String| name.chars().count() < 2;
    names.iter().filter(|name| !of_one_letter(name)).fold(text.to_owned(), |text, name| {
        match mentions(&text, name) {
            true => text.replace(name.as_str(), " "),
            false => text,
        }
    })
}

/// An English word without its ending: likes, liked and liking are one.
fn stem(word: &str) -> &str {
    let stripped = ["ing", "ied", "ies", "ed", "es", "s"].iter().find_map(|end| word.strip_suffix(end));
    stripped.filter(|stem| stem.len() >= 3 && stem.is_ascii()).unwrap_or(word)
}

/// Full-width letters and digits as half-width ones.
fn narrow(text: &str) -> String {
    let narrow = |c| match c {
        '\u{FF10}'..='\u{FF19}' | '\u{FF21}'..='\u{FF3A}' | '\u{FF41}'..='\u{FF5A}' => {
            char::from_u32(c as u32 - 0xFEE0).unwrap_or(c)
        }
        c => c,
    };
    text.chars().map(narrow).collect()
}
