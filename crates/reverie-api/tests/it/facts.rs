//! Do conditions hold for the same facts at both doors, the search of books that nobody stores and the preview of a world?

use serde_json::{Value, json};

use crate::host::Host;

/// A condition, the fact as a host sends it, and what comes of it: nothing, or what is told of the fact.
fn cases() -> Vec<(Value, Value, Option<Value>)> {
    let told = |told: Value| Some(told);
    vec![
        (json!({"is": "b"}), json!(["a", "b"]), None),
        (json!({"is": "乙"}), json!(["甲", "乙"]), None),
        (json!({"is": "い"}), json!(["ろ", "は"]), told(json!({"is": ["い"], "present": ["ろ", "は"]}))),
        (json!({"is_not": "b"}), json!(["a", "b"]), told(json!({"is_not": ["b"], "present": ["a", "b"]}))),
        (json!({"is_not": "c"}), json!(["a", "b"]), None),
        (json!({"at_least": 3}), json!([1, 5]), None),
        (json!({"at_most": 0}), json!([1, 5]), told(json!({"at_most": 0.0, "present": ["1", "5"]}))),
        (json!({"is": 3}), json!(3.0), None),
        (json!({"is": 3.0}), json!(3), None),
        (json!({"is": "3"}), json!(3.0), None),
        (json!({"is": 3}), json!([2.0, 3.0]), None),
        (
            json!({"is": 9_007_199_254_740_993_u64}),
            json!(9_007_199_254_740_992_u64),
            told(json!({"is": ["9007199254740993"], "present": "9007199254740992"})),
        ),
        (json!({"set": true}), Value::Null, told(json!({"set": true, "present": ""}))),
        (json!({"set": false}), Value::Null, None),
        (json!({"set": false}), json!([]), None),
        (json!({"set": true}), json!([null, "x"]), None),
        (json!({"is_not": "x"}), Value::Null, None),
        (json!({"set": false}), json!({}), None),
        (json!({"set": true}), json!({}), told(json!({"set": true, "present": ""}))),
        (json!({"set": true}), json!({"a": 1}), None),
        (json!({"is": "{\"a\":1}"}), json!({"a": 1}), None),
        (json!({"is": true}), json!(true), None),
        (json!({"set": true}), json!(false), told(json!({"set": true, "present": "false"}))),
    ]
}

#[test]
fn both_doors_take_the_same_facts_and_tell_the_same_of_them() {
    let host = Host::with_world("{}");
    for (test, fact, expected) in cases() {
        let mut condition = json!({"fact": "f"});
        condition.as_object_mut().unwrap().extend(test.as_object().unwrap().clone());
        let book = json!({"entries": {"0": {"uid": 0, "constant": true, "content": "x", "conditions": [condition]}}});
        host.done("PUT", "/v1/books/b", &book.to_string());
        host.done("PUT", "/v1/worlds/w/lore/b", "{}");
        let facts = json!({"f": fact});
        let scan = json!({"books": [{"id": "b", "document": book}], "messages": [], "facts": facts, "explain": true});
        let cue = json!({"character": "a", "history": [], "facts": facts});
        for (door, body) in [("/v1/lore/scan", scan), ("/v1/worlds/w/lore/preview", cue)] {
            let found = host.done("POST", door, &body.to_string());
            let why = &found["why"][0];
            let (reason, detail) = match &expected {
                None => ("constant", json!({})),
                Some(told) => {
                    let mut detail = json!({"fact": "f"});
                    detail.as_object_mut().unwrap().extend(told.as_object().unwrap().clone());
                    ("condition", detail)
                }
            };
            assert_eq!(
                (&why["reason"], &why["detail"]),
                (&json!(reason), &detail),
                "{door} {condition} {fact}"
            );
        }
    }
}

/// What is in an object is a fact by its path, at every door.
#[test]
fn facts_in_objects_are_known_by_their_path() {
    let host = Host::with_world("{}");
    host.done("POST", "/v1/worlds/w/conversations", r#"{"id":"c","participants":["a","b"]}"#);
    for (fact, test, given, holds) in [
        ("quest.dragon", json!({"is": "done"}), json!({"quest": {"dragon": "done"}}), true),
        ("quest.dragon", json!({"is": "done"}), json!({"quest": {"dragon": "begun"}}), false),
        ("quest.dragon", json!({"is": "done"}), json!({"quest.dragon": "done"}), true),
        ("quest.dragon", json!({"set": true}), json!({"quest": {}}), false),
        ("quest.dragon", json!({"set": false}), json!({"quest": {"dragon": {}}}), true),
        ("quest.dragon", json!({"set": false}), json!({"quest": {"dragon": null}}), true),
        ("quest.dragon", json!({"at_least": 3}), json!({"quest": {"dragon": [1, 4]}}), true),
        ("任务.屠龙.进度", json!({"at_least": 2}), json!({"任务": {"屠龙": {"进度": 2}}}), true),
        ("任务.屠龙.进度", json!({"at_least": 2}), json!({"任务": {"屠龙": {"进度": 1}}}), false),
        ("仲間.名", json!({"is": "ゆき"}), json!({"仲間": [{"名": "そら"}, {"名": "ゆき"}]}), true),
        ("仲間.名", json!({"is_not": "ゆき"}), json!({"仲間": [{"名": "そら"}, {"名": "ゆき"}]}), false),
    ] {
        let mut condition = json!({"fact": fact});
        condition.as_object_mut().unwrap().extend(test.as_object().unwrap().clone());
        let book = json!({"entries": {"0": {"uid": 0, "constant": true, "content": "LORE", "conditions": [condition]}}});
        host.done("PUT", "/v1/books/b", &book.to_string());
        host.done("PUT", "/v1/worlds/w/lore/b", "{}");
        let scan = json!({"books": [book], "messages": [], "facts": given});
        let cue = json!({"character": "a", "conversation": "c", "facts": given});
        for (door, body, part) in [
            ("/v1/lore/scan", &scan, "active"),
            ("/v1/worlds/w/lore/preview", &cue, "active"),
            ("/v1/worlds/w/recall", &cue, "messages"),
        ] {
            let found = host.done("POST", door, &body.to_string());
            assert_eq!(found[part].to_string().contains("LORE"), holds, "{door} {condition} {given}");
        }
    }
}

/// A long name above many values would be repeated for each of them.
#[test]
fn facts_that_grow_beyond_bounds_are_refused() {
    let host = Host::with_world("{}");
    host.done("POST", "/v1/worlds/w/conversations", r#"{"id":"c","participants":["a","b"]}"#);
    let members: serde_json::Map<String, Value> = (0..1000).map(|n| (n.to_string(), json!(n))).collect();
    for given in [json!(members), json!((0..1000).collect::<Vec<_>>())] {
        let facts = json!({"名".repeat(5000): given});
        let scan = json!({"books": [], "messages": [], "facts": facts});
        let cue = json!({"character": "a", "conversation": "c", "facts": facts});
        for (door, body) in
            [("/v1/lore/scan", &scan), ("/v1/worlds/w/lore/preview", &cue), ("/v1/worlds/w/recall", &cue)]
        {
            let response = host.raw("POST", door, body.to_string().as_bytes());
            let told = String::from_utf8(response.body).unwrap();
            assert_eq!(response.status, 400, "{door}: {told}");
            assert!(told.contains("shorter names"), "{door}: {told}");
        }
    }
}

/// What is not understood lets nobody through, and says itself why.
#[test]
fn a_condition_that_cannot_be_read_says_so() {
    let host = Host::with_world("{}");
    for (condition, why) in [
        (
            json!({"fact": "place"}),
            "{\"fact\":\"place\"}: it has no test (is, is_not, set, at_least, at_most)",
        ),
        (json!("酒馆"), "\"酒馆\": a condition is an object"),
        (
            json!({"fact": "place", "like": "x"}),
            "{\"fact\":\"place\",\"like\":\"x\"}: there is no test \"like\"",
        ),
        (json!({"is": "x"}), "{\"is\":\"x\"}: a condition names a fact"),
        (json!({"fact": "場所", "is": {}}), "{\"fact\":\"場所\",\"is\":{}}: a fact is compared with texts"),
    ] {
        let book = json!({"entries": {"0": {"uid": 0, "constant": true, "content": "x", "conditions": [condition]}}});
        let scan = json!({"books": [book], "messages": [], "facts": {"place": "x"}, "explain": true});
        let found = host.done("POST", "/v1/lore/scan", &scan.to_string());
        assert_eq!(
            (&found["why"][0]["reason"], &found["why"][0]["detail"]),
            (&json!("condition"), &json!({"unreadable": why})),
            "{found}"
        );
        let told = found["problems"][0]["message"].as_str().unwrap();
        assert_eq!(told, format!("entry 0: conditions: {why}; it holds never"));
    }
}
