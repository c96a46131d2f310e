//! A character's memory from afar, over the wire; no embedder is here, so that words decide.

use serde_json::Value;

use crate::host::Host;
use crate::script::talk_to;

/// Who was there, and what happened.
const EVENTS: [(&str, &str); 9] = [
    (r#""甲","乙""#, "火锅太辣了"),
    (r#""甲""#, "又去吃火锅，点了毛肚"),
    (r#""甲","乙""#, "火锅店关门了"),
    (r#""甲""#, "灯塔的灯坏了"),
    (r#""甲""#, "修好了灯塔"),
    (r#""甲","乙""#, "灯塔上风很大"),
    (r#""甲""#, "The harbour froze over"),
    (r#""甲""#, "A ship reached the harbour"),
    (r#""乙""#, "乙的秘密：火锅店是他关的"),
];

fn host() -> Host {
    let host = Host::with_world("{}");
    for (at, (witnesses, text)) in EVENTS.iter().enumerate() {
        let tick = at * 10;
        let body = format!(
            r#"{{"text":"{text}","witnesses":[{witnesses}],"tick":{tick},"time":"2026-01-0{}T00:00:00Z"}}"#,
            at + 1
        );
        host.done("POST", "/v1/worlds/w/events", &body);
    }
    host
}

const MAP: &str = "/v1/worlds/w/characters/%E7%94%B2/map";

fn ids(map: &Value) -> Vec<&str> {
    let points = map["points"].as_array().into_iter().flatten();
    let mut ids: Vec<&str> = points.filter_map(|point| point["id"].as_str()).collect();
    ids.sort_unstable();
    ids
}

#[test]
fn what_is_alike_lies_together_and_nothing_of_others_is_there() {
    let host = host();
    let map = host.get(MAP);
    assert_eq!(
        (&map["by"], map.get("space"), &map["memories"], &map["placed"]),
        (&"words".into(), None, &8.into(), &8.into())
    );
    assert_eq!(ids(&map), ["1", "2", "3", "4", "5", "6", "7", "8"]);
    assert!(!map.to_string().contains("秘密"), "what only another remembers");
    let of = |id: &str| {
        let points = map["points"].as_array().into_iter().flatten();
        points.filter(|point| point["id"] == id).map(|point| point["cluster"].clone()).next()
    };
    for [one, other] in [["1", "2"], ["2", "3"], ["4", "5"], ["5", "6"], ["7", "8"]] {
        assert_eq!(of(one), of(other), "{map}");
    }
    assert_ne!(of("1"), of("4"));
    let words: Vec<&str> = map["clusters"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|cluster| cluster["words"][0].as_str())
        .collect();
    assert!(words.contains(&"火锅") && words.contains(&"灯塔") && words.contains(&"harbour"), "{words:?}");
    assert_eq!(host.get(MAP), map, "the same memories are the same map");
    let others = host.get("/v1/worlds/w/characters/%E4%B9%99/map");
    assert_eq!(ids(&others), ["1", "3", "6", "9"]);
}

#[test]
fn one_asks_for_a_few_for_a_stretch_of_time_or_for_one_cluster() {
    let host = host();
    let map = host.get(MAP);
    let first = &map["clusters"][0];
    assert_eq!(host.get(&format!("{MAP}?points=3"))["points"].as_array().map(Vec::len), Some(3));
    let of_one = host.get(&format!("{MAP}?cluster={}", first["id"].as_str().unwrap_or_default()));
    assert_eq!(
        of_one["points"].as_array().map(Vec::len),
        first["memories"].as_u64().map(|count| count as usize)
    );
    assert_eq!(of_one["clusters"], map["clusters"]);
    let early = host.get(&format!("{MAP}?from=2026-01-02T00:00:00Z&to=2026-01-04T00:00:00Z"));
    assert_eq!(
        (ids(&early), &early["memories"], &early["of_all_times"]),
        (vec!["2", "3"], &2.into(), &8.into())
    );
    assert_eq!(ids(&host.get(&format!("{MAP}?from_tick=60"))), ["7", "8"]);
    let place = |map: &Value| {
        map["clusters"].as_array().map(|all| all.iter().map(|one| one["x"].clone()).collect::<Vec<_>>())
    };
    assert_eq!(place(&early), place(&map), "nothing moves");
    talk_to(
        &host,
        &format!(
            r#"
        GET {MAP}?cluster=9
          404 not_found ~ get the map without
        GET {MAP}?cluster=x
          404 not_found ~ get the map without
        GET {MAP}?points=5001
          400 invalid ~ from 1 to 5000
        GET {MAP}?from=yesterday
          400 invalid ~ RFC 3339
        GET {MAP}?from_tick=noon
          400 invalid ~ whole number
        GET {MAP}?from_tick=5&to_tick=4
          400 invalid ~ the earlier one first
        GET /v1/worlds/w/characters/nobody/map
          404 not_found
        PUT /v1/worlds/w/characters/new
          201
        GET /v1/worlds/w/characters/new/map
          200 {{"by":"words","memories":0,"of_all_times":0,"placed":0,"clusters":[],"points":[]}}
        DELETE /v1/worlds/w/memories/1?holder=%E7%94%B2
          204
        GET {MAP}?points=1
          200 {{"memories":7,"placed":7}}"#
        ),
    );
}

/// What is written in a memory is told as it is, and cut; nothing of it is more than text.
#[test]
fn a_point_tells_how_its_memory_begins() {
    let host = Host::with_world("{}");
    let text = format!("<script>alert(1)</script>\\n{}", "很".repeat(200));
    host.done(
        "POST",
        "/v1/worlds/w/characters/a/memories",
        &format!(r#"{{"text":"{text}","emotions":["怒","悲"],"kind":"trait","importance":0.25}}"#),
    );
    let map = host.get("/v1/worlds/w/characters/a/map");
    let point = &map["points"][0];
    let shown = point["text"].as_str().unwrap_or_default();
    assert!(shown.starts_with("<script>alert(1)</script> 很") && shown.ends_with("很…"), "{shown}");
    assert_eq!(shown.chars().count(), 81);
    assert_eq!(
        (&point["emotion"], &point["kind"], &point["importance"]),
        (&"怒".into(), &"trait".into(), &0.25.into())
    );
    assert_eq!(map["clusters"][0]["by_emotion"], serde_json::json!({"怒": 1, "悲": 1}));
    assert_eq!(map["clusters"][0]["by_kind"], serde_json::json!({"trait": 1}));
}
