//! How is a world kept from sight until it is whole, and cleared away if it never will be?

use reverie_core::{Code, Error, LineId, WorldId};
use rusqlite::{Connection, ErrorCode, params};

use crate::erase;
use crate::error::Result;
use crate::mind;
use crate::world::{self, WorldRow};
use crate::writer::Writer;

/// Whoever brings a world is heard of at every slice; so many seconds of silence mean that it is gone. Processes compare
/// them, so they are the machine's seconds, as SQLite has them.
const PATIENCE_SECONDS: i64 = 60;

/// A world on its way in. The number alone does not tell it: once the world is cleared away, another one can get it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Arriving {
    pub(super) no: i64,
    bringer: i64,
}

/// A number for a world that nobody sees yet. Its id is none that a world can have.
pub(super) fn begin(
    connection: &Connection,
    forked_from: Option<&WorldId>,
    created_ms: i64,
) -> Result<(WorldRow, Arriving)> {
    let row = world::insert(connection, "\u{1}", forked_from, created_ms)?;
    let bringer = connection
        .prepare_cached(
            "UPDATE world SET id = id || no, arrives = unixepoch() + ?2, bringer = random() WHERE no = ?1
             RETURNING bringer",
        )?
        .query_row([row.no, PATIENCE_SECONDS], |found| found.get(0))?;
    let arriving = Arriving { no: row.no, bringer };
    Ok((row, arriving))
}

/// Says that somebody is still at work on it.
pub(super) fn keep_alive(connection: &Connection, world: Arriving) -> Result<()> {
    let kept = connection
        .prepare_cached(
            "UPDATE world SET arrives = unixepoch() + ?3 WHERE no = ?1 AND bringer = ?2 AND arrives > 0",
        )?
        .execute([world.no, world.bringer, PATIENCE_SECONDS])?;
    if kept > 0 { Ok(()) } else { Err(given_up()) }
}

fn given_up() -> crate::error::Error {
    Error::new(Code::Unavailable, "nothing came of this world for too long, so it was given up")
        .hint("try again; nothing was imported")
        .into()
}

/// Gives the world its id, and everybody sees it. False if the id is taken.
pub(super) fn reveal(connection: &Connection, world: Arriving, id: &WorldId) -> Result<bool> {
    let revealed = connection
        .prepare_cached(
            "UPDATE world SET id = ?3, arrives = NULL, bringer = NULL
             WHERE no = ?1 AND bringer = ?2 AND arrives > 0",
        )?
        .execute(params![world.no, world.bringer, id.as_str()]);
    match revealed {
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => Ok(false),
        Ok(0) => Err(given_up()),
        revealed => Ok(revealed? > 0),
    }
}

/// Clears away what a bringer left behind.
pub(super) fn clear(writer: &Writer, world: Arriving) -> Result<()> {
    writer.write(move |connection| condemn(connection, "arrives IS NOT NULL", world))?;
    clear_condemned(writer, world)
}

/// Takes a world from sight, as if it were one that never arrived: its id is free, and nothing of it is read any more.
pub(crate) fn condemn_whole(connection: &Connection, world: &WorldRow) -> Result<Arriving> {
    let bringer = connection
        .prepare_cached(
            "UPDATE world SET id = char(1) || no, arrives = 0, bringer = random() WHERE no = ?1 RETURNING bringer",
        )?
        .query_row([world.no], |row| row.get(0))?;
    Ok(Arriving { no: world.no, bringer })
}

/// Clears away worlds whose bringers were not heard of for too long.
pub(crate) fn clear_abandoned(writer: &Writer, found: &[Arriving]) -> Result<()> {
    for world in found.iter().copied() {
        writer.write(move |connection| condemn(connection, "arrives < unixepoch()", world))?;
        clear_condemned(writer, world)?;
    }
    Ok(())
}

pub(crate) fn abandoned(connection: &Connection) -> Result<Vec<Arriving>> {
    let mut statement =
        connection.prepare_cached("SELECT no, bringer FROM world WHERE arrives < unixepoch()")?;
    let found = statement
        .query_map([], |row| Ok(Arriving { no: row.get(0)?, bringer: row.get(1)? }))?
        .collect::<rusqlite::Result<_>>()?;
    Ok(found)
}

/// From here on nobody can go on with it.
fn condemn(connection: &Connection, when: &str, world: Arriving) -> Result<()> {
    let sql = format!("UPDATE world SET arrives = 0 WHERE no = ?1 AND bringer = ?2 AND {when}");
    connection.prepare_cached(&sql)?.execute([world.no, world.bringer])?;
    Ok(())
}

pub(crate) fn clear_condemned(writer: &Writer, world: Arriving) -> Result<()> {
    let rows = writer.slice() as i64;
    while writer.write(move |connection| clear_slice(connection, world, rows))? {}
    Ok(())
}

/// True if something may be left.
fn clear_slice(connection: &Connection, world: Arriving, rows: i64) -> Result<bool> {
    let is_condemned = connection
        .prepare_cached("SELECT 1 FROM world WHERE no = ?1 AND bringer = ?2 AND arrives = 0")?
        .exists([world.no, world.bringer])?;
    if !is_condemned {
        return Ok(false);
    }
    let row = WorldRow { no: world.no, settings_version: 0 };
    let (low, high) = (row.line_key(0), row.line_key(LineId::LIMIT - 1));
    let lines: Option<i64> = connection
        .prepare_cached(
            "SELECT max(id) FROM (SELECT id FROM line WHERE id BETWEEN ?1 AND ?2 ORDER BY id LIMIT ?3)",
        )?
        .query_row([low, high, rows], |row| row.get(0))?;
    if let Some(last) = lines {
        for sql in [
            "DELETE FROM forgotten WHERE line BETWEEN ?1 AND ?2",
            "DELETE FROM lore_timers WHERE line BETWEEN ?1 AND ?2",
            "DELETE FROM line_keepsake WHERE line BETWEEN ?1 AND ?2",
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
        .query_row([row.no, rows], |found| found.get(0))?;
    if let Some(last) = changes {
        connection
            .prepare_cached("DELETE FROM change WHERE world = ?1 AND revision <= ?2")?
            .execute([row.no, last])?;
        return Ok(true);
    }
    for sql in SLICES {
        if connection.prepare_cached(sql)?.execute([row.no, rows])? > 0 {
            return Ok(true);
        }
    }
    let changes = connection
        .prepare_cached(
            "DELETE FROM mind_change WHERE seq IN
               (SELECT seq FROM mind_change WHERE memory BETWEEN ?1 << 40 AND (?1 + 1) << 40 LIMIT ?2)",
        )?
        .execute([row.no, rows])?;
    if changes > 0 {
        mind::begin_anew(connection)?;
        return Ok(true);
    }
    erase::erase_world(connection, &row)?;
    Ok(false)
}

/// Some rows of what a world can have many of, besides lines and changes.
const SLICES: [&str; 18] = [
    "DELETE FROM memory_vector WHERE no IN
       (SELECT no FROM memory_vector WHERE memory BETWEEN ?1 << 40 AND (?1 + 1) << 40 LIMIT ?2)",
    "DELETE FROM refreshed WHERE (holding, tick, line) IN
       (SELECT r.holding, r.tick, r.line FROM holding h JOIN refreshed r ON r.holding = h.no
        WHERE h.memory BETWEEN ?1 << 40 AND (?1 + 1) << 40 LIMIT ?2)",
    "DELETE FROM holding_version WHERE (holding, version) IN
       (SELECT v.holding, v.version FROM holding h JOIN holding_version v ON v.holding = h.no
        WHERE h.memory BETWEEN ?1 << 40 AND (?1 + 1) << 40 LIMIT ?2)",
    "DELETE FROM holding WHERE no IN
       (SELECT no FROM holding WHERE memory BETWEEN ?1 << 40 AND (?1 + 1) << 40 LIMIT ?2)",
    "DELETE FROM memory_source WHERE (memory, place) IN
       (SELECT memory, place FROM memory_source WHERE memory BETWEEN ?1 << 40 AND (?1 + 1) << 40 LIMIT ?2)",
    "DELETE FROM memory_part WHERE (memory, part) IN
       (SELECT memory, part FROM memory_part WHERE memory BETWEEN ?1 << 40 AND (?1 + 1) << 40 LIMIT ?2)",
    "DELETE FROM memory_about WHERE (memory, character) IN
       (SELECT memory, character FROM memory_about WHERE memory BETWEEN ?1 << 40 AND (?1 + 1) << 40 LIMIT ?2)",
    "DELETE FROM memory WHERE id IN (SELECT id FROM memory WHERE id BETWEEN ?1 << 40 AND (?1 + 1) << 40 LIMIT ?2)",
    "DELETE FROM round_person WHERE (round, place) IN
       (SELECT round, place FROM round_person WHERE round BETWEEN ?1 << 40 AND (?1 + 1) << 40 LIMIT ?2)",
    "DELETE FROM round WHERE id IN (SELECT id FROM round WHERE id BETWEEN ?1 << 40 AND (?1 + 1) << 40 LIMIT ?2)",
    "DELETE FROM world_keepsake WHERE (world, file) IN
       (SELECT world, file FROM world_keepsake WHERE world = ?1 LIMIT ?2)",
    "DELETE FROM conversation_keepsake WHERE conversation IN
       (SELECT k.conversation FROM conversation c JOIN conversation_keepsake k ON k.conversation = c.no
        WHERE c.world = ?1 LIMIT ?2)",
    "DELETE FROM append_key WHERE (conversation, key) IN
       (SELECT k.conversation, k.key FROM conversation c JOIN append_key k ON k.conversation = c.no
        WHERE c.world = ?1 LIMIT ?2)",
    "DELETE FROM seat WHERE (conversation, character) IN
       (SELECT s.conversation, s.character FROM conversation c JOIN seat s ON s.conversation = c.no
        WHERE c.world = ?1 LIMIT ?2)",
    "DELETE FROM stream WHERE (conversation, circle) IN
       (SELECT s.conversation, s.circle FROM conversation c JOIN stream s ON s.conversation = c.no
        WHERE c.world = ?1 LIMIT ?2)",
    "DELETE FROM rank WHERE (a, b, at, line) IN
       (SELECT r.a, r.b, r.at, r.line FROM character c JOIN rank r ON r.a = c.no WHERE c.world = ?1 LIMIT ?2)",
    "DELETE FROM circle_member WHERE (circle, character) IN
       (SELECT m.circle, m.character FROM circle c JOIN circle_member m ON m.circle = c.no
        WHERE c.world = ?1 LIMIT ?2)",
    "DELETE FROM character_version WHERE (character, version) IN
       (SELECT v.character, v.version FROM character c JOIN character_version v ON v.character = c.no
        WHERE c.world = ?1 LIMIT ?2)",
];
