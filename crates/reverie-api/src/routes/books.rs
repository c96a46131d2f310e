//! Books of the library and their entries.

use reverie_core::library::{DocumentKind, EntryChange};
use reverie_core::lore::{Shelf, Spelling};
use reverie_core::{DocumentId, Error, Result, Written};
use reverie_formats::Limits;
use reverie_formats::book::{self, Format};
use serde_json::Value;

use super::{page_of, paged};
use crate::Api;
use crate::library::{book_of, changed_entry, entry_of, keep_book, keep_entry, new_entry, told};
use crate::request::{Call, Reply};
use crate::wire::{BookBody, DocumentView, EntryFields, EntryView};

const BOOK: DocumentKind = DocumentKind::Book;

pub(super) fn list(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let (after, limit) = page_of(api, call)?;
    Reply::ok(&paged(api.engine.documents(BOOK, after, limit)?, |book: &DocumentView| book.id.clone()))
}

pub(super) fn put(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let id = id(call)?;
    let value = Value::Object(call.parse::<BookBody>()?.0);
    let book = match value.get("entries").is_none() && book::detect(&value).is_err() {
        true => book::new_book(
            Format::SillyTavern,
            value.get("name").and_then(Value::as_str).unwrap_or(id.as_str()),
        ),
        false => book::from_value(value.clone(), book::detect(&value)?, &Limits::default())?,
    };
    let mut put = keep_book(&book, id.as_str());
    put.expected_revision = revision(call)?;
    let (core, warnings) = book.to_core(id.as_str(), 0);
    let made = api.engine.put_document(BOOK, &id, put)?;
    let mut warnings = told(&warnings);
    // Keys that cannot mean what they say are told now, not when somebody wonders why an entry is silent.
    if let Ok(shelf) = Shelf::new([&core], Spelling::default()) {
        let problems = shelf.problems().iter();
        warnings.extend(problems.map(|problem| format!("entry {}: {}", problem.entry, problem.message)));
    }
    answer(made, warnings)
}

fn answer(made: Written<reverie_core::library::Document>, warnings: Vec<String>) -> Result<Reply> {
    let view = DocumentView { warnings, ..made.value.into() };
    Reply::made(made.created, &view)
}

pub(super) fn get(api: &Api, call: &Call<'_>) -> Result<Reply> {
    Reply::ok(&DocumentView::from(api.engine.document(BOOK, &id(call)?)?))
}

pub(super) fn export(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let document = api.engine.document(BOOK, &id(call)?)?;
    let (_, entries) = api.engine.all_entries(&document.id)?;
    let mut book = book_of(&document, &entries)?;
    if let Some(name) = call.query.one("format")? {
        let format = Format::parse(name).ok_or_else(|| {
            Error::invalid(format!("there is no book format {name:?}"))
                .hint(format!("use one of: {}", Format::ALL.map(Format::as_str).join(", ")))
        })?;
        book = book.to(format);
    }
    Reply::ok(&book::write(&book))
}

pub(super) fn delete(api: &Api, call: &Call<'_>) -> Result<Reply> {
    api.engine.erase_document(BOOK, &id(call)?)?;
    Ok(Reply::Empty)
}

pub(super) fn list_entries(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let (after, limit) = page_of(api, call)?;
    let document = api.engine.document(BOOK, &id(call)?)?;
    let found = api.engine.entries(&document.id, after, limit)?;
    let mut entries = Vec::with_capacity(found.items.len());
    for entry in &found.items {
        entries.push(view(&document, entry)?);
    }
    let page = reverie_core::Listed { items: entries, has_more: found.has_more };
    Reply::ok(&paged(page, |entry: &EntryView| entry.id.clone()))
}

pub(super) fn get_entry(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let document = api.engine.document(BOOK, &id(call)?)?;
    Reply::ok(&view(&document, &api.engine.entry(&document.id, call.segment(1))?)?)
}

/// In place of the entry with this id, or as a new one.
pub(super) fn put_entry(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let document = api.engine.document(BOOK, &id(call)?)?;
    let EntryFields(fields) = call.parse()?;
    let made = api.engine.entry(&document.id, call.segment(1)).is_err();
    let entry = keep_entry(&new_entry(&document, call.segment(1), &fields)?);
    let view = view(&document, &entry)?;
    api.engine.change_entries(&document.id, vec![EntryChange::Put(entry)], revision(call)?)?;
    Reply::made(made, &view)
}

/// Only the fields that are named; null takes one away.
pub(super) fn edit_entry(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let document = api.engine.document(BOOK, &id(call)?)?;
    let EntryFields(fields) = call.parse()?;
    let old = api.engine.entry(&document.id, call.segment(1))?;
    let entry = keep_entry(&changed_entry(&document, &entry_of(&document, &old)?, &fields)?);
    let view = view(&document, &entry)?;
    let expected = revision(call)?.or(Some(document.revision));
    api.engine.change_entries(&document.id, vec![EntryChange::Put(entry)], expected)?;
    Reply::ok(&view)
}

pub(super) fn delete_entry(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let change = EntryChange::Remove(call.segment(1).into());
    api.engine.change_entries(&id(call)?, vec![change], revision(call)?)?;
    Ok(Reply::Empty)
}

fn view(
    document: &reverie_core::library::Document,
    entry: &reverie_core::library::DocumentEntry,
) -> Result<EntryView> {
    let entry = entry_of(document, entry)?;
    let fields = book::wire(&entry.source, crate::library::format_of(document)?);
    Ok(EntryView { id: entry.id, fields: fields.into_iter().filter(|(_, value)| !value.is_null()).collect() })
}

fn id(call: &Call<'_>) -> Result<DocumentId> {
    DocumentId::new(call.segment(0))
}

fn revision(call: &Call<'_>) -> Result<Option<u64>> {
    let given = call.query.one("expected_revision")?;
    given
        .map(|text| text.parse().map_err(|_| Error::invalid(format!("expected_revision cannot be {text:?}"))))
        .transpose()
}
