//! Is a chat in OpenAI's form the same chat in Gemini's, and its answer the same answer?

use reverie_models::translate::{Answering, refused, to_gemini, whole};
use serde_json::{Value, json};

#[test]
fn a_request_says_the_same_in_the_other_api() {
    let user = |text: &str| json!({"role": "user", "parts": [{"text": text}]});
    for (request, body, dropped) in [
        (
            json!({"model": "g", "messages": [
                {"role": "system", "content": "你是钦灵"},
                {"role": "developer", "content": "Be brief."},
                {"role": "user", "content": "你好"},
                {"role": "assistant", "content": "嗯"},
                {"role": "system", "content": "[It rains.]"},
                {"role": "user", "content": [{"type": "text", "text": "再见"}]},
            ], "temperature": 0.5, "max_tokens": 10, "stop": "END", "logit_bias": {"1": 2}, "user": "u"}),
            json!({
                "systemInstruction": {"parts": [{"text": "你是钦灵\n\nBe brief."}]},
                "contents": [
                    user("你好"),
                    {"role": "model", "parts": [{"text": "嗯"}]},
                    {"role": "user", "parts": [{"text": "[It rains.]"}, {"text": "再见"}]},
                ],
                "generationConfig": {"temperature": 0.5, "maxOutputTokens": 10, "stopSequences": ["END"]},
            }),
            vec!["logit_bias"],
        ),
        (
            json!({"messages": [{"role": "system", "content": "only this"}]}),
            json!({"contents": [user("only this")]}),
            vec![],
        ),
        (
            json!({"messages": [{"role": "user", "content": [
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
                {"type": "image_url", "image_url": {"url": "https://host/a.b/cat.JPG?size=1.png"}},
                {"type": "image_url", "image_url": {"url": "https://host.png/cat"}},
                {"type": "input_audio", "input_audio": {"data": "BBBB", "format": "mp3"}},
                {"type": "file", "file": {}},
            ]}], "response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "object"}}}}),
            json!({
                "contents": [{"role": "user", "parts": [
                    {"inlineData": {"mimeType": "image/png", "data": "AAAA"}},
                    {"fileData": {"mimeType": "image/jpeg", "fileUri": "https://host/a.b/cat.JPG?size=1.png"}},
                    {"fileData": {"fileUri": "https://host.png/cat"}},
                    {"inlineData": {"mimeType": "audio/mp3", "data": "BBBB"}},
                ]}],
                "generationConfig": {"responseMimeType": "application/json", "responseJsonSchema": {"type": "object"}},
            }),
            vec!["content.file"],
        ),
        (
            json!({"messages": [
                {"role": "user", "content": "weather?"},
                {"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function",
                    "function": {"name": "weather", "arguments": "{\"city\":\"杭州\"}"},
                    "extra_content": {"google": {"thought_signature": "S"}}}]},
                {"role": "tool", "tool_call_id": "c1", "content": "{\"sky\":\"rain\"}"},
                {"role": "tool", "tool_call_id": "c1", "content": "just rain"},
            ], "tools": [
                {"type": "function", "function": {"name": "weather", "description": "d", "parameters": {"type": "object"}, "strict": true}},
                {"type": "web_search"},
            ], "tool_choice": {"type": "function", "function": {"name": "weather"}}}),
            json!({
                "contents": [
                    user("weather?"),
                    {"role": "model", "parts": [
                        {"functionCall": {"name": "weather", "args": {"city": "杭州"}}, "thoughtSignature": "S"},
                    ]},
                    {"role": "user", "parts": [
                        {"functionResponse": {"name": "weather", "response": {"sky": "rain"}}},
                        {"functionResponse": {"name": "weather", "response": {"result": "just rain"}}},
                    ]},
                ],
                "tools": [{"functionDeclarations": [
                    {"name": "weather", "description": "d", "parametersJsonSchema": {"type": "object"}},
                ]}],
                "toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["weather"]}},
            }),
            vec!["tools.web_search"],
        ),
        (json!({}), json!({"contents": []}), vec![]),
        (json!({"messages": [1, null, {"role": 3}]}), json!({"contents": []}), vec![]),
    ] {
        let translated = to_gemini(&request);
        assert_eq!(translated.body, body, "{request}");
        assert_eq!(translated.dropped, dropped, "{request}");
    }
}

fn answering() -> Answering {
    Answering::new("chatcmpl-1", "g", 7, true)
}

#[test]
fn a_whole_answer_comes_back_in_the_form_that_was_asked_for() {
    let answer = json!({
        "candidates": [{"content": {"role": "model", "parts": [
            {"text": "hm", "thought": true}, {"text": "好"},
            {"functionCall": {"name": "f", "args": {"a": 1}}, "thoughtSignature": "S"},
        ]}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 5, "candidatesTokenCount": 2, "thoughtsTokenCount": 3, "totalTokenCount": 10},
    });
    let told = whole(answering(), &answer).unwrap();
    assert_eq!(told["choices"][0]["message"]["content"], "好");
    assert_eq!(
        told["choices"][0]["message"]["tool_calls"][0],
        json!({"id": "call_1_0", "type": "function", "function": {"name": "f", "arguments": "{\"a\":1}"},
               "extra_content": {"google": {"thought_signature": "S"}}})
    );
    assert_eq!(told["choices"][0]["finish_reason"], "tool_calls");
    assert_eq!(
        (&told["usage"]["completion_tokens"], &told["usage"]["total_tokens"]),
        (&json!(5), &json!(10))
    );
    assert_eq!(
        (&told["object"], &told["created"], &told["model"]),
        (&json!("chat.completion"), &json!(7), &json!("g"))
    );
    let blocked = whole(answering(), &json!({"promptFeedback": {"blockReason": "SAFETY"}})).unwrap();
    assert_eq!(blocked["choices"][0]["finish_reason"], "content_filter");
    assert_eq!(whole(answering(), &json!({"nothing": 1})), None);
    let error = json!({"error": {"code": 400, "message": "API key not valid", "status": "INVALID_ARGUMENT"}});
    let told = refused(&error).unwrap();
    assert_eq!(
        (&told["error"]["message"], &told["error"]["code"]),
        (&json!("API key not valid"), &json!("INVALID_ARGUMENT"))
    );
    assert_eq!(refused(&json!([error])), Some(told));
}

/// However the stream is cut.
#[test]
fn a_stream_comes_back_as_a_stream() {
    let event = |value: Value| format!("data: {value}\r\n\r\n");
    let text = |text: &str| json!({"candidates": [{"content": {"parts": [{"text": text}]}}]});
    let call = json!({"candidates": [{"content": {"parts": [{"functionCall": {"name": "f", "args": {}}}]}, "finishReason": "STOP"}],
                      "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 2, "totalTokenCount": 3}});
    let stream = format!("{}{}: ping\n\n{}", event(text("你")), event(text("好")), event(call));
    for size in [1, 3, 1000] {
        let mut answering = answering();
        let mut told = String::new();
        for piece in stream.as_bytes().chunks(size) {
            told.push_str(&answering.take(piece));
        }
        told.push_str(&answering.end());
        let events: Vec<&str> = told.split("\n\n").filter_map(|event| event.strip_prefix("data: ")).collect();
        let (done, events) = events.split_last().unwrap();
        assert_eq!(*done, "[DONE]");
        let events: Vec<Value> = events.iter().map(|event| serde_json::from_str(event).unwrap()).collect();
        let said: String =
            events.iter().filter_map(|event| event["choices"][0]["delta"]["content"].as_str()).collect();
        assert_eq!(said, "你好");
        assert_eq!(events[0]["choices"][0]["delta"]["role"], "assistant");
        let calls: Vec<&Value> =
            events.iter().filter(|event| event["choices"][0]["delta"]["tool_calls"].is_array()).collect();
        assert_eq!(calls.len(), 1);
        let finishes: Vec<&Value> = events
            .iter()
            .map(|event| &event["choices"][0]["finish_reason"])
            .filter(|reason| reason.is_string())
            .collect();
        assert_eq!(finishes, ["tool_calls"]);
        assert_eq!(events.last().unwrap()["usage"]["total_tokens"], 3);
    }
    // What breaks off has no end.
    let mut cut = answering();
    let told = cut.take(event(text("a")).as_bytes()) + &cut.end();
    assert!(told.contains("\"a\"") && !told.contains("[DONE]"), "{told}");
}

/// Several answers at once stay apart, and how likely each token was is told.
#[test]
fn several_answers_do_not_mix() {
    let likely = |token: &str| {
        json!({"chosenCandidates": [{"token": token, "tokenId": 7, "logProbability": -0.5}],
               "topCandidates": [{"candidates": [{"token": token, "logProbability": -0.5}, {"token": "は", "logProbability": -2.0}]}]})
    };
    let told_of = |token: &str| {
        let bytes = token.as_bytes();
        json!({"content": [{"token": token, "logprob": -0.5, "bytes": bytes, "top_logprobs": [
            {"token": token, "logprob": -0.5, "bytes": bytes}, {"token": "は", "logprob": -2.0, "bytes": [227, 129, 175]},
        ]}], "refusal": null})
    };
    let part = |index: u64, part: Value| json!({"index": index, "content": {"parts": [part]}});
    let call = json!({"functionCall": {"name": "f", "args": {}}});
    let mut last = [part(1, call.clone()), part(0, call)];
    last.iter_mut().for_each(|candidate| candidate["finishReason"] = "STOP".into());
    let mut first = part(0, json!({"text": "你"}));
    first["logprobsResult"] = likely("你");
    // They come together and alone, in any order.
    let events = [
        json!({"candidates": [first, part(1, json!({"text": "Good "}))]}),
        json!({"candidates": [part(1, json!({"text": "day"}))]}),
        json!({"candidates": [part(0, json!({"text": "好"}))]}),
        json!({"candidates": last}),
    ];
    let mut streamed = answering();
    let mut told = String::new();
    for event in &events {
        told.push_str(&streamed.take(format!("data: {event}\n\n").as_bytes()));
    }
    told.push_str(&streamed.end());
    let events: Vec<Value> = told
        .split("\n\n")
        .filter_map(|event| serde_json::from_str(event.strip_prefix("data: ")?).ok())
        .filter(|event: &Value| event["choices"][0].is_object())
        .collect();
    for (index, text, id) in [(0, "你好", "call_1_1"), (1, "Good day", "call_1_0")] {
        let own: Vec<&Value> = events
            .iter()
            .map(|event| &event["choices"][0])
            .filter(|choice| choice["index"] == index)
            .collect();
        let said: String = own.iter().filter_map(|choice| choice["delta"]["content"].as_str()).collect();
        assert_eq!(said, text);
        assert_eq!(own[0]["delta"]["role"], "assistant");
        let calls: Vec<&Value> = own
            .iter()
            .map(|choice| &choice["delta"]["tool_calls"][0])
            .filter(|call| call.is_object())
            .collect();
        assert_eq!((calls.len(), &calls[0]["index"], &calls[0]["id"]), (1, &json!(0), &json!(id)));
        let finishes: Vec<&str> = own.iter().filter_map(|choice| choice["finish_reason"].as_str()).collect();
        assert_eq!(finishes, ["tool_calls"]);
    }
    assert!(told.ends_with("data: [DONE]\n\n"), "{told}");
    let heard = events.iter().find(|event| event["choices"][0]["logprobs"].is_object()).unwrap();
    assert_eq!(heard["choices"][0]["logprobs"], told_of("你"));

    // One of them breaks off: there is no end.
    let mut cut = answering();
    let half = json!({"candidates": [{"index": 0, "finishReason": "STOP"}, part(1, json!({"text": "a"}))]});
    let told = cut.take(format!("data: {half}\n\n").as_bytes()) + &cut.end();
    assert!(!told.contains("[DONE]") && told.contains("\"a\""), "{told}");

    let mut second = part(1, json!({"text": "Hello"}));
    second["logprobsResult"] = likely("Hello");
    let told =
        whole(answering(), &json!({"candidates": [second, part(0, json!({"text": "你好"}))]})).unwrap();
    let choices = told["choices"].as_array().unwrap();
    assert_eq!((&choices[0]["index"], &choices[0]["logprobs"]), (&json!(1), &told_of("Hello")));
    assert_eq!((&choices[1]["index"], &choices[1]["logprobs"]), (&json!(0), &Value::Null));
}
