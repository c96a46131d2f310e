//! Words for dates in English: months and days of months.

use super::english::{Read, Reading, offset, which_year};
use super::meaning::{Meaning, WhichMonth, WhichYear};
use crate::time::Period;

pub(crate) const MONTHS: [&str; 12] = [
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

/// A month on Earth or of the world, as it is named somewhere.
#[derive(Clone, Copy)]
struct Month {
    name: MonthName,
    /// How many words that are.
    words: usize,
    /// Whether it is a word as well, or what somebody is called.
    is_no_sure_name: bool,
}

#[derive(Clone, Copy)]
enum MonthName {
    /// 1 is January.
    OnEarth(i64),
    Own(Period),
}

impl Month {
    fn of(self, year: WhichYear) -> WhichMonth {
        match self.name {
            MonthName::OnEarth(month) => WhichMonth::Named { month, year },
            MonthName::Own(period) => WhichMonth::Own { period, year },
        }
    }

    fn has_day(self, day: i64) -> bool {
        match self.name {
            MonthName::OnEarth(_) => (1..=31).contains(&day),
            MonthName::Own(period) => period.has_day(day),
        }
    }

    /// A number behind it that is a year: years of worlds may be young.
    fn year(self, word: &str) -> Option<i64> {
        match self.name {
            MonthName::Own(period) if period.is_of_year && (3..=6).contains(&word.len()) => word.parse().ok(),
            MonthName::Own(_) => None,
            MonthName::OnEarth(_) => year_number(word),
        }
    }
}

fn month_of(reading: &Reading<'_>, place: usize) -> Option<Month> {
    if let Some((own, words)) = reading.names.spelled_at(reading, place) {
        let name = MonthName::Own(own.period);
        return Some(Month { name, words, is_no_sure_name: own.may_be_a_word });
    }
    let word = reading.word(place);
    let name = MonthName::OnEarth(month_on_earth(word)?);
    Some(Month { name, words: 1, is_no_sure_name: is_no_sure_month(word) })
}

fn month_on_earth(word: &str) -> Option<i64> {
    const SHORT: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sept", "oct", "nov", "dec"];
    let by_name = MONTHS.iter().position(|month| month.eq_ignore_ascii_case(word));
    let month = by_name.or_else(|| SHORT.iter().position(|month| *month == word))?;
    Some(month as i64 + 1)
}

fn is_no_sure_month(word: &str) -> bool {
    let is_short = word.len() <= 4 && !matches!(word, "july" | "june");
    is_short || matches!(word, "april" | "june" | "august" | "march")
}

/// May 3rd, May 3, 2024, 3 May, the third of May, the 3rd day of Aprimay 5501.
pub(super) fn date(reading: &Reading<'_>) -> Read {
    let (month, day, count) = month_then_day(reading).or_else(|| day_then_month(reading))?;
    let (year, count) = match month.year(reading.word(count)) {
        Some(year) => (WhichYear::Number(year), count + 1),
        None => match (offset(reading.word(count)), reading.word(count + 1)) {
            (Some(offset), "year") => (WhichYear::Offset(offset), count + 2),
            _ => (WhichYear::Any, count),
        },
    };
    Some((Meaning::Date { month: month.of(year), day }, count))
}

fn month_then_day(reading: &Reading<'_>) -> Option<(Month, i64, usize)> {
    let month = month_of(reading, 0)?;
    let is_sure = !month.is_no_sure_name || reading.is_capital(0);
    let place = month.words + usize::from(reading.word(month.words) == "the");
    let (day, length) = day_number(reading, place)?;
    (is_sure && month.has_day(day)).then_some((month, day, place + length))
}

fn day_then_month(reading: &Reading<'_>) -> Option<(Month, i64, usize)> {
    let start = usize::from(matches!(reading.word(0), "the" | "day"));
    let (day, length) = day_number(reading, start)?;
    // The third day of May.
    let day_of = start + length + usize::from(reading.word(start + length) == "day");
    let place = day_of + usize::from(reading.word(day_of) == "of");
    let month = month_of(reading, place)?;
    let is_sure = !month.is_no_sure_name || reading.is_capital(place);
    (is_sure && month.has_day(day)).then_some((month, day, place + month.words))
}

/// On the 12th, by the 3rd of next month; the 12th floor is none.
pub(super) fn day_of_month(reading: &Reading<'_>) -> Read {
    const FOLLOWERS: &[&str] = &[
        "", "i", "we", "you", "he", "she", "it", "they", "and", "or", "but", "at", "in", "for", "to", "with",
        "was", "were", "is", "will", "did", "when", "if", "then", "so", "my", "our", "because", "morning",
        "evening", "night",
    ];
    let is_led_to =
        matches!(reading.before(), "on" | "by" | "until" | "till" | "since" | "before" | "after" | "from");
    let has_ending = reading.word(1).ends_with(|c: char| c.is_ascii_alphabetic());
    let is_digit = reading.word(1).starts_with(|c: char| c.is_ascii_digit());
    if reading.word(0) != "the" || !is_led_to || !has_ending || !is_digit {
        return None;
    }
    let (day, length) = day_number(reading, 1).filter(|(day, _)| (1..=31).contains(day))?;
    let end = 1 + length;
    let month = match (reading.word(end), reading.word(end + 1), reading.word(end + 2)) {
        ("of", "the", "month") => Some(WhichMonth::Any),
        ("of", word, "month") => offset(word).map(WhichMonth::Offset),
        _ => None,
    };
    if let Some(month) = month {
        return Some((Meaning::Date { month, day }, end + 3));
    }
    let is_apart = reading.behind(end).is_none_or(|rest| !rest.is_close());
    let ends = is_apart || FOLLOWERS.contains(&reading.word(end));
    ends.then_some((Meaning::Date { month: WhichMonth::Any, day }, end))
}

/// 3, 3rd, third, twenty-first.
fn day_number(reading: &Reading<'_>, place: usize) -> Option<(i64, usize)> {
    const ORDINALS: [&str; 20] = [
        "first",
        "second",
        "third",
        "fourth",
        "fifth",
        "sixth",
        "seventh",
        "eighth",
        "ninth",
        "tenth",
        "eleventh",
        "twelfth",
        "thirteenth",
        "fourteenth",
        "fifteenth",
        "sixteenth",
        "seventeenth",
        "eighteenth",
        "nineteenth",
        "twentieth",
    ];
    let ordinal =
        |word: &str| ORDINALS.iter().position(|ordinal| *ordinal == word).map(|place| place as i64 + 1);
    let word = reading.word(place);
    let tens = match word {
        "twenty" => Some(20),
        "thirty" => Some(30),
        _ => None,
    };
    let composed =
        tens.and_then(|tens| Some((tens + ordinal(reading.word(place + 1)).filter(|day| *day < 10)?, 2)));
    let digits = word
        .strip_suffix("st")
        .or_else(|| word.strip_suffix("nd"))
        .or_else(|| word.strip_suffix("rd"))
        .or_else(|| word.strip_suffix("th"))
        .unwrap_or(word);
    // Of worlds whose months are long, up to three digits.
    let single = digits.parse::<i64>().ok().filter(|_| digits.len() <= 3).or_else(|| ordinal(word));
    let thirtieth = (word == "thirtieth").then_some((30, 1));
    composed.or(thirtieth).or(single.map(|day| (day, 1)))
}

pub(super) fn year_number(word: &str) -> Option<i64> {
    let year = word.parse::<i64>().ok()?;
    (word.len() == 4 && year >= 1000).then_some(year)
}

/// May (where it is no word), in March, last May, May 2024, March of last year.
pub(super) fn month(reading: &Reading<'_>) -> Read {
    let leading = which_year(reading.word(0)).filter(|_| month_of(reading, 1).is_some());
    let place = usize::from(leading.is_some());
    let month = month_of(reading, place)?;
    let end = place + month.words;
    let of = end + usize::from(reading.word(end) == "of");
    let (year, count) = match (month.year(reading.word(of)), offset(reading.word(of)), reading.word(of + 1)) {
        (Some(number), ..) => (WhichYear::Number(number), of + 1),
        (None, Some(offset), "year") => (WhichYear::Offset(offset), of + 2),
        _ if reading.is_before_last(end) => (WhichYear::BeforeLast, end + 2),
        _ => (leading.unwrap_or(WhichYear::Any), end),
    };
    let is_led_to = matches!(
        reading.before(),
        "in" | "since"
            | "until"
            | "till"
            | "by"
            | "of"
            | "early"
            | "late"
            | "mid"
            | "every"
            | "each"
            | "from"
            | "during"
    );
    let is_sure = year != WhichYear::Any || is_led_to;
    let is_capital = reading.is_capital(place);
    (!month.is_no_sure_name || (is_sure && is_capital)).then_some((Meaning::Month(month.of(year)), count))
}
