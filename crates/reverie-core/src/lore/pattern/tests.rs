//! Does a pattern find what JavaScript finds, and within its steps?

use super::*;

fn read(source: &str, flags: &str) -> Result<Pattern, Refusal> {
    Pattern::new(source, flags, Folding::default(), &mut Purse::for_scan())
}

fn read_key(key: &str) -> Option<Result<Pattern, Refusal>> {
    Pattern::from_key(key, Folding::default(), &mut Purse::for_scan())
}

fn find(pattern: &Pattern, text: &str) -> Search {
    pattern.search(&pattern.form().spell(text), &mut 1_000_000)
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
        assert_eq!(find(&read_key(key).unwrap().unwrap(), text), expected, "{key} in {text:?}");
    }
}

#[test]
fn what_is_no_pattern_or_a_wrong_one() {
    for key in ["cat", "/cat", "//", "/either/or/", "/cat/x", "/cat\\/"] {
        assert!(read_key(key).is_none(), "{key}");
    }
    for key in [
        "/([a-z/",
        "/(/",
        "/*a/",
        "/a**/",
        "/[b-a]/",
        r"/(a)\2/u",
        r"/\k<x>a/u",
        r"/\k<x>(?<y>a)/",
        r"/\k<x(?<x>a)/",
        "/a/gg",
        "/a/igi",
        "/{1}/",
        "/a{2,1}/",
        "/a{1}{2}/",
        "/^*/",
        r"/\b+/",
        "/(?<=a)*/",
        "/(?=a)*/u",
        "/(?<1>a)/",
        "/(?<>a)/",
        "/(?i:a)/",
        "/[😀-😎]/",
        r"/[a-\d]/u",
        r"/\-/u",
        r"/\_/u",
        r"/\08/u",
        r"/[\1]/u",
        r"/\c1/u",
        r"/\u{110000}/u",
        r"/\u12/u",
        r"/\x1/u",
        r"/\p{Han}/u",
        r"/\p{Script=han}/u",
        "/]/u",
        "/a{/u",
        "/}/u",
        "/(?<x>a)(?<x>b)/",
        "/(?=a/",
        "/a)(?=b/",
    ] {
        assert!(read_key(key).unwrap().is_err(), "{key}");
    }
}

/// Patterns of all kinds on short texts, with what an engine of JavaScript says: pattern, flags, text, result.
#[test]
fn what_javascript_says() {
    let recorded = include_str!("tests/recorded.tsv");
    let mut wrong = Vec::new();
    for line in recorded.lines() {
        let [source, flags, text, result] = *line.split('\t').collect::<Vec<_>>() else { panic!("{line}") };
        let text = text.trim_matches('"').replace(r"\n", "\n");
        let found = read(source, flags).map(|pattern| find(&pattern, &text));
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
    for line in include_str!("tests/recorded.tsv").lines() {
        let [source, flags, text, _] = *line.split('\t').collect::<Vec<_>>() else { panic!("{line}") };
        let pattern = read(source, flags).unwrap();
        if pattern.backtracks {
            continue;
        }
        let other = Pattern { backtracks: true, ready: OnceLock::new(), ..pattern.clone() };
        assert_eq!(find(&pattern, text), find(&other, text), "{line}");
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
        let pattern = read_key(key).unwrap().unwrap();
        let mut left = 1_000_000;
        assert_eq!(pattern.search(&text, &mut left), found, "{key}");
        let taken = 1_000_000 - left;
        assert!(taken <= most, "{key} took {taken} steps");
        let mut again = 1_000_000;
        pattern.search(&text, &mut again);
        assert_eq!(left, again, "{key} takes what it took");
    }
}
