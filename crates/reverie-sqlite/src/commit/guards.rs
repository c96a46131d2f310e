//! Is what was read still so?

use reverie_core::memories::{Guard, ReadLine};
use reverie_core::round::RoundState;
use rusqlite::{Connection, OptionalExtension, params};

use crate::backlog;
use crate::circle::Circles;
use crate::conversation::ConversationRow;
use crate::error::Result;
use crate::held;
use crate::holding;
use crate::job;
use crate::round::RoundRow;
use crate::world::WorldRow;

/// A guard about something that is not there does not hold.
pub(super) fn holds(connection: &Connection, world: &WorldRow, guard: &Guard) -> Result<bool> {
    match guard {
        Guard::Lines(lines) => {
            for line in lines {
                if !is_as_read(connection, world, line)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        Guard::Covered { conversation, through } => {
            let Some(row) = ConversationRow::look(connection, world, conversation)? else { return Ok(false) };
            let covered = backlog::covered(connection, world, &row)?;
            Ok(covered == through.map(|line| line.get() as i64))
        }
        Guard::Waiting(round) => {
            let found = RoundRow::look(connection, world, *round)?;
            Ok(found.is_some_and(|found| found.state == Some(RoundState::Closed)))
        }
        Guard::State { memory, holder, version } => {
            let found = holding::find(connection, world, *memory, holder)?;
            Ok(found.is_some_and(|found| found.version == Some(*version)))
        }
        Guard::Job { key, version } => Ok(job::version(connection, world, key)? == *version),
        Guard::Valid { memory, holder, valid } => {
            Ok(held::is_at_hand(connection, world, *memory, holder)? == *valid)
        }
    }
}

/// Nothing that nobody saw was ever read.
fn is_as_read(connection: &Connection, world: &WorldRow, read: &ReadLine) -> Result<bool> {
    let forgotten_by: Option<Option<i64>> = connection
        .prepare_cached(
            "SELECT (SELECT f.circle FROM forgotten f WHERE f.line = line.id) FROM line
             WHERE id = ?1 AND attribute IS NOT NULL AND active = 1 AND version = ?2
               AND hidden & 1 = ?3 AND hidden & 2 = 0",
        )?
        .query_row(params![world.line_key(read.line.get()), read.version, read.hidden], |row| row.get(0))
        .optional()?;
    match forgotten_by {
        None => Ok(false),
        Some(None) => Ok(read.forgotten_by.is_empty()),
        Some(Some(circle)) => Ok(Circles::default().ids(connection, circle)? == read.forgotten_by),
    }
}
