//! What does a client of the OpenAI API hear when something fails here? Errors of its own form.

use reverie_models::Kind;
use serde_json::json;

use crate::http::answer::Answer;
use crate::settings::UPSTREAM_URL;

/// An answer in place of the one that was wanted.
pub(super) type Instead = Box<Answer>;

/// An error as clients of that API read it.
pub(super) fn refusal(status: u16, code: &str, message: &str) -> Answer {
    let kind = if status >= 500 { "upstream_error" } else { "invalid_request_error" };
    let error = json!({ "error": { "message": message, "type": kind, "param": null, "code": code } });
    Answer::new("proxy", "application/json", format!("{error}\n")).status(status)
}

/// The upstream gave no answer that could be passed on.
pub(super) fn of_upstream(error: &reverie_models::Error) -> Answer {
    let status = match error.kind() {
        Kind::TimedOut => 504,
        Kind::Invalid => 400,
        _ => 502,
    };
    let hint = error.hint_text().map_or_else(String::new, |hint| format!(" ({hint})"));
    let code = format!("upstream_{}", error.kind().as_str());
    refusal(status, &code, &format!("{}{hint}", error.message()))
}

pub(super) fn no_upstream() -> Answer {
    let message = format!("no upstream is configured that could answer this: set {}", UPSTREAM_URL.name);
    refusal(404, "no_upstream", &message)
}

/// A character alone is nobody's model.
pub(super) fn no_model(written: &str) -> Answer {
    let message = format!("write a model before the character: MODEL{written}, or give its key a model");
    refusal(400, "model_not_found", &message)
}
