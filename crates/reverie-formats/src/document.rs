//! How does a JSON file of unknown origin become a value, and what must be said about it?
//!
//! Strict where something would be lost: what is not UTF-8 (or UTF-16 that says so) is refused, and so is an object in which
//! a name is given twice. Lenient about one thing that real files have: escapes of lone surrogates and raw control characters
//! become U+FFFD, and that is reported.

mod decode;
mod digits;
mod node;

use reverie_core::{Error, Result};
use serde_json::Value;

use crate::Limits;
use crate::json::sanitise;
use crate::repeated::{self, Repeated};
use crate::utf8::NotUtf8;
use crate::warning::Warning;

pub(crate) use decode::{decode, narrowed, without_mark};

/// A value, and what was odd about its text.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    pub value: Value,
    pub warnings: Vec<Warning>,
}

/// Parses one JSON text.
pub fn parse(bytes: &[u8], limits: &Limits) -> Result<Parsed> {
    let mut left = limits.json_values;
    parse_within(bytes, limits, &mut left).map_err(|problem| {
        Error::invalid(format!("this is not JSON that can be read: {problem}")).hint(problem.hint())
    })
}

/// The single value of a file that should be a `what`.
pub(crate) fn file(bytes: &[u8], limits: &Limits, what: &str) -> Result<Parsed> {
    if bytes.trim_ascii().is_empty() {
        return Err(
            Error::invalid(format!("the file is empty, which is no {what}")).hint("is it the right file?")
        );
    }
    let mut left = limits.json_values;
    parse_within(bytes, limits, &mut left)
        .map_err(|problem| Error::invalid(format!("this is no {what}: {problem}")).hint(problem.hint()))
}

/// As [`parse`]. `left` is how many values may still be made, and goes down: several texts can share it.
pub(crate) fn parse_within(bytes: &[u8], limits: &Limits, left: &mut usize) -> Result<Parsed, Problem> {
    if bytes.len() > limits.json_bytes {
        return Err(Problem::TooLong { bytes: bytes.len(), most: limits.json_bytes });
    }
    let decoded = decode(bytes)?;
    let (text, replaced) = sanitise(&decoded.text);
    let replaced = replaced + decoded.lone;
    let mut warnings = Vec::new();
    if replaced > 0 {
        warnings.push(Warning::new(format!(
            "{replaced} characters that JSON cannot hold (lone surrogates, control characters) were replaced by U+FFFD"
        )));
    }
    let value = value(&text, left)?;
    warnings.extend(rounded(&text));
    Ok(Parsed { value, warnings })
}

/// What must be said about the numbers of a JSON text, if anything.
pub fn rounded(json: &str) -> Option<Warning> {
    let (count, line) = digits::too_long(json)?;
    Some(Warning::new(format!(
        "{count} whole numbers of more than 64 bits are rounded, the first in line {line}; write such ids as text, in quotes"
    )))
}

/// One JSON text as a value, of at most so many values.
pub(crate) fn value(text: &str, left: &mut usize) -> Result<Value, Problem> {
    if text.trim_ascii().is_empty() {
        return Err(Problem::Empty);
    }
    node::read(text, left)
}

/// Why a text cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Problem {
    #[error("it is empty")]
    Empty,
    #[error("it has {bytes} bytes; at most {most} are read")]
    TooLong { bytes: usize, most: usize },
    #[error("{0}")]
    NotUtf8(NotUtf8),
    #[error("it is UTF-16 that ends in the middle of a character")]
    CutInHalf,
    #[error("it holds more values than are read")]
    TooMany,
    #[error("{0}")]
    Repeated(Repeated),
    #[error("the text is cut off at line {line} column {column}")]
    CutOff { line: usize, column: usize },
    #[error("the JSON is nested too deep at line {line} column {column}")]
    TooDeep { line: usize, column: usize },
    #[error("the number at line {line} column {column} is too large")]
    TooLarge { line: usize, column: usize },
    #[error("{0}")]
    NotJson(String),
}

impl Problem {
    fn of(error: &serde_json::Error) -> Self {
        let message = error.to_string();
        let (line, column) = (error.line(), error.column());
        match error.is_eof() {
            true => Self::CutOff { line, column },
            false if message.contains(node::TOO_MANY) => Self::TooMany,
            false if message.starts_with(TOO_DEEP) => Self::TooDeep { line, column },
            false if message.starts_with(TOO_LARGE) => Self::TooLarge { line, column },
            false => Self::NotJson(message),
        }
    }

    pub(crate) fn hint(&self) -> &'static str {
        match self {
            Self::Empty => "is it the right file?",
            Self::TooLong { .. } | Self::TooMany => "divide the file into several",
            Self::NotUtf8(problem) => problem.hint(),
            Self::Repeated(_) => repeated::HINT,
            Self::CutInHalf | Self::CutOff { .. } => "the file was not written to its end; is it whole?",
            Self::TooDeep { .. } => DEEP_HINT,
            Self::TooLarge { .. } => LARGE_HINT,
            Self::NotJson(message)
                if message.starts_with("expected value") || message.starts_with("key must be a string") =>
            {
                "JSON has no NaN, Infinity, comments or single quotes: write null, or the value in double quotes"
            }
            Self::NotJson(message) if message.starts_with("trailing characters") => {
                "the file must hold one JSON value, and something stands behind it"
            }
            Self::NotJson(_) => "the file must hold one JSON value; is it whole?",
        }
    }
}

/// How serde_json begins to tell of these.
const TOO_DEEP: &str = "recursion limit exceeded";
const TOO_LARGE: &str = "number out of range";
const DEEP_HINT: &str = "it is nested more than 127 levels deep, which nothing of this kind needs";
const LARGE_HINT: &str = "numbers end at about 1.8e308; write a smaller one, or a text in quotes";

/// What to do about JSON that cannot be read for what it is, not for what it says; None: nothing special.
pub fn hint_for(error: &serde_json::Error) -> Option<&'static str> {
    match Problem::of(error) {
        Problem::TooDeep { .. } => Some(DEEP_HINT),
        Problem::TooLarge { .. } => Some(LARGE_HINT),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn marks_of_byte_order_are_no_text() {
        let utf16: Vec<u8> =
            [0xFF, 0xFE].into_iter().chain("{\"名\":1}".encode_utf16().flat_map(u16::to_le_bytes)).collect();
        for bytes in [&b"\xEF\xBB\xBF{\"\xE5\x90\x8D\":1}"[..], &utf16] {
            assert_eq!(parse(bytes, &Limits::default()).unwrap().value, json!({"名": 1}));
        }
    }

    #[test]
    fn oddities_are_reported() {
        for bytes in [&br#"{"a":"\ud800"}"#[..], b"\xFF\xFE{\0\"\0a\0\"\0:\0\"\0\x00\xD8\"\0}\0"] {
            let parsed = parse(bytes, &Limits::default()).unwrap();
            assert_eq!(parsed.value, json!({"a": "\u{FFFD}"}));
            let told: Vec<String> = parsed.warnings.iter().map(ToString::to_string).collect();
            assert!(told.iter().any(|text| text.contains("1 characters")), "{told:?}");
        }
    }

    #[test]
    fn numbers_that_are_rounded_are_reported() {
        for (json, expected) in [
            (r#"{"id": 18446744073709551616}"#, Some("1 whole numbers")),
            (r#"{"id": -9223372036854775809}"#, Some("1 whole numbers")),
            (
                "[\n1,\n-123456789012345678901234,\n 123456789012345678901\n]",
                Some("2 whole numbers of more than 64 bits are rounded, the first in line 3"),
            ),
            (
                r#"{"id": 18446744073709551615, "y": -9223372036854775808, "x": "123456789012345678901234", "\\": 1e30}"#,
                None,
            ),
            ("[0.123456789012345678901234, 1234567890123456789012.5]", None),
        ] {
            let warnings = parse(json.as_bytes(), &Limits::default()).unwrap().warnings;
            match expected {
                None => assert_eq!(warnings, [], "{json}"),
                Some(expected) => assert!(warnings[0].message.contains(expected), "{json}: {warnings:?}"),
            }
        }
    }

    #[test]
    fn what_cannot_be_read_is_refused_clearly() {
        let deep = [b"[".repeat(200), b"]".repeat(200)].concat();
        let many = [b"[".to_vec(), b"0,".repeat(250), b"0]".to_vec()].concat();
        let limits = Limits { json_bytes: 1000, json_values: 200, ..Limits::default() };
        for (bytes, expected) in [
            (&b"{\"a\": \"\xFF\"}"[..], "byte 8 is not UTF-8"),
            (b"\xEF\xBB\xBF{\"a\": \"\xFF\"}", "byte 11 is not UTF-8 (0xFF)"),
            (b"\xFF\xFE{\0}", "ends in the middle of a character"),
            (b"{\0}\0", "looks like UTF-16"),
            (&deep, "nested too deep at line 1 column 128"),
            (&many, "more values than are read"),
            (&[b' '; 1001], "1001 bytes"),
            (b"{} {}", "trailing characters"),
            (b"{\"a\": 1e400}", "the number at line 1 column 11 is too large"),
            (b"{\"a\": NaN}", "expected value"),
            (br#"{"a":1,"a":2}"#, "the name \"a\" is given twice in the outermost object"),
            (br#"{"entries":{"0":{"key":[],"key":[]}}}"#, "\"key\" is given twice in entries.0"),
            (b"", "it is empty"),
            (b"\xEF\xBB\xBF \n", "it is empty"),
            (b"{\"a\":", "cut off at line 1 column 5"),
        ] {
            let error = parse(bytes, &limits).expect_err(expected);
            assert!(error.message().contains(expected), "{error}");
            assert!(error.hint_text().is_some());
        }
    }
}
