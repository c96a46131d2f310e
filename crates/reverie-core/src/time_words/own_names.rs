//! What does a world call its months, and where does a text name one?
//!
//! The quadrums of RimWorld (翠象, Aprimay), and whatever a calendar of the host's own making has names for. In Chinese and Japanese a
//! name is found character by character, in English word by word.

use std::collections::HashMap;

use super::english::{Reading, spelled};
use super::ideographs::Read;
use super::meaning::{Meaning, WhichMonth, WhichYear};
use super::scan::Text;
use crate::time::{Calendar, Period};

/// The names of one calendar.
#[derive(Default)]
pub(super) struct Names {
    /// By the first character; the longest first.
    by_character: HashMap<char, Vec<Written>>,
    /// By the first word; the longest first.
    by_word: HashMap<String, Vec<Spelled>>,
    /// The number of its first year; None where years are those of Earth, or where there are none.
    pub(super) first_year: Option<i64>,
    /// Whether its days are not those of Earth: nobody knows when Christmas is there.
    pub(super) has_own_calendar: bool,
    /// Whether its seasons are what others call months: last season is the last quadrum.
    pub(super) has_quadrums: bool,
}

struct Written {
    name: String,
    period: Period,
}

/// A name of words that are separated by blanks.
struct Spelled {
    words: Vec<String>,
    own: OwnMonth,
}

#[derive(Clone, Copy)]
pub(super) struct OwnMonth {
    pub(super) period: Period,
    /// Frost is a month there, and a cold morning.
    pub(super) may_be_a_word: bool,
}

impl Names {
    pub(super) fn of(calendar: Option<&Calendar>) -> Self {
        let own = calendar.filter(|calendar| !calendar.is_gregorian());
        let cycles = own.map(Calendar::cycles);
        let first_year = cycles.as_ref().and_then(|cycles| cycles.year).map(|year| year.first);
        let has_quadrums = cycles.is_some_and(|cycles| cycles.month.is_none() && cycles.season.is_some());
        let mut names = Self { first_year, has_own_calendar: own.is_some(), has_quadrums, ..Self::default() };
        for named in calendar.map(Calendar::named_periods).unwrap_or_default() {
            let (text, period) = (Text::new(named.name), named.period);
            let name: String = (0..text.len()).filter_map(|at| lower(&text, at)).collect();
            if named.name.is_ascii() {
                let words = spelled(&text);
                let own = OwnMonth { period, may_be_a_word: named.may_be_a_word };
                let first = words.first().cloned().unwrap_or_default();
                names.by_word.entry(first).or_default().push(Spelled { words, own });
            }
            let first = name.chars().next().unwrap_or_default();
            names.by_character.entry(first).or_default().push(Written { name, period });
        }
        // So that 霜月末 is not read as 霜月.
        names.by_character.values_mut().for_each(|all| all.sort_by_key(|one| usize::MAX - one.name.len()));
        names.by_word.values_mut().for_each(|all| all.sort_by_key(|one| usize::MAX - one.words.len()));
        names
    }

    /// The year that a small number means: the one that has it, else the so manieth. None where years are those of Earth.
    pub(super) fn small_year(&self, number: i64) -> Option<i64> {
        let first = self.first_year?;
        match number {
            number if number >= first => Some(number),
            1.. => first.checked_add(number - 1),
            _ => None,
        }
    }

    /// The month that is named at a place of an English text, and by how many words.
    pub(super) fn spelled_at(&self, reading: &Reading<'_>, place: usize) -> Option<(OwnMonth, usize)> {
        let all = self.by_word.get(reading.word(place))?;
        let is_here = |name: &&Spelled| {
            name.words.iter().enumerate().all(|(number, word)| reading.word(place + number) == word)
        };
        all.iter().find(is_here).map(|name| (name.own, name.words.len()))
    }

    fn written_at(&self, text: &Text, place: usize) -> Option<(Period, usize)> {
        let all = self.by_character.get(&lower(text, place)?)?;
        all.iter().find_map(|one| {
            let end = place + one.name.chars().count();
            let is_here = one.name.chars().enumerate().all(|(at, c)| lower(text, place + at) == Some(c));
            // Letters have blanks around their words.
            let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
            let goes_on = is_letter(text.at(end)) && is_letter(text.before(end));
            let is_begun = is_letter(text.at(place)) && is_letter(text.before(place));
            (is_here && !goes_on && !is_begun).then_some((one.period, end))
        })
    }
}

fn lower(text: &Text, place: usize) -> Option<char> {
    text.at(place).map(|c| c.to_ascii_lowercase())
}

/// Behind a year: 5501年翠象3日, 去年素象.
pub(super) fn in_year(text: &Text, year: WhichYear, place: usize) -> Read {
    let (period, end) = text.names.written_at(text, place)?;
    period.is_of_year.then(|| in_period(text, period, year, end))
}

/// With no year before it: 翠象3日, 上个素象.
pub(super) fn own_month(text: &Text, place: usize) -> Read {
    const WHICH: &[(&str, WhichYear)] = &[
        ("上上个", WhichYear::BeforeLast),
        ("上个", WhichYear::Last),
        ("这个", WhichYear::Offset(0)),
        ("下个", WhichYear::Next),
        ("この前の", WhichYear::Last),
        ("この", WhichYear::Offset(0)),
        ("次の", WhichYear::Next),
        ("今度の", WhichYear::Next),
    ];
    if let Some((year, at)) = text.one_of(place, WHICH) {
        let (period, end) = text.names.written_at(text, at)?;
        return Some(in_period(text, period, year, end));
    }
    let (period, end) = text.names.written_at(text, place)?;
    let (meaning, behind) = in_period(text, period, WhichYear::Any, end);
    // A single character says too little by itself, and names in letters are read word by word.
    let is_name = end > place + 1 && !text.at(place).is_some_and(|c| c.is_ascii());
    (is_name || behind > end).then_some((meaning, behind))
}

/// The period, or the day in it that follows: 3日, 三号, 第6天.
fn in_period(text: &Text, period: Period, year: WhichYear, end: usize) -> (Meaning, usize) {
    let month = WhichMonth::Own { period, year };
    let at = text.skip_any(end, &["的", "の", " "]);
    let counted = || text.one_of(text.ordinal(at)?.1, &[("天", ()), ("日", ())]);
    let dated = || text.one_of(text.number(at)?.1, &[("日", ()), ("号", ())]);
    let day = text.ordinal(at).zip(counted()).or_else(|| text.number(at).zip(dated()));
    match day {
        Some(((day, _), ((), end))) if period.has_day(day) => (Meaning::Date { month, day }, end),
        _ => (Meaning::Month(month), end),
    }
}
