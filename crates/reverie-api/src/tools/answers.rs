//! What does an agent get to see of an answer of the API, and of an error?

use reverie_core::Error;
use serde_json::{Map, Value};

use crate::wire::ErrorView;

/// What went wrong, in the API's form.
pub(super) struct Failure(Value);

pub(super) type Done<T = Map<String, Value>> = std::result::Result<T, Failure>;

impl Failure {
    pub(super) fn of(answer: Value) -> Self {
        Self(answer)
    }

    pub(super) fn into_json(self) -> Value {
        self.0
    }

    pub(super) fn is_not_found(&self) -> bool {
        self.0.pointer("/error/code").is_some_and(|code| code == "not_found")
    }

    /// Hints of the API speak of requests; whoever calls a tool is told which tool helps where something is not there.
    pub(super) fn hinted(mut self, hint: &str) -> Self {
        if self.is_not_found()
            && let Some(Value::Object(error)) = self.0.get_mut("error")
        {
            error.insert("hint".to_owned(), hint.into());
        }
        self
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let view = ErrorView::new(error.code(), error.message(), error.hint_text());
        // Texts alone: it cannot fail.
        Self(serde_json::to_value(view).unwrap_or_default())
    }
}

/// What an agent needs to know of a memory.
pub(super) fn told(memory: &Value) -> Map<String, Value> {
    picked(memory, &["id", "text", "score", "kind", "about", "importance", "pinned", "time"])
}

/// These fields, as far as they are there and not empty.
pub(super) fn picked(from: &Value, names: &[&str]) -> Map<String, Value> {
    let one = |name: &&str| {
        let value = from.get(*name).filter(|value| !value.is_null())?;
        let is_empty = value.as_array().is_some_and(Vec::is_empty);
        (!is_empty).then(|| ((*name).to_owned(), value.clone()))
    };
    names.iter().filter_map(one).collect()
}

/// Adds what looks wrong, in words; what to do about it speaks of requests.
pub(super) fn warned(from: &Value, mut told: Map<String, Value>) -> Map<String, Value> {
    let warnings: Vec<Value> = all(from, "degraded").filter_map(|one| one.get("message").cloned()).collect();
    if !warnings.is_empty() {
        told.insert("warnings".to_owned(), warnings.into());
    }
    told
}

/// A list in an answer.
pub(super) fn all<'v>(from: &'v Value, name: &str) -> impl Iterator<Item = &'v Value> + use<'v> {
    from.get(name).and_then(Value::as_array).into_iter().flatten()
}

pub(super) fn id_of(answer: &Value) -> String {
    answer.get("id").and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// For a path or a query.
pub(super) fn encode(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    let one = |byte: u8| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    text.bytes().map(one).collect()
}
