//! Which calendar do the settings describe? They are flat pairs of text, as stored; here without their
//! prefix `calendar.`, which returns in every error.

use std::collections::BTreeMap;

use super::{Calendar, Custom, Gregorian, Rimworld};
use crate::{Error, Result};

/// Every setting of a calendar: name (N stands for a number from 0), default, meaning.
pub const KEYS: &[(&str, &str, &str)] = &[
    ("kind", "none", "none (no stamps in prompts), rimworld, gregorian or custom"),
    (
        "format.zh",
        "rimworld `[时间: {year}年{season}第{day}天, {hour}时]`, \
         gregorian `[时间: {year}年{month}月{day}日 {hour}:{minute}]`",
        "the stamp in Chinese, in brackets, at most 256 bytes: {field} shows a field, {field:02} at least two \
         digits of it, {{ and }} are braces. rimworld has {year} {season} {quadrum} {day} {day_of_year} {hour}; \
         gregorian {year} {month} {day} {weekday} {hour} {minute}; custom the names of its units",
    ),
    (
        "format.en",
        "rimworld `[Time: day {day} of {season} {year}, {hour}h]`, \
         gregorian `[Time: {year:04}-{month:02}-{day:02} {hour}:{minute}]`",
        "the stamp in English, as format.zh; in a custom calendar each stands in for the other",
    ),
    ("base_year", "5500", "rimworld: the year of absolute tick 0"),
    ("longitude", "0", "rimworld: of the colony, -180 to 180 degrees; sets its time zone"),
    ("hemisphere", "north", "rimworld: north or south; sets the seasons"),
    ("ticks", "absolute", "rimworld: absolute, or game if the host sends ticks since the start of the game"),
    ("start_tick", "0", "rimworld with ticks = game, custom: added to the host's ticks"),
    ("time_zone", "UTC", "gregorian: an IANA time zone such as Asia/Shanghai"),
    (
        "epoch",
        "",
        "gregorian: the date and time of tick 0, such as 1889-03-01T06:00 in that time zone; without it \
         the wall clock is shown",
    ),
    ("ticks_per_second", "", "gregorian with epoch: a whole number, or a fraction such as 1/60"),
    ("units.N.name", "", "custom: the units, smallest first; one named hour tells how long an hour is"),
    ("units.N.size", "", "custom: how many of the next smaller unit (of ticks, for unit 0) make one"),
    (
        "units.N.first",
        "0",
        "custom: the number of the first one, such as 1 for days; not for a unit with names",
    ),
    ("units.N.names.zh.N", "", "custom: names in place of numbers, one for each within the next larger unit"),
    ("units.N.names.en.N", "", "custom: the same in English; each language stands in for the other"),
];

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    None,
    Rimworld,
    Gregorian,
    Custom,
}

const KINDS: &[(&str, Kind)] = &[
    ("none", Kind::None),
    ("rimworld", Kind::Rimworld),
    ("gregorian", Kind::Gregorian),
    ("custom", Kind::Custom),
];

pub(super) fn read<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> Result<Option<Calendar>> {
    let mut pairs = Pairs(pairs.collect());
    pairs.refuse_unknown()?;
    let kind = pairs.one_of("kind", KINDS)?;
    let calendar = match kind {
        // The rest may stay in the settings of a world that has its calendar switched off.
        Kind::None => return Ok(None),
        Kind::Rimworld => Calendar::Rimworld(Rimworld::from_pairs(&mut pairs)?),
        Kind::Gregorian => Calendar::Gregorian(Gregorian::from_pairs(&mut pairs)?),
        Kind::Custom => Calendar::Custom(Custom::from_pairs(&mut pairs)?),
    };
    pairs.refuse_unused(kind)?;
    Ok(Some(calendar))
}

/// The settings that nobody has read yet.
pub(super) struct Pairs<'a>(BTreeMap<&'a str, &'a str>);

impl<'a> Pairs<'a> {
    pub(super) fn take(&mut self, key: &str) -> Option<&'a str> {
        self.0.remove(key)
    }

    pub(super) fn whole_number(&mut self, key: &str, default: i64) -> Result<i64> {
        Ok(self.optional_whole_number(key)?.unwrap_or(default))
    }

    pub(super) fn optional_whole_number(&mut self, key: &str) -> Result<Option<i64>> {
        let Some(value) = self.take(key) else { return Ok(None) };
        let hint = "a number without a decimal point that fits into 64 bits";
        value.trim().parse().map(Some).map_err(|_| refused(key, value, "not a whole number", hint))
    }

    /// The first of the choices is the default.
    pub(super) fn one_of<T: Copy>(&mut self, key: &str, choices: &[(&str, T)]) -> Result<T> {
        let value = self.take(key);
        let chosen = match value {
            Some(value) => choices.iter().find(|(name, _)| *name == value.trim()),
            None => choices.first(),
        };
        chosen.map(|(_, choice)| *choice).ok_or_else(|| {
            let allowed = choices.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
            refused(key, value.unwrap_or_default(), "not one of the choices", &allowed)
        })
    }

    fn refuse_unknown(&self) -> Result<()> {
        let Some(key) = self.0.keys().find(|key| !KEYS.iter().any(|(name, ..)| fits(key, name))) else {
            return Ok(());
        };
        let known = KEYS.iter().map(|(name, ..)| *name).collect::<Vec<_>>().join(", ");
        Err(Error::invalid(format!("there is no setting calendar.{}", shown(key)))
            .hint(format!("the settings of calendar. are {known}")))
    }

    fn refuse_unused(&self, kind: Kind) -> Result<()> {
        let Some(key) = self.0.keys().next() else { return Ok(()) };
        let kind_name = KINDS.iter().find(|(_, known)| *known == kind).map_or("", |(name, _)| name);
        let error = Error::invalid(format!("calendar.{key} has no place in a {kind_name} calendar"));
        Err(if kind == Kind::Custom && key.starts_with("units.") {
            error.hint("units and names are numbered from 0 without a gap, and each unit has a name")
        } else {
            error.hint("remove it, or change calendar.kind")
        })
    }
}

/// The error for a value that cannot be used. The hint says what can.
pub(super) fn refused(key: &str, value: &str, problem: &str, hint: &str) -> Error {
    Error::invalid(format!("calendar.{key} = `{}`: {problem}", shown(value))).hint(hint)
}

/// A value as it may stand in a message: whatever was sent, on one line and not too much of it.
pub(super) fn shown(value: &str) -> String {
    const ENOUGH: usize = 64;
    let visible = |char: char| if char.is_control() { char::REPLACEMENT_CHARACTER } else { char };
    let mut shown: String = value.chars().take(ENOUGH).map(visible).collect();
    if value.chars().nth(ENOUGH).is_some() {
        shown.push('…');
    }
    shown
}

/// Does the key fit the name in KEYS, where N stands for a number?
fn fits(key: &str, name: &str) -> bool {
    let mut words = key.split('.');
    let all_fit = name.split('.').all(|expected| match words.next() {
        Some(word) if expected == "N" => word.parse::<u16>().is_ok_and(|number| number.to_string() == word),
        word => word == Some(expected),
    });
    all_fit && words.next().is_none()
}
