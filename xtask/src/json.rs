//! How is something found in a JSON document that may not have it?

use serde_json::Value;

static NOTHING: Value = Value::Null;

/// What stands at `/a/b`, or null.
pub(crate) fn at<'v>(value: &'v Value, path: &str) -> &'v Value {
    value.pointer(path).unwrap_or(&NOTHING)
}

pub(crate) fn text<'v>(value: &'v Value, path: &str) -> Option<&'v str> {
    at(value, path).as_str()
}

/// The entries of an array; none if there is no array.
pub(crate) fn list<'v>(value: &'v Value, path: &str) -> impl Iterator<Item = &'v Value> {
    at(value, path).as_array().into_iter().flatten()
}
