//! How are a file's entries taken out, and put back?

use std::collections::{HashMap, HashSet};

use reverie_core::{Error, Result};
use serde_json::{Map, Value};

use super::detect::detect;
use super::wire::uid;
use super::{BookDocument, BookEntry, Format};
use crate::warning::cap;
use crate::{Limits, Warning, document};

/// Reads a book from a JSON file.
pub fn read(bytes: &[u8], limits: &Limits) -> Result<BookDocument> {
    let parsed = document::parse(bytes, limits)?;
    let format = detect(&parsed.value)?;
    let mut book = from_value(parsed.value, format, limits)?;
    book.warnings.splice(0..0, parsed.warnings);
    Ok(book)
}

/// Takes a value apart that is known to be a book of this format.
pub fn from_value(mut value: Value, format: Format, limits: &Limits) -> Result<BookDocument> {
    if !value.is_object() && !value.is_array() {
        return Err(Error::invalid("a book is an object or a list").hint("is the file whole?"));
    }
    let taken: Vec<(Option<String>, Value)> = match container(&mut value, format) {
        Some(Value::Object(map)) => {
            std::mem::take(map).into_iter().map(|(slot, source)| (Some(slot), source)).collect()
        }
        Some(Value::Array(list)) => std::mem::take(list).into_iter().map(|source| (None, source)).collect(),
        None | Some(Value::Null) => Vec::new(),
        Some(_) => {
            return Err(Error::invalid("the entries of this book are neither a list nor an object")
                .hint("is the file whole?"));
        }
    };
    if taken.len() > limits.entries {
        return Err(Error::invalid(format!(
            "the book has {} entries; at most {} are read",
            taken.len(),
            limits.entries
        ))
        .hint("split the book"));
    }
    let (entries, mut warnings) = identify(taken, format);
    cap(&mut warnings);
    Ok(BookDocument { format, rest: value, entries, warnings })
}

/// The file again, equal in value to what was read, with what was changed since.
pub fn write(book: &BookDocument) -> Value {
    let mut value = book.rest.clone();
    if book.entries.is_empty() {
        return value;
    }
    let sources = || book.entries.iter().map(|entry| entry.source.clone());
    match make_container(&mut value, book.format) {
        Value::Object(map) => {
            let mut fresh = Fresh::new(book.entries.iter().filter_map(|entry| entry.slot.clone()));
            for entry in &book.entries {
                // A slot that was read is this entry's own.
                let slot = match &entry.slot {
                    Some(slot) if !map.contains_key(slot) => slot.clone(),
                    _ => fresh.unused(&entry.id, |name| map.contains_key(name)),
                };
                map.insert(slot, entry.source.clone());
            }
        }
        other => *other = Value::Array(sources().collect()),
    }
    value
}

/// Where the entries are, or were before they were taken out.
fn container(value: &mut Value, format: Format) -> Option<&mut Value> {
    if value.is_array() {
        return Some(value);
    }
    path(format).iter().try_fold(value, |value, name| value.as_object_mut()?.get_mut(*name))
}

/// The same; it is made if it is not there.
fn make_container(value: &mut Value, format: Format) -> &mut Value {
    if value.is_array() {
        return value;
    }
    let mut at = value;
    for name in path(format) {
        if !at.is_object() {
            *at = Value::Object(Map::new());
        }
        let Value::Object(map) = at else { return at };
        at = map.entry(*name).or_insert(Value::Null);
    }
    if !at.is_object() && !at.is_array() {
        *at = match format {
            Format::SillyTavern => Value::Object(Map::new()),
            _ => Value::Array(Vec::new()),
        };
    }
    at
}

fn path(format: Format) -> &'static [&'static str] {
    match format {
        Format::Risu => &["data"],
        Format::LorebookV3 => &["data", "entries"],
        _ => &["entries"],
    }
}

/// Gives every entry an id that no other has.
pub(super) fn identify(
    taken: Vec<(Option<String>, Value)>,
    format: Format,
) -> (Vec<BookEntry>, Vec<Warning>) {
    let ids: Vec<Option<String>> = taken.iter().map(|(_, source)| uid(source, format)).collect();
    let mut fresh = Fresh::new(ids.iter().flatten().cloned());
    let mut warnings = Vec::new();
    let mut used = HashSet::new();
    let mut entries = Vec::with_capacity(taken.len());
    for (index, ((slot, source), said)) in taken.into_iter().zip(ids).enumerate() {
        let id = match said {
            Some(id) if !used.contains(&id) => id,
            Some(id) => {
                let new = fresh.unused(&id, |name| used.contains(name));
                let message = format!("another entry has the same id; this one goes by {new}");
                warnings.push(Warning::field("uid", message).of_entry(&id));
                new
            }
            None => {
                let name = slot.clone().unwrap_or_else(|| index.to_string());
                fresh.unused(&name, |name| used.contains(name))
            }
        };
        used.insert(id.clone());
        let slot = slot.filter(|slot| *slot != id);
        entries.push(BookEntry { id, slot, source });
    }
    (entries, warnings)
}

/// Names that nobody uses yet.
struct Fresh {
    taken: HashSet<String>,
    next: HashMap<String, usize>,
}

impl Fresh {
    fn new(taken: impl Iterator<Item = String>) -> Self {
        Self { taken: taken.collect(), next: HashMap::new() }
    }

    /// The name itself if it is free, else with a number that makes it so.
    fn unused(&mut self, name: &str, is_used: impl Fn(&str) -> bool) -> String {
        let is_free = |name: &str, taken: &HashSet<String>| !taken.contains(name) && !is_used(name);
        if is_free(name, &self.taken) {
            return name.to_owned();
        }
        let mut number = self.next.get(name).copied().unwrap_or(2);
        let unused = loop {
            let candidate = format!("{name}-{number}");
            number += 1;
            if is_free(&candidate, &self.taken) {
                break candidate;
            }
        };
        self.next.insert(name.to_owned(), number);
        unused
    }
}
