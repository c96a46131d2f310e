//! What somebody remembers: the memory's own text, and each holder's rewording.
//!
//! Whether it can be recalled now does not matter, for what is off the path may return; what is forgotten needs no vector.

use std::collections::BTreeMap;

use reverie_core::embed::{Embeddable, Embedded, SetAside, Unembedded};
use reverie_core::fingerprint::fingerprint_of_text;
use reverie_core::memories::Spaces;
use reverie_core::{CharacterId, MemoryId, WorldId};
use rusqlite::{Connection, OptionalExtension, params};

use super::{Kept, chunks, data};
use crate::error::Result;
use crate::line::number;
use crate::reading::number_of;
use crate::world::WorldRow;

/// Of a `memory m`: somebody has it as it is.
const IS_TOLD: &str =
    "EXISTS (SELECT 1 FROM holding h WHERE h.memory = m.id AND h.version IS NOT NULL AND h.forgotten = 0
     AND h.text IS NULL)";

/// Of a `holding h`: its holder has words of their own. Word for word that of the partial index.
const IS_REWORDED: &str = "h.version IS NOT NULL AND h.forgotten = 0 AND h.text IS NOT NULL";

/// In the order of [`list`].
pub(super) fn unembedded(
    connection: &Connection,
    id: &WorldId,
    world: &WorldRow,
    space: &str,
    limit: usize,
) -> Result<Vec<Unembedded>> {
    let mut found = own_unembedded(connection, id, world, space)?;
    // Those that got their vector in this space last are passed by without a look: the others are lists of the index.
    let sql = format!(
        "SELECT m.id, m.digest, m.text FROM memory m INDEXED BY memory_by_space
         WHERE m.world = ?1 AND m.space IS ?3 AND {IS_TOLD} AND {IS_BARE} ORDER BY m.id LIMIT ?4"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    for other in other_spaces(connection, world, space)? {
        let most = i64::try_from(limit).unwrap_or(i64::MAX);
        let mut rows = statement.query(params![world.no, space, other, most])?;
        while let Some(row) = rows.next()? {
            let what = Embeddable::Memory { world: id.clone(), memory: MemoryId::new(number(row.get(0)?))? };
            found.push(Unembedded { what, digest: row.get(1)?, text: row.get(2)? });
        }
    }
    found.sort_by(|a, b| place(&a.what).cmp(&place(&b.what)));
    found.truncate(limit);
    Ok(found)
}

/// A memory, and then whose rewording.
fn place(what: &Embeddable) -> (Option<MemoryId>, Option<&CharacterId>) {
    match what {
        Embeddable::Memory { memory, .. } => (Some(*memory), None),
        Embeddable::Own { memory, holder, .. } => (Some(*memory), Some(holder)),
        Embeddable::Entry { .. } => (None, None),
    }
}

/// Where memories of the world got their vectors last, from space to space in the index; None: nowhere yet.
fn other_spaces(connection: &Connection, world: &WorldRow, space: &str) -> Result<Vec<Option<String>>> {
    let mut spaces = vec![None];
    let mut next = connection.prepare_cached(
        "SELECT min(space) FROM memory INDEXED BY memory_by_space WHERE world = ?1 AND space > ?2",
    )?;
    let mut after = String::new();
    while let Some(found) = next.query_row(params![world.no, after], |row| row.get::<_, Option<String>>(0))? {
        if found != space {
            spaces.push(Some(found.clone()));
        }
        after = found;
    }
    Ok(spaces)
}

/// Of a `memory m`: it has no vector in the space ?2.
const IS_BARE: &str =
    "NOT EXISTS (SELECT 1 FROM memory_vector v WHERE v.memory = m.id AND v.holder = 0 AND v.space = ?2)";

/// Rewordings are few, and looked at one by one.
fn own_unembedded(
    connection: &Connection,
    id: &WorldId,
    world: &WorldRow,
    space: &str,
) -> Result<Vec<Unembedded>> {
    let mut found = Vec::new();
    let mut embedded = connection.prepare_cached(
        "SELECT 1 FROM memory_vector WHERE memory = ?1 AND holder = ?2 AND space = ?3 AND digest = ?4",
    )?;
    for Own { memory, holder, id: person, text } in reworded(connection, world)? {
        let digest = fingerprint_of_text(&text);
        if !embedded.exists(params![memory, holder, space, digest])? {
            let memory = MemoryId::new(number(memory))?;
            let what = Embeddable::Own { world: id.clone(), memory, holder: person };
            found.push(Unembedded { what, digest, text });
        }
    }
    Ok(found)
}

/// A memory in a holder's own words.
struct Own {
    memory: i64,
    holder: i64,
    id: CharacterId,
    text: String,
}

fn reworded(connection: &Connection, world: &WorldRow) -> Result<Vec<Own>> {
    let sql = format!(
        "SELECT h.memory, h.holder, c.id, h.text FROM holding h INDEXED BY holding_reworded
         JOIN character c ON c.no = h.holder WHERE h.memory BETWEEN ?1 AND ?2 AND {IS_REWORDED}
         ORDER BY h.memory, c.id"
    );
    let (low, high) = world.keys();
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query([low, high])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let id = CharacterId::new(&row.get::<_, String>(2)?)?;
        found.push(Own { memory: row.get(0)?, holder: row.get(1)?, id, text: row.get(3)? });
    }
    Ok(found)
}

/// By its key.
pub(super) fn put(connection: &Connection, memory: i64, kept: &Kept<'_>) -> Result<()> {
    let sql = format!(
        "UPDATE memory AS m SET space = nullif(?3, '') WHERE m.id = ?1 AND m.digest = ?2 AND {IS_TOLD}"
    );
    if connection.prepare_cached(&sql)?.execute(params![memory, kept.digest, kept.space])? > 0 {
        insert(connection, memory, 0, kept)?;
    }
    Ok(())
}

pub(super) fn put_own(
    connection: &Connection,
    world: &WorldRow,
    memory: MemoryId,
    holder: &CharacterId,
    kept: &Kept<'_>,
) -> Result<()> {
    let Some(holder) = number_of(connection, world, holder)? else { return Ok(()) };
    let key = world.key(memory.get());
    let sql = format!("SELECT h.text FROM holding h WHERE h.memory = ?1 AND h.holder = ?2 AND {IS_REWORDED}");
    let text: Option<String> =
        connection.prepare_cached(&sql)?.query_row([key, holder], |row| row.get(0)).optional()?;
    if text.is_some_and(|text| fingerprint_of_text(&text) == *kept.digest) {
        insert(connection, key, holder, kept)?;
    }
    Ok(())
}

fn insert(connection: &Connection, memory: i64, holder: i64, kept: &Kept<'_>) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO memory_vector
               (memory, holder, space, digest, chunks, data, refused, refused_ms, refused_with)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
             ON CONFLICT (memory, holder, space) DO UPDATE
             SET digest = ?4, chunks = ?5, data = ?6, refused = ?7, refused_ms = ?8, refused_with = ?9",
        )?
        .execute(params![
            memory,
            holder,
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

/// In the order of memories; the memory's own text, then those of its holders by their ids.
pub(super) fn list(
    connection: &Connection,
    id: &WorldId,
    world: &WorldRow,
    space: &str,
    (after, after_holder): (i64, &str),
    limit: usize,
) -> Result<Vec<Embedded>> {
    let sql = format!(
        "SELECT v.memory, c.id, v.digest, h.text, v.chunks, v.data
         FROM memory_vector v INDEXED BY memory_vector_by_space
         LEFT JOIN character c ON c.no = v.holder
         LEFT JOIN holding h ON h.memory = v.memory AND h.holder = v.holder AND {IS_REWORDED}
         WHERE v.space = ?1 AND v.memory >= ?2 AND v.memory <= ?4 AND (v.memory, coalesce(c.id, '')) > (?2, ?3)
           AND (h.text IS NOT NULL OR (v.holder = 0 AND EXISTS
             (SELECT 1 FROM memory m WHERE m.id = v.memory AND m.digest = v.digest AND {IS_TOLD})))
         ORDER BY v.memory, coalesce(c.id, '')"
    );
    let (_, high) = world.keys();
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params![space, after, after_holder, high])?;
    let mut found = Vec::new();
    while found.len() < limit
        && let Some(row) = rows.next()?
    {
        let (digest, own): ([u8; 16], Option<String>) = (row.get(2)?, row.get(3)?);
        if own.is_some_and(|text| fingerprint_of_text(&text) != digest) {
            continue;
        }
        let what = what(id, row.get(0)?, row.get(1)?)?;
        found.push(Embedded { what, digest, chunks: chunks(row, 4)? });
    }
    Ok(found)
}

/// Few, and looked at one by one.
pub(super) fn aside(
    connection: &Connection,
    id: &WorldId,
    world: &WorldRow,
    limit: usize,
) -> Result<Vec<SetAside>> {
    let sql = format!(
        "SELECT v.memory, c.id, v.digest, h.text, v.space, v.refused, v.refused_ms, v.refused_with
         FROM memory_vector v INDEXED BY memory_vector_refused
         LEFT JOIN character c ON c.no = v.holder
         LEFT JOIN holding h ON h.memory = v.memory AND h.holder = v.holder AND {IS_REWORDED}
         WHERE v.refused IS NOT NULL AND v.memory BETWEEN ?1 AND ?2
           AND (h.text IS NOT NULL OR (v.holder = 0 AND EXISTS
             (SELECT 1 FROM memory m WHERE m.id = v.memory AND m.digest = v.digest AND {IS_TOLD})))
         ORDER BY v.memory, coalesce(c.id, ''), v.space"
    );
    let (low, high) = world.keys();
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query([low, high])?;
    let mut found = Vec::new();
    while found.len() < limit
        && let Some(row) = rows.next()?
    {
        let (digest, own): ([u8; 16], Option<String>) = (row.get(2)?, row.get(3)?);
        if own.is_some_and(|text| fingerprint_of_text(&text) != digest) {
            continue;
        }
        let what = what(id, row.get(0)?, row.get(1)?)?;
        let (space, reason) = (row.get(4)?, row.get(5)?);
        found.push(SetAside { space, what, digest, reason, at_ms: row.get(6)?, settings: row.get(7)? });
    }
    Ok(found)
}

/// The memory's own text, or a holder's rewording.
fn what(id: &WorldId, memory: i64, holder: Option<String>) -> Result<Embeddable> {
    let (world, memory) = (id.clone(), MemoryId::new(number(memory))?);
    Ok(match holder {
        None => Embeddable::Memory { world, memory },
        Some(holder) => Embeddable::Own { world, memory, holder: CharacterId::new(&holder)? },
    })
}

pub(super) fn spaces(connection: &Connection, world: &WorldRow) -> Result<Spaces> {
    let (low, high) = world.keys();
    let sql = format!("SELECT count(*) FROM memory m WHERE m.id BETWEEN ?1 AND ?2 AND {IS_TOLD}");
    let texts = connection.prepare_cached(&sql)?.query_row([low, high], |row| row.get(0))?;
    let mut spaces = Spaces { embedded: BTreeMap::new(), texts };
    let sql = format!(
        "SELECT v.space, count(*) FROM memory m JOIN memory_vector v ON v.memory = m.id AND v.holder = 0
           AND v.digest = m.digest WHERE m.id BETWEEN ?1 AND ?2 AND {IS_TOLD} GROUP BY v.space"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query([low, high])?;
    while let Some(row) = rows.next()? {
        spaces.embedded.insert(row.get(0)?, row.get(1)?);
    }
    let mut of_own = connection.prepare_cached(
        "SELECT space FROM memory_vector WHERE memory = ?1 AND holder = ?2 AND digest = ?3",
    )?;
    for Own { memory, holder, text, .. } in reworded(connection, world)? {
        spaces.texts += 1;
        let digest = fingerprint_of_text(&text);
        for space in of_own.query_map(params![memory, holder, digest], |row| row.get::<_, String>(0))? {
            *spaces.embedded.entry(space?).or_default() += 1;
        }
    }
    Ok(spaces)
}

/// Whether no memory of a world stands in another space.
pub(super) fn keeps_only(connection: &Connection, world: &WorldRow, space: &str) -> Result<bool> {
    let (low, high) = world.keys();
    let mut stands = connection.prepare_cached(
        "SELECT 1 FROM memory_vector INDEXED BY memory_vector_by_space WHERE space = ?1 AND memory BETWEEN ?2 AND ?3",
    )?;
    for other in spaces_but(connection, space)? {
        if stands.exists(params![other, low, high])? {
            return Ok(false);
        }
    }
    Ok(other_spaces(connection, world, space)?.iter().flatten().next().is_none())
}

pub(super) fn keep_space(connection: &Connection, world: &WorldRow, space: &str) -> Result<()> {
    let (low, high) = world.keys();
    let mut delete = connection.prepare_cached(
        "DELETE FROM memory_vector INDEXED BY memory_vector_by_space WHERE space = ?1 AND memory BETWEEN ?2 AND ?3",
    )?;
    for other in spaces_but(connection, space)? {
        delete.execute(params![other, low, high])?;
    }
    let mut update = connection.prepare_cached(
        "UPDATE memory INDEXED BY memory_by_space SET space = NULL WHERE world = ?1 AND space = ?2",
    )?;
    for other in other_spaces(connection, world, space)?.iter().flatten() {
        update.execute(params![world.no, other])?;
    }
    Ok(())
}

/// All spaces in which anybody's memory stands, from one to the next in the index; they are few, however many memories there are.
fn spaces_but(connection: &Connection, space: &str) -> Result<Vec<String>> {
    let mut next = connection.prepare_cached(
        "SELECT min(space) FROM memory_vector INDEXED BY memory_vector_by_space WHERE space >= ?1",
    )?;
    let (mut spaces, mut from) = (Vec::new(), String::new());
    while let Some(found) = next.query_row([&from], |row| row.get::<_, Option<String>>(0))? {
        // No text stands between one and the same with this behind it.
        from = format!("{found}\0");
        if found != space {
            spaces.push(found);
        }
    }
    Ok(spaces)
}
