//! In what words could somebody ask for the day on which something was?
//!
//! They become part of what a note is found by: "what did we do on May 3rd", "五月三号那天", "去年冬天".

use std::borrow::Cow;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::time::{Calendar, Language, Moment};
use crate::time_words::{Days, MONTHS, day_of, found};

/// Words for a moment in Chinese and English: in the world's own calendar, else on Earth.
pub fn words(moment: Moment, calendar: Option<&Calendar>) -> String {
    if let Some(calendar) = calendar {
        let told = Language::ALL.into_iter().filter_map(|language| calendar.format(moment, language));
        return told.collect::<Vec<_>>().join(" ");
    }
    let at = moment.wall_ms.and_then(|ms| Timestamp::from_millisecond(ms).ok());
    at.map(|at| of_date(at.to_zoned(TimeZone::UTC).date())).unwrap_or_default()
}

/// Days that are spoken of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    pub first: i64,
    pub last: i64,
    /// Whether it is spoken of within it: today, this week.
    pub is_now: bool,
}

/// The days that a text speaks of, said at a moment.
pub fn days(text: &str, said: Moment, calendar: Option<&Calendar>) -> Vec<Stretch> {
    let today = day_of(said, calendar);
    let words = found(text, said, calendar).into_iter().filter(|word| !word.is_repeated);
    let stretch = |days: Days| Stretch {
        first: days.first,
        last: days.last,
        is_now: today.is_some_and(|today| days.contains(today)),
    };
    words.flat_map(|word| word.days).map(stretch).collect()
}

/// A text without the words that name a time by counting from the moment in which they are said, where it is known which days that
/// are: these are found by their days. Another `昨天` in a memory is another day.
pub fn without_counted<'t>(text: &'t str, said: Moment, calendar: Option<&Calendar>) -> Cow<'t, str> {
    let words = found(text, said, calendar);
    let mut counted = words.iter().filter(|word| word.counts_from_then() && !word.days.is_empty()).peekable();
    if counted.peek().is_none() {
        return Cow::Borrowed(text);
    }
    let mut rest = String::with_capacity(text.len());
    let mut from = 0;
    for word in counted {
        rest.push_str(text.get(from..word.at.start).unwrap_or_default());
        rest.push(' ');
        from = word.at.end;
    }
    rest.push_str(text.get(from..).unwrap_or_default());
    // Whoever names a time and nothing else asks for that.
    if rest.contains(char::is_alphanumeric) { Cow::Owned(rest) } else { Cow::Borrowed(text) }
}

fn of_date(date: Date) -> String {
    let (year, month, day) = (date.year(), date.month(), date.day());
    let name = MONTHS.get(usize::from(month.unsigned_abs()).saturating_sub(1)).copied().unwrap_or_default();
    format!("{year}年{month}月{day}日 {name} {day} {year}")
}
