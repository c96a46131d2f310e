//! How is a key written where slashes make the difference between a pattern and plain text?
//!
//! Some tools say of all keys of an entry whether they are patterns. Where each key says it itself, by standing between slashes,
//! the same is meant by another key.

use super::fold::Folding;
use super::macros::has_macros;
use super::pattern::{self, Pattern, Purse, Refusal};

/// How the key that is to be written looks for its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Looks {
    pub case_sensitive: bool,
    pub whole_words: bool,
}

impl Looks {
    fn flags(self) -> &'static str {
        if self.case_sensitive { "" } else { "i" }
    }
}

/// Whether a key stands between slashes, so that it is read as a pattern.
pub fn is_pattern(key: &str) -> bool {
    pattern::split(key.trim()).is_some()
}

/// Whether a plain text says something else if it is read as a pattern.
pub fn is_special(text: &str) -> bool {
    text.contains(SPECIAL)
}

/// The key between slashes that means what this pattern means. None: it cannot be read as a pattern, and is plain text.
pub fn of_pattern(source: &str, looks: Looks) -> Option<String> {
    let source = source.trim();
    // Who is named makes no difference to whether it can be read.
    let sample = if has_macros(source) { source.replace(['{', '}'], "x") } else { source.to_owned() };
    let read = Pattern::new(&sample, looks.flags(), Folding::default(), &mut Purse::for_scan());
    if source.is_empty() || matches!(read, Err(Refusal::Wrong(_))) {
        return None;
    }
    let mut inside = String::with_capacity(source.len() + 2);
    let mut is_escaped = false;
    for c in source.chars() {
        match c {
            '/' if !is_escaped => push_slash(&mut inside),
            c => inside.push(c),
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    Some(format!("/{inside}/{}", looks.flags()))
}

/// The key between slashes that looks for this text as it is. None: it names somebody, and whom shows only when it is read.
pub fn of_plain(text: &str, looks: Looks) -> Option<String> {
    let text = text.trim();
    if text.is_empty() || has_macros(text) {
        return None;
    }
    let mut inside = String::with_capacity(text.len() * 2);
    for c in text.chars() {
        match c {
            '/' => push_slash(&mut inside),
            c if SPECIAL.contains(&c) => inside.extend(['\\', c]),
            c => inside.push(c),
        }
    }
    // As whole words are looked for where keys are plain.
    if looks.whole_words && !text.contains(char::is_whitespace) {
        inside = format!(r"(?:^|\W){inside}(?:$|\W)");
    }
    Some(format!("/{inside}/{}", looks.flags()))
}

const SPECIAL: &[char] = &['\\', '^', '$', '.', '|', '?', '*', '+', '(', ')', '[', ']', '{', '}'];

/// Behind a backslash, that of another character, readers would take the slash for an escaped one.
fn push_slash(inside: &mut String) {
    inside.push_str(if inside.ends_with('\\') { r"\x2f" } else { r"\/" });
}

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: Looks = Looks { case_sensitive: false, whole_words: false };

    #[test]
    fn keys_between_slashes() {
        for (key, expected) in [
            ("/a/i", true),
            (" /月/ ", true),
            ("/a/b/", false),
            (r"/a\/b/", true),
            ("/a/x", false),
            ("//", false),
            ("a/b", false),
        ] {
            assert_eq!(is_pattern(key), expected, "{key}");
        }
    }

    #[test]
    fn patterns_and_texts_as_keys_between_slashes() {
        for (source, of_pattern, of_plain) in [
            ("^har.*$", Some("/^har.*$/i"), Some(r"/\^har\.\*\$/i")),
            (" a/b ", Some(r"/a\/b/i"), Some(r"/a\/b/i")),
            (r"a\/b", Some(r"/a\/b/i"), Some(r"/a\\\x2fb/i")),
            (r"a\\/b", Some(r"/a\\\x2fb/i"), Some(r"/a\\\\\x2fb/i")),
            ("[/]", Some(r"/[\/]/i"), Some(r"/\[\/\]/i")),
            ("c++", None, Some(r"/c\+\+/i")),
            ("[", None, Some(r"/\[/i")),
            ("月|星", Some("/月|星/i"), Some(r"/月\|星/i")),
            ("{{char}}s", Some("/{{char}}s/i"), None),
            (" ", None, None),
        ] {
            assert_eq!(super::of_pattern(source, USUAL).as_deref(), of_pattern, "{source}");
            assert_eq!(super::of_plain(source, USUAL).as_deref(), of_plain, "{source}");
            for key in [of_pattern, of_plain].into_iter().flatten() {
                assert!(is_pattern(key), "{key}");
            }
        }
        let strict = Looks { case_sensitive: true, whole_words: true };
        assert_eq!(super::of_plain("/cat/", strict).as_deref(), Some(r"/(?:^|\W)\/cat\/(?:$|\W)/"));
        assert_eq!(super::of_plain("/a cat/", strict).as_deref(), Some(r"/\/a cat\//"));
        assert_eq!(super::of_pattern("cat", strict).as_deref(), Some("/cat/"));
    }
}
