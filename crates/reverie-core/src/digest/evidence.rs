//! Do the lines that a statement cites really say so?
//!
//! A model may be wrong, and a line may try to talk it into something. So nothing that a statement names is believed unless
//! its lines bear it out:
//! - every number and date occurs in them, or follows from a word for a day in them ("tomorrow");
//! - every name of somebody known in this world occurs in them, or is that of one who speaks there or is there;
//! - every word with a capital letter inside a sentence, and everything in quotation marks, occurs in them;
//! - at least half of its other content words do;
//! - it is in the language of its lines.

use std::collections::HashSet;

use super::dates::meant_dates;
use super::language::tongue_of;
use crate::time::{Calendar, Moment};
use crate::words::{is_content_word, mentions, words};

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
    let ground = normal(&ground);
    let text = normal(text);
    let numbers: HashSet<String> = numbers(&ground).into_iter().collect();
    if let Some(number) = self::numbers(&text).into_iter().find(|number| !numbers.contains(number)) {
        return Some(format!("its lines do not say {number}"));
    }
    let unknown = evidence
        .cast
        .iter()
        .map(|name| normal(name))
        .find(|name| mentions(&text, name) && !mentions(&ground, name));
    if let Some(name) = unknown {
        return Some(format!("its lines do not name {name}"));
    }
    if let Some(name) = named(&text).into_iter().find(|name| !contains_word(&ground, name)) {
        return Some(format!("its lines do not name {name}"));
    }
    // Whoever is named bears nothing out: a name beside an invented deed would be half of the words.
    let nameless = without_names(&text, evidence);
    let content: HashSet<String> =
        words(&nameless).filter(|word| is_content_word(word)).map(str::to_lowercase).collect();
    let lower = ground.to_lowercase();
    let borne_out = content.iter().filter(|word| lower.contains(stem(word))).count();
    if borne_out * 2 < content.len() {
        return Some("its lines say something else".to_owned());
    }
    None
}

fn without_names(text: &str, evidence: &Evidence<'_>) -> String {
    let mut names: Vec<String> =
        evidence.names.iter().chain(evidence.cast).map(|name| normal(name)).collect();
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

/// Full-width letters and digits as half-width ones, Chinese numerals as digits.
fn normal(text: &str) -> String {
    let narrow: String = text
        .chars()
        .map(|c| match c {
            '\u{FF01}'..='\u{FF5E}' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
            c => c,
        })
        .collect();
    let mut normal = String::with_capacity(narrow.len());
    let mut run = String::new();
    for c in narrow.chars().chain(['\0']) {
        if DIGITS.contains(c) || UNITS.iter().any(|(unit, _)| *unit == c) {
            run.push(c);
            continue;
        }
        normal.push_str(&counted(&run));
        run.clear();
        if c != '\0' {
            normal.push(c);
        }
    }
    normal
}

const DIGITS: &str = "零一二三四五六七八九两〇";
const UNITS: [(char, u64); 4] = [('十', 10), ('百', 100), ('千', 1000), ('万', 10_000)];

/// A Chinese numeral in digits. One character alone is a word more often than a number (一起, 三 in a name), and stays.
fn counted(run: &str) -> String {
    if run.chars().count() < 2 {
        return run.to_owned();
    }
    let digit = |c: char| match c {
        '两' => Some(2),
        '〇' => Some(0),
        c => DIGITS.chars().position(|d| d == c).map(|place| place as u64),
    };
    if run.chars().all(|c| digit(c).is_some()) {
        return run.chars().filter_map(digit).map(|d| d.to_string()).collect();
    }
    let (mut total, mut section, mut last) = (0u64, 0u64, None);
    for c in run.chars() {
        if let Some(d) = digit(c) {
            last = Some(d);
        } else if let Some((_, unit)) = UNITS.iter().find(|(unit, _)| *unit == c) {
            if *unit == 10_000 {
                total = (total + section + last.unwrap_or(0)).saturating_mul(*unit);
                section = 0;
            } else {
                section = section.saturating_add(last.unwrap_or(1).saturating_mul(*unit));
            }
            last = None;
        }
    }
    (total + section + last.unwrap_or(0)).to_string()
}

/// Runs of digits, without leading zeros.
fn numbers(text: &str) -> Vec<String> {
    let runs = text.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty());
    runs.map(|run| run.trim_start_matches('0').to_owned()).collect()
}

/// Words with a capital letter that do not begin a sentence, and what stands in quotation marks.
fn named(text: &str) -> Vec<String> {
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
    for (open, close) in [('「', '」'), ('『', '』'), ('《', '》'), ('“', '”')] {
        let mut rest = text;
        while let Some((_, behind)) = rest.split_once(open) {
            let Some((inside, after)) = behind.split_once(close) else { break };
            named.push(inside.to_owned());
            rest = after;
        }
    }
    named
}

fn contains_word(ground: &str, word: &str) -> bool {
    ground.to_lowercase().contains(&word.to_lowercase())
}
