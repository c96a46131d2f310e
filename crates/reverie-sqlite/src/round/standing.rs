//! On which paths does a round of a host stand?
//!
//! Where the line is at which it ended; while it is open, wherever its lines are. A path that leaves it before its end has
//! lines of it that are of no host's round there: what was said anew instead of the rest belongs with them.

use std::collections::{BTreeMap, BTreeSet};

use reverie_core::RoundId;
use reverie_core::round::RoundState;
use rusqlite::{Connection, OptionalExtension, params};

use super::found::Posted;
use super::{COLUMNS, RoundRow, columns};
use crate::error::Result;
use crate::tree;
use crate::world::WorldRow;

/// The last line of a round, if it stands on the active path.
pub(crate) fn last_on_path(
    connection: &Connection,
    world: &WorldRow,
    round: &RoundRow,
) -> Result<Option<i64>> {
    if !stands(connection, world, round)? {
        return Ok(None);
    }
    if !round.is_explicit {
        return Ok(round.last);
    }
    Ok(round.span(connection)?.map(|span| span.last.get() as i64))
}

/// Whether a round stands on the active path.
pub(crate) fn stands(connection: &Connection, world: &WorldRow, round: &RoundRow) -> Result<bool> {
    let end = if round.is_explicit { round.ends_at } else { round.last };
    match (round.state, end) {
        (None, _) => Ok(false),
        (_, Some(end)) if is_active(connection, world, end)? => Ok(true),
        (Some(RoundState::Open), None) => Ok(true),
        (Some(RoundState::Open), Some(_)) => {
            let went_on = connection
                .prepare_cached(
                    "SELECT 1 FROM line WHERE conversation = ?1 AND round = ?2 AND active = 1 AND id > ?3",
                )?
                .exists([round.conversation, round.number(), world.line_key(round.settled as u64)])?;
            Ok(went_on)
        }
        _ => Ok(false),
    }
}

/// The numbers of the rounds of hosts that stand on a way from line to line.
pub(super) fn on_way(connection: &Connection, world: &WorldRow, lines: &[Posted]) -> Result<BTreeSet<i64>> {
    // The newest line of each.
    let mut newest: BTreeMap<i64, i64> = BTreeMap::new();
    for line in lines {
        newest.extend(line.round.map(|round| (round, line.number)));
    }
    let mut standing = BTreeSet::new();
    for (number, newest) in newest {
        let Some(round) = look(connection, world.key(number as u64))? else { continue };
        let ends_here = round.ends_at.is_some_and(|end| lines.iter().any(|line| line.number == end));
        let is_open = round.state == Some(RoundState::Open);
        let goes_on_here = is_open && (round.ends_at.is_none() || newest > round.settled);
        if round.state.is_some() && (ends_here || goes_on_here) {
            standing.insert(number);
        }
    }
    Ok(standing)
}

/// The first line of the active path that no round holds, because its host's round ended where the path does not lead. Only
/// rounds are asked that have lines behind this one: what comes before it was looked at when it was covered.
pub(crate) fn first_left_over(
    connection: &Connection,
    world: &WorldRow,
    conversation: i64,
    covered: i64,
) -> Result<Option<i64>> {
    let mut first: Option<i64> = None;
    for index in ["round_digested WHERE state = 3", "round_closed WHERE state = 2"] {
        let sql =
            format!("{COLUMNS} INDEXED BY {index} AND conversation = ?1 AND last > ?2 AND explicit = 1");
        let mut statement = connection.prepare_cached(&sql)?;
        let mut rows = statement.query([conversation, covered])?;
        while let Some(row) = rows.next()? {
            let round = columns(row)??;
            let left = left_of(connection, world, &round, covered)?;
            first = first.into_iter().chain(left).min();
        }
    }
    Ok(first)
}

/// The first line before one that is left of a round, and in none that was found.
fn left_of(connection: &Connection, world: &WorldRow, round: &RoundRow, before: i64) -> Result<Option<i64>> {
    let of_round = "FROM line WHERE conversation = ?1 AND round = ?2";
    let (from, to) = (world.line_key(0), world.line_key(before as u64));
    let is_longer = connection.prepare_cached(&format!("SELECT 1 {of_round} AND id > ?3"))?.exists([
        round.conversation,
        round.number(),
        to,
    ])?;
    if !is_longer || stands(connection, world, round)? {
        return Ok(None);
    }
    let sql = format!(
        "SELECT id & 1099511627775 {of_round} AND active = 1 AND hidden & 2 = 0 AND id BETWEEN ?3 AND ?4
           AND NOT EXISTS (SELECT 1 FROM round f INDEXED BY round_found JOIN line e ON e.id = ?3 + f.last
             WHERE f.conversation = ?1 AND f.explicit = 0 AND f.last >= (line.id & 1099511627775)
               AND f.first <= (line.id & 1099511627775) AND f.state IS NOT NULL AND e.active = 1)
         ORDER BY id LIMIT 1"
    );
    let left = connection
        .prepare_cached(&sql)?
        .query_row([round.conversation, round.number(), from, to], |row| row.get(0))
        .optional()?;
    Ok(left)
}

/// Says where a round ends that ends now: at the last line that was shown on the path since it was opened, or went on; else on
/// another branch; else where it ended before.
pub(super) fn end(connection: &Connection, world: &WorldRow, round: &RoundRow) -> Result<()> {
    connection
        .prepare_cached(
            "UPDATE round SET ends_at = coalesce((SELECT l.id & 1099511627775 FROM line l
               WHERE l.conversation = ?2 AND l.round = ?3 AND l.hidden & 2 = 0 AND l.id > ?4
               ORDER BY l.active DESC, l.id DESC LIMIT 1), ends_at) WHERE id = ?1",
        )?
        .execute([round.key, round.conversation, round.number(), world.line_key(round.settled as u64)])?;
    Ok(())
}

/// After a round ended: lines of it that lie on other branches are of no host's round any more. Rounds behind them that were remembered
/// while it was open passed over them, as it would have held them; these are looked at anew.
pub(super) fn uncover(connection: &Connection, world: &WorldRow, id: RoundId, revision: u64) -> Result<()> {
    let round = RoundRow::find(connection, world, id)?;
    let Some(left) = first_elsewhere(connection, world, &round)? else { return Ok(()) };
    let sql =
        format!("{COLUMNS} INDEXED BY round_digested WHERE conversation = ?1 AND state = 3 AND last > ?2");
    let later: Vec<Result<RoundRow>> = connection
        .prepare_cached(&sql)?
        .query_map([round.conversation, left], columns)?
        .collect::<rusqlite::Result<_>>()?;
    for later in later {
        let later = later?;
        // Of a host's round `last` may be a line that was erased.
        let is_behind = !later.is_explicit
            || connection
                .prepare_cached("SELECT 1 FROM line WHERE conversation = ?1 AND round = ?2 AND id > ?3")?
                .exists([later.conversation, later.number(), world.line_key(left as u64)])?;
        if is_behind {
            super::set_state(connection, world, later.key, RoundState::Closed, revision)?;
        }
    }
    Ok(())
}

/// The first line of a round that was judged and shown when it ended, and does not lead to its end.
fn first_elsewhere(connection: &Connection, world: &WorldRow, round: &RoundRow) -> Result<Option<i64>> {
    let shown: BTreeSet<i64> = connection
        .prepare_cached(
            "SELECT id & 1099511627775 FROM line
             WHERE conversation = ?1 AND round = ?2 AND hidden & 2 = 0 AND id > ?3",
        )?
        .query_map([round.conversation, round.number(), world.line_key(round.settled as u64)], |row| {
            row.get(0)
        })?
        .collect::<rusqlite::Result<_>>()?;
    let Some(first) = shown.first().copied() else { return Ok(None) };
    let mut way = BTreeSet::new();
    let mut at = round.ends_at;
    while let Some(number) = at.filter(|number| *number >= first) {
        way.insert(number);
        at = tree::node(connection, world, number)?.parent;
    }
    Ok(shown.difference(&way).next().copied())
}

/// After lines came to the path or went from it: a round that ended before them stands all the same, but what was remembered of it
/// is not what can be seen of it now. It ended while these lines were undone.
pub(crate) fn reshape(
    connection: &Connection,
    world: &WorldRow,
    flipped: &[i64],
    revision: u64,
) -> Result<()> {
    let mut look = connection.prepare_cached(
        "SELECT r.id FROM line l JOIN round r ON r.id = (l.id & ~1099511627775) + l.round
         WHERE l.id = ?1 AND l.hidden & 2 = 0 AND r.state = 3 AND r.explicit = 1
           AND r.ends_at < (l.id & 1099511627775)
           AND EXISTS (SELECT 1 FROM line e WHERE e.id = (l.id & ~1099511627775) + r.ends_at AND e.active = 1)",
    )?;
    for line in flipped {
        let round: Option<i64> = look.query_row([line], |row| row.get(0)).optional()?;
        if let Some(round) = round {
            super::set_state(connection, world, round, RoundState::Closed, revision)?;
        }
    }
    Ok(())
}

/// Of rounds that arrived from where no end was written down: their last line that was shown.
pub(crate) fn end_where_unknown(connection: &Connection, conversation: i64) -> Result<()> {
    connection
        .prepare_cached(
            "UPDATE round SET ends_at = (SELECT max(l.id) & 1099511627775 FROM line l
               WHERE l.conversation = ?1 AND l.round = (round.id & 1099511627775) AND l.hidden & 2 = 0)
             WHERE conversation = ?1 AND explicit = 1 AND ending IS NOT NULL AND ends_at IS NULL",
        )?
        .execute([conversation])?;
    Ok(())
}

/// Before lines go: a round that ended at one of them ends at the line of it that comes before.
pub(super) fn end_before(
    connection: &Connection,
    world: &WorldRow,
    key: i64,
    gone: &BTreeSet<i64>,
) -> Result<()> {
    let Some(round) = look(connection, key)? else { return Ok(()) };
    let Some(end) = round.ends_at.filter(|end| gone.contains(end)) else { return Ok(()) };
    let mut is_of_it =
        connection.prepare_cached("SELECT 1 FROM line WHERE id = ?1 AND round = ?2 AND hidden & 2 = 0")?;
    let mut at = tree::node(connection, world, end)?.parent;
    while let Some(number) = at {
        let is_end = is_of_it.exists([world.line_key(number as u64), round.number()])?;
        if is_end && !gone.contains(&number) {
            break;
        }
        at = tree::node(connection, world, number)?.parent;
    }
    connection.prepare_cached("UPDATE round SET ends_at = ?2 WHERE id = ?1")?.execute(params![key, at])?;
    Ok(())
}

fn look(connection: &Connection, key: i64) -> Result<Option<RoundRow>> {
    connection
        .prepare_cached(&format!("{COLUMNS} WHERE id = ?1"))?
        .query_row([key], columns)
        .optional()?
        .transpose()
}

fn is_active(connection: &Connection, world: &WorldRow, number: i64) -> Result<bool> {
    let is_active = connection
        .prepare_cached("SELECT 1 FROM line WHERE id = ?1 AND active = 1")?
        .exists([world.line_key(number as u64)])?;
    Ok(is_active)
}
