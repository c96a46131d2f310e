//! How are the lines of one conversation paged through?

use reverie_core::conversation::{LinesQuery, WhichLines};
use reverie_core::{CharacterId, ConversationId, Line, LineId};
use rusqlite::{Connection, OptionalExtension, params};

use crate::circle::Circles;
use crate::conversation::ConversationRow;
use crate::error::Result;
use crate::line;
use crate::world::WorldRow;

pub(crate) fn lines(
    connection: &Connection,
    world: &WorldRow,
    id: &ConversationId,
    query: &LinesQuery,
) -> Result<Vec<Line>> {
    let row = ConversationRow::find(connection, world, id)?;
    let witness = match &query.witness {
        None => None,
        Some(witness) => match number_of(connection, world, witness)? {
            Some(number) => Some(number),
            None => return Ok(Vec::new()),
        },
    };
    let (first, last) = (world.line_key(0), world.line_key(LineId::LIMIT - 1));
    let (low, high) = match (query.after, query.newest_first) {
        (None, _) => (first, last),
        (Some(after), false) => (world.line_key(after.get()), last),
        (Some(after), true) => (first, world.line_key(after.get())),
    };
    // Numbers of our own, never a host's text, are written into the statement: each shape has its own plan.
    let (above, source, which) = match query.which {
        WhichLines::Path => (String::new(), "line l", "l.active = 1"),
        WhichLines::Tree => (String::new(), "line l", "l.active IN (0, 1)"),
        WhichLines::Children(parent) => (above(parent), "above a CROSS JOIN line l", "l.parent IS a.parent"),
    };
    let heard = witness.map_or(String::new(), |witness| {
        format!("AND EXISTS (SELECT 1 FROM circle_member m WHERE m.circle = l.witnesses AND m.character = {witness})")
    });
    let direction = if query.newest_first { "DESC" } else { "ASC" };
    let sql = format!(
        "{above} SELECT {} FROM {source} LEFT JOIN character s ON s.no = l.speaker
         WHERE l.conversation = ?1 AND {which} AND l.id > ?2 AND l.id < ?3 AND l.attribute IS NOT NULL {heard}
         ORDER BY l.id {direction} LIMIT ?4",
        line::COLUMNS
    );
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.query(params![row.no, low, high, query.limit as i64])?;
    let mut circles = Circles::default();
    let mut lines = Vec::new();
    while let Some(found) = rows.next()? {
        lines.push(line::read(connection, found, id, &mut circles)?);
    }
    Ok(lines)
}

/// A line, and all the nodes below it at which somebody only came or went: their children are its children.
fn above(parent: Option<LineId>) -> String {
    let parent = parent.map_or("NULL".to_owned(), |parent| parent.to_string());
    format!(
        "WITH RECURSIVE above(parent) AS (
           SELECT {parent} UNION
           SELECT n.id & 1099511627775 FROM above a CROSS JOIN line n
           WHERE n.conversation = ?1 AND n.parent IS a.parent AND n.attribute IS NULL)"
    )
}

pub(crate) fn number_of(connection: &Connection, world: &WorldRow, id: &CharacterId) -> Result<Option<i64>> {
    let number = connection
        .prepare_cached("SELECT no FROM character WHERE world = ?1 AND id = ?2")?
        .query_row(params![world.no, id.as_str()], |row| row.get(0))
        .optional()?;
    Ok(number)
}
