//! The shape of mem0's REST server: how does code that was written for it find what it expects?
//!
//! One world holds it all. `user_id` and `agent_id` are characters who have the memories; without either, `run_id` is one.
//! What is added with a run is said in a conversation of its own. The ids, the metadata and the roles mean nothing to the
//! engine: they are kept beside lines and memories, and everything here is filtered by them.
//!
//! Not part of the OpenAPI document: the paths, fields and errors (`{"detail": …}`) are another project's.

mod adding;
mod changing;
mod filter;
mod import;
mod reading;
mod refusal;
mod scope;
mod tags;

pub use import::{Brought, Record, bring};
use reverie_core::WorldId;
use reverie_formats::json::sanitise;
use reverie_formats::utf8;
use serde_json::{Map, Value, json};

use self::refusal::{Refusal, Refused};
use crate::Api;
use crate::request::{JSON, Request, Response, decode};

/// The world, where nobody names another one.
pub const WORLD: &str = "mem0";

/// A request on its way through this shape.
struct Asked<'a> {
    api: &'a Api,
    world: &'a WorldId,
    /// The id in the path, if any.
    memory: &'a str,
    query: Vec<(String, String)>,
    body: &'a str,
}

impl Asked<'_> {
    /// Unknown parameters are passed over, as the original does.
    fn parameter(&self, name: &str) -> Option<&str> {
        let found = self.query.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    fn object(&self) -> Refused<Map<String, Value>> {
        match serde_json::from_str(self.body) {
            Ok(Value::Object(fields)) => Ok(fields),
            Ok(_) => Err(Refusal::field("model_attributes_type", &[], "Input should be a valid dictionary")),
            Err(error) => Err(Refusal::field("json_invalid", &[], &format!("JSON decode error: {error}"))),
        }
    }
}

type Handler = fn(&Asked<'_>) -> Refused<Value>;

/// Method, whether an id follows and what follows that, operation, handler.
const ROUTES: &[(&str, &str, &str, Handler)] = &[
    ("POST", "/memories", "mem0Add", adding::add),
    ("GET", "/memories", "mem0List", reading::list),
    ("DELETE", "/memories", "mem0DeleteAll", changing::delete_all),
    ("GET", "/memories/{id}", "mem0Get", reading::get),
    ("PUT", "/memories/{id}", "mem0Update", changing::update),
    ("DELETE", "/memories/{id}", "mem0Delete", changing::delete),
    ("GET", "/memories/{id}/history", "mem0History", reading::history),
    ("POST", "/search", "mem0Search", reading::search),
    ("POST", "/reset", "mem0Reset", changing::reset),
    ("POST", "/configure", "mem0Configure", configure),
];

/// Operations that are sent like writing, and only read.
pub(crate) const READING: [&str; 2] = ["mem0Search", "mem0Configure"];

/// Whether a path is of this shape, so that what is refused before it gets here is told in its form, too.
pub fn is_path(path: &str) -> bool {
    let path = path.strip_suffix('/').unwrap_or(path);
    ROUTES.iter().any(|(_, pattern, ..)| matches(pattern, path).is_some())
}

/// What an error of the API says, in this shape; None if it is none.
pub fn in_its_form(answer: &[u8]) -> Option<Vec<u8>> {
    let answer: Value = serde_json::from_slice(answer).ok()?;
    let error = answer.get("error")?;
    let hint =
        error.get("hint").and_then(Value::as_str).map_or_else(String::new, |hint| format!(" ({hint})"));
    let detail = format!("{}{hint}", error.get("message")?.as_str()?);
    Some(format!("{}\n", json!({ "detail": detail })).into_bytes())
}

/// None: this path is none of this shape's.
pub(crate) fn begin(api: &Api, request: &Request) -> Option<Response> {
    // The original's own framework leads clients that write a slash behind a path to the path without it.
    let path = request.path.strip_suffix('/').unwrap_or(&request.path);
    let mut others = Vec::new();
    for (method, pattern, operation, handler) in ROUTES {
        let Some(memory) = matches(pattern, path) else { continue };
        if *method != request.method {
            others.push(*method);
            continue;
        }
        let answer = answer(api, request, memory, *handler);
        return Some(respond(operation, answer));
    }
    if others.is_empty() {
        return None;
    }
    let allow = Some(others.join(", "));
    Some(Response { allow, ..respond("mem0", Err(Refusal::new(405, "Method Not Allowed"))) })
}

/// The raw id; empty where the pattern has none.
fn matches<'p>(pattern: &str, path: &'p str) -> Option<&'p str> {
    let Some((before, after)) = pattern.split_once("{id}") else {
        return (pattern == path).then_some("");
    };
    let id = path.strip_prefix(before)?.strip_suffix(after)?;
    (!id.is_empty() && !id.contains('/')).then_some(id)
}

fn answer(api: &Api, request: &Request, memory: &str, handler: Handler) -> Refused<Value> {
    let memory = decode(memory)?;
    let text = utf8::text(&request.body)
        .map_err(|problem| Refusal::new(400, &format!("the body cannot be read: {problem}")))?;
    let (body, _) = sanitise(text.trim_start_matches('\u{FEFF}'));
    let mut query = Vec::new();
    for pair in request.query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        query.push((decode(&name.replace('+', " "))?, decode(&value.replace('+', " "))?));
    }
    let world = api.mem0.clone().map_or_else(|| WorldId::new(WORLD), Ok)?;
    handler(&Asked { api, world: &world, memory: &memory, query, body: &body })
}

/// What chooses models and stores there is chosen by the settings here; code that sends it goes on.
fn configure(asked: &Asked<'_>) -> Refused<Value> {
    asked.object()?;
    Ok(
        json!({"message": "Reverie takes its models and its store from its own settings; this configuration was not used"}),
    )
}

fn respond(operation: &'static str, answer: Refused<Value>) -> Response {
    let (status, value) = match answer {
        Ok(value) => (200, value),
        Err(refusal) => (refusal.status, json!({ "detail": refusal.detail })),
    };
    let body = format!("{value}\n").into_bytes();
    Response { status, content_type: JSON, body, stream: None, operation, replaced: 0, allow: None }
}
