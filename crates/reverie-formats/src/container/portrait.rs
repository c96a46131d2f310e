//! Which picture of the character is in a card's file?
//!
//! The picture alone: whatever a PNG tells in texts, the card above all, is left out. What it is, its first bytes tell and no
//! name; only pictures that a browser draws without running anything are any (an SVG may hold scripts). Nothing is fetched:
//! an address on the network is no picture.

#[cfg(test)]
mod tests;

use base64::Engine;
use reverie_core::Result;
use serde_json::Value;

use super::chunk::BASE64;
use super::{Container, detect, png, read, zip};
use crate::Limits;
use crate::merge::get;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Portrait {
    pub media_type: &'static str,
    pub bytes: Vec<u8>,
}

/// Of a PNG the picture itself, of an archive its main icon or the picture before it, of JSON what is written into it. None
/// if there is no picture.
pub fn portrait(file: &[u8], limits: &Limits) -> Result<Option<Portrait>> {
    let container = detect(file, limits)?;
    if container == Container::Png {
        return Ok(drawn(file.to_vec(), limits));
    }
    let card = read(file, limits)?.value;
    let inside = |icon: &&str| named(icon, container, file, limits).and_then(|bytes| drawn(bytes, limits));
    let found = icons(&card).iter().find_map(inside);
    let before = || zip::before(file, limits).and_then(|bytes| drawn(bytes.to_vec(), limits));
    Ok(found.or_else(|| (container == Container::Charx).then(before).flatten()))
}

/// Where a card says that its picture is, the likeliest first.
fn icons(card: &Value) -> Vec<&str> {
    let assets = get(card, &["data", "assets"]).and_then(Value::as_array);
    let text = |asset: &Value, field: &str| asset.get(field).and_then(Value::as_str).map(str::to_owned);
    let is_icon = |asset: &&Value| text(asset, "type").as_deref() == Some("icon");
    let mut icons: Vec<&Value> = assets.into_iter().flatten().filter(is_icon).collect();
    icons.sort_by_key(|icon| text(icon, "name").as_deref() != Some("main"));
    let avatars = [&["data", "avatar"][..], &["avatar"]].into_iter().filter_map(|place| get(card, place));
    icons.into_iter().filter_map(|icon| icon.get("uri")).chain(avatars).filter_map(Value::as_str).collect()
}

/// What an address means that leads nowhere outside of the file.
fn named(icon: &str, container: Container, file: &[u8], limits: &Limits) -> Option<Vec<u8>> {
    if let Some(data) = icon.strip_prefix("data:") {
        let (kind, text) = data.split_once(',')?;
        let text: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
        return if kind.ends_with(";base64") { BASE64.decode(text).ok() } else { None };
    }
    // The specification spells it with one d.
    let path = icon.strip_prefix("embeded://").or_else(|| icon.strip_prefix("embedded://"))?;
    if container == Container::Charx { zip::member(file, path, limits) } else { None }
}

/// The bytes as a picture, if they are one.
fn drawn(bytes: Vec<u8>, limits: &Limits) -> Option<Portrait> {
    let media_type = match bytes.as_slice() {
        all if all.starts_with(png::SIGNATURE) => {
            let bytes = png::without_texts(all, limits).ok()?;
            return Some(Portrait { media_type: "image/png", bytes });
        }
        [0xFF, 0xD8, 0xFF, ..] => "image/jpeg",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "image/webp",
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => "image/gif",
        [_, _, _, _, b'f', b't', b'y', b'p', b'a', b'v', b'i', b'f' | b's', ..] => "image/avif",
        _ => return None,
    };
    Some(Portrait { media_type, bytes })
}
