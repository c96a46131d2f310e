//! When are two spellings the same? Upper and lower case, full and half width, composed and decomposed characters,
//! traditional, simplified and Japanese forms.

mod script;

use std::borrow::Cow;
use std::sync::OnceLock;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{canonical_combining_class, compose};

use script::simplified;

/// Marks that stand beside a kana instead of upon it, and those that stand upon it.
const SPACED_MARKS: [(char, char); 2] = [('\u{309B}', '\u{3099}'), ('\u{309C}', '\u{309A}')];
const NARROW_MARKS: [char; 2] = ['\u{FF9E}', '\u{FF9F}'];

/// Which differences do not count. Where width or script does not, it does not count either whether a character is
/// written as one or as a letter and its marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Folding {
    pub case: bool,
    /// Full-width letters and digits, half-width katakana.
    pub width: bool,
    /// Traditional and Japanese characters count as their simplified forms.
    pub script: bool,
}

impl Folding {
    pub fn fold(self, text: &str) -> String {
        if text.is_ascii() {
            return if self.case { text.to_ascii_lowercase() } else { text.to_owned() };
        }
        let mut folded = String::with_capacity(text.len());
        self.fold_into(text, &mut folded);
        folded
    }

    /// Appends what the text is spelled like.
    pub(super) fn fold_into(self, text: &str, folded: &mut String) {
        if !self.joins_characters() {
            return self.fold_letters(text, folded);
        }
        let narrow = match self.width && text.chars().any(has_width) {
            true => Cow::Owned(narrow(text)),
            false => Cow::Borrowed(text),
        };
        self.fold_letters(&composed(&narrow), folded);
    }

    /// Of each character of a text, the byte at which that ends in the folded text which is made of it, and of its marks.
    #[cold]
    pub(super) fn ends(self, text: &str) -> Vec<usize> {
        let mut ends = Vec::new();
        let (mut folded, mut before) = (0, None);
        let mut letter = String::new();
        for char in text.chars() {
            if !before.is_some_and(|before| self.is_mark(before, char)) {
                folded += self.fold(&letter).len();
                let of_letter = letter.chars().count();
                ends.extend(std::iter::repeat_n(folded, of_letter));
                letter.clear();
            }
            letter.push(char);
            before = before.and_then(|before| compose(before, char)).or(Some(char));
        }
        folded += self.fold(&letter).len();
        ends.extend(std::iter::repeat_n(folded, letter.chars().count()));
        ends
    }

    /// True if more than the case of single letters does not count.
    pub(super) fn joins_characters(self) -> bool {
        self.width || self.script
    }

    /// True if a character is part of the one before it.
    pub(super) fn is_mark(self, before: char, char: char) -> bool {
        self.joins_characters()
            && (canonical_combining_class(char) != 0
                || compose(before, char).is_some()
                || SPACED_MARKS.iter().any(|(spaced, _)| *spaced == char)
                || (self.width && NARROW_MARKS.contains(&char)))
    }

    /// Characters that by themselves count as another one, and which, sorted. Case is left aside.
    pub(super) fn changes(self) -> &'static [(char, char)] {
        static WIDTH: OnceLock<Vec<(char, char)>> = OnceLock::new();
        static SCRIPT: OnceLock<Vec<(char, char)>> = OnceLock::new();
        static BOTH: OnceLock<Vec<(char, char)>> = OnceLock::new();
        let kept = match (self.width, self.script) {
            (false, false) => return &[],
            (true, false) => &WIDTH,
            (false, true) => &SCRIPT,
            (true, true) => &BOTH,
        };
        kept.get_or_init(|| Self { case: false, ..self }.find_changes())
    }

    fn find_changes(self) -> Vec<(char, char)> {
        // One that is two characters when it is decomposed is composed again; those with others are in these blocks.
        let blocks = ['\u{340}'..='\u{387}', '\u{1F00}'..='\u{1FFF}', '\u{2000}'..='\u{232A}']
            .into_iter()
            .chain(['\u{3000}'..='\u{3000}', '\u{F900}'..='\u{FAFF}', '\u{FF01}'..='\u{FFEE}'])
            .chain(std::iter::once('\u{2F800}'..='\u{2FA1F}'))
            .flatten();
        let mut changes: Vec<(char, char)> = blocks
            .chain(script::traditional())
            .filter_map(|char| {
                let folded = self.fold(char.encode_utf8(&mut [0; 4]));
                let mut chars = folded.chars();
                let first = chars.next().filter(|first| *first != char && chars.next().is_none())?;
                Some((char, first))
            })
            .collect();
        changes.sort_unstable();
        changes.dedup();
        changes
    }

    fn fold_letters(self, text: &str, folded: &mut String) {
        if !self.case && !self.script {
            return folded.push_str(text);
        }
        folded.reserve(text.len());
        // Most characters stay as they are: what lies between two that change is copied at once.
        let mut copied = 0;
        for (at, char) in text.char_indices() {
            let one = match char {
                'A'..='Z' if self.case => Some(char.to_ascii_lowercase()),
                '\0'..='\x7f' => continue,
                _ if is_caseless(char) => match self.script.then(|| simplified(char)) {
                    Some(other) if other != char => Some(other),
                    _ => continue,
                },
                _ if !self.case => continue,
                // One letter at the end of a Greek word and inside it; one s that was long.
                'ς' | 'Σ' => Some('σ'),
                'ſ' => Some('s'),
                _ => None,
            };
            folded.push_str(text.get(copied..at).unwrap_or_default());
            match one {
                Some(one) => folded.push(one),
                None => folded.extend(char.to_lowercase()),
            }
            copied = at + char.len_utf8();
        }
        folded.push_str(text.get(copied..).unwrap_or_default());
    }
}

/// Runs of characters that come in two widths are composed together: a half-width ｶ and its mark ﾞ are one ガ.
fn narrow(text: &str) -> String {
    let mut narrow = String::with_capacity(text.len());
    let mut run = String::new();
    for char in text.chars() {
        if has_width(char) {
            run.push(char);
            continue;
        }
        narrow.extend(run.nfkc());
        run.clear();
        narrow.push(char);
    }
    narrow.extend(run.nfkc());
    narrow
}

/// A letter and its marks become one character, where there is one.
fn composed(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_composed) {
        return Cow::Borrowed(text);
    }
    let mut before = None;
    let marked = text.chars().map(|char| {
        let upon = SPACED_MARKS.iter().find(|(spaced, _)| *spaced == char).map(|(_, upon)| *upon);
        let joined = upon.filter(|upon| before.is_some_and(|before| compose(before, *upon).is_some()));
        let char = joined.unwrap_or(char);
        before = Some(char);
        char
    });
    Cow::Owned(marked.nfc().collect())
}

/// Most of what is written: it neither changes when it is composed nor joins what stands before it.
fn is_composed(char: char) -> bool {
    matches!(char,
        '\0'..='\u{2FF}' | '\u{2010}'..='\u{2027}' | '\u{3000}'..='\u{3029}' | '\u{3030}'..='\u{3098}'
        | '\u{309D}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' | '\u{FF00}'..='\u{FFEF}')
}

/// U+3000 is the wide space, U+FF01 to U+FFEE are the wide and narrow forms.
fn has_width(char: char) -> bool {
    char == '\u{3000}' || ('\u{FF01}'..='\u{FFEE}').contains(&char)
}

/// Punctuation, kana, ideographs and Hangul: most of a Chinese or Japanese text, and no case to look up.
fn is_caseless(char: char) -> bool {
    matches!(char,
        '\u{2000}'..='\u{206F}' | '\u{2E80}'..='\u{A63F}' | '\u{AC00}'..='\u{D7FF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{FF00}'..='\u{FF20}' | '\u{FF5B}'..='\u{FFEF}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use unicode_normalization::is_nfc;

    use super::*;

    #[test]
    fn spellings_that_count_as_one() {
        let all = Folding { case: true, width: true, script: true };
        for (text, folded) in [
            ("Dragon", "dragon"),
            ("ＤＲＡＧＯＮ　９", "dragon 9"),
            ("ﾄﾞﾗｺﾞﾝ", "ドラゴン"),
            ("ト\u{3099}ラコﾞン", "ドラゴン"),
            ("か\u{3099}は\u{309C}", "がぱ"),
            ("「\u{309B}」", "「\u{309B}」"),
            ("cafe\u{301}", "café"),
            ("\u{1112}\u{1161}\u{11AB}", "한"),
            ("龍與劍", "龙与剑"),
            ("竜と剣", "龙と剑"),
            ("斎藤 齋藤 斋藤", "斋藤 斋藤 斋藤"),
            ("広島 廣島 广岛", "广岛 广岛 广岛"),
            ("渡邊 渡邉 渡辺", "渡边 渡边 渡边"),
            ("弁 予 欠", "弁 予 欠"),
            ("研究 硏究 太郎 太郞", "研究 研究 太郎 太郎"),
            ("ÀÉ", "àé"),
            ("ΟΔΟΣ", "οδοσ"),
            ("οδος", "οδοσ"),
            ("", ""),
        ] {
            assert_eq!(all.fold(text), folded);
        }
        assert_eq!(Folding::default().fold("龍Ｄﾞ"), "龍Ｄﾞ");
        assert_eq!(Folding { case: true, ..Folding::default() }.fold("龍Ｄe\u{301}"), "龍ｄe\u{301}");
        for (width, script) in [(true, false), (false, true)] {
            assert_eq!(Folding { case: false, width, script }.fold("か\u{3099}"), "が");
        }
    }

    /// What stands at a byte of the folded text is found in the text as it was written.
    #[test]
    fn a_place_in_the_folded_text_is_one_in_the_text() {
        let all = Folding { case: true, width: true, script: true };
        for (text, key, place) in [
            ("The Dragon", "dragon", 4),
            ("我看见青龍飞过", "青龙", 3),
            ("ﾄﾞﾗｺﾞﾝとﾈｺ", "ネコ", 7),
            ("か\u{3099}の竜", "龙", 3),
            ("İstanbul cat", "cat", 9),
            ("\u{1112}\u{1161}\u{11AB} cat", "cat", 4),
            ("e\u{301}e\u{301}x", "x", 4),
            ("ＡＢＣ", "c", 2),
            ("", "", 0),
        ] {
            let folded = all.fold(text);
            let ends = all.ends(text);
            assert_eq!(ends.last().copied().unwrap_or(0), folded.len(), "{text}");
            let byte = folded.find(key).unwrap();
            assert_eq!(ends.partition_point(|end| *end <= byte), place, "{key} in {text}");
        }
    }

    #[test]
    fn what_is_folded_is_not_folded_again() {
        let all = Folding { case: false, width: true, script: true };
        for char in '\0'..=char::MAX {
            let once = all.fold(char.encode_utf8(&mut [0; 4]));
            assert_eq!(all.fold(&once), once, "{char:?}");
            assert!(!is_composed(char) || is_nfc(char.encode_utf8(&mut [0; 4])), "{char:?}");
            let change = all.changes().binary_search_by_key(&char, |change| change.0);
            let changed = change.ok().map(|place| all.changes()[place].1);
            let mut folded = once.chars();
            let alone = folded.next().filter(|first| *first != char && folded.next().is_none());
            assert_eq!(changed, alone, "{char:?}");
        }
    }
}
