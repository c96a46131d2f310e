//! How does a host with a model of its own learn what to ask, hand in what it said, and see what is stuck?

use serde_json::{Value, json};

use crate::host::{Host, encode};
use crate::script::{talk, talk_to};
use crate::stage::Stage;

const TALK: &str = "@白小喵: 我从小就怕打雷。\n李四: 放心，打雷的时候我陪着你。";

/// A round that both of them remember, and about which a model is to be asked at once.
fn told() -> Stage {
    let stage = Stage::new(r#"{"digest.batch_rounds":1}"#);
    stage.tell("白小喵、李四", TALK);
    stage.host.done("POST", "/v1/worlds/w/digest", r#"{"now":true,"slice_ms":10000}"#);
    stage
}

fn take(host: &Host) -> Value {
    let taken = host.done("POST", "/v1/questions", r#"{"limit":5,"world":"w"}"#);
    let [question] = taken["questions"].as_array().expect("a list").as_slice() else { panic!("{taken}") };
    question.clone()
}

fn answer(host: &Host, question: &Value, body: &Value) -> Value {
    let id = encode(question["id"].as_str().expect("an id"));
    host.done("POST", &format!("/v1/worlds/w/questions/{id}/answer"), &body.to_string())
}

/// Only whoever has the file can copy it.
#[test]
fn without_a_server_nobody_makes_backups() {
    talk(
        r#"
        POST /v1/backup
          503 unavailable ~ Memory::backup
        GET /v1/backups
          503 unavailable ~ nobody here makes backups
        GET /v1/backup
          405 invalid ~ this path takes: POST"#,
    );
}

#[test]
fn a_host_asks_its_own_model() {
    let Stage { host, .. } = &told();
    let question = take(host);
    assert_eq!((&question["world"], &question["purpose"]), (&json!("w"), &json!("decide")));
    assert_eq!((&question["json"], &question["until"]), (&json!(true), &json!("2026-01-31T08:18:30.000Z")));
    let asked = question["messages"][0]["content"].as_str().expect("a text");
    assert!(asked.contains("[L1] 白小喵: 我从小就怕打雷。"), "{asked}");
    let none = host.done("POST", "/v1/questions", "");
    assert_eq!(none["questions"], json!([]), "it is taken");
    let listed = host.get("/v1/worlds/w/jobs");
    assert_eq!(listed["items"][0]["state"], "asked");
    assert_eq!(listed["items"][0]["asked_until"], "2026-01-31T08:18:30.000Z");

    let said = json!({"text": "{\"should_remember\": true}", "model": "mine"});
    assert_eq!(answer(host, &question, &said), json!({"taken": "taken", "memories": 0, "rejected": 0}));
    assert_eq!(answer(host, &question, &said)["taken"], "late", "an answer counts once");

    let question = take(host);
    assert_eq!(question["purpose"], "summarise");
    let text = json!({"memories": [
        {"kind": "trait", "text": "白小喵怕打雷。", "about": ["白小喵"], "lines": ["L1"]},
        {"text": "白小喵怕打雷，住在第9街。", "lines": ["L1"]},
    ]});
    let said = json!({"text": text.to_string(), "model": "mine"});
    assert_eq!(answer(host, &question, &said), json!({"taken": "taken", "memories": 1, "rejected": 1}));
    let job = &host.get("/v1/worlds/w/jobs")["items"][0];
    assert_eq!((&job["state"], &job["stage"]), (&json!("done"), &json!("done")));
    assert_eq!(
        job["rejects"],
        json!([{"text": "白小喵怕打雷，住在第9街。", "reason": "its lines do not say 9"}])
    );
    let memories = host.get(&format!("/v1/worlds/w/characters/{}/memories?kind=trait", encode("李四")));
    assert_eq!(memories["items"][0]["text"], "白小喵怕打雷。");
    assert_eq!(memories["items"][0]["origin"], "statement");
    assert_eq!(host.done("POST", "/v1/questions", "{}")["questions"], json!([]));
}

#[test]
fn what_failed_is_seen_and_can_be_hurried() {
    let Stage { host, .. } = &told();
    let question = take(host);
    let job = format!("/v1/worlds/w/jobs/{}", encode("consider:1:2:李四"));
    let (status, refused) = host.send("POST", &format!("{job}/retry"), "");
    assert_eq!((status, &refused["error"]["code"]), (409, &json!("conflict")), "somebody is at it");
    let failed = json!({"failed": {"code": "timed_out", "message": "my model sleeps", "not_before": "2026-01-31T09:00:00Z"}});
    assert_eq!(answer(host, &question, &failed)["taken"], "again");
    let script = format!(
        r#"
        GET {job}
          200 {{"id":"consider:1:2:李四","kind":"consider","stage":"deciding","state":"waiting","holders":["李四","白小喵"],"memories":["1"],
               "attempts":1,"due":"2026-01-31T09:00:00.000Z","asked_until":null,"rejects":[],"made":"2026-01-31T08:15:30.000Z",
               "trouble":{{"code":"timed_out","message":"my model sleeps","at":"2026-01-31T08:15:30.000Z"}}}}
        POST /v1/questions
          200 {{"questions":[]}}
        POST {job}/retry
          200 {{"state":"due","attempts":0,"trouble":{{"code":"timed_out"}}}}
        POST /v1/questions {{"limit":2}}
          200 {{"questions":[{{"purpose":"decide"}}]}}"#
    );
    talk_to(host, &script);
    assert_eq!(host.get(&job)["state"], "asked");
}

#[test]
fn unreadable_answers_come_again() {
    let Stage { host, .. } = &told();
    let question = take(host);
    let said = json!({"text": "I'd rather not say.", "model": "mine"});
    assert_eq!(answer(host, &question, &said)["taken"], "again");
    let job = &host.get("/v1/worlds/w/jobs")["items"][0];
    assert_eq!((&job["trouble"]["code"], &job["attempts"]), (&json!("unreadable"), &json!(1)));
    assert!(!job["trouble"].to_string().contains("rather"), "what it said is not repeated: {job}");
}

#[test]
fn wrong_requests_say_what_would_be_right() {
    let host = Host::with_world("{}");
    talk_to(
        &host,
        r#"
        GET /v1/worlds/w/jobs
          200 {"items":[],"next":null}
        GET /v1/worlds/nowhere/jobs
          404 not_found ~ there is no world
        GET /v1/worlds/w/jobs/consider
          404 not_found ~ there is no job
        POST /v1/worlds/w/jobs/consider/retry
          404 not_found ~ there is no job
        POST /v1/questions {"limit":0}
          400 invalid ~ from 1 to 100
        POST /v1/questions {"world":"nowhere"}
          404 not_found
        POST /v1/worlds/w/questions/x/answer {"text":"x"}
          400 invalid ~ as it came
        POST /v1/worlds/w/questions/1.1.x/answer {}
          400 invalid ~ `text`
        POST /v1/worlds/w/questions/1.1.x/answer {"text":"a","failed":{"code":"a","message":"b"}}
          400 invalid ~ either
        POST /v1/worlds/w/questions/1.1.x/answer {"failed":{"code":"a","message":"b","not_before":"soon"}}
          400 invalid
        POST /v1/worlds/w/questions/1.1.x/answer {"text":"a"}
          200 {"taken":"late","memories":0,"rejected":0}
        POST /v1/worlds/nowhere/questions/1.1.x/answer {"text":"a"}
          404 not_found
        POST /v1/models/test
          200 {"models":[]}"#,
    );
    let long = json!({"failed": {"code": "a", "message": "b".repeat(1001)}}).to_string();
    let (status, refused) = host.send("POST", "/v1/worlds/w/questions/1.1.x/answer", &long);
    assert_eq!((status, &refused["error"]["hint"]), (400, &json!("at most 1000 bytes")));
}

/// Jobs are listed page by page, whatever is in a name.
#[test]
fn jobs_are_paged() {
    let stage = Stage::new(r#"{"digest.batch_rounds":1}"#);
    for name in ["甲", "a/b c", "乙"] {
        stage.tell(&format!("白小喵、{name}"), "@白小喵: 我怕打雷。");
    }
    stage.host.done("POST", "/v1/worlds/w/digest", r#"{"now":true,"slice_ms":10000}"#);
    stage.host.done("POST", "/v1/questions", r#"{"limit":1}"#);
    let mut found = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = stage.host.get(&format!("/v1/worlds/w/jobs?limit=1{cursor}"));
        let [job] = page["items"].as_array().expect("a list").as_slice() else { panic!("{page}") };
        found.push(job["state"].as_str().expect("a state").to_owned());
        let id = encode(job["id"].as_str().expect("an id"));
        assert_eq!(stage.host.get(&format!("/v1/worlds/w/jobs/{id}"))["id"], job["id"]);
        match page["next"].as_str() {
            Some(next) => cursor = format!("&cursor={}", encode(next)),
            None => break,
        }
    }
    found.sort();
    assert_eq!(found, ["asked", "due", "due"]);
}

/// What was so is kept, with when it was so; and it is so again where nobody said otherwise.
#[test]
fn a_fact_that_was_replaced_says_until_when_it_was_so() {
    let stage = Stage::new(r#"{"digest.batch_rounds":1,"digest.decide":false}"#);
    let host = &stage.host;
    let learn = |tick: i64, content: &str, statement: Value| {
        let line = json!({"speaker": "健", "attribute": "user", "content": content, "tick": tick});
        host.done("POST", "/v1/worlds/w/conversations/c/lines", &json!({"lines": [line]}).to_string());
        host.done("POST", "/v1/worlds/w/digest", r#"{"now":true,"slice_ms":10000}"#);
        let text = json!({"memories": [statement]}).to_string();
        let answered = answer(host, &take(host), &json!({"text": text, "model": "mine"}));
        assert_eq!(answered["memories"], 1, "{answered}");
    };
    host.done("POST", "/v1/worlds/w/conversations", r#"{"id":"c","participants":["健","花"]}"#);
    learn(10, "東京に住んでいます", json!({"text": "健は東京に住んでいます。", "lines": ["L1"]}));
    let moved = json!({"text": "健は大阪に引っ越しました。", "lines": ["L1"], "replaces": "K1"});
    learn(20, "大阪に引っ越しました", moved);
    let of_flower = format!("/v1/worlds/w/characters/{}/memories?kind=semantic&all=true", encode("花"));
    let facts = || host.get(&of_flower)["items"].as_array().expect("a list").clone();
    let time = "2026-01-31T08:15:30.000Z";
    let (then, now) = (json!({"tick": 10, "time": time}), json!({"tick": 20, "time": time}));
    let [old, new] = &facts()[..] else { panic!("{:?}", facts()) };
    assert_eq!((&old["valid_from"], &old["valid_until"]), (&then, &now), "{old}");
    assert_eq!((&new["valid_from"], &new["valid_until"]), (&now, &Value::Null), "{new}");
    assert_eq!(old["superseded_by"], new["id"]);
    let history = format!("/v1/worlds/w/memories/{}/history", old["id"].as_str().expect("an id"));
    let untils = || {
        let states = host.get(&history)["states"].as_array().expect("a list").clone();
        assert!(states.iter().all(|state| state["valid_from"] == then), "{states:?}");
        states.iter().map(|state| state["valid_until"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(untils(), [Value::Null, now.clone(), Value::Null, now.clone()], "of both of them");
    host.done("PUT", "/v1/worlds/w/conversations/c/head", r#"{"undo":1}"#);
    let old = &facts()[0];
    assert_eq!((&old["valid_from"], &old["valid_until"]), (&then, &Value::Null), "not on this path: {old}");
    assert_eq!((&old["superseded_by"], untils()), (&Value::Null, vec![Value::Null; 4]));
}
