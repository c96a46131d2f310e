//! What does the content of a message say, in words? It is a text, or a list of parts: texts, pictures, sounds, files.

use serde_json::{Value, json};

/// Kinds of parts that say nothing in words, and what stands for them where a message has nothing else.
const WORDLESS: &[(&str, &str)] = &[
    ("image_url", "[image]"),
    ("input_image", "[image]"),
    ("image", "[image]"),
    ("input_audio", "[audio]"),
    ("audio_url", "[audio]"),
    ("video_url", "[video]"),
    ("input_file", "[file]"),
    ("file", "[file]"),
];

/// The texts of a content, joined; of one without any, what stands for its first other part.
pub(super) fn text(content: &Value) -> String {
    let parts = match content {
        Value::String(text) => return text.clone(),
        Value::Array(parts) => parts,
        _ => return String::new(),
    };
    let texts: Vec<&str> = parts.iter().filter_map(text_of_part).filter(|text| !text.is_empty()).collect();
    if !texts.is_empty() {
        return texts.join("\n\n");
    }
    let kind = |part: &Value| part.get("type").and_then(Value::as_str).map(str::to_owned);
    let stands_for = |kind: String| WORDLESS.iter().find(|(known, _)| *known == kind);
    let found = parts.iter().filter_map(kind).find_map(stands_for);
    found.map(|(_, stands_for)| (*stands_for).to_owned()).unwrap_or_default()
}

/// True if this stands for something that is no words.
pub(super) fn is_stand_in(text: &str) -> bool {
    WORDLESS.iter().any(|(_, stands_for)| *stands_for == text)
}

fn text_of_part(part: &Value) -> Option<&str> {
    match part {
        Value::String(text) => Some(text),
        part => {
            let kind = part.get("type").and_then(Value::as_str);
            let is_text = matches!(kind, None | Some("text" | "input_text" | "output_text"));
            is_text.then(|| part.get("text").and_then(Value::as_str)).flatten()
        }
    }
}

/// Adds a paragraph at the end.
pub(super) fn append(content: &mut Value, paragraph: &str) {
    match content {
        Value::Array(parts) => parts.push(json!({ "type": "text", "text": paragraph })),
        Value::String(text) if !text.is_empty() => {
            text.push_str("\n\n");
            text.push_str(paragraph);
        }
        content => *content = Value::from(paragraph),
    }
}

/// Adds a paragraph at the beginning.
pub(super) fn prepend(content: &mut Value, paragraph: &str) {
    match content {
        Value::Array(parts) => parts.insert(0, json!({ "type": "text", "text": paragraph })),
        Value::String(text) if !text.is_empty() => text.insert_str(0, &format!("{paragraph}\n\n")),
        content => *content = Value::from(paragraph),
    }
}
