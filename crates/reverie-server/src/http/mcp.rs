//! `/mcp`: the tools over streamable HTTP.
//!
//! Every request stands for itself: there are no sessions to keep, none to lose with a restart, and no stream that waits for
//! something. Host, origin, token and sizes were looked at before, as for every other path.

use http_body_util::{BodyExt as _, Full};
use hyper::Request;
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::http::request::Parts;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use std::sync::Arc;

use super::answer::Answer;
use super::body;
use super::{App, body_refusal, deadline_in, unavailable};
use crate::mcp::Tools;
use crate::settings::REQUEST_BYTES;

pub(crate) const PATH: &str = "/mcp";
const OPERATION: &str = "mcp";

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
    let mut request = Request::new(Full::new(Bytes::from(buffered.bytes)));
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
