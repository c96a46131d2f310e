//! Which days of a world with a calendar of its own are meant?

use super::Days;
use super::meaning::{Far, Meaning, Season, Unit, WhichMonth, WhichYear};
use crate::time::{Cycle, Cycles, Period};

/// None where the calendar has no such days.
pub(super) fn days(meaning: Meaning, today: i64, cycles: &Cycles) -> Option<Vec<Days>> {
    let day_is_known = cycles.day_is_known;
    match meaning {
        Meaning::Day(0) => Some(vec![Days::one(today)]),
        Meaning::Day(offset) => day_is_known.then_some(vec![Days::one(today.checked_add(offset)?)]),
        Meaning::Week(offset) => Some(vec![week(today, offset, cycles)?]),
        Meaning::Month(WhichMonth::Any) => None,
        Meaning::Month(month) => Some(meant(months(month, today, cycles)?, month.year(), today)),
        Meaning::Date { month, day } => {
            let first_day = match month {
                WhichMonth::Own { period, .. } => period.first_day,
                _ => cycles.first_day,
            };
            let in_it = |month: &Days| {
                let day = month.first.checked_add(day)?.checked_sub(first_day)?;
                month.contains(day).then_some(Days::one(day))
            };
            let days = months(month, today, cycles)?.iter().filter_map(in_it).collect();
            let year = if month == WhichMonth::Any { Some(WhichYear::Any) } else { month.year() };
            Some(meant(days, year, today))
        }
        Meaning::Season { season, year } => seasons(season, year, today, cycles),
        Meaning::DayOfSeason { season, year, day } => {
            let all = seasons(season, year, today, cycles)?;
            let in_it = |days: &Days| Some(days.first.checked_add(day - 1)?).filter(|day| *day <= days.last);
            Some(all.iter().filter_map(in_it).map(Days::one).collect())
        }
        Meaning::Year(WhichYear::Offset(offset)) => Some(vec![of(cycles.year?, today, offset)?]),
        Meaning::Year(WhichYear::Number(number)) => Some(vec![numbered(cycles.year?, number)?]),
        Meaning::Shifted { unit, by } => match unit {
            Unit::Week => {
                let day = counted(meaning, today, cycles)?;
                Some(vec![Days { first: day - 3, last: day + 3 }])
            }
            Unit::Month => Some(vec![of(cycles.counted_month()?, today, by)?]),
            Unit::Year => Some(vec![of(cycles.year?, today, by)?]),
        },
        Meaning::SameDay { far, from } => {
            let from = today.checked_add(from)?;
            let (unit, by) = match far {
                Far::Away { unit, by } => (unit, by),
                Far::InYear(number) => {
                    let year = cycles.year?;
                    let this_year = from.div_euclid(year.days).checked_add(year.first)?;
                    (Unit::Year, number.checked_sub(this_year)?)
                }
            };
            Some(vec![Days::one(counted(Meaning::Shifted { unit, by }, from, cycles)?)])
        }
        Meaning::Lately(lately) => {
            let (first, last) = lately.offsets();
            let days = Days { first: today.checked_add(first)?, last: today.checked_add(last)? };
            day_is_known.then_some(vec![days])
        }
        // Who knows which day is Friday there, or Christmas?
        Meaning::Weekday { .. } | Meaning::Weekend(_) | Meaning::Year(_) | Meaning::Occasion { .. } => None,
    }
}

pub(super) fn counted(meaning: Meaning, today: i64, cycles: &Cycles) -> Option<i64> {
    let Meaning::Shifted { unit, by } = meaning else { return None };
    let length = match unit {
        Unit::Week => cycles.week.map_or(7, |week| week.days),
        Unit::Month => cycles.counted_month()?.days,
        Unit::Year => cycles.year?.days,
    };
    cycles.day_is_known.then_some(today.checked_add(by.checked_mul(length)?)?)
}

/// Where nobody counts weeks, seven days before or after.
fn week(today: i64, offset: i64, cycles: &Cycles) -> Option<Days> {
    if let Some(week) = cycles.week {
        return of(week, today, offset);
    }
    let first = match offset {
        _ if !cycles.day_is_known => return None,
        0 => return None,
        1.. => today.checked_add((offset - 1).checked_mul(7)?)?.checked_add(1)?,
        _ => today.checked_add(offset.checked_mul(7)?)?,
    };
    Some(Days { first, last: first.checked_add(6)? })
}

/// So many periods from that of a day.
fn of(cycle: Cycle, today: i64, offset: i64) -> Option<Days> {
    let first = today.div_euclid(cycle.days).checked_add(offset)?.checked_mul(cycle.days)?;
    Some(Days { first, last: first.checked_add(cycle.days - 1)? })
}

/// By the number that the calendar shows.
fn numbered(cycle: Cycle, number: i64) -> Option<Days> {
    let first = number.checked_sub(cycle.first)?.checked_mul(cycle.days)?;
    Some(Days { first, last: first.checked_add(cycle.days - 1)? })
}

/// All months that could be meant, before anybody asks which of them is near.
fn months(which: WhichMonth, today: i64, cycles: &Cycles) -> Option<Vec<Days>> {
    match which {
        WhichMonth::Any => {
            let month = cycles.counted_month()?;
            Some((-1..=1).filter_map(|offset| of(month, today, offset)).collect())
        }
        WhichMonth::Offset(offset) => Some(vec![of(cycles.counted_month()?, today, offset)?]),
        WhichMonth::Named { month, year } => named_months(month, year, today, cycles),
        WhichMonth::Own { period, year } => own_months(period, year, today, cycles),
    }
}

fn own_months(period: Period, year: WhichYear, today: i64, cycles: &Cycles) -> Option<Vec<Days>> {
    let around = match year {
        WhichYear::Offset(_) | WhichYear::Number(_) if period.is_of_year => years(year, today, cycles)?,
        WhichYear::Offset(_) | WhichYear::Number(_) => return None,
        WhichYear::Any | WhichYear::Last | WhichYear::BeforeLast | WhichYear::Next => {
            let larger = Cycle { days: period.within, first: 0 };
            (-2..=1).filter_map(|offset| of(larger, today, offset)).collect()
        }
    };
    let in_it = |larger: &Days| {
        let first = larger.first.checked_add(period.begins)?;
        Some(Days { first, last: first.checked_add(period.days - 1)? })
    };
    Some(around.iter().filter_map(in_it).collect())
}

fn named_months(number: i64, year: WhichYear, today: i64, cycles: &Cycles) -> Option<Vec<Days>> {
    let month = cycles.month?;
    let place = number.checked_sub(month.first)?;
    let in_year = |year: Days| {
        let first = year.first.checked_add(place.checked_mul(month.days)?)?;
        let days = Days { first, last: first.checked_add(month.days - 1)? };
        (place >= 0 && year.holds(days)).then_some(days)
    };
    Some(years(year, today, cycles)?.into_iter().filter_map(in_year).collect())
}

/// The years in which something could be; of last and next ones the nearest.
fn years(year: WhichYear, today: i64, cycles: &Cycles) -> Option<Vec<Days>> {
    let cycle = cycles.year?;
    let offsets = match year {
        WhichYear::Number(number) => return Some(vec![numbered(cycle, number)?]),
        WhichYear::Offset(offset) => offset..=offset,
        WhichYear::Any | WhichYear::Last | WhichYear::BeforeLast | WhichYear::Next => -2..=1,
    };
    Some(offsets.filter_map(|offset| of(cycle, today, offset)).collect())
}

fn seasons(season: Season, which: WhichYear, today: i64, cycles: &Cycles) -> Option<Vec<Days>> {
    let (length, first_season) = cycles.season?;
    let place = (season.number() - first_season).rem_euclid(4);
    let in_year = |year: Days| {
        let first = year.first.checked_add(place.checked_mul(length)?)?;
        Some(Days { first, last: first.checked_add(length - 1)? })
    };
    let all: Vec<Days> = years(which, today, cycles)?.into_iter().filter_map(in_year).collect();
    Some(meant(all, Some(which), today))
}

/// Of all that could be meant, what is meant with the year.
fn meant(all: Vec<Days>, year: Option<WhichYear>, today: i64) -> Vec<Days> {
    // They come in their order.
    let mut over = all.iter().rev().filter(|days| days.last < today);
    let to_come = || all.iter().filter(|days| days.first > today).min_by_key(|days| days.first);
    match year {
        Some(WhichYear::Any) => near(&all, today),
        Some(WhichYear::Last) => over.next().into_iter().copied().collect(),
        Some(WhichYear::BeforeLast) => over.nth(1).into_iter().copied().collect(),
        Some(WhichYear::Next) => to_come().into_iter().copied().collect(),
        Some(WhichYear::Offset(_) | WhichYear::Number(_)) | None => all,
    }
}

/// The one in which we are; else the last before and the first after.
fn near(all: &[Days], today: i64) -> Vec<Days> {
    if let Some(now) = all.iter().find(|days| days.contains(today)) {
        return vec![*now];
    }
    let before = all.iter().filter(|days| days.last < today).max_by_key(|days| days.last);
    let after = all.iter().filter(|days| days.first > today).min_by_key(|days| days.first);
    before.into_iter().chain(after).copied().collect()
}
