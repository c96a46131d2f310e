//! Which days are found in what is said? Texts in, words and days out.

mod feasts;
mod longer_ago;
mod other_words;
mod vague;
mod worlds;

use super::{Days, Moment, date, day_of, found};
use crate::time::{Calendar, Language};

/// 2024-05-15T12:00:00Z, a Wednesday.
const WEDNESDAY: i64 = 1_715_774_400_000;
const DAY: i64 = 86_400_000;

fn at(wall_ms: i64) -> Moment {
    Moment { tick: None, wall_ms: Some(wall_ms) }
}

/// `下周五 2024-05-24`, `next week 2024-05-20..2024-05-26`; `or` between several, `?` where there are none.
fn told(text: &str, said: Moment, calendar: Option<&Calendar>) -> String {
    let one = |days: &Days| {
        let date = |day| date(day, said, calendar, Language::En).unwrap_or_default();
        match days.first == days.last {
            true => date(days.first),
            false => format!("{}..{}", date(days.first), date(days.last)),
        }
    };
    let words = found(text, said, calendar).into_iter().map(|word| {
        let days: Vec<String> = word.days.iter().map(one).collect();
        let every = if word.is_repeated { " every" } else { "" };
        let days = if days.is_empty() { "?".to_owned() } else { days.join(" or ") };
        format!("{}{every} {days}", text.get(word.at).unwrap_or_default())
    });
    words.collect::<Vec<_>>().join("; ")
}

#[track_caller]
fn check(said: Moment, calendar: Option<&Calendar>, cases: &[(&str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .map(|(text, expected)| (text, expected, told(text, said, calendar)))
        .filter(|(_, expected, told)| *expected != told)
        .map(|(text, expected, told)| format!("\n{text}\n  is {told}\n not {expected}"))
        .collect();
    assert_eq!(wrong.concat(), "");
}

#[test]
fn in_chinese() {
    check(
        at(WEDNESDAY),
        None,
        &[
            ("我明天去成都", "明天 2024-05-16"),
            ("大后天考试，后天休息", "大后天 2024-05-18; 后天 2024-05-17"),
            ("前天和昨晚", "前天 2024-05-13; 昨晚 2024-05-14"),
            ("大前天", "大前天 2024-05-12"),
            ("今早今晚", "今早 2024-05-15; 今晚 2024-05-15"),
            ("明晚八点见", "明晚 2024-05-16"),
            ("下周五我请客", "下周五 2024-05-24"),
            ("下週五我請客", "下週五 2024-05-24"),
            ("下个星期五", "下个星期五 2024-05-24"),
            ("上周日", "上周日 2024-05-12"),
            ("上个礼拜天", "上个礼拜天 2024-05-12"),
            ("这周五", "这周五 2024-05-17"),
            ("本周一", "本周一 2024-05-13"),
            ("下下周三", "下下周三 2024-05-29"),
            ("周五见", "周五 2024-05-17"),
            ("星期一见", "星期一 2024-05-13 or 2024-05-20"),
            ("上周很忙", "上周 2024-05-06..2024-05-12"),
            ("下周再说", "下周 2024-05-20..2024-05-26"),
            ("这周末去爬山", "这周末 2024-05-18..2024-05-19"),
            ("下周末", "下周末 2024-05-25..2024-05-26"),
            ("周末只想睡觉", "周末 2024-05-18..2024-05-19 or 2024-05-11..2024-05-12"),
            ("每周五打球", "周五 every 2024-05-17"),
            ("上个月", "上个月 2024-04-01..2024-04-30"),
            ("下个月三号", "下个月三号 2024-06-03"),
            ("下下个月", "下下个月 2024-07-01..2024-07-31"),
            ("本月", "本月 2024-05-01..2024-05-31"),
            ("去年", "去年 2023-01-01..2023-12-31"),
            ("前年和后年", "前年 2022-01-01..2022-12-31; 后年 2026-01-01..2026-12-31"),
            ("去年冬天去世了", "去年冬天 2023-12-01..2024-02-29"),
            ("明年春天", "明年春天 2025-03-01..2025-05-31"),
            ("明年的夏天", "明年的夏天 2025-06-01..2025-08-31"),
            ("上个冬天", "上个冬天 2023-12-01..2024-02-29"),
            ("春天总是打喷嚏", "春天 2024-03-01..2024-05-31"),
            ("冬天很冷", "冬天 2023-12-01..2024-02-29 or 2024-12-01..2025-02-28"),
            ("三天前", "三天前 2024-05-12"),
            ("10天后", "10天后 2024-05-25"),
            ("两周后", "两周后 2024-05-27..2024-06-02"),
            ("三个星期之前", "三个星期之前 2024-04-22..2024-04-28"),
            ("两个月前", "两个月前 2024-03-01..2024-03-31"),
            ("半年前", "半年前 2023-11-01..2023-11-30"),
            ("十年后", "十年后 2034-01-01..2034-12-31"),
            ("再过三天", "再过三天 2024-05-18"),
            ("五月三号", "五月三号 2024-05-03 or 2025-05-03"),
            ("5月20日", "5月20日 2024-05-20 or 2023-05-20"),
            ("十二月", "十二月 2023-12-01..2023-12-31 or 2024-12-01..2024-12-31"),
            ("去年十二月", "去年十二月 2023-12-01..2023-12-31"),
            ("2024年5月3日", "2024年5月3日 2024-05-03"),
            ("２０２４年５月３日", "２０２４年５月３日 2024-05-03"),
            ("二〇一九年", "二〇一九年 2019-01-01..2019-12-31"),
            ("2024-05-03", "2024-05-03 2024-05-03"),
            ("2024/5/3", "2024/5/3 2024-05-03"),
            ("2024-05", "2024-05 2024-05-01..2024-05-31"),
            ("周三5月3日", "周三 2024-05-15; 5月3日 2024-05-03 or 2025-05-03"),
            ("20号交稿", "20号 2024-05-20 or 2024-04-20"),
        ],
    );
}

#[test]
fn in_japanese() {
    check(
        at(WEDNESDAY),
        None,
        &[
            ("明日、京都へ行きます", "明日 2024-05-16"),
            ("あさっての朝", "あさって 2024-05-17"),
            ("おとといは雨", "おととい 2024-05-13"),
            ("一昨日ときのう", "一昨日 2024-05-13; きのう 2024-05-14"),
            ("明後日", "明後日 2024-05-17"),
            ("今朝と今夜", "今朝 2024-05-15; 今夜 2024-05-15"),
            ("先週", "先週 2024-05-06..2024-05-12"),
            ("再来週", "再来週 2024-05-27..2024-06-02"),
            ("来週の金曜日", "来週の金曜日 2024-05-24"),
            ("先週の土曜", "先週の土曜 2024-05-11"),
            ("今週末", "今週末 2024-05-18..2024-05-19"),
            ("金曜日に映画を見た", "金曜日 2024-05-17 or 2024-05-10"),
            ("今度の日曜日", "今度の日曜日 2024-05-19"),
            ("この前の月曜日", "この前の月曜日 2024-05-13"),
            ("毎週金曜日", "金曜日 every 2024-05-17 or 2024-05-10"),
            ("三日前", "三日前 2024-05-12"),
            ("2週間後", "2週間後 2024-05-27..2024-06-02"),
            ("二ヶ月前", "二ヶ月前 2024-03-01..2024-03-31"),
            ("3か月後", "3か月後 2024-08-01..2024-08-31"),
            ("来月引っ越します", "来月 2024-06-01..2024-06-30"),
            ("先月の三日", "先月の三日 2024-04-03"),
            ("去年の冬", "去年の冬 2023-12-01..2024-02-29"),
            ("来年の春", "来年の春 2025-03-01..2025-05-31"),
            ("この夏", "この夏 2024-06-01..2024-08-31"),
            ("冬に会おう", "冬 2023-12-01..2024-02-29 or 2024-12-01..2025-02-28"),
            ("おととし", "おととし 2022-01-01..2022-12-31"),
            ("5月3日", "5月3日 2024-05-03 or 2025-05-03"),
            ("2019年", "2019年 2019-01-01..2019-12-31"),
        ],
    );
}

#[test]
fn in_english() {
    check(
        at(WEDNESDAY),
        None,
        &[
            ("I leave tomorrow.", "tomorrow 2024-05-16"),
            ("Yesterday was hot", "Yesterday 2024-05-14"),
            ("the day after tomorrow", "the day after tomorrow 2024-05-17"),
            ("tonight or last night", "tonight 2024-05-15; last night 2024-05-14"),
            ("last Friday", "last Friday 2024-05-10"),
            ("last Monday's storm", "last Monday 2024-05-13"),
            ("next Friday", "next Friday 2024-05-24 or 2024-05-17"),
            ("next Monday", "next Monday 2024-05-20"),
            ("this Friday", "this Friday 2024-05-17"),
            ("this coming Friday", "this coming Friday 2024-05-17"),
            ("on Friday", "Friday 2024-05-17 or 2024-05-10"),
            ("every Friday", "Friday every 2024-05-17 or 2024-05-10"),
            ("Fridays are fun", "Fridays every 2024-05-17 or 2024-05-10"),
            ("Friday next week", "Friday next week 2024-05-24"),
            ("next week", "next week 2024-05-20..2024-05-26"),
            ("the week before last", "the week before last 2024-04-29..2024-05-05"),
            ("this weekend", "this weekend 2024-05-18..2024-05-19"),
            ("last weekend", "last weekend 2024-05-11..2024-05-12"),
            ("in three days", "in three days 2024-05-18"),
            ("two weeks ago", "two weeks ago 2024-04-29..2024-05-05"),
            ("a week ago", "a week ago 2024-05-06..2024-05-12"),
            ("twenty-five years ago", "twenty-five years ago 1999-01-01..1999-12-31"),
            ("3 months from now", "3 months from now 2024-08-01..2024-08-31"),
            ("last winter", "last winter 2023-12-01..2024-02-29"),
            ("last spring", "last spring 2023-03-01..2023-05-31"),
            ("next summer", "next summer 2024-06-01..2024-08-31"),
            ("the summer of 2019", "summer of 2019 2019-06-01..2019-08-31"),
            ("in the winter", "winter 2023-12-01..2024-02-29 or 2024-12-01..2025-02-28"),
            ("on May 3rd", "May 3rd 2024-05-03 or 2025-05-03"),
            ("May 3, 2024", "May 3, 2024 2024-05-03"),
            ("the third of May", "the third of May 2024-05-03 or 2025-05-03"),
            ("on 24 December 2023", "24 December 2023 2023-12-24"),
            ("in March", "March 2024-03-01..2024-03-31 or 2025-03-01..2025-03-31"),
            ("last May", "last May 2023-05-01..2023-05-31"),
            ("next October", "next October 2024-10-01..2024-10-31"),
            ("in 2019", "2019 2019-01-01..2019-12-31"),
            ("last year", "last year 2023-01-01..2023-12-31"),
            ("2024-05-03", "2024-05-03 2024-05-03"),
        ],
    );
}

#[test]
fn this_very_day_of_another_time() {
    check(
        at(WEDNESDAY),
        None,
        &[
            ("去年今天我们在做什么？", "去年今天 2023-05-15"),
            ("去年的今天", "去年的今天 2023-05-15"),
            ("去年今日此门中", "去年今日 2023-05-15"),
            ("两年前的今天我做了什么？", "两年前的今天 2022-05-15"),
            ("十年后的今天见", "十年后的今天 2034-05-15"),
            ("前年的今晚", "前年的今晚 2022-05-15"),
            ("去年的这一天", "去年的这一天 2023-05-15"),
            ("明年同一天", "明年同一天 2025-05-15"),
            ("去年的昨天", "去年的昨天 2023-05-14"),
            ("2019年的今天", "2019年的今天 2019-05-15"),
            ("上个月的今天", "上个月的今天 2024-04-15"),
            ("三個月前的今天", "三個月前的今天 2024-02-15"),
            ("半年前的今天", "半年前的今天 2023-11-15"),
            ("上周的今天", "上周的今天 2024-05-08"),
            ("去年这天气真怪", "去年 2023-01-01..2023-12-31"),
            ("去年、今天", "去年 2023-01-01..2023-12-31; 今天 2024-05-15"),
            ("去年前天气好", "去年 2023-01-01..2023-12-31"),
            ("去年の今日", "去年の今日 2023-05-15"),
            ("二年前の今日、会ったね", "二年前の今日 2022-05-15"),
            ("先月の今日", "先月の今日 2024-04-15"),
            ("来年のこの日", "来年のこの日 2025-05-15"),
            ("a year ago today", "a year ago today 2023-05-15"),
            ("Two years ago today we met", "Two years ago today 2022-05-15"),
            ("a year ago tomorrow", "a year ago tomorrow 2023-05-16"),
            ("on this day two years ago", "on this day two years ago 2022-05-15"),
            ("last year on this day", "last year on this day 2023-05-15"),
            ("this day last year", "this day last year 2023-05-15"),
            ("on the same day last month", "on the same day last month 2024-04-15"),
            ("today, ten years ago", "today 2024-05-15; ten years ago 2014-01-01..2014-12-31"),
            ("today ten years ago", "today ten years ago 2014-05-15"),
            ("On this very day, in 2019, it began", "On this very day, in 2019 2019-05-15"),
            ("two years ago to the day", "two years ago to the day 2022-05-15"),
            ("a week ago today", "a week ago today 2024-05-08"),
            ("two weeks from tomorrow", "two weeks from tomorrow 2024-05-30"),
            ("Unlike last year, today I am glad", "last year 2023-01-01..2023-12-31; today 2024-05-15"),
            ("Today last year's book came", "Today 2024-05-15; last year 2023-01-01..2023-12-31"),
            ("To this day, last year haunts me", "last year 2023-01-01..2023-12-31"),
        ],
    );
    // 2024-02-29: there is no such day in 2023.
    check(at(1_709_208_000_000), None, &[("去年的今天", "去年的今天 2023-02-28")]);
}

#[test]
fn on_other_days() {
    let sunday = WEDNESDAY - 3 * DAY;
    let january = at(1_705_320_000_000); // 2024-01-15
    let december = at(1_734_696_000_000); // 2024-12-20
    check(
        at(sunday),
        None,
        &[
            ("周一见", "周一 2024-05-13 or 2024-05-06"),
            ("下周一", "下周一 2024-05-13"),
            ("last Friday", "last Friday 2024-05-10"),
            ("this Friday", "this Friday 2024-05-10 or 2024-05-17"),
            ("周日", "周日 2024-05-12"),
        ],
    );
    check(
        january,
        None,
        &[
            ("last winter", "last winter 2022-12-01..2023-02-28"),
            ("去年冬天", "去年冬天 2022-12-01..2023-02-28"),
            ("今年冬天", "今年冬天 2023-12-01..2024-02-29"),
            ("上个月", "上个月 2023-12-01..2023-12-31"),
            ("31号", "31号 2023-12-31 or 2024-01-31"),
        ],
    );
    check(
        december,
        None,
        &[
            ("this winter", "this winter 2024-12-01..2025-02-28"),
            ("last summer", "last summer 2024-06-01..2024-08-31"),
            ("下个月", "下个月 2025-01-01..2025-01-31"),
            ("January", "January 2025-01-01..2025-01-31 or 2024-01-01..2024-01-31"),
        ],
    );
}

#[test]
fn a_memory_is_of_such_a_time() {
    let word = found("what did we do last week", at(WEDNESDAY), None).remove(0);
    let is_of = |wall_ms: i64| {
        day_of(at(wall_ms), None).is_some_and(|day| word.days.iter().any(|days| days.contains(day)))
    };
    assert!(is_of(WEDNESDAY - 7 * DAY) && is_of(WEDNESDAY - 3 * DAY));
    assert!(!is_of(WEDNESDAY) && !is_of(WEDNESDAY - 10 * DAY));
    let about = found("两周后", at(WEDNESDAY), None).remove(0);
    assert_eq!(about.counted, day_of(at(WEDNESDAY + 14 * DAY), None));
}

#[test]
fn no_number_is_too_large() {
    for text in [
        "9999999999999年后",
        "9999年后",
        "9999天前",
        "99999999年5月3日",
        "0000-01-01",
        "9999年9月9日之后99999周前",
        "in 9999 years",
    ] {
        for wall_ms in [0, i64::MIN, i64::MAX, WEDNESDAY] {
            found(text, at(wall_ms), None);
        }
    }
}
