//! What must hold for every sequence of bytes? The bodies of the fuzz targets, which `cargo test` runs for a moment too.

use serde_json::Value;

use crate::json::{MOST_DEPTH, extract_json};

/// Any text of a model: no panic, and what is found can be written and found again.
pub fn model_json(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Ok(value) = extract_json(&text) else { return };
    assert!(depth(&value) <= MOST_DEPTH, "nesting is bounded");
    assert_eq!(extract_json(&value.to_string()), Ok(value), "what was found is found again");
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(map) => 1 + map.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}
