//! Which language is a text in, so that what is made of it stays in it?

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tongue {
    Chinese,
    Japanese,
    /// Written with letters: English, or one that is not told apart from it.
    Alphabetic,
}

/// By its letters. One Han character says as much as a short word, and kana are found in Japanese alone.
pub fn tongue_of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Tongue {
    let (mut han, mut kana, mut letters) = (0usize, 0usize, 0usize);
    for c in texts.into_iter().flat_map(str::chars) {
        match c {
            '\u{3040}'..='\u{30FF}' | '\u{FF66}'..='\u{FF9D}' => kana += 1,
            '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}' => han += 1,
            _ if c.is_alphabetic() => letters += 1,
            _ => {}
        }
    }
    if kana * 8 > han + kana && (han + kana) * 3 > letters {
        return Tongue::Japanese;
    }
    if han * 3 > letters { Tongue::Chinese } else { Tongue::Alphabetic }
}

#[cfg(test)]
mod tests {
    use super::{Tongue, tongue_of};

    #[test]
    fn a_text_keeps_its_language() {
        for (text, tongue) in [
            ("你好，今天天气真好。", Tongue::Chinese),
            ("明日は雨が降るので傘を持って行きましょう", Tongue::Japanese),
            ("It will rain tomorrow, says 张三.", Tongue::Alphabetic),
            ("我用 Rust 写了一个 memory 引擎", Tongue::Chinese),
            ("東京タワーに行った", Tongue::Japanese),
            ("", Tongue::Alphabetic),
        ] {
            assert_eq!(tongue_of([text]), tongue, "{text}");
        }
    }
}
