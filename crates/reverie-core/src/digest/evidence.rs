//! Do the lines that a statement cites really say so?
//!
//! A model may be wrong, and a line may try to talk it into something. So nothing that a statement names is believed unless
//! its lines bear it out:
//! - every number and date occurs in them, in digits or in words, or follows from a word for a day in them ("tomorrow");
//! - every name of somebody known in this world occurs in them, or is that of one who speaks there or is there;
//! - whatever looks like a name occurs in them: a word with a capital letter inside a sentence, what stands in quotation marks,
//!   and in Chinese and Japanese what stands where names do ([`names`]);
//! - at least a quarter of its content words do, and the others are ordinary ones ([`strange`]);
//! - nobody is said to do or be what another one said of themselves ([`speakers`]);
//! - what was denied is not affirmed, and what was affirmed not denied ([`denial`]);
//! - it is in the language of its lines.

mod chinese;
mod denial;
mod japanese;
mod labels;
mod names;
mod numbers;
mod speakers;
mod stance;
mod strange;
mod times;
mod words;

use std::collections::HashSet;

use super::language::tongue_of;
use crate::time::{Calendar, Moment};
use strange::Ground;
pub(super) use times::Times;

use crate::words::{is_content_word, mentions, words as words_of};

pub(super) use denial::how_many as how_many_denials;
pub(super) use labels::{Label, unsaid as unsaid_label};
pub(super) use names::opening as names_that_open;
pub(super) use numbers::values_in as numbers_in;
pub(super) use stance::Stance;
pub(crate) use strange::is_ordinary_word;
pub(super) use strange::words_in_letters;
pub(super) use words::phrases;

/// What a statement may lean on.
pub(super) struct Evidence<'a> {
    pub(super) said: Vec<Said<'a>>,
    /// Of those who speak and are there.
    pub(super) names: &'a [String],
    /// Of everybody in the world.
    pub(super) cast: &'a [String],
    pub(super) calendar: Option<&'a Calendar>,
    pub(super) telling: Telling,
}

/// Words, when they were said, and by whom.
pub(super) struct Said<'a> {
    pub(super) words: &'a str,
    pub(super) moment: Moment,
    /// None where several speak.
    pub(super) speaker: Option<&'a str>,
}

/// What is held against the lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Telling {
    /// One thing worth keeping.
    Statement,
    /// What happened on one day or several, in a few sentences.
    Days,
}

/// Why a statement is not believed; None: it is.
pub(super) fn objection(text: &str, evidence: &Evidence<'_>) -> Option<String> {
    let said: Vec<&str> = evidence.said.iter().map(|said| said.words).collect();
    if tongue_of([text]) != tongue_of(said.iter().copied()) {
        return Some("it is in another language than its lines".to_owned());
    }
    let mut lines = said.join("\n");
    let words = Ground::new(&lines, evidence.names);
    for name in evidence.names {
        lines.push('\n');
        lines.push_str(name);
    }
    let lines = narrow(&lines);
    let times = Times::new(text, evidence);
    if let Some(time) = times.unsaid(text) {
        return Some(format!("its lines do not say {time}"));
    }
    let ground = lines.clone();
    let text = times.without(text);
    let text = narrow(&text);
    // Whoever is named bears nothing out: a name beside an invented deed would be half of the words. And 张三 is no number.
    let nameless = without_names(&text, evidence);
    if let Some(number) = numbers::unsaid(&nameless, &lines) {
        return Some(format!("its lines do not say {number}"));
    }
    let unknown = evidence
        .cast
        .iter()
        .map(|name| narrow(name))
        .find(|name| mentions(&text, name) && !mentions(&ground, name));
    if let Some(name) = unknown.or_else(|| names::invented(&text, &ground, evidence.names)) {
        return Some(format!("its lines do not name {name}"));
    }
    if let Some(word) = strange::strange(&nameless, &words, evidence.telling) {
        return Some(format!("its lines do not say {word}"));
    }
    if let Some(objection) = speakers::objection(&text, evidence) {
        return Some(objection);
    }
    if let Some(word) = denial::turned_round(&nameless, &said) {
        return Some(format!("its lines say the opposite of {word}"));
    }
    // That somebody said so is the model's way to tell it.
    let nameless = REPORTING.iter().fold(nameless, |text, word| text.replace(word, " "));
    // Numbers were held against those of the lines, however they are written.
    let content: HashSet<String> = words_of(&nameless)
        .filter(|word| is_content_word(word))
        .map(str::to_lowercase)
        .filter(|word| !numbers::is_number_word(word))
        .collect();
    let lower = ground.to_lowercase();
    let borne_out: usize = content.iter().map(|word| borne_out(word, &lower)).sum();
    // Of a few words one more or less is half of them, so their characters are counted.
    let is_close = content.len() < FEW_WORDS && has_the_characters(&nameless, &lower);
    // Words that are neither said nor ordinary were looked for before, so a quarter is enough.
    if borne_out * 2 < content.len() && !is_close {
        return Some("its lines say something else".to_owned());
    }
    None
}

/// 2: the lines say this word; 1: a word of Han characters, of which they have half.
fn borne_out(word: &str, lines: &str) -> usize {
    if lines.contains(stem(word)) {
        return 2;
    }
    let known = word.chars().filter(|c| is_han(*c) && lines.contains(*c)).count();
    usize::from(known * 2 >= word.chars().count())
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9FFF}')
}

const REPORTING: [&str; 22] = [
    "表示",
    "告诉",
    "提到",
    "说明",
    "透露",
    "承认",
    "声称",
    "曾经",
    "目前",
    "正在",
    "表白",
    "互相",
    "彼此",
    "两人",
    "双方",
    "告訴",
    "話した",
    "述べた",
    "以前",
    "現在",
    "二人",
    "両思い",
];
const FEW_WORDS: usize = 6;
/// They are in every text.
const FUNCTION_WORDS: &str = "的了是在和与跟一有也都就他她它这那不人我你很";

fn has_the_characters(text: &str, lines: &str) -> bool {
    let chars: HashSet<char> = text.chars().filter(|c| is_han(*c) && !FUNCTION_WORDS.contains(*c)).collect();
    let known = chars.iter().filter(|c| lines.contains(**c)).count();
    !chars.is_empty() && known * 3 >= chars.len()
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
