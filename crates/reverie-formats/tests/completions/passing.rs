//! Does a request leave as it came, but for what was changed?

use proptest::prelude::*;
use reverie_core::perspective::Role;
use reverie_formats::completions::{Body, BodyError, Insert, Late, Place, Rules, inject, spoken};
use reverie_formats::fuzz;
use serde_json::{Value, json};

#[test]
fn fields_are_read() {
    let body = r#"{"model":"deepseek-chat@钦灵","stream":true,"user":"u1","reverie":{"character":"钦灵"},"messages":[]}"#;
    let mut body = Body::parse(body.as_bytes()).unwrap();
    assert_eq!(body.model().as_deref(), Some("deepseek-chat@钦灵"));
    assert_eq!(body.field("user"), Some("u1".into()));
    assert_eq!(body.reverie(), Some(&json!({ "character": "钦灵" })));
    assert!(body.is_streamed());
    body.set_model("deepseek-chat");
    body.set("messages", &json!("no"));
    body.set("extra", &json!([1]));
    let written = r#"{"model":"deepseek-chat","stream":true,"user":"u1","messages":[],"extra":[1]}"#;
    assert_eq!(String::from_utf8(body.to_bytes()).unwrap(), written);
    assert_eq!(body.field("messages"), None);
}

#[test]
fn what_is_not_changed_is_written_byte_for_byte() {
    let written = concat!(
        r#"{"messages":[{ "role":"user", "content":"\u4f60\ud83d\/" , "x":1.50},7,null],"seed":1e+2,"#,
        r#""big":123456789012345678901234567890,"tools":[{"type":"function","function":{"name":"f","parameters":{"b":1,"a":2}}}],"#,
        r#""response_format":{"type":"json_schema"},"logprobs":true,"名":"\ud800"}"#
    );
    let body = Body::parse(written.as_bytes()).unwrap();
    assert_eq!(String::from_utf8(body.to_bytes()).unwrap(), written);
    assert_eq!(body.message_count(), 3);
}

#[test]
fn what_is_no_request_is_told() {
    for (body, expected) in [
        ("", BodyError::NotAnObject),
        ("[1]", BodyError::NotAnObject),
        ("{\"messages\":[]", BodyError::NotAnObject),
        ("{\"messages\":[]}x", BodyError::NotAnObject),
        ("{}", BodyError::NoMessages),
        (r#"{"messages":{}}"#, BodyError::NoMessages),
        (r#"{"messages":[],"messages":[1]}"#, BodyError::Repeated),
        (r#"{"messages":[],"a":1,"a":1}"#, BodyError::Repeated),
    ] {
        assert_eq!(Body::parse(body.as_bytes()).unwrap_err(), expected, "{body}");
    }
    assert_eq!(Body::parse(b"{\"messages\":[\"\xFF\"]}").unwrap_err(), BodyError::NotAnObject);
}

#[test]
fn messages_are_taken_out_but_no_calls() {
    let body = br#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b","tool_calls":[{}]},{"role":"tool","content":"c"},{"role":"assistant","content":"d"}],"n":1}"#;
    let rest = Body::parse(body).unwrap().without(&[0, 1, 3, 99]);
    let expected = r#"{"messages":[{"role":"assistant","content":"b","tool_calls":[{}]},{"role":"tool","content":"c"}],"n":1}"#;
    assert_eq!(String::from_utf8(rest.to_bytes()).unwrap(), expected);
}

#[test]
fn names_before_answers_are_taken_away() {
    for (text, expected) in [
        ("Alice: Hello.", "Hello."),
        (" 钦灵：早。", "早。"),
        ("Bob: Hello.", "Bob: Hello."),
        ("Hello, Alice: how are you?", "Hello, Alice: how are you?"),
        ("Alice\n: no", "Alice\n: no"),
        ("Alice:", ""),
        (": x", ": x"),
    ] {
        assert_eq!(spoken(text, &["Alice", "钦灵"]), expected, "{text}");
    }
}

/// Each of these would be looked through again and again without a bound on the work.
#[test]
fn hostile_requests_are_bounded() {
    let many = |part: &str, size: usize| part.repeat(size / part.len());
    let distinct: String = (0..10_000).map(|n| format!("n{n}: x\n")).collect();
    let tags: String = (0..10_000).map(|n| format!("<t{n}>")).collect();
    let mut texts = vec![distinct, tags];
    texts.extend(
        [
            "<a>",
            "<",
            "![](",
            "```",
            "`",
            "<!--",
            "[",
            "]",
            "[Start a new Chat]\n",
            "a:\n",
            "嗯\n\n",
            "\u{1100}\u{1161}",
        ]
        .map(|part| many(part, 1 << 16)),
    );
    for text in texts {
        let said = |role: &str| json!({ "role": role, "content": text });
        fuzz::completions(
            json!({ "messages": [said("user"), said("assistant"), said("user")] }).to_string().as_bytes(),
        );
    }
    let example = json!({ "role": "system", "content": "[Example Chat]" });
    let ok = json!({ "role": "user", "content": "ok" });
    let messages: Vec<&Value> = std::iter::once(&example).chain(std::iter::repeat_n(&ok, 20_000)).collect();
    fuzz::completions(json!({ "messages": messages }).to_string().as_bytes());
    fuzz::completions(json!({ "messages": messages[1..] }).to_string().as_bytes());
    let deep = format!(r#"{{"messages":[{}{}]}}"#, "[".repeat(100_000), "]".repeat(100_000));
    fuzz::completions(deep.as_bytes());
}

fn message() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        Just("[Start a new Chat]".to_owned()),
        Just("[Write the next reply only as Alice.]".to_owned()),
        Just("嗯".to_owned()),
        Just("Alice: hm".to_owned()),
        "[a-c \\n]{0,12}",
        "\\PC{0,20}",
    ];
    let role = prop::sample::select(vec!["system", "user", "assistant", "tool", "developer", "x"]);
    let content = (text, 0..4_u8).prop_map(|(text, form)| match form {
        0 => json!([{ "type": "text", "text": text }, { "type": "image_url" }]),
        1 => Value::Null,
        _ => Value::from(text),
    });
    (role, content, any::<bool>()).prop_map(|(role, content, more)| match more {
        true => json!({ "name": "Alice", "role": role, "tool_calls": [], "content": content }),
        false => json!({ "role": role, "content": content }),
    })
}

fn inserts() -> impl Strategy<Value = Vec<Insert>> {
    let place =
        prop_oneof![Just(Place::System), Just(Place::BeforeNewest), (0..6_usize).prop_map(Place::Depth)];
    let role = prop::sample::select(vec![Role::System, Role::User, Role::Assistant]);
    let text = prop_oneof![
        "[a-d ]{0,6}",
        "[a-d]{1,3}\\n\\n[a-d]{1,3}",
        "\\PC{0,30}",
        Just("雾山脚下的灵溪镇有一口钟。".to_owned())
    ];
    prop::collection::vec(
        (place, role, text).prop_map(|(place, role, text)| Insert { place, role, text, items: Vec::new() }),
        0..5,
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn only_messages_change_and_only_once(
        messages in prop::collection::vec(message(), 0..12),
        inserts in inserts(),
        in_user in any::<bool>(),
    ) {
        let late = if in_user { Late::InUserMessage } else { Late::OwnMessage };
        let body = json!({ "a": 1, "messages": messages, "z": { "y": [1.5, null] } });
        let body = Body::parse(body.to_string().as_bytes()).unwrap();
        let injected = inject(&body, &inserts, late).body;
        let (before, mut after) = (body.to_value(), injected.to_value());
        let new: Vec<Value> = after["messages"].as_array().unwrap().clone();
        after["messages"] = before["messages"].clone();
        prop_assert_eq!(&after, &before, "no other field changes");
        // Every message is still there, in its order, as it was or with something joined to it.
        let mut left = new.iter();
        for old in &messages {
            let text = |value: &Value| value["content"].to_string();
            let is_old = |new: &&Value| {
                new["role"] == old["role"]
                    && (text(new) == text(old) || text(new).contains(text(old).trim_matches(['"', '[', ']'])) || old["content"].is_null())
            };
            prop_assert!(left.any(|new| is_old(&new)), "{} is gone from {:?}", old, new);
        }
        let again = inject(&injected, &inserts, late).body;
        prop_assert_eq!(again.to_bytes(), injected.to_bytes(), "a second time adds nothing");
    }

    #[test]
    fn any_list_is_read(messages in prop::collection::vec(message(), 0..12)) {
        fuzz::completions(json!({ "messages": messages, "reverie": { "kind": "chat" } }).to_string().as_bytes());
    }

    #[test]
    fn any_bytes_are_read(
        bytes in prop::collection::vec(any::<u8>(), 0..40),
        at in any::<prop::sample::Index>(),
    ) {
        let mut body = include_bytes!("bodies/sillytavern-group.json").to_vec();
        let at = at.index(body.len());
        body.splice(at..at, bytes.iter().copied());
        fuzz::completions(&body);
        fuzz::completions(&bytes);
        let _ = Body::parse(&bytes).map(|body| body.dialogue(&Rules::default()));
    }
}
