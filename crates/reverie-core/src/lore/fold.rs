//! When are two spellings the same? Upper and lower case, full and half width, traditional and simplified characters.

use unicode_normalization::UnicodeNormalization;

/// Which differences do not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Folding {
    pub case: bool,
    /// Full-width letters and digits, half-width katakana.
    pub width: bool,
    /// Traditional characters count as their simplified forms.
    pub script: bool,
}

impl Folding {
    pub fn fold(self, text: &str) -> String {
        let mut folded = String::with_capacity(text.len());
        self.fold_into(text, &mut folded);
        folded
    }

    /// Appends what the text is spelled like.
    pub(super) fn fold_into(self, text: &str, folded: &mut String) {
        if self.width && text.chars().any(has_width) {
            let narrow = self.narrow(text);
            return self.fold_letters(&narrow, folded);
        }
        self.fold_letters(text, folded);
    }

    fn fold_letters(self, text: &str, folded: &mut String) {
        if !self.case && !self.script {
            return folded.push_str(text);
        }
        folded.reserve(text.len());
        for char in text.chars() {
            match char {
                '\0'..='\x7f' if self.case => folded.push(char.to_ascii_lowercase()),
                '\0'..='\x7f' => folded.push(char),
                _ if is_caseless(char) => folded.push(if self.script { simplified(char) } else { char }),
                // One letter at the end of a Greek word and inside it; one s that was long.
                'ς' | 'Σ' if self.case => folded.push('σ'),
                'ſ' if self.case => folded.push('s'),
                _ if self.case => folded.extend(char.to_lowercase()),
                _ => folded.push(char),
            }
        }
    }

    /// Runs of characters that come in two widths are composed together: a half-width ｶ and its mark ﾞ are one ガ.
    fn narrow(self, text: &str) -> String {
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
}

/// U+3000 is the wide space, U+FF01 to U+FFEE are the wide and narrow forms.
pub(super) fn has_width(char: char) -> bool {
    char == '\u{3000}' || ('\u{FF01}'..='\u{FFEE}').contains(&char)
}

/// Punctuation, kana, ideographs and Hangul: most of a Chinese or Japanese text, and no case to look up.
pub(super) fn is_caseless(char: char) -> bool {
    matches!(char,
        '\u{2000}'..='\u{206F}' | '\u{2E80}'..='\u{A63F}' | '\u{AC00}'..='\u{D7FF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{FF00}'..='\u{FF20}' | '\u{FF5B}'..='\u{FFEF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Pairs of three bytes each, little endian, sorted by the traditional character.
static SIMPLIFIED: &[u8] = include_bytes!("simplified.bin");
const PAIR: usize = 6;

fn simplified(char: char) -> char {
    let point = |bytes: &[u8]| match bytes {
        [a, b, c] => u32::from_le_bytes([*a, *b, *c, 0]),
        _ => 0,
    };
    let pair = |index: usize| SIMPLIFIED.get(index * PAIR..(index + 1) * PAIR).map(|pair| pair.split_at(3));
    let (mut low, mut high) = (0, SIMPLIFIED.len() / PAIR);
    while low < high {
        let middle = low.midpoint(high);
        let Some((traditional, simple)) = pair(middle) else { return char };
        match point(traditional).cmp(&u32::from(char)) {
            std::cmp::Ordering::Equal => return char::from_u32(point(simple)).unwrap_or(char),
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
        }
    }
    char
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_that_count_as_one() {
        let all = Folding { case: true, width: true, script: true };
        for (text, folded) in [
            ("Dragon", "dragon"),
            ("ＤＲＡＧＯＮ　９", "dragon 9"),
            ("ﾄﾞﾗｺﾞﾝ", "ドラゴン"),
            ("龍與劍", "龙与剑"),
            ("ÀÉ", "àé"),
            ("ΟΔΟΣ", "οδοσ"),
            ("οδος", "οδοσ"),
            ("", ""),
        ] {
            assert_eq!(all.fold(text), folded);
        }
        assert_eq!(Folding::default().fold("龍Ｄﾞ"), "龍Ｄﾞ");
        assert_eq!(Folding { case: true, ..Folding::default() }.fold("龍Ｄ"), "龍ｄ");
    }
}
