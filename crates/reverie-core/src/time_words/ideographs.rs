//! Words for times in Chinese and Japanese.
//!
//! Both at once: most of the words are the same, and the others do not resemble each other. Characters come in their plain
//! form, so 下週五 and 下周五 are one.

use super::meaning::{Meaning, Season, Unit, WhichMonth, WhichWeek, WhichYear};
use super::scan::{Text, Word};

/// A meaning, and where its word ends.
type Read = Option<(Meaning, usize)>;

pub(super) fn read(text: &Text) -> Vec<Word> {
    let mut words = Vec::new();
    let mut place = 0;
    while place < text.len() {
        let readings = [year, month, month_by_name, week, weekday, season, shifted, day, day_of_month, iso];
        let longest = readings
            .iter()
            .filter_map(|reading| reading(text, place))
            .max_by_key(|(_, end)| *end)
            .filter(|_| !is_inside_of_a_word(text, place));
        match longest {
            Some((meaning, end)) => {
                words.push(Word { chars: place..end, meaning, is_repeated: is_repeated(text, place) });
                place = end;
            }
            None => place += 1,
        }
    }
    words
}

/// 每周五, 毎年の春, 每到春天.
fn is_repeated(text: &Text, place: usize) -> bool {
    let ends = |word: &str| {
        place.checked_sub(word.chars().count()).is_some_and(|start| text.skip(start, word).is_some())
    };
    ["每", "毎", "每个", "每到", "每逢", "毎周", "毎年", "毎年の", "毎周の", "每年", "每年的"]
        .iter()
        .any(|word| ends(word))
}

/// 然后天黑了 speaks of no day after tomorrow, 过去年轻 of no year.
fn is_inside_of_a_word(text: &Text, place: usize) -> bool {
    let before = text.before(place);
    let is_one_of = |all: &str| before.is_some_and(|c| all.contains(c));
    match text.at(place) {
        Some('后') => is_one_of("之以然最背午今随前身往此日"),
        Some('前') => is_one_of("之以目眼提从先午跟面门日"),
        Some('明') => is_one_of("聪光文说证发声透清黎失照"),
        Some('去') => is_one_of("过失离死回出下上进除"),
        Some('上') => is_one_of("早晚马路身网桌面"),
        Some('下') => is_one_of("天底楼乡地"),
        Some('今') => is_one_of("至古如当而"),
        Some('来') => is_one_of("本原未后近向从历"),
        _ => false,
    }
}

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

/// A year, and what of it: 去年冬天, 2024年5月3日, 来年の春, 5503年春季第5天.
fn year(text: &Text, place: usize) -> Read {
    let (year, end) = text
        .one_of(place, YEARS)
        .map(|(offset, end)| (WhichYear::Offset(offset), end))
        .or_else(|| numbered_year(text, place))?;
    let next = text.skip_any(end, &["的", "の", " "]);
    let date = month_number(text, next).map(|(month, end)| in_month(text, month, year, end));
    let season = season_word(text, next, &[SEASONS, SHORT_SEASONS]);
    let of_it = date.or_else(|| season.map(|(season, end)| in_season(text, season, year, end)));
    // 今年轻人 are young people of today.
    let is_young = matches!(text.at(end), Some('轻' | '紀' | '纪' | '龄' | '齢' | '代' | '级'));
    of_it.or(Some((Meaning::Year(year), end)).filter(|_| !is_young))
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

/// 5月, 十二月.
fn month_number(text: &Text, place: usize) -> Option<(i64, usize)> {
    let (month, end) = text.number(place)?;
    let end = text.skip(end, "月")?;
    (1..=12).contains(&month).then_some((month, end))
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
fn day_number(text: &Text, place: usize) -> Option<(i8, usize)> {
    let (day, end) = text.number(place)?;
    let (_, end) = text.one_of(end, &[("日", ()), ("号", ())])?;
    (1..=31).contains(&day).then_some((day as i8, end))
}

fn month_by_name(text: &Text, place: usize) -> Read {
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

/// A month from this one, or a day of it: 下个月三号.
fn month(text: &Text, place: usize) -> Read {
    let (offset, end) = text.one_of(place, MONTHS)?;
    if matches!(text.at(end), Some('球' | '亮' | '光')) {
        return None;
    }
    let month = WhichMonth::Offset(offset);
    match day_number(text, text.skip_any(end, &["的", "の"])) {
        Some((day, end)) => Some((Meaning::Date { month, day }, end)),
        None => Some((Meaning::Month(month), end)),
    }
}

const WEEKS: &[(&str, WhichWeek)] = &[
    ("上上", WhichWeek::Offset(-2)),
    ("上个", WhichWeek::Offset(-1)),
    ("上", WhichWeek::Offset(-1)),
    ("这个", WhichWeek::Offset(0)),
    ("这", WhichWeek::Offset(0)),
    ("本", WhichWeek::Offset(0)),
    ("下下", WhichWeek::Offset(2)),
    ("下个", WhichWeek::Offset(1)),
    ("下", WhichWeek::Offset(1)),
    ("先々", WhichWeek::Offset(-2)),
    ("先", WhichWeek::Offset(-1)),
    ("今度の", WhichWeek::Coming),
    ("次の", WhichWeek::Coming),
    ("今", WhichWeek::Offset(0)),
    ("再来", WhichWeek::Offset(2)),
    ("来", WhichWeek::Offset(1)),
    ("この前の", WhichWeek::Last),
    ("前の", WhichWeek::Last),
];

/// 下周, 下个星期五, 来週の金曜日, 这周末, 今度の土曜日.
fn week(text: &Text, place: usize) -> Read {
    let (week, end) = text.one_of(place, WEEKS)?;
    if let Some((weekday, end)) = japanese_weekday(text, end) {
        return Some((Meaning::Weekday { weekday, week }, end));
    }
    let (_, end) = text.one_of(end, &[("周", ()), ("星期", ()), ("礼拜", ())])?;
    if let Some(end) = text.skip(end, "末") {
        return Some((Meaning::Weekend(week), end));
    }
    let named = text
        .one_of(end, WEEKDAYS)
        .filter(|(_, end)| !text.at(*end).is_some_and(|c| "个天次年月".contains(c)))
        .or_else(|| japanese_weekday(text, text.skip_any(end, &["の", "的"])));
    match (named, week) {
        (Some((weekday, end)), _) => Some((Meaning::Weekday { weekday, week }, end)),
        (None, WhichWeek::Offset(offset)) => {
            Some((Meaning::Week(offset), end)).filter(|_| text.at(end) != Some('年'))
        }
        (None, _) => None,
    }
}

const WEEKDAYS: &[(&str, i64)] =
    &[("一", 0), ("二", 1), ("三", 2), ("四", 3), ("五", 4), ("六", 5), ("日", 6), ("天", 6)];

fn japanese_weekday(text: &Text, place: usize) -> Option<(i64, usize)> {
    const DAYS: &[(&str, i64)] =
        &[("月曜", 0), ("火曜", 1), ("水曜", 2), ("木曜", 3), ("金曜", 4), ("土曜", 5), ("日曜", 6)];
    let (weekday, end) = text.one_of(place, DAYS)?;
    Some((weekday, text.skip_any(end, &["日"])))
}

/// By itself: 周五, 星期天, 金曜日, 周末.
fn weekday(text: &Text, place: usize) -> Read {
    if let Some((weekday, end)) = japanese_weekday(text, place) {
        return Some((Meaning::Weekday { weekday, week: WhichWeek::Any }, end));
    }
    let is_counted =
        text.before(place).is_some_and(|c| "一二两三四五六七八九十几半圆".contains(c) || c.is_ascii_digit());
    if is_counted {
        return None;
    }
    let (is_short, end) = text.one_of(place, &[("周", true), ("星期", false), ("礼拜", false)])?;
    if let Some(end) = text.skip(end, "末") {
        return Some((Meaning::Weekend(WhichWeek::Any), end));
    }
    let (weekday, end) = text.one_of(end, WEEKDAYS)?;
    let is_no_day = is_short && text.before(end) == Some('天')
        // 周一一次 counts nothing, and 周三丰 is somebody.
        || text.at(end).is_some_and(|c| "丰次遍".contains(c));
    (!is_no_day).then_some((Meaning::Weekday { weekday, week: WhichWeek::Near }, end))
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
    lists.iter().find_map(|list| text.one_of(place, list))
}

/// The season, or the day in it that follows.
fn in_season(text: &Text, season: Season, year: WhichYear, end: usize) -> (Meaning, usize) {
    let day = text.skip(text.skip_any(end, &["的", "の"]), "第").and_then(|at| {
        // The sign before a number that counts places is expected here.
        let digits = (at..at + 4).map_while(|at| text.at(at)?.to_digit(10)).collect::<Vec<_>>();
        let day = digits.iter().fold(0, |sum, digit| sum * 10 + i64::from(*digit));
        let (_, end) = text.one_of(at + digits.len(), &[("天", ()), ("日", ())])?;
        (!digits.is_empty()).then_some((day, end))
    });
    match day {
        Some((day, end)) => (Meaning::DayOfSeason { season, year, day }, end),
        None => (Meaning::Season { season, year }, end),
    }
}

/// 冬天, 上个冬天, この夏, 今春, 冬に.
fn season(text: &Text, place: usize) -> Read {
    const WHICH: &[(&str, WhichYear)] = &[
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

/// 三天前, 两周后, 半年前, 二か月後, 再过三天.
fn shifted(text: &Text, place: usize) -> Read {
    const UNITS: &[(&str, Option<Unit>)] = &[
        ("天", None),
        ("日", None),
        ("个星期", Some(Unit::Week)),
        ("星期", Some(Unit::Week)),
        ("个礼拜", Some(Unit::Week)),
        ("礼拜", Some(Unit::Week)),
        ("周", Some(Unit::Week)),
        ("个月", Some(Unit::Month)),
        ("か月", Some(Unit::Month)),
        ("年", Some(Unit::Year)),
    ];
    let half = text.skip(place, "半年").map(|end| ((Some(Unit::Month), 6), end));
    let coming = text.skip(place, "再过");
    let counted = |at: usize| {
        let (count, end) = text.number(at)?;
        let (unit, end) = text.one_of(end, UNITS)?;
        (count > 0 && count < 10_000).then_some(((unit, count), end))
    };
    let ((unit, count), end) = half.or_else(|| counted(coming.unwrap_or(place)))?;
    if coming.is_some() {
        return Some((Meaning::shifted(unit, count), end));
    }
    let end = text.skip_any(end, &["间"]);
    let end = text.skip_any(end, &["之", "以"]);
    let (sign, end) = text.one_of(end, &[("前", -1), ("后", 1)])?;
    Some((Meaning::shifted(unit, sign * count), end))
}

const DAYS: &[(&str, i64)] = &[
    ("大前天", -3),
    ("前天", -2),
    ("前晚", -2),
    ("昨天", -1),
    ("昨晚", -1),
    ("昨夜", -1),
    ("今天", 0),
    ("今晚", 0),
    ("今早", 0),
    ("今晨", 0),
    ("今夜", 0),
    ("明天", 1),
    ("明晚", 1),
    ("明早", 1),
    ("明晨", 1),
    ("后天", 2),
    ("大后天", 3),
    ("一昨々日", -3),
    ("一昨日", -2),
    ("おととい", -2),
    ("昨日", -1),
    ("昨晩", -1),
    ("きのう", -1),
    ("ゆうべ", -1),
    ("今日", 0),
    ("今朝", 0),
    ("今晩", 0),
    ("きょう", 0),
    ("明后日", 2),
    ("明日", 1),
    ("明朝", 1),
    ("明晩", 1),
    ("あした", 1),
    ("あす", 1),
    ("あさって", 2),
    ("しあさって", 3),
];

fn day(text: &Text, place: usize) -> Read {
    let (days, end) = text.one_of(place, DAYS)?;
    let behind = text.at(end);
    let is_another_word = match text.at(place) {
        // 明日香 is somebody, 明朝 a dynasty.
        Some('明') => {
            behind == Some('香')
                || text.skip(place, "明朝").is_some_and(|_| matches!(behind, Some('的' | '人' | '时')))
        }
        Some('后' | '前') => matches!(behind, Some('气' | '空' | '黑' | '亮' | '天')),
        // あすか, あしたば, きょうだい.
        Some('あ' | 'き') => matches!(behind, Some('か' | 'ば' | 'だ' | 'み')),
        _ => false,
    };
    (!is_another_word).then_some((Meaning::Day(days), end))
}

/// 3号, of whatever month.
fn day_of_month(text: &Text, place: usize) -> Read {
    let (day, end) = text.number(place)?;
    let end = text.skip(end, "号")?;
    let is_no_date = text.at(end).is_some_and(|c| "楼线机门店房室位车公院桌选手球厅馆仓库码城区".contains(c));
    ((1..=31).contains(&day) && !is_no_date)
        .then_some((Meaning::Date { month: WhichMonth::Any, day: day as i8 }, end))
}

/// 2024-05-03, 2024/5/3, and 2024-05.
fn iso(text: &Text, place: usize) -> Read {
    let digits = |at: usize, most: usize| {
        let digits: Vec<u32> = (at..at + most).map_while(|at| text.at(at)?.to_digit(10)).collect();
        (!digits.is_empty())
            .then(|| (digits.iter().fold(0, |sum, digit| sum * 10 + i64::from(*digit)), at + digits.len()))
    };
    let is_digit = |at: usize| text.at(at).is_some_and(|c| c.is_ascii_digit());
    if text.before(place).is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '/' | '.')) {
        return None;
    }
    let (year, end) = digits(place, 4).filter(|(_, end)| *end == place + 4)?;
    let joint = text.at(end).filter(|c| matches!(c, '-' | '/' | '.'))?;
    let (month, end) = digits(end + 1, 2).filter(|(month, _)| (1..=12).contains(month))?;
    let month = WhichMonth::Named { month, year: WhichYear::Number(year) };
    let day = (text.at(end) == Some(joint)).then(|| digits(end + 1, 2)).flatten();
    match day {
        Some((day, end)) if (1..=31).contains(&day) && !is_digit(end) => {
            Some((Meaning::Date { month, day: day as i8 }, end))
        }
        // 2024.5 is a number, 2019-20 a span.
        _ if joint == '-' && !is_digit(end) && end == place + 7 => Some((Meaning::Month(month), end)),
        _ => None,
    }
}
