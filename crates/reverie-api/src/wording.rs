//! What was wrong with a JSON text, in words that mean something whatever the client is written in?

use serde_json::Error;

/// As serde says it, but with JSON's kinds of values instead of Rust's types.
pub fn plain(error: &Error) -> String {
    let said = error.to_string();
    let place = match (error.line(), error.column()) {
        (0, _) => String::new(),
        (line, column) => format!(" at line {line} column {column}"),
    };
    let said = said.strip_suffix(&place).unwrap_or(&said);
    if said.starts_with("data did not match any variant of untagged enum") {
        return format!("a value has another type than is taken there{place}");
    }
    if said.starts_with("invalid length ") {
        return format!("a list is too short, or stands where an object is expected{place}");
    }
    let is_about_values = said.starts_with("invalid type: ") || said.starts_with("invalid value: ");
    // The value that was found is a text of the client's own: only what follows it is serde's.
    match said.rsplit_once(", expected ") {
        Some((found, wanted)) if is_about_values => {
            format!("{}, expected {}{place}", kind(found), wish(wanted))
        }
        _ => format!("{said}{place}"),
    }
}

const KINDS: [(&str, &str); 6] = [
    ("integer ", "number "),
    ("floating point ", "number "),
    ("string ", "text "),
    ("boolean ", ""),
    ("sequence", "list"),
    ("map", "object"),
];

fn kind(found: &str) -> String {
    let Some((problem, value)) = found.split_once(": ") else { return found.to_owned() };
    let known = KINDS.iter().find_map(|(rust, json)| Some(format!("{json}{}", value.strip_prefix(rust)?)));
    format!("{problem}: {}", known.as_deref().unwrap_or(value))
}

fn wish(wanted: &str) -> &str {
    match wanted {
        "u8" => "a whole number from 0 to 255",
        "u16" => "a whole number from 0 to 65535",
        "u32" => "a whole number from 0 to 4294967295",
        "u64" | "usize" => "a whole number from 0",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        "a string" | "string" => "a text",
        "a boolean" => "true or false",
        "a sequence" => "a list",
        "a map" => "an object",
        wanted if wanted.starts_with("struct ") => "an object",
        wanted => wanted,
    }
}
