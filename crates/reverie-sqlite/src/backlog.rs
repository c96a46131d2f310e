//! What was said that nobody remembers yet, or not as it is now?
//!
//! A conversation is marked as waiting when something is said in it, and looked at again whenever its path or its rounds change.

mod lines;
mod names;

use reverie_core::memories::BacklogsQuery;
use reverie_core::{ConversationId, WorldId};
use rusqlite::{Connection, params};

pub(crate) use lines::read;

use crate::conversation::ConversationRow;
use crate::error::Result;
use crate::round::standing::{self, last_on_path};
use crate::round::{COLUMNS, RoundRow, columns};
use crate::tree;
use crate::world::WorldRow;

/// Says that something was said.
pub(crate) fn wait(connection: &Connection, conversation: i64) -> Result<()> {
    connection.prepare_cached("UPDATE conversation SET waits = 1 WHERE no = ?1")?.execute([conversation])?;
    Ok(())
}

/// Looks whether something on the path waits.
pub(crate) fn settle(connection: &Connection, world: &WorldRow, conversation: i64) -> Result<()> {
    let row = ConversationRow::by_no(connection, conversation)?;
    let waits = has_uncovered(connection, world, &row)? || !waiting(connection, world, &row, 1)?.is_empty();
    if waits != row.waits {
        connection
            .prepare_cached("UPDATE conversation SET waits = ?2 WHERE no = ?1")?
            .execute(params![conversation, waits])?;
    }
    Ok(())
}

/// Whether anything waits in a conversation of the world but this one.
pub(crate) fn is_any_waiting(connection: &Connection, world: &WorldRow, except: Option<i64>) -> Result<bool> {
    let mut statement = connection.prepare_cached(
        "SELECT 1 FROM conversation INDEXED BY conversation_waiting
         WHERE world = ?1 AND waits = 1 AND no IS NOT ?2 LIMIT 1",
    )?;
    Ok(statement.exists(params![world.no, except])?)
}

/// The last line of the path that a digested round covers, with all that comes before it.
pub(crate) fn covered(
    connection: &Connection,
    world: &WorldRow,
    row: &ConversationRow,
) -> Result<Option<i64>> {
    let Some(covered) = covered_before(connection, world, row, i64::MAX)? else { return Ok(None) };
    match standing::first_left_over(connection, world, row.no, covered)? {
        Some(left) => covered_before(connection, world, row, left),
        None => Ok(Some(covered)),
    }
}

/// The last line before another one at which a digested round of the path ends.
fn covered_before(
    connection: &Connection,
    world: &WorldRow,
    row: &ConversationRow,
    before: i64,
) -> Result<Option<i64>> {
    let Some(head) = row.head else { return Ok(None) };
    // No line of a round comes behind its `last`, so those that could cover more come first. Of rounds that were found `last`
    // is a line, and behind the head no line is on the path.
    let sql = format!(
        "{COLUMNS} INDEXED BY round_digested WHERE conversation = ?1 AND state = 3 AND last < ?2
           AND (explicit = 1 OR last <= ?3) ORDER BY last DESC LIMIT 1"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut covered: Option<i64> = None;
    let mut below = i64::MAX;
    loop {
        let mut found = statement.query([row.no, below, head])?;
        let Some(found) = found.next()? else { return Ok(covered) };
        let round: RoundRow = columns(found)??;
        let Some(last) = round.last.filter(|last| covered.is_none_or(|covered| *last > covered)) else {
            return Ok(covered);
        };
        below = last;
        let last = last_on_path(connection, world, &round)?;
        covered = covered.max(last.filter(|last| *last < before));
    }
}

/// Whether anything that was shown stands behind what is covered.
fn has_uncovered(connection: &Connection, world: &WorldRow, row: &ConversationRow) -> Result<bool> {
    let covered = covered(connection, world, row)?;
    let mut at = row.head;
    while let Some(number) = at.filter(|number| covered.is_none_or(|covered| *number > covered)) {
        let is_shown = connection
            .prepare_cached("SELECT 1 FROM line WHERE id = ?1 AND attribute IS NOT NULL AND hidden & 2 = 0")?
            .exists([world.line_key(number as u64)])?;
        if is_shown {
            return Ok(true);
        }
        at = tree::node(connection, world, number)?.parent;
    }
    Ok(false)
}

/// The first rounds of the path that are over and not remembered, or not as they are now; by id.
fn waiting(
    connection: &Connection,
    world: &WorldRow,
    row: &ConversationRow,
    limit: usize,
) -> Result<Vec<RoundRow>> {
    let sql = format!("{COLUMNS} INDEXED BY round_closed WHERE conversation = ?1 AND state = 2 ORDER BY id");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query([row.no])?;
    let mut rounds = Vec::new();
    while let Some(found) = rows.next()?.filter(|_| rounds.len() < limit) {
        let round = columns(found)??;
        if last_on_path(connection, world, &round)?.is_some() {
            rounds.push(round);
        }
    }
    Ok(rounds)
}

/// A page of conversations in which something waits.
pub(crate) fn list(connection: &Connection, query: &BacklogsQuery) -> Result<Vec<(WorldId, ConversationId)>> {
    let mut found = Vec::new();
    for (no, id) in worlds(connection, query)? {
        let left = query.limit - found.len();
        if left == 0 {
            break;
        }
        let after =
            query.after.as_ref().filter(|(world, _)| *world == id).map_or("", |(_, room)| room.as_str());
        let mut statement = connection.prepare_cached(
            "SELECT id FROM conversation INDEXED BY conversation_waiting
             WHERE world = ?1 AND id > ?2 AND waits = 1 ORDER BY id LIMIT ?3",
        )?;
        let mut rows = statement.query(params![no, after, i64::try_from(left).unwrap_or(i64::MAX)])?;
        while let Some(row) = rows.next()? {
            let room: String = row.get(0)?;
            found.push((id.clone(), ConversationId::new(&room)?));
        }
    }
    Ok(found)
}

/// Worlds in which something waits, from the one at which the page begins, in the order of their ids.
fn worlds(connection: &Connection, query: &BacklogsQuery) -> Result<Vec<(i64, WorldId)>> {
    if let Some(id) = &query.world {
        let is_behind = query.after.as_ref().is_none_or(|(after, _)| after <= id);
        let row = WorldRow::look(connection, id)?.filter(|_| is_behind);
        return Ok(row.map(|row| (row.no, id.clone())).into_iter().collect());
    }
    // From world to world in the index, past all conversations of each.
    let mut statement = connection.prepare_cached(
        "WITH RECURSIVE waiting(world) AS (
           SELECT (SELECT min(world) FROM conversation INDEXED BY conversation_waiting WHERE waits = 1)
           UNION ALL
           SELECT (SELECT min(c.world) FROM conversation c INDEXED BY conversation_waiting
                   WHERE c.waits = 1 AND c.world > waiting.world)
           FROM waiting WHERE waiting.world IS NOT NULL)
         SELECT w.no, w.id FROM waiting CROSS JOIN world w ON w.no = waiting.world
         WHERE w.arrives IS NULL AND w.id >= ?1 ORDER BY w.id",
    )?;
    let after = query.after.as_ref().map_or("", |(world, _)| world.as_str());
    let mut rows = statement.query([after])?;
    let mut worlds = Vec::new();
    while let Some(row) = rows.next()? {
        let id: String = row.get(1)?;
        worlds.push((row.get(0)?, WorldId::new(&id)?));
    }
    Ok(worlds)
}
