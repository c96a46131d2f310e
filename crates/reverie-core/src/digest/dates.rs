//! Which day is meant by "tomorrow"?
//!
//! A memory outlives the day on which it was said, so words that count from that day get the date beside them.

use crate::time::{Calendar, Language, Moment};

/// Words for a day, and how far it is from the day on which they are said. Longer ones first, because some hold others.
const DAYS: &[(&str, i64)] = &[
    ("day after tomorrow", 2),
    ("day before yesterday", -2),
    ("tomorrow", 1),
    ("yesterday", -1),
    ("today", 0),
    ("tonight", 0),
    ("大后天", 3),
    ("大後天", 3),
    ("大前天", -3),
    ("明後日", 2),
    ("一昨日", -2),
    ("后天", 2),
    ("後天", 2),
    ("前天", -2),
    ("明天", 1),
    ("明日", 1),
    ("明晚", 1),
    ("昨天", -1),
    ("昨日", -1),
    ("昨晚", -1),
    ("今天", 0),
    ("今日", 0),
    ("今晚", 0),
    ("あさって", 2),
    ("おととい", -2),
    ("あした", 1),
    ("きのう", -1),
    ("きょう", 0),
];

pub(super) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

const MS_PER_DAY: i64 = 86_400_000;

/// The text with a date behind each word for a day, as it was when the line was said. Texts that cannot be dated stay.
pub(super) fn with_dates(text: &str, said: Moment, calendar: Option<&Calendar>) -> String {
    let mut dated = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = DAYS.iter().find(|(word, _)| begins_with(rest, word));
        let Some((word, days)) = word else {
            dated.push(first);
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
            continue;
        };
        let (found, behind) = rest.split_at(word.len());
        dated.push_str(found);
        rest = behind;
        let is_part = found.is_ascii() && rest.starts_with(|c: char| c.is_ascii_alphanumeric());
        if let Some(date) =
            date(*days, said, calendar).filter(|_| !is_part && !rest.trim_start().starts_with(['(', '（']))
        {
            dated.push_str(&if found.is_ascii() { format!(" ({date})") } else { format!("（{date}）") });
        }
    }
    dated
}

/// The numbers in the dates that words for a day in this text mean.
pub(super) fn meant_dates(text: &str, said: Moment, calendar: Option<&Calendar>) -> Vec<String> {
    let lower = text.to_lowercase();
    let meant = DAYS.iter().filter(|(word, _)| lower.contains(word)).map(|(_, days)| *days);
    let in_other_words = |days: i64| calendar.is_none().then(|| described(said.wall_ms?, days)).flatten();
    let dates = meant.flat_map(|days| [date(days, said, calendar), in_other_words(days)]);
    // And that of the day on which it was said.
    dates.chain([date(0, said, calendar)]).flatten().collect()
}

/// A day on Earth as people speak of it.
fn described(ms: i64, days: i64) -> Option<String> {
    const WEEK: [(&str, &str, &str); 7] = [
        ("一", "月曜日", "Monday"),
        ("二", "火曜日", "Tuesday"),
        ("三", "水曜日", "Wednesday"),
        ("四", "木曜日", "Thursday"),
        ("五", "金曜日", "Friday"),
        ("六", "土曜日", "Saturday"),
        ("日", "日曜日", "Sunday"),
    ];
    let date = on_earth(ms.checked_add(days * MS_PER_DAY)?)?;
    let (chinese, japanese, english) =
        WEEK.get(usize::try_from(date.weekday().to_monday_zero_offset()).ok()?)?;
    let month = MONTHS.get(usize::try_from(date.month() - 1).ok()?)?;
    Some(format!("星期{chinese} 周{chinese} {japanese} {english} {month}"))
}

fn on_earth(ms: i64) -> Option<jiff::civil::Date> {
    Some(jiff::Timestamp::from_millisecond(ms).ok()?.to_zoned(jiff::tz::TimeZone::UTC).date())
}

/// The date of a moment: in the world's own calendar, else on Earth.
pub(super) fn date_of(moment: Moment, calendar: Option<&Calendar>, language: Language) -> Option<String> {
    let stamp = calendar.and_then(|calendar| calendar.format(moment, language));
    stamp.map(|stamp| bare(&stamp)).or_else(|| wall_date(moment.wall_ms?))
}

fn begins_with(text: &str, word: &str) -> bool {
    text.get(..word.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(word))
}

/// So many days from then: in the world's own calendar, else on Earth.
fn date(days: i64, said: Moment, calendar: Option<&Calendar>) -> Option<String> {
    let Some(calendar) = calendar else { return wall_date(said.wall_ms?.checked_add(days * MS_PER_DAY)?) };
    let ticks = calendar.ticks_per_day().map(|day| day as i64);
    let later = |tick: i64| match ticks {
        Some(ticks) => tick.checked_add(days.checked_mul(ticks)?),
        // Nobody knows how long a day is.
        None => (days == 0).then_some(tick),
    };
    let then = Moment {
        tick: said.tick.and_then(later),
        wall_ms: said.wall_ms.and_then(|ms| ms.checked_add(days * MS_PER_DAY)),
    };
    Some(bare(&calendar.format(then, Language::Zh)?))
}

/// A stamp stands in brackets and may begin with a word for time.
fn bare(stamp: &str) -> String {
    let bare = stamp.trim_matches(['[', ']']);
    bare.split_once(": ").map_or(bare, |(_, date)| date).to_owned()
}

fn wall_date(ms: i64) -> Option<String> {
    let date = on_earth(ms)?;
    Some(format!("{:04}-{:02}-{:02}", date.year(), date.month(), date.day()))
}

#[cfg(test)]
mod tests {
    use super::with_dates;
    use crate::time::Moment;

    #[test]
    fn words_for_a_day_get_its_date() {
        // 2024-05-01T12:00:00Z
        let said = Moment { tick: None, wall_ms: Some(1_714_564_800_000) };
        for (text, dated) in [
            ("李四明天去成都。", "李四明天（2024-05-02）去成都。"),
            ("Mira leaves tomorrow.", "Mira leaves tomorrow (2024-05-02)."),
            ("The day after tomorrow", "The day after tomorrow (2024-05-03)"),
            ("昨日は雨だった", "昨日（2024-04-30）は雨だった"),
            ("大后天考试，后天休息", "大后天（2024-05-04）考试，后天（2024-05-03）休息"),
            ("明天（五月二日）", "明天（五月二日）"),
            ("Todayish todays", "Todayish todays"),
            ("", ""),
        ] {
            assert_eq!(with_dates(text, said, None), dated);
        }
    }
}
