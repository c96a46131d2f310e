//! How is a text read character by character, whatever its width and script?

use std::ops::Range;

use super::meaning::Meaning;
use super::own_names::Names;
use crate::numerals::{is_numeral, values};

/// The characters of a text, each as its plain form: 週 is 周, ３ is 3.
pub(super) struct Text {
    /// With their places in bytes.
    chars: Vec<(usize, char)>,
    bytes: usize,
    /// What the world calls its months.
    pub(super) names: Names,
}

/// A word for a time at these characters.
pub(super) struct Word {
    pub(super) chars: Range<usize>,
    pub(super) meaning: Meaning,
    pub(super) is_repeated: bool,
}

impl Text {
    pub(super) fn new(text: &str) -> Self {
        let chars = text.char_indices().map(|(at, c)| (at, plain(c))).collect();
        Self { chars, bytes: text.len(), names: Names::default() }
    }

    pub(super) fn with(mut self, names: Names) -> Self {
        self.names = names;
        self
    }

    pub(super) fn len(&self) -> usize {
        self.chars.len()
    }

    pub(super) fn at(&self, place: usize) -> Option<char> {
        self.chars.get(place).map(|(_, c)| *c)
    }

    pub(super) fn before(&self, place: usize) -> Option<char> {
        self.at(place.checked_sub(1)?)
    }

    /// Whether it is Japanese: 七夕 is another day there.
    pub(super) fn has_kana(&self) -> bool {
        self.chars.iter().any(|(_, c)| matches!(c, '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}'))
    }

    /// Where these characters are in the text.
    pub(super) fn bytes(&self, chars: &Range<usize>) -> Range<usize> {
        let byte = |place: usize| self.chars.get(place).map_or(self.bytes, |(at, _)| *at);
        byte(chars.start)..byte(chars.end)
    }

    /// Where a word ends that begins here.
    pub(super) fn skip(&self, place: usize, word: &str) -> Option<usize> {
        let mut end = place;
        for c in word.chars() {
            if self.at(end) != Some(c) {
                return None;
            }
            end += 1;
        }
        Some(end)
    }

    /// The first of these words that begins here: what it means, and where it ends.
    pub(super) fn one_of<T: Copy>(&self, place: usize, words: &[(&str, T)]) -> Option<(T, usize)> {
        words.iter().find_map(|(word, meaning)| Some((*meaning, self.skip(place, word)?)))
    }

    /// Behind one of these words, or here.
    pub(super) fn skip_any(&self, place: usize, words: &[&str]) -> usize {
        words.iter().find_map(|word| self.skip(place, word)).unwrap_or(place)
    }

    /// A whole number in digits or Chinese numerals, and where it ends. 三四 is no number that one could rely on.
    pub(super) fn number(&self, place: usize) -> Option<(i64, usize)> {
        // 第3 is something else.
        self.value(place).filter(|_| self.before(place) != Some('第'))
    }

    /// 第3, 第三.
    pub(super) fn ordinal(&self, place: usize) -> Option<(i64, usize)> {
        self.value(self.skip(place, "第")?)
    }

    fn value(&self, place: usize) -> Option<(i64, usize)> {
        const MOST: usize = 6;
        // 周三5点: digits and numerals of the other kind are two numbers.
        let first = self.at(place).filter(|c| is_numeral(*c))?;
        let is_same = |c: char| is_numeral(c) && c.is_ascii_digit() == first.is_ascii_digit();
        let written: String =
            (place..place + MOST).map_while(|at| self.at(at)).take_while(|c| is_same(*c)).collect();
        let end = place + written.chars().count();
        let goes_on = self.at(end).is_some_and(is_numeral);
        // 3.5 is something else, and so is what begins inside of a longer number.
        let is_part = self.before(place).is_some_and(|c| is_same(c) || c == '.');
        match values(&written).as_slice() {
            [value] if !written.is_empty() && !goes_on && !is_part && value.fract() == 0.0 => {
                Some((*value as i64, end))
            }
            _ => None,
        }
    }
}

fn plain(c: char) -> char {
    match c {
        '\u{FF10}'..='\u{FF19}' | '\u{FF21}'..='\u{FF3A}' | '\u{FF41}'..='\u{FF5A}' | '／' | '－' => {
            char::from_u32(c as u32 - 0xFEE0).unwrap_or(c)
        }
        '週' => '周',
        '個' => '个',
        '後' => '后',
        '號' => '号',
        '禮' => '礼',
        '來' => '来',
        '這' => '这',
        '兩' => '两',
        '間' => '间',
        '過' => '过',
        '幾' => '几',
        '聖' => '圣',
        '誕' => '诞',
        '節' => '节',
        '國' => '国',
        '慶' => '庆',
        '勞' => '劳',
        '動' => '动',
        '兒' => '儿',
        '萬' => '万',
        '農' => '农',
        '曆' => '历',
        '’' => '\'',
        // In 二ヶ月 and the like.
        'ヶ' | 'ヵ' | 'ケ' | 'カ' | '箇' => 'か',
        '\u{3000}' => ' ',
        c => c,
    }
}
