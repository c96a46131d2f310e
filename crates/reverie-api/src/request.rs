//! A request without a transport: path, query and body, and the answer to it.

use std::cell::Cell;
use std::fmt;
use std::io::Write;
use std::sync::Arc;

use reverie_core::{Code, Error, Result, WorldId};
use reverie_formats::json::without_illegal;
use reverie_formats::utf8::NotUtf8;
use reverie_formats::{document, repeated};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::wire::ErrorView;
use crate::wording::plain;

#[derive(Debug, Clone, Default)]
pub struct Request {
    pub method: String,
    /// Raw, percent-encoded.
    pub path: String,
    /// Raw, without the question mark.
    pub query: String,
    pub body: Vec<u8>,
}

impl Request {
    /// The world that it speaks of, if any.
    pub fn world(&self) -> Option<WorldId> {
        let rest = self.path.strip_prefix("/v1/worlds/")?;
        let id = decode(rest.split('/').next()?).ok()?;
        WorldId::new(&id).ok()
    }
}

#[derive(Debug, Clone)]
pub struct Response {
    pub status: u16,
    pub content_type: &'static str,
    pub body: Vec<u8>,
    /// Writes the body that is too large to be held; [`crate::Api::dispatch`] has written it into `body` already.
    pub stream: Option<Stream>,
    /// The stable id of the operation, for metrics and logs.
    pub operation: &'static str,
    /// How many characters of the request could not be kept.
    pub replaced: usize,
    /// Where the method is not for the path: those that are, as the header `Allow` lists them.
    pub allow: Option<String>,
}

/// Operations that are sent like writing, and only read, or remember by themselves.
const READING: [&str; 8] = [
    "recall",
    "perspective",
    "previewLore",
    "scanLore",
    "digest",
    "takeQuestions",
    "testModels",
    "createBackup",
];

impl Response {
    /// Whether the request may have changed something.
    pub fn has_written(&self, method: &str) -> bool {
        let reads = READING.contains(&self.operation) || crate::mem0::READING.contains(&self.operation);
        self.status < 300 && method != "GET" && !reads
    }
}

/// A body that is written piece by piece. What was written counts only if this ends without an error.
#[derive(Clone)]
pub struct Stream(Arc<Writing>);

type Writing = dyn Fn(&mut dyn Write) -> Result<()> + Send + Sync;

impl Stream {
    pub fn new(write: impl Fn(&mut dyn Write) -> Result<()> + Send + Sync + 'static) -> Self {
        Self(Arc::new(write))
    }

    pub fn write_to(&self, to: &mut dyn Write) -> Result<()> {
        (self.0)(to)
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stream")
    }
}

pub(crate) const JSON: &str = "application/json";
const TEXT: &str = "text/plain; charset=utf-8";
const JSON_LINES: &str = "application/x-ndjson";

/// What a handler answers.
pub(crate) enum Reply {
    Json {
        status: u16,
        body: Vec<u8>,
    },
    Text(Stream),
    JsonLines(Stream),
    File(Vec<u8>),
    /// A picture whose bytes were looked at.
    Picture {
        media_type: &'static str,
        bytes: Vec<u8>,
    },
    Empty,
}

impl Reply {
    pub(crate) fn ok(value: &impl Serialize) -> Result<Self> {
        Self::json(200, value)
    }

    /// 201 if something was created, 200 if it was there.
    pub(crate) fn made(created: bool, value: &impl Serialize) -> Result<Self> {
        Self::json(if created { 201 } else { 200 }, value)
    }

    fn json(status: u16, value: &impl Serialize) -> Result<Self> {
        let mut body = serde_json::to_vec(value)
            .map_err(|error| Error::new(Code::Internal, format!("the answer cannot be written: {error}")))?;
        body.push(b'\n');
        Ok(Self::Json { status, body })
    }

    pub(crate) fn into_response(self, operation: &'static str, replaced: usize) -> Response {
        let (status, content_type, body, stream) = match self {
            Self::Json { status, body } => (status, JSON, body, None),
            Self::Text(stream) => (200, TEXT, Vec::new(), Some(stream)),
            Self::JsonLines(stream) => (200, JSON_LINES, Vec::new(), Some(stream)),
            Self::File(body) => (200, kind_of(&body), body, None),
            Self::Picture { media_type, bytes } => (200, media_type, bytes, None),
            Self::Empty => (204, JSON, Vec::new(), None),
        };
        Response { status, content_type, body, stream, operation, replaced, allow: None }
    }
}

/// Of a file that somebody put here: browsers must not guess.
fn kind_of(file: &[u8]) -> &'static str {
    match file {
        [0x89, b'P', b'N', b'G', ..] => "image/png",
        [b'{', ..] => JSON,
        _ => "application/octet-stream",
    }
}

/// The one place where error codes become HTTP.
pub fn status_of(code: Code) -> u16 {
    match code {
        Code::Invalid => 400,
        Code::Denied => 403,
        Code::NotFound => 404,
        Code::Conflict => 409,
        Code::Unavailable => 503,
        Code::Corrupt | Code::Internal => 500,
    }
}

pub fn error_response(code: Code, message: &str, hint: Option<&str>) -> Response {
    // Texts alone: it cannot fail.
    let mut body = serde_json::to_vec(&ErrorView::new(code, message, hint)).unwrap_or_default();
    body.push(b'\n');
    Response {
        status: status_of(code),
        content_type: JSON,
        body,
        stream: None,
        operation: "none",
        replaced: 0,
        allow: None,
    }
}

/// A request on its way through a handler.
pub(crate) struct Call<'r> {
    pub(crate) segments: Vec<String>,
    pub(crate) query: Query,
    pub(crate) body: std::result::Result<&'r str, NotUtf8>,
    /// The body as it came, for what is no text.
    pub(crate) raw: &'r [u8],
    /// Characters that could not be kept: in the body, and then in its texts.
    pub(crate) replaced: Cell<usize>,
}

impl Call<'_> {
    pub(crate) fn note_replaced(&self, count: usize) {
        self.replaced.set(self.replaced.get() + count);
    }

    /// A parameter of the path, by its place in the route's pattern.
    pub(crate) fn segment(&self, index: usize) -> &str {
        self.segments.get(index).map_or("", String::as_str)
    }

    /// The body as text; what is no UTF-8 is refused, because replacing it would lose it.
    pub(crate) fn text(&self) -> Result<&str> {
        self.body.map_err(|problem| {
            Error::invalid(format!("the body cannot be read: {problem}"))
                .hint("send the body as UTF-8; nothing was changed")
        })
    }

    /// The body, with what XML cannot carry replaced and counted: for what goes out again without being stored.
    pub(crate) fn parse_clean<T: DeserializeOwned>(&self) -> Result<T> {
        let (body, count) = without_illegal(self.text()?);
        self.note_replaced(count);
        read_body(&body)
    }

    pub(crate) fn parse<T: DeserializeOwned>(&self) -> Result<T> {
        read_body(self.text()?)
    }
}

fn read_body<T: DeserializeOwned>(body: &str) -> Result<T> {
    let body = body.trim_start_matches('\u{FEFF}');
    let body = if body.trim().is_empty() { "{}" } else { body };
    if !body.trim_start().starts_with('{') {
        return Err(Error::invalid("the body is not a JSON object")
            .hint("send an object in braces; open /docs for what this operation takes"));
    }
    if let Some(repeated) = repeated::find(body) {
        return Err(Error::invalid(format!("the body cannot be read: {repeated}")).hint(repeated::HINT));
    }
    serde_json::from_str(body).map_err(|error| {
        let usual = "GET /openapi.json, or open /docs, for what this operation takes";
        Error::invalid(format!("the body cannot be read: {}", plain(&error)))
            .hint(document::hint_for(&error).unwrap_or(usual))
    })
}

/// Query parameters, decoded, in order.
#[derive(Default)]
pub(crate) struct Query(Vec<(String, String)>);

impl Query {
    /// Refuses parameters that the operation does not know.
    pub(crate) fn parse(raw: &str, known: &[&str]) -> Result<Self> {
        let mut pairs = Vec::new();
        for pair in raw.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let name = decode(&name.replace('+', " "))?;
            if !known.contains(&name.as_str()) {
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                return Err(Error::invalid(format!("unknown query parameter {name:?}"))
                    .hint(format!("this operation takes: {known}")));
            }
            pairs.push((name, decode(&value.replace('+', " "))?));
        }
        Ok(Self(pairs))
    }

    pub(crate) fn one(&self, name: &str) -> Result<Option<&str>> {
        let mut values = self.all(name);
        let first = values.next();
        if values.next().is_some() {
            return Err(Error::invalid(format!("the query parameter {name:?} stands there twice")));
        }
        Ok(first)
    }

    pub(crate) fn all<'q>(&'q self, name: &str) -> impl Iterator<Item = &'q str> {
        self.0.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// A whole number in a range, or the default.
    pub(crate) fn number(&self, name: &str, default: usize, most: usize) -> Result<usize> {
        match self.one(name)? {
            None => Ok(default.min(most)),
            Some(text) => match text.parse() {
                Ok(number) if (1..=most).contains(&number) => Ok(number),
                _ => Err(Error::invalid(format!("{name} cannot be {text:?}"))
                    .hint(format!("use a whole number from 1 to {most}"))),
            },
        }
    }

    pub(crate) fn flag(&self, name: &str) -> Result<bool> {
        Ok(self.choice(name)?.unwrap_or(false))
    }

    /// None: either will do.
    pub(crate) fn choice(&self, name: &str) -> Result<Option<bool>> {
        match self.one(name)? {
            None => Ok(None),
            Some("false") => Ok(Some(false)),
            Some("true" | "") => Ok(Some(true)),
            Some(text) => Err(Error::invalid(format!("{name} cannot be {text:?}")).hint("use true or false")),
        }
    }

    /// A moment of the host's clock.
    pub(crate) fn tick(&self, name: &str) -> Result<Option<i64>> {
        let Some(text) = self.one(name)? else { return Ok(None) };
        let tick = text.parse().map_err(|_| {
            Error::invalid(format!("{name} cannot be {text:?}"))
                .hint("use a whole number: the host's own ticks")
        });
        tick.map(Some)
    }
}

/// Percent-decoding; ids are UTF-8.
pub(crate) fn decode(text: &str) -> Result<String> {
    let bad = || {
        Error::invalid(format!("{text:?} is not well percent-encoded"))
            .hint("encode ids as UTF-8 and percent-encode them, as encodeURIComponent does")
    };
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |byte: Option<u8>| byte.and_then(|byte| char::from(byte).to_digit(16));
        match (digit(rest.next()), digit(rest.next())) {
            (Some(high), Some(low)) => bytes.push((high * 16 + low) as u8),
            _ => return Err(bad()),
        }
    }
    String::from_utf8(bytes).map_err(|_| bad())
}
