//! Rounds that nobody opened: which lines are theirs, and what if these change or go?

use std::collections::BTreeSet;

use reverie_core::round::{RoundState, Span};
use reverie_core::{ConversationId, Error, LineId};
use rusqlite::{Connection, OptionalExtension, params};

use super::{COLUMNS, RoundRow, columns, set_state, standing, state_number};
use crate::backlog;
use crate::conversation::{ConversationRow, missing_line};
use crate::error::Result;
use crate::log::{self, Kind};
use crate::tree::checked_parent;
use crate::world::{Revision, WorldRow};

/// A line of a round that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Posted {
    pub(crate) number: i64,
    pub(crate) speaker: Option<i64>,
    /// The circle of those present; in a host's round, of those who heard it.
    pub(crate) present: i64,
    /// The number of the round that a host put it into.
    pub(crate) round: Option<i64>,
    /// False if nobody ever saw it: the head was moved behind what a host broke off.
    pub(crate) is_shown: bool,
}

/// The lines of a round that was found: those on the way to its last one that are of no host's round there, oldest first.
pub(crate) fn lines(connection: &Connection, world: &WorldRow, round: &RoundRow) -> Result<Vec<Posted>> {
    let mut lines = way(connection, world, round.first, round.last)?;
    let hosts = standing::on_way(connection, world, &lines)?;
    lines.retain(|line| line.round.is_none_or(|round| !hosts.contains(&round)));
    Ok(lines)
}

/// All lines from one to another, oldest first, whosever they are.
fn way(
    connection: &Connection,
    world: &WorldRow,
    first: Option<i64>,
    last: Option<i64>,
) -> Result<Vec<Posted>> {
    let mut look = connection.prepare_cached(
        "SELECT parent, attribute IS NOT NULL, speaker, iif(round IS NULL, present, witnesses), round, hidden & 2 = 0
         FROM line WHERE id = ?1",
    )?;
    let first = first.unwrap_or(i64::MAX);
    let mut lines = Vec::new();
    let mut at = last;
    while let Some(number) = at.filter(|number| *number >= first) {
        let (parent, is_spoken, line): (Option<i64>, bool, Posted) = look
            .query_row([world.line_key(number as u64)], |row| {
                let line = Posted {
                    number,
                    speaker: row.get(2)?,
                    present: row.get(3)?,
                    round: row.get(4)?,
                    is_shown: row.get(5)?,
                };
                Ok((row.get(0)?, row.get(1)?, line))
            })
            .optional()?
            .ok_or_else(|| missing_line(number))?;
        if is_spoken {
            lines.push(line);
        }
        at = checked_parent(number, parent)?;
    }
    lines.reverse();
    Ok(lines)
}

/// Rounds that were found where one of these lines (between the first and the last of them) could be.
pub(crate) fn around(
    connection: &Connection,
    conversation: i64,
    from: i64,
    to: i64,
) -> Result<Vec<RoundRow>> {
    let sql = format!(
        "{COLUMNS} INDEXED BY round_found WHERE conversation = ?1 AND explicit = 0 AND last >= ?2 AND first <= ?3"
    );
    let found: Vec<Result<RoundRow>> = connection
        .prepare_cached(&sql)?
        .query_map([conversation, from, to], columns)?
        .collect::<rusqlite::Result<_>>()?;
    found.into_iter().collect()
}

/// All rounds that were found in a world.
pub(crate) fn all(connection: &Connection, world: &WorldRow) -> Result<Vec<RoundRow>> {
    let (low, high) = world.keys();
    let sql = format!("{COLUMNS} WHERE id BETWEEN ?1 AND ?2 AND explicit = 0");
    let found: Vec<Result<RoundRow>> =
        connection.prepare_cached(&sql)?.query_map([low, high], columns)?.collect::<rusqlite::Result<_>>()?;
    found.into_iter().collect()
}

/// A line changed: what is remembered of its rounds is not what they are now.
pub(crate) fn stale(connection: &Connection, world: &WorldRow, line: LineId, revision: u64) -> Result<()> {
    let number = line.get() as i64;
    let (conversation, explicit): (i64, Option<i64>) = connection
        .prepare_cached("SELECT conversation, round FROM line WHERE id = ?1")?
        .query_row([world.line_key(line.get())], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut is_stale = false;
    for round in rounds_of(connection, world, conversation, explicit, number)? {
        if round.state == Some(RoundState::Digested) {
            set_state(connection, world, round.key, RoundState::Closed, revision)?;
            is_stale = true;
        }
    }
    if is_stale { backlog::settle(connection, world, conversation) } else { Ok(()) }
}

fn rounds_of(
    connection: &Connection,
    world: &WorldRow,
    conversation: i64,
    explicit: Option<i64>,
    number: i64,
) -> Result<Vec<RoundRow>> {
    let mut rounds = Vec::new();
    if let Some(round) = explicit {
        let key = world.key(round as u64);
        let found = connection.prepare_cached(&format!("{COLUMNS} WHERE id = ?1"))?.query_row([key], columns);
        rounds.extend(found.optional()?.transpose()?);
    }
    // A line of a host's round is in one that was found where the host's does not stand, and where that is may change.
    for round in around(connection, conversation, number, number)? {
        if way(connection, world, round.first, round.last)?.iter().any(|line| line.number == number) {
            rounds.push(round);
        }
    }
    Ok(rounds)
}

/// Before lines of a conversation go: what was remembered of their rounds goes too, and rounds that were found hold on to the
/// lines that stay.
pub(crate) fn let_go(
    connection: &Connection,
    world: &WorldRow,
    conversation: i64,
    gone: &BTreeSet<i64>,
    revision: u64,
) -> Result<()> {
    let (Some(from), Some(to)) = (gone.first(), gone.last()) else { return Ok(()) };
    let mut look = connection.prepare_cached("SELECT round FROM line WHERE id = ?1")?;
    let mut explicit: BTreeSet<i64> = BTreeSet::new();
    for number in gone {
        let round: Option<i64> = look.query_row([world.line_key(*number as u64)], |row| row.get(0))?;
        explicit.extend(round.map(|round| world.key(round as u64)));
    }
    for round in &explicit {
        undigest(connection, world, *round, revision)?;
    }
    for round in around(connection, conversation, *from, *to)? {
        let lines = lines(connection, world, &round)?;
        let begins_or_ends_there = round.first.into_iter().chain(round.last).any(|end| gone.contains(&end));
        if !begins_or_ends_there && !lines.iter().any(|line| gone.contains(&line.number)) {
            continue;
        }
        let mut left = lines.iter().filter(|line| !gone.contains(&line.number)).map(|line| line.number);
        let first = left.next();
        match (first, left.next_back().or(first)) {
            (Some(first), Some(last)) => {
                undigest(connection, world, round.key, revision)?;
                connection
                    .prepare_cached("UPDATE round SET first = ?2, last = ?3 WHERE id = ?1")?
                    .execute([round.key, first, last])?;
            }
            _ => remove(connection, world, &round)?,
        }
    }
    explicit.iter().try_for_each(|round| standing::end_before(connection, world, *round, gone))
}

/// What was remembered of a round is gone for good, so no restore finds it remembered.
pub(crate) fn undigest(connection: &Connection, world: &WorldRow, key: i64, revision: u64) -> Result<()> {
    let state: Option<i64> = connection
        .prepare_cached("SELECT state FROM round WHERE id = ?1")?
        .query_row([key], |row| row.get(0))
        .optional()?
        .flatten();
    let (closed, digested) = (state_number(RoundState::Closed), state_number(RoundState::Digested));
    connection
        .prepare_cached(
            "UPDATE change SET value = ?4 WHERE world = ?1 AND kind = ?2 AND subject = ?3 AND value = ?5",
        )?
        .execute(params![world.no, Kind::Round as i64, crate::line::number(key), closed, digested])?;
    if state == Some(digested) {
        set_state(connection, world, key, RoundState::Closed, revision)?;
    }
    Ok(())
}

fn remove(connection: &Connection, world: &WorldRow, round: &RoundRow) -> Result<()> {
    connection
        .prepare_cached("DELETE FROM change WHERE world = ?1 AND kind = ?2 AND subject = ?3")?
        .execute(params![world.no, Kind::Round as i64, round.number()])?;
    connection.prepare_cached("DELETE FROM round_person WHERE round = ?1")?.execute([round.key])?;
    connection.prepare_cached("DELETE FROM round WHERE id = ?1")?.execute([round.key])?;
    Ok(())
}

/// A round that was found is digested; the same one if it was found before. Gives back the conversation.
pub(crate) fn digest(
    connection: &Connection,
    world: &WorldRow,
    id: &ConversationId,
    span: Span,
    revision: &mut Revision<'_>,
) -> Result<i64> {
    let conversation = ConversationRow::find(connection, world, id)?.no;
    check_span(connection, world, conversation, span)?;
    let (first, last) = (span.first.get() as i64, span.last.get() as i64);
    let known: Option<RoundRow> = connection
        .prepare_cached(&format!(
            "{COLUMNS} INDEXED BY round_found WHERE conversation = ?1 AND explicit = 0 AND last = ?2 AND first = ?3
             ORDER BY id LIMIT 1"
        ))?
        .query_row([conversation, last, first], columns)
        .optional()?
        .transpose()?;
    if let Some(round) = known {
        if round.state != Some(RoundState::Digested) {
            set_state(connection, world, round.key, RoundState::Digested, revision.get()?)?;
        }
        return Ok(conversation);
    }
    let opened_ms = connection
        .prepare_cached("SELECT wall_ms FROM line WHERE id = ?1")?
        .query_row([world.line_key(span.first.get())], |row| row.get(0))?;
    let round = RoundRow {
        key: super::fresh_key(connection, world)?,
        conversation,
        is_explicit: false,
        state: Some(RoundState::Digested),
        opened_ms,
        first: Some(first),
        last: Some(last),
        ending: None,
        ends_at: None,
        settled: 0,
    };
    let revision = revision.get()?;
    super::insert(connection, &round, revision)?;
    let state = Some(state_number(RoundState::Digested));
    log::set(connection, world.no, revision, Kind::Round, round.number(), state)?;
    Ok(conversation)
}

/// Both ends are lines of the conversation that are of no host's round there, and one leads to the other.
fn check_span(connection: &Connection, world: &WorldRow, conversation: i64, span: Span) -> Result<()> {
    let (first, last) = (span.first.get() as i64, span.last.get() as i64);
    if is_span(connection, world, conversation, first, last)? {
        let lines = way(connection, world, Some(first), Some(last))?;
        let hosts = standing::on_way(connection, world, &lines)?;
        let is_hosts = |line: &Posted| line.round.is_some_and(|round| hosts.contains(&round));
        if !lines.first().is_some_and(is_hosts) && !lines.last().is_some_and(is_hosts) {
            return Ok(());
        }
    }
    Err(Error::invalid(format!("no round was found from line {} to line {}", span.first, span.last))
        .hint("read again what there is and decide anew")
        .into())
}

/// Whether both are lines of the conversation, and one leads to the other.
pub(crate) fn is_span(
    connection: &Connection,
    world: &WorldRow,
    conversation: i64,
    first: i64,
    last: i64,
) -> Result<bool> {
    let mut spoken = connection
        .prepare_cached("SELECT 1 FROM line WHERE id = ?1 AND conversation = ?2 AND attribute IS NOT NULL")?;
    for number in [first, last] {
        if !spoken.exists([world.line_key(number as u64), conversation])? {
            return Ok(false);
        }
    }
    let lines = way(connection, world, Some(first), Some(last))?;
    Ok(lines.first().is_some_and(|line| line.number == first))
}
