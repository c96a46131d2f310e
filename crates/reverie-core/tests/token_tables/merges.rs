//! Which merges do words and punctuation need?

use std::collections::BTreeMap;

use crate::chars::{Role, role_of};
use crate::joiners::{JOINERS, is_torn_by_space, symbol_of};
use crate::vocabulary::Vocabulary;

/// Merges before this rank get a symbol, so that the estimate performs all of them.
const EARLY_RANKS: u32 = 10_000;
/// Words before these ranks are worth a late merge, with a leading space and without. All three limits trade
/// the size of the table against overcount.
const LATE_LED_WORD_RANKS: u32 = 30_000;
const LATE_BARE_WORD_RANKS: u32 = 14_000;
const LATE: u16 = u16::MAX - 1;

type Merges = BTreeMap<(u16, u16), u16>;

pub(crate) fn table(vocabulary: &Vocabulary) -> Vec<u8> {
    check_joiners(vocabulary);
    let (early, symbols) = early_merges(vocabulary);
    let mut merges = early.clone();
    for (rank, text) in vocabulary.texts().filter(|(rank, _)| *rank >= EARLY_RANKS) {
        if !is_worth_a_late_merge(rank, text) {
            continue;
        }
        if let Some([left, right]) = symbols_of(text).map(|parts| merge_all(parts, &early)).as_deref() {
            merges.insert((*left, *right), LATE);
        }
    }
    let mut starts = vec![0_u16; usize::from(symbols) + 1];
    for (left, _) in merges.keys() {
        starts[usize::from(*left) + 1] += 1;
    }
    for at in 1..starts.len() {
        starts[at] += starts[at - 1];
    }
    let entries = merges.iter().flat_map(|((_, right), result)| [*right, *result]);
    [symbols].into_iter().chain(starts).chain(entries).flat_map(u16::to_le_bytes).collect()
}

/// Every merge of known characters before `EARLY_RANKS`, and the number of symbols.
fn early_merges(vocabulary: &Vocabulary) -> (Merges, u16) {
    let mut symbols = 128 + JOINERS.len() as u16;
    let mut merges = Merges::new();
    for (_, text) in vocabulary.texts().filter(|(rank, _)| *rank < EARLY_RANKS) {
        // Digits are in pieces of their own, which the estimate counts without merging.
        if text.contains(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let Some(parts) = symbols_of(text) else {
            check_no_reach(text);
            continue;
        };
        // A token is only ever made from the pair that it has become just before its own merge.
        if let [left, right] = merge_all(parts, &merges)[..] {
            merges.insert((left, right), symbols);
            symbols += 1;
        }
    }
    (merges, symbols)
}

fn symbols_of(text: &str) -> Option<Vec<u16>> {
    text.chars().map(symbol_of).collect()
}

fn merge_all(mut parts: Vec<u16>, merges: &Merges) -> Vec<u16> {
    loop {
        let pairs = parts.windows(2).enumerate();
        let found = pairs.filter_map(|(at, pair)| Some((*merges.get(&(pair[0], pair[1]))?, at)));
        let Some((result, at)) = found.min() else { return parts };
        parts[at] = result;
        parts.remove(at + 1);
    }
}

fn is_worth_a_late_merge(rank: u32, text: &str) -> bool {
    let (word, word_ranks) = match text.strip_prefix(' ') {
        Some(word) => (word, LATE_LED_WORD_RANKS),
        None => (text, LATE_BARE_WORD_RANKS),
    };
    let is_word = !word.is_empty()
        && word
            .chars()
            .enumerate()
            .all(|(at, c)| matches!(c, 'a'..='z' | '\'') || (at == 0 && c.is_ascii_uppercase()));
    let has_joiner = !text.is_ascii() && text.chars().count() <= 3;
    let is_end_of_line = text.ends_with('\n') && text.len() <= 4 && !text.starts_with(char::is_whitespace);
    has_joiner || is_end_of_line || (is_word && rank < word_ranks)
}

/// Joiners are merged as whole characters. Is that what happens to their bytes?
fn check_joiners(vocabulary: &Vocabulary) {
    for joiner in JOINERS {
        let bytes = joiner.to_string().into_bytes();
        assert!(vocabulary.has(&bytes), "{joiner} is no token");
        // A space may take the first bytes of a joiner. Both must be joined again before other marks join.
        if vocabulary.has(&[b" ", &bytes[..2]].concat()) && !is_torn_by_space(joiner) {
            let with_space = vocabulary.rank(&[b" ", bytes.as_slice()].concat());
            let joins = |text: &str| {
                let more = text.strip_prefix(joiner).unwrap_or_default();
                !more.is_empty() && !more.contains(char::is_alphanumeric)
            };
            let first = vocabulary.texts().find(|(_, text)| joins(text)).map_or(u32::MAX, |(rank, _)| rank);
            assert!(with_space < first, "{joiner}: torn at {with_space}, joined at {first}");
        }
    }
}

/// Words and marks beside wide characters are merged alone up to `EARLY_RANKS`. May a token disturb that?
fn check_no_reach(text: &str) {
    let is_clear = |c: char| symbol_of(c).is_some() || role_of(c).is_some_and(|role| role != Role::Unclear);
    let has_known = text.chars().any(|c| symbol_of(c).is_some());
    // The one character that leads a piece is counted alone, so it may join whatever it leads.
    let mut led = text.chars();
    let is_led = match led.next() {
        Some(' ') => led.all(|c| symbol_of(c).is_none()),
        Some(c) => !c.is_ascii_alphanumeric() && led.all(|c| role_of(c) == Some(Role::Letter)),
        None => false,
    };
    assert!(
        !has_known || is_led || !text.chars().all(is_clear),
        "{text:?} reaches from known to wide characters"
    );
}
