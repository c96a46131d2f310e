//! How is a chat passed on to Google's own API?

use std::collections::VecDeque;

use hyper::Method;
use hyper::body::Bytes;
use hyper::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderValue};
use reverie::SystemClock;
use reverie_core::clock::Clock as _;
use reverie_models::translate::{Answering, Translated, as_stream, refused, to_gemini, whole};
use reverie_models::{Passed, Passing, Upstream};
use serde_json::Value;

use super::chat::Begun;
use super::failure::Instead;
use super::source::Source;
use super::{failure, headers};

/// What is no stream is read as a whole before it is passed on; nothing that anybody says is longer.
const MOST_BYTES: usize = 64 << 20;
const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream; charset=utf-8";
/// What the other API has no word for.
const DROPPED: &str = "x-reverie-dropped";

pub(super) async fn begin(
    upstream: &Upstream,
    asked_with: &HeaderMap,
    body: &[u8],
) -> Result<Begun, Instead> {
    let request: Option<Value> = serde_json::from_slice(body).ok();
    let request = request.filter(Value::is_object).ok_or_else(|| {
        failure::refusal(400, "invalid_request", "the body must be a JSON object with a list of messages")
    })?;
    let model = request.get("model").and_then(Value::as_str).unwrap_or_default().to_owned();
    if model.is_empty() {
        return Err(failure::refusal(400, "model_not_found", "name the model to ask").into());
    }
    let Translated { body, is_streamed, wants_usage, dropped } = to_gemini(&request);
    let (path, query) = Upstream::gemini_target(&model, is_streamed);
    // It must be understood here, whoever else wants to.
    let mut going = headers::going_on(asked_with, true);
    Upstream::gemini_headers(&mut going);
    going.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let passing =
        Passing { method: Method::POST, path, query, headers: going, body: body.to_string().into() };
    let passed = upstream.pass(passing).await.map_err(|error| failure::of_upstream(&error))?;
    let now_ms = SystemClock.now_ms();
    let answering = Answering::new(&format!("chatcmpl-gemini-{now_ms}"), &model, now_ms / 1000, wants_usage);
    let mut begun = match is_streamed && passed.status == 200 {
        // Of a prompt that it refuses to answer it may tell at once, though it was asked for a stream.
        true if is_json(&passed.headers) => read(passed, answering, Wanted::Stream).await?,
        true => stream(passed, answering),
        false => read(passed, answering, Wanted::Whole).await?,
    };
    if !dropped.is_empty() {
        begun.headers.insert(DROPPED, headers::encoded(&dropped.join(",")));
    }
    Ok(begun)
}

fn stream(passed: Passed, answering: Answering) -> Begun {
    let headers = of_kind(passed.headers, EVENTS);
    Begun { status: 200, headers, source: Source::Translated(Box::new((passed.body, Some(answering)))) }
}

/// How the client wants it.
enum Wanted {
    Whole,
    Stream,
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.to_ascii_lowercase().starts_with("application/json")
}

/// A whole answer, or an error. What is neither is passed on as it came.
async fn read(passed: Passed, answering: Answering, wanted: Wanted) -> Result<Begun, Instead> {
    let Passed { status, headers, body } = passed;
    let bytes = body.whole(MOST_BYTES).await;
    let bytes =
        bytes.ok_or_else(|| failure::refusal(502, "upstream_cut", "the upstream's answer broke off"))?;
    let read: Option<Value> = serde_json::from_slice(&bytes).ok();
    let told = read.as_ref().and_then(|read| match (status, wanted) {
        (200, Wanted::Stream) => Some((EVENTS, as_stream(answering, read)?)),
        (200, Wanted::Whole) => Some((JSON, format!("{}\n", whole(answering, read)?))),
        _ => Some((JSON, format!("{}\n", refused(read)?))),
    });
    let (headers, bytes) = match told {
        Some((kind, told)) => (of_kind(headers, kind), Bytes::from(told)),
        None => (headers::coming_back(headers), bytes.into()),
    };
    Ok(Begun { status, headers, source: Source::Own(VecDeque::from([bytes])) })
}

fn of_kind(headers: HeaderMap, kind: &'static str) -> HeaderMap {
    let mut headers = headers::coming_back(headers);
    headers.remove(CONTENT_LENGTH);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers
}
