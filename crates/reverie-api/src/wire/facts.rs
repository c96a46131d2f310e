//! Facts of a scene on the wire: which texts are they compared as?

use serde_json::{Map, Value};

/// A fact once for each of its values: those of a list one by one; nothing, and nothing in a list, as an empty text; an object as JSON.
pub(crate) fn facts(given: Map<String, Value>) -> Vec<(String, String)> {
    let mut facts = Vec::with_capacity(given.len());
    for (fact, value) in given {
        match value {
            Value::Array(values) if !values.is_empty() => {
                facts.extend(values.into_iter().map(|value| (fact.clone(), text(value))));
            }
            Value::Array(_) => facts.push((fact, String::new())),
            value => facts.push((fact, text(value))),
        }
    }
    facts
}

fn text(value: Value) -> String {
    match value {
        Value::String(text) => text,
        Value::Null => String::new(),
        other => other.to_string(),
    }
}
