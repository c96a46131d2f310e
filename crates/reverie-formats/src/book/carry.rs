//! What do two formats both know of an entry or a book?

use serde_json::{Map, Value, json};

use super::Format;
use super::categories::Categories;
use super::fields::{Spelling, Table, book_table, entry_table};
use super::patch::{note_exact_lists, put};
use super::patterns::{self, Mode};
use super::switch;
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
    /// Of the book that its entries are in.
    categories: Categories,
}

impl Side {
    /// `rest` is what is around the entries there.
    pub(super) fn entry(format: Format, rest: &Value) -> Self {
        let (table, empty) = (entry_table(format), empty_entry(format));
        let categories = Categories::of(rest, format);
        Self {
            format,
            is_entry: true,
            table,
            extensions: &["extensions"],
            empty,
            read: wire,
            uid: None,
            categories,
        }
    }

    pub(super) fn book(format: Format) -> Self {
        let extensions: &[&str] = match format {
            Format::LorebookV3 => &["data", "extensions"],
            _ => &["extensions"],
        };
        let (table, empty) = (book_table(format), empty_book(format));
        let read = |value: &Value, format| read_fields(value, book_table(format));
        Self {
            format,
            is_entry: false,
            table,
            extensions,
            empty,
            read,
            uid: None,
            categories: Categories::default(),
        }
    }

    /// What is said there, in the common names and in one spelling.
    pub(super) fn said(&self, source: &Value) -> Said {
        let mut fields = (self.read)(source, self.format);
        let mode = Mode::of(source, self.format, &fields);
        normalise(&mut fields);
        if self.categories.disabled_with(source).is_some() {
            fields.insert("disable".to_owned(), json!(true));
        }
        Said { fields, mode }
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

/// An entry, or what is around the entries, as it is said in one format.
pub(super) struct Said {
    pub(super) fields: Map<String, Value>,
    pub(super) mode: Mode,
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
    switch::forget(&mut rest, from.format);
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
    let Said { mut fields, mode } = from.said(source);
    patterns::express(&mut fields, mode, to.format);
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
        switch::settle(&mut value, to.format);
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
fn normalise(fields: &mut Map<String, Value>) {
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
