//! Words for times in English: days and weeks.

use super::Reach;
use super::english_dates::{date, day_of_month, month};
use super::english_feasts::{feast, holidays, lately, part_of_year};
use super::english_lengths::{ago, within};
use super::english_years::{season, year};
use super::meaning::{Meaning, WhichMonth, WhichWeek, WhichYear};
use super::own_names::Names;
use super::same_day;
use super::scan::{Text, Word};
use crate::numerals::spoken_number;

const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// A run of letters and digits.
pub(super) struct Token {
    /// In lower case, without what follows an apostrophe.
    word: String,
    start: usize,
    end: usize,
    is_capital: bool,
    /// True if nothing but a blank, a hyphen or a comma is between it and the one before.
    is_joined: bool,
    /// True if a comma is.
    is_behind_comma: bool,
}

/// What was read, and how many tokens that was.
pub(super) type Read = Option<(Meaning, usize)>;

pub(super) fn read(text: &Text, reach: Reach) -> Vec<Word> {
    const VAGUE: &[fn(&Reading<'_>) -> Read] = &[lately, part_of_year, holidays];
    let tokens = tokens(text);
    let mut words = Vec::new();
    let mut rest = tokens.as_slice();
    let mut before: Option<&Token> = None;
    while let Some(first) = rest.first() {
        let reading = Reading { tokens: rest, before, names: &text.names };
        let readings = [
            phrase,
            date,
            day_of_month,
            month,
            ago,
            within,
            year,
            season,
            feast,
            week,
            weekday,
            day,
            same_day::in_english,
        ];
        let vague = if reach == Reach::Vague { VAGUE } else { &[] };
        let found =
            readings.iter().chain(vague).filter_map(|read| read(&reading)).max_by_key(|(_, count)| *count);
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
        let is_joined =
            !tokens.is_empty() && (matches!(gap.trim(), "" | "-" | ",") || gap == "'s " && is_feast(&tokens));
        let is_capital = c.is_ascii_uppercase();
        let (word, is_behind_comma) = (word.to_ascii_lowercase(), gap.contains(','));
        tokens.push(Token { word, start: place, end, is_capital, is_joined, is_behind_comma });
        // Friday's is Friday.
        place = match (text.at(end), text.at(end + 1)) {
            (Some('\''), Some('s')) => end + 2,
            _ => end,
        };
    }
    tokens
}

/// New Year's Day, Valentine's Day.
fn is_feast(tokens: &[Token]) -> bool {
    let words: Vec<&str> = tokens.iter().rev().take(2).map(|token| token.word.as_str()).collect();
    matches!(words.as_slice(), ["year", "new"] | ["valentine", ..])
}

/// The words of a name, as a text has them.
pub(super) fn spelled(name: &Text) -> Vec<String> {
    tokens(name).into_iter().map(|token| token.word).collect()
}

pub(super) struct Reading<'t> {
    tokens: &'t [Token],
    before: Option<&'t Token>,
    pub(super) names: &'t Names,
}

impl Reading<'_> {
    /// The word at a place; empty where there is none, or where something stands between.
    pub(super) fn word(&self, place: usize) -> &str {
        let token = self.tokens.get(place).filter(|token| place == 0 || token.is_joined);
        token.map_or("", |token| token.word.as_str())
    }

    pub(super) fn is_capital(&self, place: usize) -> bool {
        self.tokens.get(place).is_some_and(|token| token.is_capital)
    }

    pub(super) fn before(&self) -> &str {
        let is_joined = self.tokens.first().is_some_and(|first| first.is_joined);
        self.before.filter(|_| is_joined).map_or("", |token| token.word.as_str())
    }

    /// From a word further on, unless something stands between.
    pub(super) fn behind(&self, count: usize) -> Option<Self> {
        let tokens = self.tokens.get(count..)?;
        tokens.first().filter(|token| token.is_joined)?;
        let before = count.checked_sub(1).and_then(|place| self.tokens.get(place));
        Some(Self { tokens, before, names: self.names })
    }

    /// Whether no comma is before it.
    pub(super) fn is_close(&self) -> bool {
        self.tokens.first().is_some_and(|first| first.is_joined && !first.is_behind_comma)
    }

    /// How many words these are, where they begin here.
    pub(super) fn starts_with(&self, start: usize, words: &str) -> Option<usize> {
        let count = words.split(' ').count();
        words.split(' ').enumerate().all(|(place, word)| self.word(start + place) == word).then_some(count)
    }

    /// The summer before last, but not the one before last year.
    pub(super) fn is_before_last(&self, place: usize) -> bool {
        let is_of_another = matches!(
            self.word(place + 2),
            "year" | "month" | "week" | "weekend" | "spring" | "summer" | "autumn" | "fall" | "winter"
        );
        self.word(place) == "before" && self.word(place + 1) == "last" && !is_of_another
    }

    /// A small number in digits or letters, "a" being one: its value, and how many tokens it has.
    pub(super) fn count(&self, place: usize) -> Option<(i64, usize)> {
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
        ("the month before last", Meaning::Month(WhichMonth::Offset(-2))),
        ("month before last", Meaning::Month(WhichMonth::Offset(-2))),
        ("the year before last", Meaning::Year(WhichYear::Offset(-2))),
        ("year before last", Meaning::Year(WhichYear::Offset(-2))),
    ];
    PHRASES.iter().find_map(|(words, meaning)| Some((*meaning, reading.starts_with(0, words)?)))
}

fn day(reading: &Reading<'_>) -> Read {
    Some((Meaning::Day(day_offset(reading.word(0))?), 1))
}

pub(super) fn day_offset(word: &str) -> Option<i64> {
    match word {
        "today" | "tonight" => Some(0),
        "tomorrow" => Some(1),
        "yesterday" => Some(-1),
        _ => None,
    }
}

/// Last, this, next: so many from this one.
pub(super) fn offset(word: &str) -> Option<i64> {
    match word {
        "last" | "previous" | "past" => Some(-1),
        "this" => Some(0),
        "next" | "coming" => Some(1),
        _ => None,
    }
}

pub(super) fn which_year(word: &str) -> Option<WhichYear> {
    match offset(word)? {
        0 => Some(WhichYear::Offset(0)),
        1.. => Some(WhichYear::Next),
        _ => Some(WhichYear::Last),
    }
}

/// Next week, this weekend, last month, next year.
fn week(reading: &Reading<'_>) -> Read {
    if reading.word(0) == "weekend" && reading.is_before_last(1) {
        return Some((Meaning::Weekend(WhichWeek::BeforeLast), 3));
    }
    if matches!(reading.word(0), "weekend" | "weekends") {
        return Some((Meaning::Weekend(WhichWeek::Any), 1));
    }
    let (offset, count) = which(reading)?;
    let meaning = match reading.word(count) {
        "week" => Meaning::Week(offset),
        "weekend" if offset < 0 => Meaning::Weekend(WhichWeek::Last),
        "weekend" => Meaning::Weekend(WhichWeek::Offset(offset)),
        "month" | "quadrum" => Meaning::Month(WhichMonth::Offset(offset)),
        "season" if reading.names.has_quadrums => Meaning::Month(WhichMonth::Offset(offset)),
        "year" => Meaning::Year(WhichYear::Offset(offset)),
        _ => return None,
    };
    Some((meaning, count + 1))
}

/// This coming and this past are two words.
pub(super) fn which(reading: &Reading<'_>) -> Option<(i64, usize)> {
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
            _ if reading.is_before_last(1) => (WhichWeek::BeforeLast, 3),
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
