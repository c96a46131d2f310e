//! Words for times in Chinese and Japanese: days, weeks, and so long from now.
//!
//! Both at once: most of the words are the same, and the others do not resemble each other. Characters come in their plain
//! form, so 下週五 and 下周五 are one.

use super::Reach;
use super::ideograph_dates::{day_of_month, month, month_by_name, part_of_year, quadrum, season, year};
use super::ideograph_feasts::{self, feast, lately};
use super::meaning::{Far, Meaning, Unit, WhichWeek, WhichYear};
use super::other_words;
use super::own_names::own_month;
use super::same_day;
use super::scan::{Text, Word};
use super::written_dates::{iso, slashed};

/// A meaning, and where its word ends.
pub(super) type Read = Option<(Meaning, usize)>;

pub(super) fn read(text: &Text, reach: Reach) -> Vec<Word> {
    const VAGUE: &[fn(&Text, usize) -> Read] = &[lately, ideograph_feasts::part_of_year];
    let mut words = Vec::new();
    let mut place = 0;
    while place < text.len() {
        // None of these words begins with a letter, unless a world calls its months so.
        if !text.names.has_own_calendar && text.at(place).is_some_and(|c| c.is_ascii_alphabetic()) {
            place += 1;
            continue;
        }
        if let Some(end) = other_words::phrase(text, place) {
            place = end;
            continue;
        }
        // Of two that end together the last one is right: what the world itself calls so.
        let readings = [
            year,
            month,
            month_by_name,
            week,
            weekday,
            season,
            quadrum,
            shifted,
            day,
            day_of_month,
            iso,
            slashed,
            feast,
            own_month,
        ];
        let vague = if reach == Reach::Vague { VAGUE } else { &[] };
        let longest = readings
            .iter()
            .chain(vague)
            .filter_map(|reading| reading(text, place))
            .max_by_key(|(_, end)| *end)
            .filter(|_| !other_words::is_inside_of_one(text, place));
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
            let far = Far::Away { unit: Unit::Week, by: offset };
            let week = || {
                Some((Meaning::Week(offset), end))
                    .filter(|_| text.at(end) != Some('年') && !other_words::is_no_week(text, end))
            };
            same_day::in_ideographs(text, far, end).or_else(week)
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
    let week = if is_asked_or_over(text, end) { WhichWeek::Any } else { WhichWeek::Near };
    (!is_no_day).then_some((Meaning::Weekday { weekday, week }, end))
}

/// 周六我们去哪儿玩了: whoever tells or asks may mean the one that is over. 周五见, 周五过来 and 周五要考试了 are of one to come.
fn is_asked_or_over(text: &Text, end: usize) -> bool {
    const ENDS: &str = "，,。；;！!\n";
    const MARKS: &str = "了过吗嗎呢嘛哪啥么麼谁誰？?";
    const TO_COME: &str = "要将將别別快该該";
    /// Further nobody looks, however long a clause is.
    const MOST: usize = 40;
    // 星期天，你在干嘛.
    let begin = end + usize::from(text.at(end).is_some_and(|c| "，, ".contains(c)));
    let is_in_clause = |at: &usize| text.at(*at).is_some_and(|c| !ENDS.contains(c));
    let clause = || (begin..text.len()).take(MOST).take_while(is_in_clause);
    let is_one_of = |at: usize, all: &str| text.at(at).is_some_and(|c| all.contains(c));
    let is_mark = |at: usize| {
        let is_on_the_way = text.at(at) == Some('过') && is_one_of(at + 1, "来去年节生");
        is_one_of(at, MARKS) && !is_on_the_way
    };
    clause().any(is_mark) && !clause().any(|at| is_one_of(at, TO_COME))
}

/// 三天前, 两周后, 半年前, 一年半前, 二か月後, 再过三天, 两年前的今天, 两年前的夏天.
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
    /// Where they are what others call months.
    const QUADRUMS: &[(&str, Option<Unit>)] = &[("个象限", Some(Unit::Month)), ("个季度", Some(Unit::Month))];
    let half = text.skip(place, "半年").map(|end| ((Some(Unit::Month), 6), end));
    let coming = text.skip(place, "再过");
    let counted = |at: usize| {
        let (count, end) = text.number(at)?;
        if let Some(end) = text.skip(end, "年半").filter(|_| count < 100) {
            return Some(((Some(Unit::Month), count * 12 + 6), end));
        }
        let quadrums = if text.names.has_quadrums { QUADRUMS } else { &[] };
        let (unit, end) = text.one_of(end, UNITS).or_else(|| text.one_of(end, quadrums))?;
        (count > 0 && count < 10_000).then_some(((unit, count), end))
    };
    let ((unit, count), end) = half.or_else(|| counted(coming.unwrap_or(place)))?;
    if coming.is_some() {
        return Some((Meaning::shifted(unit, count), end));
    }
    let end = text.skip_any(end, &["间"]);
    let end = text.skip_any(end, &["之", "以"]);
    let (sign, end) = text.one_of(end, &[("前", -1), ("后", 1)])?;
    let by = sign * count;
    let same_day = unit.and_then(|unit| same_day::in_ideographs(text, Far::Away { unit, by }, end));
    let part = || part_of_year(text, WhichYear::Offset(by), end).filter(|_| unit == Some(Unit::Year));
    same_day.or_else(part).or(Some((Meaning::shifted(unit, by), end)))
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

pub(super) fn day(text: &Text, place: usize) -> Read {
    let (days, end) = text.one_of(place, DAYS)?;
    (!other_words::is_no_day(text, place, end)).then_some((Meaning::Day(days), end))
}
