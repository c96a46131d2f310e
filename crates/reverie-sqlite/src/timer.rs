//! Which lore timers run where a conversation stands now?
//!
//! They are bound to lines, so they come and go with the path and need nothing of a checkpoint.

use reverie_core::LineId;
use rusqlite::{Connection, OptionalExtension, params};

use crate::conversation::ConversationRow;
use crate::error::Result;
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
