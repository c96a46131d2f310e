//! What date is it on a RimWorld colony? Sixty days a year in four quadrums; the longitude of the colony
//! shifts its hours and the hemisphere its seasons, as the game itself reckons them.

use super::settings::{Pairs, refused};
use super::template::{Field, Templates};
use super::{Cycle, Cycles, Language, NamedPeriod, Period, Tick};
use crate::Result;

pub(super) const TICKS_PER_HOUR: i128 = 2_500;
const TICKS_PER_DAY: i128 = 24 * TICKS_PER_HOUR;
const TICKS_PER_YEAR: i128 = DAYS_PER_YEAR * TICKS_PER_DAY;
const DAYS_PER_YEAR: i128 = 4 * DAYS_PER_QUADRUM;
const DAYS_PER_QUADRUM: i128 = 15;
const DEGREES_PER_TIME_ZONE: f64 = 15.0;

#[derive(Debug, Clone, PartialEq)]
pub struct Rimworld {
    base_year: i64,
    /// Whole hours that the colony's clock is ahead of longitude 0.
    time_zone: i8,
    hemisphere: Hemisphere,
    /// The absolute tick at which the host's ticks begin: 0 for a host that sends absolute ones.
    start_tick: Tick,
    pub(super) templates: Templates,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hemisphere {
    North,
    South,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ticks {
    Absolute,
    Game,
}

impl Rimworld {
    pub(super) fn from_pairs(pairs: &mut Pairs<'_>) -> Result<Self> {
        let calendar = Self {
            base_year: pairs.whole_number("base_year", 5500)?,
            time_zone: read_time_zone(pairs)?,
            hemisphere: pairs
                .one_of("hemisphere", &[("north", Hemisphere::North), ("south", Hemisphere::South)])?,
            start_tick: read_start_tick(pairs)?,
            templates: Templates::from_pairs(
                pairs,
                |language| Some(default_format(language)),
                |language| fields(language).into(),
            )?,
        };
        Ok(calendar)
    }

    /// Of its fields, the hour.
    pub(super) const SHORTER_THAN_A_DAY: [bool; 6] = [false, false, false, false, false, true];

    /// One value for each of `fields`, in their order.
    pub(super) fn values(&self, tick: Tick) -> Vec<i128> {
        // i128, because a tick near the ends of i64 plus a start tick leaves i64.
        let absolute = i128::from(tick) + i128::from(self.start_tick);
        let local = absolute + i128::from(self.time_zone) * TICKS_PER_HOUR;
        let year = i128::from(self.base_year) + local.div_euclid(TICKS_PER_YEAR);
        let day_of_year = local.div_euclid(TICKS_PER_DAY).rem_euclid(DAYS_PER_YEAR);
        let quadrum = day_of_year / DAYS_PER_QUADRUM;
        let season = match self.hemisphere {
            Hemisphere::North => quadrum,
            Hemisphere::South => (quadrum + 2) % 4,
        };
        let day = day_of_year % DAYS_PER_QUADRUM;
        let hour = local.div_euclid(TICKS_PER_HOUR).rem_euclid(24);
        vec![year, season, quadrum, day + 1, day_of_year + 1, hour]
    }

    pub(super) fn day(&self, tick: Tick) -> i64 {
        let absolute = i128::from(tick) + i128::from(self.start_tick);
        let local = absolute + i128::from(self.time_zone) * TICKS_PER_HOUR;
        local.div_euclid(TICKS_PER_DAY) as i64
    }

    /// Nobody calls anything else so.
    pub(super) fn named_periods() -> Vec<NamedPeriod<'static>> {
        let of = |language: Language| {
            let quadrums = (0..).step_by(DAYS_PER_QUADRUM as usize).zip(quadrums(language));
            quadrums.map(|(begins, name)| NamedPeriod {
                name,
                period: Period {
                    begins,
                    days: DAYS_PER_QUADRUM as i64,
                    within: DAYS_PER_YEAR as i64,
                    is_of_year: true,
                    first_day: 1,
                },
                may_be_a_word: false,
            })
        };
        Language::ALL.into_iter().flat_map(of).collect()
    }

    /// It has years and seasons, but neither weeks nor months.
    pub(super) fn cycles(&self) -> Cycles {
        let first_season = match self.hemisphere {
            Hemisphere::North => 0,
            Hemisphere::South => 2,
        };
        Cycles {
            day_is_known: true,
            year: Some(Cycle { days: DAYS_PER_YEAR as i64, first: self.base_year }),
            season: Some((DAYS_PER_QUADRUM as i64, first_season)),
            first_day: 1,
            ..Cycles::default()
        }
    }
}

fn quadrums(language: Language) -> [&'static str; 4] {
    match language {
        Language::Zh => ["翠象", "赫象", "荼象", "素象"],
        Language::En => ["Aprimay", "Jugust", "Septober", "Decembary"],
    }
}

fn fields(language: Language) -> [Field<'static>; 6] {
    let seasons = match language {
        Language::Zh => ["春季", "夏季", "秋季", "冬季"],
        Language::En => ["spring", "summer", "autumn", "winter"],
    };
    [
        Field::number("year"),
        Field::names("season", seasons),
        Field::names("quadrum", quadrums(language)),
        Field::number("day"),
        Field::number("day_of_year"),
        Field::number("hour"),
    ]
}

fn default_format(language: Language) -> &'static str {
    match language {
        Language::Zh => "[时间: {year}年{season}第{day}天, {hour}时]",
        Language::En => "[Time: day {day} of {season} {year}, {hour}h]",
    }
}

fn read_time_zone(pairs: &mut Pairs<'_>) -> Result<i8> {
    let Some(value) = pairs.take("longitude") else { return Ok(0) };
    let longitude = value.trim().parse::<f64>().ok().filter(|degrees| (-180.0..=180.0).contains(degrees));
    match longitude {
        // The game rounds halves to the even number, so 7.5 degrees are still zone 0.
        Some(degrees) => Ok((degrees / DEGREES_PER_TIME_ZONE).round_ties_even() as i8),
        None => {
            Err(refused("longitude", value, "not a longitude", "degrees from -180 to 180, such as -97.5"))
        }
    }
}

fn read_start_tick(pairs: &mut Pairs<'_>) -> Result<Tick> {
    let ticks = pairs.one_of("ticks", &[("absolute", Ticks::Absolute), ("game", Ticks::Game)])?;
    let start_tick = pairs.whole_number("start_tick", 0)?;
    if ticks == Ticks::Absolute && start_tick != 0 {
        return Err(refused(
            "start_tick",
            &start_tick.to_string(),
            "absolute ticks have no other start",
            "set calendar.ticks = game if the host sends ticks since the start of the game",
        ));
    }
    Ok(start_tick)
}
