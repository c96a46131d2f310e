//! How do authors' files become documents of the library, and the other way round?

use std::sync::Arc;

use reverie_core::library::{Document, DocumentEntry, DocumentPut};
use reverie_core::lore::Book;
use reverie_core::text;
use reverie_core::{Code, Error, Result};
use reverie_formats::book::{self, BookDocument, BookEntry, Format, Shown};
use reverie_formats::card::CardDocument;
use reverie_formats::{Limits, Warning, card};
use serde_json::{Map, Value, json};

use crate::wire::EntryView;

/// What the library keeps of a book.
pub fn keep_book(book: &BookDocument, name: &str) -> DocumentPut {
    let name = book.name().unwrap_or_else(|| name.to_owned());
    DocumentPut {
        name,
        format: book.format.as_str().to_owned(),
        text: book.rest.to_string(),
        entries: book.entries.iter().map(keep_entry).collect(),
        ..DocumentPut::default()
    }
}

pub fn keep_entry(entry: &BookEntry) -> DocumentEntry {
    let text = match &entry.slot {
        Some(slot) => json!([entry.source, slot]),
        None => json!([entry.source]),
    };
    DocumentEntry { id: Arc::from(entry.id.as_str()), text: Arc::from(text.to_string()) }
}

/// The book as its author's tool has it.
pub fn book_of(document: &Document, entries: &[DocumentEntry]) -> Result<BookDocument> {
    Ok(BookDocument {
        format: format_of(document)?,
        rest: serde_json::from_str(&document.text).map_err(|_| broken(document))?,
        entries: entries.iter().map(|entry| entry_of(document, entry)).collect::<Result<_>>()?,
        warnings: Vec::new(),
    })
}

pub fn entry_of(document: &Document, entry: &DocumentEntry) -> Result<BookEntry> {
    let parts: Vec<Value> = serde_json::from_str(&entry.text).map_err(|_| broken(document))?;
    let mut parts = parts.into_iter();
    let source = parts.next().ok_or_else(|| broken(document))?;
    let slot = parts.next().and_then(|slot| slot.as_str().map(str::to_owned));
    Ok(BookEntry { id: entry.id.to_string(), slot, source })
}

pub fn format_of(document: &Document) -> Result<Format> {
    Format::parse(&document.format).ok_or_else(|| {
        Error::new(Code::Corrupt, format!("the book {:?} has an unknown format", document.id))
            .hint("a newer version of the program wrote it; use that one")
    })
}

/// For the engine: see [`reverie_core::Engine::reading_books`]. Contents go into prompts, so they are cleaned here; what
/// is kept stays as its author wrote it.
pub fn read_book(document: &Document, entries: &[DocumentEntry], rank: i64) -> Result<Book> {
    let (mut book, _) = book_of(document, entries)?.to_core(document.id.as_str(), rank);
    for entry in &mut book.entries {
        if let (clean, 1..) = text::clean(&entry.content) {
            let content = clean.into_owned();
            Arc::make_mut(entry).content = content;
        }
    }
    Ok(book)
}

/// What the library keeps of a card: the card, and the file that it came in.
pub fn keep_card(card: &CardDocument, file: Vec<u8>) -> DocumentPut {
    DocumentPut {
        name: card.name.clone(),
        format: "card".to_owned(),
        text: card::write(card).to_string(),
        file: Some(file),
        ..DocumentPut::default()
    }
}

pub fn card_of(document: &Document) -> Result<CardDocument> {
    let value: Value = serde_json::from_str(&document.text).map_err(|_| broken(document))?;
    card::from_value(value, &Limits::default())
}

/// An edited entry: the fields that are named change, all others stay as their author wrote them.
pub fn changed_entry(
    document: &Document,
    entry: &BookEntry,
    fields: &Map<String, Value>,
) -> Result<BookEntry> {
    let mut fields = fields.clone();
    // Whoever names the entry by its id in the library changes nothing, though the file may call it otherwise.
    let named = fields.get("uid").map(|uid| uid.as_str().map_or_else(|| uid.to_string(), str::to_owned));
    if named.as_ref() == Some(&entry.id) {
        fields.shift_remove("uid");
    }
    let source = book::patch_entry(&entry.source, format_of(document)?, &fields)?;
    Ok(BookEntry { source, ..entry.clone() })
}

/// An entry in the format of its book, new or in place of one that is there: that one's id stays as its file has it.
pub fn new_entry(
    document: &Document,
    id: &str,
    old: Option<&BookEntry>,
    fields: &Map<String, Value>,
) -> Result<BookEntry> {
    let format = format_of(document)?;
    let known = old.and_then(|old| book::wire(&old.source, format).get("uid").cloned());
    let uid = known.map_or_else(|| book::uid_of(format, id), Ok)?;
    let source = book::new_entry(format, &uid, fields)?;
    Ok(BookEntry { id: id.to_owned(), slot: old.and_then(|old| old.slot.clone()), source })
}

/// An entry as its author should see it, and what is odd about it.
pub fn view_of(document: &Document, entry: BookEntry) -> Result<EntryView> {
    let format = format_of(document)?;
    let Shown { fields, extensions, extra } = book::shown(&entry.source, format);
    let id = entry.id.clone();
    let alone = BookDocument { format, rest: Value::Null, entries: vec![entry], warnings: Vec::new() };
    // Whose they are is plain.
    let warnings = alone.oddities().into_iter().map(|warning| Warning { entry: None, ..warning }.to_string());
    Ok(EntryView { id, fields, extensions, extra, warnings: warnings.collect() })
}

/// What was odd, as texts.
pub fn told(warnings: &[Warning]) -> Vec<String> {
    warnings.iter().map(ToString::to_string).collect()
}

fn broken(document: &Document) -> Error {
    Error::new(Code::Corrupt, format!("the document {:?} cannot be read", document.id))
        .hint("run `reverie doctor` and restore a backup")
}
