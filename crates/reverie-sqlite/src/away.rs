//! What came into a world later than where a restore went back to, and when is it there again?
//!
//! Nothing of it is deleted: it is away, found by its id alone, and comes back with a later checkpoint or as soon as somebody
//! uses it.

use reverie_core::store::Select;
use rusqlite::{Connection, OptionalExtension, params};

use crate::error::Result;
use crate::log::{self, Kind};
use crate::world::WorldRow;

/// As the log says it; what it says nothing of has been there since it was made.
const AWAY: i64 = 1;
const THERE: i64 = 0;

/// A list has only what is there; an id finds it wherever it is. Behind other conditions.
pub(crate) fn listed(select: &Select) -> &'static str {
    match select {
        Select::One(_) => "",
        Select::Page { .. } => "AND away = 0",
    }
}

/// Whatever was made after a revision, as the log names it.
pub(crate) fn made_after(
    connection: &Connection,
    world: &WorldRow,
    revision: u64,
) -> Result<Vec<(i64, i64)>> {
    let made = connection
        .prepare_cached(
            "SELECT ?3, no FROM conversation WHERE world = ?1 AND revision > ?2
             UNION ALL SELECT ?4, no FROM character WHERE world = ?1 AND revision > ?2",
        )?
        .query_map(
            params![world.no, revision, Kind::ConversationAway as i64, Kind::CharacterAway as i64],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?
        .collect::<rusqlite::Result<_>>()?;
    Ok(made)
}

/// Whether something was away at a revision; before it was made it was nowhere.
pub(crate) fn value_at(
    connection: &Connection,
    world: &WorldRow,
    kind: Kind,
    subject: i64,
    revision: u64,
) -> Result<Option<i64>> {
    let sql = format!("SELECT revision FROM {} WHERE no = ?1", table(kind));
    let made: Option<u64> =
        connection.prepare_cached(&sql)?.query_row([subject], |row| row.get(0)).optional()?;
    match made {
        Some(made) if made > revision => Ok(Some(AWAY)),
        _ => log::value_at(connection, world.no, kind, subject, revision),
    }
}

/// Makes a logged value the current state.
pub(crate) fn apply(connection: &Connection, kind: Kind, subject: i64, value: Option<i64>) -> Result<()> {
    let sql = format!("UPDATE {} SET away = ?2 WHERE no = ?1", table(kind));
    connection.prepare_cached(&sql)?.execute([subject, value.unwrap_or(THERE)])?;
    Ok(())
}

/// Whether a character is.
pub(crate) fn is_away(connection: &Connection, character: i64) -> Result<bool> {
    let is_away = connection
        .prepare_cached("SELECT 1 FROM character WHERE no = ?1 AND away = 1")?
        .exists([character])?;
    Ok(is_away)
}

/// Somebody who was away is mentioned.
pub(crate) fn character_returns(
    connection: &Connection,
    world: &WorldRow,
    character: i64,
    revision: u64,
) -> Result<()> {
    returns(connection, world, Kind::CharacterAway, character, revision)
}

/// A conversation is used, or its path leads elsewhere: it is there, and so is everyone on its path.
pub(crate) fn conversation_returns(
    connection: &Connection,
    world: &WorldRow,
    conversation: i64,
    revision: u64,
) -> Result<()> {
    let is_away = connection
        .prepare_cached("SELECT 1 FROM conversation WHERE no = ?1 AND away = 1")?
        .exists([conversation])?;
    if is_away {
        returns(connection, world, Kind::ConversationAway, conversation, revision)?;
    }
    let people: Vec<i64> = connection
        .prepare_cached(
            "SELECT c.no FROM character c INDEXED BY character_away
             WHERE c.world = ?1 AND c.away = 1 AND c.erased = 0 AND (
               EXISTS (SELECT 1 FROM conversation r JOIN circle_member m ON m.circle = r.members
                       WHERE r.no = ?2 AND m.character = c.no)
               OR EXISTS (SELECT 1 FROM line l WHERE l.conversation = ?2 AND l.active = 1 AND l.speaker = c.no)
               OR EXISTS (SELECT 1 FROM stream s JOIN circle_member m ON m.circle = s.circle
                          JOIN line l ON l.conversation = s.conversation AND l.witnesses = s.circle AND l.active = 1
                          WHERE s.conversation = ?2 AND m.character = c.no))",
        )?
        .query_map([world.no, conversation], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    people.into_iter().try_for_each(|person| character_returns(connection, world, person, revision))
}

fn returns(connection: &Connection, world: &WorldRow, kind: Kind, subject: i64, revision: u64) -> Result<()> {
    apply(connection, kind, subject, Some(THERE))?;
    log::set(connection, world.no, revision, kind, subject, Some(THERE))
}

fn table(kind: Kind) -> &'static str {
    match kind {
        Kind::ConversationAway => "conversation",
        _ => "character",
    }
}
