//! Do two texts take different sides, in as few bytes as can tell?
//!
//! Memories that are alike are compared with each other for every prompt. What each affirms and denies is found out once and kept
//! beside it; words are known by number there.

use super::denial::{OPPOSITES, Said};
use crate::mind::terms::Term;

/// Which words a text only affirms and which it only denies, each sorted. Those of which it does both decide nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::digest) struct Stance {
    affirmed: Box<[Term]>,
    denied: Box<[Term]>,
    /// One for each of the [`OPPOSITES`].
    sides: Box<[Sides]>,
}

/// Where a text stands between two opposites.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Sides {
    /// Its place in the list.
    opposites: u8,
    one: Side,
    other: Side,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Side {
    /// It affirms a word of this side.
    says: bool,
    /// It affirms or denies one.
    holds: bool,
}

impl Stance {
    pub(in crate::digest) fn of(text: &str) -> Self {
        let said = Said::of([text]);
        let only = |of: &[String], not: &[String]| {
            let words = of.iter().filter(|word| !not.contains(word));
            let mut words: Vec<Term> = words.map(|word| Term::of(word)).collect();
            words.sort_unstable();
            words.dedup();
            words.into_boxed_slice()
        };
        Self {
            affirmed: only(&said.affirmed, &said.denied),
            denied: only(&said.denied, &said.affirmed),
            sides: sides(&said),
        }
    }

    /// Whether one affirms what the other denies, or its opposite.
    pub(in crate::digest) fn differs_from(&self, other: &Self) -> bool {
        share_one(&self.denied, &other.affirmed)
            || share_one(&other.denied, &self.affirmed)
            || self.sides.iter().any(|mine| other.sides.iter().any(|theirs| mine.is_opposed_to(theirs)))
    }

    /// What it takes besides itself.
    #[cfg(test)]
    fn words(&self) -> usize {
        self.affirmed.len() + self.denied.len()
    }
}

impl Sides {
    fn is_opposed_to(&self, other: &Self) -> bool {
        let turns = |a: Side, b: Side, their_a: Side, their_b: Side| {
            a.says && their_b.says && !their_a.holds && !b.holds
        };
        self.opposites == other.opposites
            && (turns(self.one, self.other, other.one, other.other)
                || turns(self.other, self.one, other.other, other.one))
    }
}

/// Of the opposites of which it has a word.
fn sides(said: &Said) -> Box<[Sides]> {
    let has = |words: &[String], all: &[&str]| words.iter().any(|word| all.contains(&word.as_str()));
    let side = |all: &[&str]| {
        let says = has(&said.affirmed, all);
        Side { says, holds: says || has(&said.denied, all) }
    };
    let pairs = (0u8..).zip(OPPOSITES);
    let sides =
        pairs.map(|(opposites, (one, other))| Sides { opposites, one: side(one), other: side(other) });
    sides.filter(|sides| sides.one.holds || sides.other.holds).collect()
}

/// Looks the words of the first up in the second: of denials there are few.
fn share_one(few: &[Term], many: &[Term]) -> bool {
    few.iter().any(|word| many.binary_search(word).is_ok())
}

#[cfg(test)]
mod tests {
    use super::Stance;

    #[test]
    fn sides_are_taken_by_words_that_only_one_of_them_denies() {
        for (one, other, differ) in [
            ("I like tea", "I don't like tea", true),
            ("I like tea", "I hate tea", true),
            ("I like tea", "I like coffee", false),
            ("I like tea. I don't like tea.", "I don't like tea", false),
            ("Do you like tea?", "I don't like tea", false),
            ("我喜欢火锅", "我不喜欢火锅", true),
            ("我喜欢火锅", "我讨厌火锅", true),
            ("我喜欢火锅", "我喜欢面条", false),
            ("刺身が好きだ", "刺身が嫌いだ", true),
            ("お酒を飲む", "お酒を飲まない", true),
            ("お酒を飲む", "お茶を飲む", false),
        ] {
            let (a, b) = (Stance::of(one), Stance::of(other));
            assert_eq!(a.differs_from(&b), differ, "{one} / {other}");
            assert_eq!(b.differs_from(&a), differ, "{other} / {one}");
        }
    }

    #[test]
    fn a_word_that_is_said_often_is_kept_once() {
        assert_eq!(Stance::of(&"tea, milk. ".repeat(50)).words(), 2);
    }
}
