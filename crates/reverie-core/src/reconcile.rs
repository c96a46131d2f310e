//! Is this known already, does it say better what is known, or does it take its place?

use std::collections::HashMap;

use crate::digest::{Compared, compare};
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
    let letters = letters(text);
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
#[derive(Debug, Clone, PartialEq)]
pub enum Reconciled<'a> {
    Add,
    /// It says the same, or less.
    Ignore {
        known: &'a Held,
    },
    /// It says the same and more; of several that it covers all give way.
    Refine {
        known: Vec<&'a Held>,
    },
    /// What was known holds no longer.
    Supersede {
        known: Vec<&'a Held>,
    },
}

/// Above this, two texts of a kind say the same.
fn same(kind: Kind) -> f64 {
    match kind {
        Kind::Episodic => 0.85,
        Kind::Semantic | Kind::Trait | Kind::Goal => 0.90,
    }
}

/// Whether two texts of a kind are almost the same letter by letter. What they say may differ all the same, by a name or a number.
pub(crate) fn is_alike(kind: Kind, a: &str, b: &str) -> bool {
    similarity(a, b) > same(kind)
}

/// `known` are memories of one holder about one of those whom the new text is about; `replaces` the one of them that the model
/// named.
///
/// What the model names gives way, unless both say the very same. Without its word: another number, name, date or denial in almost the same text takes
/// the place of what was known, but what happened twice in a like way happened twice. What says the same in other words, or less, is
/// known already; what says more takes the place of all that it covers. Facts, traits and goals are compared with each other, because
/// models do not always call the same thing by the same kind.
pub fn reconcile<'a>(
    text: &str,
    kind: Kind,
    known: impl IntoIterator<Item = &'a Held>,
    replaces: Option<&'a Held>,
) -> Reconciled<'a> {
    if let Some(known) = replaces {
        return match letters(known.text()) == letters(text) {
            true => Reconciled::Ignore { known },
            false => Reconciled::Supersede { known: vec![known] },
        };
    }
    let is_lived = |kind: Kind| kind == Kind::Episodic;
    let mut compared: Vec<(Compared, f64, &Held)> = known
        .into_iter()
        .filter(|held| is_lived(held.memory.kind) == is_lived(kind))
        .map(|held| (compare(kind, held.text(), text), similarity(text, held.text()), held))
        .filter(|(compared, ..)| *compared != Compared::Other)
        .collect();
    compared.sort_by(|(_, a, held_a), (_, b, held_b)| {
        b.total_cmp(a).then(held_a.memory.id.cmp(&held_b.memory.id))
    });
    let all = |wanted: Compared| -> Vec<&'a Held> {
        compared.iter().filter(|(compared, ..)| *compared == wanted).map(|(.., held)| *held).collect()
    };
    let told = |is: &dyn Fn(Compared) -> bool| {
        compared.iter().find(|(compared, ..)| is(*compared)).map(|(.., held)| *held)
    };
    if is_lived(kind) {
        let same = told(&|compared| compared != Compared::Changed);
        return same.map_or(Reconciled::Add, |known| Reconciled::Ignore { known });
    }
    if let Some(known) = told(&|compared| matches!(compared, Compared::Same | Compared::Less)) {
        return Reconciled::Ignore { known };
    }
    let changed = all(Compared::Changed);
    if !changed.is_empty() {
        return Reconciled::Supersede { known: changed };
    }
    match all(Compared::More) {
        known if known.is_empty() => Reconciled::Add,
        known => Reconciled::Refine { known },
    }
}

fn letters(text: &str) -> Vec<char> {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
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
