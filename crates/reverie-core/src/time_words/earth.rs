//! Which days on Earth are meant?

use jiff::civil::Date;

use super::Days;
use super::feasts;
use super::meaning::{Far, Meaning, Season, Unit, WhichMonth, WhichWeek, WhichYear};

/// None where the days lie outside of what can be counted.
pub(super) fn days(meaning: Meaning, today: i64) -> Option<Vec<Days>> {
    match meaning {
        Meaning::Day(offset) => Some(vec![Days::one(today.checked_add(offset)?)]),
        Meaning::Week(offset) => Some(vec![week(today, offset)?]),
        Meaning::Weekday { weekday, week } => weekdays(weekday, week, today, 1),
        Meaning::Weekend(week) => weekdays(SATURDAY, week, today, 2),
        Meaning::Month(which) => months(which, today),
        Meaning::Date { month, day } => {
            let all = dated_months(month, today)?;
            let days: Vec<Days> = all.into_iter().filter_map(|month| day_in(month, day)).collect();
            Some(if month.is_any() { around(&days, today) } else { days })
        }
        Meaning::Season { season, year } => seasons(season, year, today),
        Meaning::DayOfSeason { .. } => None,
        Meaning::Year(which) => {
            let year = match which {
                WhichYear::Number(year) => year,
                WhichYear::Offset(offset) => year_of(today)?.checked_add(offset)?,
                WhichYear::Any | WhichYear::Last | WhichYear::BeforeLast | WhichYear::Next => return None,
            };
            Some(vec![Days { first: month(year, 1)?.first, last: month(year, 12)?.last }])
        }
        Meaning::Shifted { unit, by } => {
            let day = counted(meaning, today)?;
            match unit {
                Unit::Week => Some(vec![week(day, 0)?]),
                Unit::Month => months(WhichMonth::Offset(by), today),
                Unit::Year => days(Meaning::Year(WhichYear::Offset(by)), today),
            }
        }
        Meaning::SameDay { far, from } => {
            let from = today.checked_add(from)?;
            let (unit, by) = match far {
                Far::Away { unit, by } => (unit, by),
                Far::InYear(year) => (Unit::Year, year.checked_sub(year_of(from)?)?),
            };
            Some(vec![Days::one(counted(Meaning::Shifted { unit, by }, from)?)])
        }
        Meaning::Occasion { occasion, year } => feasts::days(occasion, year, today),
        Meaning::Lately(lately) => {
            let (first, last) = lately.offsets();
            Some(vec![Days { first: today.checked_add(first)?, last: today.checked_add(last)? }])
        }
    }
}

/// The very day to which a count of weeks, months or years leads.
pub(super) fn counted(meaning: Meaning, today: i64) -> Option<i64> {
    let Meaning::Shifted { unit, by } = meaning else { return None };
    let months = match unit {
        Unit::Week => return today.checked_add(by.checked_mul(7)?),
        Unit::Month => by,
        Unit::Year => by.checked_mul(12)?,
    };
    let then = date_of(today)?.checked_add(jiff::Span::new().try_months(months).ok()?).ok()?;
    number_of(then)
}

/// 2024-05-03.
pub(super) fn date(day: i64) -> Option<String> {
    let date = date_of(day)?;
    Some(format!("{:04}-{:02}-{:02}", date.year(), date.month(), date.day()))
}

/// A whole month as 2024-05, a whole year as 2024.
pub(super) fn period(days: Days) -> Option<String> {
    let (first, last) = (date_of(days.first)?, date_of(days.last)?);
    let is_whole = days.first < days.last && first.day() == 1 && last == last.last_of_month();
    match (is_whole, first.month(), last.month(), first.year() == last.year()) {
        (true, a, b, true) if a == b => Some(format!("{:04}-{a:02}", first.year())),
        (true, 1, 12, true) => Some(format!("{:04}", first.year())),
        (true, a, b, _) => Some(format!("{:04}-{a:02}/{:04}-{b:02}", first.year(), last.year())),
        (false, ..) => None,
    }
}

const SATURDAY: i64 = 5;

fn date_of(day: i64) -> Option<Date> {
    jiff::civil::date(1970, 1, 1).checked_add(jiff::Span::new().try_days(day).ok()?).ok()
}

pub(super) fn year_of(day: i64) -> Option<i64> {
    Some(date_of(day)?.year().into())
}

fn number_of(date: Date) -> Option<i64> {
    Some(i64::from(date.since(jiff::civil::date(1970, 1, 1)).ok()?.get_days()))
}

/// 0 is Monday.
pub(super) fn weekday(day: i64) -> usize {
    // 1970-01-01 was a Thursday.
    usize::try_from(day.rem_euclid(7) + 3).unwrap_or(0) % 7
}

/// From Monday to Sunday, so many weeks from that of a day.
fn week(day: i64, offset: i64) -> Option<Days> {
    let monday = day.checked_sub(weekday(day) as i64)?.checked_add(offset.checked_mul(7)?)?;
    Some(Days { first: monday, last: monday.checked_add(6)? })
}

/// So many days from a weekday on: one, or a weekend of two.
fn weekdays(weekday: i64, which: WhichWeek, today: i64, length: i64) -> Option<Vec<Days>> {
    let of = |offset: i64| {
        let first = week(today, offset)?.first.checked_add(weekday)?;
        Some(Days { first, last: first.checked_add(length - 1)? })
    };
    let (before, this, next) = (of(-1)?, of(0)?, of(1)?);
    Some(match which {
        WhichWeek::This if this.last < today => vec![this, next],
        WhichWeek::This => vec![this],
        WhichWeek::Offset(offset) => vec![of(offset)?],
        WhichWeek::Near if this.last >= today => vec![this],
        WhichWeek::Near => around(&[this, next], today),
        WhichWeek::Any => around(&[before, this, next], today),
        WhichWeek::Last => vec![if this.last < today { this } else { before }],
        WhichWeek::BeforeLast => vec![if this.last < today { before } else { of(-2)? }],
        WhichWeek::Coming => vec![if this.first > today { this } else { next }],
        WhichWeek::Next if this.first > today => vec![next, this],
        WhichWeek::Next => vec![next],
    })
}

/// Of many the one in which we are; else the last before and the first after, the nearer one first.
pub(super) fn around(all: &[Days], today: i64) -> Vec<Days> {
    if let Some(now) = all.iter().find(|days| days.contains(today)) {
        return vec![*now];
    }
    let before = all.iter().filter(|days| days.last < today).max_by_key(|days| days.last);
    let after = all.iter().filter(|days| days.first > today).min_by_key(|days| days.first);
    let mut nearest: Vec<Days> = before.into_iter().chain(after).copied().collect();
    // Of two that are as near the one to come is before.
    nearest.sort_by_key(|days| match days.last < today {
        true => (today - days.last, 1),
        false => (days.first - today, 0),
    });
    nearest
}

pub(super) fn month(year: i64, month: i64) -> Option<Days> {
    let first = Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, 1).ok()?;
    Some(Days { first: number_of(first)?, last: number_of(first.last_of_month())? })
}

/// So many months from that of a day.
fn month_from(today: i64, offset: i64) -> Option<Days> {
    let date = date_of(today)?;
    let months = i64::from(date.year()) * 12 + i64::from(date.month()) - 1;
    let months = months.checked_add(offset)?;
    month(months.div_euclid(12), months.rem_euclid(12) + 1)
}

fn day_in(month: Days, day: i64) -> Option<Days> {
    let day = month.first.checked_add(day)? - 1;
    month.contains(day).then_some(Days::one(day))
}

fn months(which: WhichMonth, today: i64) -> Option<Vec<Days>> {
    let all = dated_months(which, today)?;
    Some(if which.is_any() { around(&all, today) } else { all })
}

/// All months that could be meant, before anybody asks which of them is near.
fn dated_months(which: WhichMonth, today: i64) -> Option<Vec<Days>> {
    let this_year = || year_of(today);
    match which {
        WhichMonth::Any => Some((-1..=1).filter_map(|offset| month_from(today, offset)).collect()),
        WhichMonth::Offset(offset) => Some(vec![month_from(today, offset)?]),
        WhichMonth::Own { .. } => None,
        WhichMonth::Named { month: number, year } => {
            let of = |year: i64| month(year, number);
            match year {
                WhichYear::Number(year) => Some(vec![of(year)?]),
                WhichYear::Offset(offset) => Some(vec![of(this_year()?.checked_add(offset)?)?]),
                WhichYear::Any => {
                    let year = this_year()?;
                    Some((year - 1..=year + 1).filter_map(of).collect())
                }
                WhichYear::Last | WhichYear::BeforeLast | WhichYear::Next => {
                    let this_year = this_year()?;
                    let all: Vec<Days> = (this_year - 2..=this_year + 1).filter_map(of).collect();
                    nearest_on_one_side(&all, year, today)
                }
            }
        }
    }
}

/// The last one that is over, the one before it, or the first one that has not begun; they come in their order.
pub(super) fn nearest_on_one_side(all: &[Days], which: WhichYear, today: i64) -> Option<Vec<Days>> {
    let mut over = all.iter().rev().filter(|days| days.last < today);
    let found = match which {
        WhichYear::Next => all.iter().find(|days| days.first > today),
        WhichYear::BeforeLast => over.nth(1),
        _ => over.next(),
    };
    Some(vec![*found?])
}

/// That of the north; a winter belongs to the year in which it begins.
fn season_of(season: Season, year: i64) -> Option<Days> {
    let first_month = season.number() * 3 + 3;
    let last = match season {
        Season::Winter => month(year.checked_add(1)?, 2)?,
        _ => month(year, first_month + 2)?,
    };
    Some(Days { first: month(year, first_month)?.first, last: last.last })
}

fn seasons(season: Season, which: WhichYear, today: i64) -> Option<Vec<Days>> {
    let of = |year: i64| season_of(season, year);
    let is_winter = season == Season::Winter;
    if let WhichYear::Number(year) = which {
        // Either half of it is a winter of that year.
        let other = is_winter.then(|| of(year - 1)).flatten();
        return Some(of(year).into_iter().chain(other).collect());
    }
    let year = year_of(today)?;
    let all: Vec<Days> = (year - 3..=year + 1).filter_map(of).collect();
    match which {
        WhichYear::Any | WhichYear::Number(_) => Some(around(&all, today)),
        WhichYear::Last | WhichYear::BeforeLast | WhichYear::Next => nearest_on_one_side(&all, which, today),
        WhichYear::Offset(offset) => {
            let meant = of(year.checked_add(offset)?)?;
            // In January this winter began last year, and last year's is the one before.
            let is_now = |days: &Days| is_winter && days.contains(today);
            let earlier = of(year.checked_add(offset)?.checked_sub(1)?).filter(|days| match offset {
                0 => is_now(days),
                _ => offset < 0 && is_now(&meant),
            });
            Some(vec![earlier.unwrap_or(meant)])
        }
    }
}
