//! Does an answer tell by which way a server is to be asked?

use hyper::Method;
use hyper::header::CONTENT_TYPE;

use super::Passing;
use crate::transport::Begun;

/// Where every server of this kind answers. Lists of models and other paths are missing in many, so they teach nothing.
const CHAT: &str = "/chat/completions";

pub(super) fn shows_the_way(passing: &Passing) -> bool {
    passing.method == Method::POST && passing.path == CHAT
}

pub(super) fn is_nowhere(begun: &Begun) -> bool {
    matches!(begun.status, 404 | 405)
}

/// An answer of the kind that was asked for. A chat is answered in JSON or as events; elsewhere sounds and pictures come as well, and only
/// a page for people is none.
pub(super) fn is_answer(passing: &Passing, begun: &Begun) -> bool {
    let kind = begun.headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_fitting = match passing.path.as_str() {
        // Some servers do not say what they send.
        CHAT | "/models" => kind.is_empty() || kind == "text/event-stream" || kind.ends_with("json"),
        _ => kind != "text/html",
    };
    (200..300).contains(&begun.status) && is_fitting
}
