//! Are memories found by what they are, when they were and who shares them; counted alike; and is none of it another's?

use serde_json::{Value, json};

use crate::host::{Host, encode};
use crate::script::{talk, talk_to};

/// Every text speaks of the lighthouse, so that a search with these words finds what the filters let through.
const WORLD: &str = r#"
    PUT /v1/worlds/w {"settings":{"layers":{"situational":{"capacity":2}}}}
      200
    POST /v1/worlds/w/events {"text":"The lighthouse was built","witnesses":["ann"],"time":"2026-01-01T00:00:00Z","about":["cid"]}
      201 {"id":"1","tick":null}
    POST /v1/worlds/w/events {"text":"The lighthouse burnt","witnesses":["ann","bob"],"emotions":["fear","grief"],"tick":100,"time":"2026-01-02T00:00:00Z"}
      201 {"id":"2"}
    POST /v1/worlds/w/events {"text":"lighthouse: 灯塔修好了","witnesses":["ann","bob","cid"],"emotions":["喜悦"],"tick":200,"time":"2026-01-03T00:00:00Z","about":["bob"]}
      201 {"id":"3"}
    POST /v1/worlds/w/characters/ann/memories {"text":"The lighthouse is 20 m high","kind":"semantic","pinned":true,"tick":200,"time":"2026-01-03T12:00:00Z"}
      201 {"id":"4"}
    POST /v1/worlds/w/events {"text":"lighthouse: 灯台に鳥が来た","witnesses":["ann","cid"],"emotions":["喜悦","静か"],"tick":300,"time":"2026-01-04T00:00:00Z"}
      201 {"id":"5"}
    POST /v1/worlds/w/characters/ann/memories {"text":"I fear the lighthouse","kind":"trait","emotion":"fear","tick":300,"time":"2026-01-05T00:00:00Z"}
      201 {"id":"6"}
    DELETE /v1/worlds/w/memories/5?holder=ann
      204
    POST /v1/worlds/w/events {"text":"A secret about the lighthouse","witnesses":["bob"],"emotion":"fear","tick":300}
      201 {"id":"7"}
    PUT /v1/worlds/v {}
      201
    POST /v1/worlds/v/events {"text":"Another lighthouse","witnesses":["ann","bob","dan"],"emotion":"fear","tick":100}
      201 {"id":"1"}"#;

/// What filters let through of what Ann has.
const FILTERS: &[(&str, &[&str])] = &[
    ("", &["1", "2", "3", "4", "6"]),
    ("all=true", &["1", "2", "3", "4", "5", "6"]),
    ("emotion=fear", &["2", "6"]),
    ("emotion=喜悦", &["3"]),
    ("emotion=喜悦&all=true", &["3", "5"]),
    ("emotion=静か&emotion=grief&all=true", &["2", "5"]),
    ("emotion=fea", &[]),
    ("emotion=Fear", &[]),
    ("emotion=fear%0Agrief", &[]),
    ("emotion=", &["1", "2", "3", "4", "6"]),
    ("from=2026-01-02T00:00:00Z", &["2", "3", "4", "6"]),
    ("to=2026-01-02T00:00:00Z", &["1"]),
    ("from=2026-01-02T08:00:00%2B08:00&to=2026-01-03T12:00:00Z", &["2", "3"]),
    ("from=2026-01-03T00:00:00Z&to=2026-01-03T00:00:00Z", &[]),
    ("from=2026-01-03T12:00:00Z&all=true", &["4", "5", "6"]),
    ("from_tick=200", &["3", "4", "6"]),
    ("to_tick=300", &["2", "3", "4"]),
    ("from_tick=-5&to_tick=101", &["2"]),
    ("from_tick=201&all=true", &["5", "6"]),
    ("pinned=true", &["4"]),
    ("pinned=false", &["1", "2", "3", "6"]),
    ("pinned=false&all=true", &["1", "2", "3", "5", "6"]),
    ("dormant=true", &["1"]),
    ("dormant=false", &["2", "3", "4", "6"]),
    ("dormant=true&all=true", &["1"]),
    ("dormant=false&forgotten=true", &[]),
    ("shared_with=bob", &["2", "3"]),
    ("shared_with=cid", &["3"]),
    ("shared_with=cid&all=true", &["3", "5"]),
    ("shared_with=ann", &["1", "2", "3", "4", "6"]),
    ("forgotten=true", &["5"]),
    ("forgotten=true&all=true", &["5"]),
    ("forgotten=false", &["1", "2", "3", "4", "6"]),
    ("forgotten=true&shared_with=cid&emotion=静か&from_tick=300&pinned=false", &["5"]),
    ("forgotten=true&shared_with=bob", &[]),
    ("kind=episodic&layer=situational&about=bob&emotion=喜悦&shared_with=cid&dormant=false", &["3"]),
    ("about=cid&from_tick=0", &[]),
    ("about=bob&to_tick=200", &["2"]),
    ("about=bob&about=cid&pinned=false&all=true", &["1", "2", "3", "5"]),
    ("kind=trait&kind=semantic&pinned=false", &["6"]),
];

fn world() -> Host {
    let host = Host::with_world("{}");
    talk_to(&host, WORLD);
    host
}

/// `emotion=喜悦` as it stands in an address.
fn query_of(filters: &str) -> String {
    let one = |pair: &str| match pair.split_once('=') {
        Some((name, value)) if !value.contains('%') => format!("{name}={}", encode(value)),
        _ => pair.to_owned(),
    };
    filters.split('&').filter(|pair| !pair.is_empty()).map(one).collect::<Vec<_>>().join("&")
}

/// All pages of a list, joined.
fn listed(host: &Host, list: &str, limit: usize) -> Vec<String> {
    let (mut all, mut cursor) = (Vec::new(), String::new());
    for _ in 0..50 {
        let page = host.get(&format!("{list}&limit={limit}{cursor}"));
        let items = page["items"].as_array().expect("items");
        assert!(items.len() <= limit, "{list}");
        all.extend(items.iter().filter_map(|item| item["id"].as_str().map(str::to_owned)));
        match page["next"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return all,
        }
    }
    panic!("{list} never ends");
}

#[test]
fn filters_mean_the_same_in_lists_searches_and_timelines() {
    let host = world();
    for (filters, expected) in FILTERS {
        let query = query_of(filters);
        let of_ann = |rest: &str| format!("/v1/worlds/w/characters/ann/{rest}{query}");
        let list = of_ann("memories?");
        for limit in [1, 2, 100] {
            assert_eq!(listed(&host, &list, limit), *expected, "{filters} by {limit}");
            let mut newest = listed(&host, &of_ann("memories?newest=true&"), limit);
            newest.reverse();
            assert_eq!(newest, *expected, "{filters}, the newest first, by {limit}");
            let mut found = listed(&host, &of_ann("memories?q=lighthouse&"), limit);
            found.sort();
            assert_eq!(found, *expected, "{filters}, searched, by {limit}");
        }
        let can_come_to_mind = !filters.contains("all=true") && !filters.contains("forgotten=true");
        let by_mind = of_ann("memories?q=lighthouse&by=mind&");
        if can_come_to_mind {
            let mut found = listed(&host, &by_mind, 2);
            found.sort();
            assert_eq!(found, *expected, "{filters}, by mind");
        } else {
            assert_eq!(host.send("GET", &by_mind, "").0, 400, "{filters}");
        }
        for (by, undated) in [("time", 0), ("tick", usize::from(expected.contains(&"1")))] {
            let timeline = host.get(&of_ann(&format!("timeline?buckets=3&by={by}&")));
            assert_eq!(timeline["memories"], expected.len(), "{filters} {timeline}");
            assert_eq!(timeline["undated"], undated, "{filters} {timeline}");
            assert_eq!(sum(&timeline), expected.len() - undated, "{filters} {timeline}");
        }
    }
}

/// What is in the buckets, each of which must be its kinds, and must begin where the one before ends.
fn sum(timeline: &Value) -> usize {
    let buckets = timeline["buckets"].as_array().expect("buckets");
    let count = |value: &Value| usize::try_from(value.as_u64().expect("a number")).expect("few");
    assert!(buckets.windows(2).all(|two| two[0]["to"] == two[1]["from"]), "{timeline}");
    let ends = (timeline.get("from"), timeline.get("to"));
    let outer = (buckets.first().map(|first| &first["from"]), buckets.last().map(|last| &last["to"]));
    assert_eq!(outer, ends, "{timeline}");
    let of_bucket = |bucket: &Value| {
        let kinds = bucket["by_kind"].as_object().expect("kinds").values();
        assert_eq!(count(&bucket["memories"]), kinds.map(count).sum::<usize>(), "{bucket}");
        count(&bucket["memories"])
    };
    buckets.iter().map(of_bucket).sum()
}

#[test]
fn filters_that_make_no_sense_are_refused() {
    let host = world();
    talk_to(
        &host,
        r#"
        GET /v1/worlds/w/characters/ann/memories?from=yesterday
          400 invalid ~ RFC 3339
        GET /v1/worlds/w/characters/ann/memories?from=2026-01-03T00:00:00Z&to=2026-01-02T00:00:00Z
          400 invalid ~ from lies behind to
        GET /v1/worlds/w/characters/ann/timeline?from_tick=2&to_tick=1
          400 invalid ~ from_tick lies behind to_tick
        GET /v1/worlds/w/characters/ann/memories?from_tick=soon
          400 invalid ~ whole number
        GET /v1/worlds/w/characters/ann/memories?to_tick=9007199254740993
          400 invalid ~ 2^53
        GET /v1/worlds/w/characters/ann/memories?pinned=perhaps
          400 invalid ~ true or false
        GET /v1/worlds/w/characters/ann/memories?dormant=1
          400 invalid ~ true or false
        GET /v1/worlds/w/characters/ann/memories?shared_with=nobody
          404 not_found ~ nobody
        GET /v1/worlds/w/characters/ann/memories?shared_with=dan
          404 not_found ~ dan
        GET /v1/worlds/w/characters/ann/memories?shared_with=bob&shared_with=cid
          400 invalid ~ twice
        GET /v1/worlds/w/characters/ann/memories?q=x&by=mind&forgotten=true
          400 invalid ~ search by words
        GET /v1/worlds/w/characters/ann/timeline?q=x
          400 invalid ~ unknown query parameter
        GET /v1/worlds/w/characters/ann/timeline?buckets=401
          400 invalid ~ from 1 to 400
        GET /v1/worlds/w/characters/ann/timeline?buckets=0
          400 invalid ~ from 1 to 400
        GET /v1/worlds/w/characters/ann/timeline?by=day
          400 invalid ~ time or tick
        GET /v1/worlds/w/characters/nobody/timeline
          404 not_found
        GET /v1/worlds/w/characters/dan/stats
          404 not_found
        GET /v1/worlds/nowhere/characters/ann/stats
          404 not_found
        GET /v1/worlds/w/lines/1/memories
          404 not_found
        GET /v1/worlds/w/lines/x/memories
          404 not_found"#,
    );
}

#[test]
fn a_timeline_has_stretches_of_equal_length() {
    let host = world();
    talk_to(
        &host,
        r#"
        GET /v1/worlds/w/characters/ann/timeline?buckets=2
          200 {"by":"tick","from":100,"to":301,"memories":5,"undated":1,"buckets":[
               {"from":100,"to":201,"memories":3,"by_kind":{"episodic":2,"semantic":1,"trait":null}},
               {"from":201,"to":301,"memories":1,"by_kind":{"trait":1,"episodic":null}}]}
        GET /v1/worlds/w/characters/ann/timeline?by=time&buckets=2
          200 {"by":"time","from":"2026-01-01T00:00:00.000Z","to":"2026-01-05T00:00:00.001Z","memories":5,"undated":0,"buckets":[
               {"from":"2026-01-01T00:00:00.000Z","to":"2026-01-03T00:00:00.001Z","memories":3,"by_kind":{"episodic":3}},
               {"from":"2026-01-03T00:00:00.001Z","to":"2026-01-05T00:00:00.001Z","memories":2,"by_kind":{"semantic":1,"trait":1}}]}
        GET /v1/worlds/w/characters/ann/timeline?from_tick=0&to_tick=400&buckets=4
          200 {"from":0,"to":400,"memories":4,"buckets":[{"from":0,"to":100,"memories":0,"by_kind":{}},{"from":100,"to":200,"memories":1},
               {"from":200,"to":300,"memories":2},{"from":300,"to":400,"memories":1}]}
        GET /v1/worlds/w/characters/ann/timeline?emotion=grief&buckets=60
          200 {"from":100,"to":101,"buckets":[{"from":100,"to":101,"memories":1}]}
        GET /v1/worlds/w/characters/ann/timeline?forgotten=true
          200 {"from":300,"to":301,"memories":1,"buckets":[{"memories":1,"by_kind":{"episodic":1}}]}
        GET /v1/worlds/w/characters/ann/timeline?emotion=none
          200 {"from":null,"to":null,"memories":0,"undated":0,"buckets":[]}
        GET /v1/worlds/w/characters/ann/timeline?emotion=none&from_tick=0&to_tick=9&buckets=3
          200 {"by":"tick","from":0,"to":9,"buckets":[{"from":0,"to":3,"memories":0},{"from":3,"to":6},{"from":6,"to":9}]}
        GET /v1/worlds/w/characters/ann/timeline?from=2026-01-05T00:00:00Z&to=2026-01-06T00:00:00Z&buckets=1
          200 {"by":"time","from":"2026-01-05T00:00:00.000Z","to":"2026-01-06T00:00:00.000Z","buckets":[{"memories":1,"by_kind":{"trait":1}}]}
        PUT /v1/worlds/quiet {}
          201
        PUT /v1/worlds/quiet/characters/ann {}
          201
        GET /v1/worlds/quiet/characters/ann/timeline
          200 {"by":"time","memories":0,"buckets":[]}
        POST /v1/worlds/quiet/events {"text":"The end of time","witnesses":["ann"],"time":"9999-12-31T23:59:59.999Z"}
          201
        GET /v1/worlds/quiet/characters/ann/timeline
          200 {"by":"time","from":"9999-12-31T23:59:59.999Z","buckets":[{"memories":1}]}"#,
    );
    let many = host.get("/v1/worlds/w/characters/ann/timeline?by=time");
    assert_eq!(many["buckets"].as_array().map(Vec::len), Some(60), "where the query says nothing");
}

#[test]
fn a_character_is_counted_by_what_one_would_look_for() {
    let host = world();
    let of = |who: &str| host.get(&format!("/v1/worlds/w/characters/{who}/stats"));
    assert_eq!(
        of("ann"),
        json!({"character": "ann", "memories": 5, "by_kind": {"episodic": 3, "semantic": 1, "trait": 1},
            "by_layer": {"situational": 3}, "pinned": 1, "dormant": {"crowded": 1, "faded": 0, "past": 0},
            "emotions": {"fear": 2, "grief": 1, "喜悦": 1},
            "people": {"ann": 3, "bob": 2, "cid": 1},
            "repeats": 0, "forgotten": 1,
            "first": {"tick": 100, "time": "2026-01-01T00:00:00.000Z"},
            "last": {"tick": 300, "time": "2026-01-05T00:00:00.000Z"}})
    );
    assert_eq!(
        of("bob")["emotions"],
        json!({"fear": 2, "grief": 1, "喜悦": 1}),
        "and no secret of Bob's is Ann's"
    );
    host.done("PUT", "/v1/worlds/w/characters/eve", "{}");
    assert_eq!(
        of("eve"),
        json!({"character": "eve", "memories": 0, "by_kind": {}, "by_layer": {}, "pinned": 0,
            "dormant": {"crowded": 0, "faded": 0, "past": 0}, "emotions": {}, "people": {}, "repeats": 0,
            "forgotten": 0})
    );
    // The same as in the overview.
    let overview = host.get("/v1/worlds/w/stats?limit=1");
    let mut one = of("ann");
    let more = one.as_object_mut().expect("an object");
    more.retain(|name, _| overview["by_character"]["items"][0].get(name).is_some());
    assert_eq!(overview["by_character"]["items"][0], one);
    // Whoever was deleted is nobody to choose.
    host.done("DELETE", "/v1/worlds/w/characters/bob", "");
    assert_eq!(of("ann")["people"].get("bob"), None);
    assert!(of("ann")["people"].as_object().expect("people").keys().all(|id| !id.starts_with("deleted")));
}

/// A narrator has no mind; but who was a person before still has what that one had.
#[test]
fn who_became_a_narrator_is_listed_as_before() {
    talk(
        r#"
        POST /v1/worlds/w/events {"text":"下雨了","witnesses":["甲"],"emotion":"静"}
          201 {"id":"1"}
        PUT /v1/worlds/w/characters/甲 {"kind":"narrator"}
          200 {"kind":"narrator"}
        GET /v1/worlds/w/characters/甲/memories?emotion=静
          200 {"items":[{"id":"1","activity":1.0}]}
        GET /v1/worlds/w/characters/甲/stats
          200 {"memories":1}
        GET /v1/worlds/w/characters/甲/timeline
          200 {"memories":1}"#,
    );
}

#[test]
fn a_line_leads_to_the_memories_that_were_made_of_it() {
    let host = Host::with_world("{}");
    talk_to(
        &host,
        r#"
        POST /v1/worlds/w/conversations {"id":"c","participants":["ann","bob"]}
          201
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"ann","attribute":"user","content":"我把钥匙藏在井里"},{"speaker":"bob","attribute":"assistant","content":"Good."}]}
          201
        GET /v1/worlds/w/lines/1/memories
          200 {"items":[],"next":null}
        POST /v1/worlds/w/digest {"now":true,"slice_ms":10000}
          200 {"memories":1}
        GET /v1/worlds/w/lines/1/memories
          200 {"items":[{"id":"1","origin":"round","sources":["1","2"],"holders":[{"holder":"ann","live":true,"activity":1.0,"dormant":null},{"holder":"bob","live":true}]}],"next":null}
        GET /v1/worlds/w/lines/2/memories
          200 {"items":[{"id":"1"}]}
        DELETE /v1/worlds/w/memories/1?holder=bob
          204
        GET /v1/worlds/w/lines/1/memories
          200 {"items":[{"id":"1","holders":[{"holder":"ann","forgotten":false},{"holder":"bob","forgotten":true,"activity":null}]}]}
        PATCH /v1/worlds/w/lines/1 {"content":"我把钥匙藏在树下"}
          200
        GET /v1/worlds/w/lines/1/memories
          200 {"items":[]}
        GET /v1/worlds/w/lines/1/memories?all=true
          200 {"items":[{"id":"1","holders":[{"holder":"ann","live":false},{"holder":"bob","live":false,"forgotten":true}]}]}
        POST /v1/worlds/w/digest {"now":true,"slice_ms":10000}
          200 {"memories":1}
        PATCH /v1/worlds/w/lines/1 {"content":"我把钥匙藏在床下"}
          200
        POST /v1/worlds/w/digest {"now":true,"slice_ms":10000}
          200 {"memories":1}
        GET /v1/worlds/w/lines/1/memories
          200 {"items":[{"id":"3"}],"next":null}
        GET /v1/worlds/w/lines/1/memories?all=true&limit=2
          200 {"items":[{"id":"1"},{"id":"2"}],"next":"2"}
        GET /v1/worlds/w/lines/1/memories?all=true&limit=2&cursor=2
          200 {"items":[{"id":"3"}],"next":null}
        GET /v1/worlds/w/lines/1/memories?all=true&limit=3
          200 {"items":[{"id":"1"},{"id":"2"},{"id":"3"}],"next":null}
        GET /v1/worlds/w/lines/1/memories?limit=0
          400 invalid
        PUT /v1/worlds/w/conversations/c/head {"undo":2}
          200
        GET /v1/worlds/w/lines/1/memories
          200 {"items":[]}
        PUT /v1/worlds/v {}
          201
        GET /v1/worlds/v/lines/1/memories
          404 not_found
        DELETE /v1/worlds/w/lines/1
          204
        GET /v1/worlds/w/lines/1/memories?all=true
          404 not_found"#,
    );
    let pages = listed(&host, "/v1/worlds/w/lines/2/memories?all=true", 1);
    assert_eq!(pages, [""; 0], "what was made of a line is gone with it");
}

/// A list of much costs a look into what is at hand: it is read once, and then only what is new.
#[test]
fn a_mind_is_read_once_for_all_pages() {
    let host = world();
    let before = host.api().engine().minds_at_hand();
    for (filters, _) in FILTERS {
        let query = query_of(filters);
        for list in ["memories?limit=1&", "memories?q=lighthouse&", "timeline?"] {
            host.get(&format!("/v1/worlds/w/characters/ann/{list}{query}"));
        }
    }
    host.get("/v1/worlds/w/characters/ann/stats");
    host.get("/v1/worlds/w/memories/1");
    let after = host.api().engine().minds_at_hand();
    // Ann's, by the first of them; and it may have been there before.
    assert!(after.whole - before.whole <= 1, "{before:?} {after:?}");
    assert!(after.continued > before.continued + FILTERS.len() as u64, "{before:?} {after:?}");
}
