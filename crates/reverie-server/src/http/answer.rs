//! What goes back to the client, whoever made it?

use hyper::body::Bytes;
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use reverie_core::Error;

use super::guard::Visitor;
use super::outgoing::Outgoing;

/// For everything but our own pages: nothing that we answer with is ever to be run or framed.
const INERT: &str = "default-src 'none'; frame-ancestors 'none'";

/// What pages may send along: tokens, and what MCP clients and code for mem0 add to their requests.
const ALLOWED_HEADERS: &str = "authorization, content-type, x-reverie-token, x-request-id, x-api-key, mcp-protocol-version, \
                               mcp-session-id, mcp-method, mcp-name";

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) content_type: &'static str,
    pub(crate) body: Outgoing,
    /// Stable id for log and metrics; never text from the request.
    pub(crate) operation: &'static str,
    pub(crate) replaced: usize,
    pub(crate) headers: Vec<(&'static str, HeaderValue)>,
    /// Why the request never reached its operation, for the metrics.
    pub(crate) refused: Option<&'static str>,
    /// The headers of somebody else's answer, which stay as they are.
    pub(crate) passed: Option<HeaderMap>,
}

impl From<reverie_api::Response> for Answer {
    fn from(response: reverie_api::Response) -> Self {
        // What can be read can be asked for without its body.
        let allow = response.allow.map(|methods| methods.replace("GET", "GET, HEAD"));
        let allow = allow.and_then(|methods| HeaderValue::from_str(&methods).ok());
        Self {
            status: response.status,
            content_type: response.content_type,
            body: Outgoing::Whole(response.body.into()),
            operation: response.operation,
            replaced: response.replaced,
            headers: allow.map(|methods| ("allow", methods)).into_iter().collect(),
            refused: None,
            passed: None,
        }
    }
}

impl Answer {
    pub(crate) fn new(operation: &'static str, content_type: &'static str, body: impl Into<Bytes>) -> Self {
        Self {
            status: 200,
            content_type,
            body: Outgoing::Whole(body.into()),
            operation,
            replaced: 0,
            headers: Vec::new(),
            refused: None,
            passed: None,
        }
    }

    pub(crate) fn error(error: &Error) -> Self {
        reverie_api::error_response(error.code(), error.message(), error.hint_text()).into()
    }

    /// An error of the transport: counted by its reason.
    pub(crate) fn refusal(reason: &'static str, error: &Error) -> Self {
        Self { refused: Some(reason), operation: "refused", ..Self::error(error) }
    }

    /// An error of ours as others write theirs; anything else stays as it is.
    pub(crate) fn map_error(mut self, form: impl Fn(&[u8]) -> Option<Vec<u8>>) -> Self {
        if let Outgoing::Whole(body) = &self.body
            && self.status >= 400
            && let Some(formed) = form(body)
        {
            self.body = Outgoing::Whole(formed.into());
        }
        self
    }

    pub(crate) fn status(self, status: u16) -> Self {
        Self { status, ..self }
    }

    pub(crate) fn header(mut self, name: &'static str, value: &'static str) -> Self {
        self.headers.push((name, HeaderValue::from_static(value)));
        self
    }
}

impl Answer {
    pub(crate) fn number(mut self, name: &'static str, value: u64) -> Self {
        self.headers.push((name, HeaderValue::from(value)));
        self
    }
}

/// Adds what every response carries.
pub(crate) fn into_http(answer: Answer, request_id: &str, visitor: Option<&Visitor>) -> Response<Outgoing> {
    let mut response = Response::new(answer.body);
    *response.status_mut() = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    // Of somebody else's answer a page may read what it could read there.
    let exposed = if answer.passed.is_some() { "*" } else { "x-request-id, x-reverie-replaced" };
    match answer.passed {
        Some(passed) => {
            *headers = passed;
            if !headers.contains_key("x-request-id") {
                put(headers, "x-request-id", request_id);
            }
        }
        None => {
            if !answer.content_type.is_empty() {
                put(headers, "content-type", answer.content_type);
            }
            put(headers, "x-content-type-options", "nosniff");
            put(headers, "cache-control", "no-store");
            put(headers, "content-security-policy", INERT);
            put(headers, "x-request-id", request_id);
        }
    }
    if answer.replaced > 0 {
        put(headers, "x-reverie-replaced", &answer.replaced.to_string());
    }
    if let Some(Visitor::Foreign(origin)) = visitor {
        put(headers, "access-control-allow-origin", origin);
        put(headers, "access-control-expose-headers", exposed);
        put(headers, "vary", "origin");
    }
    for (name, value) in answer.headers {
        headers.insert(HeaderName::from_static(name), value);
    }
    response
}

/// The answer to a preflight of an allowed origin, which wants to send these headers besides the usual ones: clients of chats have
/// some of their own.
pub(crate) fn preflight(wanted: Option<&HeaderValue>) -> Answer {
    let wanted = wanted.and_then(|wanted| wanted.to_str().ok());
    let all =
        wanted.map_or_else(|| ALLOWED_HEADERS.to_owned(), |wanted| format!("{ALLOWED_HEADERS}, {wanted}"));
    let mut answer = Answer::new("preflight", "", "");
    answer.headers.extend(HeaderValue::try_from(all).ok().map(|all| ("access-control-allow-headers", all)));
    answer
        .status(204)
        .header("access-control-allow-methods", "GET, HEAD, POST, PUT, PATCH, DELETE")
        .header("access-control-allow-private-network", "true")
        .header("access-control-max-age", "600")
}

fn put(headers: &mut HeaderMap, name: &'static str, value: &str) {
    // Every value here is checked or our own; one that is not a legal header is better left out than a crash.
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(HeaderName::from_static(name), value);
    }
}
