//! Words for years and seasons in English.

use super::english::{Read, Reading, offset, which};
use super::english_dates::year_number;
use super::meaning::{Meaning, Season, WhichYear};

/// In 2019, since 1998; a number by itself may count anything. In year 5, where years are those of a world.
pub(super) fn year(reading: &Reading<'_>) -> Read {
    if reading.word(0) == "year" {
        let number = reading.word(1).parse::<i64>().ok().filter(|_| reading.word(1).len() <= 3)?;
        let is_led_to = matches!(
            reading.before(),
            "" | "in"
                | "since"
                | "of"
                | "until"
                | "till"
                | "by"
                | "during"
                | "from"
                | "before"
                | "after"
                | "the"
        );
        let year = reading.names.small_year(number).filter(|_| is_led_to)?;
        return Some((Meaning::Year(WhichYear::Number(year)), 2));
    }
    let is_own = |year: &i64| {
        let first = reading.names.first_year;
        first.is_some_and(|first| (first..first.saturating_add(1000)).contains(year))
    };
    let number = year_number(reading.word(0)).filter(|year| *year < 2200 || is_own(year))?;
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
pub(super) fn season(reading: &Reading<'_>) -> Read {
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
    // Two summers ago.
    if let Some((count, length)) = reading.count(0) {
        let season = season_of(reading.word(length).trim_end_matches('s'))?;
        let year = WhichYear::Offset(-count);
        return (reading.word(length + 1) == "ago").then_some((Meaning::Season { season, year }, length + 2));
    }
    let season = season_of(reading.word(0))?;
    if reading.is_before_last(1) {
        return Some((Meaning::Season { season, year: WhichYear::BeforeLast }, 3));
    }
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
