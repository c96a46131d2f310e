//! What is answered without any upstream: echo, models, embeddings?

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use reverie_testkit::scripted_model::{Behaviour, ScriptedModel};
use serde_json::{Value, json};

use super::{Listening, chat, messages, serve_before, serve_patiently};
use crate::caller::Caller;
use crate::client::{get, request};
use crate::run::{Directory, Server, serve};

#[test]
fn echo_answers_where_no_upstream_is() {
    let server = serve(&[], &[]);
    let said = messages(&["system: Be brief.", "user: 你好", "assistant: 你好", "user: Where is the cat?"]);
    let reply = chat(&server, "", &json!({"model": "echo", "messages": said}));
    let answer = reply.json();
    assert_eq!(reply.status, 200, "{answer}");
    assert_eq!(answer["choices"][0]["message"]["content"], "Where is the cat?");
    assert_eq!((&answer["object"], &answer["model"]), (&json!("chat.completion"), &json!("echo")));
    assert!(answer["usage"]["total_tokens"].as_u64() > Some(0));

    let body =
        json!({"model": "echo", "stream": true, "stream_options": {"include_usage": true}, "messages": said});
    let mut listening = Listening::begin(server.address, "", &body);
    assert!(listening.head.contains("content-type: text/event-stream"), "{}", listening.head);
    let pieces: Vec<String> = std::iter::from_fn(|| listening.piece()).collect();
    let stream = pieces.concat();
    let events: Vec<&str> = stream.split("\n\n").filter_map(|event| event.strip_prefix("data: ")).collect();
    let (done, events) = events.split_last().unwrap();
    assert_eq!(*done, "[DONE]");
    let events: Vec<Value> = events.iter().map(|event| serde_json::from_str(event).unwrap()).collect();
    let text: String =
        events.iter().filter_map(|event| event["choices"][0]["delta"]["content"].as_str()).collect();
    assert_eq!(text, "Where is the cat?");
    assert!(events.last().unwrap()["usage"].is_object());
    let finished = events.iter().any(|event| event["choices"][0]["finish_reason"] == "stop");
    assert!(finished && events.iter().all(|event| event["object"] == "chat.completion.chunk"));

    let reply = request(server.address, "POST /v1/chat/completions", "", "no json");
    assert_eq!((reply.status, &reply.json()["error"]["code"]), (400, &json!("invalid_request")));
}

/// A client that can set nothing but an address reaches any world by it, and nothing else of the API.
#[test]
fn a_base_url_names_its_world() {
    let server = serve_patiently(&[], &[]);
    let body = json!({"model": "echo@小夏", "user": "mei", "messages": messages(&["user: 灯塔在哪里？"])});
    for (line, headers, status, world) in [
        ("POST /worlds/%E6%B8%AF%E5%8F%A3/v1/chat/completions", "", 200, Some("%E6%B8%AF%E5%8F%A3")),
        ("POST /worlds/second/chat/completions", "", 200, Some("second")),
        ("POST /worlds/second/v1/chat/completions", "x-reverie-world: third", 200, Some("third")),
        ("POST /v1/chat/completions", "", 200, Some("default")),
        ("GET /worlds/second/v1/worlds", "", 404, None),
        ("GET /worlds/second/health", "", 404, None),
    ] {
        let reply = request(server.address, line, headers, &body.to_string());
        assert_eq!(reply.status, status, "{line}: {}", reply.body);
        assert_eq!(reply.header("x-reverie-world"), world, "{line}");
    }
    let listed = request(server.address, "GET /worlds/%E6%B8%AF%E5%8F%A3/v1/models", "", "").json();
    assert!(listed.to_string().contains("echo@小夏"), "{listed}");
}

fn ids(server: &Server, headers: &str) -> Vec<String> {
    let list = request(server.address, "GET /v1/models", headers, "").json();
    let models = list["data"].as_array().unwrap_or_else(|| panic!("{list}")).iter();
    models.map(|model| model["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn models_are_listed_alone_and_with_each_character() {
    let server = serve(&[], &[]);
    assert_eq!(ids(&server, ""), ["echo"]);
    let mut caller = Caller::new(&server);
    for (world, character) in [("default", "钦灵"), ("default", "mo"), ("other", "zhou")] {
        caller.call(&format!("PUT /v1/worlds/{world}"), json!({}));
        let id = if character == "钦灵" { "%E9%92%A6%E7%81%B5" } else { character };
        caller.call(&format!("PUT /v1/worlds/{world}/characters/{id}"), json!({}));
    }
    assert_eq!(ids(&server, ""), ["echo", "echo@mo", "echo@钦灵"]);
    assert_eq!(ids(&server, "x-reverie-world: other"), ["echo", "echo@zhou"]);
    let one = get(server.address, "/v1/models/echo@%E9%92%A6%E7%81%B5");
    assert_eq!(one.json()["id"], "echo@钦灵");
    let none = get(server.address, "/v1/models/echo@nobody");
    assert_eq!((none.status, &none.json()["error"]["code"]), (404, &json!("model_not_found")));

    // Whoever only asks is nobody to be asked; a character that never said a word is.
    for (user, model) in [("ann", "echo@mo"), ("tom", "echo@new"), ("mo", "echo@tom")] {
        let body = json!({"model": model, "user": user, "messages": messages(&["user: hi"])});
        assert_eq!(chat(&server, "", &body).header("x-reverie-memory"), Some("on"));
    }
    assert_eq!(ids(&server, ""), ["echo", "echo@mo", "echo@new", "echo@tom", "echo@钦灵"]);

    let model = ScriptedModel::always(Behaviour::Perfect);
    let directory = Directory::new();
    let text = format!(
        "[upstreams.a]\nurl = \"{}\"\nkey = \"sk-a\"\n[upstreams.gone]\nurl = \"127.0.0.1:1\"\n[keys.k]\ntoken = \"rv_k\"\nworld = \"other\"\n",
        model.openai()
    );
    let data = caller.get("/health");
    assert_eq!(data["status"], "ok");
    let server = serve(&["--config", &directory.write("reverie.toml", &text)], &[]);
    assert_eq!(ids(&server, ""), ["scripted-chat", "scripted-embedding"]);
    assert_eq!(model.seen()[0].header("authorization"), Some("Bearer sk-a"));
    // A list that cannot be had is told as the upstream tells it.
    let refusing = ScriptedModel::always(Behaviour::refuses(401, "invalid_api_key", "no"));
    let server = serve_before(&refusing, &[]);
    let reply = get(server.address, "/v1/models");
    assert_eq!((reply.status, &reply.json()["error"]["code"]), (401, &json!("invalid_api_key")));
}

#[test]
fn embeddings_come_from_the_embedder_of_memories() {
    let model = ScriptedModel::always(Behaviour::Perfect);
    let url = model.openai();
    let variables = [
        ("REVERIE_MODELS_EMBEDDING_URL", url.as_str()),
        ("REVERIE_MODELS_EMBEDDING_MODEL", "scripted-embedding"),
    ];
    for variables in [&[][..], &variables] {
        let server = serve(&[], variables);
        let ask = |body: Value| request(server.address, "POST /v1/embeddings", "", &body.to_string());
        let reply =
            ask(json!({"model": "any", "input": ["a cat", "一只猫"], "encoding_format": "float"})).json();
        let data = reply["data"].as_array().unwrap_or_else(|| panic!("{reply}"));
        assert_eq!((data.len(), &data[1]["index"], &data[0]["object"]), (2, &json!(1), &json!("embedding")));
        let vector: Vec<f32> =
            data[0]["embedding"].as_array().unwrap().iter().map(|n| n.as_f64().unwrap() as f32).collect();
        assert!(vector.iter().any(|n| *n != 0.0), "{reply}");
        assert!(reply["usage"]["total_tokens"].as_u64() > Some(0) && reply["model"].is_string());
        let packed = ask(json!({"model": "any", "input": "a cat", "encoding_format": "base64"})).json();
        let bytes = BASE64_STANDARD.decode(packed["data"][0]["embedding"].as_str().unwrap()).unwrap();
        let unpacked: Vec<f32> =
            bytes.chunks(4).map(|chunk| f32::from_le_bytes(chunk.try_into().unwrap())).collect();
        assert_eq!(unpacked, vector);
        for (wrong, code) in [
            (json!({"input": [1, 2]}), "invalid_input"),
            (json!({"input": []}), "invalid_input"),
            (json!({"input": " "}), "invalid_input"),
            (json!({"input": "a", "encoding_format": "hex"}), "invalid_input"),
            (json!({"input": "a", "dimensions": 3}), "invalid_dimensions"),
        ] {
            let refused = ask(wrong.clone());
            assert_eq!((refused.status, &refused.json()["error"]["code"]), (400, &json!(code)), "{wrong}");
        }
    }
}

/// People see what a character is called, and may ask for it by its id as well.
#[test]
fn characters_are_listed_by_the_name_they_are_known_by() {
    let server = serve(&[], &[]);
    let mut caller = Caller::new(&server);
    caller.call("PUT /v1/worlds/default", json!({}));
    for (id, name) in [
        ("char_1", "钦灵"),
        // Two of one name, a name that is another's id, and one that belongs to a model's name.
        ("char_2", "Mo"),
        ("char_3", "Mo"),
        ("char_4", "char_5"),
        ("char_5", "ゆき"),
        ("char_6", "latest"),
    ] {
        caller.call(&format!("PUT /v1/worlds/default/characters/{id}"), json!({"display_name": name}));
    }
    let listed =
        ["echo", "echo@钦灵", "echo@char_2", "echo@char_3", "echo@char_4", "echo@ゆき", "echo@char_6"];
    assert_eq!(ids(&server, ""), listed);
    for (asked, status) in
        [("echo@%E9%92%A6%E7%81%B5", 200), ("echo@char_1", 200), ("echo@Mo", 200), ("echo@nobody", 404)]
    {
        assert_eq!(get(server.address, &format!("/v1/models/{asked}")).status, status, "{asked}");
    }
    // Each name that is listed leads to whom it names.
    for (model, id) in [("echo@钦灵", "char_1"), ("echo@char_4", "char_4"), ("echo@ゆき", "char_5")] {
        let reply = chat(&server, "", &json!({"model": model, "messages": messages(&["user: hi"])}));
        let place = reply.header("x-reverie-conversation").unwrap().to_owned();
        let told = caller.get(&format!("/v1/worlds/default/conversations/{place}"));
        assert!(told["participants"].to_string().contains(id), "{model}: {told}");
    }
}

/// A client's key is for the upstream that takes what no other does; the others list their models without it.
#[test]
fn a_clients_key_goes_to_one_upstream() {
    let (first, second) =
        (ScriptedModel::always(Behaviour::Perfect), ScriptedModel::always(Behaviour::Perfect));
    let directory = Directory::new();
    let text = format!(
        "[upstreams.openai]\nurl = \"{}\"\n[upstreams.local]\nurl = \"{}\"\nmodels = [\"qwen\"]\n[keys.k]\ntoken = \"rv_k\"\nupstream = \"local\"\n",
        first.openai(),
        second.openai()
    );
    let server = serve(&["--config", &directory.write("reverie.toml", &text)], &[]);
    for (headers, to_first, to_second) in [
        ("authorization: Bearer sk-client\nx-api-key: sk-client", Some(true), Some(false)),
        ("x-reverie-token: rv_k\nauthorization: Bearer sk-client", None, Some(true)),
    ] {
        let before = (first.seen().len(), second.seen().len());
        assert_eq!(request(server.address, "GET /v1/models", headers, "").status, 200);
        for (model, before, expected) in [(&first, before.0, to_first), (&second, before.1, to_second)] {
            let got_it =
                model.seen().get(before).map(|seen| format!("{:?}", seen.headers).contains("sk-client"));
            assert_eq!(got_it, expected, "{headers}");
        }
    }
}

/// What an upstream lists is its model, whatever stands in it.
#[test]
fn a_listed_name_stays_whole() {
    let model = ScriptedModel::answering(|seen| match seen.target.as_str() {
        "/v1/models" => Behaviour::body(r#"{"data":[{"id":"llama@home"},{"id":"llama"}]}"#),
        _ => Behaviour::says("hi"),
    });
    let server = serve_before(&model, &[]);
    let ask = |name: &str| {
        chat(&server, "", &json!({"model": name, "messages": messages(&["user: hi"])}));
        model.seen().pop().unwrap().body["model"].as_str().unwrap().to_owned()
    };
    assert_eq!(ask("llama@q8_0"), "llama@q8_0", "no character is called so");
    assert_eq!(ask("llama@home"), "llama", "nobody knows better yet");
    let listed = ids(&server, "");
    assert!(listed.contains(&"llama@home".to_owned()), "{listed:?}");
    for (written, sent) in
        [("llama@home", "llama@home"), ("llama@home@钦灵", "llama@home"), ("llama@钦灵", "llama")]
    {
        assert_eq!(ask(written), sent);
    }
    // Of the two, the name of the model counts.
    assert_eq!(ids(&server, "").iter().filter(|id| *id == "llama@home").count(), 1, "{:?}", ids(&server, ""));
}
