//! Rounds: how are they kept, and how are they told?

pub(crate) mod closing;
pub(crate) mod company;
pub(crate) mod found;
pub(crate) mod joining;
pub(crate) mod opening;
pub(crate) mod standing;

use std::collections::BTreeMap;

use reverie_core::memories::{RoundsQuery, WhichRounds};
use reverie_core::round::{Ending, Participant, Round, RoundState, Span};
use reverie_core::{CharacterId, Code, Error, LineId, RoundId};
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::conversation::ConversationRow;
use crate::error::Result;
use crate::line::number;
use crate::log::{self, Kind};
use crate::new_line::NewRow;
use crate::world::WorldRow;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RoundRow {
    pub(crate) key: i64,
    pub(crate) conversation: i64,
    pub(crate) is_explicit: bool,
    /// None: it has not begun.
    pub(crate) state: Option<RoundState>,
    pub(crate) opened_ms: i64,
    /// Of a round that was found: its first line.
    pub(crate) first: Option<i64>,
    /// And its last one; else no line of it comes later.
    pub(crate) last: Option<i64>,
    pub(crate) ending: Option<Ending>,
    /// Of a round that a host ended: its last line that was shown, where it ended.
    pub(crate) ends_at: Option<i64>,
    /// Of a round that went on after its end: lines up to here were judged by an earlier end.
    pub(crate) settled: i64,
}

pub(crate) const COLUMNS: &str =
    "SELECT id, conversation, explicit, state, opened_ms, first, last, ending, ends_at, settled FROM round";

pub(crate) fn columns(row: &Row<'_>) -> rusqlite::Result<Result<RoundRow>> {
    let (state, ending): (Option<i64>, Option<i64>) = (row.get(3)?, row.get(7)?);
    let found = RoundRow {
        key: row.get(0)?,
        conversation: row.get(1)?,
        is_explicit: row.get(2)?,
        state: None,
        opened_ms: row.get(4)?,
        first: row.get(5)?,
        last: row.get(6)?,
        ending: None,
        ends_at: row.get(8)?,
        settled: row.get(9)?,
    };
    let read = || {
        let state = state.map(state_of).transpose()?;
        Ok(RoundRow { state, ending: ending.map(ending_of).transpose()?, ..found })
    };
    Ok(read())
}

/// The numbers are stored.
pub(crate) fn state_number(state: RoundState) -> i64 {
    match state {
        RoundState::Open => 1,
        RoundState::Closed => 2,
        RoundState::Digested => 3,
    }
}

pub(crate) fn state_of(number: i64) -> Result<RoundState> {
    [RoundState::Open, RoundState::Closed, RoundState::Digested]
        .into_iter()
        .find(|state| state_number(*state) == number)
        .ok_or_else(|| unknown("state", number))
}

pub(crate) fn ending_number(ending: Ending) -> i64 {
    match ending {
        Ending::Complete => 1,
        Ending::Aborted => 2,
    }
}

fn ending_of(number: i64) -> Result<Ending> {
    [Ending::Complete, Ending::Aborted]
        .into_iter()
        .find(|ending| ending_number(*ending) == number)
        .ok_or_else(|| unknown("ending", number))
}

fn unknown(what: &str, number: i64) -> crate::error::Error {
    Error::new(Code::Corrupt, format!("a round has an unknown {what} {number}"))
        .hint("run `reverie doctor` and restore a backup")
        .into()
}

impl RoundRow {
    pub(crate) fn look(connection: &Connection, world: &WorldRow, round: RoundId) -> Result<Option<Self>> {
        connection
            .prepare_cached(&format!("{COLUMNS} WHERE id = ?1"))?
            .query_row([world.key(round.get())], columns)
            .optional()?
            .transpose()
    }

    /// A round that has begun.
    pub(crate) fn find(connection: &Connection, world: &WorldRow, round: RoundId) -> Result<Self> {
        let found = Self::look(connection, world, round)?.filter(|found| found.state.is_some());
        Ok(found.ok_or_else(|| missing(round))?)
    }

    pub(crate) fn number(&self) -> i64 {
        number(self.key) as i64
    }

    /// Its first and last line. Those of an explicit round are on the active path, and were shown.
    pub(crate) fn span(&self, connection: &Connection) -> Result<Option<Span>> {
        let (first, last): (Option<i64>, Option<i64>) = match self.is_explicit {
            false => (self.first, self.last),
            true => connection
                .prepare_cached(
                    "SELECT min(id) & 1099511627775, max(id) & 1099511627775 FROM line
                     WHERE conversation = ?1 AND round = ?2 AND active = 1 AND hidden & 2 = 0",
                )?
                .query_row([self.conversation, self.number()], |row| Ok((row.get(0)?, row.get(1)?)))?,
        };
        let (Some(first), Some(last)) = (first, last) else { return Ok(None) };
        Ok(Some(Span { first: LineId::new(first as u64)?, last: LineId::new(last as u64)? }))
    }

    pub(crate) fn read(&self, connection: &Connection) -> Result<Round> {
        let id = RoundId::new(number(self.key))?;
        Ok(Round {
            id,
            conversation: ConversationRow::by_no(connection, self.conversation)?.id,
            explicit: self.is_explicit,
            state: self.state.ok_or_else(|| missing(id))?,
            present: people(connection, self.key)?,
            opened_ms: self.opened_ms,
            span: self.span(connection)?,
        })
    }
}

fn missing(round: RoundId) -> Error {
    Error::not_found(format!("there is no round {round}"))
        .hint("POST …/conversations/{conversation}/rounds opens one and returns its id")
}

/// Who was there when it opened.
pub(crate) fn people(connection: &Connection, key: i64) -> Result<Vec<Participant>> {
    let mut statement = connection.prepare_cached(
        "SELECT c.id, p.name FROM round_person p JOIN character c ON c.no = p.character
         WHERE p.round = ?1 ORDER BY p.place",
    )?;
    let mut rows = statement.query([key])?;
    let mut people = Vec::new();
    while let Some(row) = rows.next()? {
        let character = CharacterId::new(row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?)?;
        people.push(Participant { character, name: row.get(1)? });
    }
    Ok(people)
}

pub(crate) fn list(connection: &Connection, world: &WorldRow, query: &RoundsQuery) -> Result<Vec<Round>> {
    let after = world.key(query.after.map_or(0, RoundId::get));
    let (condition, subject) = match &query.which {
        WhichRounds::One(round) => ("id = ?1", world.key(round.get())),
        WhichRounds::Of(id) => ("conversation = ?1", ConversationRow::find(connection, world, id)?.no),
        WhichRounds::Open(id) => {
            ("conversation = ?1 AND state = 1", ConversationRow::find(connection, world, id)?.no)
        }
    };
    let sql = format!("{COLUMNS} WHERE {condition} AND state IS NOT NULL AND id > ?2 ORDER BY id LIMIT ?3");
    let found: Vec<Result<RoundRow>> = connection
        .prepare_cached(&sql)?
        .query_map(params![subject, after, query.limit as i64], columns)?
        .collect::<rusqlite::Result<_>>()?;
    found.into_iter().map(|row| row?.read(connection)).collect()
}

/// Says that lines were put into their rounds.
pub(crate) fn grew(connection: &Connection, world: &WorldRow, rows: &[NewRow<'_>]) -> Result<()> {
    let last: BTreeMap<i64, i64> =
        rows.iter().filter_map(|row| Some((row.round?, number(row.key) as i64))).collect();
    last.into_iter().try_for_each(|(round, line)| reach(connection, world, round, line))
}

/// Says that a line was put into a round.
pub(crate) fn reach(connection: &Connection, world: &WorldRow, round: i64, line: i64) -> Result<()> {
    connection
        .prepare_cached("UPDATE round SET last = max(coalesce(last, 0), ?2) WHERE id = ?1")?
        .execute([world.key(round as u64), line])?;
    Ok(())
}

/// Makes a logged state the current one, and gives back the conversation.
pub(crate) fn apply_state(connection: &Connection, key: i64, state: Option<i64>) -> Result<Option<i64>> {
    let conversation = connection
        .prepare_cached("UPDATE round SET state = ?2 WHERE id = ?1 RETURNING conversation")?
        .query_row(params![key, state], |row| row.get(0))
        .optional()?;
    Ok(conversation)
}

/// Gives a round a new state.
pub(crate) fn set_state(
    connection: &Connection,
    world: &WorldRow,
    key: i64,
    state: RoundState,
    revision: u64,
) -> Result<()> {
    let state = Some(state_number(state));
    apply_state(connection, key, state)?;
    log::set(connection, world.no, revision, Kind::Round, number(key) as i64, state)
}

/// The key of a new round.
pub(crate) fn fresh_key(connection: &Connection, world: &WorldRow) -> Result<i64> {
    let number: u64 = connection
        .prepare_cached(
            "UPDATE world SET next_round = next_round + 1 WHERE no = ?1 RETURNING next_round - 1",
        )?
        .query_row([world.no], |row| row.get(0))?;
    if number >= RoundId::LIMIT {
        return Err(Error::invalid("this world has as many rounds as a world can have")
            .hint("begin a new world, or fork this one at a checkpoint")
            .into());
    }
    Ok(world.key(number))
}

pub(crate) fn insert(connection: &Connection, row: &RoundRow, revision: u64) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO round (id, conversation, explicit, state, opened_ms, first, last, ending, ends_at, settled, revision)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        )?
        .execute(params![
            row.key,
            row.conversation,
            row.is_explicit,
            row.state.map(state_number),
            row.opened_ms,
            row.first,
            row.last,
            row.ending.map(ending_number),
            row.ends_at,
            row.settled,
            revision
        ])?;
    Ok(())
}
