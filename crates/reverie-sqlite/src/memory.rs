//! Memories: how is one written, read, and deleted for good?

use std::collections::{BTreeMap, BTreeSet};

use reverie_core::fingerprint::fingerprint_of_text;
use reverie_core::memory::{Kind, Memory, Origin, Source};
use reverie_core::time::Moment;
use reverie_core::{CharacterId, Code, Error, LineId, MemoryId};
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::error::Result;
use crate::fuller::DEPTH;
use crate::line::number;
use crate::living;
use crate::log;
use crate::summed_up;
use crate::world::WorldRow;

/// Who a memory is about is given by number.
pub(crate) struct NewRow<'m> {
    pub(crate) memory: &'m Memory,
    pub(crate) fingerprint: Option<[u8; 16]>,
    pub(crate) about: &'m [i64],
}

/// Whether it is broken is for the caller to find out.
pub(crate) fn insert(connection: &Connection, world: &WorldRow, new: &NewRow<'_>) -> Result<i64> {
    let NewRow { memory, fingerprint, about } = new;
    let key = world.key(memory.id.get());
    connection
        .prepare_cached(
            "INSERT INTO memory (id, world, fingerprint, kind, origin, text, importance, keywords, topics, emotions, tick,
               wall_ms, revision, model, digest, broken)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, 0)",
        )?
        .execute(params![
            key,
            world.no,
            fingerprint,
            memory.kind.as_str(),
            memory.origin.as_str(),
            memory.text,
            memory.importance,
            memory.keywords.join("\n"),
            memory.topics.join("\n"),
            memory.emotions.join("\n"),
            memory.tick,
            memory.wall_ms,
            memory.revision,
            memory.model,
            fingerprint_of_text(&memory.text)
        ])?;
    let mut insert = connection
        .prepare_cached("INSERT INTO memory_source (memory, place, line, version) VALUES (?1, ?2, ?3, ?4)")?;
    for (place, source) in memory.sources.iter().enumerate() {
        insert.execute(params![key, place as i64, world.line_key(source.line.get()), source.version])?;
    }
    let mut insert =
        connection.prepare_cached("INSERT OR IGNORE INTO memory_part (memory, part) VALUES (?1, ?2)")?;
    for part in &memory.from {
        insert.execute([key, world.key(part.get())])?;
    }
    if !memory.from.is_empty() {
        let sql = format!("UPDATE memory AS m SET depth = {DEPTH} WHERE m.id = ?1");
        connection.prepare_cached(&sql)?.execute([key])?;
    }
    let mut insert = connection
        .prepare_cached("INSERT OR IGNORE INTO memory_about (memory, character) VALUES (?1, ?2)")?;
    for character in *about {
        insert.execute([key, *character])?;
    }
    Ok(key)
}

/// When the first of what each of them sums up happened.
pub(crate) fn begun(
    connection: &Connection,
    world: &WorldRow,
    memories: &[MemoryId],
) -> Result<BTreeMap<MemoryId, Moment>> {
    let mut read = connection.prepare_cached(
        "SELECT MIN(m.tick), MIN(m.wall_ms) FROM memory_part AS p JOIN memory AS m ON m.id = p.part WHERE p.memory = ?1",
    )?;
    let mut begun = BTreeMap::new();
    for memory in memories {
        let moment = |row: &Row<'_>| Ok(Moment { tick: row.get(0)?, wall_ms: row.get(1)? });
        let moment = read.query_row([world.key(memory.get())], moment)?;
        if moment.wall_ms.is_some() {
            begun.insert(*memory, moment);
        }
    }
    Ok(begun)
}

pub(crate) fn by_fingerprint(
    connection: &Connection,
    world: &WorldRow,
    fingerprint: &[u8; 16],
) -> Result<Option<i64>> {
    let found = connection
        .prepare_cached("SELECT id FROM memory WHERE world = ?1 AND fingerprint = ?2")?
        .query_row(params![world.no, fingerprint], |row| row.get(0))
        .optional()?;
    Ok(found)
}

pub(crate) fn exists(connection: &Connection, key: i64) -> Result<bool> {
    Ok(connection.prepare_cached("SELECT 1 FROM memory WHERE id = ?1")?.exists([key])?)
}

/// Of a memory, in the order in which [`bare`] reads them.
pub(crate) const COLUMNS: &str =
    "kind, origin, text, importance, keywords, topics, emotions, tick, wall_ms, revision, model";

pub(crate) fn read(connection: &Connection, key: i64) -> Result<(Memory, Option<[u8; 16]>)> {
    let sql = format!("SELECT fingerprint, {COLUMNS} FROM memory WHERE id = ?1");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query([key])?;
    let row = rows.next()?.ok_or_else(|| missing(key))?;
    let memory = Memory {
        sources: sources(connection, key)?,
        from: parts(connection, key)?,
        about: about(connection, key)?,
        ..bare(row, 1, key)?
    };
    Ok((memory, row.get(0)?))
}

/// Without what it was made of, and whom it is about.
pub(crate) fn bare(row: &Row<'_>, first: usize, key: i64) -> Result<Memory> {
    let name = |place: usize| row.get_ref(first + place)?.as_str().map_err(rusqlite::Error::from);
    Ok(Memory {
        id: MemoryId::new(number(key))?,
        kind: Kind::from_name(name(0)?)?,
        origin: Origin::from_name(name(1)?)?,
        text: row.get(first + 2)?,
        sources: Vec::new(),
        from: Vec::new(),
        about: Vec::new(),
        importance: row.get(first + 3)?,
        keywords: words(name(4)?),
        topics: words(name(5)?),
        emotions: words(name(6)?),
        tick: row.get(first + 7)?,
        wall_ms: row.get(first + 8)?,
        revision: row.get(first + 9)?,
        model: row.get(first + 10)?,
    })
}

pub(crate) fn missing(key: i64) -> Error {
    Error::new(Code::Corrupt, format!("memory {} is missing although somebody has it", number(key)))
        .hint("run `reverie doctor` and restore a backup")
}

/// No word has a line break in it.
fn words(text: &str) -> Vec<String> {
    if text.is_empty() { Vec::new() } else { text.split('\n').map(Into::into).collect() }
}

fn sources(connection: &Connection, key: i64) -> Result<Vec<Source>> {
    let mut statement = connection
        .prepare_cached("SELECT line, version FROM memory_source WHERE memory = ?1 ORDER BY place")?;
    let mut rows = statement.query([key])?;
    let mut sources = Vec::new();
    while let Some(row) = rows.next()? {
        sources.push(Source { line: LineId::new(number(row.get(0)?))?, version: row.get(1)? });
    }
    Ok(sources)
}

fn parts(connection: &Connection, key: i64) -> Result<Vec<MemoryId>> {
    let mut statement =
        connection.prepare_cached("SELECT part FROM memory_part WHERE memory = ?1 ORDER BY part")?;
    let mut rows = statement.query([key])?;
    let mut parts = Vec::new();
    while let Some(row) = rows.next()? {
        parts.push(MemoryId::new(number(row.get(0)?))?);
    }
    Ok(parts)
}

fn about(connection: &Connection, key: i64) -> Result<Vec<CharacterId>> {
    let mut statement = connection.prepare_cached(
        "SELECT c.id FROM memory_about a JOIN character c ON c.no = a.character WHERE a.memory = ?1 ORDER BY c.id",
    )?;
    let mut rows = statement.query([key])?;
    let mut about = Vec::new();
    while let Some(row) = rows.next()? {
        about.push(CharacterId::new(row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?)?);
    }
    Ok(about)
}

/// Deletes memories for good, with all that sums them up and all that anybody made of them.
pub(crate) fn erase(connection: &Connection, world: &WorldRow, mut gone: BTreeSet<i64>) -> Result<()> {
    loop {
        let before = gone.len();
        gone.extend(living::summaries_of(connection, &gone)?);
        if gone.len() == before {
            break;
        }
    }
    let mut lonely = BTreeSet::new();
    for memory in &gone {
        lonely.extend(summed_up::by(connection, *memory)?);
        lonely.extend(let_go_of(connection, *memory)?);
    }
    for memory in &gone {
        let holdings: Vec<i64> = connection
            .prepare_cached("SELECT no FROM holding WHERE memory = ?1")?
            .query_map([memory], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        for holding in holdings {
            erase_holding(connection, world, holding)?;
        }
        for sql in [
            "DELETE FROM memory_vector WHERE memory = ?1",
            "DELETE FROM memory_source WHERE memory = ?1",
            "DELETE FROM memory_part WHERE memory = ?1",
            "DELETE FROM memory_about WHERE memory = ?1",
            "DELETE FROM memory WHERE id = ?1",
        ] {
            connection.prepare_cached(sql)?.execute([memory])?;
        }
    }
    living::settle(connection, &lonely.difference(&gone).copied().collect())
}

/// Nothing gives way to a memory that is gone. The memories that did are given back.
fn let_go_of(connection: &Connection, memory: i64) -> Result<BTreeSet<i64>> {
    let mut lonely = BTreeSet::new();
    for sql in [
        "SELECT memory FROM holding WHERE summarised_by = ?1",
        "SELECT memory FROM holding WHERE superseded_by = ?1",
        "SELECT memory FROM holding WHERE gives_way_to = ?1",
    ] {
        let mut statement = connection.prepare_cached(sql)?;
        for found in statement.query_map([memory], |row| row.get(0))? {
            lonely.insert(found?);
        }
    }
    for column in ["summarised_by", "superseded_by"] {
        for table in ["holding", "holding_version"] {
            let sql = format!("UPDATE {table} SET {column} = NULL WHERE {column} = ?1");
            connection.prepare_cached(&sql)?.execute([memory])?;
        }
    }
    Ok(lonely)
}

/// One who has a memory has it no more, and never had.
pub(crate) fn erase_holding(connection: &Connection, world: &WorldRow, no: i64) -> Result<()> {
    connection
        .prepare_cached("DELETE FROM change WHERE world = ?1 AND kind = ?2 AND subject = ?3")?
        .execute([world.no, log::Kind::Holding as i64, no])?;
    for sql in [
        "DELETE FROM memory_vector WHERE (memory, holder) = (SELECT memory, holder FROM holding WHERE no = ?1)",
        "DELETE FROM refreshed WHERE holding = ?1",
        "DELETE FROM holding_version WHERE holding = ?1",
        "DELETE FROM holding WHERE no = ?1",
    ] {
        connection.prepare_cached(sql)?.execute([no])?;
    }
    Ok(())
}
