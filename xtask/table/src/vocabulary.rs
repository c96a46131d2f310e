//! Which words and pieces of words get a place in the table, and how frequent is each?

use std::collections::{BTreeMap, HashMap};

use reverie_offline::format::{LONGEST_PIECE, LONGEST_WORD};

use crate::sources::Sources;

/// The entries: English first, Chinese behind.
pub(crate) struct Vocabulary {
    pub(crate) entries: Vec<Entry>,
    /// How many of them are English.
    pub(crate) english: usize,
    index: HashMap<String, usize>,
}

pub(crate) struct Entry {
    /// A piece that goes on inside a word begins with `#`.
    pub(crate) spelling: String,
    /// Of a text.
    pub(crate) share: f64,
    /// What the transformer reads for it. Chinese entries have none.
    pub(crate) tokens: Vec<u32>,
}

/// English words beyond the transformer's own, by how often the dictionary uses them.
const MORE_ENGLISH: usize = 6_000;
/// Chinese words of two characters and more, by their frequency.
const CHINESE_WORDS: usize = 39_000;
/// A single character is kept if it was counted so often, or if the dictionary explains it and it was seen.
const CHARACTER_COUNT: u64 = 20;
/// The transformer's whole words, ordered by frequency, begin behind this one.
const FIRST_RANKED: usize = 1996;
/// Letters and digits that stand alone before them.
const FIRST_LETTER: usize = 1000;
/// The share of the most frequent word, after Zipf.
const ZIPF: f64 = 0.09;
/// The transformer's marks of a text's begin and end.
const BEGIN: u32 = 101;
const END: u32 = 102;

impl Vocabulary {
    pub(crate) fn choose(sources: &Sources) -> Self {
        let mut entries = own_pieces(&sources.pieces);
        let known: HashMap<String, u32> = sources.pieces.iter().cloned().zip(0..).collect();
        entries.extend(more_english(sources, &known));
        let english = entries.len();
        entries.extend(chinese(sources));
        let index = entries.iter().enumerate().map(|(at, entry)| (entry.spelling.clone(), at)).collect();
        Self { entries, english, index }
    }

    pub(crate) fn find(&self, spelling: &str) -> Option<usize> {
        self.index.get(spelling).copied()
    }

    /// The entries of an English word: itself, else the longest piece first.
    pub(crate) fn english_word(&self, word: &str) -> Vec<usize> {
        if let Some(entry) = self.find(word) {
            return vec![entry];
        }
        pieces(word, |piece, is_inside| {
            self.find(&if is_inside { format!("#{piece}") } else { piece.to_owned() })
        })
    }
}

/// A text as the transformer reads it.
pub(crate) fn tokens(known: &HashMap<String, u32>, text: &str) -> Vec<u32> {
    let mut tokens = vec![BEGIN];
    for word in english_words(text) {
        tokens.extend(pieces(&word, |piece, is_inside| {
            known.get(&if is_inside { format!("##{piece}") } else { piece.to_owned() }).copied()
        }));
    }
    tokens.push(END);
    tokens
}

/// Runs of letters, and of digits, in lower case.
pub(crate) fn english_words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let kind = |c: char| (c.is_ascii_alphabetic(), c.is_ascii_digit());
    let chars: Vec<char> = lower.chars().collect();
    let runs = chars.chunk_by(|a, b| kind(*a) == kind(*b));
    runs.filter(|run| run.first().is_some_and(char::is_ascii_alphanumeric))
        .map(|run| run.iter().collect())
        .collect()
}

fn pieces<T>(word: &str, find: impl Fn(&str, bool) -> Option<T>) -> Vec<T> {
    let mut found = Vec::new();
    let mut begin = 0;
    while begin < word.len() {
        let longest = (begin + 1..=word.len()).rev().find_map(|end| {
            let piece = word.get(begin..end)?;
            find(piece, begin > 0).map(|token| (token, end))
        });
        let Some((token, end)) = longest else { return found };
        found.push(token);
        begin = end;
    }
    found
}

fn own_pieces(pieces: &[String]) -> Vec<Entry> {
    let is_plain = |text: &str| {
        let all = |is: fn(&u8) -> bool| !text.is_empty() && text.as_bytes().iter().all(is);
        all(u8::is_ascii_lowercase) || all(u8::is_ascii_digit)
    };
    let mut entries = Vec::new();
    for (id, piece) in pieces.iter().enumerate().skip(FIRST_LETTER) {
        let inside = piece.strip_prefix("##");
        if !is_plain(inside.unwrap_or(piece)) {
            continue;
        }
        let spelling = inside.map_or_else(|| piece.clone(), |rest| format!("#{rest}"));
        let share = match id.checked_sub(FIRST_RANKED) {
            Some(rank) => ZIPF / (rank + 6) as f64,
            None => ZIPF / 6.0,
        };
        entries.push(Entry { spelling, share, tokens: vec![BEGIN, id as u32, END] });
    }
    entries
}

fn more_english(sources: &Sources, known: &HashMap<String, u32>) -> Vec<Entry> {
    let mut uses: BTreeMap<String, usize> = BTreeMap::new();
    for word in sources.glosses.values().flatten().flat_map(|meaning| english_words(&meaning.said)) {
        let is_word =
            (3..=LONGEST_PIECE).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_lowercase());
        if is_word && !known.contains_key(&word) {
            *uses.entry(word).or_default() += 1;
        }
    }
    let mut words: Vec<(String, usize)> = uses.into_iter().collect();
    words.sort_by(|(a, many), (b, more)| more.cmp(many).then(a.cmp(b)));
    let share = ZIPF / sources.pieces.len() as f64;
    let entry = |(word, _): (String, usize)| Entry { tokens: tokens(known, &word), spelling: word, share };
    words.into_iter().take(MORE_ENGLISH).map(entry).collect()
}

fn chinese(sources: &Sources) -> Vec<Entry> {
    let total = sources.counts.values().sum::<u64>() as f64;
    let count = |word: &str| sources.counts.get(word).copied().unwrap_or(0);
    let is_han = |word: &str| word.chars().all(|c| ('\u{3400}'..='\u{9FFF}').contains(&c));
    let mut words: Vec<&str> =
        sources.glosses.keys().chain(sources.chinese.keys()).map(String::as_str).collect();
    words.sort_unstable();
    words.dedup();
    words.retain(|word| {
        is_han(word) && !word.is_empty() && word.chars().count() <= LONGEST_WORD && count(word) > 0
    });
    let (mut single, mut several): (Vec<&str>, Vec<&str>) =
        words.into_iter().partition(|word| word.chars().nth(1).is_none());
    several.sort_by(|a, b| count(b).cmp(&count(a)).then(a.cmp(b)));
    several.truncate(CHINESE_WORDS);
    single.retain(|word| count(word) >= CHARACTER_COUNT || sources.glosses.contains_key(*word));
    let entry = |word: &str| Entry {
        spelling: word.to_owned(),
        share: count(word) as f64 / total,
        tokens: Vec::new(),
    };
    several.into_iter().chain(single).map(entry).collect()
}
