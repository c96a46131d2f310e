//! What an edit may say, what becomes of it in each format, and what it is told if it may not.

use serde_json::{Map, Value, json};

use super::*;

fn object(value: &Value) -> &Map<String, Value> {
    value.as_object().unwrap()
}

#[test]
fn a_wrong_edit_is_refused_with_what_to_do() {
    for (source, changes, expected) in [
        (json!({}), json!({"colour": 1}), "no field \"colour\""),
        (json!({}), json!({"depth": -1}), "depth: -1 is not a whole number from 0 to 4294967295"),
        (json!({}), json!({"order": 1.5}), "order: 1.5 is not a whole number"),
        (json!({}), json!({"priority": 400}), "priority: 400 is not a whole number from 0 to 100"),
        (json!({}), json!({"probability": 250}), "probability: 250 is not a number from 0 to 100"),
        (json!({}), json!({"groupWeight": "-1"}), "groupWeight: \"-1\" is not a number that is not negative"),
        (
            json!({}),
            json!({"position": "left"}),
            "position: \"left\" is not one of before_char, after_char, note_top",
        ),
        (json!({}), json!({"role": 3}), "role: 3 is not one of system, user, assistant (or 0 to 2)"),
        (json!({}), json!({"constant": "perhaps"}), "constant: \"perhaps\" is not true or false"),
        (json!({}), json!({"enabled": "perhaps"}), "enabled: \"perhaps\" is not true or false"),
        (json!({}), json!({"content": [1]}), "content: [1] is not a text"),
        (json!({}), json!({"key": [["a"]]}), "key: [[\"a\"]] is not a list of texts"),
        (json!({}), json!({"group": {}}), "group: {} is not a text or a list of texts"),
        (json!({}), json!({"delayUntilRecursion": -1}), "is not true, false or a level"),
        (json!({}), json!({"characterFilter": "Mira"}), "characterFilter: \"Mira\" is not an object"),
        (json!({}), json!({"characterFilter": {"names": {}}}), "is not an object {\"isExclude\""),
        (json!({}), json!({"key": ["a"], "keywords": ["b"]}), "key is given twice"),
        (json!({}), json!({"enabled": true, "disable": true}), "disable is given twice"),
        (json!({}), json!({"extra": {"order": 1}, "order": 2}), "order is given twice"),
        (json!({}), json!({"conditions": [{"fact": 1}]}), "conditions: {\"fact\":1}: it has no test"),
        (json!({}), json!({"extensions": 5}), "extensions: must be an object"),
        (json!({}), json!({"extra": []}), "extra: must be an object"),
        (json!({"uid": 3}), json!({"uid": 4}), "the id of an entry cannot be changed"),
        (json!({"uid": 3}), json!({"extra": {"uid": 4}}), "the id of an entry cannot be changed"),
        (json!({}), json!({"uid": null}), "the id of an entry cannot be changed"),
        (json!({"extensions": "text"}), json!({"trigger": "semantic"}), "no room for trigger"),
        (json!({"colour": 5}), json!({"extra": {"colour": {"a": 1}}, "extensions": {"x": 1}}), ""),
        (json!(null), json!({}), "not an object"),
    ] {
        let edited = patch_entry(&source, Format::SillyTavern, object(&changes));
        if expected.is_empty() {
            assert!(edited.is_ok(), "{changes}: {edited:?}");
            continue;
        }
        let error = edited.expect_err(expected);
        assert!(error.message().contains(expected), "{changes}: {error}");
        assert!(error.hint_text().is_some_and(|hint| !hint.is_empty()), "{error}");
        assert!(!format!("{error} {:?}", error.hint_text()).contains("is used"), "nothing is: {error}");
    }
}

#[test]
fn ids_have_the_type_of_their_format_and_stay() {
    use Format::*;
    for (format, id, expected) in [
        (SillyTavern, "7", Some(json!(7))),
        (SillyTavern, "1700000000000", Some(json!(1_700_000_000_000_u64))),
        (SillyTavern, "abc", None),
        (SillyTavern, "007", None),
        (SillyTavern, "-1", None),
        (CardV2, "7", Some(json!(7))),
        (CardV2, "abc", None),
        (CardV3, "7", Some(json!(7))),
        (CardV3, "abc", Some(json!("abc"))),
        (LorebookV3, "abc", Some(json!("abc"))),
        (Risu, "7", Some(json!("7"))),
        (Agnai, "7", Some(json!("7"))),
        (NovelAi, "7", Some(json!("7"))),
    ] {
        let uid = uid_of(format, id).ok();
        assert_eq!(uid, expected, "{format:?} {id}");
        let Some(uid) = uid else { continue };
        let entry = new_entry(format, &uid, object(&json!({"uid": id, "content": "c"}))).unwrap();
        assert_eq!(patch_entry(&entry, format, object(&json!({"uid": uid, "id": id}))).unwrap(), entry);
        assert!(patch_entry(&entry, format, object(&json!({"uid": "8"}))).is_err());
    }
}

#[test]
fn everything_in_an_entry_is_shown_and_can_be_changed() {
    for (format, source, shown_extra, shown_extensions, changes, expected) in [
        (
            Format::SillyTavern,
            json!({"uid": 1, "key": "a, b", "colour": "red", "extensions": {"mine": {"a": 1}, "reverie": {"trigger": "semantic"}}}),
            json!({"colour": "red"}),
            json!({"mine": {"a": 1}}),
            json!({"extra": {"colour": null, "size": 3, "role": "user"}, "extensions": {"mine": {"b": 2}, "reverie": {"known_by": "甲"}}}),
            json!({"uid": 1, "key": "a, b", "size": 3, "role": 1,
                "extensions": {"mine": {"a": 1, "b": 2}, "reverie": {"trigger": "semantic", "known_by": ["甲"]}}}),
        ),
        (
            Format::CardV2,
            json!({"id": 1, "keys": ["a"], "name": "Pier", "extensions": {"position": 2, "foreign": [1]}}),
            json!({"name": "Pier"}),
            json!({"foreign": [1]}),
            json!({"extra": {"name": "Quay"}, "extensions": {"position": "at_depth", "depth": "3", "foreign": null}}),
            json!({"id": 1, "keys": ["a"], "name": "Quay", "position": "after_char", "extensions": {"position": 4, "depth": 3}}),
        ),
        (
            Format::NovelAi,
            json!({"id": "5f", "text": "T", "contextConfig": {"budgetPriority": 4, "suffix": "x"}, "loreBiasGroups": []}),
            json!({"contextConfig": {"suffix": "x"}, "loreBiasGroups": []}),
            json!({}),
            json!({"extra": {"contextConfig": {"suffix": "y", "budgetPriority": "7"}}}),
            json!({"id": "5f", "text": "T", "contextConfig": {"budgetPriority": 7, "suffix": "y"}, "loreBiasGroups": []}),
        ),
        (
            Format::Risu,
            json!({"id": "u", "key": "a", "mode": "constant", "extentions": {"risu_case_sensitive": true}}),
            json!({"mode": "constant"}),
            json!({}),
            json!({"constant": "false"}),
            json!({"id": "u", "key": "a", "mode": "normal", "alwaysActive": false, "extentions": {"risu_case_sensitive": true}}),
        ),
    ] {
        let seen = shown(&source, format);
        assert_eq!(
            (Value::Object(seen.extra), Value::Object(seen.extensions)),
            (shown_extra, shown_extensions),
            "{format:?}"
        );
        assert_eq!(patch_entry(&source, format, object(&changes)).unwrap(), expected, "{format:?}");
    }
    assert_eq!(shown(&json!(null), Format::CardV2), Shown::default());
}

#[test]
fn a_pattern_with_commas_is_one_key() {
    for format in Format::ALL {
        let fresh = new_entry(format, &uid_of(format, "1").unwrap(), &Map::new()).unwrap();
        let changes = json!({"use_regex": true, "key": "a{1,3}"});
        let patched = patch_entry(&fresh, format, object(&changes)).unwrap();
        assert_eq!(entry(&patched, format).0.keys, ["a{1,3}"], "{format:?}: {patched}");
        let patched = patch_entry(&patched, format, object(&json!({"key": "b{2,}"}))).unwrap();
        assert_eq!(entry(&patched, format).0.keys, ["b{2,}"], "{format:?}: {patched}");
    }
}

#[test]
fn what_an_author_should_hear_is_told_of_values_and_of_keys() {
    let book =
        json!({"entries": {"0": {"uid": 0, "key": ["/[/"], "depth": -3}, "1": {"uid": 1, "key": ["好"]}}});
    let book = from_value(book, Format::SillyTavern, &crate::Limits::default()).unwrap();
    let told: Vec<String> = book.oddities().iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].starts_with("entry 0: depth: -3"), "{told:?}");
    assert!(told[1].starts_with("entry 0: the key \"/[/\" is looked for as plain text"), "{told:?}");
}
