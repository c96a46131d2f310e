//! Which memories are fresh again, because somebody spoke with them in mind?
//!
//! Bound to the line that answered, so they come and go with the path, like lore timers.

use reverie_core::line::Order;
use reverie_core::time::{Moment, Tick};
use reverie_core::{CharacterId, Line, MemoryId};
use rusqlite::{Connection, OptionalExtension, params};

use crate::error::Result;
use crate::holding;
use crate::world::WorldRow;

/// Whatever is not there is passed over.
pub(crate) fn put(
    connection: &Connection,
    world: &WorldRow,
    line: &Line,
    refreshed: &[(MemoryId, CharacterId)],
) -> Result<()> {
    for (memory, holder) in refreshed {
        if let Some(found) =
            holding::find(connection, world, *memory, holder)?.filter(|found| found.is_there())
        {
            insert(connection, found.no, line.tick, world.line_key(line.id.get()))?;
        }
    }
    Ok(())
}

pub(crate) fn insert(connection: &Connection, holding: i64, tick: Option<Tick>, line: i64) -> Result<bool> {
    let inserted = connection
        .prepare_cached("INSERT OR IGNORE INTO refreshed (holding, tick, line) VALUES (?1, ?2, ?3)")?
        .execute(params![holding, tick.unwrap_or(Order::BEFORE_TIME), line])?;
    Ok(inserted > 0)
}

/// When the newest such line on the active path was said; what other branches recorded is passed over.
pub(crate) fn newest(connection: &Connection, holding: i64) -> Result<Option<Moment>> {
    let newest = connection
        .prepare_cached(
            "SELECT nullif(r.tick, ?2), l.wall_ms FROM refreshed r CROSS JOIN line l ON l.id = r.line
             WHERE r.holding = ?1 AND l.active = 1 ORDER BY r.tick DESC, r.line DESC LIMIT 1",
        )?
        .query_row([holding, Order::BEFORE_TIME], |row| {
            Ok(Moment { tick: row.get(0)?, wall_ms: row.get(1)? })
        })
        .optional()?;
    Ok(newest)
}
