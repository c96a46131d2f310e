//! How long from now, in English? Two weeks ago, half a year ago, in three days.

use super::english::{Read, Reading};
use super::meaning::{Meaning, Unit};

/// 3 days ago, a week ago, a couple of years ago, a year and a half ago, three days from now.
pub(super) fn ago(reading: &Reading<'_>) -> Read {
    // Of "half a week ago" nobody knows the day, and a week ago it was not.
    if reading.before() == "half" {
        return None;
    }
    let (unit, count, length) = length(reading, 0)?;
    match (reading.word(length), reading.word(length + 1)) {
        ("ago", _) => Some((Meaning::shifted(unit, -count), length + 1)),
        ("from", "now") => Some((Meaning::shifted(unit, count), length + 2)),
        _ => None,
    }
}

/// In three days, in a week.
pub(super) fn within(reading: &Reading<'_>) -> Read {
    if reading.word(0) != "in" {
        return None;
    }
    let (unit, count, length) = length(reading, 1)?;
    Some((Meaning::shifted(unit, count), length))
}

/// None inside: days.
pub(super) fn unit(word: &str) -> Option<Option<Unit>> {
    match word {
        "day" | "days" => Some(None),
        "week" | "weeks" => Some(Some(Unit::Week)),
        "month" | "months" | "quadrum" | "quadrums" => Some(Some(Unit::Month)),
        "year" | "years" => Some(Some(Unit::Year)),
        _ => None,
    }
}

/// So many of a unit from a place on, and where that ends.
fn length(reading: &Reading<'_>, place: usize) -> Option<(Option<Unit>, i64, usize)> {
    half_years(reading, place).or_else(|| {
        let (count, words) = couple(reading, place).or_else(|| reading.count(place))?;
        let end = place + words;
        match reading.word(end) {
            "fortnight" | "fortnights" => Some((Some(Unit::Week), count * 2, end + 1)),
            word => Some((unit(word)?, count, end + 1)),
        }
    })
}

fn couple(reading: &Reading<'_>, place: usize) -> Option<(i64, usize)> {
    let article = usize::from(reading.word(place) == "a");
    let is_couple = reading.word(place + article) == "couple";
    let of = usize::from(reading.word(place + article + 1) == "of");
    is_couple.then_some((2, article + 1 + of))
}

/// Half a year, a year and a half, two and a half years: counted in months.
fn half_years(reading: &Reading<'_>, place: usize) -> Option<(Option<Unit>, i64, usize)> {
    const HALF: &[&str] = &["half a year", "a half year", "half year"];
    let in_months = |years: i64, end: usize| Some((Some(Unit::Month), years * 12 + 6, end));
    if let Some(words) = HALF.iter().find_map(|half| reading.starts_with(place, half)) {
        return in_months(0, place + words);
    }
    let (count, words) = reading.count(place)?;
    let end = place + words;
    let has_half = |at: usize| reading.starts_with(at, "and a half").is_some();
    let is_year = |at: usize| matches!(reading.word(at), "year" | "years");
    if is_year(end) && has_half(end + 1) {
        return in_months(count, end + 4);
    }
    if has_half(end) && is_year(end + 3) {
        return in_months(count, end + 4);
    }
    None
}
