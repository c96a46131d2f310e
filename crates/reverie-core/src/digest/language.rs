//! Which language is a text in, so that what is made of it stays in it?

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tongue {
    Chinese,
    Japanese,
    /// Written with letters: English, or one that is not told apart from it.
    Alphabetic,
}

/// Of so many letters at least it is told that they are of no other script; one of another in so many is a name or a quotation.
const ENOUGH: usize = 40;
const OTHERS_IN: usize = 50;

/// By its letters. One Han character says as much as a short word, and kana are found in Japanese alone.
pub fn tongue_of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Tongue {
    let Letters { han, kana, others } = Letters::of(texts);
    if kana * 8 > han + kana && (han + kana) * 3 > others {
        return Tongue::Japanese;
    }
    if han * 3 > others { Tongue::Chinese } else { Tongue::Alphabetic }
}

/// Whether so much was said that it can be told: not in Chinese or Japanese, and by nobody whose name is.
pub fn is_of_letters<'a>(
    texts: impl IntoIterator<Item = &'a str>,
    names: impl IntoIterator<Item = &'a str>,
) -> bool {
    let said = Letters::of(texts);
    let all = said.others + said.of_east();
    all >= ENOUGH && said.of_east() * OTHERS_IN < all && Letters::of(names).of_east() == 0
}

/// How many of each script.
struct Letters {
    han: usize,
    kana: usize,
    others: usize,
}

impl Letters {
    fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut letters = Self { han: 0, kana: 0, others: 0 };
        for c in texts.into_iter().flat_map(str::chars) {
            match c {
                '\u{3040}'..='\u{30FF}' | '\u{FF66}'..='\u{FF9D}' => letters.kana += 1,
                '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}' => {
                    letters.han += 1
                }
                _ if c.is_alphabetic() => letters.others += 1,
                _ => {}
            }
        }
        letters
    }

    fn of_east(&self) -> usize {
        self.han + self.kana
    }
}

#[cfg(test)]
mod tests {
    use super::{Tongue, is_of_letters, tongue_of};

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

    #[test]
    fn whoever_says_little_says_it_in_no_language() {
        let long = "I moved to Bergen last spring, and my sister plays the cello there.";
        let code = "fn main() { let value = compute(argument); println!(value); }";
        for (texts, names, expected) in [
            (&[long][..], &["Mei", "assistant"][..], true),
            (&["Good evening! I moved to", "Bergen last spring, by boat."], &["Mei"], true),
            (&["Good evening!", "I see."], &["Mei"], false),
            (&[long], &["Mei", "钦灵"], false),
            (&[long], &["さくら"], false),
            (&[long, "Её зовут Анна."], &["Anna"], true),
            (&["看看这段代码", code], &["user"], false),
            (&[code, code, code, code, code, code, code, code, "看"], &["user"], true),
            (&["こんばんは", long], &["user"], false),
            (&["42?"], &[], false),
            (&[], &[], false),
        ] {
            assert_eq!(is_of_letters(texts.iter().copied(), names.iter().copied()), expected, "{texts:?}");
        }
    }
}
