//! How much does a world hold?

use reverie_core::store::Counts;
use rusqlite::Connection;

use crate::error::Result;
use crate::world::WorldRow;

/// Each part of the world is one range of its table, so that nothing of another world is looked at.
const COUNTS: &str = "
    SELECT (SELECT count(*) FROM character WHERE world = ?1 AND erased = 0 AND away = 0),
           (SELECT count(*) FROM conversation WHERE world = ?1 AND away = 0),
           (SELECT count(*) FROM line WHERE id BETWEEN ?1 << 40 AND (?1 << 40) + 1099511627775 AND attribute IS NOT NULL
              AND active = 1),
           (SELECT count(*) FROM round WHERE id BETWEEN ?1 << 40 AND (?1 << 40) + 1099511627775 AND state = 1),
           (SELECT count(*) FROM round WHERE id BETWEEN ?1 << 40 AND (?1 << 40) + 1099511627775 AND state = 2),
           (SELECT count(*) FROM round WHERE id BETWEEN ?1 << 40 AND (?1 << 40) + 1099511627775 AND state = 3),
           (SELECT count(DISTINCT memory) FROM holding
            WHERE memory BETWEEN ?1 << 40 AND (?1 << 40) + 1099511627775 AND version IS NOT NULL)";

pub(crate) fn counts(connection: &Connection, world: &WorldRow) -> Result<Counts> {
    let counts = connection.prepare_cached(COUNTS)?.query_row([world.no], |row| {
        Ok(Counts {
            characters: row.get(0)?,
            conversations: row.get(1)?,
            lines: row.get(2)?,
            open_rounds: row.get(3)?,
            closed_rounds: row.get(4)?,
            digested_rounds: row.get(5)?,
            memories: row.get(6)?,
        })
    })?;
    Ok(counts)
}
