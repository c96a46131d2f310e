//! What is said in an answer, while it passes by?
//!
//! A copy of its text is collected: of the first choice alone, and of nothing but words. What cannot be read is passed on all the same.

use hyper::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap};
use serde_json::Value;

use super::thoughts::without_thoughts;
use super::unpacking::Unpacking;

/// An answer larger than this is not read.
const MOST_BYTES: usize = 16 << 20;

pub(super) struct Tap {
    form: Form,
    packed: Unpacking,
    /// Why an answer cannot be read.
    unreadable: Option<&'static str>,
    /// What is not yet understood: a line that has not ended, or all of a JSON text.
    rest: Vec<u8>,
    seen: usize,
    /// The lines of an event that has not ended.
    event: String,
    heard: Heard,
}

/// What was heard so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Heard {
    pub(super) text: String,
    /// Whether it was said to its end.
    pub(super) is_whole: bool,
    /// Whether it calls tools: when they have answered, it goes on.
    pub(super) calls: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Events,
    Json,
    Unreadable,
}

impl Tap {
    pub(super) fn new(status: u16, headers: &HeaderMap) -> Self {
        let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let packed = Unpacking::new(headers.get(CONTENT_ENCODING));
        let (form, unreadable) =
            match kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase().as_str() {
                // What is refused says nothing.
                _ if status != 200 => (Form::Unreadable, None),
                _ if packed.is_none() => (Form::Unreadable, Some("packed")),
                "text/event-stream" => (Form::Events, None),
                // Some servers do not say what they send.
                "application/json" | "" => (Form::Json, None),
                _ => (Form::Unreadable, Some("content_type")),
            };
        let packed = packed.unwrap_or(Unpacking::Plain);
        Self {
            form,
            packed,
            unreadable,
            rest: Vec::new(),
            seen: 0,
            event: String::new(),
            heard: Heard::default(),
        }
    }

    /// Why nothing can be heard, or nothing more, of an answer that is none of refusal.
    pub(super) fn unreadable(&self) -> Option<&'static str> {
        self.unreadable
    }

    /// A piece of the answer, as it passes by. True once its end is in it.
    pub(super) fn take(&mut self, bytes: &[u8]) -> bool {
        if self.form == Form::Unreadable {
            return false;
        }
        let mut unpacked = Vec::new();
        let is_read = self.packed.take(bytes, MOST_BYTES, &mut unpacked);
        self.seen = self.seen.saturating_add(unpacked.len());
        if !is_read || self.seen > MOST_BYTES {
            self.form = Form::Unreadable;
            self.unreadable = Some(if self.seen > MOST_BYTES { "too_large" } else { "packed" });
            self.rest = Vec::new();
            return false;
        }
        self.rest.append(&mut unpacked);
        match self.form {
            Form::Unreadable => false,
            Form::Json => self.rest.trim_ascii_end().ends_with(b"}") && self.take_whole(),
            Form::Events => self.take_lines(),
        }
    }

    /// True if all of a JSON text is there.
    fn take_whole(&mut self) -> bool {
        let Ok(whole) = serde_json::from_slice::<Value>(&self.rest) else { return false };
        self.rest = Vec::new();
        self.hear(&whole);
        self.heard.is_whole |= !self.heard.text.is_empty();
        true
    }

    /// True if the stream says that it is over.
    fn take_lines(&mut self) -> bool {
        let mut is_over = false;
        while let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.rest.drain(..=end).collect();
            is_over |= self.take_line(&String::from_utf8_lossy(&line));
        }
        is_over
    }

    fn take_line(&mut self, line: &str) -> bool {
        let line = line.trim_end_matches(['\n', '\r']);
        if line.is_empty() {
            self.end_event();
            return false;
        }
        let Some(data) = line.strip_prefix("data:") else { return false };
        let data = data.strip_prefix(' ').unwrap_or(data);
        if data.trim() == "[DONE]" {
            self.end_event();
            self.heard.is_whole = true;
            return true;
        }
        if !self.event.is_empty() {
            self.event.push('\n');
        }
        self.event.push_str(data);
        false
    }

    fn end_event(&mut self) {
        let event = std::mem::take(&mut self.event);
        if let Ok(event) = serde_json::from_str::<Value>(&event) {
            self.hear(&event);
        }
    }

    /// A whole answer, or a part of one.
    fn hear(&mut self, answer: &Value) {
        let choices = answer.get("choices").and_then(Value::as_array).into_iter().flatten();
        let is_first = |choice: &&Value| choice.get("index").and_then(Value::as_u64).unwrap_or(0) == 0;
        for choice in choices.filter(is_first) {
            let message = ["delta", "message"].iter().find_map(|name| choice.get(*name));
            push(&mut self.heard.text, message.and_then(|said| said.get("content")).unwrap_or(&Value::Null));
            let reason = choice.get("finish_reason").filter(|reason| !reason.is_null());
            self.heard.is_whole |= reason.is_some();
            self.heard.calls |= message.is_some_and(has_calls)
                || reason.is_some_and(|reason| reason == "tool_calls" || reason == "function_call");
        }
    }

    /// All that was heard, thoughts included.
    pub(super) fn words(&self) -> &str {
        &self.heard.text
    }

    /// What was heard in pieces that have passed.
    pub(super) fn so_far(&self) -> Heard {
        let mut heard = self.heard.clone();
        heard.text = without_thoughts(&heard.text).to_owned();
        heard
    }

    /// All of it: nothing more comes.
    pub(super) fn end(&mut self) -> Heard {
        match self.form {
            Form::Events => {
                let last = std::mem::take(&mut self.rest);
                self.take_line(&String::from_utf8_lossy(&last));
                self.end_event();
            }
            Form::Json => {
                self.take_whole();
            }
            Form::Unreadable => {}
        }
        self.so_far()
    }
}

fn has_calls(message: &Value) -> bool {
    let has_some = |calls: &Value| calls.as_array().is_some_and(|calls| !calls.is_empty());
    message.get("tool_calls").is_some_and(has_some)
        || message.get("function_call").is_some_and(Value::is_object)
}

fn push(text: &mut String, content: &Value) {
    match content {
        Value::String(more) => text.push_str(more),
        Value::Array(parts) => {
            parts.iter().filter_map(|part| part.get("text")?.as_str()).for_each(|more| text.push_str(more));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(kind: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, kind.parse().unwrap());
        headers
    }

    /// An answer that comes packed though it was asked not to be is heard, however it is cut.
    #[test]
    fn what_comes_packed_is_heard() {
        use std::io::Write as _;
        let stream = format!("{}{}data: [DONE]\n\n", event("你"), event("好").repeat(40));
        let pack = |coding: &str| match coding {
            "gzip" => {
                let mut packing = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
                packing.write_all(stream.as_bytes()).unwrap();
                packing.finish().unwrap()
            }
            "deflate" => {
                let mut packing = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
                packing.write_all(stream.as_bytes()).unwrap();
                packing.finish().unwrap()
            }
            _ => b"\x1b\x03\x00nobody can read this".to_vec(),
        };
        let whole = format!("你{}", "好".repeat(40));
        for (coding, sent, text, unreadable) in [
            ("gzip", pack("gzip"), whole.as_str(), None),
            ("deflate", pack("deflate"), whole.as_str(), None),
            ("br", pack("br"), "", Some("packed")),
            ("gzip", b"no gzip at all".to_vec(), "", Some("packed")),
        ] {
            for size in [1, 7, 5000] {
                let mut headers = headers("text/event-stream");
                headers.insert(CONTENT_ENCODING, coding.parse().unwrap());
                let mut tap = Tap::new(200, &headers);
                sent.chunks(size).for_each(|piece| {
                    tap.take(piece);
                });
                assert_eq!(tap.end().text, text, "{coding} {size}");
                assert_eq!(tap.unreadable(), unreadable, "{coding} {size}");
            }
        }
    }

    fn event(text: &str) -> String {
        let event = serde_json::json!({"choices": [{"index": 0, "delta": {"content": text}}]});
        format!("data: {event}\n\n")
    }

    /// However it is cut, the same is heard.
    #[test]
    fn what_is_said_is_heard_however_it_is_cut() {
        let other = "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"no\"}}]}\r\n\r\n";
        let finish = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
        let usage = "data: {\"choices\":[],\"usage\":{}}\n\n";
        for (stream, text, is_whole) in [
            (format!(": ping\n\n{}{}data: [DONE]\n\n", event("你"), event("好")), "你好", true),
            (format!("{}{other}{finish}{usage}", event("Hi")), "Hi", true),
            (event("cut of"), "cut of", false),
            (format!("{}data: garbage\n\nnonsense\n", event("a")), "a", false),
            (format!("{}data: [DONE]", event("no end of line")), "no end of line", true),
            (format!("{}{}", event("<think>hm"), event("</think>\n\nはい")), "はい", false),
            (event("<think>still thinking"), "", false),
            (
                "data: {\"choices\":\ndata: [{\"delta\":{\"content\":\"two lines\"}}]}\n\n".to_owned(),
                "two lines",
                false,
            ),
            (String::new(), "", false),
        ] {
            for size in [1, 2, 7, 1000] {
                let mut tap = Tap::new(200, &headers("text/event-stream; charset=utf-8"));
                for piece in stream.as_bytes().chunks(size) {
                    tap.take(piece);
                }
                let heard = Heard { text: text.to_owned(), is_whole, calls: false };
                assert_eq!(tap.end(), heard, "{size} {stream}");
            }
        }
    }

    #[test]
    fn calls_of_tools_are_heard() {
        for (choice, calls) in [
            (r#""delta":{"tool_calls":[{"index":0}]},"finish_reason":null"#, true),
            (r#""delta":{},"finish_reason":"tool_calls""#, true),
            (r#""delta":{"function_call":{"name":"f"}}"#, true),
            (r#""delta":{},"finish_reason":"function_call""#, true),
            (r#""delta":{"tool_calls":[],"function_call":null},"finish_reason":"stop""#, false),
            (r#""index":1,"delta":{},"finish_reason":"tool_calls""#, false),
        ] {
            let mut tap = Tap::new(200, &headers("text/event-stream"));
            tap.take(format!("data: {{\"choices\":[{{{choice}}}]}}\n\n").as_bytes());
            assert_eq!(tap.end().calls, calls, "{choice}");
        }
    }

    #[test]
    fn whole_answers_are_heard_and_others_are_not() {
        let said = |content: &str| {
            format!(
                "{{\"choices\":[{{\"message\":{{\"role\":\"assistant\",\"content\":{content}}},\"finish_reason\":\"stop\"}}]}}"
            )
        };
        for (status, kind, body, text) in [
            (200, "application/json", said("\"Hello\""), "Hello"),
            (200, "application/json", said("[{\"type\":\"text\",\"text\":\"part\"}]"), "part"),
            (200, "application/json", said("null"), ""),
            (200, "", said("\"Hello\""), "Hello"),
            (500, "application/json", said("\"Hello\""), ""),
            (200, "text/html", said("\"Hello\""), ""),
            (200, "application/json", "<html>".to_owned(), ""),
        ] {
            let mut tap = Tap::new(status, &headers(kind));
            tap.take(body.as_bytes());
            assert_eq!(tap.end().text, text, "{status} {kind} {body}");
        }
    }
}
