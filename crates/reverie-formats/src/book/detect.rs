//! Which format is this, by what is in it?

use reverie_core::{Error, Result};
use serde_json::Value;

use super::Format;
use crate::merge::get;

/// The format of a book. Cards are no books; [`crate::card`] reads them.
pub fn detect(value: &Value) -> Result<Format> {
    if let Value::Array(entries) = value {
        return by_entries(entries).ok_or_else(no_book);
    }
    let text = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default();
    if text("spec") == "lorebook_v3" {
        return Ok(Format::LorebookV3);
    }
    if text("spec").starts_with("chara_card") || get(value, &["data", "character_book"]).is_some() {
        return Err(Error::invalid("this is a character card, not a book").hint("import it as a card"));
    }
    if text("type") == "risu" && value.get("data").is_some_and(Value::is_array) {
        return Ok(Format::Risu);
    }
    if value.get("lorebookVersion").is_some() {
        return Ok(Format::NovelAi);
    }
    if text("kind") == "memory" && value.get("entries").is_some_and(Value::is_array) {
        return Ok(Format::Agnai);
    }
    match value.get("entries") {
        Some(Value::Object(_)) => Ok(Format::SillyTavern),
        Some(Value::Array(entries)) if entries.is_empty() => Ok(Format::CardV2),
        Some(Value::Array(entries)) => by_entries(entries).ok_or_else(no_book),
        _ => Err(no_book()),
    }
}

/// By the names of the fields of the entries.
fn by_entries(entries: &[Value]) -> Option<Format> {
    let any =
        |names: &[&str]| entries.iter().any(|entry| names.iter().all(|name| entry.get(*name).is_some()));
    if any(&["secondkey"]) || any(&["insertorder"]) || any(&["alwaysActive"]) {
        Some(Format::Risu)
    } else if any(&["text", "contextConfig"]) || any(&["text", "displayName"]) || any(&["text", "keys"]) {
        Some(Format::NovelAi)
    } else if any(&["entry", "keywords"]) {
        Some(Format::Agnai)
    } else if any(&["keys", "use_regex"]) {
        Some(Format::CardV3)
    } else if any(&["keys"]) {
        Some(Format::CardV2)
    } else if any(&["key"]) || any(&["uid"]) || any(&["keywords", "content"]) {
        Some(Format::SillyTavern)
    } else {
        None
    }
}

fn no_book() -> Error {
    Error::invalid("this JSON is no world book that is known here").hint(
        "known are world info of SillyTavern ({\"entries\": {…}}), the character_book of a card, lorebook_v3, and \
         books of RisuAI, Agnai and NovelAI",
    )
}
