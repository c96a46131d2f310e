//! How are the lines of one conversation paged through, and how is a single one read?

use reverie_core::conversation::{LinesQuery, WhichLines};
use reverie_core::line::no_line;
use reverie_core::{CharacterId, ConversationId, Line, LineId};
use rusqlite::{Connection, OptionalExtension, params};

use crate::circle::{self, Circles};
use crate::conversation::ConversationRow;
use crate::error::Result;
use crate::forgotten;
use crate::line::{self, Veil};
use crate::tree;
use crate::world::WorldRow;

pub(crate) fn lines(
    connection: &Connection,
    world: &WorldRow,
    id: &ConversationId,
    query: &LinesQuery,
) -> Result<Vec<Line>> {
    let row = ConversationRow::find(connection, world, id)?;
    let witnesses = match &query.witness {
        None => Vec::new(),
        Some(witness) => match number_of(connection, world, witness)? {
            Some(number) => vec![number],
            None => return Ok(Vec::new()),
        },
    };
    let (first, last) = (world.line_key(0), world.line_key(LineId::LIMIT - 1));
    let between = match (query.after, query.newest_first) {
        (None, _) => (first, last),
        (Some(after), false) => (world.line_key(after.get()), last),
        (Some(after), true) => (first, world.line_key(after.get())),
    };
    let mut keys = match query.which {
        WhichLines::Path => by_stream(connection, row.no, &witnesses, Range::Path, between, query)?,
        WhichLines::Tree => by_stream(connection, row.no, &witnesses, Range::Tree, between, query)?,
        WhichLines::Children(parent) => children(connection, world, row.no, &witnesses, parent, between)?,
    };
    keys.sort_unstable();
    if query.newest_first {
        keys.reverse();
    }
    keys.truncate(query.limit);
    line::by_keys(connection, &keys, id)
}

pub(crate) fn line(connection: &Connection, world: &WorldRow, id: LineId) -> Result<Line> {
    let key = world.line_key(id.get());
    let conversation = line::conversation_of(connection, key, id)?;
    let found = line::by_key(connection, key, &conversation, &mut Circles::default())?;
    Ok(found.ok_or_else(|| no_line(id))?)
}

pub(crate) fn words_of(
    connection: &Connection,
    world: &WorldRow,
    lines: &[LineId],
) -> Result<Vec<(LineId, String)>> {
    let mut statement = connection.prepare_cached("SELECT content FROM line WHERE id = ?1")?;
    let mut found = Vec::with_capacity(lines.len());
    for line in lines {
        let words = statement.query_row([world.line_key(line.get())], |row| row.get(0)).optional()?;
        found.extend(words.map(|words| (*line, words)));
    }
    Ok(found)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Range {
    /// What is on the active path and was shown.
    Path,
    Tree,
}

/// Enough keys from every set of witnesses that includes these: the page is among them.
fn by_stream(
    connection: &Connection,
    conversation: i64,
    witnesses: &[i64],
    range: Range,
    between: (i64, i64),
    query: &LinesQuery,
) -> Result<Vec<i64>> {
    let mut keys = Vec::new();
    let (active, veils): (&[i64], i64) = match range {
        Range::Path => (&[1], Veil::Unshown as i64),
        Range::Tree => (&[0, 1], 0),
    };
    let direction = if query.newest_first { "DESC" } else { "ASC" };
    let mut statement = connection.prepare_cached(&format!(
        "SELECT id FROM line WHERE conversation = ?1 AND witnesses = ?2 AND active = ?3 AND id > ?4 AND id < ?5
           AND attribute IS NOT NULL AND hidden & ?7 = 0 AND {} ORDER BY id {direction} LIMIT ?6",
        forgotten::is_in_mind("line", "?8")
    ))?;
    for stream in circle::streams(connection, conversation, witnesses)? {
        for active in active {
            let limit = query.limit as i64;
            let viewer = witnesses.first();
            let values = params![conversation, stream, active, between.0, between.1, limit, veils, viewer];
            for key in statement.query_map(values, |row| row.get(0))? {
                keys.push(key?);
            }
        }
    }
    Ok(keys)
}

/// The children of a line, and of the nodes below it at which somebody only came or went.
fn children(
    connection: &Connection,
    world: &WorldRow,
    conversation: i64,
    witnesses: &[i64],
    parent: Option<LineId>,
    between: (i64, i64),
) -> Result<Vec<i64>> {
    let mut keys = Vec::new();
    let mut above = vec![parent.map(|parent| parent.get() as i64)];
    while let Some(parent) = above.pop() {
        for child in tree::children(connection, world, conversation, parent)? {
            if !child.is_spoken {
                let node = line::number(child.key) as i64;
                tree::checked_parent(node, parent)?;
                above.push(Some(node));
            } else if child.is_shown
                && child.key > between.0
                && child.key < between.1
                && circle::includes(connection, child.witnesses, witnesses)?
                && !is_forgotten(connection, child.key, witnesses)?
            {
                keys.push(child.key);
            }
        }
    }
    Ok(keys)
}

fn is_forgotten(connection: &Connection, key: i64, witnesses: &[i64]) -> Result<bool> {
    match witnesses.first() {
        Some(viewer) => forgotten::is_forgotten_by(connection, key, *viewer),
        None => Ok(false),
    }
}

pub(crate) fn number_of(connection: &Connection, world: &WorldRow, id: &CharacterId) -> Result<Option<i64>> {
    let number = connection
        .prepare_cached("SELECT no FROM character WHERE world = ?1 AND id = ?2")?
        .query_row(params![world.no, id.as_str()], |row| row.get(0))
        .optional()?;
    Ok(number)
}
