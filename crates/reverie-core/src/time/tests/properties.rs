//! What holds for every tick: stamps exist, can be taken away again, and years never go back.

use proptest::prelude::*;

use super::{Calendar, Language, Moment, Tick, at_tick, calendar};

fn any_calendar() -> impl Strategy<Value = Calendar> {
    prop_oneof![
        (any::<i64>(), -180.0..=180.0, any::<bool>(), any::<i64>()).prop_map(
            |(year, longitude, south, start)| {
                let hemisphere = if south { "south" } else { "north" };
                calendar(&format!(
                    "kind = rimworld
                 base_year = {year}
                 longitude = {longitude}
                 hemisphere = {hemisphere}
                 ticks = game
                 start_tick = {start}
                 format.en = [{{day:02}} {{quadrum}}{{hour}} {{day_of_year}}{{year}}]"
                ))
            }
        ),
        Just(calendar(
            "kind = gregorian\ntime_zone = America/New_York\nformat.en = [{weekday}{day}{month}{year}]"
        )),
        (1..u32::MAX, 1..u32::MAX).prop_map(|(ticks, seconds)| {
            calendar(&format!(
                "kind = gregorian
                 time_zone = Asia/Shanghai
                 epoch = 1889-03-01
                 ticks_per_second = {ticks}/{seconds}"
            ))
        }),
        (1..=i64::MAX, 1..5000_i64, any::<i64>(), any::<i64>()).prop_map(|(size, days, first, start)| {
            let hour = (size / days / 3).max(1);
            calendar(&format!(
                "kind = custom
                 start_tick = {start}
                 units.0.name = hour
                 units.0.size = {hour}
                 units.1.name = day
                 units.1.size = {days}
                 units.1.first = {first}
                 units.2.name = season
                 units.2.size = 1
                 units.2.names.zh.0 = 雨 季
                 units.2.names.zh.1 = 旱季
                 units.3.name = year
                 units.3.size = 2
                 units.3.first = {first}
                 format.zh = 【{{year}}{{season}}{{day}} {{hour}}】"
            ))
        }),
    ]
}

fn any_moment() -> impl Strategy<Value = Moment> {
    // Most i64 are too far away for a Gregorian date, so near ones get a share of their own.
    let time = || prop_oneof![any::<i64>(), -5_000_000_000_000..5_000_000_000_000_i64];
    (proptest::option::of(time()), proptest::option::of(time()))
        .prop_map(|(tick, wall_ms)| Moment { tick, wall_ms })
}

fn any_language() -> impl Strategy<Value = Language> {
    prop_oneof![Just(Language::Zh), Just(Language::En)]
}

/// Hour by hour from tick 0, as one would count on fingers: quadrum, day, hour, year.
fn counted_date(tick: Tick) -> String {
    let (mut year, mut quadrum, mut day, mut hour) = (5500, 0, 1, 0);
    let mut hour_begins = 0;
    while hour_begins + 2500 <= tick {
        hour_begins += 2500;
        hour += 1;
        if hour == 24 {
            (hour, day) = (0, day + 1);
        }
        if day == 16 {
            (day, quadrum) = (1, quadrum + 1);
        }
        if quadrum == 4 {
            (quadrum, year) = (0, year + 1);
        }
    }
    while hour_begins > tick {
        hour_begins -= 2500;
        hour -= 1;
        if hour == -1 {
            (hour, day) = (23, day - 1);
        }
        if day == 0 {
            (day, quadrum) = (15, quadrum - 1);
        }
        if quadrum == -1 {
            (quadrum, year) = (3, year - 1);
        }
    }
    let season = ["春季", "夏季", "秋季", "冬季"][quadrum as usize];
    format!("[时间: {year}年{season}第{day}天, {hour}时]")
}

proptest! {
    #[test]
    fn a_stamp_can_be_taken_away_again(
        calendar in any_calendar(),
        moment in any_moment(),
        language in any_language(),
        text in "\\PC{0,20}",
    ) {
        let stamp = calendar.format(moment, language);
        let Some(stamp) = stamp else {
            // Only a Gregorian date has ends; everything else needs no more than a tick.
            prop_assert!(moment.tick.is_none() || matches!(calendar, Calendar::Gregorian(_)));
            return Ok(());
        };
        let text = text.trim_start();
        for echo in [format!("{stamp} {text}"), format!("\n{stamp}{stamp}{text}")] {
            prop_assert_eq!(calendar.strip_stamp(&echo), Some(text), "{}", echo);
        }
    }

    #[test]
    fn any_text_can_be_looked_at(calendar in any_calendar(), text in any::<String>()) {
        if let Some(rest) = calendar.strip_stamp(&text) {
            prop_assert!(text.ends_with(rest));
        }
    }

    #[test]
    fn any_settings_are_read_or_refused(
        kind in prop_oneof![Just("rimworld"), Just("gregorian"), Just("custom")],
        value in any::<String>(),
        format in "[\\[({}:0-9dayhour ]{0,12}\\]",
        tick in any::<i64>(),
    ) {
        let pairs = [("kind", kind), ("format.zh", &format), ("units.0.name", &value), ("units.0.size", "3")];
        for count in 1..=pairs.len() {
            if let Ok(Some(calendar)) = Calendar::from_pairs(pairs.into_iter().take(count)) {
                let _no_panic = calendar.format(at_tick(tick), Language::Zh);
            }
        }
    }

    #[test]
    fn years_never_go_back(one in any::<i64>(), other in any::<i64>(), longitude in -180.0..=180.0) {
        let calendar = calendar(&format!("kind = rimworld\nlongitude = {longitude}\nformat.zh = [{{year}}]"));
        let year = |tick| -> i128 {
            let stamp = calendar.format(at_tick(tick), Language::Zh).unwrap();
            stamp.trim_matches(['[', ']']).parse().unwrap()
        };
        prop_assert!(year(one.min(other)) <= year(one.max(other)));
    }

    #[test]
    fn rimworld_counts_as_one_would_on_fingers(tick in -12_000_000..12_000_000_i64) {
        let stamp = calendar("kind = rimworld").format(at_tick(tick), Language::Zh);
        prop_assert_eq!(stamp, Some(counted_date(tick)));
    }
}
