//! What are the chunks of a PNG, and what text is in one?

use std::borrow::Cow;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use reverie_core::{Error, Result};

use super::unpack::{Packing, crc32, unpack};
use crate::Limits;

/// Tools disagree about padding.
pub(super) const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// A chunk, and where it lies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chunk<'b> {
    pub(super) kind: &'b [u8],
    pub(super) data: &'b [u8],
    /// All of it, with length and checksum.
    pub(super) raw: &'b [u8],
}

/// All chunks up to the end, and what follows them.
pub(super) fn chunks<'b>(mut rest: &'b [u8], limits: &Limits) -> Result<(Vec<Chunk<'b>>, &'b [u8])> {
    let mut chunks = Vec::new();
    while !rest.is_empty() {
        if chunks.len() == limits.chunks {
            return Err(Error::invalid(format!("the picture has more than {} chunks", limits.chunks))
                .hint("no picture needs so many; save it again with an editor of pictures"));
        }
        let (chunk, after) = first(rest)?;
        chunks.push(chunk);
        rest = after;
        if chunk.kind == b"IEND" {
            break;
        }
    }
    Ok((chunks, rest))
}

fn first(rest: &[u8]) -> Result<(Chunk<'_>, &[u8])> {
    let cut_off = || Error::invalid("the picture ends in the middle of a chunk").hint("is the file whole?");
    let (head, _) = rest.split_first_chunk::<4>().ok_or_else(cut_off)?;
    let length = u32::from_be_bytes(*head) as usize;
    let chunk = length.checked_add(12).and_then(|all| rest.split_at_checked(all));
    let Some((raw, after)) = chunk else {
        return Err(Error::invalid(format!(
            "a chunk of the picture claims {length} bytes; {} are left",
            rest.len().saturating_sub(12)
        ))
        .hint("is the file whole?"));
    };
    let kind = raw.get(4..8).ok_or_else(cut_off)?;
    let data = raw.get(8..8 + length).ok_or_else(cut_off)?;
    Ok((Chunk { kind, data, raw }, after))
}

impl Chunk<'_> {
    /// The keyword, if the chunk is text.
    pub(super) fn keyword(&self) -> Option<&[u8]> {
        matches!(self.kind, b"tEXt" | b"zTXt" | b"iTXt").then_some(())?;
        self.data.split(|byte| *byte == 0).next()
    }

    pub(super) fn has_right_checksum(&self) -> bool {
        let stated = self.raw.last_chunk::<4>().map(|crc| u32::from_be_bytes(*crc));
        stated == Some(crc32(&[self.kind, self.data]))
    }

    /// The JSON in the text: as base64, or as it is.
    pub(super) fn json(&self, limits: &Limits) -> Result<Vec<u8>> {
        let text = self.text(limits)?;
        let text = text.trim_ascii();
        if text.starts_with(b"{") {
            return Ok(text.to_vec());
        }
        if text.len() / 4 > limits.json_bytes / 3 {
            return Err(Error::invalid(format!("the card has more than {} bytes", limits.json_bytes))
                .hint("divide its book into several"));
        }
        let is_plain = |byte: &u8| !byte.is_ascii_whitespace() && !matches!(byte, b'-' | b'_');
        let text: Cow<'_, [u8]> = match text.iter().all(is_plain) {
            true => text.into(),
            false => text.iter().copied().filter_map(standard).collect::<Vec<u8>>().into(),
        };
        BASE64.decode(text).map_err(|error| {
            Error::invalid(format!("the text of the card is not base64: {error}")).hint("is the file whole?")
        })
    }

    fn text(&self, limits: &Limits) -> Result<Cow<'_, [u8]>> {
        let damaged = || Error::invalid("the text chunk of the card is damaged").hint("is the file whole?");
        let (_, after) = cut(self.data).ok_or_else(damaged)?;
        match self.kind {
            b"tEXt" => Ok(Cow::Borrowed(after)),
            b"zTXt" => {
                let (_, packed) = after.split_first().ok_or_else(damaged)?;
                unpack(packed, Packing::Zlib, limits).map(Cow::Owned)
            }
            _ => {
                let (flags, after) = after.split_at_checked(2).ok_or_else(damaged)?;
                let (_, after) = cut(after).ok_or_else(damaged)?;
                let (_, text) = cut(after).ok_or_else(damaged)?;
                match flags.first() {
                    Some(0) => Ok(Cow::Borrowed(text)),
                    _ => unpack(text, Packing::Zlib, limits).map(Cow::Owned),
                }
            }
        }
    }
}

/// Tools wrap lines, and some use the alphabet that is meant for addresses.
fn standard(letter: u8) -> Option<u8> {
    match letter {
        b'-' => Some(b'+'),
        b'_' => Some(b'/'),
        letter => (!letter.is_ascii_whitespace()).then_some(letter),
    }
}

/// Before and after the first zero.
fn cut(data: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = data.iter().position(|byte| *byte == 0)?;
    Some((data.get(..at)?, data.get(at + 1..)?))
}

/// A whole `tEXt` chunk; None if the text is too long for one.
pub(super) fn text_chunk(keyword: &str, json: &[u8]) -> Option<Vec<u8>> {
    let text = BASE64.encode(json);
    let data = [keyword.as_bytes(), b"\0", text.as_bytes()].concat();
    let length = u32::try_from(data.len()).ok()?.to_be_bytes();
    let crc = crc32(&[b"tEXt", &data]).to_be_bytes();
    Some([&length[..], b"tEXt", &data, &crc].concat())
}
