//! Is what is told of each setting what the engine does with it?

use reverie_core::settings::described::{Described, Elsewhere, Sort, described};
use reverie_core::settings::{Pairs, Preset, WorldSettings};

const PRESETS: [Preset; 3] = [Preset::Companion, Preset::Game, Preset::Bot];

fn resolve(preset: Preset, pairs: &[(&str, &str)]) -> Result<WorldSettings, String> {
    let pairs: Pairs = pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    WorldSettings::resolve(preset, &pairs).map_err(|error| error.to_string())
}

fn is_taken(one: &Described, value: &str) -> bool {
    resolve(Preset::Companion, &[(&one.key, value)]).is_ok()
}

#[test]
fn a_default_that_is_written_down_changes_nothing() {
    for one in described() {
        let is_whole = !matches!(one.sort, Sort::Texts | Sort::Named | Sort::Things);
        if !is_whole || one.key.starts_with("calendar.") {
            continue;
        }
        for preset in PRESETS {
            let of_preset = one.elsewhere.iter().find(|(place, _)| *place == Elsewhere::Preset(preset));
            let Some(default) = of_preset.map(|(_, value)| value).or(one.default.as_ref()) else { continue };
            // A profile that is named is taken as it is, without what a preset does to it.
            if one.key == "perspective.profile" && preset == Preset::Bot {
                continue;
            }
            let (written, unwritten) = (resolve(preset, &[(&one.key, default)]), resolve(preset, &[]));
            assert_eq!(written, unwritten, "{} = {default} ({})", one.key, preset.as_str());
        }
        for (place, value) in &one.elsewhere {
            let named = match place {
                Elsewhere::Profile(profile) => ("perspective.profile", *profile),
                Elsewhere::Language(language) => ("language", language.name()),
                Elsewhere::Preset(_) | Elsewhere::Calendar(_) => continue,
            };
            let written = resolve(Preset::Companion, &[named, (&one.key, value)]);
            assert_eq!(written, resolve(Preset::Companion, &[named]), "{} with {named:?}", one.key);
        }
    }
}

/// The ends of a range are in it, and what is behind them is not; a word of a list is taken, and another is not.
#[test]
fn what_may_be_written_is_taken_and_nothing_else() {
    for one in described() {
        if one.key.starts_with("calendar.") {
            continue;
        }
        let (good, bad): (Vec<String>, Vec<String>) = match one.sort {
            Sort::Flag => (vec!["true".into(), "false".into()], vec!["1".into(), "maybe".into()]),
            Sort::Count(most) => {
                (vec!["0".into(), most.to_string()], vec![(most + 1).to_string(), "-1".into(), "many".into()])
            }
            Sort::Real(least, most) => (
                vec![least.to_string(), most.to_string()],
                vec![(least - 0.01).to_string(), (most + 0.01).to_string(), "many".into()],
            ),
            Sort::Choice(words) => {
                (words.iter().map(|word| (*word).to_owned()).collect(), vec!["something else".into()])
            }
            Sort::Text(words) => (words.iter().map(|word| (*word).to_owned()).collect(), Vec::new()),
            Sort::Whole | Sort::Texts | Sort::Named | Sort::Things => continue,
        };
        for value in good {
            assert!(is_taken(&one, &value), "{} = {value}", one.key);
        }
        for value in bad {
            assert!(!is_taken(&one, &value), "{} = {value}", one.key);
        }
    }
}

#[test]
fn lists_and_maps_are_read_below_their_name() {
    for one in described() {
        let below = format!("{}.0", one.key);
        match one.sort {
            Sort::Texts => {
                let named = resolve(Preset::Companion, &[(&below, "说书人")]).unwrap();
                assert_eq!(named.narrator_names, ["说书人"]);
                let usual = resolve(Preset::Companion, &[]).unwrap().narrator_names.join(", ");
                assert_eq!(one.default.as_deref(), Some(usual.as_str()));
            }
            Sort::Named => assert!(resolve(Preset::Companion, &[(&below, "名字")]).is_ok(), "{below}"),
            _ => {}
        }
    }
}

#[test]
fn the_stamps_of_calendars_are_their_own() {
    for one in described().iter().filter(|one| one.key.starts_with("calendar.format.")) {
        assert_eq!(one.elsewhere.len(), 2, "{one:?}");
        for (place, value) in &one.elsewhere {
            let Elsewhere::Calendar(kind) = place else { panic!("{place:?}") };
            let named = ("calendar.kind", *kind);
            let written = resolve(Preset::Game, &[named, (&one.key, value)]);
            assert_eq!(written, resolve(Preset::Game, &[named]), "{} of {kind}", one.key);
        }
    }
}

#[test]
fn every_setting_is_told_of_once_and_in_words() {
    let all = described();
    for one in &all {
        assert!(!one.meaning.is_empty(), "{}", one.key);
        assert_eq!(all.iter().filter(|other| other.key == one.key).count(), 1, "{}", one.key);
        assert_eq!(one.is_personal, one.key.starts_with("recall."), "{}", one.key);
    }
    assert!(all.len() > 120, "{}", all.len());
}
