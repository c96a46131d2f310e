//! Are memories found by meaning with no key and no network, and does every world have the embedder that it wants?

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::sync::Arc;

use reverie::{Api, Request, Slice};
use reverie_testkit::letters::LetterEmbedder;
use serde_json::{Value, json};

struct Stage {
    api: Api,
    world: &'static str,
    _folder: tempfile::TempDir,
}

const SAID: &[&str] = &[
    "我最爱吃四川火锅",
    "昨天和妈妈去公园散步",
    "我家养了一只叫旺财的金毛犬",
    "There is a maths exam next week, I am nervous",
    "She bought a new bicycle",
    "The lighthouse has been dark since the storm",
];

/// 莱姆 told 小雪 all of this some days ago, in another place each.
fn stage() -> Stage {
    let folder = tempfile::tempdir().unwrap();
    let address = format!("sqlite:{}", folder.path().join("memory.db").display());
    let memory = reverie::open_prepared(&address, Default::default(), |engine| {
        engine.embedding_by("letters", Arc::new(LetterEmbedder::new("letters"))).unwrap()
    });
    let stage =
        Stage { api: Api::new(Arc::clone(memory.unwrap().engine()), 1 << 20), world: "w", _folder: folder };
    stage.call("PUT", "/v1/worlds/w", json!({}));
    for text in SAID {
        let event = json!({"text": text, "witnesses": ["小雪", "莱姆"]});
        stage.call("POST", "/v1/worlds/w/events", event);
    }
    stage.digest();
    stage
}

impl Stage {
    fn call(&self, method: &str, path: &str, body: Value) -> Value {
        let (status, text) = self.ask(method, path, &body.to_string());
        assert!(status < 300, "{method} {path}: {text}");
        serde_json::from_str(&text).unwrap_or_default()
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let request = Request {
            method: method.to_owned(),
            path: path.to_owned(),
            query: query.to_owned(),
            body: body.as_bytes().to_vec(),
        };
        let response = self.api.dispatch(&request);
        (response.status, String::from_utf8(response.body).unwrap())
    }

    fn digest(&self) {
        self.api.engine().digest(&Slice { world: None, now: true, go_on: &|| true }).unwrap();
    }

    fn choose(&self, embedder: &str) {
        self.call("PUT", "/v1/worlds/w", json!({"settings": {"embedder": embedder}}));
    }

    fn recall(&self, message: &str) -> Value {
        let message = json!({"content": message, "speaker": "莱姆"});
        let cue = json!({"character": "小雪", "participants": ["小雪", "莱姆"], "message": message, "explain": true});
        self.call("POST", &format!("/v1/worlds/{}/recall", self.world), cue)
    }

    /// What comes to mind first, and how near it is by meaning.
    fn first(&self, message: &str) -> (String, f64) {
        let recall = self.recall(message);
        let first = &recall["considered"][0];
        let near = first["parts"]["semantic"].as_f64().unwrap_or_default();
        (first["text"].as_str().unwrap_or_default().to_owned(), near)
    }

    fn degraded(&self) -> Vec<String> {
        let recall = self.recall("他喜欢什么辣的食物");
        let all = recall["degraded"].as_array().cloned().unwrap_or_default();
        all.iter().filter_map(|one| one["code"].as_str().map(str::to_owned)).collect()
    }

    /// The spaces in which the world has vectors.
    fn spaces(&self) -> Vec<String> {
        let stats = self.call("GET", "/v1/worlds/w/stats", Value::Null);
        stats["embedding"]["by_space"].as_object().unwrap().keys().cloned().collect()
    }
}

#[test]
fn what_means_the_same_is_found_within_and_across_languages() {
    let stage = stage();
    for (message, expected) in [
        ("他喜欢什么辣的食物？", SAID[0]),
        ("你有什么宠物？", SAID[2]),
        ("Do you have a dog?", SAID[2]),
        ("灯塔怎么了？", SAID[5]),
        ("Which test makes you anxious?", SAID[3]),
        ("下周你在担心什么数学考试？", SAID[3]),
        ("What spicy food does he like?", SAID[0]),
        ("她骑什么自行车？", SAID[4]),
    ] {
        let (found, near) = stage.first(message);
        assert!(found.contains(expected), "{message}: {found}");
        assert!(near > 0.0, "{message}: not by meaning");
    }
}

/// With every setting as it is: told in one talk, in the prompt of another one.
#[test]
fn what_was_said_reaches_a_prompt_by_its_meaning() {
    let stage = stage();
    stage.call("POST", "/v1/worlds/w/conversations", json!({"id": "c", "participants": ["p", "bot"]}));
    for text in ["我最爱吃四川火锅。", "I lost my ring at the old lighthouse.", "我家的金毛怕打雷。"]
    {
        let said = json!([{"speaker": "p", "attribute": "user", "content": text},
            {"speaker": "bot", "attribute": "assistant", "content": "好的。"}]);
        stage.call("POST", "/v1/worlds/w/conversations/c/lines", json!({"lines": said}));
    }
    stage.digest();
    for (message, expected) in [
        ("她喜欢什么辣的食物？", Some("四川火锅")),
        ("What spicy food does she like?", Some("四川火锅")),
        ("戒指掉在哪里了？", Some("my ring")),
        ("你的宠物怕什么？", Some("金毛")),
        ("早上好", None),
        ("Let us go home.", None),
    ] {
        let cue = json!({"character": "bot", "participants": ["p", "q", "bot"], "message": {"content": message, "speaker": "q"}});
        let recall = stage.call("POST", "/v1/worlds/w/recall", cue);
        let told = recall["memories"].as_array().unwrap();
        let texts: Vec<&str> = told.iter().filter_map(|one| one["text"].as_str()).collect();
        match expected {
            Some(expected) => {
                assert!(texts.first().is_some_and(|text| text.contains(expected)), "{message}: {texts:?}")
            }
            None => assert!(texts.is_empty(), "{message}: {texts:?}"),
        }
    }
}

#[test]
fn a_world_has_the_embedder_that_it_wants() {
    let stage = stage();
    let offline = stage.spaces();
    assert_eq!(offline.len(), 1);
    stage.choose("none");
    assert_eq!(stage.first("我最爱吃四川火锅吗").1, 0.0, "nothing is compared by meaning");
    stage.choose("letters");
    assert!(stage.first("我最爱吃四川火锅吗").1 > 0.0, "one that never waits is asked at once");
    stage.digest();
    assert_eq!(stage.spaces(), ["letters"], "what was embedded elsewhere is gone");
    assert!(stage.first("我最爱吃四川火锅吗").1 > 0.0);
    stage.choose("offline");
    stage.digest();
    assert_eq!(stage.spaces(), offline);
    assert!(stage.first("他喜欢什么辣的食物").1 > 0.0);
    assert!(stage.degraded().is_empty(), "{:?}", stage.degraded());
}

#[test]
fn an_embedder_that_nobody_has_is_refused_and_one_that_came_along_is_missed() {
    let stage = stage();
    let (status, refused) = stage.ask("PUT", "/v1/worlds/w", r#"{"settings":{"embedder":"nobody"}}"#);
    assert_eq!(status, 400, "{refused}");
    let refused: Value = serde_json::from_str(&refused).unwrap();
    assert_eq!(refused["error"]["code"], "invalid");
    assert_eq!(refused["error"]["message"], "there is no embedder called \"nobody\"");
    assert_eq!(refused["error"]["hint"], "set `embedder` to one of these: default, letters, none, offline");
    assert!(stage.degraded().is_empty());
    ["letters", "none", "offline", "default"].iter().for_each(|known| stage.choose(known));
    // Another machine has one; the world comes here, and only says so.
    stage.choose("letters");
    let (status, export) = stage.ask("GET", "/v1/worlds/w/export", "");
    assert_eq!(status, 200);
    let elsewhere = export.replace(r#""letters""#, r#""theirs""#);
    assert_ne!(elsewhere, export);
    let (status, told) = stage.ask("POST", "/v1/import?world=w2", &elsewhere);
    assert!(status < 300, "{told}");
    let other = Stage { world: "w2", ..stage };
    assert_eq!(other.degraded(), ["embedder_unavailable"]);
    // What it wants is no reason to refuse anything else, and it may say it again.
    let again = json!({"settings": {"embedder": "theirs", "digest": {"batch_seconds": 7}}});
    assert_eq!(other.ask("PUT", "/v1/worlds/w2", &again.to_string()).0, 200);
    assert_eq!(other.ask("PUT", "/v1/worlds/w2", r#"{"settings":{"embedder":"nobody"}}"#).0, 400);
    assert_eq!(other.ask("PUT", "/v1/worlds/w2", r#"{"settings":{"embedder":"letters"}}"#).0, 200);
    assert_eq!(other.ask("PUT", "/v1/worlds/w2", &again.to_string()).0, 400);
}

/// What waits for a vector is handed out in the pieces that will have one each.
#[test]
fn long_texts_are_embedded_in_pieces() {
    let stage = stage();
    stage.choose("none");
    let told = "灯塔的灯坏了。我们去镇上买灯芯。外婆摔了一跤。医生说要躺一个月。".repeat(2);
    stage.call("POST", "/v1/worlds/w/events", json!({"text": told, "witnesses": ["小雪"]}));
    let longest = |settings: Value| {
        stage.call("PUT", "/v1/worlds/w", json!({"settings": {"digest": settings}}));
        let waiting = stage.api.engine().texts_to_embed("another space", 100).unwrap();
        let whole = waiting.iter().find(|one| one.chunks.concat().starts_with("灯塔的灯坏了")).unwrap();
        assert_eq!(whole.chunks.concat(), told);
        whole.chunks.iter().map(|chunk| chunk.chars().count()).max().unwrap()
    };
    assert_eq!(longest(json!({})), told.chars().count());
    assert!((10..=20).contains(&longest(json!({"chunk_chars": 20}))));
}
