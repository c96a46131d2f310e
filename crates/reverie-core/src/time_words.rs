//! Which days does a text speak of? 下周五, last winter, 三日前, on May 3rd, 2019年.
//!
//! One place for everything that needs to know: digest holds the days of a statement against those of its lines and puts dates
//! behind words that count from the day on which they were said; recall can hold the days of a question ("what did we do last
//! week") against the times of memories.
//!
//! [`found`] reads a text in Chinese, Japanese and English and resolves each word for a time against the moment in which it was
//! said. Days are numbered as [`day_of`] numbers them: on Earth from 1970-01-01 (UTC, or the zone of a Gregorian
//! calendar), in a world with a calendar of its own by that. So whether a memory is of such a time is
//! `word.days.iter().any(|days| days.contains(day))` with `day_of(its moment, calendar)`.
//!
//! What nobody can tell is not guessed: "Friday" is the one before or the one after, and both are given, the nearer one first. What a world does
//! not have (weekdays in a game whose calendar knows none, any day where its length is unknown) has no days at all, but is found.
//! Weeks begin on Monday; seasons on Earth are those of the north, and a winter belongs to the year in which it begins. Feasts are read on
//! Earth alone, those of the moon from 2000 to 2050. Not read: times of the day (明晚 is a day), and lengths ("for two weeks", 三年).
//!
//! Of some words everybody knows about when that is, and nobody which days: 前几天 and "the other day" are the seven days before, 最近 and
//! "recently" the last fourteen and today, 年初 January to March, 年底 November and December, 暑假 June to August, 寒假 January and February.
//! That is enough to be reminded by ([`found`]) and too little to put a date on: digest asks for [`named`], which does not read them.

mod earth;
mod english;
mod english_dates;
mod english_feasts;
mod english_lengths;
mod english_years;
mod feasts;
mod game;
mod ideograph_dates;
mod ideograph_feasts;
mod ideographs;
mod meaning;
mod other_words;
mod own_names;
mod same_day;
mod scan;
mod written_dates;

#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::digest::Tongue;
use crate::time::{Calendar, Language, Moment};
pub(crate) use meaning::{Meaning, WhichYear};
use own_names::Names;
use scan::Text;

pub(crate) use english_dates::MONTHS;

/// Days from the first to the last, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Days {
    pub(crate) first: i64,
    pub(crate) last: i64,
}

impl Days {
    fn one(day: i64) -> Self {
        Self { first: day, last: day }
    }

    pub(crate) fn contains(self, day: i64) -> bool {
        (self.first..=self.last).contains(&day)
    }

    /// Whether all of the others are among these.
    pub(crate) fn holds(self, others: Self) -> bool {
        self.first <= others.first && others.last <= self.last
    }
}

/// A word for a time, and when that is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TimeWord {
    /// Bytes of the text.
    pub(crate) at: Range<usize>,
    pub(crate) meaning: Meaning,
    /// One, or several where nobody can tell which is meant, the nearest first; none where the world has no such days.
    pub(crate) days: Vec<Days>,
    /// The very day to which "two weeks ago" counts, where `days` is the week around it.
    pub(crate) counted: Option<i64>,
    /// Every Friday, 每周五, Fridays.
    pub(crate) is_repeated: bool,
}

impl TimeWord {
    /// Whether it says something else on another day, and names one time: tomorrow, 上周五, last May.
    pub(crate) fn counts_from_then(&self) -> bool {
        !self.is_repeated && !self.meaning.is_fixed() && !self.meaning.comes_again()
    }

    /// Whether it is a day or an end of a week, and only the week tells which one: Friday, next Friday.
    pub(crate) fn is_of_some_week(&self) -> bool {
        matches!(self.meaning, Meaning::Weekday { .. } | Meaning::Weekend(_)) && !self.is_repeated
    }

    /// The days, where they are known for sure.
    pub(crate) fn sure(&self) -> Option<Days> {
        match self.days.as_slice() {
            [days] => Some(*days),
            _ => None,
        }
    }
}

/// Which words are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Those that name their days.
    Named,
    /// And those that say about when: recently, 年底.
    Vague,
}

/// Every word for a time in a text that was said at a moment, in their order.
pub(crate) fn found(text: &str, said: Moment, calendar: Option<&Calendar>) -> Vec<TimeWord> {
    read(text, said, calendar, Reach::Vague)
}

/// Those that name their days.
pub(crate) fn named(text: &str, said: Moment, calendar: Option<&Calendar>) -> Vec<TimeWord> {
    read(text, said, calendar, Reach::Named)
}

fn read(text: &str, said: Moment, calendar: Option<&Calendar>, reach: Reach) -> Vec<TimeWord> {
    let text = Text::new(text).with(Names::of(calendar));
    let mut words = ideographs::read(&text, reach);
    words.extend(english::read(&text, reach));
    // Of two that begin together the one that says more.
    words.sort_by_key(|word| (word.chars.start, usize::MAX - word.chars.end));
    let mut found: Vec<TimeWord> = Vec::with_capacity(words.len());
    for word in words {
        let at = text.bytes(&word.chars);
        if found.last().is_some_and(|last| last.at.end > at.start) {
            continue;
        }
        let (days, counted) = resolve(word.meaning, said, calendar);
        found.push(TimeWord { at, meaning: word.meaning, days, counted, is_repeated: word.is_repeated });
    }
    found
}

/// The number of the day of a moment: of the world's own calendar, else on Earth (UTC) since 1970.
pub(crate) fn day_of(moment: Moment, calendar: Option<&Calendar>) -> Option<i64> {
    match calendar {
        Some(calendar) => calendar.day(moment),
        None => Some(moment.wall_ms?.div_euclid(MS_PER_DAY)),
    }
}

/// How a day is written: in the world's own calendar, without the hour, of which nobody spoke; on Earth 2024-05-03.
pub(crate) fn date(
    day: i64,
    said: Moment,
    calendar: Option<&Calendar>,
    language: Language,
) -> Option<String> {
    let Some(calendar) = calendar.filter(|calendar| !calendar.is_gregorian()) else {
        return earth::date(day);
    };
    let tick = match day.checked_sub(calendar.day(said).unwrap_or(day))? {
        0 => said.tick?,
        days => said.tick?.checked_add(days.checked_mul(calendar.ticks_per_day()? as i64)?)?,
    };
    calendar.format_day(Moment { tick: Some(tick), wall_ms: None }, language).map(|stamp| bare(&stamp))
}

/// Days as one would write them behind a word for them, with `to` between the first and the last: 2024-06 is a month.
pub(crate) fn dates(
    days: Days,
    said: Moment,
    calendar: Option<&Calendar>,
    language: Language,
    to: &str,
) -> Option<String> {
    let is_on_earth = calendar.is_none_or(Calendar::is_gregorian);
    if let Some(period) = earth::period(days).filter(|_| is_on_earth) {
        return Some(period);
    }
    let date = |day| date(day, said, calendar, language);
    match days.first == days.last {
        true => date(days.first),
        false => Some(format!("{}{to}{}", date(days.first)?, date(days.last)?)),
    }
}

/// What a day on Earth is called in its week.
pub(crate) fn weekday(day: i64, tongue: Tongue) -> &'static str {
    const NAMES: [(&str, &str, &str); 7] = [
        ("星期一", "月曜日", "Monday"),
        ("星期二", "火曜日", "Tuesday"),
        ("星期三", "水曜日", "Wednesday"),
        ("星期四", "木曜日", "Thursday"),
        ("星期五", "金曜日", "Friday"),
        ("星期六", "土曜日", "Saturday"),
        ("星期日", "日曜日", "Sunday"),
    ];
    let (chinese, japanese, english) = NAMES.get(earth::weekday(day)).copied().unwrap_or_default();
    match tongue {
        Tongue::Chinese => chinese,
        Tongue::Japanese => japanese,
        Tongue::Alphabetic => english,
    }
}

/// A stamp stands in brackets and may begin with a word for time.
pub(crate) fn bare(stamp: &str) -> String {
    let bare = stamp.trim_matches(['[', ']']);
    bare.split_once(": ").map_or(bare, |(_, date)| date).to_owned()
}

const MS_PER_DAY: i64 = 86_400_000;

fn resolve(meaning: Meaning, said: Moment, calendar: Option<&Calendar>) -> (Vec<Days>, Option<i64>) {
    let cycles = match calendar {
        Some(calendar) if !calendar.is_gregorian() => Some(calendar.cycles()),
        _ => None,
    };
    let today = day_of(said, calendar);
    let found = match (today, cycles) {
        (Some(today), Some(cycles)) => {
            game::days(meaning, today, &cycles).zip(Some(game::counted(meaning, today, &cycles)))
        }
        (Some(today), None) => earth::days(meaning, today).zip(Some(earth::counted(meaning, today))),
        // A year needs no day to be counted from.
        (None, None) if meaning.is_fixed() => earth::days(meaning, 0).zip(Some(None)),
        (None, _) => None,
    };
    let (mut days, counted) = found.unwrap_or_default();
    days.dedup();
    (days, counted)
}
