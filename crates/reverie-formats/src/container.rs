//! Which JSON is inside a picture, an archive or a plain file, and how is it replaced there?
//!
//! The kind is told by the content. Nothing but the JSON is touched by a replacement, and a file whose JSON does not
//! change stays byte for byte what it was.
//!
//! A wrong checksum around the JSON is reported and no obstacle: what comes out must still be well-formed base64, UTF-8
//! and JSON, and a card that can be read is worth more than one that is refused. A length that does not fit the file is
//! refused, since nothing after it can be trusted.

mod chunk;
mod plain;
mod png;
mod portrait;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod unpack;
mod zip;

use reverie_core::{Error, Result};
use serde_json::Value;

use crate::document::{self, Parsed};
use crate::{Limits, Warning};
pub use portrait::{Portrait, portrait};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Container {
    Json,
    /// PNG or APNG, in a text chunk `ccv3`, `chara` or `naidata`.
    Png,
    /// A zip archive with a `card.json`, a picture before it or not.
    Charx,
}

/// What is left of its signature when line endings were converted.
const ALMOST_PNG: &[u8] = b"\x89PNG";

/// The JSON of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Contents {
    pub container: Container,
    pub value: Value,
    pub warnings: Vec<Warning>,
}

/// Reads the JSON.
pub fn read(bytes: &[u8], limits: &Limits) -> Result<Contents> {
    let container = detect(bytes, limits)?;
    let Parsed { value, warnings } = match container {
        Container::Json => document::parse(bytes, limits)?,
        Container::Png => png::read(bytes, limits)?,
        Container::Charx => zip::read(bytes, limits)?,
    };
    Ok(Contents { container, value, warnings })
}

/// Whether there is anything to read in it: a picture need not be a card.
pub fn holds_card(bytes: &[u8], limits: &Limits) -> Result<bool> {
    limits.check_file(bytes)?;
    match detect(bytes, limits) {
        Ok(Container::Json) => Ok(true),
        Ok(Container::Png) => png::holds_card(bytes, limits),
        Ok(Container::Charx) => zip::holds_card(bytes, limits),
        Err(error) if bytes.starts_with(ALMOST_PNG) => Err(error),
        Err(_) => Ok(false),
    }
}

/// The file with this JSON instead of its own. A picture without any JSON gets it.
pub fn write(original: &[u8], value: &Value, limits: &Limits) -> Result<Vec<u8>> {
    match detect(original, limits)? {
        Container::Json => match document::parse(original, limits) {
            Ok(parsed) if parsed.value == *value => Ok(original.to_vec()),
            _ => Ok(encode(value)),
        },
        Container::Png => png::write(original, value, limits),
        Container::Charx => zip::write(original, value, limits),
    }
}

/// The JSON in a file of this kind: in the original, if it is one; else alone, or in a plain grey picture.
pub fn write_as(
    container: Container,
    original: Option<&[u8]>,
    value: &Value,
    limits: &Limits,
) -> Result<Vec<u8>> {
    let original = original.filter(|file| detect(file, limits) == Ok(container));
    match (container, original) {
        (_, Some(file)) => write(file, value, limits),
        (Container::Json, None) => Ok(encode(value)),
        (Container::Png, None) => png::write(&plain::picture()?, value, limits),
        (Container::Charx, None) => Err(Error::invalid("the card did not come in a .charx archive")
            .hint("write it to a .png or .json file")),
    }
}

/// What kind of file it is.
pub fn detect(bytes: &[u8], limits: &Limits) -> Result<Container> {
    limits.check_file(bytes)?;
    let picture = match bytes {
        _ if bytes.starts_with(png::SIGNATURE) => return Ok(Container::Png),
        _ if bytes.starts_with(ALMOST_PNG) => {
            return Err(Error::invalid("this is a PNG picture whose beginning is damaged")
                .hint("it was cut off, or changed on its way as if it were text; get the file again"));
        }
        [b'P', b'K', 3 | 5, 4 | 6, ..] => return Ok(Container::Charx),
        [0xFF, 0xD8, 0xFF, ..] => "JPEG",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "WebP",
        [b'G', b'I', b'F', b'8', ..] => "GIF",
        _ => return Ok(Container::Json),
    };
    if zip::has_directory(bytes) {
        return Ok(Container::Charx);
    }
    Err(Error::invalid(format!("this is a {picture} picture without a card"))
        .hint("cards are PNG, .charx or JSON files"))
}

fn encode(value: &Value) -> Vec<u8> {
    value.to_string().into_bytes()
}
