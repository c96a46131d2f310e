//! By which terms is a text found?
//!
//! Spellings are one (case, width, traditional and simplified). Words of scripts with spaces count by their stem; where a script
//! writes no spaces, the dictionary's words count, and so do pairs of characters and single ideographs, because no dictionary
//! cuts every sentence as its reader would. Function words tell nothing.

use std::borrow::Cow;

use waken_snowball::{Algorithm, stem};

use super::irregular::base;
use crate::lore::fold::Folding;
use crate::words::{is_function_character, is_function_word, is_written_together, words};

/// What a text is cut into. Terms are known by number: two different ones meet once in some billions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(u64);

pub(crate) const SPELLING: Folding = Folding { case: true, width: true, script: true };

/// One that is a word by itself says more than one that is a part of others.
const ALONE: f32 = 0.6;
/// A single ideograph says less than a word.
const CHARACTER_WEIGHT: f32 = 0.7;

/// Calls for every term of a text, in a fixed order, with how much it tells.
pub fn each_term(text: &str, mut found: impl FnMut(Term, f32)) {
    let text = SPELLING.fold(text);
    for word in words(&text).filter(|word| !is_function_word(word)) {
        if word.chars().all(is_written_together) {
            // One character is counted below, wherever it stands; a word by itself it is here.
            match word.chars().nth(1) {
                Some(_) => found(Term::of(word), 1.0),
                None if word.chars().all(tells_alone) => found(Term::of(word), ALONE),
                None => {}
            }
        } else {
            let word = word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word);
            found(Term::of(&stemmed(word)), 1.0);
        }
    }
    let mut before: Option<char> = None;
    for (at, char) in text.char_indices() {
        if !is_written_together(char) {
            before = None;
            continue;
        }
        if let Some(before) = before {
            let pair = text.get(at - before.len_utf8()..at + char.len_utf8());
            pair.into_iter().for_each(|pair| found(Term::of(pair), 1.0));
        }
        before = Some(char);
        if tells_alone(char) {
            found(Term::single(char), CHARACTER_WEIGHT);
        }
    }
}

fn stemmed(word: &str) -> Cow<'_, str> {
    match word.is_ascii() {
        true => stem(Algorithm::English, base(word)),
        false => Cow::Borrowed(word),
    }
}

/// Whether a character says something by itself. Whoever says `早上好` or `好的` speaks of nothing that is good.
fn tells_alone(char: char) -> bool {
    is_ideograph(char) && !is_function_character(char) && char != '好'
}

fn is_ideograph(char: char) -> bool {
    is_written_together(char) && !matches!(char, '\u{3040}'..='\u{30FF}')
}

impl Term {
    /// A word, or a pair of characters: the same letters are the same term.
    pub fn of(text: &str) -> Self {
        Self::hash(0, text)
    }

    fn single(char: char) -> Self {
        Self::hash(1, char.encode_utf8(&mut [0; 4]))
    }

    /// A keyword or a name, which is looked up as it stands.
    pub(super) fn whole(phrase: &str) -> Self {
        Self::hash(2, phrase)
    }

    /// A part of a date: `2024`, `5月`, `may`, `3日`.
    pub(super) fn hash(kind: u8, text: &str) -> Self {
        // FNV-1a, spread once more so that all bits depend on all letters.
        let hash = [kind].iter().chain(text.as_bytes()).fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3)
        });
        Self((hash ^ (hash >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Term, each_term};

    fn shared(one: &str, other: &str) -> usize {
        let terms = |text: &str| {
            let mut terms: BTreeSet<Term> = BTreeSet::new();
            each_term(text, |term, _| _ = terms.insert(term));
            terms
        };
        terms(one).intersection(&terms(other)).count()
    }

    #[test]
    fn a_character_that_is_a_word_says_more_than_one_that_is_a_part_of_others() {
        assert_eq!(shared("谁欠我钱？", "他借了钱不还"), 2, "the character, and the word");
        assert_eq!(shared("他很有钱包", "零钱不多"), 1, "the character alone");
    }

    #[test]
    fn forms_of_a_word_are_one() {
        assert_eq!(shared("What did she win?", "She won it"), 1);
        assert_eq!(shared("the lighthouses", "a lighthouse"), 1);
    }
}
