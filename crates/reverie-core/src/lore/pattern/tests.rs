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
        (r"/a\/b\/c/u", "a/b/c", true),
        (r"/a\\/b/", "a/b", true),
        (r"/a\\/", r"a\", true),
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
    for key in ["cat", "/cat", "//", "/either/or/", "/cat/x", "/a//b/", "//a/"] {
        assert!(read_key(key).is_none(), "{key}");
    }
    for key in [
        "/cat\\/",
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

/// Pattern, flags, text, and what an engine of JavaScript (V8 11.3, in Node 20) says: found, not found, or no pattern at
/// all. `recorded` goes deep into groups that look around and refer back, `grammar` into what may be written.
const RECORDED: [&str; 2] = [include_str!("tests/recorded.tsv"), include_str!("tests/grammar.tsv")];

fn recorded() -> impl Iterator<Item = (&'static str, [&'static str; 2], String, &'static str)> {
    RECORDED.into_iter().flat_map(str::lines).map(|line| {
        let [source, flags, text, result] = *line.split('\t').collect::<Vec<_>>() else { panic!("{line}") };
        (line, [source, flags], unquoted(text), result)
    })
}

/// A string of JSON.
fn unquoted(json: &str) -> String {
    let mut units = Vec::new();
    let mut chars = json.strip_prefix('"').and_then(|json| json.strip_suffix('"')).unwrap().chars();
    while let Some(char) = chars.next() {
        let escaped = if char == '\\' { chars.next().unwrap() } else { char };
        let meant = match (char, escaped) {
            ('\\', 'n') => '\n',
            ('\\', 'r') => '\r',
            ('\\', 't') => '\t',
            ('\\', 'b') => '\x08',
            ('\\', 'f') => '\x0C',
            ('\\', 'u') => {
                let digits: String = chars.by_ref().take(4).collect();
                units.push(u16::from_str_radix(&digits, 16).unwrap());
                continue;
            }
            (_, plain) => plain,
        };
        units.extend(meant.encode_utf16(&mut [0; 2]).iter());
    }
    String::from_utf16(&units).unwrap()
}

#[test]
fn what_javascript_says() {
    let mut wrong = Vec::new();
    for (line, [source, flags], text, result) in recorded() {
        let found = read(source, flags).map(|pattern| find(&pattern, &text));
        let agrees = match result {
            "1" => found == Ok(Search::Found),
            "0" => found == Ok(Search::NotFound),
            _ => matches!(found, Err(Refusal::Wrong(_))),
        };
        if !agrees {
            wrong.push(format!("{line}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// What the engine that tries again finds, the other one finds too, where both can look; and nothing is found where
/// nothing of what is needed stands.
#[test]
fn both_engines_find_the_same() {
    for (line, [source, flags], text, result) in recorded().filter(|(.., result)| *result != "E") {
        let pattern = read(source, flags).unwrap();
        let folded = Folding { case: pattern.ignores_case(), ..Folding::default() }.fold(&text);
        let is_there = pattern.needs().iter().any(|need| folded.contains(need));
        assert!(pattern.needs().is_empty() || is_there || result == "0", "{line}: {:?}", pattern.needs());
        if pattern.backtracks {
            continue;
        }
        let other = Pattern { backtracks: true, ready: OnceLock::new(), ..pattern.clone() };
        assert_eq!(find(&pattern, &text), find(&other, &text), "{line}");
    }
}

/// A pattern of nothing but characters finds what a plain key finds, however both are spelled.
#[test]
fn spellings_that_count_as_one_in_patterns() {
    let parts = ["龍", "龙", "竜", "Ａ", "A", "ｶ", "カ", "ガ", "\u{3099}", "ﾞ", "e", "é", "\u{301}", "𠮷"];
    let texts: Vec<String> = parts
        .iter()
        .flat_map(|a| parts.iter().map(move |b| (a, b)))
        .flat_map(|(a, b)| parts.iter().map(move |c| format!("{a}{b}{c}")))
        .collect();
    for (width, script) in [(true, true), (true, false), (false, true), (false, false)] {
        let folding = Folding { case: false, width, script };
        for (a, b) in parts.iter().flat_map(|a| parts.iter().map(move |b| (a, b))) {
            let key = format!("{a}{b}");
            let read =
                |source: &str, flags| Pattern::new(source, flags, folding, &mut Purse::for_scan()).unwrap();
            let patterns = [read(&key, ""), read(&key, "u"), read(&format!("{key}(?!z)"), "")];
            for text in texts.iter().step_by(61) {
                let expected = match folding.fold(text).contains(&folding.fold(&key)) {
                    true => Search::Found,
                    false => Search::NotFound,
                };
                for pattern in &patterns {
                    assert_eq!(find(pattern, text), expected, "{key} in {text}, {folding:?}, {pattern:?}");
                }
            }
        }
    }
}

#[test]
fn classes_of_characters_in_other_spellings() {
    let folding = Folding { case: false, width: true, script: true };
    for (source, flags, text, found) in [
        ("^[Ａ-Ｃ]$", "", "B", true),
        ("^[Ａ-Ｃ]$", "", "Ｂ", true),
        ("^[A-C]$", "", "Ｂ", true),
        ("^[ａ-ｃ]$", "i", "Ｂ", true),
        ("^[^龍]$", "", "龙", false),
        ("^[^龍]$", "", "竜", false),
        ("^[一-龥]$", "", "龍", true),
        (r"^[\u9f8d]$", "", "竜", true),
        (r"^\p{Script=Han}$", "u", "﨑", true),
        (r"^\P{Lu}$", "u", "Ａ", false),
        (r"^\W$", "", "Ａ", false),
        (r"^\d$", "", "９", true),
        (r"^\s$", "", "\u{3000}", true),
        ("^[か\u{3099}]$", "", "が", true),
        ("^[か\u{3099}]$", "", "か", false),
        ("^か\u{3099}+$", "", "がか\u{3099}", true),
        (r"^か\u3099$", "", "が", true),
        (r"^か\u3099$", "u", "が", true),
        ("^[ｶﾞ]$", "", "ガ", true),
        ("^(か)\u{3099}$", "", "が", false),
        (r"^\uff08$", "", "(", true),
        ("^（a）$", "", "(a)", true),
        ("^(.)\\1$", "", "龍竜", true),
        ("(?<=齋)藤", "", "斎藤", true),
    ] {
        let pattern = Pattern::new(source, flags, folding, &mut Purse::for_scan()).unwrap();
        let expected = if found { Search::Found } else { Search::NotFound };
        assert_eq!(find(&pattern, text), expected, "{source} in {text}");
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
