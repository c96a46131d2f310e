//! `/mcp`: the tools over streamable HTTP.
//!
//! Every request stands for itself: there are no sessions to keep, none to lose with a restart, and no stream that waits for
//! something. Host, origin, token and sizes were looked at before, as for every other path.

use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Request, StatusCode};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};
use std::sync::Arc;

use super::answer::Answer;
use super::body;
use super::{App, body_refusal, deadline_in, unavailable};
use crate::mcp::Tools;
use crate::settings::REQUEST_BYTES;

pub(crate) const PATH: &str = "/mcp";
const OPERATION: &str = "mcp";
/// As JSON-RPC numbers them.
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;

pub(crate) type Service = StreamableHttpService<Tools, NeverSessionManager>;

/// The protocol's own checks of names are off where ours have been made already, with our settings.
pub(crate) fn service(tools: Tools, request_bytes: usize) -> Service {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .disable_allowed_hosts()
        .disable_allowed_origins()
        .with_max_request_body_bytes(request_bytes);
    StreamableHttpService::new(move || Ok(tools.clone()), Arc::new(NeverSessionManager::default()), config)
}

pub(crate) async fn answer(app: &App, head: &Parts, body: &mut Incoming) -> Answer {
    let limits = &app.limits;
    let deadline = deadline_in(limits.request_timeout);
    let buffered = match body::read(body, limits.request_bytes, &app.budget, deadline).await {
        Ok(buffered) => buffered,
        Err(error) => return body_refusal(&error, limits.request_bytes, REQUEST_BYTES.name),
    };
    let sent = Bytes::from(buffered.bytes);
    let is_json = says_json(&head.headers);
    let mut request = Request::new(Full::new(sent.clone()));
    *request.method_mut() = head.method.clone();
    *request.uri_mut() = head.uri.clone();
    *request.headers_mut() = head.headers.clone();
    let answered = async {
        let (head, body) = app.mcp.handle(request).await.into_parts();
        (head, body.collect().await.map(|body| body.to_bytes()).unwrap_or_default())
    };
    let Ok((head, body)) = tokio::time::timeout_at(deadline, answered).await else {
        let error = unavailable("the answer took too long; a change may still be made");
        return Answer::refusal("timeout", &error.hint("look whether it was made before trying again"));
    };
    // Its share of the memory budget is given back only when the work with it is done.
    drop(buffered.share);
    if is_json && head.status == StatusCode::UNSUPPORTED_MEDIA_TYPE {
        return no_message(&sent);
    }
    let mut answer = Answer::new(OPERATION, "", body).status(head.status.as_u16());
    let known = ["content-type", "allow", "mcp-session-id", "mcp-protocol-version"];
    for name in known {
        if let Some(value) = head.headers.get(name) {
            answer.headers.push((name, value.clone()));
        }
    }
    if !head.headers.contains_key(CONTENT_TYPE) {
        answer.headers.push(("content-type", HeaderValue::from_static("text/plain; charset=utf-8")));
    }
    answer
}

fn says_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.to_ascii_lowercase().starts_with("application/json")
}

/// In the protocol's own words: rmcp answers 415 in plain text to what it cannot read, which no client can.
fn no_message(sent: &[u8]) -> Answer {
    let (code, message) = match serde_json::from_slice::<Value>(sent) {
        Ok(_) => (INVALID_REQUEST, "Invalid Request: the body is no message of MCP"),
        Err(_) => (PARSE_ERROR, "Parse error: the body is no JSON"),
    };
    let told = json!({"jsonrpc": "2.0", "id": null, "error": {"code": code, "message": message}});
    let mut answer = Answer::new(OPERATION, "", told.to_string()).status(400);
    answer.headers.push(("content-type", HeaderValue::from_static("application/json")));
    answer
}
