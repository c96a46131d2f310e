//! Where do texts stand in spaces of meanings: how is it kept, and which of it is of the words as they are now?

mod entries;
mod memories;

use reverie_core::Error;
use reverie_core::embed::{Embeddable, Embedded, SetAside, Unembedded, Vector};
use reverie_core::fail_point::{Step, reach};
use reverie_core::library::DocumentKind;
use reverie_core::memories::{Embedding, Spaces};
use rusqlite::{Connection, Row, params};

use crate::document;
use crate::error::Result;
use crate::world::WorldRow;

pub(crate) use entries::{entries_replaced, entry_changed};

pub(crate) fn unembedded(
    connection: &Connection,
    space: &str,
    of: &Embedding,
    limit: usize,
) -> Result<Vec<Unembedded>> {
    match of {
        Embedding::World(id) => {
            memories::unembedded(connection, id, &WorldRow::find(connection, id)?, space, limit)
        }
        Embedding::Book { book, entries } => entries::unembedded(connection, book, entries, space, limit),
    }
}

/// All of them in one transaction; what is not there, or says something else by now, is passed over.
pub(crate) fn put(connection: &Connection, space: &str, vectors: &[Embedded]) -> Result<()> {
    for Embedded { what, digest, chunks } in vectors {
        put_row(connection, what, &Kept { space, digest, chunks, aside: None })?;
        reach(Step::VectorWritten);
    }
    Ok(())
}

pub(crate) fn set_aside(connection: &Connection, texts: &[SetAside]) -> Result<()> {
    for text in texts {
        let row = Kept { space: &text.space, digest: &text.digest, chunks: &[], aside: Some(text) };
        put_row(connection, &text.what, &row)?;
    }
    Ok(())
}

/// What is kept of a text: its vectors, or why it has none.
struct Kept<'a> {
    space: &'a str,
    digest: &'a [u8; 16],
    chunks: &'a [Vector],
    aside: Option<&'a SetAside>,
}

fn put_row(connection: &Connection, what: &Embeddable, row: &Kept<'_>) -> Result<()> {
    match what {
        Embeddable::Memory { world, memory } => match WorldRow::look(connection, world)? {
            Some(world) => memories::put(connection, world.key(memory.get()), row),
            None => Ok(()),
        },
        Embeddable::Own { world, memory, holder } => match WorldRow::look(connection, world)? {
            Some(world) => memories::put_own(connection, &world, *memory, holder, row),
            None => Ok(()),
        },
        Embeddable::Entry { book, entry } => match document::look(connection, DocumentKind::Book, book)? {
            Some(found) => entries::put(connection, found.no, entry, row),
            None => Ok(()),
        },
    }
}

/// In the order of [`list`].
pub(crate) fn aside(connection: &Connection, of: &Embedding, limit: usize) -> Result<Vec<SetAside>> {
    match of {
        Embedding::World(id) => memories::aside(connection, id, &WorldRow::find(connection, id)?, limit),
        Embedding::Book { book, entries } => entries::aside(connection, book, entries, limit),
    }
}

pub(crate) fn try_again(connection: &Connection, space: &str, settings: &str) -> Result<()> {
    connection
        .prepare_cached(
            "UPDATE memory SET space = NULL WHERE id IN (SELECT memory FROM memory_vector INDEXED BY memory_vector_refused
             WHERE refused IS NOT NULL AND holder = 0 AND space = ?1 AND refused_with <> ?2)",
        )?
        .execute(params![space, settings])?;
    for table in ["memory_vector", "entry_vector"] {
        let sql =
            format!("DELETE FROM {table} WHERE refused IS NOT NULL AND space = ?1 AND refused_with <> ?2");
        connection.prepare_cached(&sql)?.execute(params![space, settings])?;
    }
    Ok(())
}

pub(crate) fn list(
    connection: &Connection,
    space: &str,
    of: &Embedding,
    after: Option<&Embeddable>,
    limit: usize,
) -> Result<Vec<Embedded>> {
    match of {
        Embedding::World(id) => {
            let world = WorldRow::find(connection, id)?;
            let after = match after {
                None => (0, ""),
                Some(Embeddable::Memory { world: other, memory }) if other == id => (memory.get(), ""),
                Some(Embeddable::Own { world: other, memory, holder }) if other == id => {
                    (memory.get(), holder.as_str())
                }
                Some(_) => return Err(elsewhere().into()),
            };
            memories::list(connection, id, &world, space, (world.key(after.0), after.1), limit)
        }
        Embedding::Book { book, entries } => {
            let after = match after {
                None => None,
                Some(Embeddable::Entry { book: other, entry }) if other == book => Some(entry),
                Some(_) => return Err(elsewhere().into()),
            };
            entries::list(connection, book, entries, space, after, limit)
        }
    }
}

fn elsewhere() -> Error {
    Error::invalid("this is not in the list that goes on behind it").hint("go on behind one of the same list")
}

pub(crate) fn spaces(connection: &Connection, of: &Embedding) -> Result<Spaces> {
    match of {
        Embedding::World(id) => memories::spaces(connection, &WorldRow::find(connection, id)?),
        Embedding::Book { book, entries } => entries::spaces(connection, book, entries),
    }
}

/// Whether nothing of it stands in another space. Of a book nobody asks: its entries are few.
pub(crate) fn keeps_only(connection: &Connection, space: &str, of: &Embedding) -> Result<bool> {
    match of {
        Embedding::World(id) => memories::keeps_only(connection, &WorldRow::find(connection, id)?, space),
        Embedding::Book { .. } => Ok(false),
    }
}

pub(crate) fn keep_space(connection: &Connection, space: &str, of: &Embedding) -> Result<()> {
    match of {
        Embedding::World(id) => memories::keep_space(connection, &WorldRow::find(connection, id)?, space),
        Embedding::Book { book, entries } => entries::keep_space(connection, book, entries, space),
    }
}

/// The values of all chunks, one behind the other.
fn data(chunks: &[Vector]) -> Vec<u8> {
    chunks.iter().flat_map(|chunk| chunk.0.iter().flat_map(|value| value.to_le_bytes())).collect()
}

/// From the columns `chunks` and `data`, which stand next to each other.
pub(crate) fn chunks(row: &Row<'_>, first: usize) -> Result<Vec<Vector>> {
    let count: usize = row.get(first)?;
    let data = row.get_ref(first + 1)?.as_blob().map_err(rusqlite::Error::from)?;
    let values: Vec<f32> = data
        .chunks_exact(size_of::<f32>())
        .map(|bytes| bytes.try_into().map_or(0.0, f32::from_le_bytes))
        .collect();
    let dimensions = values.len().checked_div(count).unwrap_or(0).max(1);
    Ok(values.chunks(dimensions).map(|chunk| Vector(chunk.into())).collect())
}
