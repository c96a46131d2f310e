//! The entries of a book that are searched by meaning.

use std::collections::BTreeMap;
use std::sync::Arc;

use reverie_core::DocumentId;
use reverie_core::embed::{Embeddable, Embedded, SetAside, Unembedded};
use reverie_core::fingerprint::fingerprint_of_text;
use reverie_core::library::{DocumentEntry, DocumentKind};
use reverie_core::memories::Spaces;
use rusqlite::{Connection, OptionalExtension, params};

use super::{Kept, chunks, data, elsewhere};
use crate::document;
use crate::entry;
use crate::error::Result;

pub(super) fn unembedded(
    connection: &Connection,
    book: &DocumentId,
    entries: &[Arc<str>],
    space: &str,
    limit: usize,
) -> Result<Vec<Unembedded>> {
    let document = document::find(connection, DocumentKind::Book, book)?.no;
    let mut embedded = connection.prepare_cached(
        "SELECT 1 FROM entry_vector WHERE document = ?1 AND entry = ?2 AND space = ?3 AND digest = ?4",
    )?;
    let mut found = Vec::new();
    for id in entries {
        if found.len() >= limit {
            break;
        }
        let Some(text) = text(connection, document, id)? else { continue };
        let digest = fingerprint_of_text(&text);
        if !embedded.exists(params![document, id, space, digest])? {
            let what = Embeddable::Entry { book: book.clone(), entry: id.clone() };
            found.push(Unembedded { what, digest, text });
        }
    }
    Ok(found)
}

fn text(connection: &Connection, document: i64, id: &str) -> Result<Option<String>> {
    let text = connection
        .prepare_cached("SELECT text FROM entry WHERE document = ?1 AND id = ?2")?
        .query_row(params![document, id], |row| row.get(0))
        .optional()?;
    Ok(text)
}

pub(super) fn put(connection: &Connection, document: i64, id: &str, kept: &Kept<'_>) -> Result<()> {
    let digest = text(connection, document, id)?.map(|text| fingerprint_of_text(&text));
    if digest != Some(*kept.digest) {
        return Ok(());
    }
    connection
        .prepare_cached(
            "INSERT INTO entry_vector
               (document, entry, space, digest, chunks, data, refused, refused_ms, refused_with)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
             ON CONFLICT (document, entry, space) DO UPDATE
             SET digest = ?4, chunks = ?5, data = ?6, refused = ?7, refused_ms = ?8, refused_with = ?9",
        )?
        .execute(params![
            document,
            id,
            kept.space,
            kept.digest,
            kept.chunks.len() as i64,
            data(kept.chunks),
            kept.aside.map(|aside| &aside.reason),
            kept.aside.map(|aside| aside.at_ms),
            kept.aside.map(|aside| &aside.settings)
        ])?;
    Ok(())
}

pub(super) fn aside(
    connection: &Connection,
    book: &DocumentId,
    entries: &[Arc<str>],
    limit: usize,
) -> Result<Vec<SetAside>> {
    let document = document::find(connection, DocumentKind::Book, book)?.no;
    let mut statement = connection.prepare_cached(
        "SELECT space, digest, refused, refused_ms, refused_with FROM entry_vector INDEXED BY entry_vector_refused
         WHERE refused IS NOT NULL AND document = ?1 AND entry = ?2 ORDER BY space",
    )?;
    let mut found = Vec::new();
    for id in entries {
        let mut rows = statement.query(params![document, id])?;
        while found.len() < limit
            && let Some(row) = rows.next()?
        {
            let digest: [u8; 16] = row.get(1)?;
            if text(connection, document, id)?.is_some_and(|text| fingerprint_of_text(&text) == digest) {
                let what = Embeddable::Entry { book: book.clone(), entry: id.clone() };
                let (space, reason) = (row.get(0)?, row.get(2)?);
                found.push(SetAside {
                    space,
                    what,
                    digest,
                    reason,
                    at_ms: row.get(3)?,
                    settings: row.get(4)?,
                });
            }
        }
    }
    Ok(found)
}

pub(super) fn list(
    connection: &Connection,
    book: &DocumentId,
    entries: &[Arc<str>],
    space: &str,
    after: Option<&Arc<str>>,
    limit: usize,
) -> Result<Vec<Embedded>> {
    let document = document::find(connection, DocumentKind::Book, book)?.no;
    let begin = match after {
        None => 0,
        Some(after) => 1 + entries.iter().position(|id| id == after).ok_or_else(elsewhere)?,
    };
    let mut statement = connection.prepare_cached(
        "SELECT chunks, data FROM entry_vector WHERE document = ?1 AND entry = ?2 AND space = ?3 AND digest = ?4",
    )?;
    let mut found = Vec::new();
    for id in entries.iter().skip(begin) {
        if found.len() >= limit {
            break;
        }
        let Some(digest) = text(connection, document, id)?.map(|text| fingerprint_of_text(&text)) else {
            continue;
        };
        let mut rows = statement.query(params![document, id, space, digest])?;
        if let Some(row) = rows.next()? {
            let what = Embeddable::Entry { book: book.clone(), entry: id.clone() };
            found.push(Embedded { what, digest, chunks: chunks(row, 0)? });
        }
    }
    Ok(found)
}

pub(super) fn spaces(connection: &Connection, book: &DocumentId, entries: &[Arc<str>]) -> Result<Spaces> {
    let document = document::find(connection, DocumentKind::Book, book)?.no;
    let mut statement = connection.prepare_cached(
        "SELECT space FROM entry_vector WHERE document = ?1 AND entry = ?2 AND digest = ?3",
    )?;
    let mut spaces = Spaces { embedded: BTreeMap::new(), texts: 0 };
    for id in entries {
        let Some(digest) = text(connection, document, id)?.map(|text| fingerprint_of_text(&text)) else {
            continue;
        };
        spaces.texts += 1;
        for space in statement.query_map(params![document, id, digest], |row| row.get::<_, String>(0))? {
            *spaces.embedded.entry(space?).or_default() += 1;
        }
    }
    Ok(spaces)
}

pub(super) fn keep_space(
    connection: &Connection,
    book: &DocumentId,
    entries: &[Arc<str>],
    space: &str,
) -> Result<()> {
    let document = document::find(connection, DocumentKind::Book, book)?.no;
    let mut delete = connection
        .prepare_cached("DELETE FROM entry_vector WHERE document = ?1 AND entry = ?2 AND space <> ?3")?;
    for id in entries {
        delete.execute(params![document, id, space])?;
    }
    Ok(())
}

/// What it said before must not be guessed from what is left of it.
pub(crate) fn entry_changed(connection: &Connection, document: i64, id: &str) -> Result<()> {
    connection
        .prepare_cached("DELETE FROM entry_vector WHERE document = ?1 AND entry = ?2")?
        .execute(params![document, id])?;
    Ok(())
}

/// Before all entries of a document are replaced: those that stay as they are keep their vectors.
pub(crate) fn entries_replaced(connection: &Connection, document: i64, new: &[DocumentEntry]) -> Result<()> {
    for old in entry::all(connection, document)? {
        if !new.contains(&old) {
            entry_changed(connection, document, &old.id)?;
        }
    }
    Ok(())
}
