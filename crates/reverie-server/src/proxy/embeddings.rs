//! What does `/v1/embeddings` answer? Vectors of the embedder that memories are compared with, in OpenAI's form.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use reverie::SystemClock;
use reverie_core::clock::Clock as _;
use reverie_core::tokens::Counter;
use reverie_core::{Code, Error};
use serde_json::{Value, json};

use super::{Proxy, failure};
use crate::http::admission::Outcome;
use crate::http::answer::Answer;
use crate::http::{App, deadline_in};

/// As many as OpenAI takes.
const MOST_TEXTS: usize = 2048;
/// What is left of a request's time when the embedder must give up.
const BESIDES: Duration = Duration::from_secs(1);

pub(super) async fn answer(app: &Arc<App>, proxy: &Arc<Proxy>, body: &[u8]) -> Answer {
    let Wanted { texts, is_base64, dimensions } = match Wanted::read(body) {
        Ok(wanted) => wanted,
        Err(message) => return failure::refusal(400, "invalid_input", &message),
    };
    let timeout = app.limits.request_timeout;
    let embedder = proxy.embedder.get();
    let space = embedder.space().to_owned();
    let tokens: usize = texts.iter().map(|text| Counter::Estimate.count(text)).sum();
    let patience = i64::try_from(timeout.saturating_sub(BESIDES).as_millis()).unwrap_or(i64::MAX);
    let deadline_ms = SystemClock.now_ms().saturating_add(patience);
    let work = move || {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        embedder.embed(&texts, deadline_ms)
    };
    let vectors = match app.admission.run(deadline_in(timeout), work).await {
        Outcome::Done(Ok(vectors)) => vectors,
        Outcome::Done(Err(error)) => return refused(&error),
        Outcome::Busy => return failure::refusal(503, "busy", "too many requests are waiting already"),
        Outcome::TimedOut => return failure::refusal(504, "timed_out", "the embedder took too long"),
        Outcome::Panicked => {
            return failure::refusal(500, "internal", "this request met a defect of Reverie");
        }
    };
    let there = vectors.first().map_or(0, Vec::len);
    if dimensions.is_some_and(|wanted| wanted != there as u64) {
        let message =
            format!("the configured embedder gives vectors of {there} dimensions; leave dimensions out");
        return failure::refusal(400, "invalid_dimensions", &message);
    }
    let item = |(index, vector): (usize, &Vec<f32>)| {
        let embedding = match is_base64 {
            true => {
                let bytes: Vec<u8> = vector.iter().flat_map(|number| number.to_le_bytes()).collect();
                Value::from(BASE64_STANDARD.encode(bytes))
            }
            false => json!(vector),
        };
        json!({ "object": "embedding", "index": index, "embedding": embedding })
    };
    let data: Vec<Value> = vectors.iter().enumerate().map(item).collect();
    let answer = json!({
        "object": "list",
        "data": data,
        "model": space,
        "usage": { "prompt_tokens": tokens, "total_tokens": tokens },
    });
    Answer::new("embeddings", "application/json", format!("{answer}\n"))
}

fn refused(error: &Error) -> Answer {
    let status = match error.code() {
        Code::Invalid => 400,
        Code::Unavailable => 503,
        _ => 502,
    };
    let hint = error.hint_text().map_or_else(String::new, |hint| format!(" ({hint})"));
    failure::refusal(status, error.code().as_str(), &format!("{}{hint}", error.message()))
}

#[derive(Debug)]
struct Wanted {
    texts: Vec<String>,
    is_base64: bool,
    dimensions: Option<u64>,
}

impl Wanted {
    fn read(body: &[u8]) -> Result<Self, String> {
        let body: Value = serde_json::from_slice(body).map_err(|_| "the body is no JSON".to_owned())?;
        let one = |value: &Value| value.as_str().map(str::to_owned);
        let texts = match body.get("input") {
            Some(Value::String(text)) => Some(vec![text.clone()]),
            Some(Value::Array(texts)) => texts.iter().map(one).collect(),
            _ => None,
        };
        let texts = texts
            .ok_or("input must be a text or a list of texts; lists of token numbers are not understood")?;
        if texts.is_empty() || texts.len() > MOST_TEXTS {
            return Err(format!("input must hold 1 to {MOST_TEXTS} texts"));
        }
        if let Some(blank) = texts.iter().position(|text| text.trim().is_empty()) {
            return Err(format!("text {blank} of input is blank: it means nothing"));
        }
        let is_base64 = match body.get("encoding_format").and_then(Value::as_str) {
            None | Some("float") => false,
            Some("base64") => true,
            Some(_) => return Err("encoding_format is float or base64".to_owned()),
        };
        Ok(Self { texts, is_base64, dimensions: body.get("dimensions").and_then(Value::as_u64) })
    }
}
