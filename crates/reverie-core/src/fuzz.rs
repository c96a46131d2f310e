//! What must hold for whatever a host hands back or sets? The bodies of the fuzz targets, which the tests run for a moment
//! too. None may panic, hang or grow without bound.

use crate::lore::Timers;
use crate::recall_id::RecallId;
use crate::settings::{Pairs, Preset, WorldSettings};
use crate::time::{Calendar, Language, Moment};

/// The id of a prompt, as it is or (no fuzzer guesses a checksum) what is inside of it; then, behind a line break, what
/// runs where it is used.
pub fn recall_id(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (code, running) = text.split_once('\n').unwrap_or((&text, ""));
    let Ok(id) = RecallId::decode(code).or_else(|_| RecallId::decode(&RecallId::seal(code))) else { return };
    assert_eq!(RecallId::decode(&id.encode()).ok().as_ref(), Some(&id), "written as it was read");
    let running = running.parse::<Timers>().unwrap_or_default();
    let most = running.list.len() + id.step.begun.list.len();
    let once = id.step.apply(running);
    assert!(once.list.len() <= most, "what runs is what ran or what began");
    let twice = id.step.apply(once.clone());
    let name = |timers: &Timers| -> Vec<_> {
        timers.list.iter().map(|timer| (timer.kind, timer.book.clone(), timer.entry.clone())).collect()
    };
    assert!(name(&twice).iter().all(|timer| name(&once).contains(timer)), "nothing begins twice");
    assert_eq!(once.to_string().parse::<Timers>().ok(), Some(once), "what runs can be kept");
}

/// The settings of a world, one `name=value` a line; then, behind an empty line, what a model said.
pub fn settings(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (settings, said) = text.split_once("\n\n").unwrap_or((&text, ""));
    let pairs = || settings.lines().filter_map(|line| line.split_once('='));
    let owned: Pairs = pairs().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    for preset in [Preset::Companion, Preset::Game, Preset::Bot] {
        let _ = WorldSettings::resolve(preset, &owned);
    }
    let of_calendar = pairs().filter_map(|(name, value)| Some((name.strip_prefix("calendar.")?, value)));
    let Ok(Some(calendar)) = Calendar::from_pairs(of_calendar) else { return };
    let _ = calendar.ticks_per_hour();
    for at in [i64::MIN, -1, 0, 1, 1_769_847_330_000, i64::MAX] {
        for language in Language::ALL {
            let stamp = calendar.format(Moment { tick: Some(at), wall_ms: Some(at) }, language);
            let Some(stamp) = stamp else { continue };
            let behind = calendar.strip_stamp(&stamp);
            assert!(behind.is_none_or(|rest| stamp.ends_with(rest)), "only what stands before is taken");
        }
    }
    let rest = calendar.strip_stamp(said);
    assert!(rest.is_none_or(|rest| said.ends_with(rest)), "only what stands before is taken");
}
