//! What does a request in OpenAI's form say to Gemini?

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

/// A request for Gemini.
#[derive(Debug, Clone, PartialEq)]
pub struct Translated {
    pub body: Value,
    pub is_streamed: bool,
    /// Whether the stream shall end with what it cost.
    pub wants_usage: bool,
    /// Fields and parts that were left out, sorted.
    pub dropped: Vec<String>,
}

/// Fields that mean the same under another name, in `generationConfig`.
const RENAMED: &[(&str, &str)] = &[
    ("temperature", "temperature"),
    ("top_p", "topP"),
    ("top_k", "topK"),
    ("max_tokens", "maxOutputTokens"),
    ("max_completion_tokens", "maxOutputTokens"),
    ("presence_penalty", "presencePenalty"),
    ("frequency_penalty", "frequencyPenalty"),
    ("seed", "seed"),
    ("n", "candidateCount"),
    ("logprobs", "responseLogprobs"),
    ("top_logprobs", "logprobs"),
];
/// Fields that are understood below, or mean nothing to a model.
const UNDERSTOOD: &[&str] = &[
    "messages",
    "model",
    "stream",
    "stream_options",
    "stop",
    "response_format",
    "tools",
    "tool_choice",
    "user",
    "functions",
    "function_call",
    "reasoning_effort",
];

/// Translates a request. What makes no sense in it is left for the upstream to refuse.
pub fn to_gemini(request: &Value) -> Translated {
    let mut to = Translation::default();
    to.config(request);
    to.messages(request.get("messages").and_then(Value::as_array).map_or(&[], Vec::as_slice));
    to.tools(request);
    let fields = request.as_object().into_iter().flat_map(Map::keys);
    let is_known = |name: &&String| {
        UNDERSTOOD.contains(&name.as_str()) || RENAMED.iter().any(|(known, _)| known == name)
    };
    to.dropped.extend(fields.filter(|name| !is_known(name)).cloned());
    let mut body = Map::new();
    if !to.system.is_empty() {
        body.insert("systemInstruction".to_owned(), json!({ "parts": [{ "text": to.system.join("\n\n") }] }));
    }
    body.insert("contents".to_owned(), to.contents.into());
    body.extend(to.beside);
    if !to.config.is_empty() {
        body.insert("generationConfig".to_owned(), Value::Object(to.config));
    }
    Translated {
        body: Value::Object(body),
        is_streamed: request.get("stream").and_then(Value::as_bool).unwrap_or(false),
        wants_usage: request.pointer("/stream_options/include_usage") == Some(&Value::Bool(true)),
        dropped: to.dropped.into_iter().collect(),
    }
}

#[derive(Default)]
struct Translation {
    config: Map<String, Value>,
    system: Vec<String>,
    contents: Vec<Value>,
    /// Tools and how they are called.
    beside: Map<String, Value>,
    /// The name of a call by its id: Gemini's answers to calls have names.
    calls: Vec<(String, String)>,
    dropped: BTreeSet<String>,
}

impl Translation {
    fn config(&mut self, request: &Value) {
        for (theirs, ours) in RENAMED {
            if let Some(value) = request.get(*theirs).filter(|value| !value.is_null()) {
                self.config.insert((*ours).to_owned(), value.clone());
            }
        }
        match request.get("stop") {
            Some(Value::String(stop)) => drop(self.config.insert("stopSequences".to_owned(), json!([stop]))),
            Some(Value::Array(stops)) if !stops.is_empty() => {
                self.config.insert("stopSequences".to_owned(), json!(stops));
            }
            _ => {}
        }
        let format = request.pointer("/response_format/type").and_then(Value::as_str);
        if matches!(format, Some("json_object" | "json_schema")) {
            self.config.insert("responseMimeType".to_owned(), "application/json".into());
        }
        if let Some(schema) = request.pointer("/response_format/json_schema/schema") {
            self.config.insert("responseJsonSchema".to_owned(), schema.clone());
        }
        if let Some(effort) = request.get("reasoning_effort").and_then(Value::as_str) {
            let budget = match effort {
                "none" | "minimal" => 0,
                "low" => 1024,
                "medium" => 8192,
                _ => 24576,
            };
            self.config.insert("thinkingConfig".to_owned(), json!({ "thinkingBudget": budget }));
        }
    }

    fn messages(&mut self, messages: &[Value]) {
        let is_system = |message: &Value| matches!(role(message), "system" | "developer");
        let talks = messages.iter().any(|message| !is_system(message));
        for message in messages {
            // In front they are the instruction; later ones keep their place, as a user's.
            let is_front = self.contents.is_empty() && talks;
            match role(message) {
                "system" | "developer" if is_front => self.system.extend(text(message)),
                "assistant" => self.model_turn(message),
                "tool" | "function" => self.tool_turn(message),
                _ => {
                    let parts = self.parts(message.get("content").unwrap_or(&Value::Null));
                    self.push("user", parts);
                }
            }
        }
    }

    fn model_turn(&mut self, message: &Value) {
        let mut parts = self.parts(message.get("content").unwrap_or(&Value::Null));
        let calls = message.get("tool_calls").and_then(Value::as_array).into_iter().flatten();
        let legacy = message.get("function_call").map(|call| json!({ "function": call }));
        for call in calls.cloned().chain(legacy) {
            let name = call.pointer("/function/name").and_then(Value::as_str).unwrap_or_default().to_owned();
            let arguments = call.pointer("/function/arguments").and_then(Value::as_str).unwrap_or("{}");
            let arguments: Value = serde_json::from_str(arguments).unwrap_or_else(|_| json!({}));
            if let Some(id) = call.get("id").and_then(Value::as_str) {
                self.calls.push((id.to_owned(), name.clone()));
            }
            let mut part = json!({ "functionCall": { "name": name, "args": arguments } });
            if let (Some(signature), Some(part)) =
                (call.pointer("/extra_content/google/thought_signature"), part.as_object_mut())
            {
                part.insert("thoughtSignature".to_owned(), signature.clone());
            }
            parts.push(part);
        }
        self.push("model", parts);
    }

    fn tool_turn(&mut self, message: &Value) {
        let id = message.get("tool_call_id").and_then(Value::as_str).unwrap_or_default();
        let called = self.calls.iter().rev().find(|(known, _)| known == id).map(|(_, name)| name.clone());
        let name = called.or_else(|| message.get("name")?.as_str().map(str::to_owned)).unwrap_or_default();
        let said = text(message).unwrap_or_default();
        // An object is what Gemini takes; anything else becomes one.
        let response = match serde_json::from_str::<Value>(&said) {
            Ok(Value::Object(map)) => Value::Object(map),
            Ok(other) => json!({ "result": other }),
            Err(_) => json!({ "result": said }),
        };
        self.push("user", vec![json!({ "functionResponse": { "name": name, "response": response } })]);
    }

    /// Turns of one side that follow each other are one.
    fn push(&mut self, role: &str, parts: Vec<Value>) {
        if parts.is_empty() {
            return;
        }
        if let Some(last) = self.contents.last_mut().filter(|last| last["role"] == role)
            && let Some(known) = last.get_mut("parts").and_then(Value::as_array_mut)
        {
            known.extend(parts);
            return;
        }
        self.contents.push(json!({ "role": role, "parts": parts }));
    }

    fn parts(&mut self, content: &Value) -> Vec<Value> {
        match content {
            Value::String(text) if !text.is_empty() => vec![json!({ "text": text })],
            Value::Array(parts) => parts.iter().filter_map(|part| self.part(part)).collect(),
            _ => Vec::new(),
        }
    }

    fn part(&mut self, part: &Value) -> Option<Value> {
        let kind = part.get("type").and_then(Value::as_str).unwrap_or("text");
        match kind {
            "text" | "input_text" => Some(json!({ "text": part.get("text")?.as_str()? })),
            "image_url" => {
                let url = part.get("image_url")?;
                let url = url.as_str().or_else(|| url.get("url")?.as_str())?;
                match data_url(url) {
                    Some((kind, data)) => Some(json!({ "inlineData": { "mimeType": kind, "data": data } })),
                    None => Some(match picture_kind(url) {
                        Some(kind) => json!({ "fileData": { "mimeType": kind, "fileUri": url } }),
                        // Whether it can do without is the server's to say.
                        None => json!({ "fileData": { "fileUri": url } }),
                    }),
                }
            }
            "input_audio" => {
                let audio = part.get("input_audio")?;
                let format = audio.get("format").and_then(Value::as_str).unwrap_or("wav");
                let data = audio.get("data")?;
                Some(json!({ "inlineData": { "mimeType": format!("audio/{format}"), "data": data } }))
            }
            other => {
                self.dropped.insert(format!("content.{other}"));
                None
            }
        }
    }

    fn tools(&mut self, request: &Value) {
        let mut declared = Vec::new();
        let tools = request.get("tools").and_then(Value::as_array).into_iter().flatten();
        let legacy = request.get("functions").and_then(Value::as_array).into_iter().flatten();
        let wrapped = legacy.map(|function| json!({ "type": "function", "function": function }));
        for tool in tools.cloned().chain(wrapped) {
            match tool.get("function") {
                Some(function) => {
                    let mut declaration = Map::new();
                    for (theirs, ours) in [
                        ("name", "name"),
                        ("description", "description"),
                        ("parameters", "parametersJsonSchema"),
                    ] {
                        if let Some(value) = function.get(theirs) {
                            declaration.insert(ours.to_owned(), value.clone());
                        }
                    }
                    declared.push(Value::Object(declaration));
                }
                None => {
                    let kind = tool.get("type").and_then(Value::as_str).unwrap_or("unknown");
                    self.dropped.insert(format!("tools.{kind}"));
                }
            }
        }
        if declared.is_empty() {
            return;
        }
        self.beside.insert("tools".to_owned(), json!([{ "functionDeclarations": declared }]));
        let choice = request.get("tool_choice").or_else(|| request.get("function_call"));
        let named = choice
            .and_then(|choice| choice.pointer("/function/name").or_else(|| choice.get("name"))?.as_str());
        let mode = match (choice.and_then(Value::as_str), named) {
            (_, Some(name)) => json!({ "mode": "ANY", "allowedFunctionNames": [name] }),
            (Some("none"), _) => json!({ "mode": "NONE" }),
            (Some("required"), _) => json!({ "mode": "ANY" }),
            _ => return,
        };
        self.beside.insert("toolConfig".to_owned(), json!({ "functionCallingConfig": mode }));
    }
}

fn role(message: &Value) -> &str {
    message.get("role").and_then(Value::as_str).unwrap_or("user")
}

fn text(message: &Value) -> Option<String> {
    match message.get("content")? {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => {
            Some(parts.iter().filter_map(|part| part.get("text")?.as_str()).collect::<Vec<_>>().join("\n"))
        }
        _ => None,
    }
}

/// Kind and base64 of `data:image/png;base64,…`.
fn data_url(url: &str) -> Option<(&str, &str)> {
    let (kind, data) = url.strip_prefix("data:")?.split_once(',')?;
    Some((kind.strip_suffix(";base64")?, data))
}

/// What kind of picture is at an address, by the end of its path.
fn picture_kind(url: &str) -> Option<&'static str> {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let (_, end) = path.rsplit('/').next()?.rsplit_once('.')?;
    Some(match end.to_ascii_lowercase().as_str() {
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "gif" => "image/gif",
        "heic" => "image/heic",
        "heif" => "image/heif",
        _ => return None,
    })
}
