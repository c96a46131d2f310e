//! What does a new book or entry look like in each format, so that its own tool takes it?

use reverie_core::{Error, Result};
use serde_json::{Map, Value, json};

use super::fields::{book_table, entry_table};
use super::patch::{patch_entry, put};
use super::{BookDocument, Format};

/// A book without entries.
pub fn new_book(format: Format, name: &str) -> BookDocument {
    let mut rest = empty_book(format);
    put(&mut rest, book_table(format), "name", json!(name));
    BookDocument { format, rest, entries: Vec::new(), warnings: Vec::new() }
}

/// An entry with this id and these fields, in the common names.
pub fn new_entry(format: Format, uid: &Value, fields: &Map<String, Value>) -> Result<Value> {
    let mut source = empty_entry(format);
    put(&mut source, entry_table(format), "uid", uid.clone());
    patch_entry(&source, format, fields)
}

/// An entry's id as the format's tools write it, if they take this one.
pub fn uid_of(format: Format, id: &str) -> Result<Value> {
    const EXACT: u64 = 1 << 53;
    // Only as it would be written: 7, not 007.
    let number = id.parse().ok().filter(|number: &u64| *number <= EXACT && number.to_string() == id);
    match (format, number) {
        (Format::SillyTavern | Format::CardV2 | Format::CardV3 | Format::LorebookV3, Some(number)) => {
            Ok(json!(number))
        }
        (Format::SillyTavern | Format::CardV2, None) => Err(Error::invalid(format!(
            "entries of a book of the format {} have whole numbers for ids, and {id:?} is none",
            format.as_str()
        ))),
        _ => Ok(json!(id)),
    }
}

pub(super) fn empty_book(format: Format) -> Value {
    match format {
        Format::SillyTavern => json!({"entries": {}}),
        Format::CardV2 | Format::CardV3 => json!({"extensions": {}, "entries": []}),
        Format::LorebookV3 => json!({"spec": "lorebook_v3", "data": {"extensions": {}, "entries": []}}),
        Format::Risu => json!({"type": "risu", "ver": 1, "data": []}),
        Format::Agnai => json!({"kind": "memory", "name": "", "description": "", "entries": []}),
        Format::NovelAi => json!({
            "lorebookVersion": 5, "entries": [], "settings": {"orderByKeyLocations": false}, "categories": [],
        }),
    }
}

pub(super) fn empty_entry(format: Format) -> Value {
    match format {
        Format::SillyTavern => json!({
            "uid": 0, "key": [], "keysecondary": [], "comment": "", "content": "", "constant": false,
            "vectorized": false, "selective": true, "selectiveLogic": 0, "addMemo": true, "order": 100, "position": 0,
            "disable": false, "ignoreBudget": false, "excludeRecursion": false, "preventRecursion": false,
            "matchPersonaDescription": false, "matchCharacterDescription": false, "matchCharacterPersonality": false,
            "matchCharacterDepthPrompt": false, "matchScenario": false, "matchCreatorNotes": false,
            "delayUntilRecursion": 0, "probability": 100, "useProbability": true, "depth": 4, "outletName": "",
            "group": "", "groupOverride": false, "groupWeight": 100, "scanDepth": null, "caseSensitive": null,
            "matchWholeWords": null, "useGroupScoring": null, "automationId": "", "role": 0, "sticky": null,
            "cooldown": null, "delay": null, "triggers": [],
        }),
        Format::CardV2 => json!({
            "keys": [], "content": "", "extensions": {}, "enabled": true, "insertion_order": 100,
        }),
        Format::CardV3 | Format::LorebookV3 => json!({
            "keys": [], "content": "", "extensions": {}, "enabled": true, "insertion_order": 100, "use_regex": false,
        }),
        Format::Risu => json!({
            "key": "", "secondkey": "", "insertorder": 100, "comment": "", "content": "", "mode": "normal",
            "alwaysActive": false, "selective": false,
        }),
        Format::Agnai => json!({
            "name": "", "entry": "", "keywords": [], "priority": 0, "weight": 100, "enabled": true,
        }),
        Format::NovelAi => json!({
            "text": "", "displayName": "", "keys": [], "enabled": true, "forceActivation": false, "searchRange": 1000,
            "contextConfig": {
                "prefix": "", "suffix": "\n", "tokenBudget": 2048, "reservedTokens": 0, "budgetPriority": 100,
                "trimDirection": "trimBottom", "insertionType": "newline", "maximumTrimType": "sentence",
                "insertionPosition": -1,
            },
        }),
    }
}
