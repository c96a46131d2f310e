//! Where does a word begin and end, and which words tell what a text is about?
//!
//! One decision for whatever works with words as such (lexical search, keywords, digest): Unicode's word boundaries, with a
//! dictionary where a script writes no spaces (Chinese, Japanese). The tables are part of the program and need no start-up.
//! An embedder cuts texts by itself: the built-in one into entries of its own table. docs/concepts/offline-embedder.md says
//! why these are two decisions, with figures.

use std::collections::HashMap;
use std::sync::OnceLock;

use icu_segmenter::{WordSegmenter, WordSegmenterBorrowed};

mod sentence;
mod stop;

pub(crate) use sentence::{is_closing, is_sentence_end, sentences};
pub(crate) use stop::{is_filler, is_function_character, is_function_word, is_stop_word};

/// Runs of letters and digits, in order.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut begin = 0;
    let ends = segmenter().segment_str(text);
    ends.filter_map(move |end| {
        let word = text.get(begin..end);
        begin = end;
        word.filter(|word| word.chars().any(char::is_alphanumeric))
    })
}

/// Whether a text names somebody. One letter names nobody; where words have ends, a name is a whole word: Sam is not in
/// Samantha.
pub fn mentions(text: &str, name: &str) -> bool {
    let goes_on = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_written_together(c));
    let begins = name.chars().next().filter(|c| !is_written_together(*c));
    let ends = name.chars().next_back().filter(|c| !is_written_together(*c));
    name.chars().count() > 1
        && text.match_indices(name).any(|(at, found)| {
            let (before, behind) = (text.get(..at), text.get(at + found.len()..));
            let is_begun = begins.is_some() && goes_on(before.and_then(|text| text.chars().next_back()));
            let is_unended = ends.is_some() && goes_on(behind.and_then(|text| text.chars().next()));
            !is_begun && !is_unended
        })
}

/// Of scripts that write no spaces.
pub(crate) fn is_written_together(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Whether a word says something by itself.
pub fn is_content_word(word: &str) -> bool {
    score(word).is_some() && !stop::is_stop_word(&word.to_lowercase())
}

/// The words that a text is about, the weightiest first: at most `limit`. `names` are among them where they occur, whole.
pub fn keywords<'a>(texts: impl IntoIterator<Item = &'a str>, names: &[&str], limit: usize) -> Vec<String> {
    let mut found: HashMap<String, Weight> = HashMap::new();
    let mut place = 0;
    for text in texts {
        for name in names.iter().filter(|name| !name.is_empty() && text.contains(**name)) {
            place += 1;
            let weight = found.entry((*name).to_owned()).or_insert(Weight { first: place, score: 0 });
            weight.score += NAME_SCORE;
        }
        for word in words(text) {
            place += 1;
            let Some(score) = score(word) else { continue };
            let word = word.to_lowercase();
            // A name counts as it is written, and once.
            if stop::is_stop_word(&word) || names.iter().any(|name| name.to_lowercase() == word) {
                continue;
            }
            found.entry(word).or_insert(Weight { first: place, score: 0 }).score += score;
        }
    }
    let mut found: Vec<(String, Weight)> = found.into_iter().collect();
    found.sort_by(|(_, a), (_, b)| b.score.cmp(&a.score).then(a.first.cmp(&b.first)));
    found.truncate(limit);
    found.into_iter().map(|(word, _)| word).collect()
}

struct Weight {
    first: usize,
    score: u32,
}

/// Whoever is named counts like a long word.
const NAME_SCORE: u32 = 4;

/// Long words say more than short ones; None for those that say nothing by themselves.
fn score(word: &str) -> Option<u32> {
    let letters = word.chars().count();
    if word.chars().all(|c| c.is_numeric()) {
        return None;
    }
    match Script::of(word) {
        Script::Han if letters >= 2 => Some(1 + letters.min(4) as u32),
        Script::Katakana if letters >= 2 => Some(1 + letters.min(4) as u32),
        Script::Other if letters >= 3 => Some(1 + (letters.min(9) / 3) as u32),
        _ => None,
    }
}

enum Script {
    Han,
    Katakana,
    /// Endings and particles, mostly.
    Hiragana,
    Other,
}

impl Script {
    fn of(word: &str) -> Self {
        match word.chars().next() {
            Some('\u{3040}'..='\u{309F}') => Self::Hiragana,
            Some('\u{30A0}'..='\u{30FF}' | '\u{FF66}'..='\u{FF9D}') => Self::Katakana,
            Some('\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}') => Self::Han,
            _ => Self::Other,
        }
    }
}

fn segmenter() -> WordSegmenterBorrowed<'static> {
    static SEGMENTER: OnceLock<WordSegmenterBorrowed<'static>> = OnceLock::new();
    *SEGMENTER.get_or_init(|| WordSegmenter::new_dictionary(Default::default()))
}

#[cfg(test)]
mod tests {
    use super::mentions;

    #[test]
    fn a_name_is_a_whole_word_where_words_have_ends() {
        for (text, name, expected) in [
            ("Sam likes tea.", "Sam", true),
            ("Samantha likes tea.", "Sam", false),
            ("Same for Sam", "Sam", true),
            ("I saw Sam's hat", "Sam", true),
            ("张三丰来了", "张三", true),
            ("和Bob去钓鱼", "Bob", true),
            ("さくらちゃん", "さくら", true),
            ("A cat", "A", false),
            ("", "Sam", false),
        ] {
            assert_eq!(mentions(text, name), expected, "{name} in {text}");
        }
    }
}
