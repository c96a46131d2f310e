//! Vectors that cannot be read or written: do prompts and digest go on without, say so, and find back by themselves?

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use reverie::breaker::State;
use reverie::clock::Clock;
use reverie::{Api, Engine, Limits, Options, Request, Slice, SqliteStore};
use reverie_testkit::letters::LetterEmbedder;
use serde_json::{Value, json};

struct Hands(AtomicI64);

impl Clock for Hands {
    fn now_ms(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }
}

fn call(api: &Api, method: &str, path: &str, body: Value) -> Value {
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let (path, query) = (path.to_owned(), query.to_owned());
    let request = Request { method: method.to_owned(), path, query, body: body.to_string().into_bytes() };
    let response = api.dispatch(&request);
    let text = String::from_utf8(response.body).unwrap();
    assert!(response.status < 300, "{method}: {text}");
    serde_json::from_str(&text).unwrap_or_default()
}

/// Codes of what a prompt went on without.
fn degraded(api: &Api) -> Vec<String> {
    let cue = json!({"character": "小雪", "participants": ["小雪", "莱姆"], "message": {"content": "今晚吃四川火锅吧", "speaker": "莱姆"}});
    let recall = call(api, "POST", "/v1/worlds/w/recall", cue);
    assert!(recall["messages"].to_string().contains("四川火锅"), "there is a prompt");
    let all = recall["degraded"].as_array().cloned().unwrap_or_default();
    all.iter().filter_map(|one| one["code"].as_str().map(str::to_owned)).collect()
}

#[test]
fn prompts_and_digest_go_on_without_vectors() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let hands = Arc::new(Hands(AtomicI64::new(1_714_910_400_000)));
    let store = Arc::new(SqliteStore::open(&path, Options::default()).unwrap());
    let engine = Engine::new(store, hands.clone(), Limits::default())
        .reading_books(reverie_api::library::read_book)
        .embedding_with(Arc::new(LetterEmbedder::new("letters")));
    let api = Api::new(Arc::new(engine), 1 << 20);
    let engine = api.engine();
    call(&api, "PUT", "/v1/worlds/w", json!({}));
    call(
        &api,
        "PUT",
        "/v1/books/b",
        json!({"entries": {"0": {"uid": 0, "key": [], "content": "四川火锅要配香油蒜泥", "vectorized": true}}}),
    );
    call(&api, "PUT", "/v1/worlds/w/lore/b", json!({}));
    call(&api, "POST", "/v1/worlds/w/conversations", json!({"id": "c", "participants": ["小雪", "莱姆"]}));

    let file = rusqlite::Connection::open(&path).unwrap();
    file.execute_batch(
        "ALTER TABLE entry_vector RENAME TO gone; ALTER TABLE memory_vector RENAME TO gone_too",
    )
    .unwrap();
    for round in 1..=4 {
        let lines =
            json!({"lines": [{"speaker": "莱姆", "attribute": "user", "content": format!("第{round}次")}]});
        call(&api, "POST", "/v1/worlds/w/conversations/c/lines", lines);
        let done = engine.digest(&Slice { world: None, now: true, go_on: &|| true }).unwrap();
        assert_eq!((done.memories, done.failed.len()), (1, 0), "round {round} is remembered");
        assert!(done.not_embedded.is_some(), "and what is missing is said");
        assert!(degraded(&api).contains(&"vectors_unavailable".to_owned()), "{:?}", degraded(&api));
    }
    let health = engine.vectors_health();
    assert_eq!((health.name.as_str(), health.state), ("vectors", State::Open));
    let told = health.last_failure.unwrap().message;
    assert!(!told.contains('第'), "no dialogue in it: {told}");

    file.execute_batch(
        "ALTER TABLE gone RENAME TO entry_vector; ALTER TABLE gone_too RENAME TO memory_vector",
    )
    .unwrap();
    assert!(degraded(&api).contains(&"vectors_unavailable".to_owned()), "they are left alone for a while");
    hands.0.fetch_add(600_000, Ordering::SeqCst);
    let done = engine.digest(&Slice { world: None, now: true, go_on: &|| true }).unwrap();
    assert_eq!(done.not_embedded, None);
    assert_eq!(engine.vectors_health().state, State::Closed);
    let degraded = degraded(&api);
    assert!(
        !degraded.iter().any(|code| code.starts_with("vectors") || code.starts_with("lore")),
        "{degraded:?}"
    );
}
