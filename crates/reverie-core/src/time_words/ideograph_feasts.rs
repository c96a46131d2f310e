//! Words for feasts in Chinese and Japanese, and for parts of a year and days that nobody draws a line around.

use super::feasts::{
    CHILDRENS_DAY, CHRISTMAS, CHRISTMAS_EVE, EARLY_IN_YEAR, END_OF_YEAR, FIRST_DAYS, HALLOWEEN, LABOUR_DAY,
    Lunar, NATIONAL_DAY, NEW_YEAR, NEW_YEARS_EVE, Occasion, SUMMER_HOLIDAYS, TANABATA, TANGO, VALENTINE,
    WHITE_DAY, WINTER_HOLIDAYS,
};
use super::ideograph_dates::which_year;
use super::ideographs::Read;
use super::meaning::{Lately, Meaning, WhichYear};
use super::scan::Text;
use crate::numerals::is_numeral;

const SPRING_FESTIVAL: Occasion = Occasion::Lunar(Lunar::SpringFestival);
const DRAGON_BOAT: Occasion = Occasion::Lunar(Lunar::DragonBoat);
const QIXI: Occasion = Occasion::Lunar(Lunar::Qixi);
const MID_AUTUMN: Occasion = Occasion::Lunar(Lunar::MidAutumn);
const QINGMING: Occasion = Occasion::Lunar(Lunar::Qingming);

/// With what behind them makes them something else. Of two that begin alike the longer one is before.
const FEASTS: &[(&str, (Occasion, &str))] = &[
    ("圣诞前夜", (CHRISTMAS_EVE, "")),
    ("圣诞夜", (CHRISTMAS_EVE, "")),
    ("平安夜", (CHRISTMAS_EVE, "")),
    ("圣诞节", (CHRISTMAS, "")),
    ("圣诞", (CHRISTMAS, "树樹老岛島红紅歌帽袜襪卡装裝花")),
    ("元旦", (NEW_YEAR, "")),
    ("元日", (NEW_YEAR, "")),
    ("跨年", (NEW_YEARS_EVE, "度龄齡代级級份")),
    ("大晦日", (NEW_YEARS_EVE, "")),
    ("七夕情人节", (QIXI, "")),
    ("中国情人节", (QIXI, "")),
    ("白色情人节", (WHITE_DAY, "")),
    ("情人节", (VALENTINE, "")),
    ("五一劳动节", (LABOUR_DAY, "")),
    ("劳动节", (LABOUR_DAY, "")),
    ("六一儿童节", (CHILDRENS_DAY, "")),
    ("儿童节", (CHILDRENS_DAY, "")),
    ("国庆节", (NATIONAL_DAY, "")),
    ("十一黄金周", (NATIONAL_DAY, "")),
    ("十一长假", (NATIONAL_DAY, "")),
    ("十一假期", (NATIONAL_DAY, "")),
    ("万圣节前夜", (HALLOWEEN, "")),
    ("万圣节", (HALLOWEEN, "")),
    ("万圣夜", (HALLOWEEN, "")),
    ("农历新年", (SPRING_FESTIVAL, "")),
    ("春节", (SPRING_FESTIVAL, "")),
    ("旧正月", (SPRING_FESTIVAL, "")),
    ("除夕", (Occasion::Lunar(Lunar::Eve), "")),
    ("大年三十", (Occasion::Lunar(Lunar::Eve), "")),
    ("元宵节", (Occasion::Lunar(Lunar::Lantern), "")),
    ("清明节", (QINGMING, "")),
    ("端午节", (DRAGON_BOAT, "")),
    ("端午", (DRAGON_BOAT, "")),
    ("七夕节", (QIXI, "")),
    ("七夕", (QIXI, "")),
    ("中秋节", (MID_AUTUMN, "")),
    ("中秋", (MID_AUTUMN, "")),
    ("クリスマスイブ", (CHRISTMAS_EVE, "")),
    ("クリスマス・イブ", (CHRISTMAS_EVE, "")),
    ("クリスマスイヴ", (CHRISTMAS_EVE, "")),
    // Trees, songs and cards, which begin with か as it is read here.
    ("クリスマス", (CHRISTMAS, "ツソか島")),
    ("バレンタイン", (VALENTINE, "")),
    ("ホワイトデー", (WHITE_DAY, "")),
    ("ハロウィン", (HALLOWEEN, "")),
    ("ハロウィーン", (HALLOWEEN, "")),
    ("お正月", (FIRST_DAYS, "")),
];

/// They are parts of numbers, streets, names and other words, unless a year is before them or something behind that only follows a day.
const SHORT_FEASTS: &[(&str, Occasion)] =
    &[("五一", LABOUR_DAY), ("六一", CHILDRENS_DAY), ("国庆", NATIONAL_DAY), ("清明", QINGMING)];

/// With no year before it, or with 上个 and the like.
pub(super) fn feast(text: &Text, place: usize) -> Read {
    const WHICH: &[(&str, WhichYear)] = &[
        ("上上个", WhichYear::BeforeLast),
        ("上个", WhichYear::Last),
        ("上一个", WhichYear::Last),
        ("这个", WhichYear::Offset(0)),
        ("下个", WhichYear::Next),
        ("下一个", WhichYear::Next),
        ("この前の", WhichYear::Last),
        ("前の", WhichYear::Last),
        ("次の", WhichYear::Next),
        ("今度の", WhichYear::Next),
    ];
    if let Some((year, at)) = text.one_of(place, WHICH) {
        return feast_of(text, year, at);
    }
    let short = || {
        let (occasion, end) = text.one_of(place, SHORT_FEASTS)?;
        is_day_by_itself(text, place, end).then_some((occasion, end))
    };
    let (occasion, end) = feast_word(text, place).or_else(short)?;
    Some((Meaning::Occasion { occasion, year: WhichYear::Any }, end))
}

/// Behind a year: 去年圣诞, 2024年国庆.
pub(super) fn feast_of(text: &Text, year: WhichYear, place: usize) -> Read {
    let short = || {
        let (occasion, end) = text.one_of(place, SHORT_FEASTS)?;
        let is_place = text.at(end).is_some_and(|c| "路广廣大街村桥橋班号".contains(c) || is_numeral(c));
        (!is_place && !text.names.has_own_calendar).then_some((occasion, end))
    };
    let (occasion, end) = feast_word(text, place).or_else(short)?;
    Some((Meaning::Occasion { occasion, year }, end))
}

fn feast_word(text: &Text, place: usize) -> Option<(Occasion, usize)> {
    if text.names.has_own_calendar {
        return None;
    }
    let ((occasion, unless), end) = text.one_of(place, FEASTS)?;
    let occasion = match occasion {
        QIXI if text.has_kana() => TANABATA,
        DRAGON_BOAT if text.has_kana() => TANGO,
        occasion => occasion,
    };
    text.at(end).is_none_or(|c| !unless.contains(c)).then_some((occasion, end))
}

/// 五一去哪, but not 周五一起, 五一路; 国庆放假, but not 李国庆.
fn is_day_by_itself(text: &Text, place: usize, end: usize) -> bool {
    const BEHIND: &str = "，,。！!？?；;、…\n 我你您他她咱去来回放出要想有见前后那假长期黄扫祭快吧呢吗的";
    const BEFORE: &str = "周期拜第初月点老小阿李王张張刘劉陈陳杨楊赵趙黄黃吴吳徐孙孫胡朱高林何郭马馬罗羅";
    let is_other = text.before(place).is_some_and(|c| BEFORE.contains(c) || is_numeral(c));
    // 神志清明, 清明上河图.
    let is_clear = text.skip(place, "清明").is_some();
    let is_followed = match text.at(end) {
        Some(c) if is_clear => "假扫掃祭期".contains(c),
        c => !is_clear && c.is_none_or(|c| BEHIND.contains(c)),
    };
    !is_other && is_followed && !text.names.has_own_calendar
}

/// 去年年底, 2023年初, 年底, 暑假, 去年寒假: about then.
pub(super) fn part_of_year(text: &Text, place: usize) -> Read {
    const PARTS: &[(&str, Occasion)] = &[
        ("年初", EARLY_IN_YEAR),
        ("年底", END_OF_YEAR),
        ("年末", END_OF_YEAR),
        ("暑假", SUMMER_HOLIDAYS),
        ("寒假", WINTER_HOLIDAYS),
    ];
    const RIGHT_BEHIND: &[(&str, Occasion)] =
        &[("初", EARLY_IN_YEAR), ("底", END_OF_YEAR), ("末", END_OF_YEAR)];
    if text.names.has_own_calendar {
        return None;
    }
    let (year, occasion, end) = match which_year(text, place) {
        Some((year, behind)) => {
            let next = text.skip_any(behind, &["的", "の", " "]);
            let part = text.one_of(next, PARTS).or_else(|| text.one_of(behind, RIGHT_BEHIND));
            let (occasion, end) = part?;
            (year, occasion, end)
        }
        None => {
            let (occasion, end) = text.one_of(place, PARTS)?;
            // 少年初心, 千年底蕴.
            let is_inside = text.at(place) == Some('年')
                && text
                    .before(place)
                    .is_some_and(|c| is_han(c) && !"到在从從于等是的前就我你他她们們".contains(c));
            (WhichYear::Any, occasion, (!is_inside).then_some(end)?)
        }
    };
    let is_other = match text.before(end) {
        Some('初') => {
            is_behind(text, end, "夏春冬秋中次恋戀见見雪期高") || text.at(end).is_some_and(is_numeral)
        }
        Some('底') => is_behind(text, end, "层層下线線片气氣细細部座薪特牌"),
        Some('末') => is_behind(text, end, "日班"),
        _ => is_behind(text, end, "工"),
    };
    (!is_other).then_some((Meaning::Occasion { occasion, year }, end))
}

fn is_behind(text: &Text, end: usize, all: &str) -> bool {
    text.at(end).is_some_and(|c| all.contains(c))
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9FFF}')
}

/// 前几天, 最近, 先日.
pub(super) fn lately(text: &Text, place: usize) -> Read {
    const WORDS: &[(&str, Lately)] = &[
        ("前几天", Lately::FewDays),
        ("前两天", Lately::FewDays),
        ("前些天", Lately::FewDays),
        ("前几日", Lately::FewDays),
        ("前些日子", Lately::FewDays),
        ("数日前", Lately::FewDays),
        ("先日", Lately::FewDays),
        ("最近这几天", Lately::Recent),
        ("最近几天", Lately::Recent),
        ("最近", Lately::Recent),
        ("近頃", Lately::Recent),
        ("近ごろ", Lately::Recent),
    ];
    let (lately, end) = text.one_of(place, WORDS)?;
    let is_other = match text.at(place) {
        Some('最') => is_nearest(text, place, end),
        // 考试前几天 are days before that, 旅行的前几天 the first of it, and 前两天气温 is no day.
        Some('前') => {
            is_behind(text, end, "气氣空")
                || text
                    .before(place)
                    .is_some_and(|c| "试試婚节考赛賽产產期年发發学學会會假战戰死展戏戲的".contains(c))
        }
        _ => false,
    };
    (!is_other).then_some((Meaning::Lately(lately), end))
}

/// 最近的车站, 离我家最近, but 最近的事.
fn is_nearest(text: &Text, place: usize, end: usize) -> bool {
    const OF_LATE: &[&str] = &[
        "事", "新闻", "新聞", "消息", "生活", "天气", "天氣", "情况", "情況", "日子", "工作", "心情", "状态",
        "狀態", "话题", "話題", "进展", "進展", "一次", "梦", "夢", "你", "我", "他", "她",
    ];
    const ENDS: &str = "，,。！!？?；;\n";
    const MOST: usize = 12;
    let is_of_place = || {
        let behind = text.skip(end, "的")?;
        (!OF_LATE.iter().any(|word| text.skip(behind, word).is_some())).then_some(())
    };
    let before = (1..=MOST).map_while(|back| text.at(place.checked_sub(back)?));
    let before: Vec<char> = before.take_while(|c| !ENDS.contains(*c)).collect();
    // From the last to the first: 离开, 离婚 and the like are no distances.
    let is_distance =
        |pair: &[char]| matches!(pair, [next, '离' | '離' | '距'] if !"开開婚别別职職".contains(*next));
    let is_far = before.windows(2).any(is_distance);
    is_far || is_of_place().is_some() || is_behind(text, end, "处處点點邻鄰")
}
