//! How does a scripted server read a request, and how is an answer written?

use std::io::{self, Read, Write};
use std::net::TcpStream;

use serde_json::Value;

/// A request as it came in.
#[derive(Debug, Clone)]
pub struct Seen {
    /// How many came before it.
    pub number: usize,
    pub method: String,
    /// As it stands in the request line.
    pub target: String,
    pub headers: Vec<(String, String)>,
    /// Null where there is none, or no JSON.
    pub body: Value,
    /// The same, byte for byte.
    pub raw: Vec<u8>,
}

impl Seen {
    /// Names in any case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// The texts of all messages, one a line, in either shape.
    pub fn prompt(&self) -> String {
        let mut texts = Vec::new();
        for place in ["systemInstruction", "contents", "messages"] {
            collect_texts(self.body.get(place).unwrap_or(&Value::Null), &mut texts);
        }
        texts.join("\n")
    }

    /// The texts to embed, in either shape.
    pub fn texts(&self) -> Vec<String> {
        let body = &self.body;
        if let Some(input) = body.get("input") {
            return match input {
                Value::String(one) => vec![one.clone()],
                _ => strings(input),
            };
        }
        let mut texts = Vec::new();
        collect_texts(
            body.get("requests").or_else(|| body.get("content")).unwrap_or(&Value::Null),
            &mut texts,
        );
        texts
    }
}

fn strings(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().filter_map(|text| text.as_str().map(str::to_owned)).collect()
}

/// What stands under `content` or `text`, in order.
fn collect_texts(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect_texts(item, texts)),
        Value::Object(map) => {
            for (name, inner) in map {
                match inner {
                    Value::String(text) if name == "content" || name == "text" => texts.push(text.clone()),
                    _ => collect_texts(inner, texts),
                }
            }
        }
        _ => {}
    }
}

/// The next request; None when the client has left. `read_ahead` keeps what belongs to the one after it.
pub(super) fn read_request(stream: &mut TcpStream, read_ahead: &mut Vec<u8>) -> io::Result<Option<Seen>> {
    let head_end = loop {
        if let Some(end) = find(read_ahead, b"\r\n\r\n") {
            break end;
        }
        if !more(stream, read_ahead)? {
            return Ok(None);
        }
        // Somebody begins with TLS, for instance.
        if !read_ahead.first().is_some_and(u8::is_ascii_uppercase) {
            write_whole(stream, 400, &[], "")?;
            return Ok(None);
        }
    };
    let head: Vec<u8> = read_ahead.drain(..head_end + 4).collect();
    let head = String::from_utf8_lossy(&head).into_owned();
    let mut lines = head.split("\r\n").filter(|line| !line.is_empty());
    let mut request_line = lines.next().unwrap_or_default().split(' ');
    let method = request_line.next().unwrap_or_default().to_owned();
    let target = request_line.next().unwrap_or_default().to_owned();
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_owned(), value.trim().to_owned()))
        .collect();
    let mut seen = Seen { number: 0, method, target, headers, body: Value::Null, raw: Vec::new() };
    let length: usize = seen.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    while read_ahead.len() < length {
        if !more(stream, read_ahead)? {
            return Ok(None);
        }
    }
    seen.raw = read_ahead.drain(..length).collect();
    seen.body = serde_json::from_slice(&seen.raw).unwrap_or(Value::Null);
    Ok(Some(seen))
}

/// False at the end.
fn more(stream: &mut TcpStream, read_ahead: &mut Vec<u8>) -> io::Result<bool> {
    let mut chunk = [0; 4096];
    let count = stream.read(&mut chunk)?;
    read_ahead.extend(chunk.iter().take(count));
    Ok(count > 0)
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}

/// Everything but the body.
pub(super) fn write_head(
    stream: &mut TcpStream,
    status: u16,
    headers: &[(String, String)],
    length: usize,
) -> io::Result<()> {
    let mut head = format!("HTTP/1.1 {status} Scripted\r\ncontent-length: {length}\r\n");
    if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type")) {
        head.push_str("content-type: application/json\r\n");
    }
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    stream.write_all(head.as_bytes())
}

pub(super) fn write_whole(
    stream: &mut TcpStream,
    status: u16,
    headers: &[(String, String)],
    body: &str,
) -> io::Result<()> {
    write_head(stream, status, headers, body.len())?;
    stream.write_all(body.as_bytes())?;
    stream.flush()
}

/// One piece of an answer of unknown length.
pub(super) fn write_chunk(stream: &mut TcpStream, text: &str) -> io::Result<()> {
    write!(stream, "{:x}\r\n{text}\r\n", text.len())?;
    stream.flush()
}

/// Until the client has closed its side.
pub(super) fn wait_for_the_end(stream: &mut TcpStream) -> io::Result<()> {
    let mut chunk = [0; 256];
    while stream.read(&mut chunk)? > 0 {}
    Ok(())
}
