//! Which days of a year on Earth have a name of their own?
//!
//! Feasts, holidays, and parts of a year that nobody draws a line around. Feasts of the moon come from a table; it was made with three
//! programs that reckon the Chinese calendar (lunardate, borax, lunar_python), which agree on every day of it.

use super::Days;
use super::earth::{around, month, nearest_on_one_side, year_of};
use super::meaning::WhichYear;

/// What comes every year under a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Occasion {
    /// So many days from a day of the year on.
    Days {
        month: i64,
        day: i64,
        count: i64,
    },
    Lunar(Lunar),
    /// From one month to another: early this year, 暑假. About so, and nothing to put a date on.
    Months {
        first: i64,
        last: i64,
    },
}

/// Feasts of the Chinese calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lunar {
    /// With its eve and the days that are free: until the seventh of the first month.
    SpringFestival,
    Eve,
    Lantern,
    Qingming,
    DragonBoat,
    Qixi,
    MidAutumn,
}

pub(super) const NEW_YEAR: Occasion = day(1, 1);
pub(super) const NEW_YEARS_EVE: Occasion = day(12, 31);
pub(super) const VALENTINE: Occasion = day(2, 14);
pub(super) const WHITE_DAY: Occasion = day(3, 14);
/// Both are free for several days.
pub(super) const LABOUR_DAY: Occasion = Occasion::Days { month: 5, day: 1, count: 5 };
pub(super) const NATIONAL_DAY: Occasion = Occasion::Days { month: 10, day: 1, count: 7 };
pub(super) const CHILDRENS_DAY: Occasion = day(6, 1);
pub(super) const HALLOWEEN: Occasion = day(10, 31);
pub(super) const CHRISTMAS_EVE: Occasion = day(12, 24);
pub(super) const CHRISTMAS: Occasion = day(12, 25);
/// お正月, 七夕 and 端午 as Japan has them.
pub(super) const FIRST_DAYS: Occasion = Occasion::Days { month: 1, day: 1, count: 3 };
pub(super) const TANABATA: Occasion = day(7, 7);
pub(super) const TANGO: Occasion = day(5, 5);
pub(super) const EARLY_IN_YEAR: Occasion = Occasion::Months { first: 1, last: 3 };
pub(super) const END_OF_YEAR: Occasion = Occasion::Months { first: 11, last: 12 };
pub(super) const SUMMER_HOLIDAYS: Occasion = Occasion::Months { first: 6, last: 8 };
pub(super) const WINTER_HOLIDAYS: Occasion = Occasion::Months { first: 1, last: 2 };

const fn day(month: i64, day: i64) -> Occasion {
    Occasion::Days { month, day, count: 1 }
}

/// None where nobody knows the days of that year.
pub(super) fn days(occasion: Occasion, which: WhichYear, today: i64) -> Option<Vec<Days>> {
    let of = |year: i64| in_year(occasion, year);
    let year = match which {
        WhichYear::Number(year) => year,
        WhichYear::Offset(offset) => year_of(today)?.checked_add(offset)?,
        WhichYear::Any => {
            let year = year_of(today)?;
            let all: Vec<Days> = (year - 1..=year + 1).filter_map(of).collect();
            return Some(around(&all, today));
        }
        WhichYear::Last | WhichYear::BeforeLast | WhichYear::Next => {
            let year = year_of(today)?;
            let all: Vec<Days> = (year - 2..=year + 1).filter_map(of).collect();
            return nearest_on_one_side(&all, which, today);
        }
    };
    // 去年除夕 lies in last year, or it ended it.
    let is_eve = occasion == Occasion::Lunar(Lunar::Eve);
    let other = year.checked_add(1).filter(|_| is_eve).and_then(of);
    Some(of(year).into_iter().chain(other).collect())
}

fn in_year(occasion: Occasion, year: i64) -> Option<Days> {
    match occasion {
        Occasion::Days { month: number, day, count } => {
            let first = month(year, number)?.first + day - 1;
            Some(Days { first, last: first + count - 1 })
        }
        Occasion::Months { first, last } => {
            Some(Days { first: month(year, first)?.first, last: month(year, last)?.last })
        }
        Occasion::Lunar(feast) => lunar(feast, year),
    }
}

fn lunar(feast: Lunar, year: i64) -> Option<Days> {
    let row = LUNAR.get(usize::try_from(year.checked_sub(FIRST_YEAR)?).ok()?)?;
    let [new_year, qingming, dragon_boat, qixi, mid_autumn] = row.map(i64::from);
    let day = |written: i64| Some(month(year, written / 100)?.first + written % 100 - 1);
    let new_year = day(new_year)?;
    Some(match feast {
        Lunar::SpringFestival => Days { first: new_year - 1, last: new_year + 6 },
        Lunar::Eve => Days::one(new_year - 1),
        Lunar::Lantern => Days::one(new_year + 14),
        Lunar::Qingming => Days::one(day(qingming)?),
        Lunar::DragonBoat => Days::one(day(dragon_boat)?),
        Lunar::Qixi => Days::one(day(qixi)?),
        Lunar::MidAutumn => Days::one(day(mid_autumn)?),
    })
}

const FIRST_YEAR: i64 = 2000;

/// From 2000 to 2050, 205 being February 5: the first day of the year, 清明, 端午, 七夕, 中秋.
#[rustfmt::skip]
const LUNAR: [[u16; 5]; 51] = [
    [205, 404, 606, 806, 912], [124, 405, 625, 825, 1001], [212, 405, 615, 815, 921],
    [201, 405, 604, 804, 911], [122, 404, 622, 822, 928], [209, 405, 611, 811, 918],
    [129, 405, 531, 731, 1006], [218, 405, 619, 819, 925], [207, 404, 608, 807, 914],
    [126, 404, 528, 826, 1003], [214, 405, 616, 816, 922], [203, 405, 606, 806, 912],
    [123, 404, 623, 823, 930], [210, 404, 612, 813, 919], [131, 405, 602, 802, 908],
    [219, 405, 620, 820, 927], [208, 404, 609, 809, 915], [128, 404, 530, 828, 1004],
    [216, 405, 618, 817, 924], [205, 405, 607, 807, 913], [125, 404, 625, 825, 1001],
    [212, 404, 614, 814, 921], [201, 405, 603, 804, 910], [122, 405, 622, 822, 929],
    [210, 404, 610, 810, 917], [129, 404, 531, 829, 1006], [217, 405, 619, 819, 925],
    [206, 405, 609, 808, 915], [126, 404, 528, 826, 1003], [213, 404, 616, 816, 922],
    [203, 405, 605, 805, 912], [123, 405, 624, 824, 1001], [211, 404, 612, 812, 919],
    [131, 404, 601, 801, 908], [219, 405, 620, 820, 927], [208, 405, 610, 810, 916],
    [128, 404, 530, 828, 1004], [215, 404, 618, 817, 924], [204, 405, 607, 807, 913],
    [124, 405, 527, 826, 1002], [212, 404, 614, 814, 920], [201, 404, 603, 803, 910],
    [122, 404, 622, 822, 928], [210, 405, 611, 811, 917], [130, 404, 531, 731, 1005],
    [217, 404, 619, 819, 925], [206, 404, 608, 808, 915], [126, 405, 529, 827, 1004],
    [214, 404, 615, 816, 922], [202, 404, 604, 805, 911], [123, 404, 623, 823, 930],
];
