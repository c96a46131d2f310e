//! Which text do the bytes of a file spell? UTF-8, or UTF-16 that says so by its mark.

use std::borrow::Cow;

use super::Problem;
use crate::utf8;

const MARK: &[u8] = b"\xEF\xBB\xBF";

pub(crate) struct Decoded<'b> {
    /// Without a byte order mark.
    pub(crate) text: Cow<'b, str>,
    /// Halves of surrogate pairs that stood alone in UTF-16; U+FFFD is in their place.
    pub(crate) lone: usize,
}

/// Some editors put a mark in front.
pub(crate) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(MARK).unwrap_or(bytes)
}

pub(crate) fn decode(bytes: &[u8]) -> Result<Decoded<'_>, Problem> {
    match bytes {
        [0xFF, 0xFE, 0, 0, ..] => Err(utf8::text(bytes).err().map_or(Problem::CutInHalf, Problem::NotUtf8)),
        [0xFF, 0xFE, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => wide(rest, u16::from_be_bytes),
        _ => {
            let text = utf8::text(bytes).map_err(Problem::NotUtf8)?;
            Ok(Decoded { text: Cow::Borrowed(text.strip_prefix('\u{FEFF}').unwrap_or(text)), lone: 0 })
        }
    }
}

/// UTF-16 becomes UTF-8; whatever else it is stays as it is, to be judged piece by piece.
pub(crate) fn narrowed(bytes: &[u8]) -> Result<Cow<'_, [u8]>, Problem> {
    if !matches!(bytes, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]) {
        return Ok(Cow::Borrowed(without_mark(bytes)));
    }
    Ok(Cow::Owned(decode(bytes)?.text.into_owned().into_bytes()))
}

fn wide(rest: &[u8], unit: fn([u8; 2]) -> u16) -> Result<Decoded<'static>, Problem> {
    let (pairs, odd) = rest.as_chunks::<2>();
    if !odd.is_empty() {
        return Err(Problem::CutInHalf);
    }
    let mut lone = 0;
    let units = pairs.iter().map(|pair| unit(*pair));
    let text = char::decode_utf16(units).map(|decoded| {
        decoded.unwrap_or_else(|_| {
            lone += 1;
            char::REPLACEMENT_CHARACTER
        })
    });
    let text = text.collect();
    Ok(Decoded { text: Cow::Owned(text), lone })
}
