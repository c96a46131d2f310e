//! Books of the library and their entries.

use reverie_core::library::{Document, DocumentKind, EntryChange};
use reverie_core::{Code, DocumentId, Error, Result};
use reverie_formats::book::{self, BookDocument, Format};
use reverie_formats::container::{self, Contents};
use reverie_formats::memory::MemoryFile;
use reverie_formats::{Limits, card};
use serde_json::{Value, json};

use super::{page_of, paged};
use crate::Api;
use crate::documents::{self, BookForm};
use crate::library::{changed_entry, entry_of, format_of, keep_book, keep_entry, new_entry, told, view_of};
use crate::request::{Call, Reply};
use crate::wire::{DocumentView, EntryFields, EntryView};

const BOOK: DocumentKind = DocumentKind::Book;

pub(super) fn list(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let (after, limit) = page_of(api, call)?;
    Reply::ok(&paged(api.engine.documents(BOOK, after, limit)?, |book: &DocumentView| book.id.clone()))
}

/// A book of any tool, in a picture or plain.
pub(super) fn put(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let id = id(call)?;
    let book = brought(call, &id)?;
    let mut put = keep_book(&book, id.as_str());
    put.expected_revision = revision(call)?;
    let made = api.engine.put_document(BOOK, &id, put)?;
    // Keys that cannot mean what they say are told now, not when somebody wonders why an entry is silent.
    let view = DocumentView { warnings: told(&book.oddities()), ..made.value.into() };
    Reply::made(made.created, &view)
}

/// What a book says of itself besides its entries. An object of nothing else is a book that is still empty.
const ABOUT: [&str; 6] =
    ["name", "description", "scan_depth", "token_budget", "recursive_scanning", "extensions"];

fn brought(call: &Call<'_>, id: &DocumentId) -> Result<BookDocument> {
    let limits = Limits::default();
    // A file that could not be read arrives as nothing: that must not empty a book.
    if call.raw.trim_ascii().is_empty() {
        return Err(Error::invalid("there is no book in the body")
            .hint("send the book itself; {\"entries\":{}} is a book that is still empty"));
    }
    let Contents { value, warnings, .. } = container::read(call.raw, &limits)?;
    if let Value::Object(mut about) = value.clone()
        && about.keys().all(|name| ABOUT.contains(&name.as_str()))
    {
        about.entry("name").or_insert_with(|| json!(id.as_str()));
        about.insert("entries".to_owned(), json!({}));
        return book::from_value(Value::Object(about), Format::SillyTavern, &limits);
    }
    if card::is_card(&value) {
        return Err(Error::invalid("this is a character card, not a world book")
            .hint(format!("PUT it to /v1/cards/{id}; the book on it comes along")));
    }
    let mut book = match book::detect(&value) {
        Err(_) if MemoryFile::is_memory(&value) => {
            let memory = MemoryFile::read(call.raw, &limits)?;
            let mut book = memory.to_book(id.as_str())?;
            book.warnings = memory.warnings;
            return Ok(book);
        }
        format => book::from_value(value, format?, &limits)?,
    };
    book.warnings.splice(0..0, warnings);
    Ok(book)
}

pub(super) fn get(api: &Api, call: &Call<'_>) -> Result<Reply> {
    Reply::ok(&DocumentView::from(api.engine.document(BOOK, &id(call)?)?))
}

pub(super) fn export(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let form = call.query.one("format")?.map(BookForm::parse).transpose()?;
    let leaving = documents::book(&api.engine, &id(call)?, form)?;
    match call.query.flag("report")? {
        true => Reply::ok(&json!({"warnings": told(&leaving.warnings)})),
        false => Reply::ok(&leaving.value),
    }
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
        entries.push(view_of(&document, entry_of(&document, entry)?)?);
    }
    let page = reverie_core::Listed { items: entries, has_more: found.has_more };
    Reply::ok(&paged(page, |entry: &EntryView| entry.id.clone()))
}

pub(super) fn get_entry(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let document = api.engine.document(BOOK, &id(call)?)?;
    let entry = api.engine.entry(&document.id, call.segment(1))?;
    Reply::ok(&view_of(&document, entry_of(&document, &entry)?)?)
}

/// In place of the entry with this id, or as a new one.
pub(super) fn put_entry(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let document = api.engine.document(BOOK, &id(call)?)?;
    let EntryFields(fields) = call.parse()?;
    let id = call.segment(1);
    let old = match api.engine.entry(&document.id, id) {
        Ok(old) => Some(entry_of(&document, &old)?),
        Err(error) if error.code() == Code::NotFound => None,
        Err(error) => return Err(error),
    };
    if old.is_none() {
        check_new_id(api, &document, id)?;
    }
    let entry = new_entry(&document, id, old.as_ref(), &fields)?;
    let change = EntryChange::Put(keep_entry(&entry));
    let view = view_of(&document, entry)?;
    api.engine.change_entries(&document.id, vec![change], revision(call)?)?;
    Reply::made(old.is_none(), &view)
}

/// An id that the tool of the book's format could not read would make the whole file useless to it.
fn check_new_id(api: &Api, document: &Document, id: &str) -> Result<()> {
    let Err(error) = book::uid_of(format_of(document)?, id) else { return Ok(()) };
    let (_, entries) = api.engine.all_entries(&document.id)?;
    let numbers = entries.iter().filter_map(|entry| entry.id.parse::<u64>().ok());
    let free = numbers.max().map_or(0, |greatest| greatest.saturating_add(1));
    Err(error.hint(format!(
        "use a number that is free, for instance PUT /v1/books/{}/entries/{free}; a name belongs into `comment`",
        document.id
    )))
}

/// Only the fields that are named; null resets one.
pub(super) fn edit_entry(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let document = api.engine.document(BOOK, &id(call)?)?;
    let EntryFields(fields) = call.parse()?;
    let old = api.engine.entry(&document.id, call.segment(1))?;
    let entry = changed_entry(&document, &entry_of(&document, &old)?, &fields)?;
    let change = EntryChange::Put(keep_entry(&entry));
    let view = view_of(&document, entry)?;
    let expected = revision(call)?.or(Some(document.revision));
    api.engine.change_entries(&document.id, vec![change], expected)?;
    Reply::ok(&view)
}

pub(super) fn delete_entry(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let change = EntryChange::Remove(call.segment(1).into());
    api.engine.change_entries(&id(call)?, vec![change], revision(call)?)?;
    Ok(Reply::Empty)
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
