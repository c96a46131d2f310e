//! What does a key of the form `/pattern/flags` match?
//!
//! Authors write JavaScript's patterns. They are translated (`javascript`) and run by an engine that knows look-around
//! and back-references, with a limit on its steps: a pattern that would search for ever finds nothing and says so.
//! What a pattern will take is known before it is compiled (`size`) and paid from a `purse`; those that need no
//! backtracking are compiled when they are first looked for.

mod javascript;
mod needs;
mod purse;
mod size;

use std::sync::OnceLock;

pub(super) use purse::Purse;

/// Steps of backtracking in one search; some hundredths of a second.
const MOST_STEPS: usize = 200_000;
/// Bytes that one compiled pattern may take.
const MOST_SIZE: usize = 512 << 10;
/// By how much a compiled pattern may be larger than was reckoned.
const SLACK: usize = 2;
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
    Straight { text: Box<str>, ready: OnceLock<Option<regex::Regex>> },
    /// For look-around and back-references.
    Backtracking(fancy_regex::Regex),
}

/// Why there is no pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refusal {
    /// It is none.
    Wrong(String),
    /// It is one, but takes more than it may.
    TooMuch(String),
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
    pub(super) fn from_key(key: &str, purse: &mut Purse) -> Option<Result<Self, Refusal>> {
        let (source, flags) = split(key)?;
        Some(Self::new(source, flags, purse))
    }

    pub(super) fn new(source: &str, flags: &str, purse: &mut Purse) -> Result<Self, Refusal> {
        if source.len() > MOST_LENGTH {
            let length = source.len();
            return Err(Refusal::TooMuch(format!(
                "a pattern may have {MOST_LENGTH} bytes, this has {length}"
            )));
        }
        let translated = javascript::translate(source, flags).map_err(Refusal::Wrong)?;
        purse.pay_work(translated.work).map_err(Refusal::TooMuch)?;
        let size = size::of(&translated.shape, translated.backtracks).map_err(Refusal::Wrong)?;
        if size > MOST_SIZE {
            return Err(Refusal::TooMuch(format!(
                "compiled it takes about {size} bytes, of {MOST_SIZE} that are allowed"
            )));
        }
        purse.pay_bytes(size).map_err(Refusal::TooMuch)?;
        let engine = match translated.backtracks {
            false => Engine::Straight { text: translated.text.into(), ready: OnceLock::new() },
            true => Engine::Backtracking(
                fancy_regex::RegexBuilder::new(&translated.text)
                    .backtrack_limit(MOST_STEPS)
                    .delegate_size_limit(SLACK * MOST_SIZE)
                    .delegate_dfa_size_limit(MOST_SIZE)
                    .build()
                    .map_err(|error| Refusal::Wrong(error.to_string()))?,
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
            Engine::Straight { text: source, ready } => {
                ready.get_or_init(|| compile(source)).as_ref().map(|regex| regex.is_match(text))
            }
            Engine::Backtracking(regex) => regex.is_match(text).ok(),
        };
        match found {
            Some(true) => Search::Found,
            Some(false) => Search::NotFound,
            None => Search::GivenUp,
        }
    }
}

fn compile(source: &str) -> Option<regex::Regex> {
    let mut builder = regex::RegexBuilder::new(source);
    builder.size_limit(SLACK * MOST_SIZE).dfa_size_limit(MOST_SIZE).build().ok()
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
        Some(Pattern::from_key(key, &mut Purse::for_scan())?.unwrap().search(text))
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
            assert!(Pattern::from_key(key, &mut Purse::for_scan()).is_none(), "{key}");
        }
        for key in ["/([a-z/", "/(/", "/*a/", "/a**/", "/[b-a]/"] {
            assert!(Pattern::from_key(key, &mut Purse::for_scan()).unwrap().is_err(), "{key}");
        }
    }

    #[test]
    fn a_search_without_end_is_given_up() {
        let text = "a".repeat(5_000);
        assert_eq!(search(r"/(?=(a+)+b)\1/", &text), Some(Search::GivenUp));
        assert_eq!(search(r"/(a+)+b/", &text), Some(Search::NotFound), "this one needs no backtracking");
    }
}
