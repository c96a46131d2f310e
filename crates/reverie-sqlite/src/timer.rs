//! Which lore timers run where a conversation stands now?
//!
//! They are bound to lines, so they come and go with the path and need nothing of a checkpoint.

use reverie_core::conversation::Attach;
use reverie_core::store::TimersAt;
use reverie_core::{ConversationId, LineId};
use rusqlite::{Connection, OptionalExtension, params};

use crate::append::attach_to;
use crate::conversation::ConversationRow;
use crate::error::Result;
use crate::tree;
use crate::world::WorldRow;

pub(crate) fn put(
    connection: &Connection,
    world: &WorldRow,
    conversation: i64,
    line: LineId,
    timers: &str,
) -> Result<()> {
    connection
        .prepare_cached("INSERT INTO lore_timers (line, conversation, text) VALUES (?1, ?2, ?3)")?
        .execute(params![world.line_key(line.get()), conversation, timers])?;
    Ok(())
}

/// The newest on the active path. No line on it comes behind the head; from there back, only what other branches recorded
/// is passed over.
pub(crate) fn newest(
    connection: &Connection,
    world: &WorldRow,
    conversation: &ConversationRow,
) -> Result<Option<String>> {
    let Some(head) = conversation.head else { return Ok(None) };
    let newest = connection
        .prepare_cached(
            "SELECT t.text FROM lore_timers t CROSS JOIN line l ON l.id = t.line
             WHERE t.conversation = ?1 AND t.line <= ?2 AND l.active = 1 ORDER BY t.line DESC LIMIT 1",
        )?
        .query_row([conversation.no, world.line_key(head as u64)], |row| row.get(0))
        .optional()?;
    Ok(newest)
}

/// What runs where lines would attach. At the head nothing is walked; elsewhere the path is, up to its root.
pub(crate) fn at(
    connection: &Connection,
    world: &WorldRow,
    id: &ConversationId,
    attach: Attach,
    through: Option<LineId>,
) -> Result<TimersAt> {
    let row = ConversationRow::find(connection, world, id)?;
    let parent = attach_to(connection, world, &row, attach)?;
    let head = row.spoken_head(connection, world)?;
    if parent == row.head {
        let is_active = |line: LineId| {
            connection
                .prepare_cached("SELECT 1 FROM line WHERE id = ?1 AND conversation = ?2 AND active = 1")?
                .exists([world.line_key(line.get()), row.no])
        };
        let leads_through = through.map(is_active).transpose()?.unwrap_or(true);
        return Ok(TimersAt { timers: newest(connection, world, &row)?, head, leads_through });
    }
    let mut timers = None;
    let mut leads_through = through.is_none();
    let mut next = parent;
    while let Some(number) = next {
        leads_through |= through.is_some_and(|line| line.get() as i64 == number);
        if timers.is_none() {
            timers = connection
                .prepare_cached("SELECT text FROM lore_timers WHERE line = ?1")?
                .query_row([world.line_key(number as u64)], |row| row.get(0))
                .optional()?;
        }
        next = tree::node(connection, world, number)?.parent;
    }
    Ok(TimersAt { timers, head, leads_through })
}
