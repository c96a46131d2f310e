//! The change log: what was a thing's value at a revision, and how does a world begin anew there?

use reverie_core::store::Select;
use reverie_core::world::{Checkpoint, no_checkpoint};
use reverie_core::{CheckpointId, Error, WorldId};
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::error::Result;
use crate::line::{self, Veil};
use crate::living::Stirred;
use crate::select::rows;
use crate::world::{self, WorldRow};
use crate::{away, character, forgotten, holding, round, tree};

/// What kind of thing a change row speaks of; the numbers are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Head = 1,
    Wording = 2,
    Hidden = 3,
    Card = 4,
    Settings = 5,
    Beginning = 6,
    Unshown = 7,
    Round = 8,
    Holding = 9,
    Forgotten = 10,
    ConversationAway = 11,
    CharacterAway = 12,
}

impl Kind {
    pub(crate) fn from_number(number: i64) -> Result<Self> {
        const ALL: [Kind; 12] = [
            Kind::Head,
            Kind::Wording,
            Kind::Hidden,
            Kind::Card,
            Kind::Settings,
            Kind::Beginning,
            Kind::Unshown,
            Kind::Round,
            Kind::Holding,
            Kind::Forgotten,
            Kind::ConversationAway,
            Kind::CharacterAway,
        ];
        ALL.into_iter().find(|kind| *kind as i64 == number).ok_or_else(|| {
            Error::new(reverie_core::Code::Corrupt, format!("the change log has an unknown kind {number}"))
                .into()
        })
    }
}

pub(crate) fn set(
    connection: &Connection,
    world: i64,
    revision: u64,
    kind: Kind,
    subject: i64,
    value: Option<i64>,
) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO change (world, kind, subject, revision, value) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT DO UPDATE SET value = excluded.value",
        )?
        .execute(params![world, kind as i64, subject, revision, value])?;
    Ok(())
}

/// The last value at or before a revision; None if there was none yet, which is every kind's first state.
pub(crate) fn value_at(
    connection: &Connection,
    world: i64,
    kind: Kind,
    subject: i64,
    revision: u64,
) -> Result<Option<i64>> {
    let value = connection
        .prepare_cached(
            "SELECT value FROM change WHERE world = ?1 AND kind = ?2 AND subject = ?3 AND revision <= ?4
             ORDER BY revision DESC LIMIT 1",
        )?
        .query_row(params![world, kind as i64, subject, revision], |row| row.get(0))
        .optional()?;
    Ok(value.flatten())
}

/// Gives everything that changed since a revision the value that it had there, as one new revision.
pub(crate) fn restore(connection: &Connection, world: &WorldRow, id: &CheckpointId) -> Result<()> {
    let target = find(connection, world, id)?.revision;
    go_back_to(connection, world, target)
}

/// As `restore`, to any revision.
pub(crate) fn go_back_to(connection: &Connection, world: &WorldRow, target: u64) -> Result<()> {
    let mut changed: Vec<(i64, i64)> = connection
        .prepare_cached("SELECT DISTINCT kind, subject FROM change WHERE world = ?1 AND revision > ?2")?
        .query_map(params![world.no, target], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    // Nothing is logged of what is there from the first.
    changed.extend(away::made_after(connection, world, target)?);
    let revision = world.bump(connection)?;
    let mut stirred = Stirred::default();
    for (kind, subject) in changed {
        let kind = Kind::from_number(kind)?;
        let then = match kind {
            Kind::ConversationAway | Kind::CharacterAway => {
                away::value_at(connection, world, kind, subject, target)?
            }
            kind => match value_at(connection, world.no, kind, subject, target)? {
                None if kind == Kind::Hidden => hidden_at_first(connection, world, subject)?,
                then => then,
            },
        };
        let now = value_at(connection, world.no, kind, subject, revision)?;
        // Only of a holding the first version is something else than none.
        let is_same = then == now || (kind != Kind::Holding && then.unwrap_or(0) == now.unwrap_or(0));
        if is_same {
            continue;
        }
        apply(connection, world, kind, subject, then, &mut stirred)?;
        set(connection, world.no, revision, kind, subject, then)?;
    }
    stirred.settle(connection, world)
}

/// Reads a world as it was at a revision: it is put back there in a transaction that never becomes one.
pub(crate) fn as_of<T>(
    connection: &Connection,
    id: &WorldId,
    revision: u64,
    read: impl FnOnce(&WorldRow) -> Result<T>,
) -> Result<T> {
    connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
    let then = || {
        let world = WorldRow::find(connection, id)?;
        let newest = world.revision(connection)?;
        if revision > newest {
            return Err(Error::invalid(format!("the world is at revision {newest}, not yet at {revision}"))
                .hint("as_of is a revision that the world had")
                .into());
        }
        go_back_to(connection, &world, revision)?;
        read(&world)
    };
    let then = then();
    connection.prepare_cached("ROLLBACK")?.execute([])?;
    then
}

/// A line can be recorded hidden; then that is its first state.
fn hidden_at_first(connection: &Connection, world: &WorldRow, line: i64) -> Result<Option<i64>> {
    let recorded: Option<u64> = connection
        .prepare_cached("SELECT revision FROM line WHERE id = ?1")?
        .query_row([world.line_key(line as u64)], |row| row.get(0))
        .optional()?;
    match recorded {
        Some(recorded) => value_at(connection, world.no, Kind::Hidden, line, recorded),
        None => Ok(None),
    }
}

/// Makes a logged value the current state. What follows from it, the caller brings up to date.
pub(crate) fn apply(
    connection: &Connection,
    world: &WorldRow,
    kind: Kind,
    subject: i64,
    value: Option<i64>,
    stirred: &mut Stirred,
) -> Result<()> {
    let version = u32::try_from(value.unwrap_or(0)).unwrap_or(0);
    let key = world.line_key(subject as u64);
    match kind {
        Kind::Head => {
            stirred.conversations.insert(subject);
            stirred.lines.extend(tree::put_head(connection, world, subject, value)?);
            Ok(())
        }
        Kind::Wording => {
            stirred.lines.push(key);
            line::apply_wording(connection, key, version)
        }
        Kind::Hidden => {
            stirred.lines.push(key);
            line::apply_veil(connection, key, Veil::Hidden, version != 0)
        }
        Kind::Unshown => {
            stirred.lines.push(key);
            stirred.conversations.extend(line::room_of(connection, key)?);
            line::apply_veil(connection, key, Veil::Unshown, version != 0)
        }
        Kind::Forgotten => {
            stirred.lines.push(key);
            forgotten::apply(connection, key, value)
        }
        Kind::ConversationAway | Kind::CharacterAway => away::apply(connection, kind, subject, value),
        Kind::Card => character::apply_card(connection, subject, version),
        Kind::Settings => world::apply_settings(connection, world.no, version),
        Kind::Beginning => tree::put_beginning(connection, world, subject, value),
        Kind::Round => {
            stirred.conversations.extend(round::apply_state(connection, key, value)?);
            Ok(())
        }
        Kind::Holding => {
            let version = value.map(|_| version);
            stirred.memories.extend(holding::apply_version(connection, subject, version)?);
            Ok(())
        }
    }
}

pub(crate) fn put_checkpoint(
    connection: &Connection,
    world: &WorldRow,
    id: &CheckpointId,
    now_ms: i64,
) -> Result<(Checkpoint, bool)> {
    let existed = list(connection, world, &Select::One(id.as_str().to_owned()))?.pop().is_some();
    let checkpoint = Checkpoint {
        id: id.clone(),
        revision: world.revision(connection)?,
        time: world.time(connection)?,
        created_ms: now_ms,
    };
    write_checkpoint(connection, world.no, &checkpoint)?;
    Ok((checkpoint, !existed))
}

pub(crate) fn write_checkpoint(connection: &Connection, world: i64, checkpoint: &Checkpoint) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO checkpoint (world, id, revision, time, created_ms) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![
            world,
            checkpoint.id.as_str(),
            checkpoint.revision,
            checkpoint.time,
            checkpoint.created_ms
        ])?;
    Ok(())
}

pub(crate) fn find(connection: &Connection, world: &WorldRow, id: &CheckpointId) -> Result<Checkpoint> {
    match list(connection, world, &Select::One(id.as_str().to_owned()))?.pop() {
        Some(checkpoint) => Ok(checkpoint),
        None => Err(no_checkpoint(id, &list(connection, world, &Select::some_of_them())?).into()),
    }
}

pub(crate) fn list(connection: &Connection, world: &WorldRow, select: &Select) -> Result<Vec<Checkpoint>> {
    type Columns = (String, u64, Option<i64>, i64);
    let columns = |row: &Row<'_>| -> rusqlite::Result<Columns> {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
    };
    let sql = "SELECT id, revision, time, created_ms FROM checkpoint WHERE world = ?3 AND";
    rows(connection, sql, Some(world.no), select, columns)?
        .into_iter()
        .map(|(id, revision, time, created_ms)| {
            Ok(Checkpoint { id: CheckpointId::new(&id)?, revision, time, created_ms })
        })
        .collect()
}
