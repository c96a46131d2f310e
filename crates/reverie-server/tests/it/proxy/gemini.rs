//! Can a client of the OpenAI API talk to Gemini, and is it remembered?

use reverie_testkit::scripted_model::{Behaviour, End, ScriptedModel};
use serde_json::{Value, json};

use super::remembers::path;
use super::{chat, messages, serve_patiently};
use crate::caller::Caller;
use crate::client::get;
use crate::run::Server;

fn serve_before(model: &ScriptedModel) -> Server {
    let url = model.gemini();
    serve_patiently(&[], &[("REVERIE_UPSTREAM_URL", url.as_str()), ("REVERIE_UPSTREAM_API", "gemini")])
}

#[test]
fn whole_and_as_a_stream() {
    let model = ScriptedModel::playing([
        Behaviour::says("Good evening."),
        Behaviour::Streams("And good night to you.".to_owned()),
    ]);
    let server = serve_before(&model);
    let said = ["system: You are Qin.", "user: Hello Qin", "assistant: Good evening.", "user: Good night"];
    let body = json!({"model": "gemini-2.5-flash@qin", "messages": messages(&said[..2]), "logit_bias": {}});
    let reply = chat(&server, "authorization: Bearer AIza-mine", &body);
    assert_eq!(reply.json()["choices"][0]["message"]["content"], "Good evening.", "{}", reply.body);
    assert_eq!(reply.header("x-reverie-dropped"), Some("logit_bias"));
    let seen = &model.seen()[0];
    assert_eq!(seen.target, "/v1beta/models/gemini-2.5-flash:generateContent");
    assert_eq!((seen.header("x-goog-api-key"), seen.header("authorization")), (Some("AIza-mine"), None));

    let body = json!({"model": "gemini-2.5-flash@qin", "stream": true, "messages": messages(&said)});
    let reply = chat(&server, "", &body);
    assert!(reply.header("content-type").unwrap().starts_with("text/event-stream"));
    assert!(reply.body.ends_with("data: [DONE]\n\n"), "{}", reply.body);
    assert_eq!(model.seen()[1].target, "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse");
    let place = reply.header("x-reverie-conversation").unwrap();
    let mut caller = Caller::new(&server);
    assert_eq!(
        path(&mut caller, "default", place),
        ["user: Hello Qin", "qin: Good evening.", "user: Good night", "qin: And good night to you."]
    );
}

#[test]
fn errors_and_models_come_in_the_form_that_was_asked_for() {
    let model = ScriptedModel::playing([
        Behaviour::status(400, r#"{"error":{"code":400,"message":"bad","status":"INVALID_ARGUMENT"}}"#),
        Behaviour::Perfect,
    ]);
    let server = serve_before(&model);
    let reply =
        chat(&server, "", &json!({"model": "g", "stream": true, "messages": messages(&["user: hi"])}));
    assert_eq!((reply.status, &reply.json()["error"]["code"]), (400, &json!("INVALID_ARGUMENT")));
    let listed = get(server.address, "/v1/models").json();
    assert_eq!(listed["data"][0]["id"], "scripted-chat", "{listed}");
}

/// The client is told as OpenAI would tell it, and nobody has said anything.
#[test]
fn a_prompt_that_is_refused_is_told_of() {
    let blocked = r#"{"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":3}}"#;
    let event = format!("data: {blocked}\r\n\r\n");
    for (behaviour, is_streamed) in [
        (Behaviour::body(blocked), false),
        (Behaviour::Pieces { pieces: vec![event], end: End::Whole }, true),
        // Not as a stream, though it was asked for one.
        (Behaviour::body(blocked), true),
        (Behaviour::body(&format!("[{blocked}]")), true),
    ] {
        let model = ScriptedModel::always(behaviour.clone());
        let server = serve_before(&model);
        let body = json!({"model": "g@qin", "stream": is_streamed, "messages": messages(&["user: 你好"])});
        let reply = chat(&server, "", &body);
        let choices: Vec<Value> = match is_streamed {
            false => vec![reply.json()["choices"][0].clone()],
            true => {
                assert!(reply.body.ends_with("data: [DONE]\n\n"), "{behaviour:?}: {}", reply.body);
                let events = reply.body.split("\n\n").filter_map(|event| event.strip_prefix("data: "));
                let read = events.filter_map(|event| serde_json::from_str::<Value>(event).ok());
                read.map(|event| event["choices"][0].clone()).collect()
            }
        };
        let last = choices.last().unwrap();
        assert_eq!(last["finish_reason"], "content_filter", "{behaviour:?}: {}", reply.body);
        let first = if is_streamed { &choices[0]["delta"] } else { &choices[0]["message"] };
        assert_eq!(first["role"], "assistant", "{behaviour:?}: {}", reply.body);
        let place = reply.header("x-reverie-conversation").unwrap();
        assert_eq!(path(&mut Caller::new(&server), "default", place), ["user: 你好"], "{behaviour:?}");
    }
}
