//! Does the server ask the models that it is told of, say how they are, and go on when they are ill?

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use reverie_testkit::scripted_model::{Behaviour, ScriptedModel, Seen};
use serde_json::{Value, json};

use crate::caller::{Caller, check_quiet};
use crate::client::metric;
use crate::run::{Directory, Server, reverie, run, serve};
use crate::worker::{furnish, talk, until};

const KEPT: &str = "ann is allergic to peanuts.";

fn good(seen: &Seen) -> Behaviour {
    let decides = seen.prompt().contains("should_remember");
    Behaviour::says(if decides {
        "{\"should_remember\": true}"
    } else {
        r#"{"memories":[{"kind":"trait","text":"ann is allergic to peanuts.","about":["ann"],"lines":["L1"]}]}"#
    })
}

/// A server whose models are at this address.
fn serve_with(model: &ScriptedModel, more: &[(&str, &str)]) -> Server {
    let url = model.openai();
    let variables = [
        ("REVERIE_MODELS_CHAT_URL", url.as_str()),
        ("REVERIE_MODELS_CHAT_MODEL", "scripted-chat"),
        ("REVERIE_MODELS_CHAT_KEY", "sk-swordfish"),
    ];
    serve(&["--log-level", "info"], &[&variables[..], more].concat())
}

/// Says something in a world that asks about every round at once.
fn say(caller: &mut Caller) {
    furnish(caller, "hidden-world");
    caller.call("PUT /v1/worlds/hidden-world", json!({"settings": {"digest": {"batch_rounds": 1}}}));
    let round = talk(caller, "hidden-world", "I am allergic to peanuts.");
    caller.call(&format!("POST /v1/worlds/hidden-world/rounds/{round}/complete"), json!({}));
}

fn kept(list: &Value) -> bool {
    list["items"][0]["text"] == KEPT && list["items"].as_array().map(Vec::len) == Some(1)
}

const KEPT_BY_BOB: &str = "/v1/worlds/hidden-world/characters/bob/memories?kind=trait";

#[test]
fn what_is_worth_keeping_is_kept_by_itself() {
    let model = ScriptedModel::answering(good);
    let server = serve_with(&model, &[("REVERIE_MODELS_TOKENS_PER_HOUR", "100_000")]);
    let mut caller = Caller::new(&server);
    let health = caller.get("/health");
    assert_eq!((&health["status"], &health["models"]["driver"]), (&json!("ok"), &json!("idle")), "{health}");
    say(&mut caller);
    until(&mut caller, KEPT_BY_BOB, kept);
    let health = until(&mut caller, "/health", |health| health["models"]["memories"] == 1);
    assert_eq!((&health["models"]["answered"], &health["models"]["failed"]), (&json!(2), &json!(0)));
    let spend = &health["models"]["spend"];
    assert!(spend["input_tokens"].as_u64() > Some(0) && spend["output_tokens"].as_u64() > Some(0), "{spend}");
    assert_eq!(spend["per_hour"], 100_000);
    assert!(spend["this_hour"].as_u64() > Some(0), "{spend}");
    let dependency = &health["dependencies"][0];
    assert_eq!((&dependency["name"], &dependency["state"]), (&json!("models.chat"), &json!("closed")));
    assert_eq!(metric(server.address, "reverie_model_questions_total{outcome=\"answered\"}"), 2);
    assert_eq!(metric(server.address, "reverie_dependency_state{name=\"models.chat\",state=\"closed\"}"), 1);
    let sent = model.seen();
    assert_eq!(sent[0].header("authorization"), Some("Bearer sk-swordfish"));
    assert_eq!(
        (&sent[0].body["model"], &sent[0].body["temperature"]),
        (&json!("scripted-chat"), &json!(0.0))
    );
    check_quiet(&server.log(), &["hidden-world", "peanuts", "yard", "ann", "swordfish"]);
}

/// The chat path does not know that the model is ill; whoever looks does.
#[test]
fn a_failing_model_is_seen_and_hurts_nobody() {
    let is_well = Arc::new(AtomicBool::new(false));
    let well = is_well.clone();
    let model = ScriptedModel::answering(move |seen| {
        if well.load(Ordering::SeqCst) {
            good(seen)
        } else {
            Behaviour::refuses(
                401,
                "invalid_api_key",
                "wrong key sk-swordfish for: I am allergic to peanuts.",
            )
        }
    });
    let server = serve_with(&model, &[]);
    let mut caller = Caller::new(&server);
    say(&mut caller);
    let job = until(&mut caller, "/v1/worlds/hidden-world/jobs", |jobs| {
        jobs["items"][0]["trouble"]["code"] == "key_refused"
    })["items"][0]
        .clone();
    assert_eq!((&job["state"], &job["attempts"]), (&json!("waiting"), &json!(1)), "{job}");
    let health = caller.get("/health");
    let failure = &health["dependencies"][0]["last_failure"];
    assert_eq!(failure["code"], "key_refused", "{health}");
    for shown in [job.to_string(), health.to_string()] {
        assert!(!shown.contains("swordfish") && !shown.contains("peanuts"), "{shown}");
    }
    let prompt = caller.recall("/v1/worlds/hidden-world", "bob", "yard");
    assert!(prompt.contains("peanuts"), "{prompt}");
    let found = caller.call("POST /v1/models/test", Value::Null)["models"][0].clone();
    assert_eq!((&found["name"], &found["well"]), (&json!("models.chat"), &json!(false)), "{found}");
    assert!(found["hint"].is_string() && !found.to_string().contains("swordfish"), "{found}");

    // The key is put right, and somebody does not want to wait.
    is_well.store(true, Ordering::SeqCst);
    let found = caller.call("POST /v1/models/test", Value::Null)["models"][0].clone();
    assert_eq!(found["well"], true, "{found}");
    let id = job["id"].as_str().unwrap();
    caller.call(&format!("POST /v1/worlds/hidden-world/jobs/{id}/retry"), Value::Null);
    until(&mut caller, KEPT_BY_BOB, kept);
    let health = caller.get("/health");
    assert_eq!((&health["status"], &health["dependencies"][0]["state"]), (&json!("ok"), &json!("closed")));
    check_quiet(&server.log(), &["hidden-world", "peanuts", "yard", "ann", "swordfish"]);
}

/// A breaker that is open makes the server degraded, not ill.
#[test]
fn health_is_degraded_and_not_gone_while_a_model_is_left_alone() {
    let model = ScriptedModel::always(Behaviour::too_many("3600"));
    let server = serve_with(&model, &[]);
    let mut caller = Caller::new(&server);
    say(&mut caller);
    let health = until(&mut caller, "/health", |health| health["dependencies"][0]["state"] == "open");
    assert_eq!(health["status"], "degraded", "{health}");
    let dependency = &health["dependencies"][0];
    for field in ["since", "next_probe"] {
        assert!(dependency[field].as_str().is_some_and(|time| time.ends_with('Z')), "{dependency}");
    }
    let health = until(&mut caller, "/health", |health| health["models"]["driver"] == "resting");
    assert_eq!(health["models"]["resting_until"], dependency["next_probe"]);
    assert_eq!(metric(server.address, "reverie_dependency_state{name=\"models.chat\",state=\"open\"}"), 1);
    let stats = caller.get("/v1/worlds/hidden-world/stats");
    assert_eq!(stats["memories"], 1, "the round is remembered all the same");
}

/// It does not wait for a model that hangs.
#[cfg(unix)]
#[test]
fn a_hanging_model_does_not_hold_up_the_end() {
    let model = ScriptedModel::always(Behaviour::Hang);
    let server = serve_with(&model, &[]);
    let mut caller = Caller::new(&server);
    say(&mut caller);
    until(&mut caller, "/health", |health| health["models"]["asking"] == 1);
    let id = server.child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    let (status, _, log) = server.wait();
    assert!(status.success(), "{log}");
    assert!(!log.contains("does not end"), "{log}");
}

#[test]
fn commands_test_models_and_list_jobs() {
    let directory = Directory::new();
    let nothing = run(reverie(&directory).args(["models", "test"]));
    assert_eq!(nothing.code, Some(0), "{}", nothing.stderr);
    assert!(nothing.stdout.contains("no model is configured"), "{}", nothing.stdout);

    let model = ScriptedModel::answering(|seen| match seen.body["model"].as_str() {
        Some("scripted-chat") => Behaviour::Perfect,
        _ if seen.target.ends_with("/models") => Behaviour::Perfect,
        _ => Behaviour::refuses(404, "model_not_found", "no such model"),
    });
    let key = directory.write("key", "sk-swordfish\n");
    let file = directory.write(
        "my.toml",
        &format!(
            "[models.chat]\nurl = \"{}\"\nmodel = \"scripted-chat\"\nkey_file = \"{key}\"\noptions = {{ top_p = 0.5 }}\n\
             [models.summarise]\nmodel = \"misspelt\"\n",
            model.openai()
        ),
    );
    let mut command = reverie(&directory);
    command.args(["models", "test", "--config", &file]);
    let ended = run(&mut command);
    assert_eq!(ended.code, Some(1), "{}", ended.stdout);
    assert!(ended.stdout.contains("models.chat: ok: scripted-chat at "), "{}", ended.stdout);
    assert!(ended.stdout.contains("models.summarise: failed: "), "{}", ended.stdout);
    assert!(
        ended.stdout.contains("choose one of the models that it offers: scripted-chat"),
        "{}",
        ended.stdout
    );
    let json = run(command.arg("--json")).json();
    assert_eq!((&json["models"][0]["well"], &json["models"][1]["well"]), (&json!(true), &json!(false)));
    assert!(!format!("{}{}{json}", ended.stdout, ended.stderr).contains("swordfish"));
    assert_eq!(model.seen()[0].body["top_p"], 0.5);

    // Jobs: listed, and hurried by their id.
    let data = directory.path().join("data");
    let folder = data.to_str().unwrap();
    let server = serve(&["--data", folder], &[]);
    let mut caller = Caller::new(&server);
    say(&mut caller);
    until(&mut caller, "/v1/worlds/hidden-world/characters/bob/memories", |list| {
        list["items"][0].is_object()
    });
    let question = caller.call("POST /v1/questions", json!({}))["questions"][0].clone();
    let id = question["id"].as_str().unwrap();
    let failed = json!({"failed": {"code": "asleep", "message": "my model sleeps"}});
    caller.call(&format!("POST /v1/worlds/hidden-world/questions/{id}/answer"), failed);
    let listed = run(reverie(&directory).args(["jobs", "--data", folder]));
    assert_eq!(listed.code, Some(0), "{}", listed.stderr);
    let key = id.splitn(3, '.').nth(2).unwrap();
    assert!(
        listed.stdout.contains(&format!("hidden-world  {key}  waiting, deciding, 1 tries")),
        "{}",
        listed.stdout
    );
    assert!(listed.stdout.contains("asleep: my model sleeps"), "{}", listed.stdout);
    let retried =
        run(reverie(&directory).args(["jobs", "hidden-world", "--retry", key, "--json", "--data", folder]));
    assert_eq!(retried.json()["job"]["state"], "due", "{}", retried.stdout);
    let listed = run(reverie(&directory).args(["jobs", "hidden-world", "--json", "--data", folder])).json();
    assert_eq!(
        (&listed["jobs"][0]["id"], &listed["jobs"][0]["world"]),
        (&json!(key), &json!("hidden-world"))
    );
}

/// Without a model for everything, those that there are stand in for the others.
#[test]
fn a_model_for_some_questions_answers_the_others_too() {
    for (set_up, deciding, summarising) in [
        (&["DECIDE", "SUMMARISE"][..], "DECIDE", "SUMMARISE"),
        (&["DECIDE"], "DECIDE", "DECIDE"),
        (&["SUMMARISE"], "SUMMARISE", "SUMMARISE"),
        (&["RETELL"], "RETELL", "RETELL"),
        (&["DECIDE", "RETELL"], "DECIDE", "RETELL"),
        (&["CHAT", "SUMMARISE"], "CHAT", "SUMMARISE"),
    ] {
        let model = ScriptedModel::answering(good);
        let url = model.openai();
        let variables: Vec<(String, &str)> = set_up
            .iter()
            .flat_map(|of| {
                [
                    (format!("REVERIE_MODELS_{of}_URL"), url.as_str()),
                    (format!("REVERIE_MODELS_{of}_MODEL"), *of),
                ]
            })
            .collect();
        let borrowed: Vec<(&str, &str)> =
            variables.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let server = serve(&[], &borrowed);
        let mut caller = Caller::new(&server);
        say(&mut caller);
        until(&mut caller, KEPT_BY_BOB, kept);
        let asked: Vec<String> = model
            .seen()
            .iter()
            .map(|seen| seen.body["model"].as_str().unwrap_or_default().to_owned())
            .collect();
        assert_eq!(asked, [deciding, summarising], "{set_up:?}");
    }
}

/// Every job that waits says why nobody asks, over HTTP and to whoever looks at the file.
#[test]
fn jobs_say_why_nobody_asks() {
    let directory = Directory::new();
    let jobs = "/v1/worlds/hidden-world/jobs";
    for (reason, behaviour, variable) in [
        ("model_fails", Behaviour::too_many("3600"), ("REVERIE_MODELS_CONCURRENCY", "1")),
        (
            "budget_spent",
            Behaviour::says("{\"should_remember\": false}"),
            ("REVERIE_MODELS_TOKENS_PER_HOUR", "1"),
        ),
    ] {
        let data = directory.path().join(reason);
        let folder = data.to_str().unwrap();
        let model = ScriptedModel::always(behaviour);
        let url = model.openai();
        let variables =
            [("REVERIE_MODELS_CHAT_URL", url.as_str()), ("REVERIE_MODELS_CHAT_MODEL", "m"), variable];
        // All of it is remembered before anybody can be asked about it: so there is a job for each round from the beginning.
        let server = serve(&["--data", folder], &[]);
        let mut caller = Caller::new(&server);
        say(&mut caller);
        for turn in 0..3 {
            let round = talk(&mut caller, "hidden-world", &format!("And to nuts, {turn}."));
            caller.call(&format!("POST /v1/worlds/hidden-world/rounds/{round}/complete"), json!({}));
        }
        let rounds = "/v1/worlds/hidden-world/characters/bob/memories?kind=episodic";
        until(&mut caller, rounds, |list| list["items"].as_array().is_some_and(|items| items.len() == 4));
        drop(server);
        let server = serve(&["--data", folder], &variables);
        let mut caller = Caller::new(&server);
        let open = |list: &Value| -> Vec<Value> {
            let items = list["items"].as_array().cloned().unwrap_or_default();
            items.into_iter().filter(|job| job["state"] != "done").collect()
        };
        let listed = until(&mut caller, jobs, |list| {
            let open = open(list);
            open.len() >= 2 && open.iter().all(|job| job["held_up"]["reason"] == reason)
        });
        for job in open(&listed) {
            let held_up = &job["held_up"];
            assert!(held_up["until"].as_str().is_some_and(|until| until.ends_with('Z')), "{job}");
            assert!(held_up["message"].as_str().is_some_and(|message| !message.is_empty()), "{job}");
        }
        let degraded: Vec<&str> =
            if reason == "model_fails" { vec!["models_unavailable"] } else { Vec::new() };
        let digested = caller.call("POST /v1/worlds/hidden-world/digest", json!({"now": true}));
        for found in [digested, caller.get("/v1/worlds/hidden-world/stats")] {
            let codes: Vec<&str> =
                found["degraded"].as_array().unwrap().iter().filter_map(|one| one["code"].as_str()).collect();
            assert_eq!(codes, degraded, "{found}");
        }
        let listed =
            run(reverie(&directory).args(["jobs", "hidden-world", "--data", folder]).envs(variables));
        let told = listed.stdout.matches(&format!("held up, {reason} (until ")).count();
        assert_eq!(told, open(&caller.get(jobs)).len(), "{}", listed.stdout);
        drop(server);

        // The models are taken out of the settings: nobody asks, at no time.
        let listed = run(reverie(&directory).args(["jobs", "hidden-world", "--data", folder]));
        assert!(!listed.stdout.contains("again at"), "{}", listed.stdout);
        assert_eq!(listed.stdout.matches("held up, no_model: ").count(), told, "{}", listed.stdout);
        let server = serve(&["--data", folder], &[]);
        let mut caller = Caller::new(&server);
        let jobs = open(&caller.get(jobs));
        assert!(jobs.iter().all(|job| job["held_up"]["reason"] == "no_model"), "{jobs:?}");
        assert!(jobs[0]["held_up"]["message"].to_string().contains("models.chat.url"), "{jobs:?}");
    }
}

#[test]
fn a_model_that_is_set_up_wrongly_is_told_before_the_start() {
    let directory = Directory::new();
    for (variables, message, hint) in [
        (vec![("CHAT_URL", "http://127.0.0.1:9/v1")], "models.chat has no model", "models.chat.model"),
        (vec![("CHAT_MODEL", "m")], "models.chat has no address", "models.chat.url"),
        (
            vec![("CHAT_URL", "https://a.example/v1?key=sk-swordfish"), ("CHAT_MODEL", "m")],
            "models.chat: ",
            "",
        ),
        (vec![("CHAT_URL", "ftp://a.example"), ("CHAT_MODEL", "m")], "models.chat: ", ""),
        (
            vec![("CHAT_URL", "http://a.example"), ("CHAT_MODEL", "m"), ("CHAT_KEY", "sk swordfish")],
            "models.chat.key: a key needs visible ASCII",
            "provider",
        ),
        (
            vec![("CHAT_URL", "http://a.example"), ("CHAT_MODEL", "m"), ("CHAT_OPTIONS", "warm")],
            "`models.chat.options` cannot be",
            "JSON object",
        ),
        (
            vec![
                ("CHAT_URL", "http://a.example"),
                ("CHAT_MODEL", "m"),
                ("CHAT_OPTIONS", r#"{"messages":[]}"#),
            ],
            "cannot set messages",
            "temperature",
        ),
        (vec![("CHAT_API", "anthropic")], "`models.chat.api` cannot be", "openai or gemini"),
        (vec![("CONCURRENCY", "0")], "`models.concurrency` cannot be", "whole number"),
        (vec![("TOKENS_PER_HOUR", "0")], "`models.tokens_per_hour` cannot be", "whole number"),
    ] {
        let mut command = reverie(&directory);
        command.args(["serve", "--listen", "127.0.0.1:0"]);
        for (name, value) in &variables {
            command.env(format!("REVERIE_MODELS_{name}"), value);
        }
        let ended = run(&mut command);
        assert_eq!(ended.code, Some(2), "{variables:?}: {}{}", ended.stdout, ended.stderr);
        assert!(
            ended.stderr.contains(message) && ended.stderr.contains(hint),
            "{variables:?}: {}",
            ended.stderr
        );
        assert!(!ended.stderr.contains("swordfish"), "{}", ended.stderr);
    }
}

/// Keys and what may hold one are shown by no command.
#[test]
fn config_hides_keys() {
    let directory = Directory::new();
    let mut command = reverie(&directory);
    command.args(["config", "--json"]);
    for (name, value) in [
        ("CHAT_URL", "https://me:sk-swordfish@a.example/v1"),
        ("CHAT_KEY", "sk-swordfish"),
        ("CHAT_MODEL", "m"),
        ("DECIDE_KEY", "sk-swordfish"),
        ("PROXY", "http://me:swordfish@127.0.0.1:7890"),
        ("CHAT_OPTIONS", r#"{"temperature":0.5}"#),
    ] {
        command.env(format!("REVERIE_MODELS_{name}"), value);
    }
    let ended = run(&mut command);
    assert!(!format!("{}{}", ended.stdout, ended.stderr).contains("swordfish"), "{}", ended.stdout);
    let settings = ended.json()["settings"].clone();
    let value = |name: &str| settings[name]["value"].clone();
    assert_eq!(value("models.chat.key"), "[hidden]");
    assert_eq!(value("models.decide.key"), "[hidden]");
    assert_eq!(value("models.proxy"), "[hidden]");
    assert_eq!(value("models.chat.url"), "https://a.example/v1");
    assert_eq!(value("models.chat.options"), r#"{"temperature":0.5}"#);
}

#[test]
fn the_embedding_model_is_tested_too() {
    for (behaviour, well, told) in [
        (Behaviour::Perfect, true, "answers with vectors of 8 dimensions"),
        (Behaviour::status(401, "{}"), false, "it refuses the key"),
    ] {
        let model = ScriptedModel::always(behaviour);
        let url = model.openai();
        let variables = [
            ("REVERIE_MODELS_EMBEDDING_URL", url.as_str()),
            ("REVERIE_MODELS_EMBEDDING_MODEL", "scripted-embedding"),
        ];
        let ended = run(reverie(&Directory::new()).args(["models", "test", "--json"]).envs(variables));
        assert_eq!(ended.code, Some(i32::from(!well)), "{}", ended.stderr);
        let server = serve(&[], &variables);
        let over_http = Caller::new(&server).call("POST /v1/models/test", json!({}));
        for found in [ended.json(), over_http] {
            let [found] = found["models"].as_array().unwrap().as_slice() else { panic!("{found}") };
            assert_eq!((&found["name"], &found["well"]), (&json!("models.embedding"), &json!(well)));
            assert!(found["message"].as_str().unwrap().contains(told), "{found}");
            assert_eq!(found["dimensions"], if well { json!(8) } else { Value::Null });
        }
    }
}

/// An entry that no key names comes up by its meaning, as soon as it is embedded; an embedder that fails is told.
#[test]
fn entries_are_found_by_meaning() {
    let ill = Arc::new(AtomicBool::new(false));
    let is_ill = Arc::clone(&ill);
    let model = ScriptedModel::answering(move |_| match is_ill.load(Ordering::SeqCst) {
        true => Behaviour::status(401, "{}"),
        false => Behaviour::Perfect,
    });
    let url = model.openai();
    let server = serve(
        &[],
        &[
            ("REVERIE_MODELS_EMBEDDING_URL", url.as_str()),
            ("REVERIE_MODELS_EMBEDDING_MODEL", "scripted-embedding"),
            ("REVERIE_MODELS_EMBEDDING_KEY", "sk-swordfish"),
        ],
    );
    let mut caller = Caller::new(&server);
    caller.call("PUT /v1/worlds/w", json!({"settings": {"lore": {"similarity": 0.9}}}));
    caller.call(
        "PUT /v1/books/b",
        json!({"entries": {"0": {"uid": 0, "key": [], "content": "四川火锅要配香油蒜泥", "vectorized": true}}}),
    );
    caller.call("PUT /v1/worlds/w/lore/b", json!({}));
    let mut cue = json!({"character": "bob", "participants": ["ann", "bob"],
        "message": {"content": "四川火锅要配香油蒜泥", "speaker": "ann"}});
    let mut found = Value::Null;
    crate::stopping::wait_until(|| {
        found = caller.call("POST /v1/worlds/w/recall", cue.clone());
        found["blocks"]
            .as_array()
            .is_some_and(|blocks| blocks.iter().any(|block| block["position"] == "lore"))
    });
    assert_eq!(model.seen()[0].header("authorization"), Some("Bearer sk-swordfish"));
    // What was asked before is known, whoever asks.
    let used = |from: &str| metric(server.address, &format!("reverie_queries_used_total{{from=\"{from}\"}}"));
    let (known, unknown) = (used("hand"), used("embedder"));
    ill.store(true, Ordering::SeqCst);
    found = caller.call("POST /v1/worlds/w/recall", cue.clone());
    let codes: Vec<&Value> = found["degraded"].as_array().unwrap().iter().map(|one| &one["code"]).collect();
    assert!(!codes.contains(&&json!("embedder_unavailable")), "{found}");
    assert_eq!((used("hand"), used("embedder")), (known + 1, unknown));
    assert_eq!(caller.get("/health")["minds"]["queries"]["texts"], 1);
    let other = json!({"content": "香油蒜泥配什么", "speaker": "ann"});
    cue["message"] = other;
    found = caller.call("POST /v1/worlds/w/recall", cue);
    let codes: Vec<&Value> = found["degraded"].as_array().unwrap().iter().map(|one| &one["code"]).collect();
    assert!(codes.contains(&&json!("embedder_unavailable")), "{found}");
    let health = caller.get("/health");
    assert_eq!(health["dependencies"][0]["name"], "models.embedding", "{health}");
}
