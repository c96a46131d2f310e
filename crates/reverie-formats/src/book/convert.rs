//! How does a book go from one format to another?

use std::collections::HashSet;

use serde_json::{Value, json};

use super::carry::{Side, normalise};
use super::kept::convert_value;
use super::read::identify;
use super::wire::{uid, wire};
use super::{BookDocument, Format};
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
