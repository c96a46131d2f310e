//! Are lists paged without a gap and without a double?

use serde_json::{Value, json};

use crate::host::{Host, encode};

/// All pages of a list, joined.
fn pages(host: &Host, list: &str, limit: usize) -> Vec<Value> {
    let mut all = Vec::new();
    let mut cursor = String::new();
    for _ in 0..100 {
        let join = if list.contains('?') { '&' } else { '?' };
        let page = host.get(&format!("{list}{join}limit={limit}{cursor}"));
        let items = page["items"].as_array().expect("items").clone();
        assert!(items.len() <= limit);
        all.extend(items);
        match page["next"].as_str() {
            Some(next) => cursor = format!("&cursor={}", encode(next)),
            None => return all,
        }
    }
    panic!("{list} never ends");
}

#[test]
fn every_list_is_whole_in_pages_of_any_size() {
    let host = Host::new();
    let odd = ["a", "b b", "c/c", "d&d", "é", "ü%", "中文", "日本", "🦊"];
    for world in odd {
        host.done("PUT", &format!("/v1/worlds/{}", encode(world)), "{}");
    }
    let world = "/v1/worlds/a";
    for id in odd {
        host.done("PUT", &format!("{world}/characters/{}", encode(id)), "{}");
        host.done("PUT", &format!("{world}/checkpoints/{}", encode(id)), "");
        host.done(
            "POST",
            &format!("{world}/conversations"),
            &json!({"id": id, "name": id, "participants": [id, "a"]}).to_string(),
        );
    }
    let lines: Vec<Value> = (0..9)
        .map(|n| json!({"speaker": "a", "attribute": "user", "content": n.to_string(), "witnesses": ["a"]}))
        .collect();
    let path = format!("{world}/conversations/a/lines");
    host.done("POST", &path, &json!({"lines": lines}).to_string());
    host.done("POST", &path, &json!({"lines": lines, "swipe_of": "5"}).to_string());
    for (list, count) in [
        ("/v1/worlds", 9),
        ("/v1/worlds/a/characters", 9),
        ("/v1/worlds/a/checkpoints", 9),
        ("/v1/worlds/a/conversations", 9),
        ("/v1/worlds/a/conversations/a/lines", 13),
        ("/v1/worlds/a/conversations/a/lines?newest=true", 13),
        ("/v1/worlds/a/conversations/a/lines?as=a", 13),
        ("/v1/worlds/a/conversations/a/lines?as=b", 0),
        ("/v1/worlds/a/conversations/a/lines?tree=true", 18),
        ("/v1/worlds/a/conversations/a/lines?tree=true&newest=true", 18),
        ("/v1/worlds/a/conversations/a/lines?children_of=4", 2),
    ] {
        let whole = pages(&host, list, 1000);
        assert_eq!(whole.len(), count, "{list}");
        let mut ids: Vec<String> = whole.iter().map(|item| item["id"].to_string()).collect();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), count, "{list}");
        for limit in [1, 2, 3, 8, 9, 10] {
            assert_eq!(pages(&host, list, limit), whole, "{list} by {limit}");
        }
    }
}

#[test]
fn a_page_has_bounds() {
    let host = Host::with_world("{}");
    for (query, status) in [
        ("limit=0", 400),
        ("limit=1001", 400),
        ("limit=-1", 400),
        ("limit=x", 400),
        ("limit=1&limit=2", 400),
        ("size=1", 400),
        ("limit=1000", 200),
        ("cursor=anything", 200),
        ("cursor=", 200),
    ] {
        for list in [
            "/v1/worlds",
            "/v1/worlds/w/characters",
            "/v1/worlds/w/checkpoints",
            "/v1/worlds/w/conversations",
        ] {
            assert_eq!(host.send("GET", &format!("{list}?{query}"), "").0, status, "{list}?{query}");
        }
    }
    for n in 0..101 {
        host.done("PUT", &format!("/v1/worlds/w/checkpoints/{n:03}"), "");
    }
    let page = host.get("/v1/worlds/w/checkpoints");
    assert_eq!(page["items"].as_array().map(Vec::len), Some(100), "100 where the query says nothing");
    assert_eq!(page["next"], "099");
}
