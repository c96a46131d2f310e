//! Which rows are in a file of lines: a JSON array, one object, or one object a line?

use reverie_core::{Error, Result};
use serde_json::{Map, Value};

use crate::json::{relax, sanitise};

pub type Row = Map<String, Value>;

/// Reads rows leniently: array, single object or JSON Lines, Python's `None` and trailing commas included.
pub fn read(bytes: &[u8]) -> Result<Vec<Row>> {
    let (text, _) = sanitise(bytes);
    let text = text.trim_start_matches('\u{FEFF}').trim();
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let relaxed = relax(text);
    match serde_json::from_str::<Value>(&relaxed) {
        Ok(Value::Array(rows)) => {
            rows.into_iter().enumerate().map(|(index, row)| object(index + 1, row)).collect()
        }
        Ok(row @ Value::Object(_)) => Ok(vec![object(1, row)?]),
        Ok(_) => Err(not_rows("the file holds neither an array nor objects")),
        Err(whole) => by_line(&relaxed).ok_or_else(|| not_rows(&whole.to_string()))?,
    }
}

/// None if even the first line is not a JSON value, so that the error of the whole text is the better one.
fn by_line(text: &str) -> Option<Result<Vec<Row>>> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let mut rows = Vec::new();
    for (index, line) in lines {
        match serde_json::from_str::<Value>(line) {
            Ok(value) => match object(index + 1, value) {
                Ok(row) => rows.push(row),
                Err(error) => return Some(Err(error)),
            },
            Err(_) if rows.is_empty() => return None,
            Err(error) => return Some(Err(not_rows(&format!("line {}: {error}", index + 1)))),
        }
    }
    Some(Ok(rows))
}

fn object(number: usize, value: Value) -> Result<Row> {
    match value {
        Value::Object(row) => Ok(row),
        _ => Err(not_rows(&format!("entry {number} is not an object"))),
    }
}

fn not_rows(why: &str) -> Error {
    Error::invalid(format!("these are no lines of dialogue: {why}"))
        .hint("send a JSON array of lines, or one JSON object a line: [{\"attribute\":\"user\",\"content\":\"你好\"}]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_objects_and_json_lines_are_read() {
        for (input, count) in [
            ("", 0),
            ("[]", 0),
            ("\u{FEFF}[{\"content\":\"a\"},]", 1),
            ("{\"content\":\"a\"}", 1),
            ("{\"content\":\"a\"}\n\n{\"content\":None}\r\n", 2),
        ] {
            assert_eq!(read(input.as_bytes()).map(|rows| rows.len()), Ok(count), "{input}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        for (input, expected) in [
            ("[1]", "entry 1 is not an object"),
            ("{\"a\":1}\n{oops}", "line 2"),
            ("hello", "expected value"),
        ] {
            let error = read(input.as_bytes()).expect_err(input);
            assert!(error.message().contains(expected), "{error}");
        }
    }
}
