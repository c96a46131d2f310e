//! How is a day told in a few words, where no model can be asked?
//!
//! When it was, who was there, how many rounds and events, and the weightiest sentences just as they were said, in their
//! order. A speech that is too long ends where one of its sentences does.

use std::collections::HashSet;

use super::dates::date_of;
use super::heading::{CHINESE_SUMMARY, JAPANESE_SUMMARY, SUMMARY};
use super::language::{Tongue, tongue_of};
use super::salience::is_grave;
use crate::memory::{Held, Origin};
use crate::time::{Calendar, Language, Moment};
use crate::words::{is_closing, is_sentence_end, keywords, words};

const SENTENCES: usize = 6;
const CHARS: usize = 600;
/// Of a longer speech only the first sentences are told.
const SENTENCE_CHARS: usize = 160;

/// `names` are those whom it is about.
pub(crate) fn rule_summary(sources: &[&Held], names: &[String], calendar: Option<&Calendar>) -> String {
    let texts: Vec<&str> = sources.iter().map(|held| held.text()).collect();
    let tongue = tongue_of(sentences(sources));
    let count = |is: fn(Origin) -> bool| sources.iter().filter(|held| is(held.memory.origin)).count();
    let counts = [
        count(|origin| matches!(origin, Origin::Day | Origin::Era)),
        count(|origin| origin == Origin::Round),
        count(|origin| !matches!(origin, Origin::Day | Origin::Era | Origin::Round)),
    ];
    let mut summary = heading(tongue, &span(sources, tongue, calendar), names, counts);
    let borrowed: Vec<&str> = names.iter().map(String::as_str).collect();
    for sentence in weightiest(sentences(sources), &keywords(texts, &borrowed, 24)) {
        summary.push('\n');
        summary.push_str(&cut(sentence));
    }
    summary
}

/// `counts` are days, rounds and other things; what there is none of is not told.
fn heading(tongue: Tongue, span: &str, names: &[String], counts: [usize; 3]) -> String {
    let count = |place: usize, count: usize| match (tongue, place) {
        (Tongue::Chinese, 0) => format!("{count}天"),
        (Tongue::Chinese, 1) => format!("{count}轮对话"),
        (Tongue::Chinese, _) => format!("{count}件事"),
        (Tongue::Japanese, 0) => format!("{count}日"),
        (Tongue::Japanese, 1) => format!("会話{count}回"),
        (Tongue::Japanese, _) => format!("出来事{count}件"),
        (Tongue::Alphabetic, place) => {
            let one = ["day", "conversation"].get(place).unwrap_or(&"event");
            format!("{count} {one}{}", if count == 1 { "" } else { "s" })
        }
    };
    let told = counts.into_iter().enumerate().filter(|(_, number)| *number > 0);
    let told: Vec<String> = told.map(|(place, number)| count(place, number)).collect();
    match tongue {
        Tongue::Chinese => format!("{CHINESE_SUMMARY}{span}；{}；{}]", names.join("、"), told.join("，")),
        Tongue::Japanese => format!("{JAPANESE_SUMMARY}{span}；{}；{}]", names.join("、"), told.join("、")),
        Tongue::Alphabetic => format!("{SUMMARY}{span}; {}; {}]", names.join(", "), told.join(", ")),
    }
}

/// From the first to the last of it, in the world's calendar, else in days of the wall clock.
fn span(sources: &[&Held], tongue: Tongue, calendar: Option<&Calendar>) -> String {
    let language = if tongue == Tongue::Alphabetic { Language::En } else { Language::Zh };
    let date = |held: &&Held| {
        let moment = Moment { tick: held.memory.tick, wall_ms: Some(held.memory.wall_ms) };
        date_of(moment, calendar, language)
    };
    match (sources.first().and_then(date), sources.last().and_then(date)) {
        (Some(first), Some(last)) if first != last => match tongue {
            Tongue::Chinese => format!("{first}至{last}"),
            Tongue::Japanese => format!("{first}から{last}まで"),
            Tongue::Alphabetic => format!("{first} to {last}"),
        },
        (first, last) => first.or(last).unwrap_or_default(),
    }
}

/// Everything that was said or happened, without headings.
fn sentences<'a>(sources: &[&'a Held]) -> impl Iterator<Item = &'a str> + use<'a> {
    let texts: Vec<&'a str> = sources.iter().map(|held| held.text()).collect();
    let lines = texts.into_iter().flat_map(str::lines).map(str::trim);
    let is_heading = |line: &&str| line.starts_with('[') && line.ends_with(']');
    lines.filter(|line| !line.is_empty()).filter(move |line| !is_heading(line))
}

fn weightiest<'a>(sentences: impl Iterator<Item = &'a str>, keywords: &[String]) -> Vec<&'a str> {
    let wanted: HashSet<&str> = keywords.iter().map(String::as_str).collect();
    let mut seen = HashSet::new();
    let mut weighed: Vec<(usize, usize, &str)> = sentences
        .filter(|sentence| seen.insert(*sentence))
        .enumerate()
        .map(|(place, sentence)| (weight(sentence, &wanted), place, sentence))
        .collect();
    weighed.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    weighed.truncate(SENTENCES);
    let mut room = CHARS;
    weighed.retain(|(.., sentence)| {
        let chars = sentence.chars().count().min(SENTENCE_CHARS);
        let fits = chars <= room;
        room -= if fits { chars } else { 0 };
        fits
    });
    weighed.sort_by_key(|(_, place, _)| *place);
    weighed.into_iter().map(|(.., sentence)| sentence).collect()
}

/// Different keywords, figures and grave words; a question tells less than an answer.
fn weight(sentence: &str, wanted: &HashSet<&str>) -> usize {
    let found: HashSet<String> =
        words(sentence).map(str::to_lowercase).filter(|word| wanted.contains(word.as_str())).collect();
    let mut weight = 2 * found.len();
    if sentence.chars().any(char::is_numeric) {
        weight += 1;
    }
    if is_grave(sentence) {
        weight += 3;
    }
    if sentence.contains(['?', '？']) {
        weight /= 2;
    }
    weight
}

/// The first sentences of a speech, as many as fit; of a sentence that is too long itself as many words.
fn cut(speech: &str) -> String {
    let Some((most, _)) = speech.char_indices().nth(SENTENCE_CHARS) else { return speech.to_owned() };
    let beginning = speech.get(..most).unwrap_or(speech);
    let end = last_end(beginning, is_sentence_end)
        .or_else(|| last_end(beginning, |c, _| matches!(c, '，' | '、' | '；' | '：' | ',' | ';' | '—')))
        .or_else(|| last_word_end(beginning))
        .unwrap_or(most);
    let told = beginning.get(..end).unwrap_or(beginning).trim_end();
    // What was said stays in its quotation marks.
    format!("{told}…{}", if speech.ends_with('"') { "\"" } else { "" })
}

/// Behind the last character of this kind, and whatever closes with it. The name before a speech is no part of it.
fn last_end(text: &str, is_end: impl Fn(char, Option<char>) -> bool) -> Option<usize> {
    let least = text.find(": \"").map_or(0, |colon| colon + 3);
    let mut chars = text.char_indices().peekable();
    let mut end = None;
    let mut is_closed = false;
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        is_closed = is_end(c, next) || (is_closed && is_closing(c));
        if is_closed && at >= least {
            end = Some(at + c.len_utf8());
        }
    }
    end
}

/// Behind the last word that is whole.
fn last_word_end(text: &str) -> Option<usize> {
    let mut end = 0;
    let mut ends = Vec::new();
    for word in words(text) {
        let at = text.get(end..)?.find(word)?;
        end += at + word.len();
        ends.push(end);
    }
    // The last one may be cut.
    ends.pop();
    ends.pop()
}
