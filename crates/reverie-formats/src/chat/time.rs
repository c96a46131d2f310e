//! When was a message sent, in whichever of the many ways a chat file says it?
//!
//! The program that writes these files has changed its mind about dates several times, and older ones are in the words of
//! the user's language: `2023-04-27T20:00:00.000Z`, `1682625600000`, `April 27, 2023 8:00pm`, `四月 27, 2023 8:00pm`,
//! `2023-4-27 @20h 00m 00s 000ms`, `2023-04-27@20h00m00s`. What names no zone is the local time of the user's machine.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde_json::Value;

use super::Zone;

/// A moment as a file tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Time {
    /// Milliseconds since 1970; of a local time as if that machine's clock showed UTC.
    pub ms: i64,
    /// The file does not say in which zone.
    pub is_local: bool,
}

impl Time {
    /// The moment, where the user's clock followed this zone.
    pub fn wall_ms(self, zone: &Zone) -> i64 {
        if self.is_local { zone.wall_ms(self.ms) } else { self.ms }
    }
}

/// None if nobody can tell.
pub fn read(value: &Value) -> Option<Time> {
    match value {
        Value::Number(number) => epoch(number.as_f64()?),
        Value::String(text) => parse(text.trim()),
        _ => None,
    }
}

/// Longer texts are no dates.
const LONGEST: usize = 128;

fn parse(text: &str) -> Option<Time> {
    if text.len() > LONGEST {
        return None;
    }
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return epoch(text.parse().ok()?);
    }
    if let Ok(time) = text.parse::<Timestamp>() {
        return zoned(time);
    }
    if let Ok(time) = text.parse::<DateTime>() {
        return local(time);
    }
    in_words(text)
}

const LAST_MS: f64 = 253_402_300_799_999.0;

/// Milliseconds, or seconds where milliseconds would lie in the first years of computing.
fn epoch(number: f64) -> Option<Time> {
    let ms = if (1e8..1e11).contains(&number) { number * 1000.0 } else { number };
    (1e11..=LAST_MS).contains(&ms).then_some(Time { ms: ms as i64, is_local: false })
}

fn zoned(time: Timestamp) -> Option<Time> {
    Some(Time { ms: time.as_millisecond(), is_local: false })
}

fn local(time: DateTime) -> Option<Time> {
    let ms = TimeZone::UTC.to_timestamp(time).ok()?.as_millisecond();
    Some(Time { ms, is_local: true })
}

/// Reads numbers and words in order; a word that is not known makes the whole unknown.
fn in_words(text: &str) -> Option<Time> {
    // JavaScript's own dates end like this: GMT+0200 (Central European Summer Time).
    let (text, zone) = match text.find("GMT").or_else(|| text.find("UTC")) {
        Some(at) => (text.get(..at)?, Some(offset(text.get(at + 3..)?)?)),
        None => (text, None),
    };
    let mut month = None;
    let mut afternoon = None;
    let mut numbers: Vec<i64> = Vec::new();
    for token in tokens(text) {
        if let Ok(number) = token.parse() {
            numbers.push(number);
        } else if let Some(named) = month_of(&token) {
            month = Some(named);
        } else if token == "月" && numbers.len() == 1 && month.is_none() {
            // 4月 27, 2023: the month stands first.
            month = numbers.pop();
        } else if let Some(is_after) = half_of_day(&token) {
            afternoon = Some(is_after);
        } else if !SILENT.contains(&token.as_str()) && !token.starts_with("星期") {
            return None;
        }
    }
    let (date, clock) = match (month, numbers.as_slice()) {
        (Some(month), [day, year @ 1000..=9999, clock @ ..] | [year @ 1000..=9999, day, clock @ ..]) => {
            ([*year, month, *day], clock)
        }
        (None, [year @ 1000..=9999, month, day, clock @ ..]) => ([*year, *month, *day], clock),
        _ => return None,
    };
    let time = date_time(date, clock, afternoon)?;
    match zone {
        Some(minutes) => {
            let time = local(time)?;
            Some(Time { ms: time.ms - i64::from(minutes) * 60_000, is_local: false })
        }
        None => local(time),
    }
}

/// Words that change nothing.
const SILENT: [&str; 30] = [
    "h",
    "m",
    "s",
    "ms",
    "年",
    "月",
    "日",
    "时",
    "時",
    "点",
    "分",
    "秒",
    "at",
    "mon",
    "tue",
    "wed",
    "thu",
    "fri",
    "sat",
    "sun",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "th",
    "nd",
    "st",
];

fn date_time([year, month, day]: [i64; 3], clock: &[i64], afternoon: Option<bool>) -> Option<DateTime> {
    let (hour, rest) = clock.split_first().map_or((0, clock), |(hour, rest)| (*hour, rest));
    let hour = match afternoon {
        Some(_) if !(1..=12).contains(&hour) => return None,
        Some(is_after) => hour % 12 + if is_after { 12 } else { 0 },
        None => hour,
    };
    let (minute, second, milli) = match rest {
        [] => (0, 0, 0),
        [minute] => (*minute, 0, 0),
        [minute, second] => (*minute, *second, 0),
        [minute, second, milli @ 0..1000] => (*minute, *second, *milli),
        _ => return None,
    };
    let [month, day, hour, minute, second] = [month, day, hour, minute, second].map(|n| i8::try_from(n).ok());
    let nanos = i32::try_from(milli).ok()? * 1_000_000;
    DateTime::new(i16::try_from(year).ok()?, month?, day?, hour?, minute?, second?, nanos).ok()
}

/// Minutes ahead of UTC, as in `+0200 (Somewhere)`; nothing means none.
pub(super) fn offset(text: &str) -> Option<i32> {
    let text = text.split('(').next().unwrap_or_default().trim();
    if text.is_empty() {
        return Some(0);
    }
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let digits: String = text.strip_prefix(['+', '-'])?.chars().filter(|c| *c != ':').collect();
    let number: i32 = digits.parse().ok().filter(|number| (0..=2400).contains(number))?;
    let minutes = if digits.len() > 2 { number / 100 * 60 + number % 100 } else { number * 60 };
    Some(sign * minutes)
}

/// Runs of digits, of letters, and each Chinese character that stands for a part of a date.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut kind = Kind::Other;
    for c in text.chars() {
        let now = Kind::of(c);
        match now {
            Kind::Other => {}
            _ if now == kind && now != Kind::Mark => {
                tokens.last_mut().into_iter().for_each(|token| token.extend(c.to_lowercase()))
            }
            _ => tokens.push(c.to_lowercase().collect()),
        }
        kind = now;
    }
    tokens
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Digit,
    Letter,
    /// Stands behind a number in Chinese and Japanese.
    Mark,
    Other,
}

impl Kind {
    fn of(c: char) -> Self {
        match c {
            '年' | '月' | '日' | '时' | '時' | '点' | '分' | '秒' => Self::Mark,
            _ if c.is_ascii_digit() => Self::Digit,
            _ if c.is_alphabetic() => Self::Letter,
            _ => Self::Other,
        }
    }
}

fn month_of(word: &str) -> Option<i64> {
    const ENGLISH: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    const CHINESE: [&str; 12] = ["一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二"];
    let is_short =
        |name: &str| word.len() >= 3 && name.starts_with(word) || word == "sept" && name == "september";
    let found = ENGLISH.iter().position(|name| is_short(name));
    let found = found.or_else(|| CHINESE.iter().position(|name| *name == word));
    found.map(|at| at as i64 + 1)
}

/// True for the afternoon.
fn half_of_day(word: &str) -> Option<bool> {
    match word {
        "am" | "a" | "上午" | "凌晨" | "早上" | "午前" => Some(false),
        "pm" | "p" | "下午" | "晚上" | "中午" | "午後" => Some(true),
        _ => None,
    }
}

#[cfg(test)]
#[path = "tests/time.rs"]
mod tests;
