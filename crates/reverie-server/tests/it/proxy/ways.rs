//! By which way is an upstream asked, whatever else listens at its address, and what if it closes the door?

use std::time::Duration;

use reverie_testkit::scripted_model::{Behaviour, End, ScriptedModel, Seen};
use serde_json::json;

use super::{chat, messages, serve_patiently};
use crate::client::{Reply, request};
use crate::run::Server;

const LIST: &str =
    r#"{"object":"list","data":[{"id":"good","object":"model","created":1,"owned_by":"library"}]}"#;

fn ask(server: &Server, model: &str) -> Reply {
    chat(server, "", &json!({"model": model, "messages": messages(&["user: hi"])}))
}

fn said(reply: &Reply) -> String {
    reply.json()["choices"][0]["message"]["content"].as_str().unwrap_or_default().to_owned()
}

fn no_such_model() -> Behaviour {
    Behaviour::refuses(404, "model_not_found", "no such model")
}

/// An API below `prefix`, with no list of models, beside something that is there for every other path.
fn beside(prefix: &'static str, elsewhere: Behaviour) -> ScriptedModel {
    ScriptedModel::answering(move |seen| {
        let path = seen.target.strip_prefix(prefix).unwrap_or("elsewhere");
        match (path, seen.body["model"].as_str()) {
            ("/chat/completions", Some("good")) => {
                Behaviour::body(r#"{"choices":[{"message":{"content":"Hello."},"finish_reason":"stop"}]}"#)
            }
            ("/audio/speech", _) => Behaviour::body("RIFF").with_header("content-type", "audio/wav"),
            ("/chat/completions" | "/models" | "/nothing", _) => no_such_model(),
            _ => elsewhere.clone(),
        }
    })
}

/// What is wrong with one request is told, and nothing is learnt from it.
#[test]
fn a_404_breaks_nothing() {
    let page =
        || Behaviour::body("<html>Welcome</html>").with_header("content-type", "text/html; charset=utf-8");
    for elsewhere in [page(), Behaviour::refuses(401, "no_key", "who are you?"), Behaviour::HangUp] {
        for (base, prefix) in [("", "/v1"), ("/api", "/api"), ("/v1", "/v1")] {
            let model = beside(prefix, elsewhere.clone());
            let serve = || serve_patiently(&["--upstream-url", &format!("{}{base}", model.origin())], &[]);
            // Whatever comes first: a model that is not there, a list that is not there, a path that is not there, or a good chat.
            for first in ["POST /v1/chat/completions", "GET /v1/models", "POST /v1/nothing", ""] {
                let server = serve();
                if !first.is_empty() {
                    let body = json!({"model": "nope", "messages": messages(&["user: hi"])}).to_string();
                    let reply = request(server.address, first, "", &body);
                    let told = (reply.status, reply.json()["error"]["code"].clone());
                    assert_eq!(told, (404, json!("model_not_found")), "{first} {base} {elsewhere:?}");
                }
                assert_eq!(said(&ask(&server, "good")), "Hello.", "{first} {base} {elsewhere:?}");
                let before = model.seen().len();
                assert_eq!(ask(&server, "nope").status, 404);
                assert_eq!(model.seen().len(), before + 1, "the way is known: {first} {base} {elsewhere:?}");
                assert_eq!(said(&ask(&server, "good")), "Hello.", "{first} {base} {elsewhere:?}");
            }
        }
    }
}

/// Where the address leaves it open, the other way is found, and by a chat for good.
#[test]
fn the_other_way_is_found() {
    for (base, prefix) in [("", ""), ("/api", "/api/v1"), ("/v1", "")] {
        let model = beside(prefix, no_such_model());
        let server = serve_patiently(&["--upstream-url", &format!("{}{base}", model.origin())], &[]);
        let sound = request(server.address, "POST /v1/audio/speech", "", r#"{"model":"good"}"#);
        assert_eq!((sound.status, sound.body.as_str()), (200, "RIFF"), "{base}");
        assert_eq!(said(&ask(&server, "good")), "Hello.", "{base}");
        assert_eq!(model.seen().len(), 4, "{base}: each was tried both ways");
        assert_eq!(said(&ask(&server, "good")), "Hello.", "{base}");
        assert_eq!(model.seen().len(), 5, "{base}: now it is known");
    }
}

/// A request that a provider has worked on is paid for: it is not sent again. One that met a closed door is.
#[test]
fn what_was_worked_on_is_not_sent_again() {
    let (worked, once) = (Duration::from_millis(2500), Behaviour::says("one"));
    let model = ScriptedModel::playing([once, Behaviour::HangUp.later(worked), Behaviour::says("three")]);
    let server = serve_patiently(&["--upstream-url", &model.openai()], &[]);
    assert_eq!(said(&ask(&server, "m")), "one");
    let reply = ask(&server, "m");
    assert_eq!(
        (reply.status, &reply.json()["error"]["code"]),
        (502, &json!("upstream_cut")),
        "{}",
        reply.body
    );
    assert_eq!((model.seen().len(), model.connections()), (2, 1));
    assert_eq!(said(&ask(&server, "m")), "three");
    model.close_connections();
    assert_eq!(said(&ask(&server, "m")), "three");
    assert_eq!(model.seen().len(), 4);
}

/// As Ollama answers: its words for what is missing, its own field for what a model thinks, and pages that it does not know.
fn ollama(seen: &Seen) -> Behaviour {
    let plain =
        |status, text: &str| Behaviour::status(status, text).with_header("content-type", "text/plain");
    if seen.header("origin").is_some_and(|origin| !origin.contains("localhost")) {
        return Behaviour::status(403, "");
    }
    let authority_is_ours = seen.header("host").is_some_and(|host| host.starts_with("127.0.0.1:"));
    let model = seen.body["model"].as_str().unwrap_or_default();
    let event = |delta: serde_json::Value, finish: Option<&str>| {
        let choice = json!({"index": 0, "delta": delta, "finish_reason": finish});
        let event = json!({"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "qwen3:8b",
                           "system_fingerprint": "fp_ollama", "choices": [choice]});
        format!("data: {event}\n\n")
    };
    match (seen.target.as_str(), model) {
        _ if !authority_is_ours => Behaviour::status(403, ""),
        ("/", _) => plain(200, "Ollama is running"),
        ("/v1/models", _) => Behaviour::body(&LIST.replace("good", "qwen3:8b")),
        ("/v1/chat/completions", "qwen3:8b") => Behaviour::Pieces {
            pieces: vec![
                event(json!({"role": "assistant", "content": "", "reasoning": "Okay, the user"}), None),
                event(json!({"role": "assistant", "content": "三文鱼"}), None),
                event(json!({"role": "assistant", "content": "。"}), None),
                event(json!({"role": "assistant", "content": ""}), Some("stop")),
                "data: [DONE]\n\n".to_owned(),
            ],
            end: End::Whole,
        },
        ("/v1/chat/completions", _) => {
            let error = json!({"error": {"message": format!("model {model:?} not found, try pulling it first"),
                "type": "not_found_error", "param": null, "code": null}});
            Behaviour::status(404, &error.to_string())
        }
        _ => plain(404, "404 page not found"),
    }
}

#[test]
fn a_server_that_behaves_like_ollama() {
    for end in ["", "/v1", "/v1/"] {
        let model = ScriptedModel::answering(ollama);
        let url = format!("{}{end}", model.origin());
        let server = serve_patiently(&["--upstream-url", &url, "--allow-origin", "https://app.example"], &[]);
        let mut place = String::new();
        // A model that was not pulled is told as Ollama tells it, before and after another one has answered.
        for _ in 0..2 {
            let reply = ask(&server, "llama9");
            assert_eq!(reply.status, 404, "{end}");
            assert!(reply.body.contains("try pulling it first"), "{end}: {}", reply.body);
            let listed = request(server.address, "GET /v1/models", "", "").json();
            assert_eq!(listed["data"][0]["id"], "qwen3:8b", "{end}");
            let body = json!({"model": "qwen3:8b@钦灵", "stream": true, "messages": messages(&["user: 猫吃什么？"])});
            // A page in a browser may ask Reverie; Ollama need not know the page.
            let reply = chat(&server, "origin: https://app.example\nauthorization: Bearer ollama", &body);
            assert_eq!(reply.status, 200, "{end}: {}", reply.body);
            assert!(reply.body.contains("\"reasoning\":\"Okay") && reply.body.ends_with("data: [DONE]\n\n"));
            assert_eq!(reply.header("x-reverie-memory"), Some("on"));
            place = reply.header("x-reverie-conversation").unwrap().to_owned();
            let own = request(server.address, "POST /api/chat", "", "{}");
            assert_eq!(own.status, 404, "its own API does not go through");
        }
        let mut caller = crate::caller::Caller::new(&server);
        let path = super::remembers::path(&mut caller, "default", &place);
        assert_eq!(path.last().unwrap(), "钦灵: 三文鱼。", "what it thinks is not what it says");
    }
}
