//! The library's books and cards: how are they kept, counted and erased?

use reverie_core::fingerprint::text_fingerprint;
use reverie_core::library::{Bringing, Document, DocumentKind, DocumentPut};
use reverie_core::store::Select;
use reverie_core::{DocumentId, Error};
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::entry;
use crate::error::Result;
use crate::select::rows;
use crate::vector;

/// The numbers are stored.
pub(crate) fn number(kind: DocumentKind) -> i64 {
    match kind {
        DocumentKind::Book => 1,
        DocumentKind::Card => 2,
    }
}

fn noun(kind: DocumentKind) -> &'static str {
    match kind {
        DocumentKind::Book => "book",
        DocumentKind::Card => "card",
    }
}

/// A document with the number of its row.
pub(crate) struct Found {
    pub(crate) no: i64,
    pub(crate) document: Document,
}

pub(crate) const COLUMNS: &str = "SELECT no, id, name, format, text, revision, entries,
       EXISTS (SELECT 1 FROM document_file f WHERE f.document = no), imported FROM document";

pub(crate) fn columns(kind: DocumentKind, row: &Row<'_>) -> rusqlite::Result<Result<Found>> {
    let id: String = row.get(1)?;
    let no = row.get(0)?;
    let (name, format, text, revision) = (row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?);
    let (entries, has_file, imported) = (row.get(6)?, row.get(7)?, row.get(8)?);
    let found = |id| Found {
        no,
        document: Document { kind, id, name, format, text, revision, entries, has_file, imported },
    };
    Ok(DocumentId::new(&id).map(found).map_err(Into::into))
}

pub(crate) fn look(connection: &Connection, kind: DocumentKind, id: &DocumentId) -> Result<Option<Found>> {
    connection
        .prepare_cached(&format!("{COLUMNS} WHERE arrives = 0 AND kind = ?1 AND id = ?2"))?
        .query_row(params![number(kind), id.as_str()], |row| columns(kind, row))
        .optional()?
        .transpose()
}

pub(crate) fn find(connection: &Connection, kind: DocumentKind, id: &DocumentId) -> Result<Found> {
    look(connection, kind, id)?.ok_or_else(|| {
        let noun = noun(kind);
        Error::not_found(format!("there is no {noun} {id:?}"))
            .hint(format!("PUT /v1/{noun}s/{{id}} makes one, or `reverie import FILE`"))
            .into()
    })
}

pub(crate) fn list(connection: &Connection, kind: DocumentKind, select: &Select) -> Result<Vec<Document>> {
    let sql = format!("{COLUMNS} WHERE arrives = 0 AND kind = ?3 AND");
    let found = rows(connection, &sql, Some(number(kind)), select, |row| columns(kind, row))?;
    found.into_iter().map(|found| Ok(found?.document)).collect()
}

/// True if it was made.
pub(crate) fn put(
    connection: &Connection,
    kind: DocumentKind,
    id: &DocumentId,
    put: &DocumentPut,
) -> Result<(Document, bool)> {
    entry::check_unique(&put.entries)?;
    let old = look(connection, kind, id)?;
    let revision = old.as_ref().map_or(0, |old| old.document.revision);
    check_revision(id, revision, put.expected_revision)?;
    let brings = put.fingerprint();
    let is_import = put.bringing == Bringing::Import;
    let no = match &old {
        // What was changed by hand since stays.
        Some(old) if is_import && old.document.imported == Some(brings) => {
            return Ok((old.document.clone(), false));
        }
        Some(old) if is_same(connection, old, put)? => {
            if is_import {
                remember_import(connection, old.no, brings)?;
            }
            return Ok((find(connection, kind, id)?.document, false));
        }
        Some(old) => {
            vector::entries_replaced(connection, old.no, &put.entries)?;
            clear(connection, old.no)?;
            overwrite(connection, old.no, put, revision + 1)?;
            old.no
        }
        None => insert(connection, kind, id, put)?,
    };
    entry::insert(connection, no, &put.entries)?;
    keep_file(connection, no, put.file.as_deref())?;
    if is_import || old.is_none() {
        remember_import(connection, no, brings)?;
    }
    Ok((find(connection, kind, id)?.document, old.is_none()))
}

fn remember_import(connection: &Connection, no: i64, fingerprint: [u8; 16]) -> Result<()> {
    connection
        .prepare_cached("UPDATE document SET imported = ?2 WHERE no = ?1")?
        .execute(params![no, fingerprint])?;
    Ok(())
}

/// 0 stands for a document that is not there.
pub(crate) fn check_revision(id: &DocumentId, revision: u64, expected: Option<u64>) -> Result<()> {
    if expected.is_none_or(|expected| expected == revision) {
        return Ok(());
    }
    let is = if revision == 0 { "not there".to_owned() } else { format!("at revision {revision}") };
    Err(Error::conflict(format!("{id:?} is {is}, not what you expected"))
        .hint("somebody else has changed it meanwhile: read it again, then decide again")
        .into())
}

fn is_same(connection: &Connection, old: &Found, put: &DocumentPut) -> Result<bool> {
    let Document { name, format, text, entries, has_file, .. } = &old.document;
    let is_alike = (name, format, text) == (&put.name, &put.format, &put.text)
        && *entries == put.entries.len() as u64
        && *has_file == put.file.is_some();
    Ok(is_alike && file(connection, old.no)? == put.file && entry::all(connection, old.no)? == put.entries)
}

fn insert(connection: &Connection, kind: DocumentKind, id: &DocumentId, put: &DocumentPut) -> Result<i64> {
    connection
        .prepare_cached(
            "INSERT INTO document (kind, id, name, format, text, revision, entries, arrives)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0)",
        )?
        .execute(params![
            number(kind),
            id.as_str(),
            put.name,
            put.format,
            put.text,
            first_revision(connection, kind, id)?,
            put.entries.len() as i64
        ])?;
    Ok(connection.last_insert_rowid())
}

/// One, or where a document that had this id stopped counting.
pub(crate) fn first_revision(connection: &Connection, kind: DocumentKind, id: &DocumentId) -> Result<u64> {
    let past: Option<u64> = connection
        .prepare_cached("DELETE FROM document_count WHERE fingerprint = ?1 RETURNING revision")?
        .query_row([fingerprint(kind, id)], |row| row.get(0))
        .optional()?;
    Ok(past.unwrap_or(0) + 1)
}

fn overwrite(connection: &Connection, no: i64, put: &DocumentPut, revision: u64) -> Result<()> {
    connection
        .prepare_cached(
            "UPDATE document SET name = ?2, format = ?3, text = ?4, revision = ?5, entries = ?6 WHERE no = ?1",
        )?
        .execute(params![no, put.name, put.format, put.text, revision, put.entries.len() as i64])?;
    Ok(())
}

pub(crate) fn keep_file(connection: &Connection, no: i64, file: Option<&[u8]>) -> Result<()> {
    let Some(bytes) = file else { return Ok(()) };
    connection
        .prepare_cached("INSERT INTO document_file (document, bytes) VALUES (?1, ?2)")?
        .execute(params![no, bytes])?;
    Ok(())
}

/// After its entries changed.
pub(crate) fn count_on(connection: &Connection, no: i64) -> Result<()> {
    connection
        .prepare_cached(
            "UPDATE document SET revision = revision + 1,
               entries = (SELECT count(*) FROM entry WHERE document = ?1) WHERE no = ?1",
        )?
        .execute([no])?;
    Ok(())
}

pub(crate) fn file_of(
    connection: &Connection,
    kind: DocumentKind,
    id: &DocumentId,
) -> Result<Option<Vec<u8>>> {
    file(connection, find(connection, kind, id)?.no)
}

pub(crate) fn file(connection: &Connection, no: i64) -> Result<Option<Vec<u8>>> {
    let bytes = connection
        .prepare_cached("SELECT bytes FROM document_file WHERE document = ?1")?
        .query_row([no], |row| row.get(0))
        .optional()?;
    Ok(bytes)
}

pub(crate) fn erase(connection: &Connection, kind: DocumentKind, id: &DocumentId) -> Result<()> {
    let found = find(connection, kind, id)?;
    remove(connection, found.no)?;
    connection
        .prepare_cached("INSERT OR REPLACE INTO document_count (fingerprint, revision) VALUES (?1, ?2)")?
        .execute(params![fingerprint(kind, id), found.document.revision])?;
    Ok(())
}

/// Nothing is left to count on from.
pub(crate) fn remove(connection: &Connection, no: i64) -> Result<()> {
    clear(connection, no)?;
    connection.prepare_cached("DELETE FROM entry_vector WHERE document = ?1")?.execute([no])?;
    connection.prepare_cached("DELETE FROM document WHERE no = ?1")?.execute([no])?;
    Ok(())
}

/// Takes away all that hangs on the row, but for what is known of its entries' meaning.
fn clear(connection: &Connection, no: i64) -> Result<()> {
    for table in ["entry", "document_file"] {
        connection.prepare_cached(&format!("DELETE FROM {table} WHERE document = ?1"))?.execute([no])?;
    }
    Ok(())
}

fn fingerprint(kind: DocumentKind, id: &DocumentId) -> [u8; 16] {
    text_fingerprint(&[noun(kind), id.as_str()])
}
