//! How is JSON of unknown origin read without handing over all memory?
//!
//! Size is checked before anything is copied, and the number of values before any of them is made: a value costs up to
//! a hundred times the two bytes that it takes in a file. Depth is bounded by serde_json itself.

use reverie_core::{Error, Result};
use serde_json::Value;

use crate::json::sanitise;

/// Bounds on one file; 512 MiB of it at most by default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    pub file_bytes: usize,
    /// Of one JSON text: the file, or a line of it. Default 64 MiB.
    pub json_bytes: usize,
    /// Of all values in the file: numbers, texts, lists and so on. Default 4 million.
    pub json_values: usize,
    /// Messages of a chat, records of a memory. Default 200 000.
    pub entries: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { file_bytes: 512 << 20, json_bytes: 64 << 20, json_values: 4_000_000, entries: 200_000 }
    }
}

impl Limits {
    pub(crate) fn check_file(&self, bytes: &[u8]) -> Result<()> {
        check("the file", bytes.len(), self.file_bytes)
    }

    pub(crate) fn check_json(&self, what: &str, bytes: &[u8]) -> Result<()> {
        check(what, bytes.len(), self.json_bytes)
    }
}

fn check(what: &str, size: usize, most: usize) -> Result<()> {
    if size <= most {
        return Ok(());
    }
    Err(Error::invalid(format!("{what} has {size} bytes; at most {most} are read"))
        .hint("divide the file, or raise the limit"))
}

/// A value and how many characters of it could not be kept.
#[derive(Debug)]
pub(crate) struct Parsed {
    pub(crate) value: Value,
    pub(crate) replaced: usize,
}

/// The single value of a file.
pub(crate) fn file(bytes: &[u8], limits: &Limits, what: &str) -> Result<Parsed> {
    limits.check_file(bytes)?;
    limits.check_json("the JSON", bytes)?;
    let bytes = without_mark(bytes);
    if bytes.trim_ascii().is_empty() {
        return Err(Error::invalid(format!("the file is empty, which is no {what}")));
    }
    let mut left = limits.json_values;
    value(bytes, &mut left)
        .map_err(|problem| Error::invalid(format!("this is no {what}: {problem}")).hint(HINT))
}

/// One value. `left` is how many values may still be made, and goes down.
pub(crate) fn value(bytes: &[u8], left: &mut usize) -> Result<Parsed, Problem> {
    let text = std::str::from_utf8(bytes).map_err(|error| Problem::NotUtf8(error.valid_up_to() + 1))?;
    *left = left.checked_sub(count_values(text)).ok_or(Problem::TooMany)?;
    let (text, replaced) = sanitise(text.as_bytes());
    let value = serde_json::from_str(&text).map_err(|error| match error.is_eof() {
        true => Problem::CutOff,
        false => Problem::NotJson(error.to_string()),
    })?;
    Ok(Parsed { value, replaced })
}

pub(crate) const HINT: &str = "check that the file is whole and saved as UTF-8";

/// Why a value cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Problem {
    #[error("byte {0} is not UTF-8")]
    NotUtf8(usize),
    #[error("it holds more values than are read")]
    TooMany,
    #[error("the text is cut off")]
    CutOff,
    #[error("{0}")]
    NotJson(String),
}

/// Some editors put a mark in front.
pub(crate) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)
}

/// Not fewer than a parser would make.
fn count_values(text: &str) -> usize {
    let mut count = 1;
    let mut in_string = false;
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' if in_string => {
                bytes.next();
            }
            b'"' => in_string = !in_string,
            b',' | b'[' | b'{' if !in_string => count += 1,
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(bytes: &[u8], limits: &Limits) -> String {
        file(bytes, limits, "book").expect_err("refused").to_string()
    }

    #[test]
    fn what_is_too_much_is_refused_before_it_is_read() {
        let small = Limits { file_bytes: 40, json_values: 5, ..Limits::default() };
        for (input, expected) in [
            (&b"[1,2,3,\"a,b,[\"]"[..], None),
            (b"[1,2,3,4,5,6]", Some("more values than are read")),
            (b"[0000000000000000000000000000000000000000000]", Some("at most 40 are read")),
            (b"", Some("is empty")),
            (b"{\"a\":", Some("cut off")),
            (b"{\"a\":\xFF}", Some("byte 6 is not UTF-8")),
            (b"{]", Some("this is no book")),
        ] {
            match expected {
                None => assert!(file(input, &small, "book").is_ok()),
                Some(part) => assert!(refusal(input, &small).contains(part), "{}", refusal(input, &small)),
            }
        }
    }

    #[test]
    fn depth_is_bounded() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(refusal(deep.as_bytes(), &Limits::default()).contains("recursion limit"));
    }
}
