//! Does a key stand in a text as a word of its own?
//!
//! Chinese and Japanese put no spaces between words, so a key in those scripts needs no boundary, and one of their
//! characters is a boundary for any other key.

/// A key with white space in it is a phrase; it is found wherever its characters stand.
pub(super) fn is_single(key: &str) -> bool {
    !key.contains(char::is_whitespace)
}

/// `from..to` is where the key was found.
pub(super) fn stands_alone(text: &str, from: usize, to: usize) -> bool {
    let Some(key) = text.get(from..to) else { return false };
    let before = text.get(..from).and_then(|text| text.chars().next_back());
    let after = text.get(to..).and_then(|text| text.chars().next());
    is_boundary(before, key.chars().next()) && is_boundary(after, key.chars().next_back())
}

fn is_boundary(neighbour: Option<char>, edge: Option<char>) -> bool {
    let Some(neighbour) = neighbour.filter(|char| is_word(*char)) else { return true };
    edge.is_some_and(|edge| is_unspaced(edge) || (edge.is_ascii() && is_wide(neighbour)))
}

/// Letters and digits of scripts that put spaces between words.
fn is_word(char: char) -> bool {
    char == '_' || (char.is_alphanumeric() && !is_unspaced(char))
}

/// Full-width letters and digits stand in other words than those of ASCII, unless width does not count: then there are
/// none.
fn is_wide(char: char) -> bool {
    ('\u{FF01}'..='\u{FF5E}').contains(&char)
}

/// Scripts written without spaces: ideographs, kana, bopomofo, Thai, Lao, Burmese, Khmer. Hangul has spaces, but its
/// particles hang on the word, so a key must match with one behind it.
fn is_unspaced(char: char) -> bool {
    matches!(char,
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1100}'..='\u{11FF}' | '\u{1780}'..='\u{17FF}'
        | '\u{2E80}'..='\u{31FF}' | '\u{3400}'..='\u{9FFF}' | '\u{A960}'..='\u{A97F}' | '\u{AC00}'..='\u{D7FF}'
        | '\u{F900}'..='\u{FAFF}' | '\u{FF66}'..='\u{FF9F}' | '\u{1B000}'..='\u{1B16F}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_of_its_own() {
        for (text, key, alone) in [
            ("a cat ran", "cat", true),
            ("bobcat", "cat", false),
            ("cats", "cat", false),
            ("cat_1", "cat", false),
            ("\"cat\"", "cat", true),
            ("我的cat跑了", "cat", true),
            ("我看见青龙飞过", "青龙", true),
            ("X青龙2", "青龙", true),
            ("naïveté", "ve", false),
            ("котик", "кот", false),
            ("C++x", "C++", false),
            ("C++ x", "C++", true),
            ("第１cat座", "cat", true),
            ("ＸcatＹ", "cat", true),
            ("ＣＡＴは", "ＣＡＴ", true),
            ("ＣＡＴＳ", "ＣＡＴ", false),
            ("ドラゴンcatが", "cat", true),
            ("ｶﾀﾅcat", "cat", true),
            ("cat2号", "cat", false),
            ("「竜」", "竜", true),
            ("v2竜_x", "竜", true),
        ] {
            let from = text.find(key).unwrap();
            assert_eq!(stands_alone(text, from, from + key.len()), alone, "{key} in {text}");
        }
    }
}
