//! What an entry means, and what an edit does to it, as data.

use reverie_core::lore::Entry;
use reverie_core::lore::entry::{Condition, Filter, Logic, Position, Sources, Test, Trigger};
use reverie_core::perspective::Role;
use serde_json::{Value, json};

use super::*;

fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(|text| (*text).to_owned()).collect()
}

fn object(value: &Value) -> &serde_json::Map<String, Value> {
    value.as_object().unwrap()
}

#[test]
fn an_entry_means_the_same_in_every_format() {
    let expected = Entry {
        id: Arc::from("3"),
        comment: "码头".to_owned(),
        content: "雾。".to_owned(),
        disabled: true,
        keys: texts(&["港口", "harbor"]),
        secondary_keys: texts(&["fog"]),
        selective: true,
        constant: true,
        order: 40,
        use_regex: None,
        ..Entry::default()
    };
    for (format, source) in [
        (
            Format::SillyTavern,
            json!({"uid": 3, "comment": "码头", "content": "雾。", "disable": true, "key": ["港口", "harbor"],
                "keysecondary": ["fog"], "constant": true, "order": 40}),
        ),
        (
            Format::SillyTavern,
            json!({"id": "3", "comment": "码头", "content": "雾。", "enabled": "false", "keywords": "港口, harbor",
                "secondary_keys": ["fog"], "isConstant": 1, "insertion_order": "40"}),
        ),
        (
            Format::CardV2,
            json!({"id": 3, "name": "码头", "comment": "", "content": "雾。", "enabled": false, "keys": ["港口", "harbor"],
                "secondary_keys": ["fog"], "selective": true, "constant": true, "insertion_order": 40,
                "position": "before_char", "extensions": {}}),
        ),
        (
            Format::CardV3,
            json!({"id": 3, "comment": "码头", "content": "雾。", "enabled": false, "keys": ["港口", "harbor"],
                "secondary_keys": ["fog"], "selective": true, "constant": true, "insertion_order": 40, "use_regex": true,
                "position": "after_char", "extensions": {"position": 0, "useProbability": true}}),
        ),
        (
            Format::Risu,
            json!({"id": "3", "comment": "码头", "content": "雾。", "key": "港口,harbor", "secondkey": "fog", "selective": true,
                "alwaysActive": true, "insertorder": 40, "extensions": {"reverie": {"disable": true}}}),
        ),
        (
            Format::Agnai,
            json!({"id": 3, "name": "码头", "entry": "雾。", "enabled": false, "keywords": ["港口", "harbor"],
                "secondaryKeys": ["fog"], "selective": true, "constant": true, "weight": 40}),
        ),
        (
            Format::NovelAi,
            json!({"id": "3", "displayName": "码头", "text": "雾。", "enabled": false, "keys": ["港口", "harbor"],
                "forceActivation": true, "contextConfig": {"budgetPriority": 40},
                "extensions": {"reverie": {"keysecondary": ["fog"], "selective": true}}}),
        ),
    ] {
        let (entry, warnings) = entry(&source, format);
        assert_eq!((entry, warnings), (expected.clone(), vec![]), "{format:?}");
    }
}

#[test]
fn every_field_is_read_whatever_its_type() {
    let expected = Entry {
        logic: Logic::NotAny,
        case_sensitive: Some(true),
        whole_words: Some(false),
        scan_depth: Some(6),
        sources: Sources {
            persona: true,
            character: true,
            personality: true,
            depth_prompt: true,
            scenario: true,
            creator_notes: true,
        },
        vectorized: true,
        probability: Some(12.5),
        generations: texts(&["normal"]),
        filter: Filter { exclude: true, names: texts(&["Mira"]), tags: texts(&["7"]) },
        exclude_recursion: true,
        prevent_recursion: true,
        delay_until_recursion: 2,
        groups: texts(&["a", "b"]),
        group_override: true,
        group_weight: 7.0,
        group_scoring: Some(true),
        sticky: Some(3),
        delay: Some(2),
        position: Position::Outlet,
        depth: 9,
        role: Role::Assistant,
        outlet: "notes".to_owned(),
        ignore_budget: true,
        trigger: Trigger::Emotional,
        priority: Some(80),
        relevance_weight: Some(0.5),
        emotional_weight: Some(0.25),
        time_decay: Some(0.1),
        tick: Some(-4),
        topics: texts(&["sea"]),
        emotions: texts(&["joy"]),
        conditions: vec![
            Condition { fact: "place".to_owned(), test: Test::Is(texts(&["港", "2"])) },
            Condition { fact: "rank".to_owned(), test: Test::AtLeast(2.0) },
            Condition { fact: "rank".to_owned(), test: Test::AtMost(5.5) },
            Condition { fact: "dead".to_owned(), test: Test::NotSet },
            Condition { fact: "side".to_owned(), test: Test::IsNot(texts(&["red"])) },
        ],
        known_by: texts(&["mira"]),
        ..Entry::default()
    };
    let source: Value = serde_json::from_str(
        r#"{
        "selectiveLogic": "NOT_ANY", "caseSensitive": "true", "matchWholeWords": 0, "scanDepth": "6", "vectorized": "yes",
        "matchPersonaDescription": true, "matchCharacterDescription": 1, "matchCharacterPersonality": true,
        "matchCharacterDepthPrompt": true, "matchScenario": true, "matchCreatorNotes": true, "probability": "12.5",
        "useProbability": null, "triggers": "normal", "characterFilter": {"isExclude": true, "names": ["Mira"], "tags": [7]},
        "excludeRecursion": true, "preventRecursion": true, "delayUntilRecursion": "2", "group": " a,, b ",
        "groupOverride": true, "groupWeight": "7", "useGroupScoring": true, "sticky": 3.0, "cooldown": 0, "delay": "2",
        "position": 7, "depth": "9", "role": "Assistant", "outletName": "notes", "ignoreBudget": true,
        "extensions": {"reverie": {
            "trigger": "emotional", "priority": 80, "relevance_weight": 0.5, "emotional_weight": 0.25, "time_decay": 0.1,
            "tick": -4, "topics": ["sea"], "emotions": "joy", "known_by": ["mira"], "conditions": [
                {"fact": "place", "is": ["港", 2]}, {"fact": "rank", "at_least": 2, "at_most": "5.5"},
                {"fact": "dead", "set": false}, {"fact": "side", "is_not": "red"}]}}
    }"#,
    )
    .unwrap();
    assert_eq!(entry(&source, Format::SillyTavern), (expected.clone(), vec![]));

    let aliases = json!({"triggerType": "emotional", "priority": 80, "relevanceWeight": 0.5, "emotionalWeight": 0.25,
        "timeDecayFactor": 0.1, "relatedTopics": ["sea"], "emotionalContext": ["joy"]});
    let (aliased, warnings) = entry(&aliases, Format::SillyTavern);
    assert_eq!(
        (aliased.trigger, aliased.priority, aliased.topics),
        (expected.trigger, expected.priority, expected.topics)
    );
    assert_eq!((aliased.relevance_weight, aliased.time_decay, warnings), (Some(0.5), Some(0.1), vec![]));
}

#[test]
fn absurd_values_are_told_and_bounded() {
    for (field, value, expected) in [
        ("depth", json!(-3), "depth: -3 is below 0; 0 is used"),
        ("depth", json!(1e300), "is used"),
        ("order", json!(1e300), "is used"),
        ("order", json!(1.5), "order: 1.5 is not a whole number; 1 is used"),
        ("order", json!({}), "order: {} is not a number; it is not used"),
        ("probability", json!(250), "probability: 250 is above 100; 100 is used"),
        ("position", json!(99), "position: 99 is not one of before_char"),
        ("position", json!("left"), "position: \"left\" is not one of"),
        ("role", json!(-1), "role: -1 is not one of system"),
        ("constant", json!("perhaps"), "constant: \"perhaps\" is not true or false"),
        ("content", json!([1]), "content: [1] is not a text"),
        ("key", json!([["a"], "b"]), "key: [\"a\"] is not a text"),
        ("key", json!({"a": 1}), "key: {\"a\":1} is not a list of texts"),
        ("characterFilter", json!("Mira"), "characterFilter: \"Mira\" is not an object"),
        ("sticky", json!(u64::MAX), "sticky: 18446744073709552000 is above 4294967295"),
        ("priority", json!(400), "priority: 400 is above 100"),
        ("conditions", json!([{"fact": "x"}]), "it has no test"),
        ("conditions", json!([{"fact": "x", "was": 1}]), "there is no test \"was\""),
    ] {
        let (_, warnings) = entry(&json!({field: value}), Format::SillyTavern);
        let told: Vec<String> = warnings.iter().map(ToString::to_string).collect();
        assert!(told.len() == 1 && told[0].contains(expected), "{field}: {told:?}");
    }
    let (odd, warnings) = entry(&json!([1]), Format::CardV2);
    assert!(odd.disabled && warnings.len() == 1);
    // What is not understood keeps its entry back.
    let (kept, _) = entry(&json!({"conditions": [5]}), Format::SillyTavern);
    let unreadable = Test::Unreadable("5: a condition is an object".to_owned());
    assert_eq!(kept.conditions, [Condition { fact: String::new(), test: unreadable }]);
}

#[test]
fn an_edit_changes_what_it_names_in_every_format() {
    let changes = json!({
        "key": ["新", "new"], "content": "c", "disable": true, "position": 4, "depth": 2, "order": 7, "sticky": null,
        "trigger": "semantic", "known_by": ["mira"], "use_regex": true, "probability": 30, "caseSensitive": true,
        "extensions": {"mine": {"a": 1}},
    });
    for format in Format::ALL {
        let fresh = new_entry(format, &json!(5), object(&json!({"comment": "t", "constant": true}))).unwrap();
        let mut with_unknown = fresh.clone();
        with_unknown["unknown"] = json!({"kept": [1]});
        let patched = patch_entry(&with_unknown, format, object(&changes)).unwrap();
        assert_eq!(patched["unknown"], json!({"kept": [1]}), "{format:?}");
        assert_eq!(patched["extensions"]["mine"], json!({"a": 1}), "{format:?}");
        let expected = Entry {
            id: Arc::from("5"),
            comment: "t".to_owned(),
            constant: true,
            keys: texts(&["新", "new"]),
            content: "c".to_owned(),
            disabled: true,
            position: Position::AtDepth,
            depth: 2,
            order: 7,
            trigger: Trigger::Semantic,
            known_by: texts(&["mira"]),
            use_regex: Some(true),
            probability: Some(30.0),
            case_sensitive: Some(true),
            ..entry(&fresh, format).0
        };
        assert_eq!(entry(&patched, format), (expected, vec![]), "{format:?}: {patched}");
        let reset = json!({"content": null, "disable": null, "trigger": null, "extensions": {"mine": null}});
        let (reset, _) = entry(&patch_entry(&patched, format, object(&reset)).unwrap(), format);
        assert_eq!((reset.content.as_str(), reset.disabled, reset.trigger), ("", false, Trigger::Keyword));
    }
}

#[test]
fn an_edit_follows_the_names_that_the_file_uses() {
    let source = json!({"uid": 1, "key": ["a"], "enabled": true, "isConstant": false, "x": 1});
    let changes = json!({"enabled": false, "isConstant": true});
    let patched = patch_entry(&source, Format::SillyTavern, object(&changes)).unwrap();
    let expected = json!({"uid": 1, "key": ["a"], "disable": true, "enabled": false, "constant": true, "isConstant": true, "x": 1});
    assert_eq!(patched, expected);
}

/// SillyTavern goes by slashes; cards V3 and RisuAI say it of all keys at once, and mean it.
#[test]
fn whether_a_key_between_slashes_is_a_pattern_is_for_the_format_to_say() {
    let of_tavern = json!({"selectiveLogic": 0});
    for (format, source, use_regex) in [
        (Format::LorebookV3, json!({"keys": ["/龙/"], "use_regex": false}), Some(false)),
        (Format::CardV3, json!({"keys": ["/龙/"], "use_regex": false}), Some(false)),
        (Format::CardV3, json!({"keys": ["x"], "secondary_keys": ["/龙/"], "use_regex": false}), Some(false)),
        (
            Format::CardV3,
            json!({"keys": ["龙"], "content": "@@exclude_keys /a/\nb", "use_regex": false}),
            Some(false),
        ),
        (Format::CardV3, json!({"keys": ["/龙/"], "use_regex": true}), Some(true)),
        (Format::CardV3, json!({"keys": ["/龙/"]}), None),
        (Format::CardV2, json!({"keys": ["/龙/"]}), None),
        (Format::Risu, json!({"key": "/dragon/", "useRegex": false}), Some(false)),
        (Format::Risu, json!({"key": "/dragon/"}), None),
        // Nothing between slashes: it makes no difference.
        (Format::CardV3, json!({"keys": ["龙"], "use_regex": false}), None),
        // What SillyTavern writes into every entry of a card, and what nobody says in its own books.
        (Format::CardV3, json!({"keys": ["/龙/"], "use_regex": false, "extensions": of_tavern}), None),
        (Format::CardV3, json!({"keys": ["/龙/"], "use_regex": true, "extensions": of_tavern}), None),
        (Format::SillyTavern, json!({"key": ["/龙/"]}), None),
        (Format::SillyTavern, json!({"key": ["/龙/"], "use_regex": false}), None),
        (
            Format::SillyTavern,
            json!({"key": ["/龙/"], "extensions": {"reverie": {"use_regex": false}}}),
            Some(false),
        ),
    ] {
        assert_eq!(entry(&source, format).0.use_regex, use_regex, "{format:?} {source}");
    }
}

#[test]
fn kinds_of_generation_that_nobody_knows_are_kept_and_told() {
    let source = json!({"key": ["a"], "triggers": ["swipe", "dream", "continue"]});
    let (read, warnings) = entry(&source, Format::SillyTavern);
    assert_eq!(read.generations, ["swipe", "dream", "continue"]);
    let told: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("dream") && told[0].contains("normal, continue, impersonate"), "{told:?}");
}
