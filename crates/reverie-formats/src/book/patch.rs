//! How does an edit reach an entry without touching the rest of it?

use reverie_core::lore::entry::Position;
use reverie_core::{Error, Result};
use serde_json::{Map, Value, json};

use super::Format;
use super::change::Changes;
use super::fields::{Place, Spelling, Table, Writing, entry_table};
use super::switch;
use super::template::empty_entry;
use super::typed::from_wire;
use super::wire::{wire, with_commas};
use crate::lenient::as_flag;
use crate::merge::{get, remove, set};

/// The entry with these changes. Fields go by the common names ([`super::wire`]) or by those of the format, and their
/// values are written in the types that the format's own tool writes, whatever they came as. `extra` and `extensions` set
/// what else is in the entry, member by member. Null resets a field; everything else stays as it is.
pub fn patch_entry(source: &Value, format: Format, changes: &Map<String, Value>) -> Result<Value> {
    if !source.is_object() {
        return Err(Error::invalid("this entry is not an object and cannot be changed")
            .hint("delete it, and add the entry anew"));
    }
    let changes = Changes::read(source, format, changes)?;
    let mut new = source.clone();
    let table = entry_table(format);
    let is_switched = ["disable", "probability"].iter().any(|field| changes.fields.contains_key(*field));
    if is_switched {
        switch::waken(&mut new, format);
    }
    for (path, value) in &changes.others {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        let done = match value {
            Value::Null => {
                remove(&mut new, &path);
                true
            }
            value => set(&mut new, &path, value.clone()),
        };
        if !done {
            return Err(no_room(&path.join(".")));
        }
    }
    for (field, value) in &changes.fields {
        let done = match value {
            Value::Null => reset(&mut new, table, field, format),
            value => put(&mut new, table, field, value.clone()),
        };
        if !done {
            return Err(no_room(field));
        }
    }
    if format == Format::Risu
        && changes.fields.contains_key("constant")
        && new.get("mode") == Some(&json!("constant"))
    {
        // Its other way to say the same.
        let _ = set(&mut new, &["mode"], json!("normal"));
    }
    note_exact_lists(&mut new, format, &changes.fields);
    if is_switched {
        switch::settle(&mut new, format);
    }
    Ok(new)
}

fn no_room(field: &str) -> Error {
    Error::invalid(format!("there is no room for {field} in this entry"))
        .hint("its `extensions` (or what else holds the field in this format) is not an object; DELETE the entry and PUT it anew")
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

/// What tools of the format expect to find is there afterwards, as in a new entry; the rest is absent.
fn reset(source: &mut Value, table: &Table, field: &str, format: Format) -> bool {
    let fresh = empty_entry(format);
    let places = table.iter().filter(|(name, _)| *name == field).flat_map(|(_, places)| places);
    for place in places.filter(|place| place.writing != Writing::Never) {
        match get(&fresh, place.path).filter(|_| place.writing == Writing::Always) {
            Some(usual) => {
                if !set(source, place.path, usual.clone()) {
                    return false;
                }
            }
            None => {
                remove(source, place.path);
            }
        }
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
