//! What is found where somebody counts back by more than one, or names what only looks like a day? On 2026-11-17, a Tuesday.

use super::{at, check};

const TUESDAY: i64 = 1_794_916_800_000;

#[test]
fn counted_back_by_more_than_one() {
    check(
        at(TUESDAY),
        None,
        &[
            ("today", "today 2026-11-17"),
            ("two summers ago", "two summers ago 2024-06-01..2024-08-31"),
            ("the summer before last", "summer before last 2025-06-01..2025-08-31"),
            ("the winter before last", "winter before last 2024-12-01..2025-02-28"),
            ("the May before last", "May before last 2025-05-01..2025-05-31"),
            ("the Friday before last", "Friday before last 2026-11-06"),
            ("the weekend before last", "weekend before last 2026-11-07..2026-11-08"),
            ("the month before last", "the month before last 2026-09-01..2026-09-30"),
            ("上上个夏天", "上上个夏天 2025-06-01..2025-08-31"),
            ("两年前的夏天", "两年前的夏天 2024-06-01..2024-08-31"),
            ("兩年前夏天", "兩年前夏天 2024-06-01..2024-08-31"),
            ("两年前的五月", "两年前的五月 2024-05-01..2024-05-31"),
            ("二年前の夏", "二年前の夏 2024-06-01..2024-08-31"),
            ("一年半前", "一年半前 2025-05-01..2025-05-31"),
            ("半年前", "半年前 2026-05-01..2026-05-31"),
            ("half a year ago", "half a year ago 2026-05-01..2026-05-31"),
            ("half a week ago", ""),
            ("a year and a half ago", "a year and a half ago 2025-05-01..2025-05-31"),
            ("two and a half years ago", "two and a half years ago 2024-05-01..2024-05-31"),
            ("a couple of weeks ago", "a couple of weeks ago 2026-11-02..2026-11-08"),
            ("a couple days ago", "a couple days ago 2026-11-15"),
            ("a fortnight ago", "a fortnight ago 2026-11-02..2026-11-08"),
            ("in a fortnight", "in a fortnight 2026-11-30..2026-12-06"),
            ("half a year ago today", "half a year ago today 2026-05-17"),
        ],
    );
}

#[test]
fn years_in_few_digits() {
    check(
        at(TUESDAY),
        None,
        &[
            ("25年11月去了哪里", "25年11月 2025-11-01..2025-11-30"),
            ("98年3月5日", "98年3月5日 1998-03-05"),
            ("令和7年11月", "令和7年11月 2025-11-01..2025-11-30"),
            ("令和元年の夏", "令和元年の夏 2019-06-01..2019-08-31"),
            ("平成30年", "平成30年 2018-01-01..2018-12-31"),
            ("25年的友谊", ""),
            ("25年11个月", ""),
        ],
    );
}

#[test]
fn seasons_and_things_with_numbers() {
    check(
        at(TUESDAY),
        None,
        &[
            ("去年春节", "去年春节 2025-01-28..2025-02-04"),
            ("今年春節", "今年春節 2026-02-16..2026-02-23"),
            ("去年春晚", "去年 2025-01-01..2025-12-31"),
            ("去年春天", "去年春天 2025-03-01..2025-05-31"),
            ("去年春", "去年春 2025-03-01..2025-05-31"),
            ("春运", ""),
            ("要5号电池", ""),
            ("5号电池没电了", ""),
            ("我住在5号", ""),
            ("我要5号", ""),
            ("要5号才到", "5号 2026-11-05 or 2026-12-05"),
            ("5号见", "5号 2026-11-05 or 2026-12-05"),
            ("5号电影院见", "5号 2026-11-05 or 2026-12-05"),
        ],
    );
}

#[test]
fn weekdays_of_which_somebody_tells_or_asks() {
    check(
        at(TUESDAY),
        None,
        &[
            ("周六我们去哪儿玩了", "周六 2026-11-14 or 2026-11-21"),
            ("星期天你在干嘛", "星期天 2026-11-15 or 2026-11-22"),
            ("星期天，你在干嘛", "星期天 2026-11-15 or 2026-11-22"),
            ("星期五吃了鱼", "星期五 2026-11-20 or 2026-11-13"),
            ("周五见", "周五 2026-11-20"),
            ("周五见，好吗", "周五 2026-11-20"),
            ("周五过来吃饭", "周五 2026-11-20"),
            ("周五要考试了", "周五 2026-11-20"),
            ("周五去过那里", "周五 2026-11-20 or 2026-11-13"),
            ("on Monday", "Monday 2026-11-16 or 2026-11-23"),
            ("土曜日に", "土曜日 2026-11-14 or 2026-11-21"),
        ],
    );
}
