//! Which keys of an entry are patterns, as its format has it?
//!
//! SillyTavern reads a key between slashes as a pattern and any other as plain text. Cards V3 and RisuAI say it of all keys at once:
//! `use_regex` true means that every key is one, false that none is, slashes or not. Books that come from where slashes decide
//! say so when they go there.

use reverie_core::lore::Entry;
use serde_json::{Map, Value, json};

use super::Format;
use super::wire::written_by_sillytavern;
use crate::lenient::{Reader, as_flag, split_keys};
use crate::merge::{get, set};

const FIELD: &str = "use_regex";
/// Where our own word about it stands, in every format.
const OWN: &[&str] = &["extensions", "reverie", FIELD];
/// What it says where slashes decide.
const SLASHES: &str = "slashes";

pub(super) fn read(r: &mut Reader<'_>) -> Option<bool> {
    match r.get(FIELD) {
        Some(value) if value == SLASHES => None,
        _ => r.flag(FIELD),
    }
}

/// Whether a `false` means that no key is a pattern. Beside the common fields of SillyTavern it means nothing.
pub(super) fn are_denied(source: &Value, format: Format) -> bool {
    let own = get(source, OWN).and_then(as_flag) == Some(false);
    own || match format {
        Format::CardV2 | Format::CardV3 | Format::LorebookV3 => !written_by_sillytavern(source),
        Format::Risu => true,
        Format::SillyTavern | Format::Agnai | Format::NovelAi => false,
    }
}

/// Whether it makes a difference.
pub(super) fn matter(entry: &Entry) -> bool {
    entry.keys.iter().chain(&entry.secondary_keys).any(|key| is_slashed(key))
        || has_slashed_order(&entry.content)
}

/// Takes our own word away, for a format in which slashes decide anyway.
pub(super) fn forget(fields: &mut Map<String, Value>) {
    if fields.get(FIELD).is_some_and(|value| value == SLASHES) {
        fields.shift_remove(FIELD);
    }
}

/// In a format that would read them as plain text, keys between slashes stay patterns: there as well as can be, here exactly.
pub(super) fn keep(value: &mut Value, format: Format, fields: &Map<String, Value>) {
    let says_it = fields.get(FIELD).is_some_and(|value| !value.is_null());
    if says_it || !matches!(format, Format::CardV3 | Format::LorebookV3) {
        return;
    }
    let keys = |name: &str| match fields.get(name) {
        Some(Value::Array(keys)) => keys.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Some(Value::String(keys)) => split_keys(keys),
        _ => Vec::new(),
    };
    let content = fields.get("content").and_then(Value::as_str).unwrap_or_default();
    let is_slashed = ["key", "keysecondary"].iter().flat_map(|name| keys(name)).any(|key| is_slashed(&key));
    if is_slashed || has_slashed_order(content) {
        let _ = set(value, &[FIELD], json!(true));
        let _ = set(value, OWN, json!(SLASHES));
    }
}

/// What [`keep`] has written is not lost on the way to a format and back: it is written again, if there is still a reason.
pub(super) fn is_made_again(source: &Value, path: &[String]) -> bool {
    get(source, OWN).is_some_and(|own| own == SLASHES) && (path == OWN || path == [FIELD])
}

fn is_slashed(key: &str) -> bool {
    key.trim().strip_prefix('/').is_some_and(|rest| rest.contains('/'))
}

/// Decorators may name keys, too.
fn has_slashed_order(content: &str) -> bool {
    let mut orders = content.lines().take_while(|line| line.starts_with("@@"));
    orders.any(|order| order.contains("_keys") && order.contains('/'))
}
