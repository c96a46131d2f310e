//! Words for times in English.

use super::meaning::{Meaning, Season, Unit, WhichMonth, WhichWeek, WhichYear};
use super::scan::{Text, Word};
use crate::numerals::spoken_number;

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

const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// A run of letters and digits.
struct Token {
    /// In lower case, without what follows an apostrophe.
    word: String,
    start: usize,
    end: usize,
    is_capital: bool,
    /// True if nothing but a blank, a hyphen or a comma is between it and the one before.
    is_joined: bool,
}

/// What was read, and how many tokens that was.
type Read = Option<(Meaning, usize)>;

pub(super) fn read(text: &Text) -> Vec<Word> {
    let tokens = tokens(text);
    let mut words = Vec::new();
    let mut rest = tokens.as_slice();
    let mut before: Option<&Token> = None;
    while let Some(first) = rest.first() {
        let reading = Reading { tokens: rest, before };
        let found = [phrase, date, month, ago, within, year, season, week, weekday, day]
            .iter()
            .filter_map(|read| read(&reading))
            .max_by_key(|(_, count)| *count);
        let count = match found {
            Some((meaning, count)) => {
                let end = rest.get(count - 1).map_or(first.end, |token| token.end);
                let is_repeated = before
                    .is_some_and(|before| matches!(before.word.as_str(), "every" | "each"))
                    || rest.get(count - 1).is_some_and(|last| is_plural_weekday(&last.word));
                words.push(Word { chars: first.start..end, meaning, is_repeated });
                count
            }
            None => 1,
        };
        before = rest.get(count - 1);
        rest = rest.get(count..).unwrap_or_default();
    }
    words
}

fn tokens(text: &Text) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut place = 0;
    while let Some(c) = text.at(place) {
        if !c.is_ascii_alphanumeric() {
            place += 1;
            continue;
        }
        let end =
            (place..).find(|at| !text.at(*at).is_some_and(|c| c.is_ascii_alphanumeric())).unwrap_or(place);
        let word: String = (place..end).filter_map(|at| text.at(at)).collect();
        let gap: String =
            tokens.last().map_or(place..place, |last| last.end..place).filter_map(|at| text.at(at)).collect();
        let is_joined = !tokens.is_empty() && matches!(gap.trim(), "" | "-" | ",");
        let is_capital = c.is_ascii_uppercase();
        tokens.push(Token { word: word.to_ascii_lowercase(), start: place, end, is_capital, is_joined });
        // Friday's is Friday.
        place = match (text.at(end), text.at(end + 1)) {
            (Some('\''), Some('s')) => end + 2,
            _ => end,
        };
    }
    tokens
}

struct Reading<'t> {
    tokens: &'t [Token],
    before: Option<&'t Token>,
}

impl Reading<'_> {
    /// The word at a place; empty where there is none, or where something stands between.
    fn word(&self, place: usize) -> &str {
        let token = self.tokens.get(place).filter(|token| place == 0 || token.is_joined);
        token.map_or("", |token| token.word.as_str())
    }

    fn is_capital(&self, place: usize) -> bool {
        self.tokens.get(place).is_some_and(|token| token.is_capital)
    }

    fn before(&self) -> &str {
        let is_joined = self.tokens.first().is_some_and(|first| first.is_joined);
        self.before.filter(|_| is_joined).map_or("", |token| token.word.as_str())
    }

    fn starts_with(&self, words: &str) -> Option<usize> {
        let count = words.split(' ').count();
        words.split(' ').enumerate().all(|(place, word)| self.word(place) == word).then_some(count)
    }

    /// A small number in digits or letters, "a" being one: its value, and how many tokens it has.
    fn count(&self, place: usize) -> Option<(i64, usize)> {
        let word = self.word(place);
        if matches!(word, "a" | "an") {
            return Some((1, 1));
        }
        if let Ok(number) = word.parse::<i64>() {
            return (1..10_000).contains(&number).then_some((number, 1));
        }
        let two = spoken_number(&[word, self.word(place + 1)]).map(|number| (number, 2));
        two.or_else(|| spoken_number(&[word]).map(|number| (number, 1)))
    }
}

fn phrase(reading: &Reading<'_>) -> Read {
    const PHRASES: &[(&str, Meaning)] = &[
        ("the day after tomorrow", Meaning::Day(2)),
        ("day after tomorrow", Meaning::Day(2)),
        ("the day before yesterday", Meaning::Day(-2)),
        ("day before yesterday", Meaning::Day(-2)),
        ("this morning", Meaning::Day(0)),
        ("this afternoon", Meaning::Day(0)),
        ("this evening", Meaning::Day(0)),
        ("last night", Meaning::Day(-1)),
        ("last evening", Meaning::Day(-1)),
        ("the week after next", Meaning::Week(2)),
        ("week after next", Meaning::Week(2)),
        ("the week before last", Meaning::Week(-2)),
        ("week before last", Meaning::Week(-2)),
        ("the year before last", Meaning::Year(WhichYear::Offset(-2))),
        ("year before last", Meaning::Year(WhichYear::Offset(-2))),
    ];
    PHRASES.iter().find_map(|(words, meaning)| Some((*meaning, reading.starts_with(words)?)))
}

fn day(reading: &Reading<'_>) -> Read {
    let days = match reading.word(0) {
        "today" | "tonight" => 0,
        "tomorrow" => 1,
        "yesterday" => -1,
        _ => return None,
    };
    Some((Meaning::Day(days), 1))
}

/// Last, this, next: so many from this one.
fn offset(word: &str) -> Option<i64> {
    match word {
        "last" | "previous" | "past" => Some(-1),
        "this" => Some(0),
        "next" | "coming" => Some(1),
        _ => None,
    }
}

fn which_year(word: &str) -> Option<WhichYear> {
    match offset(word)? {
        0 => Some(WhichYear::Offset(0)),
        1.. => Some(WhichYear::Next),
        _ => Some(WhichYear::Last),
    }
}

/// Next week, this weekend, last month, next year.
fn week(reading: &Reading<'_>) -> Read {
    if matches!(reading.word(0), "weekend" | "weekends") {
        return Some((Meaning::Weekend(WhichWeek::Any), 1));
    }
    let (offset, count) = which(reading)?;
    let meaning = match reading.word(count) {
        "week" => Meaning::Week(offset),
        "weekend" if offset < 0 => Meaning::Weekend(WhichWeek::Last),
        "weekend" => Meaning::Weekend(WhichWeek::Offset(offset)),
        "month" => Meaning::Month(WhichMonth::Offset(offset)),
        "year" => Meaning::Year(WhichYear::Offset(offset)),
        _ => return None,
    };
    Some((meaning, count + 1))
}

/// This coming and this past are two words.
fn which(reading: &Reading<'_>) -> Option<(i64, usize)> {
    match (reading.word(0), reading.word(1)) {
        ("this", "coming") => Some((1, 2)),
        ("this", "past") => Some((-1, 2)),
        (word, _) => Some((offset(word)?, 1)),
    }
}

fn weekday_of(word: &str) -> Option<i64> {
    let word = if is_plural_weekday(word) { word.trim_end_matches('s') } else { word };
    WEEKDAYS.iter().position(|day| *day == word).map(|place| place as i64)
}

fn is_plural_weekday(word: &str) -> bool {
    word.strip_suffix('s').is_some_and(|word| WEEKDAYS.contains(&word)) || word == "weekends"
}

/// Friday, last Friday, this coming Friday, Friday next week.
fn weekday(reading: &Reading<'_>) -> Read {
    if let Some(weekday) = weekday_of(reading.word(0)) {
        let week = match (offset(reading.word(1)), reading.word(2)) {
            (Some(offset), "week") => (WhichWeek::Offset(offset), 3),
            _ => (WhichWeek::Any, 1),
        };
        return Some((Meaning::Weekday { weekday, week: week.0 }, week.1));
    }
    let (offset, count) = which(reading)?;
    let weekday = weekday_of(reading.word(count))?;
    let week = match (offset, count) {
        (0, _) => WhichWeek::This,
        (1.., 2) => WhichWeek::Coming,
        (1.., _) => WhichWeek::Next,
        _ => WhichWeek::Last,
    };
    Some((Meaning::Weekday { weekday, week }, count + 1))
}

/// 3 days ago, a week ago, two years ago, three days from now.
fn ago(reading: &Reading<'_>) -> Read {
    let (count, length) = reading.count(0)?;
    let unit = unit(reading.word(length))?;
    match (reading.word(length + 1), reading.word(length + 2)) {
        ("ago", _) => Some((Meaning::shifted(unit, -count), length + 2)),
        ("from", "now") => Some((Meaning::shifted(unit, count), length + 3)),
        _ => None,
    }
}

/// In three days, in a week.
fn within(reading: &Reading<'_>) -> Read {
    if reading.word(0) != "in" {
        return None;
    }
    let (count, length) = reading.count(1)?;
    let unit = unit(reading.word(length + 1))?;
    Some((Meaning::shifted(unit, count), length + 2))
}

/// None inside: days.
fn unit(word: &str) -> Option<Option<Unit>> {
    match word {
        "day" | "days" => Some(None),
        "week" | "weeks" => Some(Some(Unit::Week)),
        "month" | "months" => Some(Some(Unit::Month)),
        "year" | "years" => Some(Some(Unit::Year)),
        _ => None,
    }
}

fn month_of(reading: &Reading<'_>, place: usize) -> Option<i64> {
    const SHORT: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sept", "oct", "nov", "dec"];
    let word = reading.word(place);
    let by_name = MONTHS.iter().position(|month| month.eq_ignore_ascii_case(word));
    let month = by_name.or_else(|| SHORT.iter().position(|month| *month == word))?;
    Some(month as i64 + 1)
}

/// Whether it is a word as well, or what somebody is called.
fn is_no_sure_month(word: &str) -> bool {
    let is_short = word.len() <= 4 && !matches!(word, "july" | "june");
    is_short || matches!(word, "april" | "june" | "august" | "march")
}

/// May 3rd, May 3, 2024, 3 May, the third of May.
fn date(reading: &Reading<'_>) -> Read {
    let (month, day, count) = month_then_day(reading).or_else(|| day_then_month(reading))?;
    let (year, count) = match year_number(reading.word(count)) {
        Some(year) => (WhichYear::Number(year), count + 1),
        None => match (offset(reading.word(count)), reading.word(count + 1)) {
            (Some(offset), "year") => (WhichYear::Offset(offset), count + 2),
            _ => (WhichYear::Any, count),
        },
    };
    Some((Meaning::Date { month: WhichMonth::Named { month, year }, day }, count))
}

fn month_then_day(reading: &Reading<'_>) -> Option<(i64, i8, usize)> {
    let month = month_of(reading, 0)?;
    let is_sure = !is_no_sure_month(reading.word(0)) || reading.is_capital(0);
    let place = if reading.word(1) == "the" { 2 } else { 1 };
    let (day, length) = day_number(reading, place)?;
    is_sure.then_some((month, day, place + length))
}

fn day_then_month(reading: &Reading<'_>) -> Option<(i64, i8, usize)> {
    let start = usize::from(reading.word(0) == "the");
    let (day, length) = day_number(reading, start)?;
    let of = start + length;
    let place = if reading.word(of) == "of" { of + 1 } else { of };
    let month = month_of(reading, place)?;
    let is_sure = !is_no_sure_month(reading.word(place)) || reading.is_capital(place);
    is_sure.then_some((month, day, place + 1))
}

/// 3, 3rd, third, twenty-first.
fn day_number(reading: &Reading<'_>, place: usize) -> Option<(i8, usize)> {
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
        |word: &str| ORDINALS.iter().position(|ordinal| *ordinal == word).map(|place| place as i8 + 1);
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
    let single = digits.parse::<i8>().ok().filter(|_| digits.len() <= 2).or_else(|| ordinal(word));
    let thirtieth = (word == "thirtieth").then_some((30, 1));
    composed.or(thirtieth).or(single.map(|day| (day, 1))).filter(|(day, _)| (1..=31).contains(day))
}

fn year_number(word: &str) -> Option<i64> {
    let year = word.parse::<i64>().ok()?;
    (word.len() == 4 && year >= 1000).then_some(year)
}

/// May (where it is no word), in March, last May, May 2024, March of last year.
fn month(reading: &Reading<'_>) -> Read {
    let leading = which_year(reading.word(0)).filter(|_| month_of(reading, 1).is_some());
    let place = usize::from(leading.is_some());
    let month = month_of(reading, place)?;
    let of = if reading.word(place + 1) == "of" { place + 2 } else { place + 1 };
    let (year, count) = match (year_number(reading.word(of)), offset(reading.word(of)), reading.word(of + 1))
    {
        (Some(number), ..) => (WhichYear::Number(number), of + 1),
        (None, Some(offset), "year") => (WhichYear::Offset(offset), of + 2),
        _ => (leading.unwrap_or(WhichYear::Any), place + 1),
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
    (!is_no_sure_month(reading.word(place)) || (is_sure && is_capital))
        .then_some((Meaning::Month(WhichMonth::Named { month, year }), count))
}

/// In 2019, since 1998; a number by itself may count anything.
fn year(reading: &Reading<'_>) -> Read {
    let number = year_number(reading.word(0)).filter(|year| *year < 2200)?;
    let is_led_to = matches!(
        reading.before(),
        "in" | "since"
            | "of"
            | "until"
            | "till"
            | "by"
            | "during"
            | "year"
            | "from"
            | "early"
            | "late"
            | "before"
            | "after"
    );
    let is_counted = reading.word(1).chars().any(|c| c.is_ascii_alphabetic())
        && !reading.word(1).is_empty()
        && matches!(reading.before(), "of" | "by" | "from" | "before" | "after");
    (is_led_to && !is_counted).then_some((Meaning::Year(WhichYear::Number(number)), 1))
}

fn season_of(word: &str) -> Option<Season> {
    match word {
        "spring" | "springs" => Some(Season::Spring),
        "summer" | "summers" => Some(Season::Summer),
        "autumn" | "fall" => Some(Season::Autumn),
        "winter" | "winters" => Some(Season::Winter),
        _ => None,
    }
}

/// Last winter, in the spring, summer of 2019, day 5 of spring 5503.
fn season(reading: &Reading<'_>) -> Read {
    if reading.word(0) == "day" && reading.word(2) == "of" {
        let day = reading.word(1).parse::<i64>().ok()?;
        let season = season_of(reading.word(3))?;
        let year = year_number(reading.word(4));
        let which = year.map_or(WhichYear::Any, WhichYear::Number);
        return Some((Meaning::DayOfSeason { season, year: which, day }, 4 + usize::from(year.is_some())));
    }
    if let Some((offset, count)) = which(reading) {
        let season = season_of(reading.word(count))?;
        let year = match offset {
            0 => WhichYear::Offset(0),
            1.. => WhichYear::Next,
            _ => WhichYear::Last,
        };
        return Some((Meaning::Season { season, year }, count + 1));
    }
    let season = season_of(reading.word(0))?;
    let of = if reading.word(1) == "of" { 2 } else { 1 };
    if let Some(number) = year_number(reading.word(of)) {
        return Some((Meaning::Season { season, year: WhichYear::Number(number) }, of + 1));
    }
    if let (Some(offset), "year") = (offset(reading.word(of)), reading.word(of + 1)) {
        return Some((Meaning::Season { season, year: WhichYear::Offset(offset) }, of + 2));
    }
    // A spring may be water, and to fall is no season.
    let is_sure = matches!(reading.word(0), "summer" | "summers" | "winter" | "winters" | "autumn");
    let is_led_to =
        matches!(reading.before(), "in" | "during" | "every" | "each" | "since" | "until" | "by" | "the");
    let is_in_the = reading.before() != "the" || is_sure;
    (is_sure || (is_led_to && is_in_the)).then_some((Meaning::Season { season, year: WhichYear::Any }, 1))
}
