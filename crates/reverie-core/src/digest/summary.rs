//! How is a day told in a few words, where no model can be asked?
//!
//! Who was there, how many rounds and events, and the weightiest sentences just as they were said, in their order.

use std::collections::HashSet;

use super::language::{Tongue, tongue_of};
use super::salience::is_grave;
use crate::memory::{Held, Origin};
use crate::words::{keywords, words};

const SENTENCES: usize = 6;
const CHARS: usize = 600;
/// A sentence that is longer is cut.
const SENTENCE_CHARS: usize = 160;

/// `names` are those whom it is about.
pub(super) fn rule_summary(sources: &[&Held], names: &[String]) -> String {
    let texts: Vec<&str> = sources.iter().map(|held| held.text()).collect();
    let tongue = tongue_of(sentences(sources));
    let count = |is: fn(Origin) -> bool| sources.iter().filter(|held| is(held.memory.origin)).count();
    let counts = [
        count(|origin| matches!(origin, Origin::Day | Origin::Era)),
        count(|origin| origin == Origin::Round),
        count(|origin| !matches!(origin, Origin::Day | Origin::Era | Origin::Round)),
    ];
    let mut summary = heading(tongue, names, counts);
    let borrowed: Vec<&str> = names.iter().map(String::as_str).collect();
    for sentence in weightiest(sentences(sources), &keywords(texts, &borrowed, 24)) {
        summary.push('\n');
        summary.push_str(&cut(sentence));
    }
    summary
}

/// `counts` are days, rounds and other things; what there is none of is not told.
fn heading(tongue: Tongue, names: &[String], counts: [usize; 3]) -> String {
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
        Tongue::Chinese => format!("[小结：{}；{}]", names.join("、"), told.join("，")),
        Tongue::Japanese => format!("[まとめ：{}；{}]", names.join("、"), told.join("、")),
        Tongue::Alphabetic => format!("[Summary: {}; {}]", names.join(", "), told.join(", ")),
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

fn cut(sentence: &str) -> String {
    match sentence.char_indices().nth(SENTENCE_CHARS) {
        None => sentence.to_owned(),
        Some((end, _)) => format!("{}…", sentence.get(..end).unwrap_or(sentence)),
    }
}
