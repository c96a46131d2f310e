//! Books in and out, as data.

use proptest::prelude::*;
use reverie_core::lore::Entry;
use reverie_core::lore::slashes::{self, Looks};
use serde_json::{Map, Value, json};

use super::*;
use crate::Limits;

/// One book per format, each with fields that its tool does not know.
pub(crate) fn samples() -> Vec<(Format, Value)> {
    vec![
        (
            Format::SillyTavern,
            json!({
                "name": "港口", "custom": {"a": [1, 2.5, null]},
                "entries": {
                    "0": {"uid": 0, "key": ["港口", "/har?bor/i"], "keysecondary": ["雾"], "comment": "码头", "content": "雾里的港口。",
                        "constant": false, "selective": true, "selectiveLogic": 3, "order": 90, "position": 4, "depth": 2,
                        "role": 1, "disable": false, "probability": 50, "useProbability": true, "sticky": 3,
                        "group": "天气, 地点", "delayUntilRecursion": true, "scanDepth": null, "unknown": {"x": [1]},
                        "characterFilter": {"isExclude": true, "names": ["Mira"], "tags": []},
                        "extensions": {"other": 1, "reverie": {"trigger": "semantic", "priority": 7, "known_by": ["mira"]}}},
                    "x": {"uid": 7, "key": "a, b", "content": "c", "enabled": false, "order": "12", "position": "at_depth"},
                    "8": {"uid": 7, "key": [], "content": "twice"},
                    "11": {"uid": 11, "key": ["plain", "/drag(on|ons)/i"], "content": "half a pattern"},
                    "9": {"content": "no id"},
                    "10": null,
                },
                "originalData": {"name": "old"},
            }),
        ),
        (
            Format::CardV2,
            json!({
                "name": "Harbor", "scan_depth": 4, "token_budget": 512, "recursive_scanning": true, "extensions": {"z": 1},
                "entries": [
                    {"keys": ["harbor"], "secondary_keys": ["fog"], "content": "Foggy.", "extensions": {"depth": 3, "foreign": [1]},
                        "enabled": false, "insertion_order": 5, "name": "Pier", "priority": 3, "id": 4, "comment": "",
                        "selective": true, "constant": false, "position": "before_char", "more": "kept"},
                    {"keys": ["a"], "content": "b", "extensions": [], "enabled": true, "insertion_order": 1, "id": "b-1"},
                ],
            }),
        ),
        (
            Format::CardV3,
            json!({"entries": [
                {"keys": ["^har.*$"], "use_regex": true, "content": "@@depth 2\nText", "extensions": {}, "enabled": true,
                    "insertion_order": 5, "case_sensitive": true, "id": "one", "constant": true},
                {"keys": ["c++"], "use_regex": true, "content": "plain", "enabled": true, "insertion_order": 6, "id": 2,
                    "extensions": {"selectiveLogic": 2, "position": 7, "outlet_name": "notes", "case_sensitive": null}},
            ]}),
        ),
        (
            Format::LorebookV3,
            json!({"spec": "lorebook_v3", "extra": true, "data": {"name": "独立", "extensions": {}, "entries": [
                {"keys": ["月"], "use_regex": false, "content": "月亮", "extensions": {}, "enabled": true, "insertion_order": 5},
                {"keys": ["/月/"], "use_regex": false, "content": "字面", "extensions": {}, "enabled": true, "insertion_order": 6},
            ]}}),
        ),
        (
            Format::Risu,
            json!({"type": "risu", "ver": 1, "data": [
                {"key": "dragon, ドラゴン", "secondkey": "fire", "insertorder": 30, "comment": "d", "content": "竜", "mode": "normal",
                    "alwaysActive": false, "selective": true, "useRegex": false, "activationPercent": 40, "id": "u-1",
                    "extentions": {"risu_case_sensitive": true}, "loreCache": null},
                {"key": "/a,b/i", "secondkey": "", "insertorder": 1, "comment": "", "content": "r", "mode": "normal",
                    "alwaysActive": true, "selective": false, "useRegex": true},
                {"key": "f", "comment": "folder", "content": "", "mode": "folder", "insertorder": 1, "alwaysActive": false},
            ]}),
        ),
        (
            Format::Agnai,
            json!({"kind": "memory", "name": "m", "description": "d", "_id": "q", "entries": [
                {"name": "Sea", "entry": "Salt.", "keywords": ["sea", "海"], "priority": 10, "weight": 20, "enabled": true},
            ]}),
        ),
        (
            Format::NovelAi,
            json!({"lorebookVersion": 5, "settings": {"orderByKeyLocations": false}, "categories": [
                {"id": "c"}, {"id": "d", "name": "旧事", "enabled": false, "open": true}], "entries": [
                {"text": "T", "displayName": "N", "id": "5f", "keys": ["k"], "enabled": false, "forceActivation": true,
                    "searchRange": 1000, "contextConfig": {"budgetPriority": 400, "suffix": "\n"}, "loreBiasGroups": []},
                {"text": "旧", "displayName": "D", "id": "60", "keys": ["/^旧.*$/i"], "enabled": true, "category": "d"},
                {"text": "更旧", "displayName": "E", "id": "61", "keys": ["k"], "enabled": false, "category": "d"},
                {"text": "新", "displayName": "F", "id": "62", "keys": ["k"], "enabled": true, "category": "c"},
            ]}),
        ),
    ]
}

fn read_value(value: &Value) -> BookDocument {
    read(value.to_string().as_bytes(), &Limits::default()).unwrap()
}

#[test]
fn every_format_is_recognised_and_written_back_equal() {
    for (format, value) in samples() {
        let book = read_value(&value);
        assert_eq!(book.format, format);
        assert_eq!(write(&book), value, "{format:?}");
    }
}

/// Runs over every pair of formats, so that each is a source and a target.
#[test]
fn a_book_comes_back_from_every_other_format_as_it_was() {
    for (from, value) in samples() {
        for to in Format::ALL {
            let there = write(&read_value(&value).to(to));
            let there = from_value(there, to, &Limits::default()).unwrap();
            let back = write(&there.to(from));
            assert_eq!(back, value, "{from:?} by way of {to:?}");
        }
    }
}

#[test]
fn what_an_entry_means_survives_between_sillytavern_and_cards() {
    for (from, value) in samples() {
        let book = read_value(&value);
        for to in [Format::SillyTavern, Format::CardV2, Format::CardV3, Format::LorebookV3] {
            let other = book.to(to);
            let (before, after) = (book.to_core("b", 0).0, other.to_core("b", 0).0);
            let is_entry = book.entries.iter().map(|entry| entry.source.is_object());
            let pairs = before.entries.iter().zip(&after.entries).zip(is_entry);
            for ((before, after), _) in pairs.filter(|(_, is_entry)| *is_entry) {
                let (mut expected, mut actual) = ((**before).clone(), (**after).clone());
                expected.id = actual.id.clone();
                // A category is nothing to others: what is off with it is off.
                expected.disabled |= expected.disabled_with.take().is_some();
                actual.disabled |= actual.disabled_with.take().is_some();
                let (expected, actual) = (between_slashes(expected), between_slashes(actual));
                assert_eq!(actual, expected, "{from:?} to {to:?}");
            }
        }
    }
}

/// The same keys as they are written where slashes decide.
fn between_slashes(mut entry: Entry) -> Entry {
    let looks = Looks {
        case_sensitive: entry.case_sensitive == Some(true),
        whole_words: entry.whole_words == Some(true),
    };
    for key in entry.keys.iter_mut().chain(&mut entry.secondary_keys) {
        let new = match entry.use_regex {
            Some(true) if !slashes::is_pattern(key) => slashes::of_pattern(key, looks),
            Some(false) if slashes::is_pattern(key) => slashes::of_plain(key, looks),
            _ => None,
        };
        *key = new.unwrap_or_else(|| key.clone());
    }
    entry.use_regex = None;
    entry
}

#[test]
fn an_edit_made_in_another_format_comes_back() {
    let (_, value) = samples().remove(0);
    let mut card = read_value(&value).to(Format::CardV3);
    let changes = json!({"content": "新", "disable": true, "key": ["x"]});
    let first = card.entries.get_mut(0).unwrap();
    first.source = patch_entry(&first.source, Format::CardV3, changes.as_object().unwrap()).unwrap();
    let mut expected = value;
    let entry = expected["entries"]["0"].as_object_mut().unwrap();
    entry.extend(changes.as_object().unwrap().clone());
    assert_eq!(write(&card.to(Format::SillyTavern)), expected);
}

#[test]
fn ids_are_unique_and_the_file_keeps_its_own() {
    let (_, value) = samples().remove(0);
    let book = read_value(&value);
    let ids: Vec<&str> = book.entries.iter().map(|entry| entry.id.as_str()).collect();
    assert_eq!(ids, ["0", "7", "7-2", "11", "9", "10"]);
    let told: Vec<String> = book.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(told, ["entry 7: uid: another entry has the same id; this one goes by 7-2"]);
}

#[test]
fn no_book_is_refused_with_a_reason() {
    for (text, expected) in [
        ("{}", "no world book"),
        ("[1, 2]", "no world book"),
        ("{\"entries\": 5}", "no world book"),
        ("{\"spec\": \"chara_card_v2\", \"data\": {}}", "character card"),
        ("{\"lorebookVersion\": 5, \"entries\": \"x\"}", "neither a list nor an object"),
        ("nothing", "not JSON"),
    ] {
        let error = read(text.as_bytes(), &Limits::default()).expect_err(text);
        assert!(error.message().contains(expected), "{text}: {error}");
    }
    let limits = Limits { entries: 2, ..Limits::default() };
    let error = read(b"{\"entries\":{\"1\":{},\"2\":{},\"3\":{}}}", &limits).unwrap_err();
    assert!(error.message().contains("3 entries"), "{error}");
}

/// Any JSON, with names that formats know among the others.
fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-z0-9,/ 港]{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((name(), inner), 0..5)
                .prop_map(|members| Value::Object(Map::from_iter(members))),
        ]
    })
}

fn name() -> impl Strategy<Value = String> {
    let known = [
        "uid",
        "id",
        "key",
        "keys",
        "content",
        "extensions",
        "reverie",
        "kept",
        "position",
        "enabled",
        "disable",
        "entries",
        "data",
        "useRegex",
        "selectiveLogic",
        "sillytavern",
        "fields",
        "name",
        "priority",
        "contextConfig",
        "case_sensitive",
    ];
    prop_oneof![prop::sample::select(known.to_vec()).prop_map(str::to_owned), "[a-z]{1,3}"]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_book_is_written_back_equal(
        entries in prop::collection::vec(json_value(), 0..5),
        rest in prop::collection::vec((name(), json_value()), 0..4),
        which in 0..samples().len(),
    ) {
        let (format, sample) = samples().swap_remove(which);
        let mut book = read_value(&sample);
        book.rest.as_object_mut().unwrap().extend(rest);
        let mut value = write(&book);
        let list = if format == Format::SillyTavern {
            Value::Object(entries.into_iter().enumerate().map(|(index, entry)| (index.to_string(), entry)).collect())
        } else {
            Value::from(entries)
        };
        let holder = match format {
            Format::LorebookV3 => { value["data"] = json!({}); &mut value["data"]["entries"] }
            Format::Risu => &mut value["data"],
            _ => &mut value["entries"],
        };
        *holder = list;
        let book = from_value(value.clone(), format, &Limits::default()).unwrap();
        book.to_core("book", 0);
        prop_assert_eq!(write(&book), value);
    }

    #[test]
    fn any_entry_comes_back_from_another_format(
        source in prop::collection::vec((name(), json_value()), 0..6),
        from in prop::sample::select(&Format::ALL[..]),
        to in prop::sample::select(&Format::ALL[..]),
    ) {
        // Our own notes of an earlier conversion are replaced by those of this one.
        let mut source = Value::Object(Map::from_iter(source));
        crate::merge::remove(&mut source, &["extensions", "reverie", "kept"]);
        let mut book = new_book(from, "b");
        book.entries.push(BookEntry { id: "0".to_owned(), slot: Some("s".to_owned()), source });
        let value = write(&book);
        let book = from_value(value.clone(), from, &Limits::default()).unwrap();
        let there = from_value(write(&book.to(to)), to, &Limits::default()).unwrap();
        prop_assert_eq!(write(&there.to(from)), value);
    }
}
