//! Which day is meant by "tomorrow"?
//!
//! A memory outlives the day on which it was said, so words that count from that day get the date beside them.

use super::language::{Tongue, tongue_of};
use crate::time::{Calendar, Language, Moment};
use crate::time_words::{MONTHS, Meaning, TimeWord, bare, date, dates, day_of, found};

/// The text with a date behind each word that counts from the day on which it was said. Words that cannot be dated stay.
pub(super) fn with_dates(text: &str, said: Moment, calendar: Option<&Calendar>) -> String {
    let mut dated = String::with_capacity(text.len() + 16);
    let mut end = 0;
    for word in found(text, said, calendar) {
        let behind = text.get(word.at.end..).unwrap_or_default();
        let is_dated = behind.trim_start().starts_with(['(', '（']);
        let Some(date) = dates_of(&word, said, calendar, tongue_of([text])).filter(|_| !is_dated) else {
            continue;
        };
        dated.push_str(text.get(end..word.at.end).unwrap_or_default());
        let is_ascii = text.get(word.at.clone()).is_some_and(str::is_ascii);
        dated.push_str(&if is_ascii { format!(" ({date})") } else { format!("（{date}）") });
        end = word.at.end;
    }
    dated.push_str(text.get(end..).unwrap_or_default());
    dated
}

fn dates_of(word: &TimeWord, said: Moment, calendar: Option<&Calendar>, tongue: Tongue) -> Option<String> {
    let to = match tongue {
        Tongue::Chinese => "至",
        Tongue::Japanese => "〜",
        Tongue::Alphabetic => " to ",
    };
    let days = word.sure().filter(|_| word.counts_from_then())?;
    dates(days, said, calendar, Language::Zh, to)
}

/// The numbers in the dates that words for a day in this text mean.
pub(super) fn meant_dates(text: &str, said: Moment, calendar: Option<&Calendar>) -> Vec<String> {
    let is_day = |word: &TimeWord| matches!(word.meaning, Meaning::Day(_));
    let days = found(text, said, calendar).into_iter().filter(is_day).flat_map(|word| word.days);
    let meant: Vec<i64> = days.map(|days| days.first).collect();
    let dates = meant.iter().map(|day| date(*day, said, calendar, Language::Zh));
    let in_other_words = meant.iter().map(|day| described(*day, calendar));
    // And that of the day on which it was said.
    let then = day_of(said, calendar).and_then(|day| date(day, said, calendar, Language::Zh));
    dates.chain(in_other_words).chain([then]).flatten().collect()
}

/// A day on Earth as people speak of it.
fn described(day: i64, calendar: Option<&Calendar>) -> Option<String> {
    const WEEK: [(&str, &str, &str); 7] = [
        ("一", "月曜日", "Monday"),
        ("二", "火曜日", "Tuesday"),
        ("三", "水曜日", "Wednesday"),
        ("四", "木曜日", "Thursday"),
        ("五", "金曜日", "Friday"),
        ("六", "土曜日", "Saturday"),
        ("日", "日曜日", "Sunday"),
    ];
    if calendar.is_some() {
        return None;
    }
    let date = jiff::civil::date(1970, 1, 1).checked_add(jiff::Span::new().try_days(day).ok()?).ok()?;
    let (chinese, japanese, english) =
        WEEK.get(usize::try_from(date.weekday().to_monday_zero_offset()).ok()?)?;
    let month = MONTHS.get(usize::try_from(date.month() - 1).ok()?)?;
    Some(format!("星期{chinese} 周{chinese} {japanese} {english} {month}"))
}

/// The date of a moment: in the world's own calendar, else on Earth.
pub(super) fn date_of(moment: Moment, calendar: Option<&Calendar>, language: Language) -> Option<String> {
    let stamp = calendar.and_then(|calendar| calendar.format(moment, language));
    stamp.map(|stamp| bare(&stamp)).or_else(|| date(day_of(moment, None)?, moment, None, language))
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
