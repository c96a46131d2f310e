//! What is sent to a chat model, and what is understood of its answer?

use serde_json::{Value, json};

use reverie_models::{ChatModel, ChatReply, ChatRequest, Endpoint, Finish, Role, Shape, Usage};

use crate::stage::{Behaviour, ScriptedModel, Stage, chat_on, chat_with, gemini, openai, question, told};

pub(crate) fn options(options: Value) -> serde_json::Map<String, Value> {
    options.as_object().unwrap().clone()
}

pub(crate) fn schema() -> Value {
    json!({ "type": "object", "properties": { "should_remember": { "type": "boolean" } } })
}

#[tokio::test]
async fn openai_is_asked_in_its_own_shape() {
    let server = ScriptedModel::always(Behaviour::says("三岁。"));
    let mut model = ChatModel::new(openai(&server), "scripted-chat");
    model.max_output_tokens = Some(300);
    model.temperature = Some(0.0);
    model.options = options(
        json!({ "top_p": 0.9, "temperature": 0.5, "chat_template_kwargs": { "enable_thinking": false } }),
    );
    let reply =
        chat_with(&Stage::new(), model).ask(&question().shape(Shape::Schema(schema()))).await.unwrap();
    assert_eq!(
        reply,
        ChatReply {
            text: "三岁。".to_owned(),
            finish: Finish::Stop,
            usage: Some(Usage { input: 14, output: 3 })
        }
    );
    let seen = server.seen();
    assert_eq!((seen[0].method.as_str(), seen[0].target.as_str()), ("POST", "/v1/chat/completions"));
    assert_eq!(seen[0].header("authorization"), Some("Bearer sk-swordfish"));
    assert_eq!(seen[0].header("host"), Some(server.authority().as_str()));
    assert_eq!(
        seen[0].body,
        json!({
            "model": "scripted-chat",
            "messages": [
                { "role": "system", "content": "你是档案员。" },
                { "role": "user", "content": "白小喵几岁了？" },
            ],
            "stream": false,
            "max_tokens": 300,
            "temperature": 0.5,
            "response_format": { "type": "json_schema", "json_schema": { "name": "answer", "schema": schema() } },
            "top_p": 0.9,
            "chat_template_kwargs": { "enable_thinking": false },
        })
    );
}

#[tokio::test]
async fn gemini_is_asked_in_its_own_shape_with_the_key_in_a_header() {
    let server = ScriptedModel::always(Behaviour::says("三歳。"));
    let mut model = ChatModel::new(gemini(&server), "");
    model.options = options(json!({
        "response_mime_type": "text/plain", "top_k": 3, "safety_settings": [], "generationConfig": { "seed": 7 },
    }));
    let request = ChatRequest {
        max_tokens: Some(64),
        temperature: Some(0.25),
        shape: Shape::Json,
        ..ChatRequest::new([
            (Role::System, "甲".to_owned()),
            (Role::User, "乙".to_owned()),
            (Role::Assistant, "丙".to_owned()),
            (Role::System, "丁".to_owned()),
            (Role::User, "戊".to_owned()),
        ])
    };
    let reply = chat_with(&Stage::new(), model).ask(&request).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.finish), ("三歳。", Finish::Stop));
    let seen = server.seen();
    assert_eq!(seen[0].target, "/v1beta/models/scripted-chat:generateContent");
    assert_eq!(seen[0].header("x-goog-api-key"), Some("sk-swordfish"));
    assert_eq!(seen[0].header("authorization"), None);
    assert_eq!(
        seen[0].body,
        json!({
            "systemInstruction": { "parts": [{ "text": "甲\n\n丁" }] },
            "contents": [
                { "role": "user", "parts": [{ "text": "乙" }] },
                { "role": "model", "parts": [{ "text": "丙" }] },
                { "role": "user", "parts": [{ "text": "戊" }] },
            ],
            "generationConfig": {
                "maxOutputTokens": 64, "temperature": 0.25, "responseMimeType": "text/plain", "topK": 3, "seed": 7,
            },
            "safetySettings": [],
        })
    );
}

#[tokio::test]
async fn answers_are_understood_in_many_forms() {
    let body = |message: Value| {
        Behaviour::body(&json!({ "choices": [{ "message": message, "finish_reason": "stop" }] }).to_string())
    };
    for (behaviour, expected) in [
        (Behaviour::Perfect, "{\"ok\": true} [Stop]"),
        (Behaviour::says("  早上好  \n"), "早上好 [Stop]"),
        (Behaviour::says("<think>{\"draft\": 1}\n嗯……</think>\n\n好。"), "好。 [Stop]"),
        (Behaviour::says("嗯……</think>好。"), "好。 [Stop]"),
        (Behaviour::says_until_its_limit("おはよ"), "おはよ [Length]"),
        (Behaviour::Streams("一二三四五六七八九十".to_owned()), "一二三四五六七八九十 [Stop]"),
        (
            body(json!({ "content": [{ "type": "text", "text": "分" }, { "type": "text", "text": "段" }] })),
            "分段 [Stop]",
        ),
        (body(json!({ "content": "ok", "reasoning_content": "hm" })), "ok [Stop]"),
        (
            Behaviour::body(
                "{\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n{\"choices\":[{\"delta\":{\"content\":\"b\"},\"finish_reason\":\"stop\"}]}",
            ),
            "ab [Stop]",
        ),
        (
            Behaviour::body("\u{FEFF}{\"choices\":[{\"message\":{\"content\":\"no reason\"}}]}"),
            "no reason [Other(\"\")]",
        ),
        (
            body(json!({ "content": null, "refusal": "I cannot" })),
            "filtered: HERE declined to answer: its filter was set off",
        ),
        (Behaviour::says(""), "empty: the model at HERE said nothing"),
        (Behaviour::says_until_its_limit("<think>too long"), "empty: the model at HERE said nothing"),
    ] {
        let server = ScriptedModel::always(behaviour.clone());
        let outcome = chat_on(&Stage::new(), openai(&server)).ask(&question()).await;
        assert_eq!(told(&outcome).replace(&server.authority(), "HERE"), expected, "{behaviour:?}");
        assert_eq!(server.seen().len(), 1, "{behaviour:?}");
    }
}

#[tokio::test]
async fn geminis_filter_thoughts_and_streams_are_understood() {
    for (behaviour, expected) in [
        (Behaviour::Streams("一二三四五六".to_owned()), "一二三四五六 [Stop]"),
        (
            Behaviour::body(
                r#"[{"candidates":[{"content":{"parts":[{"text":"a"}]}}]},{"candidates":[{"content":{"parts":[{"text":"b"}]},"finishReason":"STOP"}]}]"#,
            ),
            "ab [Stop]",
        ),
        (
            Behaviour::body(
                r#"{"candidates":[{"content":{"parts":[{"text":"hm","thought":true},{"text":"好"}]},"finishReason":"MAX_TOKENS"}]}"#,
            ),
            "好 [Length]",
        ),
        (
            Behaviour::body(
                r#"{"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":3}}"#,
            ),
            "filtered: HERE declined to answer: its filter was set off",
        ),
        (
            Behaviour::body(r#"{"candidates":[{"finishReason":"SAFETY"}]}"#),
            "filtered: HERE declined to answer: its filter was set off",
        ),
        (
            Behaviour::body(r#"{"choices":[]}"#),
            "not_understood: the answer of HERE cannot be understood: it has no candidates",
        ),
    ] {
        let server = ScriptedModel::always(behaviour.clone());
        let outcome = chat_on(&Stage::new(), gemini(&server)).ask(&question()).await;
        assert_eq!(told(&outcome).replace(&server.authority(), "HERE"), expected, "{behaviour:?}");
    }
}

#[tokio::test]
async fn a_base_url_works_however_it_is_written() {
    for end in ["", "/", "/v1", "/v1/", "/v1/chat/completions", "/v1/models"] {
        let server = ScriptedModel::always(Behaviour::Perfect);
        let address = format!("{}{end}", server.origin());
        let chat = chat_on(&Stage::new(), Endpoint::new(&address));
        chat.ask(&question()).await.unwrap();
        assert_eq!(server.seen().len(), 1, "{end}");
    }
    // Where the path leaves it open, the other way is tried once, and the one that led somewhere is kept.
    for (end, targets) in [
        ("/api", ["/api/chat/completions", "/api/v1/chat/completions", "/api/v1/chat/completions"]),
        (
            "/v1/api/v2",
            ["/v1/api/v2/chat/completions", "/v1/api/chat/completions", "/v1/api/chat/completions"],
        ),
    ] {
        let server = ScriptedModel::answering(|seen| match seen.target.as_str() {
            "/api/v1/chat/completions" => Behaviour::Perfect,
            "/v1/api/chat/completions" => {
                Behaviour::body(r#"{"choices":[{"message":{"content":"ok"},"finish_reason":"stop"}]}"#)
            }
            _ => Behaviour::status(404, "404 page not found"),
        });
        let chat = chat_on(&Stage::new(), Endpoint::new(&format!("{}{end}", server.origin())));
        chat.ask(&question()).await.unwrap();
        chat.ask(&question()).await.unwrap();
        let seen: Vec<String> = server.seen().into_iter().map(|seen| seen.target).collect();
        assert_eq!(seen, targets);
    }
}

#[tokio::test]
async fn a_good_connection_is_used_again_and_a_closed_one_is_no_failure() {
    let server = ScriptedModel::always(Behaviour::Perfect);
    let stage = Stage::new();
    let chat = chat_on(&stage, openai(&server));
    for _ in 0..3 {
        chat.ask(&question()).await.unwrap();
    }
    assert_eq!(server.connections(), 1);
    server.close_connections();
    chat.ask(&question()).await.unwrap();
    assert_eq!(server.connections(), 2);
    assert_eq!(stage.pauses(), []);
    assert_eq!(chat.dependency().health().failures, 0);
}

#[tokio::test]
async fn what_makes_no_sense_is_refused_before_anything_is_sent() {
    let stage = Stage::new();
    let server = ScriptedModel::always(Behaviour::Perfect);
    let mut model = ChatModel::new(openai(&server), "scripted-chat");
    model.options = options(json!({ "messages": [] }));
    let refused = |model: ChatModel| {
        let outcome = reverie_models::Chat::new("chat", model, stage.surroundings());
        outcome.err().map(|error| error.message().to_owned()).unwrap_or_default()
    };
    assert_eq!(refused(model), "the options of a model cannot set messages");
    assert_eq!(refused(ChatModel::new(Endpoint::new(""), "m")), "the model has no address");
    let mut endpoint = Endpoint::new("https://model.example");
    endpoint.trusted_pem = Some("no certificate".to_owned());
    assert_eq!(refused(ChatModel::new(endpoint, "m")), "the trusted certificates cannot be read");
    for wrong in ["", "  ", "键", "a b"] {
        assert!(reverie_models::Key::new(wrong).is_err());
    }
    for wrong in ["socks5://127.0.0.1:1080", "https://proxy.example", "http://"] {
        assert!(reverie_models::Proxy::new(wrong).is_err(), "{wrong}");
    }
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn questions_can_be_asked_from_any_thread() {
    let server = ScriptedModel::always(Behaviour::Perfect);
    let chat = std::sync::Arc::new(chat_on(&Stage::new(), openai(&server)));
    let asked: Vec<_> = (0..8)
        .map(|_| {
            let chat = chat.clone();
            tokio::spawn(async move { chat.ask(&question()).await })
        })
        .collect();
    for outcome in asked {
        assert_eq!(told(&outcome.await.unwrap()), "{\"ok\": true} [Stop]");
    }
    assert_eq!(server.seen().len(), 8);
}

#[tokio::test]
async fn an_estimate_covers_what_is_asked_and_what_may_be_said() {
    let server = ScriptedModel::always(Behaviour::Perfect);
    let chat = chat_on(&Stage::new(), openai(&server));
    let mut request = question();
    request.max_tokens = Some(100);
    let short = chat.estimate(&request);
    request.messages[1].text = "白小喵几岁了？".repeat(100);
    let long = chat.estimate(&request);
    assert!(short > 100 && short < 150, "{short}");
    assert!(long > short + 300, "{long}");
}
