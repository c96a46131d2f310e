//! Worlds, their settings and revisions: how are they read and written?

use reverie_core::settings::{Pairs, Preset, WorldSettings, patched};
use reverie_core::store::Select;
use reverie_core::world::{World, WorldPatch};
use reverie_core::{Error, LineId, WorldId};
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::error::Result;
use crate::log::{self, Kind};
use crate::select::rows;

/// The few columns of a world that every operation starts from.
#[derive(Debug, Clone)]
pub(crate) struct WorldRow {
    pub(crate) no: i64,
    pub(crate) settings_version: u32,
}

/// Lines are keyed world * 2^40 + number.
pub(crate) const LINE_BITS: u32 = 40;
const MAX_WORLDS: i64 = 1 << (63 - LINE_BITS);

impl WorldRow {
    pub(crate) fn find(connection: &Connection, id: &WorldId) -> Result<Self> {
        Self::look(connection, id)?.ok_or_else(|| {
            Error::not_found(format!("there is no world {id:?}"))
                .hint("PUT /v1/worlds/{world} creates one")
                .into()
        })
    }

    pub(crate) fn look(connection: &Connection, id: &WorldId) -> Result<Option<Self>> {
        let row = connection
            .prepare_cached("SELECT no, settings_version FROM world WHERE id = ?1")?
            .query_row([id.as_str()], |row| Ok(Self { no: row.get(0)?, settings_version: row.get(1)? }))
            .optional()?;
        Ok(row)
    }

    /// Every commit that changes a world takes a new revision.
    pub(crate) fn bump(&self, connection: &Connection) -> Result<u64> {
        let revision = connection
            .prepare_cached("UPDATE world SET revision = revision + 1 WHERE no = ?1 RETURNING revision")?
            .query_row([self.no], |row| row.get(0))?;
        Ok(revision)
    }

    pub(crate) fn revision(&self, connection: &Connection) -> Result<u64> {
        let revision = connection
            .prepare_cached("SELECT revision FROM world WHERE no = ?1")?
            .query_row([self.no], |row| row.get(0))?;
        Ok(revision)
    }

    pub(crate) fn settings(&self, connection: &Connection) -> Result<(Preset, Pairs)> {
        settings(connection, self.no, self.settings_version)
    }

    pub(crate) fn time(&self, connection: &Connection) -> Result<Option<i64>> {
        let time = connection
            .prepare_cached("SELECT time FROM world WHERE no = ?1")?
            .query_row([self.no], |row| row.get(0))?;
        Ok(time)
    }

    pub(crate) fn line_key(&self, number: u64) -> i64 {
        self.key(number)
    }

    /// Rounds and memories are keyed like lines.
    pub(crate) fn key(&self, number: u64) -> i64 {
        (self.no << LINE_BITS) | number as i64
    }

    /// All keys of the world lie between these two.
    pub(crate) fn keys(&self) -> (i64, i64) {
        (self.key(0), self.key(LineId::LIMIT - 1))
    }
}

/// One revision for all that a commit changes, and none if it changes nothing.
pub(crate) struct Revision<'c> {
    connection: &'c Connection,
    world: &'c WorldRow,
    taken: Option<u64>,
}

impl<'c> Revision<'c> {
    pub(crate) fn new(connection: &'c Connection, world: &'c WorldRow) -> Self {
        Self { connection, world, taken: None }
    }

    /// Of a change that has begun.
    pub(crate) fn of(connection: &'c Connection, world: &'c WorldRow, revision: u64) -> Self {
        Self { connection, world, taken: Some(revision) }
    }

    /// For whatever changes now.
    pub(crate) fn get(&mut self) -> Result<u64> {
        let revision = self.taken.map_or_else(|| self.world.bump(self.connection), Ok)?;
        self.taken = Some(revision);
        Ok(revision)
    }
}

pub(crate) fn put(
    connection: &Connection,
    id: &WorldId,
    patch: &WorldPatch,
    now_ms: i64,
) -> Result<(World, bool)> {
    let Some(row) = WorldRow::look(connection, id)? else {
        WorldSettings::resolve(patch.preset.unwrap_or_default(), &patched(Pairs::new(), &patch.settings))?;
        let row = insert(connection, id.as_str(), None, now_ms)?;
        let pairs = patched(Pairs::new(), &patch.settings);
        write_settings(connection, row.no, 0, patch.preset.unwrap_or_default(), &pairs)?;
        return Ok((read(connection, id)?, true));
    };
    let (old_preset, old_pairs) = row.settings(connection)?;
    let preset = patch.preset.unwrap_or(old_preset);
    let pairs = patched(old_pairs.clone(), &patch.settings);
    if (preset, &pairs) != (old_preset, &old_pairs) {
        WorldSettings::resolve(preset, &pairs)?;
        let version: u32 = connection
            .prepare_cached("SELECT max(version) + 1 FROM setting WHERE world = ?1")?
            .query_row([row.no], |row| row.get(0))?;
        write_settings(connection, row.no, version, preset, &pairs)?;
        let revision = row.bump(connection)?;
        log::set(connection, row.no, revision, Kind::Settings, 0, Some(i64::from(version)))?;
    }
    Ok((read(connection, id)?, false))
}

pub(crate) fn insert(
    connection: &Connection,
    id: &str,
    forked_from: Option<&WorldId>,
    created_ms: i64,
) -> Result<WorldRow> {
    connection
        .prepare_cached(
            "INSERT INTO world (id, forked_from, created_ms, revision, settings_version, next_line, next_conversation)
             VALUES (?1, ?2, ?3, 1, 0, 1, 1)",
        )?
        .execute(params![id, forked_from.map(WorldId::as_str), created_ms])?;
    let no = connection.last_insert_rowid();
    if no >= MAX_WORLDS {
        return Err(Error::invalid("this data file has as many worlds as it can hold")
            .hint("put new worlds into another file with --data DIR")
            .into());
    }
    Ok(WorldRow { no, settings_version: 0 })
}

pub(crate) fn write_settings(
    connection: &Connection,
    world: i64,
    version: u32,
    preset: Preset,
    pairs: &Pairs,
) -> Result<()> {
    let mut insert = connection
        .prepare_cached("INSERT INTO setting (world, version, key, value) VALUES (?1, ?2, ?3, ?4)")?;
    insert.execute(params![world, version, "", preset.as_str()])?;
    for (key, value) in pairs {
        insert.execute(params![world, version, key, value])?;
    }
    apply_settings(connection, world, version)
}

/// Makes a version of the settings the current one.
pub(crate) fn apply_settings(connection: &Connection, world: i64, version: u32) -> Result<()> {
    connection
        .prepare_cached("UPDATE world SET settings_version = ?2 WHERE no = ?1")?
        .execute(params![world, version])?;
    Ok(())
}

pub(crate) fn settings(connection: &Connection, world: i64, version: u32) -> Result<(Preset, Pairs)> {
    let mut statement =
        connection.prepare_cached("SELECT key, value FROM setting WHERE world = ?1 AND version = ?2")?;
    let mut rows = statement.query(params![world, version])?;
    let mut preset = Preset::default();
    let mut pairs = Pairs::new();
    while let Some(row) = rows.next()? {
        let (key, value): (String, String) = (row.get(0)?, row.get(1)?);
        if key.is_empty() {
            preset = Preset::from_name(&value)?;
        } else {
            pairs.insert(key, value);
        }
    }
    Ok((preset, pairs))
}

pub(crate) fn read(connection: &Connection, id: &WorldId) -> Result<World> {
    list(connection, &Select::One(id.as_str().to_owned()))?
        .pop()
        .ok_or_else(|| Error::not_found(format!("there is no world {id:?}")).into())
}

pub(crate) fn list(connection: &Connection, select: &Select) -> Result<Vec<World>> {
    type Columns = (WorldRow, String, Option<String>, i64, u64);
    let columns = |row: &Row<'_>| -> rusqlite::Result<Columns> {
        let world = WorldRow { no: row.get(0)?, settings_version: row.get(1)? };
        Ok((world, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?))
    };
    // Nobody sees a world that is on its way in.
    let sql = "SELECT no, settings_version, id, forked_from, created_ms, revision FROM world WHERE arrives IS NULL AND";
    rows(connection, sql, None, select, columns)?
        .into_iter()
        .map(|(row, id, forked_from, created_ms, revision)| {
            let (preset, settings) = row.settings(connection)?;
            let forked_from = forked_from.map(|id| WorldId::new(&id)).transpose()?;
            let time = row.time(connection)?;
            Ok(World { id: WorldId::new(&id)?, preset, settings, revision, time, forked_from, created_ms })
        })
        .collect()
}
