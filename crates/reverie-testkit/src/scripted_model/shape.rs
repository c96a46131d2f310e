//! What does a good answer look like, in the API that was asked?

use serde_json::{Value, json};

use super::wire::Seen;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    OpenAiChat,
    OpenAiEmbeddings,
    GeminiChat,
    GeminiEmbedding,
    GeminiEmbeddings,
    Models,
    Unknown,
}

pub(super) fn asked(seen: &Seen) -> Asked {
    let path = seen.target.split('?').next().unwrap_or_default();
    match () {
        () if path.ends_with("/v1/chat/completions") => Asked::OpenAiChat,
        () if path.ends_with("/v1/embeddings") => Asked::OpenAiEmbeddings,
        () if path.ends_with(":generateContent") || path.ends_with(":streamGenerateContent") => {
            Asked::GeminiChat
        }
        () if path.ends_with(":embedContent") => Asked::GeminiEmbedding,
        () if path.ends_with(":batchEmbedContents") => Asked::GeminiEmbeddings,
        () if path.ends_with("/v1/models") || path.ends_with("/v1beta/models") => Asked::Models,
        () => Asked::Unknown,
    }
}

/// A whole answer that says this; None where nothing is.
pub(super) fn answer(seen: &Seen, text: &str, finish: &str) -> Option<Value> {
    let input = seen.prompt().chars().count();
    let output = text.chars().count();
    let embedding = |text: &String| vector(text, dims(seen));
    Some(match asked(seen) {
        Asked::OpenAiChat => json!({
            "object": "chat.completion",
            "choices": [{ "index": 0, "message": { "role": "assistant", "content": text }, "finish_reason": finish }],
            "usage": { "prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output },
        }),
        Asked::GeminiChat => json!({
            "candidates": [{
                "content": { "role": "model", "parts": [{ "text": text }] },
                "finishReason": if finish == "length" { "MAX_TOKENS" } else { "STOP" },
            }],
            "usageMetadata": {
                "promptTokenCount": input, "candidatesTokenCount": output, "totalTokenCount": input + output,
            },
        }),
        Asked::OpenAiEmbeddings => {
            let texts = seen.texts();
            let items =
                texts.iter().map(embedding).enumerate().map(
                    |(index, vector)| json!({ "object": "embedding", "index": index, "embedding": vector }),
                );
            json!({ "object": "list", "data": items.collect::<Vec<_>>() })
        }
        Asked::GeminiEmbedding => {
            json!({ "embedding": { "values": seen.texts().first().map(embedding).unwrap_or_default() } })
        }
        Asked::GeminiEmbeddings => {
            let vectors =
                seen.texts().iter().map(|text| json!({ "values": embedding(text) })).collect::<Vec<_>>();
            json!({ "embeddings": vectors })
        }
        Asked::Models => json!({
            "data": [{ "id": "scripted-chat" }, { "id": "scripted-embedding" }],
            "models": [{ "name": "models/scripted-chat" }, { "name": "models/scripted-embedding" }],
        }),
        Asked::Unknown => return None,
    })
}

/// The same as events, each with a part of the text.
pub(super) fn events(seen: &Seen, text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let parts = characters.chunks(4).map(|part| part.iter().collect::<String>());
    let event = |part: &str, finish: Option<&str>| match asked(seen) {
        Asked::GeminiChat => {
            let finish = finish.map(|_| "STOP");
            json!({ "candidates": [{ "content": { "parts": [{ "text": part }] }, "finishReason": finish }] })
        }
        _ => json!({ "choices": [{ "index": 0, "delta": { "content": part }, "finish_reason": finish }] }),
    };
    let said = parts.map(|part| event(&part, None));
    said.chain([event("", Some("stop"))]).map(|event| format!("data: {event}\n\n")).collect()
}

fn dims(seen: &Seen) -> usize {
    let first = seen.body.pointer("/requests/0").unwrap_or(&seen.body);
    let asked = first.get("dimensions").or_else(|| first.get("outputDimensionality")).and_then(Value::as_u64);
    asked.and_then(|dims| usize::try_from(dims).ok()).unwrap_or(8)
}

/// Where a text stands: nearer to those with which it shares characters.
pub fn vector(text: &str, dims: usize) -> Vec<f32> {
    let mut vector = vec![0.0; dims];
    for c in text.chars() {
        let place = u32::from(c) as usize % dims.max(1);
        if let Some(number) = vector.get_mut(place) {
            *number += 1.0;
        }
    }
    vector
}
