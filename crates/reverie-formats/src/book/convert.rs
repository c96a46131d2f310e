//! How does a book go from one format to another, and come back as it was?
//!
//! Known fields are put where the other format has them. Then the way back is tried, and where its result differs from
//! the original, the difference goes along under `extensions.reverie.kept`. Coming back, each difference is restored
//! unless that place was changed meanwhile.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::fields::{Spelling, Table, book_table, entry_table};
use super::patch::{note_exact_lists, put};
use super::read::identify;
use super::template::{empty_book, empty_entry};
use super::typed::from_wire;
use super::wire::{read_fields, uid, wire};
use super::{BookDocument, BookEntry, Format};
use crate::lenient::split_keys;
use crate::merge::{Change, diff, get, remove, set};
use crate::warning::{Warning, cap};

pub(super) fn convert(book: &BookDocument, format: Format) -> BookDocument {
    if book.format == format {
        return book.clone();
    }
    let rest = convert_value(&book.rest, &Side::book(book.format), &Side::book(format), None).value;
    let mut warnings = book.warnings.clone();
    let mut unsaid = Vec::new();
    let mut numbers = Numbers::new(book);
    let mut taken = Vec::with_capacity(book.entries.len());
    for entry in &book.entries {
        let number = needs_numbers(format).then(|| numbers.of(&entry.id));
        let (from, mut to) = (Side::entry(book.format), Side::entry(format));
        to.uid = number.map(|number| json!(number));
        let converted = convert_value(&entry.source, &from, &to, Some(entry));
        for field in cannot_say(&entry.source, book.format, &converted.value, format) {
            let message = format!("cannot be said in the same way in the format {}", format.as_str());
            unsaid.push(Warning::field(&field, message).of_entry(&entry.id));
        }
        let id = uid(&converted.value, format);
        taken.push((converted.slot.or(id).or(Some(entry.id.clone())), converted.value));
    }
    if format != Format::SillyTavern {
        taken.iter_mut().for_each(|(slot, _)| *slot = None);
    }
    let (entries, mut duplicates) = identify(taken, format);
    cap(&mut unsaid);
    cap(&mut duplicates);
    warnings.append(&mut unsaid);
    warnings.append(&mut duplicates);
    BookDocument { format, rest, entries, warnings }
}

/// One end of a conversion: how it is read there, and what an empty one looks like.
struct Side {
    format: Format,
    is_entry: bool,
    table: &'static Table,
    extensions: &'static [&'static str],
    empty: Value,
    read: fn(&Value, Format) -> Map<String, Value>,
    /// The id that it gets.
    uid: Option<Value>,
}

impl Side {
    fn entry(format: Format) -> Self {
        let (table, empty) = (entry_table(format), empty_entry(format));
        Self { format, is_entry: true, table, extensions: &["extensions"], empty, read: wire, uid: None }
    }

    fn book(format: Format) -> Self {
        let extensions: &[&str] = match format {
            Format::LorebookV3 => &["data", "extensions"],
            _ => &["extensions"],
        };
        let (table, empty) = (book_table(format), empty_book(format));
        let read = |value: &Value, format| read_fields(value, book_table(format));
        Self { format, is_entry: false, table, extensions, empty, read, uid: None }
    }

    fn uid_path(&self) -> &'static [&'static str] {
        let places =
            self.table.iter().find(|(field, _)| *field == "uid").map(|(_, places)| places.as_slice());
        places.and_then(<[_]>::first).map_or(&[], |place| place.path)
    }

    fn extension<'p>(&self, path: &[&'p str]) -> Vec<&'p str> {
        self.extensions.iter().copied().chain(path.iter().copied()).collect()
    }
}

struct Converted {
    value: Value,
    slot: Option<String>,
}

fn convert_value(source: &Value, from: &Side, to: &Side, entry: Option<&BookEntry>) -> Converted {
    let mut value = carry(source, from, to);
    let kept = remove(&mut value, &to.extension(&["reverie", "kept", to.format.as_str()]));
    tidy(&mut value, to);
    let kept = kept.as_ref();
    if let Some(kept) = kept {
        restore(&mut value, to, kept);
    }

    let keep = match source {
        Value::Object(_) => keep(source, from, &value, to, entry, kept.is_some()),
        // An entry that is not even an object: a disabled one takes its place.
        other if from.is_entry => {
            let slot = entry.map(|entry| entry.slot.as_ref().unwrap_or(&entry.id));
            Map::from_iter([("value".to_owned(), other.clone()), ("slot".to_owned(), json!(slot))])
        }
        _ => keep(source, from, &value, to, entry, kept.is_some()),
    };
    if !keep.is_empty() && value.is_object() {
        let path = to.extension(&["reverie", "kept", from.format.as_str()]);
        // Nothing is in the way: `carry` made these objects.
        let _ = set(&mut value, &path, Value::Object(keep));
    }
    let slot = kept.and_then(|kept| kept.get("slot")).and_then(Value::as_str).map(str::to_owned);
    Converted { value, slot }
}

/// Everything that the way back would lose.
fn keep(
    source: &Value,
    from: &Side,
    value: &Value,
    to: &Side,
    entry: Option<&BookEntry>,
    is_way_back: bool,
) -> Map<String, Value> {
    let back = carry(&without_kept(value, to), to, from);
    let mut lost = diff(&back, &without_kept(source, from));
    let mut keep = Map::new();
    if let Some(entry) = entry {
        lost.retain(|change| change.path != from.uid_path());
        // On the way back, ids are what the way there made of the first ones.
        if !is_way_back {
            let odd_uid = odd_uid(entry, from);
            let slot = odd_uid.is_some().then_some(&entry.id).filter(|_| from.format == Format::SillyTavern);
            keep.extend(entry.slot.as_ref().or(slot).map(|slot| ("slot".to_owned(), json!(slot))));
            keep.extend(odd_uid.map(|uid| ("uid".to_owned(), uid)));
        }
    }
    if !lost.is_empty() {
        keep.insert("fields".to_owned(), lost.iter().map(Change::to_json).collect());
    }
    keep
}

/// Puts back what was kept, where nobody has changed it since.
fn restore(value: &mut Value, to: &Side, kept: &Value) {
    let fields = kept.get("fields").and_then(Value::as_array);
    for change in fields.into_iter().flatten().filter_map(Change::from_json) {
        change.restore(value);
    }
    if let Some(uid) = kept.get("uid") {
        restore_uid(value, to, uid);
    }
    if let Some(original) = kept.get("value") {
        let now = (to.read)(value, to.format);
        let is_blank = |field: &str| {
            matches!(now.get(field), None | Some(Value::Null)) || now.get(field).is_some_and(is_empty)
        };
        if is_blank("content") && is_blank("key") {
            *value = original.clone();
        }
    }
}

fn is_empty(value: &Value) -> bool {
    value == "" || value.as_array().is_some_and(Vec::is_empty)
}

fn without_kept(value: &Value, side: &Side) -> Value {
    let mut value = value.clone();
    if remove(&mut value, &side.extension(&["reverie", "kept"])).is_some() {
        tidy(&mut value, side);
    }
    value
}

/// An id that the way through numbers would not bring back: not a number, not there, or not only here.
fn odd_uid(entry: &BookEntry, from: &Side) -> Option<Value> {
    let uid = get(&entry.source, from.uid_path());
    let is_plain = uid.and_then(Value::as_u64).is_some_and(|number| number.to_string() == entry.id);
    (!is_plain).then(|| uid.map_or_else(|| json!({}), |uid| json!({"was": uid})))
}

fn restore_uid(value: &mut Value, to: &Side, uid: &Value) {
    match uid.get("was") {
        Some(was) => {
            // The place of an id is at the head of the entry, where nothing is in the way.
            let _ = set(value, to.uid_path(), was.clone());
        }
        None => {
            remove(value, to.uid_path());
        }
    }
}

/// Everything that both sides know, and the extensions that neither knows.
fn carry(source: &Value, from: &Side, to: &Side) -> Value {
    let mut value = to.empty.clone();
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
        note_exact_lists(&mut value, to.format, &fields);
    }
    tidy(&mut value, to);
    value
}

/// Takes away empty objects of our own, and what stands where only they should.
fn tidy(value: &mut Value, side: &Side) {
    for path in [side.extension(&["reverie", "kept"]), side.extension(&["reverie"])] {
        if get(value, &path).is_some_and(|own| own.as_object().is_none_or(Map::is_empty)) {
            remove(value, &path);
        }
    }
}

/// Names of positions become numbers, and texts of keys become lists.
fn normalise(fields: &mut Map<String, Value>) {
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

/// Fields that say something else after the conversion.
fn cannot_say(source: &Value, from: Format, converted: &Value, to: Format) -> Vec<String> {
    let (mut before, mut after) = (wire(source, from), wire(converted, to));
    normalise(&mut before);
    normalise(&mut after);
    let differs = |(field, value): &(String, Value)| field != "uid" && after.get(field) != Some(value);
    before.into_iter().filter(differs).map(|(field, _)| field).collect()
}

/// Formats whose tools take only numbers as ids.
fn needs_numbers(format: Format) -> bool {
    matches!(format, Format::SillyTavern | Format::CardV2)
}

/// A number for every id: the id itself if it is one, else one that is free.
struct Numbers {
    taken: HashSet<u64>,
    next: u64,
}

impl Numbers {
    fn new(book: &BookDocument) -> Self {
        let taken = book.entries.iter().filter_map(|entry| number(&entry.id)).collect();
        Self { taken, next: 0 }
    }

    fn of(&mut self, id: &str) -> u64 {
        if let Some(number) = number(id) {
            return number;
        }
        while self.taken.contains(&self.next) {
            self.next += 1;
        }
        self.next += 1;
        self.next - 1
    }
}

/// Only as it would be written.
fn number(id: &str) -> Option<u64> {
    id.parse().ok().filter(|number: &u64| number.to_string() == id)
}
