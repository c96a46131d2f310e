//! Does every calendar tell the time as its players would? Settings in, stamps out; nothing here knows
//! how a calendar is made.

mod custom;
mod gregorian;
mod properties;
mod rimworld;
mod settings;
mod stamps;

use super::{Calendar, Language, Moment, Tick};
use crate::{Code, Result};

/// Settings are written one per line as `key = value`.
fn read(settings: &str) -> Result<Option<Calendar>> {
    let lines = settings.lines().filter(|line| !line.trim().is_empty());
    Calendar::from_pairs(lines.map(|line| line.trim_start().split_once(" = ").unwrap()))
}

#[track_caller]
fn calendar(settings: &str) -> Calendar {
    match read(settings) {
        Ok(calendar) => calendar.expect("the settings have a kind"),
        Err(error) => panic!("{error} (hint: {})", error.hint_text().unwrap_or("none")),
    }
}

fn at_tick(tick: Tick) -> Moment {
    Moment { tick: Some(tick), wall_ms: None }
}

fn at_wall(wall_ms: i64) -> Moment {
    Moment { tick: None, wall_ms: Some(wall_ms) }
}

/// The stamp in both languages, or `-` where there is none.
fn stamps(calendar: &Calendar, moment: Moment) -> String {
    let stamp = |language| calendar.format(moment, language).unwrap_or("-".to_owned());
    Language::ALL.map(stamp).join(" | ")
}

#[track_caller]
fn check_ticks(settings: &str, expected: &[(Tick, &str)]) {
    let calendar = calendar(settings);
    for (tick, stamp) in expected {
        assert_eq!(stamps(&calendar, at_tick(*tick)), *stamp, "tick {tick} with {settings}");
    }
}

#[track_caller]
fn check_refused(settings: &str, message: &str, hint: &str) {
    let error = read(settings).expect_err(settings);
    assert_eq!(error.code(), Code::Invalid);
    assert_eq!(error.message(), message, "{settings}");
    let actual_hint = error.hint_text().unwrap_or_default();
    assert!(actual_hint.contains(hint), "{settings}: hint `{actual_hint}` lacks `{hint}`");
}
