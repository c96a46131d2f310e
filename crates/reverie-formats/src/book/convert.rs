//! How does a book go from one format to another?

use std::collections::HashSet;

use serde_json::{Value, json};

use super::carry::Side;
use super::kept::convert_value;
use super::patterns;
use super::read::identify;
use super::typed::from_wire;
use super::unknown::Unknown;
use super::wire::uid;
use super::{BookDocument, Format};
use crate::warning::{Warning, cap};

pub(super) fn convert(book: &BookDocument, format: Format) -> BookDocument {
    if book.format == format {
        return book.clone();
    }
    let rest = convert_value(&book.rest, &Side::book(book.format), &Side::book(format), None).value;
    let mut warnings = book.warnings.clone();
    let mut unsaid = Vec::new();
    let mut unknown = Unknown::to(format);
    let mut numbers = Numbers::new(book);
    let mut taken = Vec::with_capacity(book.entries.len());
    let (from, mut to) = (Side::entry(book.format, &book.rest), Side::entry(format, &rest));
    for entry in &book.entries {
        let number = needs_numbers(format).then(|| numbers.of(&entry.id));
        to.uid = number.map(|number| json!(number));
        let converted = convert_value(&entry.source, &from, &to, Some(entry));
        unsaid.extend(
            cannot_say(&entry.source, &from, &converted.value, &to)
                .into_iter()
                .map(|warning| warning.of_entry(&entry.id)),
        );
        unknown.add(&entry.id, &from.said(&entry.source).fields);
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
    warnings.append(&mut unknown.told());
    warnings.append(&mut duplicates);
    BookDocument { format, rest, entries, warnings }
}

/// What says something else after the conversion, here or to the tools of the format.
fn cannot_say(source: &Value, from: &Side, converted: &Value, to: &Side) -> Vec<Warning> {
    let (mut before, mut after) = (from.said(source), to.said(converted));
    let format = to.format.as_str();
    let misread = patterns::misread(&before.fields, before.mode, to.format);
    // Keys may be written otherwise and mean the same.
    for said in [&mut before, &mut after] {
        patterns::express(&mut said.fields, said.mode, Format::SillyTavern);
    }
    // A value that says nothing, or only what is meant anyway, may go.
    let meant = |field: &str, value: Option<&Value>| {
        from_wire(&value.map(|value| (field.to_owned(), value.clone())).into_iter().collect()).0
    };
    let differs = |(field, value): &(String, Value)| {
        let now = after.fields.get(field);
        field != "uid" && now != Some(value) && meant(field, Some(value)) != meant(field, now)
    };
    let differing = before.fields.into_iter().filter(differs);
    let unsaid = differing.map(|(field, _)| {
        Warning::field(&field, format!("cannot be said in the same way in the format {format}"))
    });
    unsaid.chain(misread.map(|why| Warning::field("key", why))).collect()
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
