//! How is a world kept from sight until it is whole, and cleared away if it never will be?

use reverie_core::{Code, Error, LineId, WorldId};
use rusqlite::{Connection, ErrorCode, params};

use crate::erase;
use crate::error::Result;
use crate::world::{self, WorldRow};
use crate::writer::Writer;

/// Whoever brings a world is heard of at every slice; so many seconds of silence mean that it is gone. Processes compare
/// them, so they are the machine's seconds, as SQLite has them.
const PATIENCE_SECONDS: i64 = 60;

/// A number for a world that nobody sees yet. Its id is none that a world can have.
pub(super) fn begin(
    connection: &Connection,
    forked_from: Option<&WorldId>,
    created_ms: i64,
) -> Result<WorldRow> {
    let row = world::insert(connection, "\u{1}", forked_from, created_ms)?;
    connection
        .prepare_cached("UPDATE world SET id = id || no, arrives = unixepoch() + ?2 WHERE no = ?1")?
        .execute([row.no, PATIENCE_SECONDS])?;
    Ok(row)
}

/// Says that somebody is still at work on it.
pub(super) fn keep_alive(connection: &Connection, world: i64) -> Result<()> {
    let kept = connection
        .prepare_cached("UPDATE world SET arrives = unixepoch() + ?2 WHERE no = ?1 AND arrives > 0")?
        .execute([world, PATIENCE_SECONDS])?;
    if kept > 0 {
        return Ok(());
    }
    Err(Error::new(Code::Unavailable, "nothing came of this world for too long, so it was given up")
        .hint("try again; nothing was imported")
        .into())
}

/// Gives the world its id, and everybody sees it. False if the id is taken.
pub(super) fn reveal(connection: &Connection, world: i64, id: &WorldId) -> Result<bool> {
    let revealed = connection
        .prepare_cached("UPDATE world SET id = ?2, arrives = NULL WHERE no = ?1")?
        .execute(params![world, id.as_str()]);
    match revealed {
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => Ok(false),
        revealed => Ok(revealed? > 0),
    }
}

/// Clears away what one bringer left behind.
pub(super) fn clear(writer: &Writer, world: i64) -> Result<()> {
    writer.write(move |connection| condemn(connection, "no = ?1", world))?;
    clear_condemned(writer, world)
}

/// Clears away worlds whose bringers were not heard of for too long.
pub(crate) fn clear_abandoned(writer: &Writer, found: &[i64]) -> Result<()> {
    for world in found.iter().copied() {
        writer.write(move |connection| condemn(connection, "no = ?1 AND arrives < unixepoch()", world))?;
        clear_condemned(writer, world)?;
    }
    Ok(())
}

pub(crate) fn abandoned(connection: &Connection) -> Result<Vec<i64>> {
    let mut statement = connection.prepare_cached("SELECT no FROM world WHERE arrives < unixepoch()")?;
    let found = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    Ok(found)
}

/// From here on nobody can go on with it.
fn condemn(connection: &Connection, which: &str, world: i64) -> Result<()> {
    let sql = format!("UPDATE world SET arrives = 0 WHERE {which} AND arrives IS NOT NULL");
    connection.prepare_cached(&sql)?.execute([world])?;
    Ok(())
}

fn clear_condemned(writer: &Writer, world: i64) -> Result<()> {
    let rows = writer.slice() as i64;
    while writer.write(move |connection| clear_slice(connection, world, rows))? {}
    Ok(())
}

/// True if something may be left.
fn clear_slice(connection: &Connection, world: i64, rows: i64) -> Result<bool> {
    let is_condemned =
        connection.prepare_cached("SELECT 1 FROM world WHERE no = ?1 AND arrives = 0")?.exists([world])?;
    if !is_condemned {
        return Ok(false);
    }
    let row = WorldRow { no: world, settings_version: 0 };
    let (low, high) = (row.line_key(0), row.line_key(LineId::LIMIT - 1));
    let lines: Option<i64> = connection
        .prepare_cached(
            "SELECT max(id) FROM (SELECT id FROM line WHERE id BETWEEN ?1 AND ?2 ORDER BY id LIMIT ?3)",
        )?
        .query_row([low, high, rows], |row| row.get(0))?;
    if let Some(last) = lines {
        for sql in [
            "DELETE FROM lore_timers WHERE line BETWEEN ?1 AND ?2",
            "DELETE FROM line_version WHERE line BETWEEN ?1 AND ?2",
            "DELETE FROM line WHERE id BETWEEN ?1 AND ?2",
        ] {
            connection.prepare_cached(sql)?.execute([low, last])?;
        }
        return Ok(true);
    }
    let changes: Option<i64> = connection
        .prepare_cached(
            "SELECT max(revision) FROM (SELECT revision FROM change WHERE world = ?1 ORDER BY revision LIMIT ?2)",
        )?
        .query_row([world, rows], |row| row.get(0))?;
    if let Some(last) = changes {
        connection
            .prepare_cached("DELETE FROM change WHERE world = ?1 AND revision <= ?2")?
            .execute([world, last])?;
        return Ok(true);
    }
    erase::erase_world(connection, &row)?;
    Ok(false)
}
