//! Is this known already, does it say better what is known, or does it take its place?

use std::cell::OnceCell;
use std::cmp::Ordering;

use crate::digest::{Compared, compare};
use crate::memory::{Held, Kind};

/// How alike two texts are, from 0 to 1: pairs of neighbouring characters that they share, without spaces, punctuation and case.
pub fn similarity(a: &str, b: &str) -> f64 {
    Likeness::of(a).with(&Likeness::of(b))
}

/// A text, ready to be compared with many.
pub(crate) struct Likeness<'t> {
    text: &'t str,
    /// How many pairs it has.
    count: usize,
    /// How many pairs fall into each of some groups: what two texts share is no more than their groups do.
    groups: [u16; GROUPS],
    sorted: OnceCell<Vec<(char, char)>>,
}

const GROUPS: usize = 64;

impl<'t> Likeness<'t> {
    pub(crate) fn of(text: &'t str) -> Self {
        let (mut groups, mut count) = ([0u16; GROUPS], 0);
        each_pair(text, |a, b| {
            let group = (u32::from(a).wrapping_mul(31) ^ u32::from(b)).wrapping_mul(0x9E37_79B1) >> 26;
            let place = groups.get_mut(group as usize);
            place.into_iter().for_each(|count| *count = count.saturating_add(1));
            count += 1;
        });
        Self { text, count, groups, sorted: OnceCell::new() }
    }

    fn with(&self, other: &Self) -> f64 {
        self.share(other, shared(self.sorted(), other.sorted()))
    }

    /// Whether they are more alike than this.
    pub(crate) fn is_more_than(&self, alike: f64, other: &Self) -> bool {
        let fewer = self.count.min(other.count);
        if self.share(other, fewer) <= alike {
            return false;
        }
        // What they share is no more than the shorter one has, so the sum cannot run over where that is small.
        let both = self.groups.iter().zip(&other.groups);
        let at_most = both.fold(0u16, |sum, (a, b)| sum.wrapping_add(*a.min(b)));
        if fewer < usize::from(u16::MAX) && self.share(other, usize::from(at_most)) <= alike {
            return false;
        }
        self.with(other) > alike
    }

    fn share(&self, other: &Self, shared: usize) -> f64 {
        let total = self.count + other.count;
        if total == 0 { 0.0 } else { 2.0 * shared as f64 / total as f64 }
    }

    fn sorted(&self) -> &[(char, char)] {
        self.sorted.get_or_init(|| {
            let mut sorted = Vec::with_capacity(self.count);
            each_pair(self.text, |a, b| sorted.push((a, b)));
            sorted.sort_unstable();
            sorted
        })
    }
}

/// Calls for each pair of neighbouring letters; a letter alone is a pair with itself.
fn each_pair(text: &str, mut found: impl FnMut(char, char)) {
    let mut before: Option<char> = None;
    let mut is_alone = true;
    each_letter(text, |letter| {
        if let Some(before) = before.replace(letter) {
            found(before, letter);
            is_alone = false;
        }
    });
    if let Some(only) = before.filter(|_| is_alone) {
        found(only, only);
    }
}

/// How many are in both, each as often as it is in both.
fn shared(mut a: &[(char, char)], mut b: &[(char, char)]) -> usize {
    let mut shared = 0;
    while let ([first, a_rest @ ..], [second, b_rest @ ..]) = (a, b) {
        match first.cmp(second) {
            Ordering::Less => a = a_rest,
            Ordering::Greater => b = b_rest,
            Ordering::Equal => {
                (a, b) = (a_rest, b_rest);
                shared += 1;
            }
        }
    }
    shared
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

fn letters(text: &str) -> String {
    let mut letters = String::new();
    each_letter(text, |letter| letters.push(letter));
    letters
}

/// Calls for each letter and digit, in lower case. Hundreds of texts are read so for a prompt, and nearly all that they are written in
/// needs no table.
fn each_letter(text: &str, mut found: impl FnMut(char)) {
    for letter in text.chars() {
        match letter {
            'a'..='z' | '0'..='9' | CJK_FIRST..=CJK_LAST | KANA_FIRST..=KANA_LAST => found(letter),
            'A'..='Z' => found(letter.to_ascii_lowercase()),
            '\0'..='\x7F' => {}
            letter if letter.is_alphanumeric() => letter.to_lowercase().for_each(&mut found),
            _ => {}
        }
    }
}

/// All between them are letters without case.
const CJK_FIRST: char = '\u{4E00}';
const CJK_LAST: char = '\u{9FFF}';
const KANA_FIRST: char = '\u{3041}';
const KANA_LAST: char = '\u{3096}';

#[cfg(test)]
mod tests {
    use super::{Likeness, each_letter, similarity};

    #[test]
    fn alike_is_what_shares_its_letters() {
        assert_eq!(similarity("张三喜欢火锅。", "张三喜欢火锅"), 1.0);
        assert_eq!(similarity("", ""), 0.0);
        assert_eq!(similarity("猫", "猫"), 1.0);
        assert!(similarity("Mira likes tea", "mira likes TEA!") > 0.99);
        assert!(similarity("张三喜欢火锅", "李四讨厌下雨") < 0.2);
    }

    #[test]
    fn letters_are_read_without_tables_as_they_are_with_them() {
        for letter in '\0'..=char::MAX {
            let mut read = Vec::new();
            each_letter(letter.encode_utf8(&mut [0; 4]), |letter| read.push(letter));
            let expected: Vec<char> = Some(letter)
                .filter(|letter| letter.is_alphanumeric())
                .into_iter()
                .flat_map(char::to_lowercase)
                .collect();
            assert_eq!(read, expected, "{letter:?}");
        }
    }

    #[test]
    fn a_quick_look_says_the_same_as_a_close_one() {
        let texts = [
            "",
            "猫",
            "猫猫猫猫",
            "张三喜欢火锅。",
            "张三喜欢吃火锅",
            "Mira likes tea",
            "MIRA likes the sea",
            "tea, tea, tea",
            "ドラゴン",
        ];
        for (a, b) in texts.iter().flat_map(|a| texts.iter().map(move |b| (a, b))) {
            let (one, other) = (Likeness::of(a), Likeness::of(b));
            for alike in [0.0, 0.3, 0.5, 0.85, 0.99, 1.0] {
                assert_eq!(one.is_more_than(alike, &other), similarity(a, b) > alike, "{a} {b} {alike}");
            }
        }
    }
}
