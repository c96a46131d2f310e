//! May a line be put into a round?
//!
//! Into an open one, and into one that is over where it is said beside a line of it: another answer to the same words. There
//! the round goes on until it ends again; on the path on which it ended before it stays as it was.

use reverie_core::round::RoundState;
use reverie_core::{Error, RoundId};
use rusqlite::Connection;

use super::RoundRow;
use crate::conversation::ConversationRow;
use crate::error::Result;
use crate::tree;
use crate::world::WorldRow;

/// A round that goes on.
pub(crate) struct GoesOn(RoundRow);

/// Whether lines may be put into a round behind a node; if it was over, it goes on with them.
pub(crate) fn check(
    connection: &Connection,
    world: &WorldRow,
    conversation: &ConversationRow,
    parent: Option<i64>,
    round: RoundId,
) -> Result<Option<GoesOn>> {
    let found = RoundRow::find(connection, world, round)?;
    if found.conversation != conversation.no {
        return Err(Error::not_found(format!(
            "there is no round {round} in conversation {:?}",
            conversation.id
        ))
        .hint("POST …/conversations/{conversation}/rounds opens one and returns its id")
        .into());
    }
    if found.state == Some(RoundState::Open) {
        return Ok(None);
    }
    if found.is_explicit
        && !is_over_at(connection, world, &found, parent)?
        && has_beside(connection, world, &found, parent)?
    {
        return Ok(Some(GoesOn(found)));
    }
    Err(Error::conflict(format!("round {round} is over"))
        .hint("open a new round; only another answer beside one of its lines can join it")
        .into())
}

/// Opens the round again. What was shown of it before is settled.
pub(crate) fn go_on(
    connection: &Connection,
    world: &WorldRow,
    GoesOn(round): &GoesOn,
    revision: u64,
) -> Result<()> {
    connection
        .prepare_cached("UPDATE round SET settled = coalesce(last, 0) WHERE id = ?1")?
        .execute([round.key])?;
    super::set_state(connection, world, round.key, RoundState::Open, revision)
}

/// Whether the way to a node leads past the end of the round, or it ended before anything was shown.
fn is_over_at(
    connection: &Connection,
    world: &WorldRow,
    round: &RoundRow,
    parent: Option<i64>,
) -> Result<bool> {
    let Some(end) = round.ends_at else { return Ok(true) };
    let mut at = parent;
    while let Some(number) = at.filter(|number| *number > end) {
        at = tree::node(connection, world, number)?.parent;
    }
    Ok(at == Some(end))
}

/// Whether a line of the round answers what a line behind this node would answer.
fn has_beside(
    connection: &Connection,
    world: &WorldRow,
    round: &RoundRow,
    parent: Option<i64>,
) -> Result<bool> {
    let spoken = |node: Option<i64>| -> Result<Option<i64>> {
        Ok(node.map(|node| tree::node(connection, world, node)).transpose()?.and_then(|node| node.spoken))
    };
    let answered = spoken(parent)?;
    let parents: Vec<Option<i64>> = connection
        .prepare_cached("SELECT parent FROM line WHERE conversation = ?1 AND round = ?2")?
        .query_map([round.conversation, round.number()], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    for parent in parents {
        if spoken(parent)? == answered {
            return Ok(true);
        }
    }
    Ok(false)
}
