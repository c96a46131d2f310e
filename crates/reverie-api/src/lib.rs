//! Stand-in for the transport-free API: enough routes to build and test a transport against.

use reverie_core::Code;
use serde_json::json;

pub struct Request {
    pub method: String,
    /// Raw, percent-encoded.
    pub path: String,
    /// Raw.
    pub query: String,
    pub body: Vec<u8>,
}

pub struct Response {
    pub status: u16,
    pub content_type: &'static str,
    pub body: Vec<u8>,
    /// Stable operation id, for metrics.
    pub operation: &'static str,
    /// Illegal characters replaced in the request.
    pub replaced: usize,
}

#[derive(Default)]
pub struct Api {}

impl Api {
    pub fn dispatch(&self, request: &Request) -> Response {
        match (request.method.as_str(), request.path.as_str()) {
            ("GET" | "POST", "/v1/echo") => Response {
                status: 200,
                content_type: "application/json",
                body: json!({
                    "method": request.method,
                    "query": request.query,
                    "body": String::from_utf8_lossy(&request.body),
                })
                .to_string()
                .into_bytes(),
                operation: "echo",
                replaced: String::from_utf8_lossy(&request.body).matches('\u{FFFD}').count(),
            },
            (_, "/v1/echo") => {
                let mut response = error_response(Code::Invalid, "this path has no such method", None);
                response.status = 405;
                response
            }
            _ => error_response(Code::NotFound, "no such path", Some("see /docs")),
        }
    }

    pub fn openapi() -> String {
        include_str!("openapi.json").to_owned()
    }
}

pub fn error_response(code: Code, message: &str, hint: Option<&str>) -> Response {
    let status = match code {
        Code::Invalid => 400,
        Code::Denied => 403,
        Code::NotFound => 404,
        Code::Conflict => 409,
        Code::Unavailable => 503,
        Code::Corrupt | Code::Internal => 500,
    };
    let body = json!({"error": {"code": code.as_str(), "message": message, "hint": hint}});
    Response {
        status,
        content_type: "application/json",
        body: body.to_string().into_bytes(),
        operation: "error",
        replaced: 0,
    }
}
