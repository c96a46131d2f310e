//! Do entries of books that no key names come up when their meaning is near, with an embedder and only with one?

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::sync::Arc;

use reverie::embed::Embedder;
use reverie::{Api, Error, Memory, Request, Result, Slice};
use reverie_testkit::letters::LetterEmbedder;
use serde_json::{Value, json};

struct Stage {
    memory: Memory,
    api: Api,
    _folder: tempfile::TempDir,
}

/// A world with a book of three entries that are found by meaning, one of them of seed 001's kind.
fn stage(embedder: Option<Arc<dyn Embedder>>) -> Stage {
    let folder = tempfile::tempdir().unwrap();
    let address = format!("sqlite:{}", folder.path().join("memory.db").display());
    let settings = if embedder.is_some() { json!({}) } else { json!({"embedder": "none"}) };
    let memory = reverie::open_prepared(&address, Default::default(), |engine| {
        embedder.into_iter().fold(engine, |engine, embedder| engine.embedding_with(embedder))
    })
    .unwrap();
    let api = Api::new(Arc::clone(memory.engine()), 1 << 20);
    let stage = Stage { memory, api, _folder: folder };
    stage.call("PUT", "/v1/worlds/w", json!({"settings": settings}));
    stage.call("PUT", "/v1/books/b", json!({"entries": {
        "0": {"uid": 0, "key": [], "content": "四川火锅要配香油蒜泥", "vectorized": true},
        "1": {"uid": 1, "key": [], "content": "The lighthouse keeper hides a silver key", "vectorized": true},
        "2": {"uid": 2, "key": [], "content": "雪之国の城には古い剣がある", "trigger": "semantic"},
        "3": {"uid": 3, "key": [], "content": "四川火锅，没有开关"},
    }}));
    stage.call("PUT", "/v1/worlds/w/lore/b", json!({}));
    stage
}

impl Stage {
    fn call(&self, method: &str, path: &str, body: Value) -> Value {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let request = Request {
            method: method.to_owned(),
            path: path.to_owned(),
            query: query.to_owned(),
            body: body.to_string().into_bytes(),
        };
        let response = self.api.dispatch(&request);
        let text = String::from_utf8(response.body).unwrap();
        assert!(response.status < 300, "{method} {path}: {text}");
        serde_json::from_str(&text).unwrap_or_default()
    }

    fn digest(&self) {
        self.memory.engine().digest(&Slice { world: None, now: true, go_on: &|| true }).unwrap();
    }

    /// Of each entry that a preview tells of as not similar, what it says about that.
    fn unlike(&self, cue: Value) -> Vec<(String, Value)> {
        let mut body = json!({"character": "小雪", "participants": ["小雪", "莱姆"]});
        body.as_object_mut().unwrap().extend(cue.as_object().unwrap().clone());
        let preview = self.call("POST", "/v1/worlds/w/lore/preview", body);
        let why = preview["why"].as_array().unwrap().iter();
        let unlike = why.filter(|why| why["reason"] == "not_similar");
        unlike
            .map(|why| (why["entry"].as_str().unwrap().to_owned(), why["detail"]["similarity"].clone()))
            .collect()
    }

    /// The entries in the prompt for a message, and what was said to be missing.
    fn recall(&self, message: &str) -> (Vec<String>, Vec<String>) {
        let cue = json!({"character": "小雪", "participants": ["小雪", "莱姆"], "message": {"content": message, "speaker": "莱姆"}});
        let recall = self.call("POST", "/v1/worlds/w/recall", cue);
        let texts = |list: &Value, key: &str| -> Vec<String> {
            let items = list.as_array().cloned().unwrap_or_default();
            items.iter().filter_map(|item| item[key].as_str().map(str::to_owned)).collect()
        };
        let lore: Vec<Value> = recall["blocks"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|block| block["position"] == "lore")
            .cloned()
            .collect();
        (texts(&Value::Array(lore), "text"), texts(&recall["degraded"], "code"))
    }
}

#[test]
fn entries_come_up_by_meaning() {
    let stage = stage(Some(Arc::new(LetterEmbedder::new("letters"))));
    let (found, degraded) = stage.recall("今晚吃四川火锅吧");
    assert!(found.is_empty());
    assert!(degraded.contains(&"lore_not_embedded".to_owned()), "{degraded:?}");
    stage.digest();
    for (message, expected) in [
        ("今晚吃四川火锅吧", "四川火锅要配香油蒜泥"),
        ("Where does the lighthouse keeper hide his key?", "The lighthouse keeper hides a silver key"),
        ("雪之国の城には古い剣がありますか", "雪之国の城には古い剣がある"),
    ] {
        let (found, degraded) = stage.recall(message);
        assert_eq!(found, [expected], "{message}");
        assert!(
            !degraded.iter().any(|code| code.starts_with("lore") || code.starts_with("embedder")),
            "{degraded:?}"
        );
    }
    assert!(stage.recall("早上好").0.is_empty());
}

/// What says nothing is not waited for; what is waited for is counted as people count.
#[test]
fn an_entry_that_says_nothing_waits_for_no_vector() {
    let stage = stage(Some(Arc::new(LetterEmbedder::new("letters"))));
    let missing = || {
        let cue =
            json!({"character": "小雪", "participants": ["小雪", "莱姆"], "message": "今晚吃四川火锅吧"});
        let degraded = stage.call("POST", "/v1/worlds/w/recall", cue)["degraded"].clone();
        let degraded = degraded.as_array().cloned().unwrap_or_default();
        let missing = degraded.iter().find(|degraded| degraded["code"] == "lore_not_embedded");
        missing.map(|degraded| degraded["message"].as_str().unwrap().to_owned())
    };
    let three = "3 entries that are found by meaning have no vector yet";
    assert_eq!(missing().as_deref(), Some(three));
    stage.call("PUT", "/v1/books/b/entries/4", json!({"content": " \u{3000}", "vectorized": true}));
    assert_eq!(missing().as_deref(), Some(three));
    stage.digest();
    assert_eq!(missing(), None);
    let told = stage.unlike(json!({"message": "今晚吃四川火锅吧"}));
    let blank = ("4".to_owned(), json!({"unknown": "nothing_to_embed"}));
    assert!(told.contains(&blank), "{told:?}");
    stage.call("PATCH", "/v1/books/b/entries/4", json!({"content": "灯塔"}));
    assert_eq!(missing().as_deref(), Some("1 entry that is found by meaning has no vector yet"));
    // A book of nothing else asks nobody.
    let nothing = json!({"uid": 0, "content": "", "vectorized": true});
    stage.call("PUT", "/v1/books/b", json!({"entries": {"0": nothing}}));
    assert_eq!(missing(), None);
    let told = stage.unlike(json!({"message": "今晚吃四川火锅吧"}));
    assert_eq!(told, [("0".to_owned(), json!({"unknown": "nothing_to_embed"}))]);
}

#[test]
fn an_edited_entry_is_found_by_its_new_meaning() {
    let stage = stage(Some(Arc::new(LetterEmbedder::new("letters"))));
    stage.digest();
    stage.call("PATCH", "/v1/books/b/entries/0", json!({"content": "东海龙宫藏着定海神针"}));
    assert!(stage.recall("今晚吃四川火锅吧").0.is_empty(), "the old meaning is gone at once");
    stage.digest();
    assert_eq!(stage.recall("定海神针在东海龙宫吗").0, ["东海龙宫藏着定海神针"]);
}

#[test]
fn a_prompt_goes_on_without_an_embedder_that_fails() {
    struct Failing;
    impl Embedder for Failing {
        fn space(&self) -> &str {
            "letters"
        }
        fn is_local(&self) -> bool {
            false
        }
        fn embed(&self, _texts: &[&str], _deadline_ms: i64) -> Result<Vec<Vec<f32>>> {
            Err(Error::new(reverie::Code::Unavailable, "the embedder is away"))
        }
    }
    let folder = {
        let stage = stage(Some(Arc::new(LetterEmbedder::new("letters"))));
        stage.digest();
        stage._folder
    };
    let address = format!("sqlite:{}", folder.path().join("memory.db").display());
    let memory = reverie::open_prepared(&address, Default::default(), |engine| {
        engine.embedding_with(Arc::new(Failing))
    })
    .unwrap();
    let api = Api::new(Arc::clone(memory.engine()), 1 << 20);
    let stage = Stage { memory, api, _folder: folder };
    let (found, degraded) = stage.recall("今晚吃四川火锅吧");
    assert!(found.is_empty());
    assert!(degraded.contains(&"embedder_unavailable".to_owned()), "{degraded:?}");
    for (_, why) in stage.unlike(json!({"message": "今晚吃四川火锅吧"})) {
        assert_eq!(why, json!({"unknown": "embedder_unavailable"}));
    }
}

/// A preview says how near each entry is and how near it must be, or why nobody knows.
#[test]
fn a_preview_tells_why_an_entry_is_not_near() {
    let all = |why: Value| ["0", "1", "2"].map(|entry| (entry.to_owned(), why.clone()));
    let hotpot = json!({"message": "今晚吃四川火锅吧"});
    assert_eq!(stage(None).unlike(hotpot.clone()), all(json!({"unknown": "no_embedder"})));
    let stage = stage(Some(Arc::new(LetterEmbedder::new("letters"))));
    assert_eq!(stage.unlike(hotpot.clone()), all(json!({"unknown": "not_embedded"})));
    stage.digest();
    assert_eq!(stage.unlike(json!({})), all(json!({"unknown": "nothing_said"})));
    let named = json!({"message": "今晚吃四川火锅吧", "lore": {"similar": [{"book": "b", "entry": "1", "score": 0.2}]}});
    let told = stage.unlike(named);
    assert_eq!(told[0], ("0".to_owned(), json!({"unknown": "not_given"})));
    assert_eq!(told[1], ("1".to_owned(), json!({"score": 0.2, "threshold": 0.3})));
    let measured = |told: &[(String, Value)], least: f64| {
        assert_eq!(told.iter().map(|(entry, _)| entry.as_str()).collect::<Vec<_>>(), ["1", "2"]);
        for (_, why) in told {
            assert_eq!(why["threshold"], json!(least), "{why}");
            assert!(why["score"].as_f64().unwrap() < least, "{why}");
        }
    };
    measured(&stage.unlike(hotpot.clone()), 0.3);
    stage.call("PUT", "/v1/worlds/w", json!({"settings": {"lore": {"similarity": 0.25}}}));
    measured(&stage.unlike(hotpot.clone()), 0.25);
    // However little is asked for, what is too weak to come to mind stays out.
    stage.call("PUT", "/v1/worlds/w", json!({"settings": {"lore": {"similarity": 0.0}}}));
    measured(&stage.unlike(hotpot), 0.3);
}

/// The nearest are chosen among those that their meaning can bring in here and now: others take no place.
#[test]
fn what_cannot_come_keeps_nothing_out() {
    let own = |fields: Value| json!({"extensions": {"reverie": fields}});
    let stage = stage(Some(Arc::new(LetterEmbedder::new("letters"))));
    let near = "龙藏着宝物和金子";
    for (why, kept_back) in [
        ("known to others", own(json!({"known_by": ["莱姆"]}))),
        ("a condition", own(json!({"conditions": [{"fact": "屠龙", "set": true}]}))),
        ("too light", own(json!({"relevance_weight": 0.1}))),
        (
            "for others by name",
            json!({"characterFilter": {"isExclude": true, "names": ["小雪"], "tags": []}}),
        ),
        ("for other generations", json!({"triggers": ["swipe"]})),
        ("too early", json!({"delay": 100})),
        ("forbidden", json!({"content": format!("@@dont_activate\n{near}")})),
        ("too early by an order", json!({"content": format!("@@activate_only_after 100\n{near}")})),
        ("without a chance", json!({"probability": 0, "useProbability": true})),
        ("off", json!({"disable": true})),
        ("there anyway", json!({"constant": true})),
    ] {
        let mut entries = json!({"0": {"uid": 0, "content": "山洞里的龙守着宝物和金子", "vectorized": true}});
        for uid in 1..7 {
            let mut entry = json!({"uid": uid, "content": near, "vectorized": true});
            entry.as_object_mut().unwrap().extend(kept_back.as_object().unwrap().clone());
            entries[uid.to_string()] = entry;
        }
        stage.call("PUT", "/v1/books/b", json!({"entries": entries}));
        stage.digest();
        let cue = json!({"character": "小雪", "participants": ["小雪", "莱姆"], "message": near});
        let preview = stage.call("POST", "/v1/worlds/w/lore/preview", cue);
        let reason = preview["why"].as_array().unwrap().iter().find(|why| why["entry"] == "0").unwrap();
        assert_eq!(reason["reason"], "similarity", "{why}: {preview:#}");
        let (found, _) = stage.recall(near);
        assert!(found.iter().any(|text| text.contains("山洞里的龙")), "{why}: {found:?}");
    }
}

/// Where more could come than may, the nearest do, weights taken into account, and the others say so.
#[test]
fn only_the_nearest_come() {
    let stage = stage(Some(Arc::new(LetterEmbedder::new("letters"))));
    let near = "龙藏着宝物和金子";
    let book = |weight: f64| {
        let mut entries = json!({"0": {"uid": 0, "content": "山洞里的龙守着宝物和金子", "vectorized": true}});
        for uid in 1..7 {
            let own = json!({"reverie": {"relevance_weight": weight}});
            entries[uid.to_string()] =
                json!({"uid": uid, "content": near, "vectorized": true, "extensions": own});
        }
        stage.call("PUT", "/v1/books/b", json!({"entries": entries}));
        stage.digest();
        stage.unlike(json!({"message": near}))
    };
    let told = book(1.0);
    let behind: Vec<&str> = told.iter().map(|(entry, _)| entry.as_str()).collect();
    assert_eq!(behind, ["0", "6"], "of equals the first come: {told:?}");
    for (_, why) in &told {
        assert!(why["nearest"] == 5 && why["score"].as_f64().unwrap() >= 0.3, "{why}");
    }
    let told = book(0.35);
    let behind: Vec<&str> = told.iter().map(|(entry, _)| entry.as_str()).collect();
    assert_eq!(behind, ["5", "6"], "the lighter ones give way: {told:?}");
    assert_eq!(told[0].1, json!({"score": 0.35, "nearest": 5}));
}

#[test]
fn nothing_is_missed_without_an_embedder() {
    let stage = stage(None);
    stage.digest();
    let (found, degraded) = stage.recall("今晚吃四川火锅吧");
    assert!(found.is_empty());
    assert!(
        !degraded.iter().any(|code| code.starts_with("embedder") || code == "lore_not_embedded"),
        "{degraded:?}"
    );
}
