//! Words for feasts in English, and for parts of a year that nobody draws a line around.

use super::english::{Read, Reading, offset, which};
use super::english_dates::year_number;
use super::feasts::{
    CHRISTMAS, CHRISTMAS_EVE, EARLY_IN_YEAR, END_OF_YEAR, HALLOWEEN, Lunar, NEW_YEAR, NEW_YEARS_EVE,
    Occasion, SUMMER_HOLIDAYS, VALENTINE,
};
use super::meaning::{Lately, Meaning, WhichYear};

/// Of two that begin alike the longer one is before.
const FEASTS: &[(&str, Occasion)] = &[
    ("christmas eve", CHRISTMAS_EVE),
    ("christmas day", CHRISTMAS),
    ("christmas", CHRISTMAS),
    ("xmas", CHRISTMAS),
    ("new year eve", NEW_YEARS_EVE),
    ("new years eve", NEW_YEARS_EVE),
    ("new year day", NEW_YEAR),
    ("new years day", NEW_YEAR),
    ("valentine day", VALENTINE),
    ("valentines day", VALENTINE),
    ("halloween", HALLOWEEN),
    ("lunar new year eve", Occasion::Lunar(Lunar::Eve)),
    ("chinese new year eve", Occasion::Lunar(Lunar::Eve)),
    ("lunar new year", Occasion::Lunar(Lunar::SpringFestival)),
    ("chinese new year", Occasion::Lunar(Lunar::SpringFestival)),
    ("spring festival", Occasion::Lunar(Lunar::SpringFestival)),
    ("lantern festival", Occasion::Lunar(Lunar::Lantern)),
    ("qingming", Occasion::Lunar(Lunar::Qingming)),
    ("tomb sweeping day", Occasion::Lunar(Lunar::Qingming)),
    ("dragon boat festival", Occasion::Lunar(Lunar::DragonBoat)),
    ("qixi", Occasion::Lunar(Lunar::Qixi)),
    ("mid autumn festival", Occasion::Lunar(Lunar::MidAutumn)),
    ("mid autumn", Occasion::Lunar(Lunar::MidAutumn)),
];

/// What is called after a feast, and is there in summer too.
const THINGS: &[&str] = &[
    "tree",
    "trees",
    "island",
    "carol",
    "carols",
    "card",
    "cards",
    "song",
    "songs",
    "sweater",
    "jumper",
    "lights",
    "stocking",
    "stockings",
    "cactus",
];

/// Christmas, last Christmas, New Year's Eve 2023, Halloween of last year.
pub(super) fn feast(reading: &Reading<'_>) -> Read {
    named(reading, FEASTS)
}

fn named(reading: &Reading<'_>, names: &[(&str, Occasion)]) -> Read {
    if reading.names.has_own_calendar {
        return None;
    }
    let (leading, place) = match which(reading) {
        Some((0, count)) => (WhichYear::Offset(0), count),
        Some((1.., count)) => (WhichYear::Next, count),
        Some((_, count)) => (WhichYear::Last, count),
        None => (WhichYear::Any, 0),
    };
    let at_it = |(words, occasion): &(&str, Occasion)| Some((*occasion, reading.starts_with(place, words)?));
    let (occasion, words) = names.iter().find_map(at_it)?;
    let end = place + words;
    if THINGS.contains(&reading.word(end)) {
        return None;
    }
    let (year, count) = year_behind(reading, end).unwrap_or((leading, end));
    Some((Meaning::Occasion { occasion, year }, count))
}

fn year_behind(reading: &Reading<'_>, end: usize) -> Option<(WhichYear, usize)> {
    if reading.is_before_last(end) {
        return Some((WhichYear::BeforeLast, end + 2));
    }
    let of = end + usize::from(matches!(reading.word(end), "of" | "in"));
    year_of(reading, of)
}

/// 2023, last year.
fn year_of(reading: &Reading<'_>, place: usize) -> Option<(WhichYear, usize)> {
    if let Some(number) = year_number(reading.word(place)) {
        return Some((WhichYear::Number(number), place + 1));
    }
    let offset = offset(reading.word(place)).filter(|_| reading.word(place + 1) == "year")?;
    Some((WhichYear::Offset(offset), place + 2))
}

/// Early this year, at the end of 2023, late last year, by the end of the year.
pub(super) fn part_of_year(reading: &Reading<'_>) -> Read {
    const PARTS: &[(&str, Occasion)] = &[
        ("early in", EARLY_IN_YEAR),
        ("early", EARLY_IN_YEAR),
        ("the beginning of", EARLY_IN_YEAR),
        ("the start of", EARLY_IN_YEAR),
        ("late in", END_OF_YEAR),
        ("late", END_OF_YEAR),
        ("the end of", END_OF_YEAR),
    ];
    if reading.names.has_own_calendar {
        return None;
    }
    PARTS.iter().find_map(|(words, occasion)| {
        let place = reading.starts_with(0, words)?;
        let this_year = || {
            let words = reading.starts_with(place, "the year")?;
            Some((WhichYear::Offset(0), place + words)).filter(|_| words_end(reading, place + words))
        };
        let (year, count) = year_of(reading, place).or_else(this_year)?;
        Some((Meaning::Occasion { occasion: *occasion, year }, count))
    })
}

/// "The end of the year 5503", "of the year that we met" are of another one.
fn words_end(reading: &Reading<'_>, end: usize) -> bool {
    let word = reading.word(end);
    !matches!(word, "that" | "when" | "in" | "of" | "before" | "after") && word.parse::<i64>().is_err()
}

/// The summer holidays, last summer vacation.
pub(super) fn holidays(reading: &Reading<'_>) -> Read {
    const HOLIDAYS: &[(&str, Occasion)] = &[
        ("summer holidays", SUMMER_HOLIDAYS),
        ("summer holiday", SUMMER_HOLIDAYS),
        ("summer vacation", SUMMER_HOLIDAYS),
        ("summer break", SUMMER_HOLIDAYS),
    ];
    named(reading, HOLIDAYS)
}

/// A few days ago, the other day, recently.
pub(super) fn lately(reading: &Reading<'_>) -> Read {
    const WORDS: &[(&str, Lately)] = &[
        ("a few days ago", Lately::FewDays),
        ("few days ago", Lately::FewDays),
        ("several days ago", Lately::FewDays),
        ("some days ago", Lately::FewDays),
        ("the other day", Lately::FewDays),
        ("recently", Lately::Recent),
        ("lately", Lately::Recent),
    ];
    /// What programs call their lists: Recently Played.
    const LISTS: &[&str] = &["deleted", "added", "played", "used", "viewed", "closed", "opened", "visited"];
    let (lately, count) =
        WORDS.iter().find_map(|(words, lately)| Some((*lately, reading.starts_with(0, words)?)))?;
    let is_list = reading.is_capital(0) && reading.is_capital(1) && LISTS.contains(&reading.word(1));
    (!is_list).then_some((Meaning::Lately(lately), count))
}
