//! What date is it in a world of the host's own making? Units nest, smallest first: an hour is so many
//! ticks, a day so many hours. Every unit of one kind has the same length; no leap days.

use super::settings::{Pairs, refused};
use super::template::{Field, Templates};
use super::{Cycle, Cycles, Language, NamedPeriod, Period, Tick};
use crate::{Error, Result};

const MOST_UNITS: usize = 16;
/// Enough to name each day of a year.
const MOST_NAMES: usize = 400;
const LONGEST_NAME: usize = 64;

/// The unit of this name tells how long an hour is.
const HOUR: &str = "hour";
const DAY: &str = "day";
const YEAR: &str = "year";

#[derive(Debug, Clone, PartialEq)]
pub struct Custom {
    units: Vec<Unit>,
    /// This calendar's tick at the host's tick 0.
    start_tick: Tick,
    pub(super) templates: Templates,
}

#[derive(Debug, Clone, PartialEq)]
struct Unit {
    name: String,
    ticks: i64,
    /// How many of it make the next larger unit; the largest unit goes on for ever.
    count: Option<i64>,
    /// The number of the first one; 0 where names take the place of numbers.
    first: i64,
    /// In each language in which there are any.
    names: Vec<Vec<String>>,
}

impl Unit {
    /// None if they are not whole.
    fn days(&self, ticks_per_day: i128) -> Option<i64> {
        let ticks = i128::from(self.ticks);
        i64::try_from(ticks / ticks_per_day).ok().filter(|days| ticks % ticks_per_day == 0 && *days > 0)
    }
}

impl Custom {
    pub(super) fn from_pairs(pairs: &mut Pairs<'_>) -> Result<Self> {
        let settings = read_units(pairs)?;
        let units = nest(&settings)?;
        for (index, (setting, unit)) in settings.iter().zip(&units).enumerate() {
            check_names(index, setting, unit)?;
        }
        let templates = Templates::from_pairs(
            pairs,
            |_| None,
            |language| settings.iter().map(|setting| setting.field(language)).collect(),
        )?;
        Ok(Self { units, start_tick: pairs.whole_number("start_tick", 0)?, templates })
    }

    /// One value for each unit, in their order.
    pub(super) fn values(&self, tick: Tick) -> Vec<i128> {
        // i128, because a tick near the ends of i64 plus a start tick leaves i64.
        let local = i128::from(tick) + i128::from(self.start_tick);
        let value = |unit: &Unit| {
            let since_start = local.div_euclid(unit.ticks.into());
            let within_larger = unit.count.map_or(since_start, |count| since_start.rem_euclid(count.into()));
            within_larger + i128::from(unit.first)
        };
        self.units.iter().map(value).collect()
    }

    /// For each unit, in their order.
    pub(super) fn shorter_than_a_day(&self) -> Vec<bool> {
        let day = self.ticks_per_day();
        self.units.iter().map(|unit| day.is_some_and(|day| i128::from(unit.ticks) < day)).collect()
    }

    /// Of its unit `day`, else of 24 hours.
    pub(super) fn day(&self, tick: Tick) -> Option<i64> {
        let local = i128::from(tick) + i128::from(self.start_tick);
        i64::try_from(local.div_euclid(self.ticks_per_day()?)).ok()
    }

    pub(super) fn ticks_per_day(&self) -> Option<i128> {
        let of =
            |name: &str| self.units.iter().find(|unit| unit.name == name).map(|unit| i128::from(unit.ticks));
        of(DAY).or_else(|| Some(of(HOUR)? * 24))
    }

    /// Of its units `week`, `month` and `year`, where they are made of whole days.
    pub(super) fn cycles(&self) -> Cycles {
        let Some(day) = self.ticks_per_day() else { return Cycles::default() };
        let place = |name: &str| self.units.iter().position(|unit| unit.name == name);
        let cycle = |name: &str| {
            let unit = self.units.get(place(name)?)?;
            // Whoever counts months that have names begins with the first.
            let first = if unit.names.is_empty() { unit.first } else { 1 };
            Some(Cycle { days: unit.days(day)?, first })
        };
        Cycles {
            day_is_known: true,
            week: cycle("week"),
            month: cycle("month"),
            first_day: place("month").map_or(1, |place| self.first_day_of(place)),
            year: cycle(YEAR),
            season: None,
        }
    }

    /// Of every unit that is made of whole days and has names.
    pub(super) fn named_periods(&self) -> Vec<NamedPeriod<'_>> {
        let Some(day) = self.ticks_per_day() else { return Vec::new() };
        let mut all = Vec::new();
        for (place, (unit, larger)) in self.units.iter().zip(self.units.iter().skip(1)).enumerate() {
            let Some((days, within)) = unit.days(day).zip(larger.days(day)) else { continue };
            let period = |begins: i64| Period {
                begins,
                days,
                within,
                is_of_year: larger.name == YEAR,
                first_day: self.first_day_of(place),
            };
            for names in &unit.names {
                let begins = (0..).map(|number: i64| number * days);
                all.extend(names.iter().zip(begins).map(|(name, begins)| NamedPeriod {
                    name,
                    period: period(begins),
                    may_be_a_word: true,
                }));
            }
        }
        all
    }

    /// As stamps number it, where days are the next smaller unit.
    fn first_day_of(&self, place: usize) -> i64 {
        let smaller = place.checked_sub(1).and_then(|place| self.units.get(place));
        smaller.filter(|unit| unit.name == DAY && unit.names.is_empty()).map_or(1, |day| day.first)
    }

    pub(super) fn ticks_per_hour(&self) -> Option<f64> {
        self.units.iter().find(|unit| unit.name == HOUR).map(|unit| unit.ticks as f64)
    }
}

/// A unit as it is written in the settings.
struct UnitSetting<'a> {
    name: &'a str,
    size: i64,
    first: Option<i64>,
    zh: Vec<&'a str>,
    en: Vec<&'a str>,
}

impl<'a> UnitSetting<'a> {
    fn field(&self, language: Language) -> Field<'a> {
        match self.names(language) {
            [] => Field::number(self.name),
            names => Field::names(self.name, names.iter().copied()),
        }
    }

    /// Names in the other language say more than a bare number.
    fn names(&self, language: Language) -> &[&'a str] {
        match language {
            Language::Zh if self.zh.is_empty() => &self.en,
            Language::Zh => &self.zh,
            Language::En if self.en.is_empty() => &self.zh,
            Language::En => &self.en,
        }
    }
}

fn read_units<'a>(pairs: &mut Pairs<'a>) -> Result<Vec<UnitSetting<'a>>> {
    let mut units: Vec<UnitSetting<'a>> = Vec::new();
    while let Some(name) = pairs.take(&format!("units.{}.name", units.len())) {
        let index = units.len();
        let refuse = |problem: &str, hint: &str| refused(&format!("units.{index}.name"), name, problem, hint);
        if index == MOST_UNITS {
            return Err(refuse("one unit too many", &format!("at most {MOST_UNITS} units")));
        }
        if name.is_empty() || name.len() > LONGEST_NAME || name.chars().any(cannot_be_in_a_unit_name) {
            return Err(refuse("not a name for a unit", "a word that can stand in a format, such as hour"));
        }
        if units.iter().any(|unit| unit.name == name) {
            return Err(refuse("two units have this name", "each unit needs a name of its own"));
        }
        let Some(size) = pairs.optional_whole_number(&format!("units.{index}.size"))? else {
            return Err(Error::invalid(format!("calendar.units.{index}.size is missing"))
                .hint("how many of the next smaller unit (of ticks, for unit 0) make one of this"));
        };
        units.push(UnitSetting {
            name,
            size,
            first: pairs.optional_whole_number(&format!("units.{index}.first"))?,
            zh: read_names(pairs, index, Language::Zh)?,
            en: read_names(pairs, index, Language::En)?,
        });
    }
    if units.is_empty() {
        return Err(Error::invalid("a custom calendar needs units")
            .hint("such as calendar.units.0.name = hour and calendar.units.0.size = 2500"));
    }
    Ok(units)
}

fn cannot_be_in_a_unit_name(char: char) -> bool {
    matches!(char, '{' | '}' | ':') || char.is_whitespace() || char.is_control()
}

fn read_names<'a>(pairs: &mut Pairs<'a>, unit: usize, language: Language) -> Result<Vec<&'a str>> {
    let key = |index: usize| format!("units.{unit}.names.{}.{index}", language.name());
    let mut names = Vec::new();
    while let Some(name) = pairs.take(&key(names.len())) {
        let refuse = |problem: &str, hint: &str| refused(&key(names.len()), name, problem, hint);
        if names.len() == MOST_NAMES {
            return Err(refuse("one name too many", &format!("at most {MOST_NAMES} names for a unit")));
        }
        // A name with blanks around it could not be found again in a stamp that a model echoes.
        if name.is_empty()
            || name.len() > LONGEST_NAME
            || name.trim() != name
            || name.contains(char::is_control)
        {
            return Err(refuse(
                "not a name",
                &format!("1 to {LONGEST_NAME} bytes on one line, no blanks at either end"),
            ));
        }
        names.push(name);
    }
    Ok(names)
}

/// How long each unit is in ticks, from how many of the next smaller one it holds.
fn nest(settings: &[UnitSetting<'_>]) -> Result<Vec<Unit>> {
    let mut units: Vec<Unit> = Vec::new();
    for (index, setting) in settings.iter().enumerate() {
        let refuse = |problem: &str, hint: &str| {
            refused(&format!("units.{index}.size"), &setting.size.to_string(), problem, hint)
        };
        if setting.size < 1 {
            return Err(refuse("a unit cannot be empty", "a whole number above 0"));
        }
        let smaller = units.last().map_or(1, |unit| unit.ticks);
        let Some(ticks) = smaller.checked_mul(setting.size) else {
            return Err(refuse("the unit is longer than all ticks together", "a smaller number"));
        };
        let count = settings.get(index + 1).map(|larger| larger.size);
        let names = [&setting.zh, &setting.en].into_iter().filter(|names| !names.is_empty());
        units.push(Unit {
            name: setting.name.to_owned(),
            ticks,
            count,
            first: setting.first.unwrap_or(0),
            names: names.map(|names| names.iter().copied().map(str::to_owned).collect()).collect(),
        });
    }
    Ok(units)
}

/// A name is found by its place in the list, so there is one for each place and no other first number.
fn check_names(index: usize, setting: &UnitSetting<'_>, unit: &Unit) -> Result<()> {
    let has_names = !setting.zh.is_empty() || !setting.en.is_empty();
    if let (true, Some(first)) = (has_names, setting.first) {
        let key = format!("units.{index}.first");
        return Err(refused(
            &key,
            &first.to_string(),
            "the unit has names, not numbers",
            "remove one of them",
        ));
    }
    for (language, names) in [(Language::Zh, &setting.zh), (Language::En, &setting.en)] {
        if names.is_empty() || i64::try_from(names.len()).ok() == unit.count {
            continue;
        }
        let key = format!("calendar.units.{index}.names.{}", language.name());
        let given = names.len();
        let problem = match unit.count {
            Some(needed) => format!("{key} has {given} names for {needed} units of {}", unit.name),
            None => format!("{key} names the largest unit, of which there is no end"),
        };
        let hint = format!("a name for each {} within the next larger unit, or none at all", unit.name);
        return Err(Error::invalid(problem).hint(hint));
    }
    Ok(())
}
