//! Which texts must not be taken for each other, however alike their letters are?
//!
//! Those with another number, another day or another denial. What only one of the two says counts too: whoever tells less
//! does not stand for whoever tells more.

use std::sync::{Arc, OnceLock};

use super::evidence::{Stance, how_many_denials, numbers_in};
use crate::lore::fold::Folding;
use crate::numerals::is_numeral;
use crate::time::Moment;
use crate::time_words::{Meaning, named};

/// What was found out about a text once somebody wanted to know, for whoever asks next. Copies share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct KnownFacts(OnceLock<Arc<Read>>);

/// What a text says that one letter changes.
pub(crate) struct Facts<'t> {
    text: &'t str,
    /// As they are written, without zeros before them. Of logs and counters they tell all that there is to know.
    digits: Vec<&'t str>,
    known: &'t KnownFacts,
}

impl<'t> Facts<'t> {
    /// `known` is of this text alone.
    pub(crate) fn of(text: &'t str, known: &'t KnownFacts) -> Self {
        let digits = text.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty());
        let digits = digits.map(|digits| digits.trim_start_matches('0')).collect();
        Self { text, digits, known }
    }

    /// Whether both say the same numbers and days, and deny the same.
    pub(crate) fn agree_with(&self, other: &Self) -> bool {
        // What one writes in words the other may write in digits: then there are more of them.
        let are_others = self.digits.len() == other.digits.len()
            && self.digits != other.digits
            && !(has_numerals(self.text) || has_numerals(other.text));
        self.text == other.text || !are_others && self.agrees_as_read(other)
    }

    fn agrees_as_read(&self, other: &Self) -> bool {
        let (one, another) = (self.read(), other.read());
        one.numbers == another.numbers
            && one.times == another.times
            && one.denials == another.denials
            && !one.stance(self.text).differs_from(another.stance(other.text))
    }

    fn read(&self) -> &'t Read {
        self.known.0.get_or_init(|| Arc::new(Read::new(self.text)))
    }
}

/// 三号, 二十把: one may write in digits what the other does not, and the other way round.
fn has_numerals(text: &str) -> bool {
    text.contains(|c: char| !c.is_ascii() && is_numeral(c))
}

/// What takes longer to find out.
#[derive(Debug)]
struct Read {
    numbers: Vec<i128>,
    times: Vec<(Meaning, bool)>,
    denials: usize,
    /// Cutting a text into words takes longest.
    stance: OnceLock<Stance>,
}

impl Read {
    fn new(text: &str) -> Self {
        let text = in_one_spelling(text);
        let words = named(&text, Moment::default(), None);
        let mut bare = text.clone();
        words.iter().for_each(|word| bare.replace_range(word.at.clone(), &" ".repeat(word.at.len())));
        Self {
            numbers: numbers_in(&bare),
            times: words.iter().map(|word| (word.meaning, word.is_repeated)).collect(),
            denials: how_many_denials(&text),
            stance: OnceLock::new(),
        }
    }

    fn stance(&self, text: &str) -> &Stance {
        self.stance.get_or_init(|| Stance::of(&in_one_spelling(text)))
    }
}

/// As far as words are known in it: those of Japanese are known as Japanese writes them.
fn in_one_spelling(text: &str) -> String {
    let script = !text.chars().any(|c| matches!(c, '\u{3041}'..='\u{309F}'));
    Folding { case: false, width: true, script }.fold(text)
}

#[cfg(test)]
mod tests {
    use super::{Facts, KnownFacts};

    fn agree(one: &str, other: &str) -> bool {
        let (known, also) = (KnownFacts::default(), KnownFacts::default());
        let (one, other) = (Facts::of(one, &known), Facts::of(other, &also));
        let agree = one.agree_with(&other);
        // What was found out before says the same.
        assert_eq!(one.agree_with(&other), agree);
        agree
    }

    #[test]
    fn what_one_letter_changes() {
        for (one, other) in [
            ("I am allergic to peanuts and shrimp.", "I am not allergic to peanuts and shrimp."),
            ("He can swim.", "He can't swim."),
            ("She likes the harbour town", "She hates the harbour town"),
            ("coffee with milk", "coffee without milk"),
            ("Tom ate 3 apples", "Tom ate 4 apples"),
            ("Tom ate three apples", "Tom ate 4 apples"),
            ("Tom ate apples", "Tom ate 4 apples"),
            ("3 apples and 4 pears", "4 apples and 3 pears"),
            ("We leave for Kyoto on Monday", "We leave for Kyoto on Tuesday"),
            ("We met on May 3rd", "We met on May 4th"),
            ("密码是4471", "密码是4472"),
            ("密码是４４７１", "密码是4472"),
            ("我欠你100元", "我欠你1000元"),
            ("我欠你一百元", "我欠你两百元"),
            ("莱在三号仓库藏了20把剑", "莱在4号仓库藏了二十把剑"),
            ("莱在三号仓库藏了二十把剑", "莱在3号仓库藏了21把剑"),
            ("他说他会来参加我的婚礼", "他说他不会来参加我的婚礼"),
            ("他說他會來參加我的婚禮", "他說他不會來參加我的婚禮"),
            ("她喜欢下雨天", "她讨厌下雨天"),
            ("我们星期一去京都", "我们星期二去京都"),
            ("我们五月三日见面", "我们五月四日见面"),
            ("明天去看海", "后天去看海"),
            ("彼は結婚式に来る", "彼は結婚式に来ない"),
            ("彼は結婚式に来ます", "彼は結婚式に来ません"),
            ("月曜日に京都へ行く", "火曜日に京都へ行く"),
        ] {
            assert!(!agree(one, other), "{one} / {other}");
            assert!(!agree(other, one), "{other} / {one}");
        }
    }

    #[test]
    fn what_spelling_does_not_change() {
        for (one, other) in [
            ("Tom ate 3 apples.", "Tom ate three apples"),
            ("I can't swim", "I cannot swim!"),
            ("我欠你100元", "我欠你一百元。"),
            ("莱在三号仓库藏了二十把剑", "莱在3号仓库藏了20把剑"),
            ("莱在三号仓库藏了20把剑", "莱在3号仓库藏了二十把剑"),
            ("剣は二十本ある", "剣は20本ある"),
            ("密码是４４７１", "密码是4471"),
            ("他说他不会来参加我的婚礼", "他說他不會來參加我的婚禮"),
            ("我没有告诉别人", "我沒有告訴別人"),
            ("我们星期一去京都", "我們星期一去京都"),
            ("莱姆在灯塔下向小雪求婚了", "莱姆在旧灯塔下向小雪求婚了"),
            ("彼は結婚式に来ない", "彼は結婚式に来ない。"),
        ] {
            assert!(agree(one, other), "{one} / {other}");
        }
    }
}
