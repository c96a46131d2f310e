//! How alike are two texts, letter by letter?

use std::cell::OnceCell;
use std::cmp::Ordering;

use crate::digest::{Facts, KnownFacts, without_form};
use crate::mind::terms::SPELLING;
use crate::numerals::in_digits;

/// How alike two texts are, from 0 to 1: pairs of neighbouring characters that they share, in one spelling, with numbers in digits,
/// without spaces and punctuation.
pub fn similarity(a: &str, b: &str) -> f64 {
    let (one, other) = (Outline::of(a), Outline::of(b));
    Likeness::of(a, &one).with(&Likeness::of(b, &other))
}

/// What tells that texts are not alike without reading them: for a prompt, hundreds are compared with a few.
#[derive(Debug, Clone)]
pub(crate) struct Outline {
    /// How many pairs a text has.
    count: u32,
    /// How many pairs fall into each of some groups, as far as a byte can count: what two texts share is no more than their groups do.
    groups: [u8; GROUPS],
    /// Of those that are alike, what they say is compared too, with every prompt.
    facts: KnownFacts,
}

impl PartialEq for Outline {
    fn eq(&self, other: &Self) -> bool {
        (self.count, self.groups) == (other.count, other.groups)
    }
}

const GROUPS: usize = 64;

impl Outline {
    pub(crate) fn of(text: &str) -> Self {
        let (mut groups, mut count) = ([0u8; GROUPS], 0u32);
        each_pair(text, |a, b| {
            let group = (u32::from(a).wrapping_mul(31) ^ u32::from(b)).wrapping_mul(0x9E37_79B1) >> 26;
            let place = groups.get_mut(group as usize);
            place.into_iter().for_each(|count| *count = count.saturating_add(1));
            count = count.saturating_add(1);
        });
        Self { count, groups, facts: KnownFacts::default() }
    }

    /// False: the two are not more alike than this. True: they may be.
    fn may_be_more_than(&self, alike: f64, other: &Self) -> bool {
        if self.share(other, self.count.min(other.count)) <= alike {
            return false;
        }
        let (mut at_most, mut most) = (0u16, 0u8);
        for (one, other) in self.groups.iter().zip(&other.groups) {
            let both = *one.min(other);
            at_most += u16::from(both);
            most = most.max(both);
        }
        // What was not counted to its end in both may be more in both.
        most == u8::MAX || self.share(other, u32::from(at_most)) > alike
    }

    fn share(&self, other: &Self, shared: u32) -> f64 {
        let total = u64::from(self.count) + u64::from(other.count);
        if total == 0 { 0.0 } else { 2.0 * f64::from(shared) / total as f64 }
    }
}

/// A text, ready to be compared with many.
pub(crate) struct Likeness<'t> {
    text: &'t str,
    outline: &'t Outline,
    sorted: OnceCell<Vec<(char, char)>>,
    facts: OnceCell<Facts<'t>>,
}

impl<'t> Likeness<'t> {
    /// `outline` is that of the text.
    pub(crate) fn of(text: &'t str, outline: &'t Outline) -> Self {
        Self { text, outline, sorted: OnceCell::new(), facts: OnceCell::new() }
    }

    fn with(&self, other: &Self) -> f64 {
        self.outline.share(other.outline, shared(self.sorted(), other.sorted()))
    }

    /// Whether one of them can stand for the other: they are more alike than this, and no number, day or denial is another one.
    pub(crate) fn says_the_same_as(&self, other: &Self, alike: f64) -> bool {
        self.is_more_than(alike, other) && self.facts().agree_with(other.facts())
    }

    fn facts(&self) -> &Facts<'t> {
        self.facts.get_or_init(|| Facts::of(self.text, &self.outline.facts))
    }

    fn is_more_than(&self, alike: f64, other: &Self) -> bool {
        self.outline.may_be_more_than(alike, other.outline) && self.with(other) > alike
    }

    fn sorted(&self) -> &[(char, char)] {
        self.sorted.get_or_init(|| {
            let mut sorted = Vec::with_capacity(self.outline.count as usize);
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
    each_letter(&in_digits(&SPELLING.fold(without_form(text))), |letter| {
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
fn shared(mut a: &[(char, char)], mut b: &[(char, char)]) -> u32 {
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

/// A text without all that is neither letter nor digit, in lower case.
pub(crate) fn letters(text: &str) -> String {
    let mut letters = String::new();
    each_letter(text, |letter| letters.push(letter));
    letters
}

/// Calls for each letter and digit, in lower case. Nearly all that texts are written in needs no table for that.
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
    use super::{Likeness, Outline, each_letter, similarity};

    #[test]
    fn alike_is_what_shares_its_letters() {
        assert_eq!(similarity("张三喜欢火锅。", "张三喜欢火锅"), 1.0);
        assert_eq!(similarity("", ""), 0.0);
        assert_eq!(similarity("猫", "猫"), 1.0);
        assert!(similarity("Mira likes tea", "mira likes TEA!") > 0.99);
        assert!(similarity("张三喜欢火锅", "李四讨厌下雨") < 0.2);
        assert_eq!(similarity("張三說他不會來參加婚禮", "张三说他不会来参加婚礼"), 1.0);
        assert_eq!(similarity("密码是４４７１", "密码是4471"), 1.0);
        assert_eq!(similarity("莱在三号仓库藏了二十把剑", "莱在3号仓库藏了20把剑"), 1.0);
        assert_eq!(similarity("二〇一九年欠你三百五，一九年欠一万二千", "2019年欠你350，19年欠12,000"), 1.0);
        assert_eq!(similarity("剣は二十本ある", "剣は２０本ある"), 1.0);
        assert!(similarity("周三5点", "周二5点") < 1.0);
        assert_eq!(
            similarity(
                "[对话参与者：Ann、Bob]\nAnn: \"Hi there.\"",
                "[Participants: Ann, Bob]\nAnn: \"Hi there.\""
            ),
            1.0
        );
    }

    #[test]
    fn letters_are_read_without_tables_as_they_are_with_them() {
        for letter in '\0'..=char::MAX {
            let mut read = Vec::new();
            each_letter(letter.encode_utf8(&mut [0; 4]), |letter| read.push(letter));
            let letter = Some(letter).filter(|letter| letter.is_alphanumeric());
            let expected: Vec<char> = letter.into_iter().flat_map(char::to_lowercase).collect();
            assert_eq!(read, expected, "{letter:?}");
        }
    }

    #[test]
    fn a_quick_look_says_the_same_as_a_close_one() {
        let (long, longer) = ("tea".repeat(200), "tea".repeat(250));
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
            &long,
            &longer,
        ];
        for (a, b) in texts.iter().flat_map(|a| texts.iter().map(move |b| (a, b))) {
            let (outline_a, outline_b) = (Outline::of(a), Outline::of(b));
            let (one, other) = (Likeness::of(a, &outline_a), Likeness::of(b, &outline_b));
            for alike in [0.0, 0.3, 0.5, 0.85, 0.9, 0.99, 1.0] {
                assert_eq!(one.is_more_than(alike, &other), similarity(a, b) > alike, "{a} {b} {alike}");
            }
        }
    }
}
