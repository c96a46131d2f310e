//! Stamps that a model echoes go; what a character says stays.

use super::calendar;

#[track_caller]
fn check(settings: &str, cases: &[(&str, Option<&str>)]) {
    let calendar = calendar(settings);
    for (text, expected) in cases {
        assert_eq!(calendar.strip_stamp(text), *expected, "{text}");
    }
}

#[test]
fn echoed_stamps_are_stripped() {
    check(
        "kind = rimworld",
        &[
            ("[时间: 5503年春季第5天, 13时] 你好", Some("你好")),
            ("[时间: 5503年春季第5天, 13时]你好", Some("你好")),
            ("[时间: 5503年春季第5天, 13时]\n你好\n再见 ", Some("你好\n再见 ")),
            (" \n[时间: 5503年春季第5天, 13时]\u{3000}你好", Some("你好")),
            ("[时间: 5503年春季第5天, 13时]", Some("")),
            ("[时间: 5503年春季第5天, 13时] [时间: 5503年春季第5天, 14时] 你好", Some("你好")),
            ("[Time: day 5 of spring 5503, 13h] Hello", Some("Hello")),
            ("[Time: day 5 of spring 5503, 13h]\n[时间: 5503年春季第5天, 13时]\nHello", Some("Hello")),
            ("[时间: -3年冬季第15天, 23时] 你好", Some("你好")),
            // As models write: full-width punctuation, no blanks, a count that ran on.
            ("[时间：5503年春季第5天，13时] 你好", Some("你好")),
            ("【时间：5503年春季第5天，13时】你好", Some("你好")),
            ("[时间:5503年春季第5天,13时] 你好", Some("你好")),
            ("[ 时间: 5503年春季第16天, 24时 ] 你好", Some("你好")),
            ("[时间: 5503年春季第5天, 13时] [笑] 你好", Some("[笑] 你好")),
        ],
    );
}

#[test]
fn other_text_stays() {
    check(
        "kind = rimworld",
        &[
            ("", None),
            ("  你好", None),
            ("[时间] 你好", None),
            ("[时间: 很久以前] 你好", None),
            ("[时间: 5503年雨季第5天, 13时] 你好", None),
            ("[时间: 5503年春季第五天, 13时] 你好", None),
            ("[时间: 5503年春季第5天, 13时 你好", None),
            ("[时间: 5503年春季第5天, 13时左右] 你好", None),
            ("时间: 5503年春季第5天, 13时 你好", None),
            ("你好 [时间: 5503年春季第5天, 13时]", None),
            ("[时间: 123456789012345678901年春季第5天, 13时] 你好", None),
            ("[Time: day 5 of May 5503, 13h] Hello", None),
            ("[Time", None),
            ("[", None),
        ],
    );
}

#[test]
fn each_calendar_knows_its_own_stamps() {
    check(
        "kind = gregorian
         format.zh = ({year}{month:02}{day:02} {weekday})",
        &[
            ("(20260709 星期四) 你好", Some("你好")),
            ("(20260709 星期八) 你好", None),
            ("[Time: 2026-07-09 01:05] Hello", Some("Hello")),
            ("[时间: 2026年7月9日 01:05] 你好", None),
        ],
    );
    // A name may hold the bracket that ends the stamp: the longest reading counts.
    check(
        "kind = custom
         units.0.name = part
         units.0.size = 10
         units.0.names.en.0 = dawn
         units.0.names.en.1 = dawn] late
         units.1.name = day
         units.1.size = 2
         format.en = [{part}]",
        &[("[dawn] Hello", Some("Hello")), ("[dawn] late] Hello", Some("Hello"))],
    );
    // Names that begin with each other, a name that looks like a number, a field next to a field.
    check(
        "kind = custom
         units.0.name = hour
         units.0.size = 10
         units.1.name = month
         units.1.size = 10
         units.1.names.zh.0 = 春
         units.1.names.zh.1 = 春分
         units.1.names.zh.2 = 1
         units.2.name = year
         units.2.size = 3
         format.zh = [{month}分{year}{month}{hour}]",
        &[
            ("[春分7春分4] 走", Some("走")),
            ("[春分分7春4] 走", Some("走")),
            ("[1分7111] 走", Some("走")),
            ("[1分11] 走", None),
            ("[冬分7春4] 走", None),
        ],
    );
}

#[test]
fn no_format_makes_stripping_slow() {
    let fields = "{hour}".repeat(42);
    let calendar = calendar(&format!(
        "kind = custom
         units.0.name = hour
         units.0.size = 1
         format.zh = [{fields}]"
    ));
    let digits = format!("[{}", "1".repeat(100_000));
    assert_eq!(calendar.strip_stamp(&digits), None);
    assert_eq!(calendar.strip_stamp(&format!("[{}] 走", "1".repeat(42 * 20))), Some("走"));
    assert_eq!(calendar.strip_stamp(&format!("[{}] 走", "1".repeat(42 * 20 + 1))), None);
}
