//! Which words name this very day of another year or month? 去年的今天, 二年前の今日, a year ago today, on this day in 2019.

use super::english::{self, Reading};
use super::english_dates::year_number;
use super::english_lengths::{ago, unit};
use super::ideographs::{Read, day};
use super::meaning::{Far, Meaning, Unit};
use super::scan::Text;

/// Behind a year, a month or a week: the day itself where one follows.
pub(super) fn in_ideographs(text: &Text, far: Far, end: usize) -> Read {
    const THIS_DAY: &[(&str, i64)] =
        &[("这一天", 0), ("这天", 0), ("同一天", 0), ("同日", 0), ("此日", 0), ("この日", 0), ("同じ日", 0)];
    let at = text.skip_any(end, &["的", "の", "之", " "]);
    let named = || match day(text, at)? {
        // 去年前天 is no day of last year.
        (Meaning::Day(from @ -1..=1), end) => Some((from, end)),
        _ => None,
    };
    let (from, end) = text.one_of(at, THIS_DAY).or_else(named)?;
    // 去年这天气.
    let is_weather = matches!(text.at(end), Some('气' | '空' | '氣'));
    (!is_weather).then_some((Meaning::SameDay { far, from }, end))
}

/// What was read, and how many words that was.
pub(super) fn in_english(reading: &Reading<'_>) -> english::Read {
    day_behind(reading).or_else(|| day_before(reading)).or_else(|| counted_from(reading))
}

/// A year ago today, last year on this day, two years ago to the day.
fn day_behind(reading: &Reading<'_>) -> english::Read {
    let (far, count) = far(reading)?;
    // "Unlike last year, today I am glad."
    let rest = reading.behind(count).filter(Reading::is_close)?;
    let (from, length) = match this_day(&rest) {
        Some((length, _)) => (0, length),
        None => (english::day_offset(rest.word(0))?, 1),
    };
    Some((Meaning::SameDay { far, from }, count + length))
}

/// On this day two years ago, this very day last year, today a year ago.
fn day_before(reading: &Reading<'_>) -> english::Read {
    let (length, day) = this_day(reading)?;
    let rest = reading.behind(length)?;
    let (far, count) = far(&rest)?;
    let is_ago = !matches!(rest.word(0), "last" | "next" | "in" | "previous" | "past");
    // To this day; and "today last year's book came".
    let is_sure = match day {
        ThisDay::Today => is_ago && rest.is_close(),
        ThisDay::Spelled => reading.before() != "to",
    };
    is_sure.then_some((Meaning::SameDay { far, from: 0 }, length + count))
}

/// A week from tomorrow.
fn counted_from(reading: &Reading<'_>) -> english::Read {
    let (count, length) = reading.count(0)?;
    let unit = unit(reading.word(length))??;
    if reading.word(length + 1) != "from" {
        return None;
    }
    let from = english::day_offset(reading.word(length + 2))?;
    Some((Meaning::SameDay { far: Far::Away { unit, by: count }, from }, length + 3))
}

#[derive(Clone, Copy)]
enum ThisDay {
    Today,
    Spelled,
}

/// How many words say so.
fn this_day(reading: &Reading<'_>) -> Option<(usize, ThisDay)> {
    const WORDS: &[&str] =
        &["this day", "this very day", "this same day", "this exact day", "the same day", "to the day"];
    let on = usize::from(reading.word(0) == "on");
    if reading.word(0) == "today" {
        return Some((1, ThisDay::Today));
    }
    let at_it = |words: &&str| words.split(' ').enumerate().all(|(at, word)| reading.word(on + at) == word);
    let words = WORDS.iter().find(|words| at_it(words))?;
    Some((on + words.split(' ').count(), ThisDay::Spelled))
}

/// Two years ago, three months from now, last year, in 2019.
fn far(reading: &Reading<'_>) -> Option<(Far, usize)> {
    if let Some((Meaning::Shifted { unit, by }, count)) = ago(reading) {
        return Some((Far::Away { unit, by }, count));
    }
    if let ("in", Some(year)) = (reading.word(0), year_number(reading.word(1))) {
        return Some((Far::InYear(year), 2));
    }
    let by = english::offset(reading.word(0)).filter(|by| *by != 0)?;
    let unit: Unit = unit(reading.word(1))??;
    Some((Far::Away { unit, by }, 2))
}
