//! The entries of a book: in which order do they stand, and how do they change?

use std::collections::HashSet;

use reverie_core::library::{Document, DocumentEntry, DocumentKind, EntryChange, EntrySelect};
use reverie_core::{DocumentId, Error};
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::document;
use crate::error::Result;
use crate::vector;

pub(crate) fn check_unique(entries: &[DocumentEntry]) -> Result<()> {
    let mut ids = HashSet::with_capacity(entries.len());
    match entries.iter().find(|entry| !ids.insert(&entry.id)) {
        None => Ok(()),
        Some(twice) => Err(Error::invalid(format!("two entries have the id {:?}", twice.id))
            .hint("an id names one entry of a book")
            .into()),
    }
}

/// Into a document that has none.
pub(crate) fn insert(connection: &Connection, document: i64, entries: &[DocumentEntry]) -> Result<()> {
    (1..).zip(entries).try_for_each(|(place, entry)| insert_at(connection, document, place, entry))
}

pub(crate) fn insert_at(
    connection: &Connection,
    document: i64,
    place: i64,
    entry: &DocumentEntry,
) -> Result<()> {
    connection
        .prepare_cached("INSERT INTO entry (document, place, id, text) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![document, place, entry.id, entry.text])?;
    Ok(())
}

fn columns(row: &Row<'_>) -> rusqlite::Result<DocumentEntry> {
    Ok(DocumentEntry { id: row.get(0)?, text: row.get(1)? })
}

pub(crate) fn all(connection: &Connection, document: i64) -> Result<Vec<DocumentEntry>> {
    page(connection, document, i64::MIN, usize::MAX)
}

fn page(connection: &Connection, document: i64, after: i64, limit: usize) -> Result<Vec<DocumentEntry>> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let entries = connection
        .prepare_cached(
            "SELECT id, text FROM entry WHERE document = ?1 AND place > ?2 ORDER BY place LIMIT ?3",
        )?
        .query_map([document, after, limit], columns)?
        .collect::<rusqlite::Result<_>>()?;
    Ok(entries)
}

pub(crate) fn select(
    connection: &Connection,
    book: &DocumentId,
    select: &EntrySelect,
) -> Result<(u64, Vec<DocumentEntry>)> {
    let found = document::find(connection, DocumentKind::Book, book)?;
    let entries = match select {
        EntrySelect::All => all(connection, found.no)?,
        EntrySelect::One(id) => connection
            .prepare_cached("SELECT id, text FROM entry WHERE document = ?1 AND id = ?2")?
            .query_map(params![found.no, id], columns)?
            .collect::<rusqlite::Result<_>>()?,
        EntrySelect::Page { after: None, limit } => page(connection, found.no, i64::MIN, *limit)?,
        EntrySelect::Page { after: Some(id), limit } => {
            let after = place(connection, found.no, id)?.ok_or_else(|| missing(id))?;
            page(connection, found.no, after, *limit)?
        }
    };
    Ok((found.document.revision, entries))
}

fn place(connection: &Connection, document: i64, id: &str) -> Result<Option<i64>> {
    let place = connection
        .prepare_cached("SELECT place FROM entry WHERE document = ?1 AND id = ?2")?
        .query_row(params![document, id], |row| row.get(0))
        .optional()?;
    Ok(place)
}

fn missing(id: &str) -> Error {
    Error::not_found(format!("there is no entry {id:?} in this book"))
        .hint("somebody may have removed it: read the book again from the beginning")
}

/// All of the changes or none, and one revision for them all.
pub(crate) fn change(
    connection: &Connection,
    book: &DocumentId,
    changes: &[EntryChange],
    expected_revision: Option<u64>,
) -> Result<Document> {
    let found = document::find(connection, DocumentKind::Book, book)?;
    document::check_revision(book, found.document.revision, expected_revision)?;
    let mut has_changed = false;
    for change in changes {
        has_changed |= match change {
            EntryChange::Put(entry) => put(connection, found.no, entry)?,
            EntryChange::Remove(id) => remove(connection, found.no, id)?,
        };
    }
    if !has_changed {
        return Ok(found.document);
    }
    document::count_on(connection, found.no)?;
    Ok(document::find(connection, DocumentKind::Book, book)?.document)
}

/// False if it was there, just like this.
fn put(connection: &Connection, document: i64, entry: &DocumentEntry) -> Result<bool> {
    if place(connection, document, &entry.id)?.is_none() {
        connection
            .prepare_cached(
                "INSERT INTO entry (document, place, id, text)
                 SELECT ?1, coalesce(max(place), 0) + 1, ?2, ?3 FROM entry WHERE document = ?1",
            )?
            .execute(params![document, entry.id, entry.text])?;
        return Ok(true);
    }
    let changed = connection
        .prepare_cached("UPDATE entry SET text = ?3 WHERE document = ?1 AND id = ?2 AND text <> ?3")?
        .execute(params![document, entry.id, entry.text])?;
    if changed > 0 {
        vector::entry_changed(connection, document, &entry.id)?;
    }
    Ok(changed > 0)
}

fn remove(connection: &Connection, document: i64, id: &str) -> Result<bool> {
    let removed = connection
        .prepare_cached("DELETE FROM entry WHERE document = ?1 AND id = ?2")?
        .execute(params![document, id])?;
    vector::entry_changed(connection, document, id)?;
    if removed == 0 { Err(missing(id).into()) } else { Ok(true) }
}
