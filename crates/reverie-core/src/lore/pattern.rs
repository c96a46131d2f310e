//! What does a key of the form `/pattern/flags` match?
//!
//! Authors write JavaScript's patterns. They are translated (`javascript`) and run by an engine that knows look-around
//! and back-references, with a limit on its steps: a pattern that would search for ever finds nothing and says so.

mod javascript;

mod needs;

/// Steps of backtracking in one search; some hundredths of a second.
const MOST_STEPS: usize = 200_000;
/// Bytes that one compiled pattern may take.
const MOST_SIZE: usize = 1 << 20;
/// Bytes of a pattern.
const MOST_LENGTH: usize = 4 << 10;

#[derive(Debug, Clone)]
pub(super) struct Pattern {
    engine: Engine,
    ignores_case: bool,
    needs: Vec<String>,
}

#[derive(Debug, Clone)]
enum Engine {
    /// Reads the text once.
    Straight(regex::Regex),
    /// For look-around and back-references.
    Backtracking(fancy_regex::Regex),
}

/// What a search said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Search {
    Found,
    NotFound,
    /// The limit was reached.
    GivenUp,
}

impl Pattern {
    /// None: the key is no pattern. An error: it wants to be one.
    pub(super) fn from_key(key: &str) -> Option<Result<Self, String>> {
        let (source, flags) = split(key)?;
        Some(Self::new(source, flags))
    }

    pub(super) fn new(source: &str, flags: &str) -> Result<Self, String> {
        if source.len() > MOST_LENGTH {
            return Err(format!("a pattern may have {MOST_LENGTH} bytes, this has {}", source.len()));
        }
        let translated = javascript::translate(source, flags)?;
        let engine = match translated.backtracks {
            false => Engine::Straight(
                regex::RegexBuilder::new(&translated.text)
                    .size_limit(MOST_SIZE)
                    .dfa_size_limit(MOST_SIZE)
                    .build()
                    .map_err(|error| error.to_string())?,
            ),
            true => Engine::Backtracking(
                fancy_regex::RegexBuilder::new(&translated.text)
                    .backtrack_limit(MOST_STEPS)
                    .delegate_size_limit(MOST_SIZE)
                    .delegate_dfa_size_limit(MOST_SIZE)
                    .build()
                    .map_err(|error| error.to_string())?,
            ),
        };
        Ok(Self { engine, ignores_case: flags.contains('i'), needs: translated.needs })
    }

    pub(super) fn backtracks(&self) -> bool {
        matches!(self.engine, Engine::Backtracking(_))
    }

    pub(super) fn ignores_case(&self) -> bool {
        self.ignores_case
    }

    /// Texts of which one is in everything that it matches; none: nothing is known.
    pub(super) fn needs(&self) -> &[String] {
        &self.needs
    }

    pub(super) fn search(&self, text: &str) -> Search {
        let found = match &self.engine {
            Engine::Straight(regex) => Ok(regex.is_match(text)),
            Engine::Backtracking(regex) => regex.is_match(text),
        };
        match found {
            Ok(true) => Search::Found,
            Ok(false) => Search::NotFound,
            Err(_) => Search::GivenUp,
        }
    }
}

/// The inside of `/…/` and the flags behind it. A slash inside must be escaped, else the key is plain text.
fn split(key: &str) -> Option<(&str, &str)> {
    let inner = key.strip_prefix('/')?;
    let end = inner.rfind('/').filter(|end| *end > 0)?;
    let (source, flags) = (inner.get(..end)?, inner.get(end + 1..)?);
    let mut escaped = false;
    for char in source.chars() {
        match char {
            '/' if !escaped => return None,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    (!escaped && flags.chars().all(|flag| "gimsuy".contains(flag))).then_some((source, flags))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(key: &str, text: &str) -> Option<Search> {
        Some(Pattern::from_key(key)?.unwrap().search(text))
    }

    #[test]
    fn patterns_as_authors_write_them() {
        for (key, text, found) in [
            (r"/dragon/i", "A DRAGON", true),
            (r"/Dragon/", "a dragon", false),
            (r"/\bcat\b/", "my cat.", true),
            (r"/\bcat\b/", "我的cat跑了", true),
            (r"/\w+龙/", "青龙", false),
            (r"/gold(?!en)/", "golden", false),
            (r"/(?<!un)happy/", "unhappy", false),
            (r"/(\w)\1/", "see", true),
            (r"/(?<x>a)b\k<x>/", "aba", true),
            (r"/a\/b/", "a/b", true),
            (r"/silver.+moon/", "silver\nmoon", false),
            (r"/silver.+moon/s", "silver\nmoon", true),
            (r"/^moon/m", "silver\nmoon", true),
            (r"/^\p{Script=Han}+$/u", "全是汉字", true),
            (r"/[\u4e00-\u9fff]{2}/", "ab汉字", true),
            (r"/\u{1F600}/u", "😀", true),
            (r"/\uD83D\uDE00/", "😀", true),
            (r"/[^]x/", "\nx", true),
            (r"/a{,2}/", "a{,2}", true),
            (r"/]x{/", "]x{", true),
            (r"/[a&&b]/", "&", true),
            (r"/[[]/", "[", true),
            (r"/\-\_\'/", "-_'", true),
            (r"/\d/", "٣", false),
            (r"/\s/", "\u{3000}", true),
            (r"/\x41\cJ/", "A\n", true),
            (r"/a(?=b)b/y", "ab", true),
            (r"/b/y", "ab", false),
        ] {
            let expected = if found { Search::Found } else { Search::NotFound };
            assert_eq!(search(key, text), Some(expected), "{key} in {text:?}");
        }
    }

    #[test]
    fn what_is_no_pattern_or_a_wrong_one() {
        for key in ["cat", "/cat", "//", "/either/or/", "/cat/x", "/cat\\/"] {
            assert!(Pattern::from_key(key).is_none(), "{key}");
        }
        for key in ["/([a-z/", "/(/", "/*a/", "/a**/", "/[b-a]/"] {
            assert!(Pattern::from_key(key).unwrap().is_err(), "{key}");
        }
    }

    #[test]
    fn a_search_without_end_is_given_up() {
        let text = "a".repeat(5_000);
        assert_eq!(search(r"/(?=(a+)+b)\1/", &text), Some(Search::GivenUp));
        assert_eq!(search(r"/(a+)+b/", &text), Some(Search::NotFound), "this one needs no backtracking");
    }
}
