//! Which days are found in worlds that have a calendar?

use super::super::Moment;
use super::{DAY, WEDNESDAY, at, check, told};
use crate::time::Calendar;

fn calendar(settings: &[(&str, &str)]) -> Calendar {
    let pairs = settings.iter().copied();
    Calendar::from_pairs(pairs).unwrap().unwrap()
}

#[test]
fn in_worlds_of_their_own() {
    let shanghai = calendar(&[("kind", "gregorian"), ("time_zone", "Asia/Shanghai")]);
    // 2024-05-15T20:00Z is the morning of the 16th there.
    check(
        at(WEDNESDAY + DAY / 3),
        Some(&shanghai),
        &[("明天", "明天 2024-05-17"), ("去年", "去年 2023-01-01..2023-12-31")],
    );

    let rimworld = calendar(&[("kind", "rimworld")]);
    // The fifth day of the third season of 5501, at noon.
    let said = Moment { tick: Some(60_000 * (60 + 30 + 4) + 30_000), wall_ms: Some(WEDNESDAY) };
    check(
        said,
        Some(&rimworld),
        &[
            ("明天", "明天 day 6 of autumn 5501"),
            ("ten days ago", "ten days ago day 10 of summer 5501"),
            ("last week", "last week day 13 of summer 5501..day 4 of autumn 5501"),
            ("去年冬天", "去年冬天 day 1 of winter 5500..day 15 of winter 5500"),
            ("this autumn", "this autumn day 1 of autumn 5501..day 15 of autumn 5501"),
            ("明年", "明年 day 1 of spring 5502..day 15 of winter 5502"),
            ("5500年春季第3天", "5500年春季第3天 day 3 of spring 5500"),
            ("day 3 of spring 5500", "day 3 of spring 5500 day 3 of spring 5500"),
            ("下周五", "下周五 ?"),
            ("5月3日", "5月3日 ?"),
            ("3月5日", "3月5日 ?"),
            ("13号那天发生了什么", "13号 day 13 of summer 5501 or day 13 of autumn 5501"),
            ("what happened on the 13th?", "the 13th day 13 of summer 5501 or day 13 of autumn 5501"),
            ("20号", "20号 ?"),
            ("last season", "last season day 1 of summer 5501..day 15 of summer 5501"),
            ("上一季收成不好", "上一季 day 1 of summer 5501..day 15 of summer 5501"),
            ("上个季度", "上个季度 day 1 of summer 5501..day 15 of summer 5501"),
            ("上个象限发生了什么", "上个象限 day 1 of summer 5501..day 15 of summer 5501"),
            ("上個象限", "上個象限 day 1 of summer 5501..day 15 of summer 5501"),
            ("上一象限", "上一象限 day 1 of summer 5501..day 15 of summer 5501"),
            ("上上个象限", "上上个象限 day 1 of spring 5501..day 15 of spring 5501"),
            ("这个象限", "这个象限 day 1 of autumn 5501..day 15 of autumn 5501"),
            ("这象限很冷", "这象限 day 1 of autumn 5501..day 15 of autumn 5501"),
            ("本象限", "本象限 day 1 of autumn 5501..day 15 of autumn 5501"),
            ("下个象限", "下个象限 day 1 of winter 5501..day 15 of winter 5501"),
            ("下下个象限", "下下个象限 day 1 of spring 5502..day 15 of spring 5502"),
            ("两个象限前", "两个象限前 day 1 of spring 5501..day 15 of spring 5501"),
            ("地图的右上象限", ""),
            ("next season", "next season day 1 of winter 5501..day 15 of winter 5501"),
            ("第2年发生了什么", "第2年 day 1 of spring 5501..day 15 of winter 5501"),
            ("in year 2", "year 2 day 1 of spring 5501..day 15 of winter 5501"),
            ("结婚第2年", ""),
            ("every year 5 deer come", ""),
            ("最近怎么样", "最近 day 6 of summer 5501..day 5 of autumn 5501"),
            ("a few days ago", "a few days ago day 13 of summer 5501..day 4 of autumn 5501"),
            ("去年圣诞节", "去年 day 1 of spring 5500..day 15 of winter 5500"),
            ("last Christmas, on New Year's Eve", ""),
            ("年底", ""),
            ("last quadrum", "last quadrum day 1 of summer 5501..day 15 of summer 5501"),
            ("上个月", "上个月 day 1 of summer 5501..day 15 of summer 5501"),
            ("two quadrums ago", "two quadrums ago day 1 of spring 5501..day 15 of spring 5501"),
            ("What was in 5501?", "5501 day 1 of spring 5501..day 15 of winter 5501"),
            ("the summer before last", "summer before last day 1 of summer 5500..day 15 of summer 5500"),
            ("in 9000 pieces", ""),
        ],
    );
    assert_eq!(told("明天", Moment::default(), None), "明天 ?");
    assert_eq!(told("2019年", Moment::default(), None), "2019年 2019-01-01..2019-12-31");
}

#[test]
fn in_worlds_that_name_their_months() {
    let rimworld = calendar(&[("kind", "rimworld"), ("hemisphere", "south")]);
    // The fifth day of Septober 5501, which is in spring there.
    let said = Moment { tick: Some(60_000 * (60 + 30 + 4)), wall_ms: None };
    check(
        said,
        Some(&rimworld),
        &[
            ("5501年翠象3日发生了什么？", "5501年翠象3日 day 3 of autumn 5501"),
            ("5500年素象第6天", "5500年素象第6天 day 6 of summer 5500"),
            ("五五〇〇年的素象第六天", "五五〇〇年的素象第六天 day 6 of summer 5500"),
            ("翠象3日", "翠象3日 day 3 of autumn 5501 or day 3 of autumn 5502"),
            ("荼象五号", "荼象五号 day 5 of spring 5501"),
            ("去年素象很冷", "去年素象 day 1 of summer 5500..day 15 of summer 5500"),
            (
                "素象那时候",
                "素象 day 1 of summer 5500..day 15 of summer 5500 or day 1 of summer 5501..day 15 of summer 5501",
            ),
            ("上个赫象", "上个赫象 day 1 of winter 5501..day 15 of winter 5501"),
            ("下个翠象二日", "下个翠象二日 day 2 of autumn 5502"),
            ("5501年の翠象3日", "5501年の翠象3日 day 3 of autumn 5501"),
            (
                "翠象20日",
                "翠象 day 1 of autumn 5501..day 15 of autumn 5501 or day 1 of autumn 5502..day 15 of autumn 5502",
            ),
            ("5501年Aprimay 3日", "5501年Aprimay 3日 day 3 of autumn 5501"),
            ("on the 3rd of Aprimay 5501", "the 3rd of Aprimay 5501 day 3 of autumn 5501"),
            ("Aprimay 3, 5500", "Aprimay 3, 5500 day 3 of autumn 5500"),
            ("aprimay 3rd", "aprimay 3rd day 3 of autumn 5501 or day 3 of autumn 5502"),
            ("day 6 of Decembary last year", "day 6 of Decembary last year day 6 of summer 5500"),
            (
                "the sixth day of decembary",
                "the sixth day of decembary day 6 of summer 5500 or day 6 of summer 5501",
            ),
            ("last Septober", "last Septober day 1 of spring 5500..day 15 of spring 5500"),
            ("in Jugust 5500", "Jugust 5500 day 1 of winter 5500..day 15 of winter 5500"),
            ("next jugust", "next jugust day 1 of winter 5502..day 15 of winter 5502"),
            ("春季第五天", "春季第五天 day 5 of spring 5501"),
        ],
    );
    // On Earth they are nobody's months.
    check(at(WEDNESDAY), None, &[("翠象那边", ""), ("the Aprimay inn", ""), ("Aprimay 3rd", "")]);
    check(at(WEDNESDAY), None, &[("上个象限的点", ""), ("两个象限前", "")]);

    let own = calendar(&[
        ("kind", "custom"),
        ("units.0.name", "day"),
        ("units.0.size", "10"),
        ("units.0.first", "1"),
        ("units.1.name", "moon"),
        ("units.1.size", "40"),
        ("units.1.names.zh.0", "霜月"),
        ("units.1.names.zh.1", "花"),
        ("units.1.names.en.0", "Frost"),
        ("units.1.names.en.1", "Moon of Flowers"),
        ("units.2.name", "year"),
        ("units.2.size", "2"),
        ("units.2.first", "300"),
        ("format.zh", "[{year}年{moon}{day}日]"),
        ("format.en", "[{moon} {day}, {year}]"),
    ]);
    // The 15th of the moon of flowers, 302.
    check(
        Moment { tick: Some(10 * (2 * 80 + 40 + 14)), wall_ms: None },
        Some(&own),
        &[
            ("301年霜月35日", "301年霜月35日 Frost 35, 301"),
            ("302年花2日，花开了", "302年花2日 Moon of Flowers 2, 302"),
            ("去年的花第3日", "去年的花第3日 Moon of Flowers 3, 301"),
            ("霜月に会おう", "霜月 Frost 1, 302..Frost 40, 302 or Frost 1, 303..Frost 40, 303"),
            ("花很香", ""),
            ("on Frost 35, 301", "Frost 35, 301 Frost 35, 301"),
            ("the 3rd of the Moon", ""),
            ("the 3rd of moon of flowers", ""),
            (
                "the 3rd of Moon of Flowers",
                "the 3rd of Moon of Flowers Moon of Flowers 3, 302 or Moon of Flowers 3, 303",
            ),
            ("in Frost", "Frost Frost 1, 302..Frost 40, 302 or Frost 1, 303..Frost 40, 303"),
            ("Frost lay on the fields, and frost is cold", ""),
            ("明天", "明天 Moon of Flowers 16, 302"),
        ],
    );

    let week = calendar(&[
        ("kind", "custom"),
        ("units.0.name", "day"),
        ("units.0.size", "24"),
        ("units.0.names.zh.0", "火曜"),
        ("units.0.names.zh.1", "水曜"),
        ("units.0.names.zh.2", "风之日"),
        ("units.1.name", "week"),
        ("units.1.size", "3"),
        ("units.1.first", "1"),
        ("format.zh", "[第{week}周{day}]"),
    ]);
    check(
        Moment { tick: Some(24 * 7), wall_ms: None },
        Some(&week),
        &[
            ("风之日", "风之日 第2周风之日 or 第3周风之日"),
            ("下个风之日", "下个风之日 第3周风之日"),
            ("火曜", "火曜 第3周火曜 or 第4周火曜"),
            ("去年风之日", "去年 ?; 风之日 第2周风之日 or 第3周风之日"),
        ],
    );
}

#[test]
fn in_worlds_that_number_their_months() {
    let custom = calendar(&[
        ("kind", "custom"),
        ("units.0.name", "day"),
        ("units.0.size", "10"),
        ("units.1.name", "month"),
        ("units.1.size", "20"),
        ("units.1.first", "1"),
        ("units.2.name", "year"),
        ("units.2.size", "5"),
        ("units.2.first", "300"),
        ("format.zh", "[{year}年{month}月{day}]"),
    ]);
    // The day 230 of the world.
    check(
        Moment { tick: Some(2305), wall_ms: None },
        Some(&custom),
        &[
            ("三天前", "三天前 302年2月7"),
            ("上个月", "上个月 302年1月0..302年1月19"),
            ("去年", "去年 301年1月0..301年5月19"),
            ("301年", "301年 301年1月0..301年5月19"),
            ("去年四月", "去年四月 301年4月0..301年4月19"),
            // As stamps number days there.
            ("301年4月7日", "301年4月7日 301年4月7"),
            ("301年4月0日", "301年4月0日 301年4月0"),
        ],
    );
    let dawns = calendar(&[
        ("kind", "custom"),
        ("units.0.name", "dawn"),
        ("units.0.size", "10"),
        ("format.zh", "[{dawn}]"),
    ]);
    check(Moment { tick: Some(25), wall_ms: None }, Some(&dawns), &[("明天", "明天 ?"), ("今天", "今天 ?")]);
}

#[test]
fn this_very_day_of_another_year() {
    let rimworld = calendar(&[("kind", "rimworld")]);
    let said = Moment { tick: Some(60_000 * (60 + 30 + 4)), wall_ms: None };
    check(
        said,
        Some(&rimworld),
        &[
            ("去年的今天", "去年的今天 day 5 of autumn 5500"),
            ("on this day in 5500", "on this day in 5500 day 5 of autumn 5500"),
            ("上个月的今天", "上个月的今天 day 5 of summer 5501"),
        ],
    );
}
