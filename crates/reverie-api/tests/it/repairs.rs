//! What happens to characters that JSON or an XML save cannot carry? They are replaced and reported.

use serde_json::json;

use crate::host::Host;

fn host() -> Host {
    let host = Host::with_world("{}");
    host.done("POST", "/v1/worlds/w/conversations", r#"{"id":"c","participants":["a","b"]}"#);
    host
}

/// One body of lines; what is recorded and what is reported.
#[test]
fn no_character_fails_a_batch() {
    let cases: &[(&[u8], &str, &str, usize)] = &[
        (br#"{"content":"a\ud83d"}"#, "a\u{FFFD}", r#"[{"field":"body","count":1}]"#, 1),
        (br#"{"content":"\udc00\ud83d\ude00"}"#, "\u{FFFD}😀", r#"[{"field":"body","count":1}]"#, 1),
        (b"{\"content\":\"a\x01b\"}", "a\u{FFFD}b", r#"[{"field":"body","count":1}]"#, 1),
        (br#"{"content":"a\u0000b\u000b\ufffe"}"#, "a\u{FFFD}b\u{FFFD}\u{FFFD}", r#"[{"line":0,"field":"content","count":3}]"#, 3),
        (br#"{"content":"\t\n\r\u007f ok"}"#, "\t\n\r\u{7f} ok", "[]", 0),
        (
            br#"{"content":"ok","emotion":"\u0001","tts":"\u0002","action":"\u0003","audio":"\u0004","host_id":"\u0005\u0006"}"#,
            "ok",
            r#"[{"line":0,"field":"original_emotion","count":1},{"line":0,"field":"tts_content","count":1},{"line":0,"field":"action_content","count":1},
                {"line":0,"field":"audio_file","count":1},{"line":0,"field":"host_id","count":2}]"#,
            6,
        ),
        (
            br#"{"content":"\u0001\ud800","witnesses":["a\u0002"]}"#,
            "\u{FFFD}\u{FFFD}",
            r#"[{"line":0,"field":"content","count":1},{"line":0,"field":"witnesses","count":1},{"field":"body","count":1}]"#,
            3,
        ),
    ];
    for (line, content, replaced, total) in cases {
        let host = host();
        let text = line.strip_prefix(b"{").expect("an object");
        let body = [br#"{"lines":[{"attribute":"user","speaker":"a","#, text, b"]}"].concat();
        let response = host.raw("POST", "/v1/worlds/w/conversations/c/lines", &body);
        let shown = String::from_utf8_lossy(&response.body).into_owned();
        let answer: serde_json::Value = serde_json::from_str(&shown).expect("JSON");
        assert_eq!(response.status, 201, "{shown}");
        assert_eq!(answer["lines"][0]["content"], *content);
        assert_eq!(
            answer["replaced"],
            serde_json::from_str::<serde_json::Value>(replaced).expect("JSON"),
            "{shown}"
        );
        assert_eq!(response.replaced, *total, "{shown}");
    }
}

/// A speaker whose name or id cannot be kept speaks all the same.
#[test]
fn no_name_fails_a_batch() {
    for (field, expected) in
        [("speaker", "x\u{FFFD}"), ("display_name", "x\u{FFFD}"), ("role_id", "role_id:x\u{FFFD}")]
    {
        let host = Host::with_world("{}");
        host.done("POST", "/v1/worlds/w/conversations", r#"{"id":"c","name":"tavern"}"#);
        let body = format!(r#"{{"lines":[{{"attribute":"user","content":"ok","{field}":"x\u0007"}}]}}"#);
        let answer = host.done("POST", "/v1/worlds/w/conversations/c/lines", &body);
        assert_eq!(answer["lines"][0]["speaker"], expected, "{field}: {answer}");
        assert_eq!(answer["replaced"], json!([{"line": 0, "field": field, "count": 1}]));
    }
}

#[test]
fn edits_cards_scenes_and_cues_are_repaired_too() {
    let host = host();
    host.done(
        "POST",
        "/v1/worlds/w/conversations/c/lines",
        r#"{"lines":[{"speaker":"a","attribute":"user","content":"x"}]}"#,
    );
    for (method, path, body, pointer, expected, total) in [
        (
            "PATCH",
            "/v1/worlds/w/lines/1",
            r#"{"content":"a\u0000\ud800","action":"\u0001"}"#,
            "/content",
            "a\u{FFFD}\u{FFFD}",
            3,
        ),
        (
            "PUT",
            "/v1/worlds/w/characters/a",
            r#"{"display_name":"\u0002n","persona":"p\udfff"}"#,
            "/persona",
            "p\u{FFFD}",
            2,
        ),
        ("POST", "/v1/worlds/w/conversations", r#"{"name":"t\u0003"}"#, "/name", "t\u{FFFD}", 1),
        (
            "POST",
            "/v1/worlds/w/recall",
            r#"{"character":"b","conversation":"c","message":"m\ud900"}"#,
            "/degraded/0/code",
            "characters_replaced",
            1,
        ),
        (
            "POST",
            "/v1/perspective",
            r#"{"as":"a","lines":[{"speaker":"a","attribute":"user","content":"m\u0001\ud900"}]}"#,
            "/degraded/0/message",
            "2 characters of the request could not be kept",
            2,
        ),
    ] {
        let response = host.raw(method, path, body.as_bytes());
        let answer: serde_json::Value = serde_json::from_slice(&response.body).expect("JSON");
        assert_eq!(answer.pointer(pointer), Some(&json!(expected)), "{method} {path}: {answer}");
        assert_eq!(response.replaced, total, "{method} {path}");
    }
}

/// What comes out fits into an XML 1.0 save as it is.
#[test]
fn nothing_that_xml_cannot_carry_comes_out() {
    let host = Host::with_world("{}");
    host.done("POST", "/v1/worlds/w/conversations", r#"{"id":"c","name":"t"}"#);
    let wild: String = (0..0x20).chain([0x7f, 0xfffe, 0xffff, 0x10ffff]).filter_map(char::from_u32).collect();
    let body = json!({"lines": [{"attribute": "assistant", "display_name": wild, "content": wild, "emotion": wild, "host_id": wild}]});
    host.done("POST", "/v1/worlds/w/conversations/c/lines", &body.to_string());
    let illegal = |c: char| matches!(c, '\0'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}');
    fn texts(value: &serde_json::Value) -> Vec<String> {
        match value {
            serde_json::Value::String(text) => vec![text.clone()],
            serde_json::Value::Array(items) => items.iter().flat_map(texts).collect(),
            serde_json::Value::Object(fields) => {
                fields.iter().flat_map(|(key, value)| [vec![key.clone()], texts(value)].concat()).collect()
            }
            _ => Vec::new(),
        }
    }
    for path in ["conversations/c/lines", "characters", "history?participants=x"] {
        let answer = host.get(&format!("/v1/worlds/w/{path}"));
        assert!(texts(&answer).iter().all(|text| !text.contains(illegal)), "{path}: {answer}");
    }
    // What passes through without being stored is no exception.
    let line = |attribute: &str, name: &str| {
        json!({"attribute": attribute, "speaker": name, "display_name": wild, "content": wild, "emotion": wild,
        "tts": wild, "action": wild})
    };
    let lines =
        json!([line("assistant", "a"), line("assistant", "b"), line("user", "c"), line("system", "a")]);
    let profile = json!({"emotion_open": "\u{1}", "name_separator": "\u{FFFE}"});
    let scene = json!({"place": wild, "people": [wild], "weather": wild});
    for (path, body) in [
        ("/v1/perspective", json!({"as": "a", "lines": lines, "profile": profile})),
        (
            "/v1/worlds/w/recall",
            json!({"character": "a", "history": lines, "message": wild, "system": wild, "scene": scene, "other": {"x": wild}}),
        ),
    ] {
        let answer = host.done("POST", path, &body.to_string());
        assert!(texts(&answer).iter().all(|text| !text.contains(illegal)), "{path}: {answer}");
        assert_eq!(answer["degraded"][0]["code"], "characters_replaced", "{path}: {answer}");
        assert!(answer["messages"].to_string().contains('\u{FFFD}'), "{path}: {answer}");
    }
    assert!(!host.export("w", "format=save").contains(illegal));
}
