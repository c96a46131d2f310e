//! How does Gemini's own API want to be asked, and what does it answer?

use serde_json::{Map, Value, json};

use crate::chat::{ChatModel, ChatReply, ChatRequest, Finish, Role, Shape, Usage};
use crate::collected::Collected;
use crate::dialect::{Dialect, JsonHelp};
use crate::embedding::{EmbeddingModel, Vector};
use crate::error::Result;
use crate::merge::merge;
use crate::openai::vector;
use crate::pieces::{cut, odd, pieces};
use crate::transport::Reply;

/// Options that stand beside `generationConfig`, not in it.
const BESIDE: &[&str] =
    &["generationConfig", "safetySettings", "tools", "toolConfig", "cachedContent", "labels"];

pub(crate) fn chat_body(model: &ChatModel, request: &ChatRequest, dialect: Dialect, json: JsonHelp) -> Value {
    let mut config = Map::new();
    if let Some(limit) = request.max_tokens.or(model.max_output_tokens) {
        config.insert("maxOutputTokens".to_owned(), limit.into());
    }
    if let Some(temperature) = request.temperature.or(model.temperature) {
        config.insert("temperature".to_owned(), temperature.into());
    }
    if json > JsonHelp::Nothing {
        config.insert("responseMimeType".to_owned(), "application/json".into());
    }
    if let (JsonHelp::Schema, Shape::Schema(schema)) = (json, &request.shape) {
        config.insert("responseJsonSchema".to_owned(), schema.clone());
    }
    let mut body = Map::new();
    let (system, contents) = turns(request);
    if let Some(system) = system {
        body.insert("systemInstruction".to_owned(), json!({ "parts": [{ "text": system }] }));
    }
    body.insert("contents".to_owned(), contents.into());
    body.insert("generationConfig".to_owned(), Value::Object(config));
    merge(&mut body, &placed(&model.options));
    if !dialect.has_temperature
        && let Some(config) = body.get_mut("generationConfig").and_then(Value::as_object_mut)
    {
        config.shift_remove("temperature");
    }
    Value::Object(body)
}

/// All system texts together, and the talk with its own two roles. A talk of system texts alone is a user's.
fn turns(request: &ChatRequest) -> (Option<String>, Vec<Value>) {
    let (system, talk): (Vec<_>, Vec<_>) =
        request.messages.iter().partition(|message| message.role == Role::System);
    let turn = |role: &str, text: &str| json!({ "role": role, "parts": [{ "text": text }] });
    if talk.is_empty() {
        return (None, system.iter().map(|message| turn("user", &message.text)).collect());
    }
    let contents = talk.iter().map(|message| {
        let role = if message.role == Role::Assistant { "model" } else { "user" };
        turn(role, &message.text)
    });
    let contents = contents.collect();
    let system: Vec<&str> = system.iter().map(|message| message.text.as_str()).collect();
    ((!system.is_empty()).then(|| system.join("\n\n")), contents)
}

/// Options where the API wants them, in its own spelling: `response_mime_type` and `responseMimeType` are one.
fn placed(options: &Map<String, Value>) -> Map<String, Value> {
    let mut config = Map::new();
    let mut beside = Map::new();
    for (name, option) in options {
        let name = camel_case(name);
        match option {
            Value::Object(inner) if name == "generationConfig" => {
                config.extend(inner.iter().map(|(name, option)| (camel_case(name), option.clone())));
            }
            _ if BESIDE.contains(&name.as_str()) => {
                beside.insert(name, option.clone());
            }
            _ => {
                config.insert(name, option.clone());
            }
        }
    }
    if !config.is_empty() {
        beside.insert("generationConfig".to_owned(), Value::Object(config));
    }
    beside
}

fn camel_case(name: &str) -> String {
    let mut camel = String::with_capacity(name.len());
    let mut is_next_upper = false;
    for c in name.chars() {
        match c {
            '_' => is_next_upper = true,
            c if is_next_upper => {
                camel.extend(c.to_uppercase());
                is_next_upper = false;
            }
            c => camel.push(c),
        }
    }
    camel
}

pub(crate) fn read_chat(reply: &Reply, server: &str) -> Result<ChatReply> {
    let pieces = pieces(reply, server)?;
    let mut collected = Collected::default();
    let mut is_ours = false;
    for piece in &pieces.values {
        collected.usage = piece.get("usageMetadata").and_then(usage).or(collected.usage);
        let is_blocked = piece.pointer("/promptFeedback/blockReason").is_some();
        is_ours |= is_blocked || piece.get("candidates").is_some() || piece.get("usageMetadata").is_some();
        collected.is_declined |= is_blocked;
        let Some(candidate) = piece.pointer("/candidates/0") else { continue };
        let parts = candidate.pointer("/content/parts").and_then(Value::as_array);
        let spoken =
            parts.into_iter().flatten().filter(|part| part.get("thought") != Some(&Value::Bool(true)));
        spoken.filter_map(|part| part.get("text")?.as_str()).for_each(|more| collected.text.push_str(more));
        if let Some(reason) = candidate.get("finishReason").and_then(Value::as_str) {
            collected.finish = Some(finish(reason));
        }
    }
    if !is_ours {
        return Err(odd(server, "it has no candidates"));
    }
    if pieces.is_stream && collected.finish.is_none() && !collected.is_declined {
        return Err(cut(server));
    }
    collected.into_reply(server)
}

fn finish(reason: &str) -> Finish {
    match reason {
        "STOP" => Finish::Stop,
        "MAX_TOKENS" => Finish::Length,
        "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" => Finish::Filtered,
        other => Finish::Other(other.chars().take(40).collect()),
    }
}

fn usage(usage: &Value) -> Option<Usage> {
    let number = |name: &str| usage.get(name).and_then(Value::as_u64).unwrap_or(0);
    let input = usage.get("promptTokenCount").and_then(Value::as_u64)?;
    let said = number("candidatesTokenCount").saturating_add(number("thoughtsTokenCount"));
    Some(Usage { input, output: said.max(number("totalTokenCount").saturating_sub(input)) })
}

pub(crate) fn embedding_body(
    model: &EmbeddingModel,
    name: &str,
    texts: &[&str],
    ask_for_dims: bool,
) -> Value {
    let request = |text: &&str| {
        let mut request = Map::new();
        request.insert("model".to_owned(), name.into());
        request.insert("content".to_owned(), json!({ "parts": [{ "text": text }] }));
        if let Some(dims) = model.dims.filter(|_| ask_for_dims) {
            request.insert("outputDimensionality".to_owned(), dims.into());
        }
        let options = model.options.iter().map(|(name, option)| (camel_case(name), option.clone()));
        merge(&mut request, &options.collect());
        Value::Object(request)
    };
    match texts {
        [text] => request(text),
        _ => json!({ "requests": texts.iter().map(request).collect::<Vec<_>>() }),
    }
}

pub(crate) fn read_embeddings(reply: &Reply, server: &str) -> Result<Vec<Vector>> {
    let pieces = pieces(reply, server)?;
    let body = pieces.values.first().unwrap_or(&Value::Null);
    let values = |embedding: &Value| vector(embedding.get("values").unwrap_or(&Value::Null), server);
    match (body.get("embedding"), body.get("embeddings").and_then(Value::as_array)) {
        (Some(one), _) => Ok(vec![values(one)?]),
        (None, Some(many)) => many.iter().map(values).collect(),
        (None, None) => Err(odd(server, "it has no embeddings")),
    }
}
