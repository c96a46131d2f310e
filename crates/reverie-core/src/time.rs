//! When was it, in words that a character would use? Ticks are stored raw; a calendar turns one into a
//! stamp such as `[时间: 5503年春季第5天, 13时]` at the last moment, and takes stamps away again when a
//! model echoes them.

mod custom;
mod gregorian;
mod rimworld;
mod settings;
mod template;

#[cfg(test)]
mod tests;

pub use custom::Custom;
pub use gregorian::Gregorian;
pub use rimworld::Rimworld;
pub use settings::KEYS;

use crate::{Error, Result};
pub(crate) use template::BRACKETS;
use template::Templates;

/// What a calendar can date: whichever of the two clocks its configuration speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Moment {
    /// The host's own clock. Its length is the host's business; negative is legal.
    pub tick: Option<Tick>,
    /// UTC milliseconds since 1970.
    pub wall_ms: Option<i64>,
}

pub type Tick = i64;

/// How a world counts time. A world without one has no stamps in its prompts; its ticks still order.
#[derive(Debug, Clone, PartialEq)]
pub enum Calendar {
    Rimworld(Rimworld),
    Gregorian(Gregorian),
    Custom(Custom),
}

impl Calendar {
    /// Reads the settings below `calendar.`, named without that prefix; [`KEYS`] lists them.
    /// None when the world has no calendar.
    pub fn from_pairs<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> Result<Option<Self>> {
        settings::read(pairs)
    }

    /// The stamp for a moment. None when this calendar cannot date it: the clock that it reads is absent,
    /// or the date lies outside what it can count.
    pub fn format(&self, moment: Moment, language: Language) -> Option<String> {
        let values = match self {
            Self::Rimworld(calendar) => calendar.values(moment.tick?),
            Self::Gregorian(calendar) => calendar.values(moment)?,
            Self::Custom(calendar) => calendar.values(moment.tick?),
        };
        Some(self.templates().of(language).render(&values))
    }

    /// The stamp for the day of a moment: without hours and what else is shorter than a day. None as for [`format`](Self::format),
    /// and where nothing would be left.
    pub(crate) fn format_day(&self, moment: Moment, language: Language) -> Option<String> {
        let (values, is_of_a_day) = match self {
            Self::Rimworld(calendar) => {
                (calendar.values(moment.tick?), Rimworld::SHORTER_THAN_A_DAY.to_vec())
            }
            Self::Custom(calendar) => (calendar.values(moment.tick?), calendar.shorter_than_a_day()),
            Self::Gregorian(_) => return self.format(moment, language),
        };
        self.templates().of(language).render_days(&values, &is_of_a_day)
    }

    /// How many ticks make an hour, where the calendar defines it; decay counts in hours.
    pub fn ticks_per_hour(&self) -> Option<f64> {
        match self {
            Self::Rimworld(_) => Some(rimworld::TICKS_PER_HOUR as f64),
            Self::Gregorian(calendar) => calendar.ticks_per_hour(),
            Self::Custom(calendar) => calendar.ticks_per_hour(),
        }
    }

    /// How many ticks make a day, where the calendar counts in ticks and defines it.
    pub fn ticks_per_day(&self) -> Option<f64> {
        match self {
            Self::Rimworld(_) | Self::Gregorian(_) => self.ticks_per_hour().map(|hour| hour * 24.0),
            Self::Custom(calendar) => calendar.ticks_per_day().map(|ticks| ticks as f64),
        }
    }

    /// The number of the day, counted from any; None where this calendar cannot date the moment.
    pub fn day(&self, moment: Moment) -> Option<i64> {
        match self {
            Self::Rimworld(calendar) => Some(calendar.day(moment.tick?)),
            Self::Gregorian(calendar) => calendar.day(moment),
            Self::Custom(calendar) => calendar.day(moment.tick?),
        }
    }

    /// Whether it counts the days of Earth.
    pub(crate) fn is_gregorian(&self) -> bool {
        matches!(self, Self::Gregorian(_))
    }

    /// Which periods longer than a day it counts, in its own days; a Gregorian one has none of equal length.
    pub(crate) fn cycles(&self) -> Cycles {
        match self {
            Self::Rimworld(calendar) => calendar.cycles(),
            Self::Gregorian(_) => Cycles::default(),
            Self::Custom(calendar) => calendar.cycles(),
        }
    }

    /// What it calls its months, or whatever else of whole days has names; on Earth these are no names of its own.
    pub(crate) fn named_periods(&self) -> Vec<NamedPeriod<'_>> {
        match self {
            Self::Rimworld(_) => Rimworld::named_periods(),
            Self::Gregorian(_) => Vec::new(),
            Self::Custom(calendar) => calendar.named_periods(),
        }
    }

    /// What follows the stamps at the beginning of `text`; None when it does not begin with one.
    ///
    /// A model that sees a stamp on every message writes stamps too: one or several, in either language,
    /// with a date that it made up, with full-width punctuation. All of these go; text that merely
    /// resembles a stamp stays.
    pub fn strip_stamp<'t>(&self, text: &'t str) -> Option<&'t str> {
        let mut rest = self.templates().strip(text.trim_start())?.trim_start();
        while let Some(further) = self.templates().strip(rest) {
            rest = further.trim_start();
        }
        Some(rest)
    }

    fn templates(&self) -> &Templates {
        match self {
            Self::Rimworld(calendar) => &calendar.templates,
            Self::Gregorian(calendar) => &calendar.templates,
            Self::Custom(calendar) => &calendar.templates,
        }
    }
}

/// Periods of whole days that follow each other without a gap from day 0 on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Cycles {
    pub(crate) day_is_known: bool,
    pub(crate) week: Option<Cycle>,
    pub(crate) month: Option<Cycle>,
    /// The number of the first day of a month.
    pub(crate) first_day: i64,
    pub(crate) year: Option<Cycle>,
    /// How many days a season has, and which one begins the year: 0 is spring.
    pub(crate) season: Option<(i64, i64)>,
}

impl Cycles {
    /// What "last month" counts. Where no months have numbers, what is there instead: the quadrums of RimWorld, each of which
    /// is a season long.
    pub(crate) fn counted_month(&self) -> Option<Cycle> {
        self.month.or(self.season.map(|(days, _)| Cycle { days, first: 1 }))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cycle {
    /// More than 0.
    pub(crate) days: i64,
    /// The number of the one that begins on day 0, or that begins a larger period.
    pub(crate) first: i64,
}

/// A period of whole days that comes once in every larger one: a month in a year, a day in a week.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Period {
    /// The larger one has so many days before it.
    pub(crate) begins: i64,
    /// More than 0.
    pub(crate) days: i64,
    /// How many days the larger one has.
    pub(crate) within: i64,
    /// Whether the larger one is a year.
    pub(crate) is_of_year: bool,
    /// The number of its first day.
    pub(crate) first_day: i64,
}

impl Period {
    pub(crate) fn has_day(self, number: i64) -> bool {
        (0..self.days).contains(&number.saturating_sub(self.first_day))
    }
}

/// What a calendar calls a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NamedPeriod<'c> {
    pub(crate) name: &'c str,
    pub(crate) period: Period,
    /// Whether it may be a word as well, so that only its place tells what is meant.
    pub(crate) may_be_a_word: bool,
}

/// The language of the words in a stamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Language {
    #[default]
    Zh,
    En,
}

impl Language {
    pub const ALL: [Self; 2] = [Self::Zh, Self::En];

    pub fn from_name(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|language| language.name() == name).ok_or_else(|| {
            Error::invalid(format!("there is no language `{}`", settings::shown(name))).hint("zh or en")
        })
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Zh => "zh",
            Self::En => "en",
        }
    }
}
