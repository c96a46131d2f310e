//! How does a JSON file of unknown origin become a value, and what must be said about it?
//!
//! Strict about text: what is not UTF-8 (or UTF-16 that says so) is refused, because replacing it would lose it.
//! Lenient about two things that real files have: escapes of lone surrogates and raw control characters become U+FFFD,
//! and of members with the same name the last one counts. Both are reported.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;

use reverie_core::{Error, Result};
use serde::de::{DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::Limits;
use crate::json::sanitise;
use crate::warning::{Warning, cap, excerpt};

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
    let text = decode(bytes)?;
    let (text, replaced) = sanitise(text.as_bytes());
    let mut warnings = Vec::new();
    if replaced > 0 {
        warnings.push(Warning::new(format!(
            "{replaced} characters that JSON cannot hold (lone surrogates, control characters) were replaced by U+FFFD"
        )));
    }
    let state = RefCell::new(State { values: *left, repeated: Vec::new() });
    let mut reader = serde_json::Deserializer::from_str(&text);
    let read = Node(&state).deserialize(&mut reader).and_then(|value| reader.end().map(|()| value));
    let State { values, repeated } = state.into_inner();
    *left = values;
    let value = read.map_err(|error| Problem::of(&error))?;
    let mut repeated: Vec<Warning> = repeated
        .iter()
        .map(|name| {
            Warning::new(format!(
                "the member {name:?} stands twice in the same object; the last one counts, the other is lost"
            ))
        })
        .collect();
    cap(&mut repeated);
    warnings.append(&mut repeated);
    Ok(Parsed { value, warnings })
}

/// Why a text cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Problem {
    #[error("it has {bytes} bytes; at most {most} are read")]
    TooLong { bytes: usize, most: usize },
    #[error("byte {0} is not UTF-8")]
    NotUtf8(usize),
    #[error("it holds more values than are read")]
    TooMany,
    #[error("the text is cut off at line {line} column {column}")]
    CutOff { line: usize, column: usize },
    #[error("{0}")]
    NotJson(String),
}

impl Problem {
    fn of(error: &serde_json::Error) -> Self {
        let message = error.to_string();
        match error.is_eof() {
            true => Self::CutOff { line: error.line(), column: error.column() },
            false if message.contains(TOO_MANY) => Self::TooMany,
            false => Self::NotJson(message),
        }
    }

    pub(crate) fn hint(&self) -> &'static str {
        match self {
            Self::TooLong { .. } | Self::TooMany => "split the file, or raise the limit",
            Self::NotUtf8(_) => "save the file as UTF-8",
            Self::CutOff { .. } => "the file was not written to its end; is it whole?",
            Self::NotJson(message) if message.contains("recursion limit") => {
                "the JSON is nested more than 127 levels deep, which no file of this kind needs"
            }
            Self::NotJson(_) => "the file must hold one JSON value; is it whole?",
        }
    }
}

/// Some editors put a mark in front.
pub(crate) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)
}

/// Text of the bytes, without a byte order mark.
fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, Problem> {
    let wide = |rest: &[u8], unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = rest.as_chunks::<2>().0.iter().map(|pair| unit(*pair)).collect();
        Cow::Owned(String::from_utf16_lossy(&units))
    };
    match bytes {
        [0xFF, 0xFE, rest @ ..] => Ok(wide(rest, u16::from_le_bytes)),
        [0xFE, 0xFF, rest @ ..] => Ok(wide(rest, u16::from_be_bytes)),
        _ => {
            let text = std::str::from_utf8(without_mark(bytes))
                .map_err(|error| Problem::NotUtf8(error.valid_up_to() + 1))?;
            Ok(Cow::Borrowed(text))
        }
    }
}

const TOO_MANY: &str = "too many values";

struct State {
    /// How many more values may come.
    values: usize,
    repeated: Vec<String>,
}

/// One value. Counts what it reads, and sees members that stand twice, which a map could not tell any more.
struct Node<'s>(&'s RefCell<State>);

impl<'de> DeserializeSeed<'de> for Node<'_> {
    type Value = Value;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        let mut state = self.0.borrow_mut();
        state.values = state.values.checked_sub(1).ok_or_else(|| serde::de::Error::custom(TOO_MANY))?;
        drop(state);
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Node<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Node(self.0))? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            let value = members.next_value_seed(Node(self.0))?;
            if map.contains_key(&name) {
                self.0.borrow_mut().repeated.push(excerpt(&name));
            }
            map.insert(name, value);
        }
        Ok(Value::Object(map))
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
        let parsed = parse(br#"{"a":1,"a":"\ud800"}"#, &Limits::default()).unwrap();
        assert_eq!(parsed.value, json!({"a": "\u{FFFD}"}));
        let told: Vec<String> = parsed.warnings.iter().map(ToString::to_string).collect();
        assert!(told.iter().any(|text| text.contains("1 characters")), "{told:?}");
        assert!(told.iter().any(|text| text.contains("\"a\" stands twice")), "{told:?}");
    }

    #[test]
    fn what_cannot_be_read_is_refused_clearly() {
        let deep = [b"[".repeat(200), b"]".repeat(200)].concat();
        let many = [b"[".to_vec(), b"0,".repeat(250), b"0]".to_vec()].concat();
        let limits = Limits { json_bytes: 1000, json_values: 200, ..Limits::default() };
        for (bytes, expected) in [
            (&b"{\"a\": \"\xFF\"}"[..], "byte 8 is not UTF-8"),
            (&deep, "recursion limit"),
            (&many, "more values than are read"),
            (&[b' '; 1001], "1001 bytes"),
            (b"{} {}", "trailing characters"),
            (b"{\"a\": 1e999}", "number out of range"),
            (b"", "cut off"),
        ] {
            let error = parse(bytes, &limits).expect_err(expected);
            assert!(error.message().contains(expected), "{error}");
            assert!(error.hint_text().is_some());
        }
    }
}
