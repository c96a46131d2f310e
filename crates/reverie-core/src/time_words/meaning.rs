//! What does a word for a time say by itself, before anybody asks when it was said?

use super::feasts::Occasion;
use crate::time::Period;

/// The meaning of a word for a time, in any language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// So many days from the one on which it is said: tomorrow, 前天, 三日前.
    Day(i64),
    /// So many weeks from this one, from Monday to Sunday: 上周, next week.
    Week(i64),
    /// 0 is Monday.
    Weekday {
        weekday: i64,
        week: WhichWeek,
    },
    /// Saturday and Sunday.
    Weekend(WhichWeek),
    Month(WhichMonth),
    Date {
        month: WhichMonth,
        day: i64,
    },
    Season {
        season: Season,
        year: WhichYear,
    },
    /// The so manieth day of a season, as games count: 5503年春季第5天.
    DayOfSeason {
        season: Season,
        year: WhichYear,
        day: i64,
    },
    Year(WhichYear),
    /// About so long from then: 两周后, three months ago.
    Shifted {
        unit: Unit,
        by: i64,
    },
    /// The very day so far away, from so many days from then: 去年的今天, a week from tomorrow.
    SameDay {
        far: Far,
        from: i64,
    },
    /// What comes every year under a name: 圣诞节, 去年年底.
    Occasion {
        occasion: Occasion,
        year: WhichYear,
    },
    /// Some days ago, and nobody says which: 前几天, recently.
    Lately(Lately),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lately {
    /// The other day: the seven days before.
    FewDays,
    /// Recently: the fourteen days before, and today.
    Recent,
}

impl Lately {
    /// From the first to the last, counted from the day on which it is said.
    pub(super) fn offsets(self) -> (i64, i64) {
        match self {
            Self::FewDays => (-7, -1),
            Self::Recent => (-14, 0),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WhichWeek {
    /// Friday: the one before or the one after.
    Any,
    /// 周五: of this week, and only where that is over perhaps of the next one.
    Near,
    /// So many weeks from this one.
    Offset(i64),
    /// This Friday: of this week, and where that is over perhaps of the next one.
    This,
    /// The last one before that day.
    Last,
    /// The Friday before last: a week before that.
    BeforeLast,
    /// The first one after that day.
    Coming,
    /// Next Friday: of the next week, or the first one after that day.
    Next,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WhichMonth {
    /// 3号: of the month before or after.
    Any,
    /// So many months from this one.
    Offset(i64),
    /// 1 is January, or the first month of a year of the world.
    Named { month: i64, year: WhichYear },
    /// One that the world itself has a name for: 翠象, Aprimay.
    Own { period: Period, year: WhichYear },
}

impl WhichMonth {
    /// The year of a month that has a name or a number.
    pub(super) fn year(self) -> Option<WhichYear> {
        match self {
            Self::Named { year, .. } | Self::Own { year, .. } => Some(year),
            Self::Any | Self::Offset(_) => None,
        }
    }

    /// Whether nobody says of which year it is, or which month at all.
    pub(super) fn is_any(self) -> bool {
        self == Self::Any || self.year() == Some(WhichYear::Any)
    }
}

/// The year of a month or of a season, or by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WhichYear {
    Any,
    Offset(i64),
    Number(i64),
    /// Last May, last winter: the last one that is over.
    Last,
    /// The summer before last: the one before that.
    BeforeLast,
    /// The first one that has not begun.
    Next,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Season {
    Spring,
    Summer,
    Autumn,
    Winter,
}

impl Season {
    /// 0 is spring.
    pub(super) fn number(self) -> i64 {
        match self {
            Self::Spring => 0,
            Self::Summer => 1,
            Self::Autumn => 2,
            Self::Winter => 3,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Week,
    Month,
    Year,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Far {
    Away {
        unit: Unit,
        by: i64,
    },
    /// Of the year with this number.
    InYear(i64),
}

impl Meaning {
    /// So many of a unit from then; days are counted one by one.
    pub(super) fn shifted(unit: Option<Unit>, by: i64) -> Self {
        match unit {
            Some(unit) => Self::Shifted { unit, by },
            None => Self::Day(by),
        }
    }

    pub(crate) fn is_this_year(self) -> bool {
        self == Self::Year(WhichYear::Offset(0))
    }

    /// Whether it says the same on whatever day it is said.
    pub(crate) fn is_fixed(self) -> bool {
        let year = match self {
            Self::Month(month) | Self::Date { month, .. } => month.year(),
            Self::Season { year, .. }
            | Self::DayOfSeason { year, .. }
            | Self::Year(year)
            | Self::Occasion { year, .. } => Some(year),
            _ => None,
        };
        matches!(year, Some(WhichYear::Number(_)))
    }

    /// Whether it comes again and again, and only the talk around it tells which one is meant.
    pub(crate) fn comes_again(self) -> bool {
        match self {
            Self::Weekday { week, .. } | Self::Weekend(week) => {
                matches!(week, WhichWeek::Any | WhichWeek::Near)
            }
            Self::Month(month) | Self::Date { month, .. } => month.is_any(),
            Self::Season { year, .. } | Self::DayOfSeason { year, .. } | Self::Occasion { year, .. } => {
                year == WhichYear::Any
            }
            _ => false,
        }
    }
}
