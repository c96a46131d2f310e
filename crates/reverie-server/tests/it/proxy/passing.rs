//! Does anything change on the way when nothing is remembered, and who may pass?

use reverie_testkit::scripted_model::{Behaviour, End, ScriptedModel};
use serde_json::json;

use super::{Listening, chat, messages, serve_before};
use crate::client::request;
use crate::run::{Directory, serve};

const OFF: &[&str] = &["--proxy-memory", "off"];

/// Whatever the upstream is asked and answers, with memory off not a byte of it changes.
#[test]
fn without_memory_nothing_changes_on_the_way() {
    // Unknown fields, numbers of any size, escapes and odd spacing: nothing that is read and written again stays so.
    let asked = "{ \"model\":\"m\", \"messages\":[{\"role\":\"user\",\"content\":\"\\u4f60\\ud800好\"}],\n \"big\": 123456789012345678901234567890, \"f\": 1.10, \"tools\":[{\"x\":1}], \"stream\":true}";
    let events = |text: &str| vec![format!(": ping\n\ndata: {text}\n\n"), "data: [DONE]\n\n".to_owned()];
    for behaviour in [
        Behaviour::Pieces {
            pieces: events("{\"choices\":[{\"delta\":{\"content\":\"你\"}}]}"),
            end: End::Whole,
        },
        Behaviour::Pieces { pieces: events("garbage {"), end: End::Whole },
        Behaviour::body(
            "{\"choices\":[{\"message\":{\"content\":\"hi\"},\"logprobs\":{\"content\":[1.50]}}], \"x\":1e400}",
        ),
        Behaviour::body("no JSON at all"),
        Behaviour::too_many("7").with_header("x-ratelimit-remaining", "0"),
        Behaviour::refuses(400, "context_length_exceeded", "too long").with_header("x-request-id", "req_1"),
        Behaviour::status(204, ""),
    ] {
        let model = ScriptedModel::always(behaviour.clone());
        let server = serve_before(&model, OFF);
        let reply = request(
            server.address,
            "POST /v1/chat/completions?beta=1",
            "authorization: Bearer sk-mine\ncontent-type: application/json\nuser-agent: tavern\nx-stainless-lang: js",
            asked,
        );
        let seen = &model.seen()[0];
        assert_eq!(String::from_utf8_lossy(&seen.raw), asked);
        assert_eq!(seen.target, "/v1/chat/completions?beta=1");
        for (name, value) in [
            ("authorization", "Bearer sk-mine"),
            ("user-agent", "tavern"),
            ("x-stainless-lang", "js"),
            ("content-type", "application/json"),
        ] {
            assert_eq!(seen.header(name), Some(value));
        }
        match &behaviour {
            Behaviour::Answers { status, headers, body } => {
                assert_eq!((reply.status, &reply.body), (*status, body));
                for (name, value) in headers {
                    assert_eq!(reply.header(name), Some(value.as_str()));
                }
            }
            Behaviour::Pieces { pieces, .. } => {
                assert_eq!((reply.status, reply.body.clone()), (200, pieces.concat()));
                assert_eq!(reply.header("content-type"), Some("text/event-stream"));
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(reply.header("x-reverie-memory"), Some("off; reason=settings"));
        assert_eq!(reply.header("content-security-policy"), None, "nothing of ours is added");
    }
}

/// Each piece is there before the next one comes.
#[test]
fn a_stream_is_passed_on_piece_by_piece() {
    let behaviour = Behaviour::tells(&["Once ", "upon"], End::Hang);
    let Behaviour::Pieces { pieces, .. } = behaviour.clone() else { panic!() };
    let model = ScriptedModel::always(behaviour);
    for flags in [OFF, &[]] {
        let server = serve_before(&model, flags);
        let body = json!({"model": "m", "stream": true, "messages": messages(&["user: Tell me"])});
        let mut listening = Listening::begin(server.address, "", &body);
        assert_eq!(listening.piece().as_ref(), Some(&pieces[0]));
        assert_eq!(listening.piece().as_ref(), Some(&pieces[1]));
        listening.leave();
    }
}

/// What is for us is taken out, and nothing else.
#[test]
fn what_is_for_us_does_not_go_on() {
    let model = ScriptedModel::always(Behaviour::says("hi"));
    let server = serve_before(&model, OFF);
    let asked = "{\"model\":\"deepseek-chat@钦灵\",\"reverie\":{\"world\":\"w\"},\"n\":1.0,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";
    let reply = request(
        server.address,
        "POST /v1/chat/completions",
        "x-reverie-world: other\nauthorization: Bearer sk-x\naccept-encoding: gzip",
        asked,
    );
    assert_eq!(reply.status, 200, "{}", reply.body);
    let seen = &model.seen()[0];
    assert_eq!(
        String::from_utf8_lossy(&seen.raw),
        "{\"model\":\"deepseek-chat\",\"n\":1.0,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}"
    );
    assert!(seen.headers.iter().all(|(name, _)| !name.to_lowercase().starts_with("x-reverie")), "{seen:?}");
    assert_eq!(seen.header("accept-encoding"), Some("gzip"));
}

/// Our token is ours, whatever else is the upstream's; and an upstream's own key comes before the client's.
#[test]
fn tokens_and_keys_go_where_they_belong() {
    let model = ScriptedModel::always(Behaviour::says("hi"));
    let directory = Directory::new();
    let config = |key: &str| {
        let text = format!(
            "token = \"rv_mine\"\n[upstreams.one]\nurl = \"{}\"\n{key}\n[keys.bot]\ntoken = \"rv_bot\"\nmodel = \"small\"\n",
            model.openai()
        );
        directory.write("reverie.toml", &text)
    };
    let body = json!({"messages": messages(&["user: hi"])}).to_string();
    for (key, headers, status, sent) in [
        ("", "", 401, None),
        ("", "authorization: Bearer sk-client", 401, None),
        ("", "authorization: Bearer rv_wrong", 401, None),
        ("", "x-reverie-token: rv_mine\nauthorization: Bearer rv_wrong", 401, None),
        ("", "authorization: Bearer rv_mine", 200, None),
        ("", "authorization: Bearer rv_bot", 200, None),
        ("", "x-reverie-token: rv_mine\nauthorization: Bearer sk-client", 200, Some("Bearer sk-client")),
        ("", "x-reverie-token: rv_bot\nauthorization: Bearer sk-client", 200, Some("Bearer sk-client")),
        ("key = \"sk-own\"", "authorization: Bearer rv_bot", 200, Some("Bearer sk-own")),
        (
            "key = \"sk-own\"",
            "x-reverie-token: rv_bot\nauthorization: Bearer sk-client",
            200,
            Some("Bearer sk-own"),
        ),
    ] {
        let before = model.seen().len();
        let server = serve(&["--config", &config(key), "--proxy-memory", "off", "--log-level", "debug"], &[]);
        let reply = request(server.address, "POST /v1/chat/completions", headers, &body);
        assert_eq!(reply.status, status, "{key} {headers}: {}", reply.body);
        let seen = model.seen();
        let seen = seen.get(before);
        assert_eq!(seen.and_then(|seen| seen.header("authorization")), sent, "{key} {headers}");
        if headers.contains("rv_bot") {
            assert_eq!(seen.unwrap().body["model"], "small");
            let api = request(server.address, "GET /v1/worlds", headers, "");
            assert_eq!(api.status, 401, "a client's key opens chats alone");
        }
        let log = server.log();
        assert!(!log.contains("rv_") && !log.contains("sk-"), "{log}");
    }
}

/// Clients have many places for a key; ours goes on in none of them.
#[test]
fn our_tokens_never_go_on() {
    let model = ScriptedModel::always(Behaviour::body("{}"));
    let server = serve_before(&model, OFF);
    let body = json!({"model": "m", "messages": messages(&["user: hi"])}).to_string();
    let token = server.ready["token"].as_str().unwrap();
    for header in [
        "authorization: Bearer rv_k",
        "authorization: rv_k",
        "x-api-key: rv_k",
        "api-key: Token rv_k",
        "x-goog-api-key: rv_k",
        "x-kept: 1",
    ] {
        for path in ["/v1/chat/completions", "/v1/completions"] {
            let target = format!("POST {path}?key=rv_k&beta=1");
            // One that nobody reads is no reason to go on without it, and one that is wrong none to send it on.
            let reply = request(server.address, &target, header, &body);
            assert_eq!(reply.status, 401, "{header}: {}", reply.body);
            let header = header.replace("rv_k", token);
            let reply = request(
                server.address,
                &target,
                &format!("x-reverie-token: {token}\n{header}\nx-kept: 1"),
                &body,
            );
            assert_eq!(reply.status, 200, "{header}: {}", reply.body);
            let seen = model.seen().pop().unwrap();
            assert!(!format!("{:?} {}", seen.headers, seen.target).contains("rv_"), "{seen:?}");
            assert_eq!((seen.header("x-kept"), seen.target.ends_with("?beta=1")), (Some("1"), true));
        }
    }
}

#[test]
fn each_model_goes_to_its_upstream() {
    let (one, two) =
        (ScriptedModel::always(Behaviour::says("1")), ScriptedModel::always(Behaviour::says("2")));
    let directory = Directory::new();
    let text = format!(
        "[upstreams.zzz]\nurl = \"{}\"\n[upstreams.aaa]\nurl = \"{}\"\nmodels = [\"deepseek-*\"]\n[keys.k]\ntoken = \"rv_k\"\nupstream = \"aaa\"\n",
        one.openai(),
        two.origin()
    );
    let server = serve(&["--config", &directory.write("reverie.toml", &text)], &[]);
    for (model, headers, said) in [
        ("gpt", "", "1"),
        ("deepseek-chat", "", "2"),
        ("deepseek-chat@mo", "", "2"),
        ("gpt", "authorization: Bearer rv_k", "2"),
    ] {
        let reply = chat(&server, headers, &json!({"model": model, "messages": messages(&["user: hi"])}));
        assert_eq!(reply.json()["choices"][0]["message"]["content"], said, "{model} {headers}");
    }
    // What cannot be remembered goes the same way, and without what is ours.
    for (body, reason, sent) in [
        (
            r#"{"model":"deepseek-chat@mo","seed":1,"seed":2.0,"reverie":{"user":"mei"},"messages":[]}"#,
            "repeated-field",
            r#"{"model":"deepseek-chat","seed":1,"seed":2.0,"messages":[]}"#,
        ),
        (
            r#"{"model":"deepseek-chat@mo","prompt":"a"}"#,
            "no-messages",
            r#"{"model":"deepseek-chat","prompt":"a"}"#,
        ),
        (
            r#"{ "model":"deepseek-x", "prompt":"a" }"#,
            "no-messages",
            r#"{ "model":"deepseek-x", "prompt":"a" }"#,
        ),
    ] {
        let reply = request(server.address, "POST /v1/chat/completions", "", body);
        let told = format!("off; reason={reason}");
        assert_eq!(reply.header("x-reverie-memory"), Some(told.as_str()));
        assert_eq!(String::from_utf8_lossy(&two.seen().pop().unwrap().raw), sent);
    }
    let (packed, plain) = ("Content-Encoding: GZIP", "content-encoding: identity");
    for (headers, reason) in [(packed, "packed"), (plain, "not-json"), ("", "not-json")] {
        let reply = request(server.address, "POST /v1/chat/completions", headers, "no JSON at all");
        let told = format!("off; reason={reason}");
        assert_eq!(reply.header("x-reverie-memory"), Some(told.as_str()), "{headers}");
        assert_eq!(String::from_utf8_lossy(&one.seen().pop().unwrap().raw), "no JSON at all");
    }
}

#[test]
fn other_paths_pass_if_there_is_where_to() {
    let model = ScriptedModel::always(Behaviour::body("{\"id\":\"cmpl\"}"));
    let server = serve_before(&model, &[]);
    let reply = request(server.address, "POST /v1/completions?x=1", "", "{\"prompt\":\"a\"}");
    assert_eq!((reply.status, reply.body.as_str()), (200, "{\"id\":\"cmpl\"}"));
    assert_eq!(reply.header("x-reverie-memory"), Some("off; reason=path"));
    let reply = request(server.address, "DELETE /v1/files/file-1", "", "");
    assert_eq!(reply.status, 200);
    let asked: Vec<String> =
        model.seen().iter().map(|seen| format!("{} {}", seen.method, seen.target)).collect();
    assert_eq!(asked, ["POST /v1/completions?x=1", "DELETE /v1/files/file-1"]);
    // Ours stays ours.
    assert_eq!(request(server.address, "GET /v1/worlds/nowhere", "", "").status, 404);
    assert_eq!(model.seen().len(), 2);

    let alone = serve(&[], &[]);
    let reply = request(alone.address, "POST /v1/completions", "", "{}");
    assert_eq!(reply.status, 404);
    assert!(reply.body.contains("upstream.url"), "{}", reply.body);
}

/// What is no stream is passed on as it comes, too, though it is remembered: an upstream that dies has shown what it had sent.
#[test]
fn the_beginning_of_an_answer_that_breaks_off_reaches_the_client() {
    let model = ScriptedModel::always(Behaviour::CutBody);
    let body = json!({"model": "m", "messages": messages(&["user: hi"])});
    let [with, without] = [&[][..], OFF].map(|flags| {
        let server = serve_before(&model, flags);
        let listening = Listening::begin(server.address, "", &body);
        let is_on = listening.head.contains("x-reverie-memory: on\n");
        (is_on, listening.rest())
    });
    assert!(with.0 && !without.0);
    assert!(with.1.contains("choices") || with.1.contains('{'), "{with:?}");
    assert_eq!(with.1, without.1);
}

/// A base URL with a slash too many, with `/v1` twice or not at all: a chat is known as one.
#[test]
fn a_chat_is_a_chat_however_its_address_is_put_together() {
    let model = ScriptedModel::always(Behaviour::says("hi"));
    let server = serve_before(&model, &[]);
    for path in [
        "/v1/chat/completions/",
        "/v1//chat/completions",
        "//v1/chat/completions",
        "/chat/completions",
        "/v1/v1/chat/completions",
    ] {
        let body = json!({"model": "m@mo", "messages": messages(&[&format!("user: by {path}")])});
        let reply = request(server.address, &format!("POST {path}"), "", &body.to_string());
        assert_eq!((reply.status, reply.header("x-reverie-memory")), (200, Some("on")), "{path}");
        let seen = model.seen().pop().unwrap();
        assert_eq!(
            (seen.target.as_str(), &seen.body["model"]),
            ("/v1/chat/completions", &json!("m")),
            "{path}"
        );
    }
    for path in ["/models", "/v1/models/", "/v1/v1/models"] {
        assert_eq!(request(server.address, &format!("GET {path}"), "", "").status, 200, "{path}");
    }
    // Others' ways to chat are passed on, and say that nothing is remembered there.
    for path in ["/v1/engines/m/chat/completions", "/v1/responses", "/v1/completions", "/v1/messages"] {
        let reply = request(server.address, &format!("POST {path}"), "", "{}");
        assert_eq!(reply.header("x-reverie-memory"), Some("off; reason=path"), "{path}");
    }
    // What is ours is not passed on because of a slash.
    let before = model.seen().len();
    assert_eq!(request(server.address, "GET /v1//worlds/nowhere", "", "").status, 404);
    assert_eq!(model.seen().len(), before);
}

/// On every path the upstream gets a model that it knows, and nothing that is ours.
#[test]
fn other_paths_go_on_without_a_character() {
    let (one, two) =
        (ScriptedModel::always(Behaviour::body("{}")), ScriptedModel::always(Behaviour::body("{}")));
    let directory = Directory::new();
    let text = format!(
        "[upstreams.a]\nurl = \"{}\"\n[upstreams.b]\nurl = \"{}\"\nmodels = [\"qwen*\"]\n[keys.k]\ntoken = \"rv_k\"\nmodel = \"qwen-own\"\n",
        one.openai(),
        two.openai()
    );
    let server = serve(&["--config", &directory.write("reverie.toml", &text)], &[]);
    for (headers, sent, got) in [
        (
            "",
            r#"{"model":"qwen3@钦灵","input":"你好","x":1.0}"#,
            r#"{"model":"qwen3","input":"你好","x":1.0}"#,
        ),
        ("", r#"{ "model":"qwen3", "input":"hi" }"#, r#"{ "model":"qwen3", "input":"hi" }"#),
        (
            "",
            r#"{"model":"qwen3","reverie":{"user":"mei"},"input":"hi"}"#,
            r#"{"model":"qwen3","input":"hi"}"#,
        ),
        (
            "authorization: Bearer rv_k",
            r#"{"model":"@钦灵","input":"hi"}"#,
            r#"{"model":"qwen-own","input":"hi"}"#,
        ),
    ] {
        let reply = request(server.address, "POST /v1/responses", headers, sent);
        assert_eq!(reply.status, 200, "{sent}");
        assert_eq!(String::from_utf8_lossy(&two.seen().pop().unwrap().raw), got);
    }
    let reply = request(server.address, "POST /v1/responses", "", r#"{"reverie":{},"input":"hi"}"#);
    assert_eq!(reply.status, 200);
    assert_eq!(String::from_utf8_lossy(&one.seen().pop().unwrap().raw), r#"{"input":"hi"}"#);
    let alone = request(server.address, "POST /v1/responses", "", r#"{"model":"@钦灵","input":"hi"}"#);
    assert_eq!((alone.status, &alone.json()["error"]["code"]), (400, &json!("model_not_found")));
    // What is no JSON has no model to be read.
    let form = "--x\r\ncontent-disposition: form-data; name=\"model\"\r\n\r\nwhisper@1\r\n--x--";
    let headers = "content-type: multipart/form-data; boundary=x";
    assert_eq!(request(server.address, "POST /v1/audio/transcriptions", headers, form).status, 200);
    assert_eq!(String::from_utf8_lossy(&one.seen().pop().unwrap().raw), form);
}
