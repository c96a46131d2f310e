//! Which model answers where none is configured? One that repeats what it was told, so that the whole way can be seen without any key.

use std::collections::VecDeque;

use hyper::body::Bytes;
use hyper::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use reverie_core::tokens::Counter;
use serde_json::{Value, json};

use super::source::Source;

/// As `/v1/models` calls it.
pub(super) const NAME: &str = "echo";

/// Characters of one piece of a stream.
const PIECE: usize = 4;

/// What it says to a request, as the request wants to hear it.
pub(super) fn answer(request: &Value, created_s: i64, id: &str) -> (HeaderMap, Source) {
    let text = newest(request);
    let model = request.get("model").and_then(Value::as_str).unwrap_or(NAME);
    let count = |text: &str| Counter::Estimate.count(text);
    let input: usize = texts(request).map(|text| count(&text)).sum();
    let output = count(&text);
    let usage =
        json!({ "prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output });
    let common = |object: &str| json!({ "id": id, "object": object, "created": created_s, "model": model });
    let is_streamed = request.get("stream").and_then(Value::as_bool).unwrap_or(false);
    let mut pieces = VecDeque::new();
    if is_streamed {
        let mut event = |delta: Value, finish: Option<&str>| {
            let choice = json!({ "index": 0, "delta": delta, "logprobs": null, "finish_reason": finish });
            pieces.push_back(event(with(common("chat.completion.chunk"), &[("choices", json!([choice]))])));
        };
        event(json!({ "role": "assistant", "content": "" }), None);
        let characters: Vec<char> = text.chars().collect();
        for piece in characters.chunks(PIECE) {
            event(json!({ "content": piece.iter().collect::<String>() }), None);
        }
        event(json!({}), Some("stop"));
        if request.pointer("/stream_options/include_usage") == Some(&Value::Bool(true)) {
            let last = with(common("chat.completion.chunk"), &[("choices", json!([])), ("usage", usage)]);
            pieces.push_back(self::event(last));
        }
        pieces.push_back(Bytes::from_static(b"data: [DONE]\n\n"));
    } else {
        let message = json!({ "role": "assistant", "content": text, "refusal": null });
        let choice = json!({ "index": 0, "message": message, "logprobs": null, "finish_reason": "stop" });
        let whole = with(common("chat.completion"), &[("choices", json!([choice])), ("usage", usage)]);
        pieces.push_back(Bytes::from(format!("{whole}\n")));
    }
    let mut headers = HeaderMap::new();
    let kind = if is_streamed { "text/event-stream; charset=utf-8" } else { "application/json" };
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    (headers, Source::Own(pieces))
}

fn event(value: Value) -> Bytes {
    Bytes::from(format!("data: {value}\n\n"))
}

fn with(mut value: Value, more: &[(&str, Value)]) -> Value {
    if let Some(map) = value.as_object_mut() {
        map.extend(more.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
    }
    value
}

/// What the user said last.
fn newest(request: &Value) -> String {
    let mut messages = request.get("messages").and_then(Value::as_array).into_iter().flatten();
    let is_user = |message: &&Value| message.get("role").and_then(Value::as_str) == Some("user");
    messages.rfind(is_user).map(text_of).unwrap_or_default()
}

fn texts(request: &Value) -> impl Iterator<Item = String> {
    request.get("messages").and_then(Value::as_array).into_iter().flatten().map(text_of)
}

fn text_of(message: &Value) -> String {
    match message.get("content") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => {
            let texts = parts.iter().filter_map(|part| part.get("text")?.as_str());
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}
