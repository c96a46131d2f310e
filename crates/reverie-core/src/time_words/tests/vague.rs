//! When is what nobody draws a line around, and which dates need something that says that they are dates?

use super::super::named;
use super::{WEDNESDAY, at, check, told};

#[test]
fn about_then() {
    check(
        at(WEDNESDAY),
        None,
        &[
            ("前几天我去看海", "前几天 2024-05-08..2024-05-14"),
            ("小雪前兩天來過", "前兩天 2024-05-08..2024-05-14"),
            ("前些天", "前些天 2024-05-08..2024-05-14"),
            ("最近怎么样", "最近 2024-05-01..2024-05-15"),
            ("最近几天下雨", "最近几天 2024-05-01..2024-05-15"),
            ("最近的事", "最近 2024-05-01..2024-05-15"),
            ("先日はどうも", "先日 2024-05-08..2024-05-14"),
            ("最近どう？", "最近 2024-05-01..2024-05-15"),
            ("We met a few days ago", "a few days ago 2024-05-08..2024-05-14"),
            ("the other day", "the other day 2024-05-08..2024-05-14"),
            ("Recently I moved", "Recently 2024-05-01..2024-05-15"),
            ("I sleep badly lately.", "lately 2024-05-01..2024-05-15"),
            ("去年年底", "去年年底 2023-11-01..2023-12-31"),
            ("今年初", "今年初 2024-01-01..2024-03-31"),
            ("2023年底", "2023年底 2023-11-01..2023-12-31"),
            ("到年底了", "年底 2023-11-01..2023-12-31 or 2024-11-01..2024-12-31"),
            ("去年暑假", "去年暑假 2023-06-01..2023-08-31"),
            ("寒假", "寒假 2024-01-01..2024-02-29 or 2025-01-01..2025-02-28"),
            ("early this year", "early this year 2024-01-01..2024-03-31"),
            ("at the end of last year", "the end of last year 2023-11-01..2023-12-31"),
            ("in late 2023", "late 2023 2023-11-01..2023-12-31"),
            ("by the end of the year", "the end of the year 2024-11-01..2024-12-31"),
            ("last summer holidays", "last summer holidays 2023-06-01..2023-08-31"),
        ],
    );
}

#[test]
fn other_words() {
    for text in [
        "最近的车站在哪",
        "離我家最近的店",
        "考试前几天",
        "旅行的前几天",
        "前两天气温",
        "少年初心",
        "千年底蕴",
        "暑假工",
        "Recently Played",
        "every other day",
        "the end of the year that we met",
        "early birds",
    ] {
        assert_eq!(told(text, at(WEDNESDAY), None), "", "{text}");
    }
    check(
        at(WEDNESDAY),
        None,
        &[("今年初夏", "今年 2024-01-01..2024-12-31"), ("去年底层", "去年 2023-01-01..2023-12-31")],
    );
}

/// A memory is dated by what names its days alone.
#[test]
fn vague_words_name_no_days() {
    for (text, expected) in [
        ("最近他在学琴", ""),
        ("前几天下雨", ""),
        ("She moved recently", ""),
        ("the other day", ""),
        ("early this year", "this year"),
        ("去年年底搬家", "去年"),
        ("去年暑假", "去年"),
        ("去年圣诞", "去年圣诞"),
        ("last Christmas", "last Christmas"),
    ] {
        let words = named(text, at(WEDNESDAY), None).into_iter();
        let words: Vec<&str> = words.filter_map(|word| text.get(word.at)).collect();
        assert_eq!(words.join(" "), expected, "{text}");
    }
}

#[test]
fn dates_in_digits() {
    check(
        at(WEDNESDAY),
        None,
        &[
            ("on the 12th", "the 12th 2024-05-12 or 2024-06-12"),
            ("On the 12th, Ann left", "the 12th 2024-05-12 or 2024-06-12"),
            ("on the 20th we met", "the 20th 2024-05-20 or 2024-04-20"),
            ("by the 3rd of next month", "the 3rd of next month 2024-06-03"),
            ("the 12th of May", "the 12th of May 2024-05-12 or 2025-05-12"),
            ("on the 12th floor", ""),
            ("the 12th man", ""),
            ("on 10/20", "10/20 2024-10-20 or 2023-10-20"),
            ("10/20那天", "10/20 2024-10-20 or 2023-10-20"),
            ("10/20に会おう", "10/20 2024-10-20 or 2023-10-20"),
            ("2024/10/20", "2024/10/20 2024-10-20"),
            ("on 10/12", ""),
            ("he scored 10/20", ""),
            ("考了10/20分", ""),
            ("7/24小时", ""),
            ("on 10/20 points", ""),
            ("on 1/20/3", ""),
        ],
    );
}
