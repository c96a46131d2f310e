//! How do OpenAI-compatible servers want to be asked, and what do they answer?

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Map, Value, json};

use crate::chat::{ChatModel, ChatReply, ChatRequest, Finish, Role, Shape, Usage};
use crate::collected::Collected;
use crate::dialect::{Dialect, JsonHelp, LimitName};
use crate::embedding::{EmbeddingModel, Vector};
use crate::error::{Error, Kind, Result};
use crate::merge::merge;
use crate::pieces::{cut, odd, pieces};
use crate::transport::Reply;

pub(crate) fn chat_body(
    model: &ChatModel,
    name: &str,
    request: &ChatRequest,
    dialect: Dialect,
    json: JsonHelp,
) -> Value {
    let messages: Vec<Value> = request
        .messages
        .iter()
        .map(|message| json!({ "role": role(message.role), "content": message.text }))
        .collect();
    let mut body = Map::new();
    body.insert("model".to_owned(), name.into());
    body.insert("messages".to_owned(), messages.into());
    body.insert("stream".to_owned(), false.into());
    if let Some(limit) = request.max_tokens.or(model.max_output_tokens) {
        let name = match dialect.limit_name {
            LimitName::MaxTokens => "max_tokens",
            LimitName::MaxCompletionTokens => "max_completion_tokens",
        };
        body.insert(name.to_owned(), limit.into());
    }
    if let Some(temperature) = request.temperature.or(model.temperature) {
        body.insert("temperature".to_owned(), temperature.into());
    }
    match (json, &request.shape) {
        (JsonHelp::Schema, Shape::Schema(schema)) => {
            let named = json!({ "name": "answer", "schema": schema });
            body.insert("response_format".to_owned(), json!({ "type": "json_schema", "json_schema": named }));
        }
        (JsonHelp::AnyObject, _) => {
            body.insert("response_format".to_owned(), json!({ "type": "json_object" }));
        }
        _ => {}
    }
    merge(&mut body, &model.options);
    if !dialect.has_temperature {
        body.shift_remove("temperature");
    }
    Value::Object(body)
}

fn role(role: Role) -> &'static str {
    match role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
    }
}

pub(crate) fn read_chat(reply: &Reply, server: &str) -> Result<ChatReply> {
    let pieces = pieces(reply, server)?;
    let mut collected = Collected::default();
    let mut has_choices = false;
    for piece in &pieces.values {
        if piece.get("error").is_some_and(|error| !error.is_null()) {
            return Err(Error::new(
                Kind::ServerFault,
                format!("{server} failed in the middle of its answer"),
            )
            .hint("the fault is the server's; its log may say more"));
        }
        collected.usage = piece.get("usage").and_then(usage).or(collected.usage);
        let Some(choices) = piece.get("choices").and_then(Value::as_array) else { continue };
        has_choices = true;
        let Some(choice) = choices.first() else { continue };
        let message = choice.get("message").or_else(|| choice.get("delta")).unwrap_or(&Value::Null);
        push_content(&mut collected.text, message.get("content").unwrap_or(&Value::Null));
        let refusal = message.get("refusal").and_then(Value::as_str).unwrap_or_default();
        collected.is_declined |= !refusal.is_empty();
        if let Some(reason) = choice.get("finish_reason").and_then(Value::as_str) {
            collected.finish = Some(finish(reason));
        }
    }
    if pieces.is_stream && !pieces.has_end && collected.finish.is_none() {
        return Err(cut(server));
    }
    if !has_choices {
        return Err(odd(server, "it has no choices"));
    }
    collected.into_reply(server)
}

/// A text, or a list of parts.
fn push_content(text: &mut String, content: &Value) {
    match content {
        Value::String(more) => text.push_str(more),
        Value::Array(parts) => {
            parts.iter().filter_map(|part| part.get("text")?.as_str()).for_each(|more| text.push_str(more));
        }
        _ => {}
    }
}

fn finish(reason: &str) -> Finish {
    match reason {
        "stop" | "eos" => Finish::Stop,
        "length" | "max_tokens" => Finish::Length,
        "content_filter" => Finish::Filtered,
        other => Finish::Other(other.chars().take(40).collect()),
    }
}

fn usage(usage: &Value) -> Option<Usage> {
    let number = |name: &str| usage.get(name).and_then(Value::as_u64);
    let input = number("prompt_tokens").or_else(|| number("input_tokens"))?;
    let said = number("completion_tokens").or_else(|| number("output_tokens")).unwrap_or(0);
    // Some leave thinking out of the one and in the other.
    let rest = number("total_tokens").map_or(0, |total| total.saturating_sub(input));
    Some(Usage { input, output: said.max(rest) })
}

pub(crate) fn embedding_body(
    model: &EmbeddingModel,
    name: &str,
    texts: &[&str],
    ask_for_dims: bool,
) -> Value {
    let mut body = Map::new();
    body.insert("model".to_owned(), name.into());
    body.insert("input".to_owned(), texts.into());
    if let Some(dims) = model.dims.filter(|_| ask_for_dims) {
        body.insert("dimensions".to_owned(), dims.into());
    }
    merge(&mut body, &model.options);
    Value::Object(body)
}

/// The vectors in the order of the texts, wherever the server put them.
pub(crate) fn read_embeddings(reply: &Reply, server: &str) -> Result<Vec<Vector>> {
    let pieces = pieces(reply, server)?;
    let data = pieces.values.first().and_then(|body| body.get("data")?.as_array());
    let data = data.ok_or_else(|| odd(server, "it has no data"))?;
    let mut placed: Vec<Option<Vector>> = vec![None; data.len()];
    for (position, item) in data.iter().enumerate() {
        let index = item
            .get("index")
            .and_then(Value::as_u64)
            .map_or(Some(position), |index| usize::try_from(index).ok());
        let slot = index.and_then(|index| placed.get_mut(index)).filter(|slot| slot.is_none());
        let slot = slot.ok_or_else(|| odd(server, "it numbers its vectors in no order"))?;
        *slot = Some(vector(item.get("embedding").unwrap_or(&Value::Null), server)?);
    }
    Ok(placed.into_iter().flatten().collect())
}

/// A list of numbers, or their bytes in base64.
pub(crate) fn vector(value: &Value, server: &str) -> Result<Vector> {
    let numbers: Option<Vector> = match value {
        Value::Array(numbers) => {
            numbers.iter().map(|number| number.as_f64().map(|number| number as f32)).collect()
        }
        Value::String(encoded) => BASE64_STANDARD.decode(encoded).ok().and_then(|bytes| {
            let chunks = bytes.as_chunks::<4>();
            chunks.1.is_empty().then(|| chunks.0.iter().map(|chunk| f32::from_le_bytes(*chunk)).collect())
        }),
        _ => None,
    };
    if value.get(0).is_some_and(Value::is_array) {
        return Err(odd(server, "it has a vector for each token")
            .hint("let the server pool them; llama.cpp: --pooling mean"));
    }
    match numbers {
        Some(vector) if !vector.is_empty() && vector.iter().all(|number| number.is_finite()) => Ok(vector),
        _ => Err(odd(server, "a vector is no list of numbers")),
    }
}
