//! How do a user's own options get into a request?

use serde_json::{Map, Value};

use crate::error::{Error, Result};

/// What a request is about is not an option.
const RESERVED: &[&str] = &[
    "messages",
    "contents",
    "content",
    "input",
    "requests",
    "model",
    "stream",
    "prompt",
    "systemInstruction",
    "system_instruction",
];

pub(crate) fn check_options(options: &Map<String, Value>) -> Result<()> {
    match RESERVED.iter().find(|name| options.contains_key(**name)) {
        Some(name) => Err(Error::invalid(format!("the options of a model cannot set {name}"))
            .hint("options are for generation, such as temperature or top_p")),
        None => Ok(()),
    }
}

/// Objects are merged, null takes away, everything else replaces.
pub(crate) fn merge(into: &mut Map<String, Value>, options: &Map<String, Value>) {
    for (name, option) in options {
        match (into.get_mut(name), option) {
            (_, Value::Null) => {
                into.shift_remove(name);
            }
            (Some(Value::Object(there)), Value::Object(more)) => merge(there, more),
            _ => {
                into.insert(name.clone(), option.clone());
            }
        }
    }
}
