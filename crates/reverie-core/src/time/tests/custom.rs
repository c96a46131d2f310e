//! Calendars of the host's own making: nesting, first numbers, names in two languages, one language for
//! both, and the ends of what a tick can hold.

use super::{Language, at_tick, calendar, check_ticks, stamps};

const REALM: &str = "
    kind = custom
    units.0.name = hour
    units.0.size = 100
    units.1.name = day
    units.1.size = 10
    units.1.first = 1
    units.2.name = moon
    units.2.size = 20
    units.2.names.zh.0 = 霜月
    units.2.names.zh.1 = 花月
    units.2.names.zh.2 = 火月
    units.2.names.en.0 = Frost
    units.2.names.en.1 = Bloom
    units.2.names.en.2 = Ember
    units.3.name = 纪年
    units.3.size = 3
    units.3.first = 1024
    format.zh = [{纪年}年{moon}{day}日 {hour}时]
    format.en = [{day} {moon} {纪年}, hour {hour:02}]";

/// A day has no hour: what belongs to the hour in a format goes with it.
#[test]
fn days_have_no_hours() {
    for (format, expected) in [
        ("[{纪年}年{moon}{day}日 {hour}时]", "[1024年霜月3日]"),
        ("[{day} {moon} {纪年}, hour {hour:02}]", "[3 霜月 1024]"),
        ("[{hour}时，{moon}{day}日]", "[霜月3日]"),
        ("[{hour}h day {day}]", "[day 3]"),
        ("（{day}日（{hour}时））", "（3日）"),
        ("[时间: {day}日{hour}时{moon}]", "[时间: 3日霜月]"),
        ("[{moon}]", "[霜月]"),
        ("[{hour}时]", "-"),
    ] {
        let settings = REALM.lines().filter(|line| !line.contains("format.")).collect::<Vec<_>>().join("\n");
        let calendar = calendar(&format!("{settings}\nformat.zh = {format}"));
        let day = calendar.format_day(at_tick(2_345), Language::Zh);
        assert_eq!(day.as_deref().unwrap_or("-"), expected, "{format}");
    }
}

#[test]
fn units_nest() {
    check_ticks(
        REALM,
        &[
            (0, "[1024年霜月1日 0时] | [1 Frost 1024, hour 00]"),
            (999, "[1024年霜月1日 9时] | [1 Frost 1024, hour 09]"),
            (1000, "[1024年霜月2日 0时] | [2 Frost 1024, hour 00]"),
            (20_000, "[1024年花月1日 0时] | [1 Bloom 1024, hour 00]"),
            (59_999, "[1024年火月20日 9时] | [20 Ember 1024, hour 09]"),
            (60_000, "[1025年霜月1日 0时] | [1 Frost 1025, hour 00]"),
            (-1, "[1023年火月20日 9时] | [20 Ember 1023, hour 09]"),
            (-60_001, "[1022年火月20日 9时] | [20 Ember 1022, hour 09]"),
        ],
    );
    assert_eq!(calendar(REALM).ticks_per_hour(), Some(100.0));
}

#[test]
fn the_calendar_may_start_elsewhere() {
    check_ticks(
        &format!("{REALM}\nstart_tick = 20500"),
        &[(0, "[1024年花月1日 5时] | [1 Bloom 1024, hour 05]")],
    );
}

#[test]
fn one_language_stands_in_for_the_other() {
    check_ticks(
        "kind = custom
         units.0.name = shift
         units.0.size = 5
         units.0.names.en.0 = dawn
         units.0.names.en.1 = dusk
         units.1.name = day
         units.1.size = 2
         format.en = <{day} {shift}>",
        &[(0, "<0 dawn> | <0 dawn>"), (5, "<0 dusk> | <0 dusk>"), (10, "<1 dawn> | <1 dawn>")],
    );
}

#[test]
fn a_calendar_without_an_hour_defines_none() {
    let days = "
        kind = custom
        units.0.name = day
        units.0.size = 1
        format.zh = [{{第{day:03}天}}]";
    assert_eq!(calendar(days).ticks_per_hour(), None);
    check_ticks(days, &[(7, "[{第007天}] | [{第007天}]"), (-7, "[{第-07天}] | [{第-07天}]")]);
}

#[test]
fn the_ends_of_time() {
    let longest = format!(
        "kind = custom
         start_tick = {max}
         units.0.name = tick
         units.0.size = 1
         units.0.first = {max}
         units.1.name = age
         units.1.size = {max}
         units.1.first = {max}
         format.zh = [{{age}} {{tick}}]",
        max = i64::MAX
    );
    let calendar = calendar(&longest);
    assert!(stamps(&calendar, at_tick(i64::MAX)).starts_with("[9223372036854775809 9223372036854775807]"));
    assert!(stamps(&calendar, at_tick(i64::MIN)).starts_with("[9223372036854775806 18446744073709551613]"));
}
