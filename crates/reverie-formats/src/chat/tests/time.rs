//! Every way of writing a date that chat files have used.

use serde_json::json;

use super::*;

const EIGHT: i64 = 1_682_625_600_000;

#[test]
fn dates_without_a_zone_are_local() {
    for text in [
        "April 27, 2023 8:00pm",
        "apr 27, 2023 8:00 PM",
        "27 April 2023 20:00",
        "Thursday, April 27th, 2023 at 8:00 p.m.",
        "四月 27, 2023 8:00pm",
        "4月 27, 2023 8:00pm",
        "2023年4月27日 20:00",
        "2023年4月27日星期四 下午8:00",
        "2023年4月27日晚上8点00分",
        "2023-4-27 @20h 00m 00s 000ms",
        "2023-04-27 @20h 0m 0s 0ms",
        "2023-04-27@20h00m00s",
        "2023-04-27@20h00m00s000ms",
        "2023-04-27T20:00:00",
        "2023-04-27 20:00:00",
        "2023/4/27 20:00",
    ] {
        assert_eq!(read(&json!(text)), Some(Time { ms: EIGHT, is_local: true }), "{text}");
    }
    let shanghai = Time { ms: EIGHT, is_local: true };
    assert_eq!(shanghai.wall_ms(&Zone::parse("+8").expect("a zone")), EIGHT - 8 * 3_600_000);
}

#[test]
fn dates_with_a_zone_are_exact() {
    for value in [
        json!("2023-04-27T20:00:00.000Z"),
        json!("2023-04-28T04:00:00+08:00"),
        json!("Thu Apr 27 2023 22:00:00 GMT+0200 (Central European Summer Time)"),
        json!("Thu, 27 Apr 2023 20:00:00 GMT"),
        json!("Thu Apr 27 2023 14:30:00 GMT-05:30"),
        json!(1_682_625_600_000_i64),
        json!(1_682_625_600_000.0),
        json!("1682625600000"),
        json!(1_682_625_600),
    ] {
        assert_eq!(read(&value), Some(Time { ms: EIGHT, is_local: false }), "{value}");
    }
    assert_eq!(
        read(&json!(EIGHT)).map(|time| time.wall_ms(&Zone::parse("+8").expect("a zone"))),
        Some(EIGHT)
    );
}

#[test]
fn midnight_and_noon_are_twelve() {
    let hour = |text: &str| read(&json!(text)).map(|time| (time.ms - EIGHT) / 3_600_000 + 20);
    for (text, expected) in [
        ("April 27, 2023 12:00am", Some(0)),
        ("April 27, 2023 12:00pm", Some(12)),
        ("April 27, 2023 11:00am", Some(11)),
        ("April 27, 2023 13:00pm", None),
        ("2023年4月27日 中午12:00", Some(12)),
    ] {
        assert_eq!(hour(text), expected, "{text}");
    }
}

#[test]
fn what_nobody_can_tell_is_unknown() {
    for value in [
        json!(null),
        json!(true),
        json!({}),
        json!(""),
        json!(0),
        json!(-5),
        json!(1e300),
        json!("yesterday"),
        json!("4/5/2023, 8:00 PM"),
        json!("February 30, 2023 8:00pm"),
        json!("2023-13-01 @20h 00m 00s 000ms"),
        json!("27 апреля 2023 20:00"),
        json!("2023-04-27 @20h 00m 00s 000ms 5"),
        json!("99999999999999999999999999"),
        json!("GMT"),
        json!("April 27, 2023 8:00pm GMT+99999"),
        json!("9".repeat(1000)),
    ] {
        assert_eq!(read(&value), None, "{value}");
    }
}
