//! Dates on Earth: time zones with and without summer time, and ticks that stand for real dates.

use super::{at_tick, at_wall, calendar, check_ticks, stamps};

/// 2026-07-09T01:05:00Z
const SUMMER: i64 = 1_783_559_100_000;
/// 2026-01-09T01:05:00Z
const WINTER: i64 = 1_767_920_700_000;

#[test]
fn wall_clock_in_a_time_zone() {
    let cases = [
        ("UTC", SUMMER, "[时间: 2026年7月9日 01:05] | [Time: 2026-07-09 01:05]"),
        ("utc", SUMMER, "[时间: 2026年7月9日 01:05] | [Time: 2026-07-09 01:05]"),
        ("Asia/Shanghai", SUMMER, "[时间: 2026年7月9日 09:05] | [Time: 2026-07-09 09:05]"),
        ("Asia/Shanghai", WINTER, "[时间: 2026年1月9日 09:05] | [Time: 2026-01-09 09:05]"),
        ("America/New_York", SUMMER, "[时间: 2026年7月8日 21:05] | [Time: 2026-07-08 21:05]"),
        ("America/New_York", WINTER, "[时间: 2026年1月8日 20:05] | [Time: 2026-01-08 20:05]"),
        ("Asia/Kathmandu", WINTER, "[时间: 2026年1月9日 06:50] | [Time: 2026-01-09 06:50]"),
        // The clock goes from 01:59 to 03:00 on 2026-03-08, and from 01:59 to 01:00 on 2026-11-01.
        ("America/New_York", 1_772_953_199_999, "[时间: 2026年3月8日 01:59] | [Time: 2026-03-08 01:59]"),
        ("America/New_York", 1_772_953_200_000, "[时间: 2026年3月8日 03:00] | [Time: 2026-03-08 03:00]"),
        ("America/New_York", 1_793_512_799_999, "[时间: 2026年11月1日 01:59] | [Time: 2026-11-01 01:59]"),
        ("America/New_York", 1_793_512_800_000, "[时间: 2026年11月1日 01:00] | [Time: 2026-11-01 01:00]"),
        ("UTC", 0, "[时间: 1970年1月1日 00:00] | [Time: 1970-01-01 00:00]"),
        ("UTC", -1, "[时间: 1969年12月31日 23:59] | [Time: 1969-12-31 23:59]"),
        ("UTC", -62_135_596_800_001, "[时间: 0年12月31日 23:59] | [Time: 0000-12-31 23:59]"),
        ("UTC", i64::MAX, "- | -"),
        ("UTC", i64::MIN, "- | -"),
    ];
    for (time_zone, wall_ms, expected) in cases {
        let calendar = calendar(&format!("kind = gregorian\ntime_zone = {time_zone}"));
        assert_eq!(stamps(&calendar, at_wall(wall_ms)), expected, "{wall_ms} in {time_zone}");
    }
}

#[test]
fn weekdays_and_widths() {
    let calendar = calendar(
        "kind = gregorian
         format.zh = 【{month:02}月{day:02}日 {weekday} {hour:01}点】
         format.en = ({weekday}, {hour}:{minute})",
    );
    assert_eq!(stamps(&calendar, at_wall(SUMMER)), "【07月09日 星期四 1点】 | (Thursday, 01:05)");
    assert_eq!(stamps(&calendar, at_wall(0)), "【01月01日 星期四 0点】 | (Thursday, 00:00)");
    assert_eq!(stamps(&calendar, at_wall(-1)), "【12月31日 星期三 23点】 | (Wednesday, 23:59)");
}

#[test]
fn without_a_wall_time_there_is_no_date() {
    let calendar = calendar("kind = gregorian");
    assert_eq!(stamps(&calendar, at_tick(0)), "- | -");
    assert_eq!(calendar.ticks_per_hour(), None);
}

#[test]
fn ticks_can_stand_for_dates() {
    check_ticks(
        "kind = gregorian
         epoch = 1889-03-01T06:00Z
         ticks_per_second = 60",
        &[
            (0, "[时间: 1889年3月1日 06:00] | [Time: 1889-03-01 06:00]"),
            (3600, "[时间: 1889年3月1日 06:01] | [Time: 1889-03-01 06:01]"),
            (-1, "[时间: 1889年3月1日 05:59] | [Time: 1889-03-01 05:59]"),
            (i64::MAX, "- | -"),
            (i64::MIN, "- | -"),
        ],
    );
    check_ticks(
        "kind = gregorian
         epoch = 1889-03-01
         ticks_per_second = 100000",
        &[(-1, "[时间: 1889年2月28日 23:59] | [Time: 1889-02-28 23:59]")],
    );
    check_ticks(
        "kind = gregorian
         time_zone = America/New_York
         epoch = 2026-07-08T21:00
         ticks_per_second = 1/60",
        &[
            (0, "[时间: 2026年7月8日 21:00] | [Time: 2026-07-08 21:00]"),
            (1, "[时间: 2026年7月8日 21:01] | [Time: 2026-07-08 21:01]"),
            (3 * 60, "[时间: 2026年7月9日 00:00] | [Time: 2026-07-09 00:00]"),
        ],
    );
}

#[test]
fn ticks_that_tell_the_date_ignore_the_wall_clock() {
    let calendar = calendar(
        "kind = gregorian
         epoch = 1889-03-01
         ticks_per_second = 1/60",
    );
    assert_eq!(stamps(&calendar, at_wall(SUMMER)), "- | -");
    assert_eq!(calendar.ticks_per_hour(), Some(60.0));
}
