//! Are memories listed as they happened, page by page; and are summaries told apart that only repeat one memory?

use serde_json::Value;

use crate::host::{Host, encode};
use crate::script::{talk, talk_to};

/// Written down in another order than it happened; the last two at no tick.
const STORY: &str = r#"
    PUT /v1/worlds/w {}
      200
    POST /v1/worlds/w/characters/ann/memories {"text":"The wedding","kind":"semantic","time":"2026-03-01T00:00:00Z"}
      201 {"id":"1","tick":null}
    POST /v1/worlds/w/characters/ann/memories {"text":"むかしの海","kind":"trait","time":"1999-01-01T00:00:00Z"}
      201 {"id":"2","tick":null}
    POST /v1/worlds/w/characters/ann/memories {"text":"昨天的雨","kind":"goal","tick":500,"time":"2026-02-01T00:00:00Z"}
      201 {"id":"3"}
    POST /v1/worlds/w/characters/ann/memories {"text":"The first day","kind":"semantic","tick":-5,"time":"2026-04-01T00:00:00Z"}
      201 {"id":"4"}
    POST /v1/worlds/w/characters/ann/memories {"text":"同一时刻","kind":"semantic","tick":500,"time":"2026-02-01T00:00:00Z"}
      201 {"id":"5"}
    POST /v1/worlds/w/characters/ann/memories {"text":"Lost","kind":"semantic","tick":100,"time":"2026-01-01T00:00:00Z"}
      201 {"id":"6"}
    DELETE /v1/worlds/w/memories/6
      204"#;

/// All pages of a list, joined; the ids of memories.
fn listed(host: &Host, query: &str, limit: usize) -> Vec<String> {
    let (mut all, mut cursor) = (Vec::new(), String::new());
    for _ in 0..20 {
        let page = host.get(&format!("/v1/worlds/w/characters/ann/memories?limit={limit}&{query}{cursor}"));
        all.extend(ids(&page));
        match page["next"].as_str() {
            Some(next) => cursor = format!("&cursor={}", encode(next)),
            None => return all,
        }
    }
    panic!("{query} never ends");
}

fn ids(page: &Value) -> Vec<String> {
    let items = page["items"].as_array().expect("items").iter();
    items.map(|item| item["id"].as_str().expect("an id").to_owned()).collect()
}

#[test]
fn memories_are_listed_as_they_happened() {
    let host = Host::with_world("{}");
    talk_to(&host, STORY);
    for (query, expected) in [
        ("", ["1", "2", "3", "4", "5"].as_slice()),
        ("order=made", &["1", "2", "3", "4", "5"]),
        ("order=time", &["2", "3", "5", "1", "4"]),
        ("order=tick", &["2", "1", "4", "3", "5"]),
        ("order=time&all=true", &["2", "6", "3", "5", "1", "4"]),
        ("order=tick&all=true", &["2", "1", "4", "6", "3", "5"]),
        ("order=time&kind=semantic", &["5", "1", "4"]),
        ("order=tick&from_tick=0", &["3", "5"]),
    ] {
        for limit in [1, 2, 100] {
            assert_eq!(listed(&host, query, limit), expected, "{query} by {limit}");
            let mut newest = listed(&host, &format!("{query}&newest=true"), limit);
            newest.reverse();
            assert_eq!(newest, expected, "{query}, the last first, by {limit}");
        }
    }
}

/// Somebody forgets what a page ended with, and goes on reading.
#[test]
fn a_page_goes_on_where_it_ended_whatever_became_of_it() {
    let host = Host::with_world("{}");
    talk_to(&host, STORY);
    let list = "/v1/worlds/w/characters/ann/memories?order=time&limit=2";
    let first = host.get(list);
    assert_eq!(ids(&first), ["2", "3"]);
    host.send("DELETE", "/v1/worlds/w/memories/3", "");
    let next = first["next"].as_str().expect("more");
    assert_eq!(ids(&host.get(&format!("{list}&cursor={}", encode(next)))), ["5", "1"]);
}

#[test]
fn what_is_no_order_or_of_another_one_is_refused() {
    let list = "/v1/worlds/w/characters/ann/memories";
    for query in [
        "order=age",
        "order=time&cursor=3",
        "order=made&cursor=5.3",
        "order=tick&cursor=5.3",
        "order=time&cursor=x.3",
        "order=tick&cursor=..",
        "order=time&cursor=99999999999999999999.3",
        "repeats=perhaps",
    ] {
        let host = Host::with_world("{}");
        talk_to(&host, STORY);
        assert_eq!(host.send("GET", &format!("{list}?{query}"), "").0, 400, "{query}");
    }
}

/// A day with one event, and a day with two; each is all of an era.
#[test]
fn a_summary_of_one_memory_alone_repeats_it() {
    talk(
        r#"
        POST /v1/worlds/w/events {"text":"The ferry sank off the cape","witnesses":["ann","bob"],"time":"2023-04-27T10:00:00Z"}
          201 {"id":"1"}
        POST /v1/worlds/w/events {"text":"渡し舟が戻った","witnesses":["ann"],"time":"2023-08-01T10:00:00Z"}
          201 {"id":"2"}
        POST /v1/worlds/w/events {"text":"码头修好了","witnesses":["ann"],"time":"2023-08-01T12:00:00Z"}
          201 {"id":"3"}
        POST /v1/worlds/w/digest {"now":true}
          200
        GET /v1/worlds/w/characters/ann/stats
          200 {"memories":7,"repeats":3,"by_layer":{"situational":3,"events":2,"archive":2}}
        GET /v1/worlds/w/characters/ann/timeline?repeats=false
          200 {"memories":4}
        GET /v1/worlds/w/characters/ann/memories?repeats=true
          200 {"items":[{"origin":"day","from":["1"]},{"origin":"era"},{"origin":"era"}]}
        GET /v1/worlds/w/characters/ann/memories?repeats=true&all=true
          200 {"items":[{"origin":"day"},{"origin":"era"},{"origin":"era"}]}
        GET /v1/worlds/w/characters/ann/memories?repeats=false&order=time
          200 {"items":[{"id":"1"},{"id":"2"},{"id":"3"},{"origin":"day","from":["2","3"]}]}
        GET /v1/worlds/w/characters/ann/memories?repeats=false&q=ferry&by=mind&about=bob
          200 {"items":[{"id":"1"}]}
        GET /v1/worlds/w/characters/ann/memories?repeats=false&q=ferry
          200 {"items":[{"id":"1"}]}
        GET /v1/worlds/w/characters/ann/map
          200 {"memories":4,"of_all_times":4}
        GET /v1/worlds/w/stats
          200 {"by_character":{"items":[{"memories":7,"repeats":3},{"memories":3,"repeats":2}]}}
        GET /v1/worlds/w/characters/bob/stats
          200 {"memories":3,"repeats":2}
        "#,
    );
}
