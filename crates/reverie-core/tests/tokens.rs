//! Does the estimate stay above the exact count, and close to it?

use proptest::collection::vec;
use proptest::prelude::*;
use reverie_core::tokens::Counter;
use reverie_core::{Code, Result};

const ZH: &str = include_str!("fixtures/tokens/zh.txt");
const JA: &str = include_str!("fixtures/tokens/ja.txt");
const EN: &str = include_str!("fixtures/tokens/en.txt");

#[track_caller]
fn check_not_under(text: &str) {
    let (estimate, exact) = (Counter::Estimate.count(text), Counter::O200k.count(text));
    assert!(estimate >= exact, "{estimate} < {exact} for {text:?}");
}

#[test]
fn counters_have_names() -> Result<()> {
    assert_eq!(Counter::default(), Counter::Estimate);
    for name in ["estimate", "o200k"] {
        assert_eq!(Counter::from_name(name)?.name(), name);
    }
    let error = Counter::from_name("gpt").unwrap_err();
    assert_eq!(error.code(), Code::Invalid);
    assert_eq!(error.hint_text(), Some("use one of: estimate, o200k"));
    Ok(())
}

#[test]
fn o200k_counts_what_the_encoding_makes() {
    let cases = [
        ("", 0),
        ("hello world", 2),
        ("你好，世界！", 4),
        ("お誕生日おめでとう", 8),
        ("Don't panic, Caroline!", 5),
        ("“I promise,” he said…", 6),
        ("12345", 2),
        ("🎉", 2),
        // Special tokens are text here.
        ("<|endoftext|>", 7),
        ("a <|endofprompt|> b", 9),
    ];
    for (text, tokens) in cases {
        assert_eq!(Counter::O200k.count(text), tokens, "{text:?}");
    }
}

#[test]
fn o200k_bears_any_length() {
    // A run of whitespace this long is more than the library takes at once; no token has more than 128 spaces.
    assert!(Counter::O200k.count(&" ".repeat(1_100_000)) >= 1_100_000 / 128);
    // Cut into windows at the spaces, the sum is the same.
    let sentence = " Nobody moved, and then a door opened.";
    let once = Counter::O200k.count(sentence);
    assert_eq!(Counter::O200k.count(&sentence.repeat(8_000)), 8_000 * once);
}

#[test]
fn estimate_is_never_under_on_any_line() {
    for line in [ZH, JA, EN].iter().flat_map(|text| text.lines()) {
        check_not_under(line);
        check_not_under(&format!("{line}\n"));
        check_not_under(&format!(" {line}  "));
        for (end, _) in line.char_indices() {
            check_not_under(&line[..end]);
            check_not_under(&line[end..]);
        }
    }
}

#[test]
fn estimate_is_never_under_on_whole_texts() {
    for text in [ZH, JA, EN] {
        check_not_under(text);
        check_not_under(&text.replace('\n', "\r\n"));
        check_not_under(&text.replace('\n', "\n\n"));
        check_not_under(&text.replace('\n', ""));
    }
}

/// Found where a token ends inside a character, where a word touches a wide character, or where a piece is
/// not what it seems.
#[test]
fn estimate_is_never_under_on_hard_cases() {
    let cases = [
        "ーム除此",
        "ーフ西亚",
        "Ｎ信誉",
        "ｗ京都",
        "东北京城",
        "彩神争霸",
        "电脑",
        "フィルム",
        "腾讯",
        "阅读",
        " 僕",
        " 笑",
        "  笑了",
        "\u{3000}笑",
        " ①②",
        " 🏻",
        " ”,",
        " ，。",
        "“Hello”",
        "’something",
        "it’s",
        "DON'T",
        "it'sX",
        "我's",
        "我'sabc",
        "我(abc",
        "★(abc",
        "★'sabc",
        "①12345",
        "12345²",
        "abC我d",
        "AB我c",
        "café naïve",
        "é((\n \n",
        "!\n/!\n \n",
        "★\n \n",
        "。\n\n\n\n\n\n\n\n",
        "a\t b",
        "\n  \n  x",
        "  ",
        "\r\n\r\n x",
        "\u{a0}\n \u{a0}x",
        "A片子",
        "app下载",
        "北京pk10",
        "。。。\n\n",
        "\0\u{1}\u{7f}",
        "\u{feff}text",
        "👩‍💻❤️",
        "привет, мир",
        "안녕하세요 여러분",
        "สวัสดีครับ",
        "مرحبا بالعالم",
        "שלום",
        "नमस्ते",
        "γειά σου",
        "𠮷野家",
        "<|endoftext|>",
        "<|im_start|>system",
    ];
    for case in cases {
        check_not_under(case);
        for (prefix, suffix) in [(" ", ""), ("a", "b"), ("我", "的"), ("\n", "\n"), ("“", "”"), ("é", "é")]
        {
            check_not_under(&format!("{prefix}{case}{suffix}"));
        }
    }
    for (unit, longest) in
        [(" ", 300), ("\n", 300), ("-", 300), ("a", 300), ("哈", 300), ("ー", 300), ("9", 300)]
    {
        (0..longest).for_each(|length| check_not_under(&unit.repeat(length)));
    }
}

#[test]
fn estimate_is_close() {
    for (text, at_most) in [(ZH, 1.10), (JA, 1.15), (EN, 1.25)] {
        let (estimate, exact) = (Counter::Estimate.count(text), Counter::O200k.count(text));
        let ratio = estimate as f64 / exact as f64;
        println!("{estimate} / {exact} = {ratio:.3}");
        assert!(ratio < at_most, "{estimate} / {exact} = {ratio:.3}");
    }
}

/// Words, characters and slices of the fixtures, and noise of several scripts.
fn fragment() -> impl Strategy<Value = String> {
    let words: Vec<String> = [ZH, JA, EN].iter().flat_map(|text| text.split(' ')).map(String::from).collect();
    let chars: Vec<char> = [ZH, JA, EN].iter().flat_map(|text| text.chars()).collect();
    let glue = [
        " ", "  ", "\n", "\n\n", "\r\n", "\t", "'s", "'", "\"", "’", "“", "”", "…", "—", "。", "，", "！\n",
        "\u{3000}", "(", ")", "**", "##", "/", "://", "_", "-", "===", "...", "①", "é", "ß", "·", "\u{fe0f}",
        "\u{200d}",
    ];
    prop_oneof![
        3 => prop::sample::select(words),
        3 => vec(prop::sample::select(chars), 1..8).prop_map(|chars| chars.into_iter().collect()),
        3 => prop::sample::select(glue.to_vec()).prop_map(String::from),
        1 => noise('!', '~'),
        1 => noise('a', 'z'),
        1 => noise('0', '9'),
        1 => noise('\u{4e00}', '\u{9fff}'),
        1 => noise('\u{3041}', '\u{30ff}'),
        1 => noise('\u{ff01}', '\u{ff60}'),
        1 => noise('\u{1f300}', '\u{1faff}'),
        1 => noise('\u{ac00}', '\u{d7a3}'),
        1 => noise('\u{400}', '\u{45f}'),
        1 => noise('\u{e00}', '\u{e5b}'),
    ]
}

fn noise(first: char, last: char) -> impl Strategy<Value = String> {
    vec(prop::char::range(first, last), 1..12).prop_map(|chars| chars.into_iter().collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn estimate_is_never_under_on_mixtures(fragments in vec(fragment(), 0..24)) {
        check_not_under(&fragments.concat());
    }
}
