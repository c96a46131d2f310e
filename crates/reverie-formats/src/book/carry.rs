//! What do two formats both know of an entry or a book?

use serde_json::{Map, Value, json};

use super::Format;
use super::fields::{Spelling, Table, book_table, entry_table};
use super::patch::{note_exact_lists, put};
use super::patterns;
use super::template::{empty_book, empty_entry};
use super::typed::from_wire;
use super::wire::{read_fields, wire};
use crate::lenient::split_keys;
use crate::merge::{get, remove, set};

/// One end of a conversion: how it is read there, and what an empty one looks like.
pub(super) struct Side {
    pub(super) format: Format,
    pub(super) is_entry: bool,
    table: &'static Table,
    extensions: &'static [&'static str],
    empty: Value,
    pub(super) read: fn(&Value, Format) -> Map<String, Value>,
    /// The id that it gets.
    pub(super) uid: Option<Value>,
}

impl Side {
    pub(super) fn entry(format: Format) -> Self {
        let (table, empty) = (entry_table(format), empty_entry(format));
        Self { format, is_entry: true, table, extensions: &["extensions"], empty, read: wire, uid: None }
    }

    pub(super) fn book(format: Format) -> Self {
        let extensions: &[&str] = match format {
            Format::LorebookV3 => &["data", "extensions"],
            _ => &["extensions"],
        };
        let (table, empty) = (book_table(format), empty_book(format));
        let read = |value: &Value, format| read_fields(value, book_table(format));
        Self { format, is_entry: false, table, extensions, empty, read, uid: None }
    }

    pub(super) fn uid_path(&self) -> &'static [&'static str] {
        let places =
            self.table.iter().find(|(field, _)| *field == "uid").map(|(_, places)| places.as_slice());
        places.and_then(<[_]>::first).map_or(&[], |place| place.path)
    }

    pub(super) fn extension<'p>(&self, path: &[&'p str]) -> Vec<&'p str> {
        self.extensions.iter().copied().chain(path.iter().copied()).collect()
    }
}

/// What a conversion fills.
#[derive(Debug, Clone, Copy)]
pub(super) enum Start {
    /// What the tools of the format expect to be there.
    Defaults,
    Bare,
}

/// Everything that both sides know, and the extensions that neither knows.
pub(super) fn carry(source: &Value, from: &Side, to: &Side, start: Start) -> Value {
    let mut value = match start {
        Start::Defaults => to.empty.clone(),
        Start::Bare => json!({}),
    };
    // Always there, so that it makes no difference whether something was kept in it.
    if get(&value, to.extensions).is_none() {
        let _ = set(&mut value, to.extensions, json!({}));
    }
    let mut rest = source.clone();
    for place in from.table.iter().flat_map(|(_, places)| places) {
        if place.path.starts_with(&["extensions"]) {
            remove(&mut rest, place.path);
        }
        if place.spelling == Spelling::Commas {
            remove(&mut rest, &["extensions", "reverie", place.field]);
        }
    }
    if let Some(extensions) = get(&rest, from.extensions).filter(|extensions| extensions.is_object()) {
        let _ = set(&mut value, to.extensions, extensions.clone());
        tidy(&mut value, to);
    }
    let mut fields = (from.read)(source, from.format);
    normalise(&mut fields);
    if !source.is_object() && to.is_entry {
        fields.insert("disable".to_owned(), json!(true));
    }
    if let Some(uid) = &to.uid {
        fields.insert("uid".to_owned(), uid.clone());
    }
    for (field, new) in &fields {
        put(&mut value, to.table, field, new.clone());
    }
    if to.is_entry {
        patterns::keep(&mut value, to.format, &fields);
        note_exact_lists(&mut value, to.format, &fields);
    }
    tidy(&mut value, to);
    value
}

/// Takes away empty objects of our own, and what stands where only they should.
pub(super) fn tidy(value: &mut Value, side: &Side) {
    for path in [side.extension(&["reverie", "kept"]), side.extension(&["reverie"])] {
        if get(value, &path).is_some_and(|own| own.as_object().is_none_or(Map::is_empty)) {
            remove(value, &path);
        }
    }
}

/// Names of positions become numbers, and texts of keys become lists.
pub(super) fn normalise(fields: &mut Map<String, Value>) {
    patterns::forget(fields);
    let (entry, _) = from_wire(fields);
    let numbers = [
        ("position", entry.position as u8),
        ("selectiveLogic", entry.logic as u8),
        ("role", entry.role as u8),
    ];
    for (field, number) in numbers {
        if let Some(value) = fields.get_mut(field).filter(|value| value.is_string()) {
            *value = json!(number);
        }
    }
    for field in ["key", "keysecondary"] {
        if let Some(value) = fields.get_mut(field)
            && let Some(text) = value.as_str()
        {
            *value = Value::from(split_keys(text));
        }
    }
}
