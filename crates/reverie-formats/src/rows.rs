//! Which rows are in a file of lines: a JSON array, one object, or one object a line?

use reverie_core::{Error, Result};
use serde_json::{Map, Value};

use crate::Limits;
use crate::document::{self, Problem, decode};
use crate::json::{relax, sanitise};

pub type Row = Map<String, Value>;

/// Reads rows leniently: array, single object or JSON Lines, Python's `None` and trailing commas included. What is not UTF-8,
/// and a column that stands twice in a row, is refused: it would be lost.
pub fn read(bytes: &[u8]) -> Result<Vec<Row>> {
    let decoded = decode(bytes).map_err(|problem| not_rows(&problem.to_string()).hint(problem.hint()))?;
    let (text, _) = sanitise(&decoded.text);
    let text = text.trim_start_matches('\u{FEFF}').trim();
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let relaxed = relax(text);
    match value(&relaxed) {
        Ok(Value::Array(rows)) => {
            rows.into_iter().enumerate().map(|(index, row)| object(index + 1, row)).collect()
        }
        Ok(row @ Value::Object(_)) => Ok(vec![object(1, row)?]),
        Ok(_) => Err(not_rows("the file holds neither an array nor objects")),
        Err(whole @ Problem::Repeated(_)) => Err(unreadable(None, &whole)),
        Err(whole) => by_line(&relaxed).ok_or_else(|| unreadable(None, &whole))?,
    }
}

/// None if even the first line is not a JSON value, so that the error of the whole text is the better one.
fn by_line(text: &str) -> Option<Result<Vec<Row>>> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let mut rows = Vec::new();
    for (index, line) in lines {
        match value(line) {
            Ok(value) => match object(index + 1, value) {
                Ok(row) => rows.push(row),
                Err(error) => return Some(Err(error)),
            },
            Err(_) if rows.is_empty() => return None,
            Err(problem) => return Some(Err(unreadable(Some(index + 1), &problem))),
        }
    }
    Some(Ok(rows))
}

/// A table may be as long as a file may be; but more values than its bytes need would only fill memory.
fn value(text: &str) -> Result<Value, Problem> {
    let mut left = (text.len() / BYTES_OF_A_VALUE).max(Limits::default().json_values);
    document::value(text, &mut left)
}

/// The shortest row of any use, `{"content":"x"}`, has two values.
const BYTES_OF_A_VALUE: usize = 4;

fn unreadable(line: Option<usize>, problem: &Problem) -> Error {
    let why = match line {
        // A row is one line, so its own first line is no news.
        Some(line) => {
            let here = problem.to_string().replace(" at line 1 column ", " at column ");
            format!("line {line}: {here}")
        }
        None => problem.to_string(),
    };
    match problem {
        Problem::NotJson(_) | Problem::Empty | Problem::CutOff { .. } => not_rows(&why),
        _ => not_rows(&why).hint(problem.hint()),
    }
}

fn object(number: usize, value: Value) -> Result<Row> {
    match value {
        Value::Object(row) => Ok(row),
        _ => Err(not_rows(&format!("entry {number} is not an object"))),
    }
}

/// What to do where nothing more is known.
pub const HINT: &str =
    "send a JSON array of lines, or one JSON object a line: [{\"attribute\":\"user\",\"content\":\"你好\"}]";

fn not_rows(why: &str) -> Error {
    Error::invalid(format!("these are no lines of dialogue: {why}")).hint(HINT)
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
            ("[{\"content\":\"a\",\"content\":\"b\"}]", "\"content\" is given twice in [0]"),
            ("{\"a\":1}\n{\"a\":1,\"a\":2}", "line 2: the name \"a\" is given twice"),
            ("{\"a\":1}\n{\"a\":1e400}", "line 2: the number at column 10 is too large"),
        ] {
            let error = read(input.as_bytes()).expect_err(input);
            assert!(error.message().contains(expected), "{error}");
        }
        let error = read(b"[{\"content\":\"\xC4\xE3\"}]").expect_err("GBK");
        assert!(error.message().contains("byte 14 is not UTF-8 (0xC4)"), "{error}");
        assert!(error.hint_text().is_some_and(|hint| hint.contains("GBK")), "{error}");
    }
}
