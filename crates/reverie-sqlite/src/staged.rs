//! Where do books wait that arrive with a world, until it is whole?

use reverie_core::DocumentId;
use reverie_core::library::DocumentKind;
use reverie_core::record::BookRecord;
use rusqlite::{Connection, params};

use crate::document::{self, COLUMNS, Found, columns, first_revision, keep_file, number};
use crate::error::Result;

/// A book without its entries, which come later.
pub(crate) fn put(connection: &Connection, world: i64, book: &BookRecord) -> Result<i64> {
    connection
        .prepare_cached(
            "INSERT INTO document (kind, id, name, format, text, revision, entries, arrives, imported)
             VALUES (?1, ?2, ?3, ?4, ?5, 0, 0, ?6, ?7)",
        )?
        .execute(params![
            number(DocumentKind::Book),
            book.id.as_str(),
            book.name,
            book.format,
            book.text,
            world,
            book.imported
        ])?;
    let no = connection.last_insert_rowid();
    keep_file(connection, no, book.file.as_deref())?;
    Ok(no)
}

/// All that wait for a world, in the order in which they came.
pub(crate) fn all(connection: &Connection, world: i64) -> Result<Vec<Found>> {
    connection
        .prepare_cached(
            "UPDATE document SET entries = (SELECT count(*) FROM entry WHERE document = no) WHERE arrives = ?1",
        )?
        .execute([world])?;
    let found: Vec<Result<Found>> = connection
        .prepare_cached(&format!("{COLUMNS} WHERE arrives = ?1 ORDER BY no"))?
        .query_map([world], |row| columns(DocumentKind::Book, row))?
        .collect::<rusqlite::Result<_>>()?;
    found.into_iter().collect()
}

/// What waited is part of the library from now on.
pub(crate) fn adopt(connection: &Connection, no: i64, id: &DocumentId) -> Result<()> {
    let revision = first_revision(connection, DocumentKind::Book, id)?;
    connection
        .prepare_cached("UPDATE document SET id = ?2, revision = ?3, arrives = 0 WHERE no = ?1")?
        .execute(params![no, id.as_str(), revision])?;
    Ok(())
}

/// Takes away what waits for a world that goes.
pub(crate) fn remove(connection: &Connection, world: i64) -> Result<()> {
    let waiting: Vec<i64> = connection
        .prepare_cached("SELECT no FROM document WHERE arrives = ?1")?
        .query_map([world], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    waiting.into_iter().try_for_each(|no| document::remove(connection, no))
}
