//! Which keys of an entry are patterns, as its format has it?
//!
//! SillyTavern and NovelAI read a key between slashes as a pattern and any other as plain text. Cards V3 and RisuAI say it of all
//! keys at once: `use_regex` true means that every key is one, false that none is, slashes or not. Books that come from where
//! slashes decide say so when they go there; those that go there have their keys written anew. Agnai has no patterns.

use reverie_core::lore::Entry;
use reverie_core::lore::slashes::{self, Looks};
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

/// What makes a key of an entry a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Slashes,
    /// All keys are.
    Every,
    /// No key is.
    None,
}

impl Mode {
    /// `fields` is what is read of the source.
    pub(super) fn of(source: &Value, format: Format, fields: &Map<String, Value>) -> Self {
        match fields.get(FIELD).filter(|said| *said != SLASHES).and_then(as_flag) {
            Some(true) => Self::Every,
            Some(false) if are_denied(source, format) => Self::None,
            _ => Self::Slashes,
        }
    }
}

/// Says the same for a format in which slashes decide: keys that are patterns stand between them, and plain text that does is
/// written as the pattern of itself. Other formats are told by [`FIELD`].
pub(super) fn express(fields: &mut Map<String, Value>, mode: Mode, to: Format) {
    if !matches!(to, Format::SillyTavern | Format::CardV2 | Format::NovelAi) {
        return;
    }
    let flag = |field: &str| fields.get(field).and_then(as_flag) == Some(true);
    let looks = Looks { case_sensitive: flag("caseSensitive"), whole_words: flag("matchWholeWords") };
    let written = |key: &str| match mode {
        Mode::Every if !slashes::is_pattern(key) => slashes::of_pattern(key, looks),
        Mode::None if slashes::is_pattern(key) => slashes::of_plain(key, looks),
        _ => None,
    };
    // Keys in the content are read as the others are, and stay as they are written.
    let stays = match mode {
        Mode::Slashes => return,
        Mode::Every => has_ordered_keys(content(fields)),
        Mode::None => has_slashed_order(content(fields)) || !can_all_be_written(fields, written),
    };
    if stays && mode == Mode::None {
        return;
    }
    for field in KEYS {
        let Some(Value::Array(keys)) = fields.get_mut(field) else { continue };
        for key in keys {
            if let Some(new) = key.as_str().and_then(written) {
                *key = json!(new);
            }
        }
    }
    if !stays {
        fields.shift_remove(FIELD);
    }
}

/// A plain text that looks like a pattern and cannot be written as one keeps all of them as they are.
fn can_all_be_written(fields: &Map<String, Value>, written: impl Fn(&str) -> Option<String>) -> bool {
    keys(fields).iter().all(|key| !slashes::is_pattern(key) || written(key).is_some())
}

/// What the tools of a format would make of the keys, where it is not what they mean.
pub(super) fn misread(fields: &Map<String, Value>, mode: Mode, to: Format) -> Option<String> {
    let keys = keys(fields);
    let is_pattern = |key: &&String| match mode {
        Mode::Every => true,
        Mode::Slashes => slashes::is_pattern(key),
        Mode::None => false,
    };
    let patterns = keys.iter().filter(is_pattern).count();
    let looks_like_one = || keys.iter().any(|key| slashes::is_pattern(key));
    let format = to.as_str();
    match to {
        Format::Agnai if patterns > 0 => Some(format!(
            "is a pattern, which the format {format} does not know; its tools read it as plain text"
        )),
        Format::Risu if patterns > 0 && keys.len() > 1 => Some(format!(
            "is one of several, of which some are patterns; the tools of the format {format} read one pattern or plain texts"
        )),
        Format::CardV3 | Format::LorebookV3 if mode == Mode::Slashes && patterns > 0 => {
            let plain = keys.iter().find(|key| !slashes::is_pattern(key) && slashes::is_special(key))?;
            Some(format!(
                "{plain:?} is plain text beside patterns; the tools of the format {format} read it as a pattern, too"
            ))
        }
        Format::SillyTavern | Format::CardV2 | Format::NovelAi
            if mode == Mode::None && looks_like_one() && fields_stay(fields) =>
        {
            Some(format!(
                "is plain text between slashes, which the tools of the format {format} read as a pattern"
            ))
        }
        _ => None,
    }
}

fn fields_stay(fields: &Map<String, Value>) -> bool {
    let mut now = fields.clone();
    express(&mut now, Mode::None, Format::SillyTavern);
    keys(&now) == keys(fields)
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
    let keys = keys(fields);
    let name = match format {
        Format::CardV3 | Format::LorebookV3 => FIELD,
        // All keys are one text there, and one pattern.
        Format::Risu if keys.len() == 1 => "useRegex",
        _ => return,
    };
    if !says_it && (keys.iter().any(|key| is_slashed(key)) || has_slashed_order(content(fields))) {
        let _ = set(value, &[name], json!(true));
        let _ = set(value, OWN, json!(SLASHES));
    }
}

/// What [`keep`] has written is not lost on the way to a format and back: it is written again, if there is still a reason.
pub(super) fn is_made_again(source: &Value, path: &[String]) -> bool {
    get(source, OWN).is_some_and(|own| own == SLASHES) && is_about_keys(path)
}

/// Whether it is told there, in some format, which keys are patterns.
pub(super) fn is_about_keys(path: &[String]) -> bool {
    path == OWN || path == [FIELD] || path == ["useRegex"]
}

/// Whether keys are there, in some format.
pub(super) fn is_of_keys(path: &[String]) -> bool {
    let places = ["key", "keys", "keywords", "keysecondary", "secondary_keys", "secondaryKeys", "secondkey"];
    matches!(path, [name] if places.contains(&name.as_str()))
}

fn is_slashed(key: &str) -> bool {
    key.trim().strip_prefix('/').is_some_and(|rest| rest.contains('/'))
}

const KEYS: [&str; 2] = ["key", "keysecondary"];

/// All keys of an entry.
fn keys(fields: &Map<String, Value>) -> Vec<String> {
    let listed = |field: &&str| match fields.get(*field) {
        Some(Value::Array(keys)) => keys.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Some(Value::String(keys)) => split_keys(keys),
        _ => Vec::new(),
    };
    KEYS.iter().flat_map(listed).collect()
}

fn content(fields: &Map<String, Value>) -> &str {
    fields.get("content").and_then(Value::as_str).unwrap_or_default()
}

/// Decorators may name keys, too.
fn has_ordered_keys(content: &str) -> bool {
    content.lines().take_while(|line| line.starts_with("@@")).any(|order| order.contains("_keys"))
}

fn has_slashed_order(content: &str) -> bool {
    let mut orders = content.lines().take_while(|line| line.starts_with("@@"));
    orders.any(|order| order.contains("_keys") && order.contains('/'))
}
