//! What does a key of the form `/pattern/flags` match?
//!
//! Authors write JavaScript's patterns. They are translated (`javascript`), and run by one of two engines that count their
//! steps: `straight` reads a text once; `program` and `machine` look around, refer back and try again. A search that
//! takes more steps than it may is given up, and says so. What a pattern will take in memory is known before it is
//! compiled (`size`) and paid from a `purse`; it is compiled when it is first looked for.

mod javascript;
mod machine;
mod needs;
mod program;
mod purse;
mod size;
mod straight;

use std::sync::OnceLock;

use regex_syntax::hir::Hir;

use program::Program;
pub(super) use purse::Purse;
use straight::Straight;

/// Bytes that one compiled pattern may take.
const MOST_SIZE: usize = 512 << 10;
/// Bytes of a pattern.
const MOST_LENGTH: usize = 4 << 10;

#[derive(Debug, Clone)]
pub(super) struct Pattern {
    text: Box<str>,
    backtracks: bool,
    ignores_case: bool,
    needs: Vec<String>,
    ready: OnceLock<Option<Engine>>,
}

#[derive(Debug, Clone)]
enum Engine {
    /// Reads the text once.
    Straight(Box<Straight>),
    /// For look-around and back-references.
    Backtracking(Box<Program>),
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
    /// It would have taken more steps than it had.
    GivenUp,
    /// Compiled it takes more memory than it may.
    TooLarge,
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
        let parsed =
            regex_syntax::parse(&translated.text).map_err(|error| Refusal::Wrong(error.to_string()))?;
        let size = size::of(&parsed, translated.backtracks).saturating_add(translated.text.len());
        if size > MOST_SIZE {
            return Err(Refusal::TooMuch(format!(
                "compiled it takes about {size} bytes, of {MOST_SIZE} that are allowed"
            )));
        }
        purse.pay_bytes(size).map_err(Refusal::TooMuch)?;
        Ok(Self {
            text: translated.text.into(),
            backtracks: translated.backtracks,
            ignores_case: flags.contains('i'),
            needs: translated.needs,
            ready: OnceLock::new(),
        })
    }

    pub(super) fn backtracks(&self) -> bool {
        self.backtracks
    }

    pub(super) fn ignores_case(&self) -> bool {
        self.ignores_case
    }

    /// Texts of which one is in everything that it matches; none: nothing is known.
    pub(super) fn needs(&self) -> &[String] {
        &self.needs
    }

    /// Takes the steps that it uses. The same search takes the same steps.
    pub(super) fn search(&self, text: &str, steps: &mut usize) -> Search {
        match self.ready.get_or_init(|| self.compile()) {
            Some(Engine::Straight(straight)) => straight.search(text, steps),
            Some(Engine::Backtracking(program)) => machine::search(program, text, self.ignores_case, steps),
            None => Search::TooLarge,
        }
    }

    fn compile(&self) -> Option<Engine> {
        let parsed: Hir = regex_syntax::parse(&self.text).ok()?;
        Some(match self.backtracks {
            true => Engine::Backtracking(Box::new(Program::new(&parsed)?)),
            false => Engine::Straight(Box::new(Straight::new(&parsed, size::MOST_OFF * MOST_SIZE)?)),
        })
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
        Some(Pattern::from_key(key, &mut Purse::for_scan())?.unwrap().search(text, &mut 1_000_000))
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
            (r"/(?<=(\d+)-)gold/", "12-gold", true),
            (r"/(?<=\bred )龙/", "red 龙", true),
            (r"/(?<!\p{L})cat/u", "青cat", false),
            (r"/^(?=.*lamp)(?=.*gate)/m", "x\na gate, a lamp", true),
            (r"/^(?=.*lamp)(?=.*gate)/m", "a gate\na lamp", false),
            (r"/(a*)*(?=b)/", "aab", true),
            (r"/(?:(?=a)|b)*c/", "abc", true),
            (r"/(É)\1/i", "Éé", true),
            (r"/(É)\1/", "Éé", false),
            (r"/(?:(a)|(b))+\1x/", "abx", true),
            (r"/\k<n>(?<n>a)/", "a", true),
            (r"/(?<=(..)\1)x/", "abx", true),
            (r"/(?<=\1(..))x/", "ababx", true),
            (r"/(?<=\1(..))x/", "abacx", false),
            (r"/(?=a{2,3}?b)a{3}/", "aaab", true),
            (r"/a(?!(?=b)b)/", "abac", true),
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
        for key in [
            "/([a-z/",
            "/(/",
            "/*a/",
            "/a**/",
            "/[b-a]/",
            r"/(a)\2/",
            r"/\k<x>a/",
            "/(?<x>a)(?<x>b)/",
            "/(?=a/",
            "/a)(?=b/",
        ] {
            assert!(Pattern::from_key(key, &mut Purse::for_scan()).unwrap().is_err(), "{key}");
        }
    }

    /// Patterns of all kinds on short texts, with what an engine of JavaScript says: pattern, flags, text, result.
    #[test]
    fn what_javascript_says() {
        let recorded = include_str!("pattern/tests/recorded.tsv");
        let mut wrong = Vec::new();
        for line in recorded.lines() {
            let [source, flags, text, result] = *line.split('\t').collect::<Vec<_>>() else {
                panic!("{line}")
            };
            let text = text.trim_matches('"').replace(r"\n", "\n");
            let pattern = Pattern::new(source, flags, &mut Purse::for_scan());
            let found = pattern.map(|pattern| pattern.search(&text, &mut 1_000_000));
            let expected = if result == "1" { Search::Found } else { Search::NotFound };
            if found != Ok(expected) {
                wrong.push(format!("{line}: {found:?}"));
            }
        }
        assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    }

    /// What the engine that tries again finds, the other one finds too, where both can look.
    #[test]
    fn both_engines_find_the_same() {
        for line in include_str!("pattern/tests/recorded.tsv").lines() {
            let [source, flags, text, _] = *line.split('\t').collect::<Vec<_>>() else { panic!("{line}") };
            let pattern = Pattern::new(source, flags, &mut Purse::for_scan()).unwrap();
            if pattern.backtracks {
                continue;
            }
            let other = Pattern { backtracks: true, ready: OnceLock::new(), ..pattern.clone() };
            assert_eq!(pattern.search(text, &mut 1_000_000), other.search(text, &mut 1_000_000), "{line}");
        }
    }

    /// Of what each search takes: what a pattern without memory would try for ever.
    #[test]
    fn the_steps_of_a_search() {
        let text = "a".repeat(5_000);
        for (key, found, most) in [
            (r"/(a+)+b/", Search::NotFound, 1_000),
            (r"/(a+)+(?=b)/", Search::NotFound, 200_000),
            (r"/(?=.*x)(?=.*y)/", Search::NotFound, 100_000),
            (r"/(?<=x.*)a/", Search::NotFound, 100_000),
            (r"/(?=(a+)+b)\1/", Search::GivenUp, 1_000_000),
            (r"/(?:a*)*(?=b)/", Search::NotFound, 200_000),
            (r"/(?=(?:a*)*b)/", Search::GivenUp, 1_000_000),
            (r"/a{20}(?!a)/", Search::Found, 200_000),
            (r"/b(?!a)/", Search::NotFound, 1_000),
        ] {
            let pattern = Pattern::from_key(key, &mut Purse::for_scan()).unwrap().unwrap();
            let mut left = 1_000_000;
            assert_eq!(pattern.search(&text, &mut left), found, "{key}");
            let taken = 1_000_000 - left;
            assert!(taken <= most, "{key} took {taken} steps");
            let mut again = 1_000_000;
            pattern.search(&text, &mut again);
            assert_eq!(left, again, "{key} takes what it took");
        }
    }
}
