//! Which names can an embedder have, and what becomes of vectors of an older table?

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::sync::Arc;

use reverie::{Api, Code, Engine, Limits, Memory, Options, Request, Slice, SqliteStore, SystemClock};
use reverie_testkit::letters::LetterEmbedder;
use serde_json::{Value, json};

fn open(folder: &Path, prepare: impl FnOnce(Engine) -> Engine) -> Memory {
    let address = format!("sqlite:{}", folder.join("memory.db").display());
    reverie::open_prepared(&address, Default::default(), prepare).unwrap()
}

fn call(memory: &Memory, method: &str, path: &str, body: Value) -> Value {
    let request = Request {
        method: method.to_owned(),
        path: path.to_owned(),
        query: String::new(),
        body: body.to_string().into_bytes(),
    };
    let response = Api::new(Arc::clone(memory.engine()), 1 << 20).dispatch(&request);
    let text = String::from_utf8(response.body).unwrap();
    assert!(response.status < 300, "{method} {path}: {text}");
    serde_json::from_str(&text).unwrap_or_default()
}

/// A world that wants none must not get one.
#[test]
fn a_name_that_means_something_else_is_refused() {
    for (name, is_free) in
        [("none", false), ("default", false), ("", false), ("offline", true), ("mine", true), ("无", true)]
    {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&folder.path().join("memory.db"), Options::default()).unwrap();
        let engine = Engine::new(Arc::new(store), Arc::new(SystemClock), Limits::default());
        let named = engine.embedding_by(name, Arc::new(LetterEmbedder::new("letters")));
        let refused = named.err().map(|error| (error.code(), error.hint_text().is_some()));
        assert_eq!(refused, (!is_free).then_some((Code::Invalid, true)), "{name}");
    }
}

#[test]
fn vectors_of_an_older_table_are_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let old = "reverie-offline-zh-en-256-v1";
    for (is_old, expected) in [(true, old), (false, "reverie-offline-zh-en-256-v2")] {
        let memory = open(folder.path(), |engine| match is_old {
            true => engine.embedding_offline(Arc::new(LetterEmbedder::new(old))),
            false => engine,
        });
        if is_old {
            call(&memory, "PUT", "/v1/worlds/w", json!({}));
            let event = json!({"text": "我最爱吃四川火锅", "witnesses": ["小雪", "莱姆"]});
            call(&memory, "POST", "/v1/worlds/w/events", event);
        }
        memory.engine().digest(&Slice { world: None, now: true, go_on: &|| true }).unwrap();
        let stats = call(&memory, "GET", "/v1/worlds/w/stats", Value::Null);
        let spaces: Vec<String> = stats
            .pointer("/embedding/by_space")
            .and_then(Value::as_object)
            .unwrap()
            .keys()
            .cloned()
            .collect();
        assert_eq!(spaces, [expected]);
    }
}
