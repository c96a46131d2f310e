//! RimWorld dates: the boundaries of every unit on both sides of tick 0, time zones, hemispheres.

use super::{calendar, check_ticks};

const HOUR: i64 = 2_500;
const DAY: i64 = 60_000;
const QUADRUM: i64 = 900_000;
const YEAR: i64 = 3_600_000;

const EVERY_FIELD: &str = "
    format.zh = [{year} {quadrum} {season} {day} {day_of_year} {hour}]
    format.en = ({year} {quadrum} {season} {day} {day_of_year} {hour})";

#[test]
fn default_stamps() {
    check_ticks(
        "kind = rimworld",
        &[
            (0, "[时间: 5500年春季第1天, 0时] | [Time: day 1 of spring 5500, 0h]"),
            (
                3 * YEAR + 4 * DAY + 13 * HOUR,
                "[时间: 5503年春季第5天, 13时] | [Time: day 5 of spring 5503, 13h]",
            ),
            (-1, "[时间: 5499年冬季第15天, 23时] | [Time: day 15 of winter 5499, 23h]"),
        ],
    );
    check_ticks(
        "kind = rimworld
         base_year = 2503",
        &[(4 * DAY + 13 * HOUR, "[时间: 2503年春季第5天, 13时] | [Time: day 5 of spring 2503, 13h]")],
    );
}

#[test]
fn every_unit_begins_and_ends() {
    check_ticks(
        &format!("kind = rimworld {EVERY_FIELD}"),
        &[
            (0, "[5500 翠象 春季 1 1 0] | (5500 Aprimay spring 1 1 0)"),
            (HOUR - 1, "[5500 翠象 春季 1 1 0] | (5500 Aprimay spring 1 1 0)"),
            (HOUR, "[5500 翠象 春季 1 1 1] | (5500 Aprimay spring 1 1 1)"),
            (DAY - 1, "[5500 翠象 春季 1 1 23] | (5500 Aprimay spring 1 1 23)"),
            (DAY, "[5500 翠象 春季 2 2 0] | (5500 Aprimay spring 2 2 0)"),
            (QUADRUM - 1, "[5500 翠象 春季 15 15 23] | (5500 Aprimay spring 15 15 23)"),
            (QUADRUM, "[5500 赫象 夏季 1 16 0] | (5500 Jugust summer 1 16 0)"),
            (2 * QUADRUM, "[5500 荼象 秋季 1 31 0] | (5500 Septober autumn 1 31 0)"),
            (3 * QUADRUM, "[5500 素象 冬季 1 46 0] | (5500 Decembary winter 1 46 0)"),
            (YEAR - 1, "[5500 素象 冬季 15 60 23] | (5500 Decembary winter 15 60 23)"),
            (YEAR, "[5501 翠象 春季 1 1 0] | (5501 Aprimay spring 1 1 0)"),
            (-1, "[5499 素象 冬季 15 60 23] | (5499 Decembary winter 15 60 23)"),
            (-HOUR, "[5499 素象 冬季 15 60 23] | (5499 Decembary winter 15 60 23)"),
            (-HOUR - 1, "[5499 素象 冬季 15 60 22] | (5499 Decembary winter 15 60 22)"),
            (-QUADRUM, "[5499 素象 冬季 1 46 0] | (5499 Decembary winter 1 46 0)"),
            (-YEAR, "[5499 翠象 春季 1 1 0] | (5499 Aprimay spring 1 1 0)"),
            (-YEAR - 1, "[5498 素象 冬季 15 60 23] | (5498 Decembary winter 15 60 23)"),
            (-5501 * YEAR, "[-1 翠象 春季 1 1 0] | (-1 Aprimay spring 1 1 0)"),
        ],
    );
}

#[test]
fn seasons_of_the_south() {
    check_ticks(
        "kind = rimworld
         hemisphere = south
         format.zh = [{quadrum}{season}]",
        &[
            (0, "[翠象秋季] | [Time: day 1 of autumn 5500, 0h]"),
            (QUADRUM, "[赫象冬季] | [Time: day 1 of winter 5500, 0h]"),
            (2 * QUADRUM, "[荼象春季] | [Time: day 1 of spring 5500, 0h]"),
            (3 * QUADRUM, "[素象夏季] | [Time: day 1 of summer 5500, 0h]"),
        ],
    );
}

#[test]
fn longitude_shifts_the_hour() {
    let at_noon = [
        ("0", "[5500 1 12]"),
        ("7.4", "[5500 1 12]"),
        // Halves go to the even zone.
        ("7.5", "[5500 1 12]"),
        ("22.5", "[5500 1 14]"),
        ("37.5", "[5500 1 14]"),
        ("-7.5", "[5500 1 12]"),
        ("-22.5", "[5500 1 10]"),
        ("7.6", "[5500 1 13]"),
        ("15", "[5500 1 13]"),
        ("-15", "[5500 1 11]"),
        ("121.47", "[5500 1 20]"),
        ("180", "[5500 2 0]"),
        ("-180", "[5500 1 0]"),
        ("-97.5", "[5500 1 6]"),
    ];
    for (longitude, expected) in at_noon {
        let settings =
            format!("kind = rimworld\nlongitude = {longitude}\nformat.zh = [{{year}} {{day}} {{hour}}]");
        let stamp = calendar(&settings).format(super::at_tick(12 * HOUR), super::Language::Zh);
        assert_eq!(stamp.as_deref(), Some(expected), "longitude {longitude}");
    }
}

#[test]
fn longitude_shifts_the_year_too() {
    check_ticks(
        "kind = rimworld
         longitude = -15",
        &[(0, "[时间: 5499年冬季第15天, 23时] | [Time: day 15 of winter 5499, 23h]")],
    );
}

#[test]
fn game_ticks_begin_at_the_start_tick() {
    check_ticks(
        "kind = rimworld
         ticks = game
         start_tick = 915000",
        &[
            (0, "[时间: 5500年夏季第1天, 6时] | [Time: day 1 of summer 5500, 6h]"),
            (18 * HOUR, "[时间: 5500年夏季第2天, 0时] | [Time: day 2 of summer 5500, 0h]"),
            (-915_001, "[时间: 5499年冬季第15天, 23时] | [Time: day 15 of winter 5499, 23h]"),
        ],
    );
}

#[test]
fn without_a_tick_there_is_no_date() {
    let calendar = calendar("kind = rimworld");
    assert_eq!(super::stamps(&calendar, super::at_wall(0)), "- | -");
    assert_eq!(calendar.ticks_per_hour(), Some(2500.0));
}
