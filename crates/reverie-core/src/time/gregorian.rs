//! What date is it on Earth? Reads the wall clock, or the host's ticks where the settings say which date
//! tick 0 is. Time zones come from the database bundled with the program, so that the same world has the
//! same stamps on every machine.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{TimeZone, TimeZoneDatabase};

use super::settings::{Pairs, refused};
use super::template::{Field, Templates};
use super::{Language, Moment, Tick};
use crate::{Error, Result};

#[derive(Debug, Clone, PartialEq)]
pub struct Gregorian {
    time_zone: TimeZone,
    /// Set in a world whose ticks, not the wall clock, tell the date.
    tick_clock: Option<TickClock>,
    pub(super) templates: Templates,
}

/// Exact: `ticks` ticks last `seconds` seconds, beginning at `epoch_ms`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct TickClock {
    epoch_ms: i64,
    ticks: u32,
    seconds: u32,
}

impl Gregorian {
    pub(super) fn from_pairs(pairs: &mut Pairs<'_>) -> Result<Self> {
        let time_zone = read_time_zone(pairs)?;
        let calendar = Self {
            tick_clock: read_tick_clock(pairs, &time_zone)?,
            time_zone,
            templates: Templates::from_pairs(
                pairs,
                |language| Some(default_format(language)),
                |language| fields(language).into(),
            )?,
        };
        Ok(calendar)
    }

    /// One value for each of `fields`, in their order; None without the clock that this calendar reads,
    /// and outside the years -9999 to 9999.
    pub(super) fn values(&self, moment: Moment) -> Option<Vec<i128>> {
        let wall_ms = match self.tick_clock {
            // No falling back to the wall clock: it tells another date than the game's.
            Some(clock) => clock.wall_ms(moment.tick?)?,
            None => moment.wall_ms?,
        };
        let local = self.time_zone.to_datetime(Timestamp::from_millisecond(wall_ms).ok()?);
        Some(vec![
            local.year().into(),
            local.month().into(),
            local.day().into(),
            local.weekday().to_monday_zero_offset().into(),
            local.hour().into(),
            local.minute().into(),
        ])
    }

    /// In this calendar's time zone.
    pub(super) fn day(&self, moment: Moment) -> Option<i64> {
        let wall_ms = match self.tick_clock {
            Some(clock) => clock.wall_ms(moment.tick?)?,
            None => moment.wall_ms?,
        };
        let local = self.time_zone.to_datetime(Timestamp::from_millisecond(wall_ms).ok()?);
        let since = local.date().since(jiff::civil::date(1970, 1, 1)).ok()?;
        Some(i64::from(since.get_days()))
    }

    pub(super) fn ticks_per_hour(&self) -> Option<f64> {
        self.tick_clock.map(|clock| 3600.0 * f64::from(clock.ticks) / f64::from(clock.seconds))
    }
}

impl TickClock {
    fn wall_ms(self, tick: Tick) -> Option<i64> {
        let since_epoch = (i128::from(tick) * 1000 * i128::from(self.seconds)).div_euclid(self.ticks.into());
        i64::try_from(i128::from(self.epoch_ms) + since_epoch).ok()
    }
}

fn fields(language: Language) -> [Field<'static>; 6] {
    let weekdays = match language {
        Language::Zh => ["星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日"],
        Language::En => ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
    };
    [
        Field::number("year"),
        Field::number("month"),
        Field::number("day"),
        Field::names("weekday", weekdays),
        Field::padded("hour", 2),
        Field::padded("minute", 2),
    ]
}

fn default_format(language: Language) -> &'static str {
    match language {
        Language::Zh => "[时间: {year}年{month}月{day}日 {hour}:{minute}]",
        Language::En => "[Time: {year:04}-{month:02}-{day:02} {hour}:{minute}]",
    }
}

fn read_time_zone(pairs: &mut Pairs<'_>) -> Result<TimeZone> {
    let Some(value) = pairs.take("time_zone") else { return Ok(TimeZone::UTC) };
    match TimeZoneDatabase::bundled().get(value.trim()) {
        Ok(time_zone) if !time_zone.is_unknown() => Ok(time_zone),
        _ => Err(refused(
            "time_zone",
            value,
            "not a known time zone",
            "an IANA name such as Asia/Shanghai, America/New_York or UTC",
        )),
    }
}

fn read_tick_clock(pairs: &mut Pairs<'_>, time_zone: &TimeZone) -> Result<Option<TickClock>> {
    match (pairs.take("epoch"), pairs.take("ticks_per_second")) {
        (None, None) => Ok(None),
        (Some(epoch), Some(rate)) => {
            let epoch_ms = parse_epoch(epoch, time_zone)?;
            let (ticks, seconds) = parse_rate(rate)?;
            Ok(Some(TickClock { epoch_ms, ticks, seconds }))
        }
        (Some(_), None) => Err(lonely("epoch", "ticks_per_second")),
        (None, Some(_)) => Err(lonely("ticks_per_second", "epoch")),
    }
}

fn lonely(present: &str, absent: &str) -> Error {
    Error::invalid(format!("calendar.{present} is set, but calendar.{absent} is not"))
        .hint("set both to date ticks, or neither to date the wall clock")
}

fn parse_epoch(value: &str, time_zone: &TimeZone) -> Result<i64> {
    let text = value.trim();
    // With an offset or Z the text is an instant; without, it is what a clock in this time zone shows.
    let instant = text.parse::<Timestamp>().or_else(|_| {
        let local = text.parse::<DateTime>()?;
        time_zone.to_ambiguous_timestamp(local).compatible()
    });
    match instant {
        // jiff would read past another time zone written in brackets, and the date would be off by hours.
        Ok(instant) if !text.contains('[') => Ok(instant.as_millisecond()),
        _ => Err(refused(
            "epoch",
            value,
            "not a date and time",
            "such as 1889-03-01T06:00 (in calendar.time_zone) or 1889-03-01T06:00Z",
        )),
    }
}

/// `60`, or `1/60` where a tick is longer than a second: a fraction, because a rounded rate drifts.
fn parse_rate(value: &str) -> Result<(u32, u32)> {
    let (ticks, seconds) = value.split_once('/').unwrap_or((value, "1"));
    match (ticks.trim().parse(), seconds.trim().parse()) {
        (Ok(ticks @ 1..), Ok(seconds @ 1..)) => Ok((ticks, seconds)),
        _ => Err(refused(
            "ticks_per_second",
            value,
            "not a rate",
            "a whole number above 0 such as 60, or a fraction such as 1/60 for a tick of one minute",
        )),
    }
}
