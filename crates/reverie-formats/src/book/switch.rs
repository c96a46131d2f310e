//! How is an entry switched off where its format has no switch?
//!
//! RisuAI's has none. A chance of 0 percent keeps an entry back there; what the chance was stands beside it, and our own
//! `disable` says what is meant. If somebody gives the entry a chance again with that tool, it is switched on again.

use serde_json::{Map, Value, json};

use super::Format;
use crate::lenient::{as_flag, as_number};
use crate::merge::{get, remove, set};

const CHANCE: &[&str] = &["activationPercent"];
/// What the chance is when the entry is switched on; null: nothing is said of it.
const NOTE: &[&str] = &["extensions", "reverie", "activationPercent"];
const OFF: &[&str] = &["extensions", "reverie", "disable"];

fn has_no_chance(source: &Value) -> bool {
    get(source, CHANCE).and_then(as_number) == Some(0.0)
}

/// What is meant by the fields that are read of the source.
pub(super) fn read(source: &Value, format: Format, fields: &mut Map<String, Value>) {
    let Some(note) = get(source, NOTE).filter(|_| format == Format::Risu) else { return };
    if !has_no_chance(source) {
        fields.insert("disable".to_owned(), json!(false));
    } else if note.is_null() {
        fields.shift_remove("probability");
    } else {
        fields.insert("probability".to_owned(), note.clone());
    }
}

/// Before an edit: what was switched on elsewhere is on.
pub(super) fn waken(source: &mut Value, format: Format) {
    if format == Format::Risu && get(source, NOTE).is_some() && !has_no_chance(source) {
        forget(source, format);
        remove(source, OFF);
    }
}

/// After an edit, or on arrival in the format: the chance is what `disable` says.
pub(super) fn settle(source: &mut Value, format: Format) {
    if format != Format::Risu {
        return;
    }
    let is_off = get(source, OFF).and_then(as_flag) == Some(true);
    if is_off && !(get(source, NOTE).is_some() && has_no_chance(source)) {
        let chance = get(source, CHANCE).cloned().unwrap_or(Value::Null);
        // Where there is no room for the note, `disable` has none either.
        let _ = set(source, NOTE, chance) && set(source, CHANCE, json!(0));
    } else if !is_off && let Some(note) = forget(source, format).filter(|_| has_no_chance(source)) {
        match note {
            Value::Null => drop(remove(source, CHANCE)),
            chance => drop(set(source, CHANCE, chance)),
        }
    }
}

/// Takes the note away, which means nothing in another format.
pub(super) fn forget(source: &mut Value, format: Format) -> Option<Value> {
    if format == Format::Risu { remove(source, NOTE) } else { None }
}
