//! What does Gemini's answer say in OpenAI's form, whole or while it comes?

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::likelihood::logprobs;

/// Why an answer ends that nobody may hear.
const FILTERED: &str = "content_filter";

/// An answer in translation.
#[derive(Debug, Clone)]
pub struct Answering {
    id: String,
    model: String,
    created_s: i64,
    wants_usage: bool,
    usage: Option<Value>,
    /// Each of the answers that were asked for, by its number.
    choices: BTreeMap<u64, Choice>,
    /// Calls of tools so far: their ids are numbers.
    calls: usize,
    /// What has no line end yet.
    rest: Vec<u8>,
}

/// One of several answers.
#[derive(Debug, Clone, Default)]
struct Choice {
    has_begun: bool,
    calls: usize,
    finish: Option<&'static str>,
}

impl Answering {
    /// `id`, `created_s`: as OpenAI's answers have them.
    pub fn new(id: &str, model: &str, created_s: i64, wants_usage: bool) -> Self {
        Self {
            id: id.to_owned(),
            model: model.to_owned(),
            created_s,
            wants_usage,
            usage: None,
            choices: BTreeMap::new(),
            calls: 0,
            rest: Vec::new(),
        }
    }

    /// Events of Gemini's stream, however they are cut, as events of OpenAI's. What is no event is passed over.
    pub fn take(&mut self, bytes: &[u8]) -> String {
        self.rest.extend_from_slice(bytes);
        let mut events = String::new();
        while let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.rest.drain(..=end).collect();
            let line = String::from_utf8_lossy(&line);
            let Some(data) = line.trim_end().strip_prefix("data:") else { continue };
            if let Ok(event) = serde_json::from_str::<Value>(data) {
                self.event(&event, &mut events);
            }
        }
        events
    }

    /// The events behind the last one. While an answer has not said why it ended, it broke off: then there is no end either.
    pub fn end(&mut self) -> String {
        let mut events = self.take(b"\n");
        let ends: Option<Vec<(u64, &str)>> =
            self.choices.iter().map(|(index, choice)| Some((*index, choice.finish?))).collect();
        let Some(ends) = ends.filter(|ends| !ends.is_empty()) else { return events };
        for (index, finish) in ends {
            self.push(&mut events, index, json!({}), Value::Null, Some(finish));
        }
        if self.wants_usage {
            let mut chunk = self.common("chat.completion.chunk");
            chunk.insert("choices".to_owned(), json!([]));
            chunk.insert("usage".to_owned(), self.usage.take().unwrap_or_default());
            events.push_str(&format!("data: {}\n\n", Value::Object(chunk)));
        }
        events.push_str("data: [DONE]\n\n");
        events
    }

    fn event(&mut self, event: &Value, events: &mut String) {
        if let Some(error) = event.get("error") {
            events.push_str(&format!("data: {}\n\n", json!({ "error": told(error) })));
            return;
        }
        self.usage = event.get("usageMetadata").map(usage).or(self.usage.take());
        let candidates = event.get("candidates").and_then(Value::as_array).into_iter().flatten();
        for (place, candidate) in candidates.enumerate() {
            self.candidate(number(candidate, place), candidate, events);
        }
        if event.pointer("/promptFeedback/blockReason").is_some() {
            self.begin(0, events);
            self.choices.entry(0).or_default().finish.get_or_insert(FILTERED);
        }
    }

    fn begin(&mut self, index: u64, events: &mut String) {
        let begins = !std::mem::replace(&mut self.choices.entry(index).or_default().has_begun, true);
        if begins {
            self.push(events, index, json!({ "role": "assistant", "content": "" }), Value::Null, None);
        }
    }

    fn candidate(&mut self, index: u64, candidate: &Value, events: &mut String) {
        let (text, calls) = said(candidate);
        let likely = logprobs(candidate);
        self.begin(index, events);
        if !text.is_empty() || !likely.is_null() {
            self.push(events, index, json!({ "content": text }), likely, None);
        }
        for call in calls {
            let place = self.choices.get(&index).map_or(0, |choice| choice.calls);
            let call = self.call(&call, Some(place));
            self.push(events, index, json!({ "tool_calls": [call] }), Value::Null, None);
            self.choices.entry(index).or_default().calls += 1;
        }
        let choice = self.choices.entry(index).or_default();
        if let Some(reason) = candidate.get("finishReason").and_then(Value::as_str) {
            choice.finish = Some(finish(reason, choice.calls > 0));
        }
    }

    fn push(&self, events: &mut String, index: u64, delta: Value, logprobs: Value, finish: Option<&str>) {
        let mut chunk = self.common("chat.completion.chunk");
        let choice = json!({ "index": index, "delta": delta, "logprobs": logprobs, "finish_reason": finish });
        chunk.insert("choices".to_owned(), json!([choice]));
        events.push_str(&format!("data: {}\n\n", Value::Object(chunk)));
    }

    /// `place`: which of its answer's calls it is, where that is told.
    fn call(&mut self, part: &Value, place: Option<usize>) -> Value {
        let number = self.calls;
        self.calls += 1;
        let arguments = part.pointer("/functionCall/args").cloned().unwrap_or_else(|| json!({})).to_string();
        let name = part.pointer("/functionCall/name").cloned().unwrap_or_default();
        let mut told = Map::new();
        if let Some(place) = place {
            told.insert("index".to_owned(), place.into());
        }
        told.insert(
            "id".to_owned(),
            format!("call_{}_{number}", self.id.trim_start_matches("chatcmpl-")).into(),
        );
        told.insert("type".to_owned(), "function".into());
        told.insert("function".to_owned(), json!({ "name": name, "arguments": arguments }));
        // Google's own translation sends it so, and wants it back.
        if let Some(signature) = part.get("thoughtSignature") {
            told.insert("extra_content".to_owned(), json!({ "google": { "thought_signature": signature } }));
        }
        Value::Object(told)
    }

    fn common(&self, object: &str) -> Map<String, Value> {
        let mut common = Map::new();
        common.insert("id".to_owned(), self.id.as_str().into());
        common.insert("object".to_owned(), object.into());
        common.insert("created".to_owned(), self.created_s.into());
        common.insert("model".to_owned(), self.model.as_str().into());
        common
    }
}

/// A whole answer, or a list of its pieces, as the stream that was asked for; None if it is none.
pub fn as_stream(mut answering: Answering, answer: &Value) -> Option<String> {
    let pieces = answer.as_array().map_or(std::slice::from_ref(answer), Vec::as_slice);
    let mut events = String::new();
    pieces.iter().for_each(|piece| answering.event(piece, &mut events));
    events.push_str(&answering.end());
    (!events.is_empty()).then_some(events)
}

/// A whole answer; None if it is none.
pub fn whole(mut answering: Answering, answer: &Value) -> Option<Value> {
    let candidates = answer.get("candidates").and_then(Value::as_array);
    let blocked = answer.pointer("/promptFeedback/blockReason");
    if candidates.is_none() && blocked.is_none() {
        return None;
    }
    let mut choices = Vec::new();
    for (place, candidate) in candidates.into_iter().flatten().enumerate() {
        let (text, calls) = said(candidate);
        let calls: Vec<Value> = calls.iter().map(|call| answering.call(call, None)).collect();
        let unsaid = if blocked.is_some() { "SAFETY" } else { "STOP" };
        let reason = candidate.get("finishReason").and_then(Value::as_str).unwrap_or(unsaid);
        let content = if text.is_empty() && !calls.is_empty() { Value::Null } else { text.into() };
        let mut message = json!({ "role": "assistant", "content": content, "refusal": null });
        let reason = finish(reason, !calls.is_empty());
        if let (Some(message), false) = (message.as_object_mut(), calls.is_empty()) {
            message.insert("tool_calls".to_owned(), calls.into());
        }
        let (index, likely) = (number(candidate, place), logprobs(candidate));
        choices
            .push(json!({ "index": index, "message": message, "logprobs": likely, "finish_reason": reason }));
    }
    if choices.is_empty() {
        let message = json!({ "role": "assistant", "content": "", "refusal": null });
        choices.push(json!({ "index": 0, "message": message, "logprobs": null, "finish_reason": FILTERED }));
    }
    let mut told = answering.common("chat.completion");
    told.insert("choices".to_owned(), choices.into());
    told.insert("usage".to_owned(), answer.get("usageMetadata").map(usage).unwrap_or_default());
    Some(Value::Object(told))
}

/// An error of Gemini's in OpenAI's form.
pub fn refused(answer: &Value) -> Option<Value> {
    let error = answer.get("error").or_else(|| answer.get(0)?.get("error"))?;
    Some(json!({ "error": told(error) }))
}

fn told(error: &Value) -> Value {
    let message = error.get("message").cloned().unwrap_or_default();
    json!({ "message": message, "type": "upstream_error", "param": null, "code": error.get("status") })
}

/// Which of several answers it is; Gemini does not number the only one.
fn number(candidate: &Value, place: usize) -> u64 {
    candidate.get("index").and_then(Value::as_u64).unwrap_or(place as u64)
}

/// Words, and parts that call tools; what it thought is neither.
fn said(candidate: &Value) -> (String, Vec<Value>) {
    let parts = candidate.pointer("/content/parts").and_then(Value::as_array);
    let mut text = String::new();
    let mut calls = Vec::new();
    for part in parts.into_iter().flatten().filter(|part| part.get("thought") != Some(&Value::Bool(true))) {
        text.push_str(part.get("text").and_then(Value::as_str).unwrap_or_default());
        calls.extend(part.get("functionCall").is_some().then(|| part.clone()));
    }
    (text, calls)
}

fn finish(reason: &str, calls: bool) -> &'static str {
    match reason {
        "STOP" if calls => "tool_calls",
        "MAX_TOKENS" => "length",
        "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "IMAGE_SAFETY" => {
            "content_filter"
        }
        _ => "stop",
    }
}

fn usage(usage: &Value) -> Value {
    let number = |name: &str| usage.get(name).and_then(Value::as_u64).unwrap_or(0);
    let (input, thoughts) = (number("promptTokenCount"), number("thoughtsTokenCount"));
    let output = number("candidatesTokenCount").saturating_add(thoughts);
    json!({
        "prompt_tokens": input,
        "completion_tokens": output,
        "total_tokens": number("totalTokenCount").max(input.saturating_add(output)),
        "prompt_tokens_details": { "cached_tokens": number("cachedContentTokenCount") },
        "completion_tokens_details": { "reasoning_tokens": thoughts },
    })
}
