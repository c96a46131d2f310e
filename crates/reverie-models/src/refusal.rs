//! What does a server mean by an answer that is no answer?

use std::time::{Duration, UNIX_EPOCH};

use hyper::header::{HeaderMap, LOCATION, RETRY_AFTER};
use serde_json::Value;

use crate::breaker::Millis;
use crate::error::{Error, Kind};
use crate::secret::Secrets;
use crate::transport::Reply;

/// What an error says of who was asked for what.
pub(crate) struct Asked<'a> {
    pub(crate) server: &'a str,
    pub(crate) model: &'a str,
    pub(crate) secrets: &'a Secrets,
    pub(crate) now: Millis,
}

/// None: this is an answer.
pub(crate) fn refusal(reply: &Reply, asked: &Asked<'_>) -> Option<Error> {
    let body: Option<Value> = serde_json::from_slice(&reply.body).ok();
    let is_success = (200..300).contains(&reply.status);
    // Some servers report errors with the status of success.
    let fault = body.as_ref().and_then(fault_of);
    if is_success && fault.is_none_or(Value::is_null) {
        return None;
    }
    let code = body.as_ref().and_then(code_of);
    let words = words_of(reply, body.as_ref());
    let kind = kind_of(reply.status, code.as_deref().unwrap_or_default(), &words.to_lowercase());
    // Of a refused key, providers quote a part.
    let said = if kind == Kind::KeyRefused { String::new() } else { asked.secrets.hide(&words) };
    let pause = retry_after(&reply.headers, asked.now).or_else(|| body.as_ref().and_then(retry_delay));
    let code = code.map(|code| asked.secrets.hide(&code));
    let error = told(kind, reply, code.as_deref(), asked);
    Some(error.status_is(reply.status).retry_after_is(pause).said(Some(said)))
}

/// A 404 that speaks of the path, not of a model.
pub(crate) fn is_wrong_way(reply: &Reply) -> bool {
    let words = words_of(reply, serde_json::from_slice(&reply.body).ok().as_ref()).to_lowercase();
    matches!(reply.status, 404 | 405) && !words.contains("model") && !words.contains("模型")
}

fn kind_of(status: u16, code: &str, words: &str) -> Kind {
    let says = |parts: &[&str]| parts.iter().any(|part| words.contains(part) || code.contains(part));
    match status {
        300..400 => Kind::Redirected,
        401 | 403 => Kind::KeyRefused,
        400 if says(&["api_key_invalid", "api key not valid", "invalid api key"]) => Kind::KeyRefused,
        402 => Kind::Unpaid,
        429 if says(&[
            "insufficient_quota",
            "exceeded your current quota, please check your plan",
            "余额不足",
        ]) =>
        {
            Kind::Unpaid
        }
        404 | 405 => Kind::NoSuchModel,
        408 | 504 => Kind::TimedOut,
        429 => Kind::TooManyRequests,
        413 => Kind::TooLong,
        // llama.cpp, of a text that is longer than what it embeds at once.
        500 if says(&["too large to process"]) => Kind::TooLong,
        // What a server cannot do, it cannot do in a moment either.
        501 | 505 => Kind::Refused,
        500.. => Kind::ServerFault,
        _ if says(TOO_LONG) => Kind::TooLong,
        _ if says(&["model_not_found", "model not found"]) => Kind::NoSuchModel,
        _ => Kind::Refused,
    }
}

/// How servers say that a question does not fit into the model.
const TOO_LONG: &[&str] = &[
    "context_length_exceeded",
    "exceed_context_size",
    "maximum context length",
    "context size",
    "context window",
    "context length",
    "input is too long",
    "too many tokens",
    "input token count",
];

const OLLAMA_PORT: &str = ":11434";

fn told(kind: Kind, reply: &Reply, code: Option<&str>, asked: &Asked<'_>) -> Error {
    let server = asked.server;
    let model = asked.model.trim_start_matches("models/");
    let status = reply.status;
    let answered = match code {
        Some(code) => format!("{server} answered {status} ({code})"),
        None => format!("{server} answered {status}"),
    };
    let (message, hint) = match kind {
        Kind::Redirected => {
            let to = redirect_target(&reply.headers).map_or_else(String::new, |to| format!(" to {to}"));
            (
                format!("{server} redirects{to}, and redirects are not followed"),
                "give the address that it redirects to".to_owned(),
            )
        }
        Kind::KeyRefused => (
            format!("{answered}: it refuses the key"),
            format!(
                "check that the key is set, belongs to this provider, and may use {model} from where you are"
            ),
        ),
        Kind::Unpaid => (
            format!("{server} says that the account has no credit left ({status})"),
            "top up the account, or use another provider".to_owned(),
        ),
        Kind::NoSuchModel => (
            format!("{server} knows no model {model}, or has nothing at this path ({status})"),
            if server.ends_with(OLLAMA_PORT) {
                format!("get it with `ollama pull {model}`, or check the model's name and the base URL")
            } else {
                "check the model's name and the base URL".to_owned()
            },
        ),
        Kind::TooManyRequests => (
            format!("{server} wants fewer requests ({status})"),
            "it is tried again later by itself; a lower token budget per hour helps".to_owned(),
        ),
        Kind::TooLong => (
            format!("the question is longer than {model} can read ({answered})"),
            "send less at a time, or give the model a longer context".to_owned(),
        ),
        Kind::TimedOut => {
            (answered, "the server did not make it in time; it is tried again by itself".to_owned())
        }
        Kind::ServerFault => (answered, "the fault is the server's; its log may say more".to_owned()),
        _ => (
            format!("{answered}: it does not accept the request"),
            "what the server said stands with the job; often an option in the model's settings is the cause"
                .to_owned(),
        ),
    };
    Error::new(kind, message).hint(hint)
}

/// Scheme and host; the rest of it is nobody's business.
fn redirect_target(headers: &HeaderMap) -> Option<String> {
    let uri: hyper::Uri = headers.get(LOCATION)?.to_str().ok()?.parse().ok()?;
    Some(format!("{}://{}", uri.scheme_str()?, uri.host()?))
}

/// Where the common APIs put their errors.
fn fault_of(body: &Value) -> Option<&Value> {
    // Gemini wraps it into a list where it would have streamed.
    body.get("error").or_else(|| body.get(0)?.get("error"))
}

/// A machine-readable word, if it is one.
fn code_of(body: &Value) -> Option<String> {
    let fault = fault_of(body).unwrap_or(body);
    let reasons = fault.pointer("/details/0/reason");
    let candidates = [reasons, fault.get("code"), fault.get("status"), fault.get("type")];
    let is_word = |word: &&str| {
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        (2..=48).contains(&word.len())
            && word.chars().all(is_part)
            && word.contains(|c: char| c.is_ascii_alphabetic())
    };
    candidates.into_iter().flatten().filter_map(Value::as_str).find(is_word).map(str::to_lowercase)
}

/// The most of what a server said that is kept.
const MOST_CHARS: usize = 400;

/// What it says in prose, on one line.
fn words_of(reply: &Reply, body: Option<&Value>) -> String {
    let prose = body.and_then(|body| {
        let fault = fault_of(body).unwrap_or(body);
        let places =
            [Some(fault), fault.get("message"), body.get("message"), body.get("detail"), body.get("msg")];
        places.into_iter().flatten().find_map(Value::as_str).map(str::to_owned)
    });
    let text = prose.unwrap_or_else(|| String::from_utf8_lossy(&reply.body).into_owned());
    if text.trim_start().starts_with('<') {
        return "(a web page)".to_owned();
    }
    let spaced = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    spaced.collect::<Vec<_>>().join(" ").chars().take(MOST_CHARS).collect()
}

/// Seconds, milliseconds or a date.
fn retry_after(headers: &HeaderMap, now: Millis) -> Option<Duration> {
    let number = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse::<f64>().ok();
    if let Some(ms) = number("retry-after-ms") {
        return Duration::try_from_secs_f64(ms / 1000.0).ok();
    }
    if let Some(seconds) = number(RETRY_AFTER.as_str()) {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = httpdate::parse_http_date(headers.get(RETRY_AFTER)?.to_str().ok()?).ok()?;
    let at = Millis::try_from(date.duration_since(UNIX_EPOCH).ok()?.as_millis()).ok()?;
    Some(Duration::from_millis(at.saturating_sub(now).max(0).unsigned_abs()))
}

/// Gemini's way of saying the same: `"retryDelay": "34s"` among the details.
fn retry_delay(body: &Value) -> Option<Duration> {
    let details = fault_of(body)?.get("details")?.as_array()?;
    let delay = details.iter().find_map(|detail| detail.get("retryDelay")?.as_str())?;
    Duration::try_from_secs_f64(delay.strip_suffix('s')?.parse().ok()?).ok()
}
