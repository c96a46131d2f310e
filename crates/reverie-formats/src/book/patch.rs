//! How does an edit reach an entry without touching the rest of it?

use reverie_core::lore::entry::Position;
use reverie_core::{Error, Result};
use serde_json::{Map, Value, json};

use super::Format;
use super::fields::{Place, Spelling, Table, Writing, common_name, entry_table};
use super::typed::from_wire;
use super::wire::{wire, with_commas};
use crate::lenient::as_flag;
use crate::merge::{get, remove, set};

/// Fields for which null is a value, and means that the world's settings decide.
const NULLABLE: &[&str] = &[
    "scanDepth",
    "caseSensitive",
    "matchWholeWords",
    "useGroupScoring",
    "sticky",
    "cooldown",
    "delay",
    "probability",
    "characterFilter",
];

/// The entry with these changes, in the common names ([`super::wire`]). Null resets a field; members of `extensions` are
/// set one by one. Everything else of the entry stays as it is.
pub fn patch_entry(source: &Value, format: Format, changes: &Map<String, Value>) -> Result<Value> {
    if !source.is_object() {
        return Err(Error::invalid("this entry is not an object and cannot be changed")
            .hint("delete it, and add the entry anew"));
    }
    let changes = checked(changes)?;
    let mut new = source.clone();
    let table = entry_table(format);
    for (field, value) in &changes {
        let done = match (field.as_str(), value) {
            ("extensions", Value::Object(members)) => members.iter().all(|(name, value)| {
                let path = ["extensions", name.as_str()];
                if value.is_null() {
                    remove(&mut new, &path);
                    return true;
                }
                set(&mut new, &path, value.clone())
            }),
            (_, Value::Null) if !NULLABLE.contains(&field.as_str()) => reset(&mut new, table, field),
            _ => put(&mut new, table, field, value.clone()),
        };
        if !done {
            return Err(Error::invalid(format!("there is no room for {field} in this entry"))
                .hint("its `extensions` (or what else holds the field in this format) is not an object"));
        }
    }
    note_exact_lists(&mut new, format, &changes);
    Ok(new)
}

/// Lists that one text with commas cannot say are noted beside it.
pub(super) fn note_exact_lists(source: &mut Value, format: Format, fields: &Map<String, Value>) {
    for place in entry_table(format).iter().flat_map(|(_, places)| places) {
        let Some(list) = fields.get(place.field).filter(|_| place.spelling == Spelling::Commas) else {
            continue;
        };
        let note = ["extensions", "reverie", place.field];
        remove(source, &note);
        if list.is_array() && wire(source, format).get(place.field) != Some(list) {
            // Without room for the note, the text alone has to do.
            let _ = set(source, &note, list.clone());
        }
    }
}

/// The changes under common names, if every one can be taken as it stands.
fn checked(changes: &Map<String, Value>) -> Result<Map<String, Value>> {
    let mut known = Map::new();
    for (name, value) in changes {
        let field = match name.as_str() {
            "extensions" if value.is_object() => "extensions",
            "extensions" => return Err(Error::invalid("extensions: must be an object")),
            "enabled" if !changes.contains_key("disable") => {
                let flag = as_flag(value).ok_or_else(|| Error::invalid("enabled: must be true or false"))?;
                known.insert("disable".to_owned(), Value::Bool(!flag));
                continue;
            }
            name => common_name(name).ok_or_else(|| {
                Error::invalid(format!("a lore entry has no field {name:?}"))
                    .hint("fields that Reverie does not know go into `extensions`")
            })?,
        };
        if known.insert(field.to_owned(), value.clone()).is_some() {
            return Err(Error::invalid(format!("{field} is given twice, once as {name}")));
        }
    }
    let (_, warnings) = from_wire(&known);
    match warnings.first() {
        None => Ok(known),
        Some(warning) => Err(Error::invalid(warning.to_string())),
    }
}

/// Writes a field to every place that it has; false if something else is in the way.
pub(super) fn put(source: &mut Value, table: &Table, field: &str, value: Value) -> bool {
    let Some((_, places)) = table.iter().find(|(name, _)| *name == field) else { return true };
    for place in places {
        let wanted = match place.writing {
            Writing::Always => true,
            Writing::IfPresent => get(source, place.path).is_some(),
            Writing::Never => false,
        };
        if wanted
            && let Some(value) = spell(place, &value)
            && !set(source, place.path, value)
        {
            return false;
        }
    }
    true
}

fn reset(source: &mut Value, table: &Table, field: &str) -> bool {
    let places = table.iter().filter(|(name, _)| *name == field).flat_map(|(_, places)| places);
    for place in places.filter(|place| place.writing != Writing::Never) {
        remove(source, place.path);
    }
    true
}

/// The value as this place spells it.
fn spell(place: &Place, value: &Value) -> Option<Value> {
    match place.spelling {
        Spelling::Plain | Spelling::Pattern => Some(value.clone()),
        Spelling::Not => Some(as_flag(value).map_or_else(|| value.clone(), |flag| Value::Bool(!flag))),
        Spelling::Commas => Some(with_commas(value).map_or_else(|| value.clone(), Value::from)),
        Spelling::Side => {
            let map = Map::from_iter([("position".to_owned(), value.clone())]);
            let before = from_wire(&map).0.position == Position::BeforeCharacter;
            let side = if before { "before_char" } else { "after_char" };
            (!value.is_null()).then(|| json!(side))
        }
    }
}
