//! Are these bytes text in UTF-8, and if not, where does it break and what may they be instead?
//!
//! Nothing is replaced: whoever sent GBK would find every name lost, and hear nothing of it.

use std::fmt;

/// The first byte that is no UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotUtf8 {
    /// Counted from 1.
    pub byte: usize,
    /// What is there; None: the text ends in the middle of a character that begins there.
    pub found: Option<u8>,
    /// What the bytes look like as a whole.
    pub looks_like: Option<&'static str>,
}

/// The text that the bytes are.
pub fn text(bytes: &[u8]) -> Result<&str, NotUtf8> {
    if let Some(name) = wide(bytes) {
        return Err(NotUtf8 { byte: 1, found: bytes.first().copied(), looks_like: Some(name) });
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let found = error.error_len().and_then(|_| bytes.get(at).copied());
        NotUtf8 { byte: at + 1, found, looks_like: None }
    })
}

/// Encodings in which JSON has bytes that are zero, or that begin with a mark of their own.
fn wide(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0xFE, 0xFF, ..] | [_, 0, 0, 0, ..] | [0, 0, 0, _, ..] => {
            Some("UTF-32")
        }
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => Some("UTF-16"),
        [first, 0, _, 0, ..] | [0, first, 0, _, ..] if *first != 0 => Some("UTF-16"),
        _ => None,
    }
}

impl fmt::Display for NotUtf8 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {} is not UTF-8", self.byte)?;
        match (self.looks_like, self.found) {
            (Some(name), _) => write!(f, " (this looks like {name})"),
            (None, Some(found)) => write!(f, " (0x{found:02X})"),
            (None, None) => f.write_str(" (the text ends in the middle of a character)"),
        }
    }
}

impl NotUtf8 {
    /// What to do about a file.
    pub fn hint(&self) -> &'static str {
        match self.found {
            None => "the file was not written to its end; is it whole?",
            Some(_) => {
                "save the file as UTF-8; editors of older systems write GBK, Big5, Shift-JIS or UTF-16"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_and_the_likely_cause_are_named() {
        for (bytes, expected) in [
            (&b"{\"a\":\"\xC4\xE3\"}"[..], "byte 7 is not UTF-8 (0xC4)"),
            (b"ab\xFFc", "byte 3 is not UTF-8 (0xFF)"),
            (b"\"\xE4\xBD", "byte 2 is not UTF-8 (the text ends in the middle of a character)"),
            (b"\xED\xA0\x80", "byte 1 is not UTF-8 (0xED)"),
            (b"\xFF\xFE{\0}\0", "byte 1 is not UTF-8 (this looks like UTF-16)"),
            (b"{\0}\0", "byte 1 is not UTF-8 (this looks like UTF-16)"),
            (b"\0{\0}", "byte 1 is not UTF-8 (this looks like UTF-16)"),
            (b"\xFF\xFE\0\0{\0\0\0", "byte 1 is not UTF-8 (this looks like UTF-32)"),
        ] {
            assert_eq!(text(bytes).unwrap_err().to_string(), expected);
        }
        for bytes in [&b""[..], b"{}", "\u{FEFF}{\"名\":\"\u{FFFD}\"}".as_bytes(), b"a\0"] {
            assert!(text(bytes).is_ok(), "{bytes:?}");
        }
    }
}
