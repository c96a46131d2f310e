//! Words for dates in Chinese and Japanese: months, days of months, years and seasons.

use super::ideograph_feasts::feast_of;
use super::ideographs::Read;
use super::meaning::{Far, Meaning, Season, Unit, WhichMonth, WhichYear};
use super::other_words;
use super::own_names::in_year;
use super::same_day;
use super::scan::Text;

const YEARS: &[(&str, i64)] = &[
    ("大前年", -3),
    ("大后年", 3),
    ("一昨年", -2),
    ("おととし", -2),
    ("再来年", 2),
    ("前年", -2),
    ("去年", -1),
    ("昨年", -1),
    ("今年", 0),
    ("本年", 0),
    ("明年", 1),
    ("来年", 1),
    ("后年", 2),
];

/// A year, and what of it: 去年冬天, 2024年5月3日, 来年の春, 5503年春季第5天, 去年的今天.
pub(super) fn year(text: &Text, place: usize) -> Read {
    let (year, end) = which_year(text, place)?;
    let same_day = || {
        let far = match year {
            WhichYear::Offset(by) => Far::Away { unit: Unit::Year, by },
            WhichYear::Number(number) => Far::InYear(number),
            WhichYear::Any | WhichYear::Last | WhichYear::BeforeLast | WhichYear::Next => return None,
        };
        same_day::in_ideographs(text, far, end)
    };
    let of_it = part_of_year(text, year, end).or_else(same_day);
    // 今年轻人 are young people of today.
    let is_young = matches!(text.at(end), Some('轻' | '紀' | '纪' | '龄' | '齢' | '代' | '级'));
    of_it.or(Some((Meaning::Year(year), end)).filter(|_| !is_young))
}

pub(super) fn which_year(text: &Text, place: usize) -> Option<(WhichYear, usize)> {
    text.one_of(place, YEARS)
        .map(|(offset, end)| (WhichYear::Offset(offset), end))
        .or_else(|| numbered_year(text, place))
        .or_else(|| year_of_era(text, place))
        .or_else(|| short_year(text, place))
        .or_else(|| small_year(text, place))
}

/// 第5年, where years are those of a world; 结婚第5年 counts from something else.
fn small_year(text: &Text, place: usize) -> Option<(WhichYear, usize)> {
    let is_begun = text.before(place).is_none_or(|c| "在是于到从，,。！？!?；; \n「“\"：:".contains(c));
    let (number, end) = text.ordinal(place).filter(|_| is_begun)?;
    let end = text.skip(end, "年").filter(|end| text.at(*end) != Some('级'))?;
    Some((WhichYear::Number(text.names.small_year(number)?), end))
}

/// 上一季, 上个季度, 上个象限: where seasons are what others call months.
pub(super) fn quadrum(text: &Text, place: usize) -> Read {
    const WHICH: &[(&str, i64)] = &[
        ("上上个", -2),
        ("上个", -1),
        ("上一个", -1),
        ("上一", -1),
        ("上", -1),
        ("这个", 0),
        ("这一个", 0),
        ("这一", 0),
        ("这", 0),
        ("本", 0),
        ("下个", 1),
        ("下一个", 1),
        ("下一", 1),
        ("下下个", 2),
        ("下", 1),
    ];
    // 右上象限 is a place on a map.
    let is_corner = matches!(text.before(place), Some('左' | '右'));
    let (offset, end) = text.one_of(place, WHICH).filter(|_| text.names.has_quadrums && !is_corner)?;
    let (_, end) = text.one_of(end, &[("季度", ()), ("季节", ()), ("季", ()), ("象限", ())])?;
    Some((Meaning::Month(WhichMonth::Offset(offset)), end))
}

/// A month, a season or a day behind a year: 的夏天, 5月3日.
pub(super) fn part_of_year(text: &Text, year: WhichYear, end: usize) -> Read {
    let next = text.skip_any(end, &["的", "の", " "]);
    let date = || month_number(text, next).map(|(month, end)| in_month(text, month, year, end));
    let season = || {
        let (season, end) = season_word(text, next, &[SEASONS, SHORT_SEASONS])?;
        Some(in_season(text, season, year, end))
    };
    in_year(text, year, next).or_else(date).or_else(|| feast_of(text, year, next)).or_else(season)
}

/// 2019年, 二〇一九年, 5503年: of three digits at least, because 三年 is a length.
fn numbered_year(text: &Text, place: usize) -> Option<(WhichYear, usize)> {
    let (number, end) = text.number(place)?;
    let digits = end - place;
    let behind = text.skip(end, "年")?;
    let is_length = ["前", "后", "间", "来", "多", "之", "以", "の歴史", "的"]
        .iter()
        .any(|word| text.skip(behind, word).is_some())
        && digits < 4;
    (digits >= 3 && !is_length && number >= 100).then_some((WhichYear::Number(number), behind))
}

/// 令和7年, 平成元年.
fn year_of_era(text: &Text, place: usize) -> Option<(WhichYear, usize)> {
    const YEARS_BEFORE: &[(&str, i64)] =
        &[("令和", 2018), ("平成", 1988), ("昭和", 1925), ("民国", 1911), ("民國", 1911)];
    let (years_before, at) = text.one_of(place, YEARS_BEFORE)?;
    let (number, end) = text.one_of(at, &[("元", 1)]).or_else(|| text.number(at))?;
    let is_year_of_one = (1..200).contains(&number);
    let end = text.skip(end, "年").filter(|_| is_year_of_one)?;
    Some((WhichYear::Number(years_before + number), end))
}

/// 25年11月: two digits are a year only where a month follows, because 25年 is a length.
fn short_year(text: &Text, place: usize) -> Option<(WhichYear, usize)> {
    let (number, end) = text.number(place)?;
    let is_short = end == place + 2 && text.at(place).is_some_and(|c| c.is_ascii_digit());
    let end = text.skip(end, "年").filter(|_| is_short)?;
    month_number(text, end)?;
    let year = match text.names.first_year {
        Some(_) => number,
        None if number < 70 => 2000 + number,
        None => 1900 + number,
    };
    Some((WhichYear::Number(year), end))
}

/// 5月, 十二月.
fn month_number(text: &Text, place: usize) -> Option<(i64, usize)> {
    let (month, end) = text.number(place)?;
    let end = text.skip(end, "月")?;
    ((1..=12).contains(&month) && other_words::phrase(text, place).is_none()).then_some((month, end))
}

/// The month, or the day in it that follows.
fn in_month(text: &Text, month: i64, year: WhichYear, end: usize) -> (Meaning, usize) {
    let month = WhichMonth::Named { month, year };
    match day_number(text, text.skip_any(end, &["的", "の"])) {
        Some((day, end)) => (Meaning::Date { month, day }, end),
        None => (Meaning::Month(month), end),
    }
}

/// 3日, 三号.
fn day_number(text: &Text, place: usize) -> Option<(i64, usize)> {
    let (day, end) = text.number(place)?;
    let (_, end) = text.one_of(end, &[("日", ()), ("号", ())])?;
    (0..=31).contains(&day).then_some((day, end))
}

pub(super) fn month_by_name(text: &Text, place: usize) -> Read {
    let (month, end) = month_number(text, place)?;
    Some(in_month(text, month, WhichYear::Any, end))
}

const MONTHS: &[(&str, i64)] = &[
    ("上上个月", -2),
    ("上个月", -1),
    ("上月", -1),
    ("这个月", 0),
    ("这月", 0),
    ("本月", 0),
    ("下个月", 1),
    ("下月", 1),
    ("下下个月", 2),
    ("先々月", -2),
    ("先月", -1),
    ("今月", 0),
    ("再来月", 2),
    ("来月", 1),
];

/// A month from this one, or a day of it: 下个月三号, 上个月的今天.
pub(super) fn month(text: &Text, place: usize) -> Read {
    let (offset, end) = text.one_of(place, MONTHS)?;
    if other_words::is_no_month(text, end) {
        return None;
    }
    let month = WhichMonth::Offset(offset);
    let same_day = || {
        let far = Far::Away { unit: Unit::Month, by: offset };
        same_day::in_ideographs(text, far, end)
    };
    match day_number(text, text.skip_any(end, &["的", "の"])) {
        Some((day, end)) => Some((Meaning::Date { month, day }, end)),
        None => same_day().or(Some((Meaning::Month(month), end))),
    }
}

const SEASONS: &[(&str, Season)] = &[
    ("春天", Season::Spring),
    ("春季", Season::Spring),
    ("夏天", Season::Summer),
    ("夏季", Season::Summer),
    ("秋天", Season::Autumn),
    ("秋季", Season::Autumn),
    ("冬天", Season::Winter),
    ("冬季", Season::Winter),
];

/// They are parts of names and other words where no year is before them.
const SHORT_SEASONS: &[(&str, Season)] =
    &[("春", Season::Spring), ("夏", Season::Summer), ("秋", Season::Autumn), ("冬", Season::Winter)];

fn season_word(text: &Text, place: usize, lists: &[&[(&str, Season)]]) -> Option<(Season, usize)> {
    let (season, end) = lists.iter().find_map(|list| text.one_of(place, list))?;
    (!other_words::is_spring_festival(text, end)).then_some((season, end))
}

/// The season, or the day in it that follows.
fn in_season(text: &Text, season: Season, year: WhichYear, end: usize) -> (Meaning, usize) {
    let counted = text.ordinal(text.skip_any(end, &["的", "の"]));
    let day = counted.and_then(|(day, end)| Some((day, text.one_of(end, &[("天", ()), ("日", ())])?.1)));
    match day {
        Some((day, end)) => (Meaning::DayOfSeason { season, year, day }, end),
        None => (Meaning::Season { season, year }, end),
    }
}

/// 冬天, 上个冬天, この夏, 今春, 冬に.
pub(super) fn season(text: &Text, place: usize) -> Read {
    const WHICH: &[(&str, WhichYear)] = &[
        ("上上个", WhichYear::BeforeLast),
        ("上个", WhichYear::Last),
        ("这个", WhichYear::Offset(0)),
        ("下个", WhichYear::Next),
        ("この前の", WhichYear::Last),
        ("前の", WhichYear::Last),
        ("この", WhichYear::Offset(0)),
        ("次の", WhichYear::Next),
        ("今度の", WhichYear::Next),
        ("今", WhichYear::Offset(0)),
        ("去", WhichYear::Offset(-1)),
        ("昨", WhichYear::Offset(-1)),
        ("明", WhichYear::Offset(1)),
    ];
    if let Some((year, end)) = text.one_of(place, WHICH) {
        let (season, end) = season_word(text, end, &[SEASONS, SHORT_SEASONS])?;
        return Some((Meaning::Season { season, year }, end));
    }
    if let Some((season, end)) = season_word(text, place, &[SEASONS]) {
        return Some(in_season(text, season, WhichYear::Any, end));
    }
    let (season, end) = season_word(text, place, &[SHORT_SEASONS])?;
    let is_by_itself = text.before(place).is_none_or(|c| !matches!(c, '\u{3400}'..='\u{9FFF}'))
        && (text.skip(end, "に").is_some()
            || text.skip(end, "の間").is_some()
            || text.skip(end, "休み").is_some());
    is_by_itself.then_some((Meaning::Season { season, year: WhichYear::Any }, end))
}

/// 3号, of whatever month.
pub(super) fn day_of_month(text: &Text, place: usize) -> Read {
    let (day, end) = text.number(place)?;
    let end = text.skip(end, "号")?;
    let is_no_date = || other_words::is_number_of_a_thing(text, place, end);
    ((1..=31).contains(&day) && !is_no_date()).then_some((Meaning::Date { month: WhichMonth::Any, day }, end))
}
