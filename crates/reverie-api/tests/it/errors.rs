//! What does a client get that asks for something wrong?

use serde_json::{Value, json};

use crate::host::Host;
use crate::script::{talk, talk_to};

#[test]
fn every_error_has_a_code_a_message_and_perhaps_a_hint() {
    let host = Host::with_world("{}");
    for (method, target, body) in [
        ("GET", "/v1/worlds/nowhere", ""),
        ("GET", "/nowhere", ""),
        ("PATCH", "/v1/worlds", ""),
        ("PUT", "/v1/worlds/w", "{"),
        ("PUT", "/v1/worlds/w", "[]"),
        ("PUT", "/v1/worlds/w", "{\"colour\":1}"),
        ("PUT", "/v1/worlds/%ff", "{}"),
        ("POST", "/v1/import", "nonsense"),
        ("POST", "/v1/worlds/w/recall", "{}"),
        ("GET", "/v1/worlds/w/checkpoints/nowhere", ""),
    ] {
        let response = host.raw(method, target, body.as_bytes());
        let answer: Value = serde_json::from_slice(&response.body).expect("JSON");
        assert_eq!(response.content_type, "application/json");
        let fields: Vec<&String> = answer.as_object().expect("an object").keys().collect();
        assert_eq!(fields, ["error"], "{method} {target}");
        let fields: Vec<&String> = answer["error"].as_object().expect("an object").keys().collect();
        let has_hint = answer["error"].get("hint").is_some();
        let expected = if has_hint { vec!["code", "message", "hint"] } else { vec!["code", "message"] };
        assert_eq!(fields, expected, "{method} {target}");
        assert!(answer["error"].as_object().into_iter().flatten().all(|(_, text)| text.is_string()));
    }
}

#[test]
fn paths_and_methods_that_do_not_exist_are_told_apart() {
    talk(
        r#"
        GET /v1/nothing
          404 not_found ~ /openapi.json
        GET /v1/worlds/
          404 not_found
        GET /v1/worlds//characters
          404 not_found ~ percent-encoded
        GET /v1/worlds/w/characters/a/b
          404 not_found
        GET /v2/worlds
          404 not_found
        POST /v1/worlds
          405 invalid ~ this path takes: GET
        POST /v1/worlds/w
          405 invalid ~ PUT, GET, DELETE
        DELETE /v1/worlds/w/conversations/c/lines
          405 invalid ~ POST, GET
        GET /v1/worlds/w/recall
          405 invalid ~ POST
        GET /v1/worlds/w/conversations/nowhere
          404 not_found
        GET /v1/worlds/w/checkpoints/nowhere
          404 not_found
        GET /v1/worlds/w/characters/nobody
          404 not_found
        GET /v1/worlds/w/export?checkpoint=nowhere
          404 not_found
        GET /v1/worlds/w/export?format=xml
          400 invalid ~ jsonl or save
        GET /v1/worlds/nowhere/export
          404 not_found"#,
    );
}

#[test]
fn a_method_that_is_not_for_a_path_is_answered_with_those_that_are() {
    let host = Host::with_world("{}");
    for (method, target, allow) in [
        ("POST", "/v1/worlds", Some("GET")),
        ("POST", "/v1/worlds/w", Some("PUT, GET, DELETE")),
        ("PUT", "/v1/worlds/w/lines/1", Some("GET, PATCH, DELETE")),
        ("GET", "/v1/perspective", Some("POST")),
        ("GET", "/nowhere", None),
        ("GET", "/v1/worlds/w", None),
    ] {
        let response = host.raw(method, target, b"");
        assert_eq!(response.allow.as_deref(), allow, "{method} {target}");
        assert_eq!(response.status == 405, allow.is_some(), "{method} {target}");
    }
}

/// Whoever knows a scene by its name is told its id, wherever a conversation is asked for.
#[test]
fn a_scene_s_name_in_place_of_its_id_is_recognised() {
    let host = Host::with_world("{}");
    host.done("POST", "/v1/worlds/w/conversations", r#"{"id":"c7","name":"灯塔","participants":["a"]}"#);
    for (method, path, body) in [
        ("GET", "conversations/%E7%81%AF%E5%A1%94", ""),
        ("GET", "conversations/%E7%81%AF%E5%A1%94/lines", ""),
        ("GET", "conversations/%E7%81%AF%E5%A1%94/lines/1", ""),
        ("PUT", "conversations/%E7%81%AF%E5%A1%94/head", r#"{"line":null}"#),
        ("PUT", "conversations/%E7%81%AF%E5%A1%94/present", r#"{"present":[]}"#),
        (
            "POST",
            "conversations/%E7%81%AF%E5%A1%94/lines",
            r#"{"lines":[{"speaker":"a","attribute":"user","content":"x"}]}"#,
        ),
        ("POST", "recall", r#"{"character":"a","conversation":"灯塔"}"#),
    ] {
        let (status, answer) = host.send(method, &format!("/v1/worlds/w/{path}"), body);
        assert_eq!(status, 404, "{method} {path}: {answer}");
        assert_eq!(answer["error"]["hint"], "a scene has this name; its id is \"c7\"", "{method} {path}");
    }
    let (_, answer) = host.send("GET", "/v1/worlds/w/conversations/nowhere", "");
    assert!(answer["error"]["hint"].as_str().is_some_and(|hint| hint.contains("opens one")), "{answer}");
}

/// A misspelt field would otherwise be a silent loss.
#[test]
fn unknown_fields_are_refused_by_name() {
    let host = Host::with_world("{}");
    host.done("POST", "/v1/worlds/w/conversations", r#"{"id":"c","participants":["a","b"]}"#);
    for (method, path, body, field) in [
        ("POST", "/v1/worlds/w/recall", r#"{"character":"a","conversation":"c","mesage":"x"}"#, "mesage"),
        (
            "POST",
            "/v1/worlds/w/recall",
            r#"{"character":"a","conversation":"c","message":{"content":"x","speakr":"b"}}"#,
            "speakr",
        ),
        ("POST", "/v1/worlds/w/recall", r#"{"character":{"rol_id":1},"conversation":"c"}"#, "rol_id"),
        ("POST", "/v1/worlds/w/recall", r#"{"character":"a","participants":[{"name":"b"}]}"#, "name"),
        ("POST", "/v1/worlds/w/recall", r#"{"character":"a","conversation":"c","message":7}"#, "number `7`"),
        ("PUT", "/v1/worlds/w", r#"{"setting":{}}"#, "setting"),
        ("PUT", "/v1/worlds/w", r#"{"settings":{"prompt":{"budgett":1}}}"#, "prompt.budgett"),
        ("PUT", "/v1/worlds/w", r#"{"settings":{"calendar":{"kind":"mayan"}}}"#, "mayan"),
        ("PUT", "/v1/worlds/w", r#"{"settings":{"audience":"everyone"}}"#, "everyone"),
        ("PUT", "/v1/worlds/w", r#"{"preset":"novel"}"#, "novel"),
        ("PUT", "/v1/worlds/w/characters/a", r#"{"role":1}"#, "role"),
        ("PUT", "/v1/worlds/w/characters/a", r#"{"kind":"cat"}"#, "cat"),
        ("POST", "/v1/worlds/w/conversations", r#"{"people":["a"]}"#, "people"),
        ("PUT", "/v1/worlds/w/conversations/c/head", r#"{"undo":1,"redo":1}"#, "redo"),
        ("POST", "/v1/worlds/w/fork", r#"{"id":"x","at":"k"}"#, "at"),
        ("POST", "/v1/perspective", r#"{"as":"a","lines":[],"profle":"example"}"#, "profle"),
    ] {
        let (status, error) = host.send(method, path, body);
        assert_eq!((status, &error["error"]["code"]), (400, &json!("invalid")), "{body}: {error}");
        assert!(
            error["error"]["message"].as_str().is_some_and(|message| message.contains(field)),
            "{body}: {error}"
        );
    }
    assert_eq!(host.get("/v1/worlds/w")["settings"], json!({}), "nothing was changed");
}

#[test]
fn a_cue_says_where_and_only_once() {
    let host = Host::with_world("{}");
    host.done("POST", "/v1/worlds/w/conversations", r#"{"id":"c","participants":["a","b"]}"#);
    talk_to(
        &host,
        r#"
        POST /v1/worlds/w/recall {"character":"a"}
          400 invalid ~ give conversation, participants, or the history itself
        POST /v1/worlds/w/recall {"character":"a","conversation":"c","participants":["a","b"]}
          400 invalid ~ one of them
        POST /v1/worlds/w/recall {"character":"a","conversation":"c","history":[]}
          400 invalid ~ one of them
        POST /v1/worlds/w/recall {"character":"a","conversation":"nowhere"}
          404 not_found
        POST /v1/worlds/nowhere/recall {"character":"a","conversation":"c"}
          404 not_found
        POST /v1/worlds/w/recall {"conversation":"c"}
          400 invalid ~ character
        POST /v1/worlds/w/recall {"character":"a","conversation":"c","history_scope":"all"}
          400 invalid ~ primary, conversation
        POST /v1/worlds/w/recall {"character":"a","participants":["nobody","a"],"message":"hi"}
          200 {"messages":[{"role":"user","content":"hi"}]}
        POST /v1/worlds/w/recall {"character":"a","history":[],"message":""}
          200 {"messages":[],"blocks":[],"left_out":[],"degraded":[],"tokens":{"used":3,"budget":16384,"counter":"estimate"}}"#,
    );
}

#[test]
fn what_is_too_much_is_refused_with_the_setting_that_moves_it() {
    let host = Host::with_world("{}");
    host.done("POST", "/v1/worlds/w/conversations", r#"{"id":"c","participants":["a","b"]}"#);
    let line = |content: &str| json!({"speaker": "a", "attribute": "user", "content": content});
    let people: Vec<String> = (0..1001).map(|n| n.to_string()).collect();
    let texts = ["content", "emotion", "tts", "action", "audio"];
    let mut cases: Vec<(&str, &str, Value, &str)> = vec![
        (
            "POST",
            "/v1/worlds/w/conversations/c/lines",
            json!({"lines": vec![line("x"); 1001]}),
            "limits.lines",
        ),
        (
            "POST",
            "/v1/worlds/w/conversations/c/lines",
            json!({"lines": [line("x")], "key": "k".repeat(257)}),
            "limits.key_bytes",
        ),
        ("POST", "/v1/worlds/w/conversations", json!({"participants": people}), "limits.participants"),
        (
            "POST",
            "/v1/worlds/w/recall",
            json!({"character": "a", "participants": people}),
            "limits.participants",
        ),
        (
            "POST",
            "/v1/worlds/w/recall",
            json!({"character": "a", "history": vec![line("x"); 10_001]}),
            "limits.window_lines",
        ),
        (
            "POST",
            "/v1/worlds/w/recall",
            json!({"character": "a", "conversation": "c", "also": vec!["c"; 101]}),
            "limits.also",
        ),
        (
            "PUT",
            "/v1/worlds/w/characters/a",
            json!({"persona": "p".repeat((1 << 20) + 1)}),
            "limits.persona_bytes",
        ),
        ("PUT", "/v1/worlds/w/characters/a", json!({"display_name": "p".repeat(1025)}), "limits.name_bytes"),
    ];
    for text in texts {
        let mut long = line("x");
        long[text] = json!("字".repeat((256 << 10) / 3 + 1));
        cases.push((
            "POST",
            "/v1/worlds/w/conversations/c/lines",
            json!({"lines": [long]}),
            "limits.content_bytes",
        ));
    }
    for (method, path, body, words) in cases {
        let (status, error) = host.send(method, path, &body.to_string());
        assert_eq!((status, &error["error"]["code"]), (400, &json!("invalid")), "{words}: {error}");
        assert!(error.to_string().contains(words), "{words}: {error}");
    }
    assert_eq!(host.get("/v1/worlds/w/conversations/c/lines")["items"], json!([]));
}

#[test]
fn the_content_of_a_line_cannot_be_removed() {
    talk(
        r#"
        POST /v1/worlds/w/conversations {"id":"c","participants":["a","b"]}
          201
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"你好","emotion":"喜"}]}
          201
        PATCH /v1/worlds/w/lines/1 {"content":null}
          400 invalid ~ DELETE the line, or send an empty text
        PATCH /v1/worlds/w/conversations/c/lines/1 {"content":null,"emotion":null}
          400 invalid ~ cannot be removed
        GET /v1/worlds/w/lines/1
          200 {"content":"你好","original_emotion":"喜","version":0}
        PATCH /v1/worlds/w/lines/1 {"content":"","emotion":null}
          200 {"content":"","original_emotion":null}"#,
    );
}

#[test]
fn a_fork_onto_a_world_that_is_there_speaks_of_forking() {
    talk(
        r#"
        POST /v1/worlds/w/fork {"id":"w"}
          409 conflict ~ choose another id for the fork, or DELETE that world first
        POST /v1/worlds/w/fork {"id":"v"}
          201"#,
    );
}

/// A client does not know, or care, what the server is written in.
#[test]
fn wrong_values_are_told_without_the_names_of_rust_types() {
    let host = Host::with_world("{}");
    host.done("POST", "/v1/worlds/w/conversations", r#"{"id":"c","participants":["a","b"]}"#);
    for (request, body, words) in [
        ("recall", r#"{"character":"a","conversation":"c","budget":-1}"#, "a whole number from 0"),
        ("recall", r#"{"character":"a","conversation":"c","budget":1.5}"#, "a whole number from 0"),
        ("recall", r#"{"character":"a","conversation":"c","budget":"x"}"#, "a whole number from 0"),
        ("recall", r#"{"character":"a","conversation":"c","budget":1e40}"#, "a whole number from 0"),
        ("recall", r#"{"character":"a","conversation":"c","tick":1.5}"#, "a whole number"),
        ("recall", r#"{"character":"a","conversation":"c","also":5}"#, "a list"),
        ("conversations", r#"{"participants":"a"}"#, "a list"),
        ("conversations", r#"{"name":["a"]}"#, "a text"),
        ("conversations/c/lines", r#"{"lines":[{"content":5}]}"#, "a text"),
        (
            "conversations/c/lines",
            r#"{"lines":[{"content":"x","attribute":"user","hidden":1}]}"#,
            "true or false",
        ),
        ("conversations/c/lines", r#"{"lines":[7]}"#, "an object"),
    ] {
        let (status, answer) = host.send("POST", &format!("/v1/worlds/w/{request}"), body);
        let message = answer["error"]["message"].as_str().unwrap();
        assert_eq!((status, &answer["error"]["code"]), (400, &"invalid".into()), "{body}: {answer}");
        assert!(message.contains(words), "{body}: {message}");
        for word in ["usize", "u32", "u64", "i32", "i64", "f64", "struct", "sequence", "boolean", "string"] {
            assert!(!message.contains(word), "{body}: {message}");
        }
    }
}

#[test]
fn a_table_of_lines_is_not_imported_but_recorded() {
    talk(
        r#"
        POST /v1/import [{"attribute":"user","content":"你好","role_id":1}]
          400 invalid ~ POST …/conversations/{conversation}/lines
        POST /v1/import {"attribute":"user","content":"你好","role_id":1}
          400 invalid ~ POST …/conversations/{conversation}/lines
        POST /v1/import {"type":"world","version":1,"id":"torn","created_ms":0,"revision":1,"next_line":1}
          400 invalid ~ use an export just as it was written"#,
    );
}

/// So that a terminal's prompt begins on a line of its own.
#[test]
fn every_json_answer_ends_its_line() {
    let host = Host::with_world("{}");
    for path in ["/v1/worlds", "/v1/worlds/w", "/v1/worlds/nowhere", "/nowhere"] {
        let body = String::from_utf8(host.raw("GET", path, b"").body).unwrap();
        assert!(body.ends_with("}\n") && body.lines().count() == 1, "{path}: {body:?}");
    }
    assert!(reverie_api::Api::openapi().ends_with("}\n"));
}
