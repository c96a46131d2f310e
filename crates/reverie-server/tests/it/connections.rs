//! Can models be chosen while the server runs, count at once, and stay chosen, without a key ever being seen?

use reverie_testkit::scripted_model::{Behaviour, ScriptedModel, Seen};
use serde_json::{Value, json};

use crate::caller::{Caller, check_quiet};
use crate::client::request;
use crate::run::{Directory, Server, reverie, run, serve};
use crate::stopping::wait_until;
use crate::worker::{furnish, talk, until};

const KEY: &str = "sk-swordfish";

fn remembers(seen: &Seen) -> Behaviour {
    let decides = seen.prompt().contains("should_remember");
    Behaviour::says(if decides {
        "{\"should_remember\": true}"
    } else {
        r#"{"memories":[{"kind":"trait","text":"ann is allergic to peanuts.","about":["ann"],"lines":["L1"]}]}"#
    })
}

/// A server whose data stays when it is gone.
fn serve_in(data: &Directory, more: &[(&str, &str)]) -> Server {
    serve(&["--data", data.path().to_str().unwrap()], more)
}

fn of(caller: &mut Caller, name: &str) -> Value {
    let all = caller.get("/v1/connections");
    all["connections"].as_array().unwrap().iter().find(|one| one["name"] == name).unwrap().clone()
}

fn say(caller: &mut Caller) {
    furnish(caller, "w");
    caller.call("PUT /v1/worlds/w", json!({"settings": {"digest": {"batch_rounds": 1}}}));
    let round = talk(caller, "w", "I am allergic to peanuts.");
    caller.call(&format!("POST /v1/worlds/w/rounds/{round}/complete"), json!({}));
}

#[test]
fn a_chat_model_that_is_chosen_is_asked_at_once_and_after_the_next_start() {
    let model = ScriptedModel::answering(remembers);
    let data = Directory::new();
    let server = serve_in(&data, &[]);
    let mut caller = Caller::new(&server);
    assert_eq!(of(&mut caller, "chat")["origin"], "none");
    assert_eq!(caller.get("/health")["models"]["driver"], "off");
    say(&mut caller);
    let chosen = json!({"url": model.openai(), "model": "scripted-chat", "key": KEY});
    let tested = caller.call("POST /v1/connections/chat/test", chosen.clone());
    assert_eq!((&tested["well"], &tested["name"]), (&json!(true), &json!("models.chat")), "{tested}");
    assert_eq!(of(&mut caller, "chat")["origin"], "none", "a test keeps nothing");

    let kept = caller.call("PUT /v1/connections/chat", chosen);
    assert_eq!((&kept["origin"], &kept["has_key"]), (&json!("chosen"), &json!(true)), "{kept}");
    assert_eq!(kept["model"], "scripted-chat");
    let trait_of_bob = "/v1/worlds/w/characters/bob/memories?kind=trait";
    until(&mut caller, trait_of_bob, |list| list["items"][0]["text"] == "ann is allergic to peanuts.");
    let health = caller.get("/health");
    assert_eq!(health["dependencies"][0]["name"], "models.chat", "{health}");
    assert!(model.seen().iter().all(|seen| seen.header("authorization") == Some("Bearer sk-swordfish")));
    for shown in [caller.get("/v1/connections"), kept, health, tested] {
        assert!(!shown.to_string().contains("swordfish"), "{shown}");
    }
    check_quiet(&server.log(), &["swordfish", "peanuts"]);
    drop(server);

    let server = serve_in(&data, &[]);
    let mut caller = Caller::new(&server);
    assert_eq!(
        (of(&mut caller, "chat")["origin"].clone(), caller.get("/health")["models"]["driver"].clone()),
        (json!("chosen"), json!("idle"))
    );
    assert_eq!(caller.call("POST /v1/models/test", json!({}))["models"][0]["well"], true);
    assert_eq!(caller.call("POST /v1/connections/chat/test", json!({}))["well"], true);

    // Back to none, at once.
    let gone = caller.call("DELETE /v1/connections/chat", Value::Null);
    assert_eq!((&gone["origin"], &gone["has_key"]), (&json!("none"), &json!(false)), "{gone}");
    assert_eq!(caller.get("/health")["models"]["driver"], "off");
}

#[cfg(unix)]
#[test]
fn what_is_chosen_is_for_this_user_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let data = Directory::new();
    let server = serve_in(&data, &[]);
    let chosen = json!({"url": "http://127.0.0.1:9", "model": "m", "key": KEY});
    Caller::new(&server).call("PUT /v1/connections/chat", chosen);
    let file = std::fs::metadata(data.path().join("connections.json")).unwrap();
    assert_eq!(file.permissions().mode() & 0o777, 0o600);
    let shown = run(reverie(&data).args(["config", "--data", data.path().to_str().unwrap()]));
    assert!(shown.stdout.contains("models.chat.key = [hidden]"), "{}", shown.stdout);
    assert!(shown.stdout.contains("connections.json"), "{}", shown.stdout);
    assert!(!shown.stdout.contains("swordfish"), "{}", shown.stdout);
}

/// Texts are embedded anew, and `/v1/embeddings` speaks for the same model; without one, the table does again.
#[test]
fn an_embedding_model_that_is_chosen_embeds_what_is_there() {
    let model = ScriptedModel::always(Behaviour::Perfect);
    let server = serve(&[], &[]);
    let mut caller = Caller::new(&server);
    caller.call("PUT /v1/worlds/w", json!({}));
    caller.call("POST /v1/worlds/w/events", json!({"text": "四川火锅要配香油蒜泥", "witnesses": ["ann"]}));
    let chosen = json!({"url": model.openai(), "model": "scripted-embedding", "dims": 8});
    let tested = caller.call("POST /v1/connections/embedding/test", chosen.clone());
    assert_eq!((&tested["well"], &tested["dimensions"]), (&json!(true), &json!(8)), "{tested}");
    assert_eq!(caller.call("PUT /v1/connections/embedding", chosen)["dims"], 8);
    let is_embedded = |caller: &mut Caller, wanted: &str| {
        let embedding = caller.get("/v1/worlds/w/stats")["embedding"].clone();
        let spaces = embedding["by_space"].as_object().cloned().unwrap_or_default();
        spaces.iter().any(|(space, texts)| space.contains(wanted) && *texts == embedding["texts"])
    };
    wait_until(|| is_embedded(&mut caller, "scripted-embedding"));
    let names: Vec<Value> = caller.get("/health")["dependencies"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["name"].clone())
        .collect();
    assert!(names.contains(&json!("models.embedding")), "{names:?}");
    let vectors = caller.call("POST /v1/embeddings", json!({"model": "any", "input": "火锅"}));
    assert_eq!(vectors["data"][0]["embedding"].as_array().unwrap().len(), 8);
    caller.call("DELETE /v1/connections/embedding", Value::Null);
    let vectors = caller.call("POST /v1/embeddings", json!({"model": "any", "input": "火锅"}));
    assert!(vectors["data"][0]["embedding"].as_array().unwrap().len() > 8);
}

#[test]
fn chats_are_passed_on_to_the_upstream_that_was_chosen_last() {
    let [first, second] = [(); 2].map(|()| ScriptedModel::always(Behaviour::Perfect));
    let server = serve(&[], &[]);
    let mut caller = Caller::new(&server);
    let chat = json!({"model": "m", "messages": [{"role": "user", "content": "你好"}]});
    let answered = caller.call("POST /v1/chat/completions", chat.clone());
    assert!(answered.to_string().contains("你好"), "an echo: {answered}");
    for model in [&first, &second] {
        let chosen = json!({"url": model.openai(), "key": KEY});
        assert_eq!(caller.call("POST /v1/connections/upstream/test", chosen.clone())["well"], true);
        caller.call("PUT /v1/connections/upstream", chosen);
        let before = model.seen().len();
        caller.call("POST /v1/chat/completions", chat.clone());
        let seen = model.seen();
        assert_eq!(seen.len(), before + 1);
        assert_eq!(seen[before].header("authorization"), Some("Bearer sk-swordfish"));
    }
    let refused = caller.send("PUT /v1/connections/upstream", &json!({"url": second.openai(), "model": "m"}));
    assert_eq!(refused.status, 400, "{}", refused.body);
}

/// A key belongs to the server that it was given for.
#[test]
fn a_key_goes_to_no_other_address() {
    let [own, other] = [(); 2].map(|()| ScriptedModel::always(Behaviour::says("{\"ok\": true}")));
    let data = Directory::new();
    let file = data.write(
        "reverie.toml",
        &format!("[models.chat]\nurl = \"{}\"\nmodel = \"m\"\nkey = \"{KEY}\"\n", own.openai()),
    );
    let server = serve(&["--config", &file], &[]);
    let mut caller = Caller::new(&server);
    assert_eq!(of(&mut caller, "chat")["origin"], "file");
    // The same server with another model: the file's key.
    let kept = caller.call("PUT /v1/connections/chat", json!({"url": own.openai(), "model": "n"}));
    assert_eq!((&kept["origin"], &kept["has_key"]), (&json!("chosen"), &json!(true)), "{kept}");
    caller.call("POST /v1/connections/chat/test", json!({}));
    let seen = own.seen().pop().unwrap();
    assert_eq!(
        (seen.header("authorization"), &seen.body["model"]),
        (Some("Bearer sk-swordfish"), &json!("n"))
    );
    // Another server: none, neither for a test nor when it is saved.
    let elsewhere = json!({"url": other.openai(), "model": "m"});
    caller.call("POST /v1/connections/chat/test", elsewhere.clone());
    assert_eq!(caller.call("PUT /v1/connections/chat", elsewhere)["has_key"], false);
    caller.call("POST /v1/connections/chat/test", json!({}));
    let second = "sk-second-key";
    let with_key = json!({"url": other.openai(), "model": "m", "key": second});
    assert_eq!(caller.call("PUT /v1/connections/chat", with_key)["has_key"], true);
    // A key that was saved stays with its address, and goes when it is told to.
    let renamed = json!({"url": other.openai(), "model": "n"});
    assert_eq!(caller.call("PUT /v1/connections/chat", renamed.clone())["has_key"], true);
    assert_eq!(
        caller.call("PUT /v1/connections/chat", json!({"url": own.openai(), "model": "n", "key": null}))["has_key"],
        false
    );
    assert_eq!(caller.call("PUT /v1/connections/chat", renamed)["has_key"], false);
    assert!(other.seen().iter().all(|seen| seen.header("authorization").is_none()), "{:?}", other.seen());
    assert_eq!(caller.call("DELETE /v1/connections/chat", Value::Null)["origin"], "file");
}

#[test]
fn the_environment_wins_and_is_told_of() {
    let variables = [
        ("REVERIE_MODELS_CHAT_URL", "http://127.0.0.1:9"),
        ("REVERIE_MODELS_CHAT_MODEL", "m"),
        ("REVERIE_MODELS_EMBEDDING_KEY", KEY),
        ("REVERIE_MODELS_EMBEDDING_URL", "http://127.0.0.1:9"),
        ("REVERIE_MODELS_EMBEDDING_MODEL", "e"),
    ];
    let server = serve(&[], &variables);
    let mut caller = Caller::new(&server);
    let chat = of(&mut caller, "chat");
    assert_eq!((&chat["origin"], &chat["can_be_chosen"]), (&json!("environment"), &json!(false)), "{chat}");
    assert!(chat["from"].as_array().unwrap().contains(&json!("REVERIE_MODELS_CHAT_URL")), "{chat}");
    for (line, body) in [
        ("PUT /v1/connections/chat", json!({"url": "http://127.0.0.1:1", "model": "x"})),
        // A key from the environment is nobody's to send elsewhere.
        ("POST /v1/connections/embedding/test", json!({"url": "http://127.0.0.1:1", "model": "x"})),
        ("DELETE /v1/connections/chat", Value::Null),
    ] {
        let refused = caller.send(line, &body);
        assert_eq!(refused.status, 409, "{line}: {}", refused.body);
        assert!(refused.body.contains("REVERIE_MODELS_"), "{}", refused.body);
        assert!(!refused.body.contains("swordfish"), "{}", refused.body);
    }
    assert_eq!(of(&mut caller, "upstream")["can_be_chosen"], true);
}

#[test]
fn what_cannot_be_is_refused_and_changes_nothing() {
    let data = Directory::new();
    let server = serve_in(&data, &[]);
    let mut caller = Caller::new(&server);
    for (line, body, status, told) in [
        ("PUT /v1/connections/chat", json!({"url": "http://127.0.0.1:9"}), 400, "models.chat has no model"),
        ("PUT /v1/connections/chat", json!({"model": "m"}), 400, "models.chat has no address"),
        ("PUT /v1/connections/chat", json!({"url": "ftp://x", "model": "m"}), 400, "models.chat"),
        (
            "PUT /v1/connections/chat",
            json!({"url": "http://127.0.0.1:9", "model": "m", "key": "剑鱼-swordfish"}),
            400,
            "visible ASCII",
        ),
        (
            "PUT /v1/connections/chat",
            json!({"url": "http://127.0.0.1:9", "model": "m", "dims": 3}),
            400,
            "no dims",
        ),
        ("PUT /v1/connections/chat", json!({"key": ["sk-swordfish"]}), 400, "no connection"),
        ("PUT /v1/connections/chat", json!({"url": "x".repeat(5000), "model": "m"}), 400, "too long"),
        (
            "PUT /v1/connections/embedding",
            json!({"url": "http://127.0.0.1:9", "model": "m", "dims": 9000}),
            400,
            "8192",
        ),
        (
            "PUT /v1/connections/weather",
            json!({"url": "http://127.0.0.1:9"}),
            404,
            "chat, embedding and upstream",
        ),
        ("POST /v1/connections/chat/test", json!({}), 400, "no connection chat yet"),
    ] {
        let refused = caller.send(line, &body);
        assert_eq!(refused.status, status, "{line} {body}: {}", refused.body);
        assert!(refused.body.contains(told), "{line} {body}: {}", refused.body);
        assert!(!refused.body.contains("swordfish"), "{}", refused.body);
    }
    assert_eq!(of(&mut caller, "chat")["origin"], "none");
    assert!(!data.path().join("connections.json").exists());
    let failed =
        caller.call("POST /v1/connections/chat/test", json!({"url": "http://127.0.0.1:9", "model": "m"}));
    assert_eq!(failed["well"], false, "{failed}");
}

#[test]
fn it_can_be_switched_off_and_needs_the_token() {
    let server = serve(&["--models-choosing", "off"], &[]);
    let mut caller = Caller::new(&server);
    let chosen = json!({"url": "http://127.0.0.1:9", "model": "m"});
    for line in ["PUT /v1/connections/chat", "POST /v1/connections/chat/test"] {
        let refused = caller.send(line, &chosen);
        assert_eq!(refused.status, 403, "{line}: {}", refused.body);
    }
    assert_eq!(of(&mut caller, "chat")["can_be_chosen"], false);
    let guarded =
        serve(&[], &[("REVERIE_TOKEN", "rv_0123456789"), ("REVERIE_KEYS", r#"{"k":{"token":"rv_client"}}"#)]);
    for header in ["", "authorization: Bearer rv_client"] {
        for line in ["GET /v1/connections", "PUT /v1/connections/chat", "POST /v1/connections/chat/test"] {
            let reply = request(guarded.address, line, header, "");
            assert_eq!(reply.status, 401, "{line} with {header:?}");
        }
    }
}

#[test]
fn a_file_that_is_not_ours_is_told_of_and_left_alone() {
    for (text, told) in [
        ("{", "is not a JSON object"),
        ("{\"weather\":{}}", "names an unknown connection"),
        ("{\"chat\":{\"key\":3}}", "has no good choice for chat"),
    ] {
        let data = Directory::new();
        data.write("connections.json", text);
        let ended = run(reverie(&data).args(["config", "--data", data.path().to_str().unwrap()]));
        assert_eq!(ended.code, Some(2), "{text}");
        assert!(ended.stderr.contains(told) && ended.stderr.contains("connections.json"), "{}", ended.stderr);
        assert_eq!(std::fs::read_to_string(data.path().join("connections.json")).unwrap(), text);
    }
}
