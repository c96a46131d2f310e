//! Is this known already, does it say better what is known, or does it take its place?

use std::collections::HashMap;

use crate::memory::{Held, Kind};

/// How alike two texts are, from 0 to 1: pairs of neighbouring characters that they share, without spaces, punctuation and case.
pub fn similarity(a: &str, b: &str) -> f64 {
    let (a, b) = (pairs(a), pairs(b));
    let total: usize = a.values().chain(b.values()).sum();
    if total == 0 {
        return 0.0;
    }
    let shared: usize = a.iter().map(|(pair, count)| b.get(pair).map_or(0, |other| *count.min(other))).sum();
    2.0 * shared as f64 / total as f64
}

fn pairs(text: &str) -> HashMap<(char, char), usize> {
    let letters: Vec<char> =
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let mut pairs = HashMap::new();
    for two in letters.windows(2) {
        if let [a, b] = two {
            *pairs.entry((*a, *b)).or_default() += 1;
        }
    }
    if let [only] = letters.as_slice() {
        pairs.insert((*only, *only), 1);
    }
    pairs
}

/// What to do with something new.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reconciled<'a> {
    Add,
    /// It says the same, or less.
    Ignore {
        known: &'a Held,
    },
    /// It says the same and more.
    Refine {
        known: &'a Held,
    },
    /// What was known holds no longer.
    Supersede {
        known: &'a Held,
    },
}

/// Above this, two texts of a kind say the same.
fn same(kind: Kind) -> f64 {
    match kind {
        Kind::Episodic => 0.85,
        Kind::Semantic | Kind::Trait | Kind::Goal => 0.90,
    }
}

/// Whether two texts of a kind say the same.
pub(crate) fn is_alike(kind: Kind, a: &str, b: &str) -> bool {
    similarity(a, b) > same(kind)
}

/// `known` are memories of one holder about one of those whom the new text is about; `replaces` the one of them that the model
/// named.
pub fn reconcile<'a>(
    text: &str,
    kind: Kind,
    known: impl IntoIterator<Item = &'a Held>,
    replaces: Option<&'a Held>,
) -> Reconciled<'a> {
    let alike = known
        .into_iter()
        .filter(|held| held.memory.kind == kind)
        .map(|held| (similarity(text, held.text()), held))
        .filter(|(similarity, _)| *similarity > same(kind))
        .max_by(|(a, held_a), (b, held_b)| a.total_cmp(b).then(held_b.memory.id.cmp(&held_a.memory.id)));
    match (alike, replaces) {
        (Some((_, known)), _) if kind == Kind::Episodic || is_fuller(known.text(), text) => {
            Reconciled::Ignore { known }
        }
        (Some((_, known)), _) => Reconciled::Refine { known },
        (None, Some(known)) => Reconciled::Supersede { known },
        (None, None) => Reconciled::Add,
    }
}

/// Whether the first says at least as much as the second.
fn is_fuller(first: &str, second: &str) -> bool {
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
    letters(first) >= letters(second)
}

#[cfg(test)]
mod tests {
    use super::similarity;

    #[test]
    fn alike_is_what_shares_its_letters() {
        assert_eq!(similarity("张三喜欢火锅。", "张三喜欢火锅"), 1.0);
        assert_eq!(similarity("", ""), 0.0);
        assert_eq!(similarity("猫", "猫"), 1.0);
        assert!(similarity("Mira likes tea", "mira likes TEA!") > 0.99);
        assert!(similarity("张三喜欢火锅", "李四讨厌下雨") < 0.2);
    }
}
