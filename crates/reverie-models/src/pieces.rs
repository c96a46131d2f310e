//! Of which JSON objects does an answer consist?
//!
//! One, where nothing was streamed. Some servers stream although they were not asked to: as events, as a list, or as
//! one object a line.

use hyper::header::CONTENT_TYPE;
use serde_json::Value;

use crate::error::{Error, Kind, Result};
use crate::transport::Reply;

pub(crate) struct Pieces {
    pub(crate) values: Vec<Value>,
    pub(crate) is_stream: bool,
    /// A stream that says so has ended by itself.
    pub(crate) has_end: bool,
}

pub(crate) fn pieces(reply: &Reply, server: &str) -> Result<Pieces> {
    let text = String::from_utf8_lossy(&reply.body);
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{FEFF}');
    if text.is_empty() {
        return Err(Error::new(Kind::Empty, format!("{server} answered with nothing at all"))
            .hint("check that the address is that of a model; its server's log may say why"));
    }
    let kind = reply.headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let is_events = kind.starts_with("text/event-stream")
        || ["data:", "event:", ":"].iter().any(|start| text.starts_with(start));
    if is_events {
        return events(text, server);
    }
    match serde_json::from_str(text) {
        Ok(Value::Array(values)) => Ok(Pieces { values, is_stream: true, has_end: true }),
        Ok(value) => Ok(Pieces { values: vec![value], is_stream: false, has_end: true }),
        Err(error) => lines(text, server).unwrap_or_else(|| {
            let is_json = text.starts_with(['{', '[']);
            Err(if error.is_eof() && is_json { cut(server) } else { not_json(server, text) })
        }),
    }
}

fn events(text: &str, server: &str) -> Result<Pieces> {
    let mut values = Vec::new();
    let data = text.lines().filter_map(|line| line.strip_prefix("data:")).map(str::trim);
    let mut data = data.filter(|data| !data.is_empty()).peekable();
    while let Some(event) = data.next() {
        if event == "[DONE]" {
            return Ok(Pieces { values, is_stream: true, has_end: true });
        }
        match serde_json::from_str(event) {
            Ok(value) => values.push(value),
            Err(_) if data.peek().is_none() => return Err(cut(server)),
            Err(_) => return Err(not_json(server, event)),
        }
    }
    Ok(Pieces { values, is_stream: true, has_end: false })
}

/// One object a line; None where the first line is none.
fn lines(text: &str, server: &str) -> Option<Result<Pieces>> {
    let mut values = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match serde_json::from_str::<Value>(line) {
            Ok(value) if value.is_object() => values.push(value),
            _ if values.is_empty() => return None,
            _ => return Some(Err(cut(server))),
        }
    }
    Some(Ok(Pieces { values, is_stream: true, has_end: false }))
}

pub(crate) fn cut(server: &str) -> Error {
    Error::new(Kind::Cut, format!("the answer of {server} broke off"))
        .hint("the server, or a proxy before it, closed the connection; its log may say why")
}

fn not_json(server: &str, text: &str) -> Error {
    let (what, hint) = if text.starts_with('<') {
        (
            "a web page",
            "the address is that of a page for people; give the base URL of the API, often ending in /v1",
        )
    } else {
        (
            "something that is not JSON",
            "check that the address is that of a model with an OpenAI-compatible or Gemini API",
        )
    };
    Error::new(Kind::NotUnderstood, format!("{server} answered with {what}")).hint(hint)
}

/// The answer is JSON, and not of the expected shape.
pub(crate) fn odd(server: &str, what: &str) -> Error {
    Error::new(Kind::NotUnderstood, format!("the answer of {server} cannot be understood: {what}"))
        .hint("check which API the server speaks: OpenAI-compatible or Gemini")
}
