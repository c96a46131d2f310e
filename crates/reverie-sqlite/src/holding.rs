//! What is a memory to one who has it, and what was it before?

use std::collections::BTreeMap;

use reverie_core::memory::{Layer, State};
use reverie_core::{CharacterId, Code, Error, MemoryId};
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::error::Result;
use crate::line::number;
use crate::log::{self, Kind};
use crate::reading::number_of;
use crate::world::WorldRow;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HoldingRow {
    pub(crate) no: i64,
    pub(crate) memory: i64,
    /// None: it is not there, because an earlier checkpoint was restored.
    pub(crate) version: Option<u32>,
}

impl HoldingRow {
    pub(crate) fn is_there(&self) -> bool {
        self.version.is_some()
    }
}

/// The columns of a state, in the order in which [`state_columns`] reads them.
pub(crate) const STATE: &str = "layer, activity, since, pinned, forgotten, shareable, text, importance, considered, summarised_by, superseded_by, lines_forgotten, since_ms";

pub(crate) fn state_columns(row: &Row<'_>, first: usize) -> Result<State> {
    let layer: Option<String> = row.get(first)?;
    let memory = |place: usize| -> Result<Option<MemoryId>> {
        let key: Option<i64> = row.get(first + place)?;
        Ok(key.map(|key| MemoryId::new(number(key))).transpose()?)
    };
    Ok(State {
        layer: layer.map(|name| Layer::from_name(&name)).transpose()?,
        activity: row.get(first + 1)?,
        since: row.get(first + 2)?,
        pinned: row.get(first + 3)?,
        forgotten: row.get(first + 4)?,
        shareable: row.get(first + 5)?,
        text: row.get(first + 6)?,
        importance: row.get(first + 7)?,
        considered: row.get(first + 8)?,
        summarised_by: memory(9)?,
        superseded_by: memory(10)?,
        lines_forgotten: row.get(first + 11)?,
        since_ms: row.get(first + 12)?,
    })
}

pub(crate) fn find(
    connection: &Connection,
    world: &WorldRow,
    memory: MemoryId,
    holder: &CharacterId,
) -> Result<Option<HoldingRow>> {
    match number_of(connection, world, holder)? {
        Some(holder) => by_number(connection, world.key(memory.get()), holder),
        None => Ok(None),
    }
}

pub(crate) fn by_number(connection: &Connection, memory: i64, holder: i64) -> Result<Option<HoldingRow>> {
    let row = connection
        .prepare_cached("SELECT no, version FROM holding WHERE memory = ?1 AND holder = ?2")?
        .query_row([memory, holder], |row| Ok(HoldingRow { no: row.get(0)?, memory, version: row.get(1)? }))
        .optional()?;
    Ok(row)
}

/// The state that it has now, whether it is there or not.
pub(crate) fn current(connection: &Connection, no: i64) -> Result<State> {
    let mut statement = connection.prepare_cached(&format!("SELECT {STATE} FROM holding WHERE no = ?1"))?;
    let mut rows = statement.query([no])?;
    let row = rows.next()?.ok_or(rusqlite::Error::QueryReturnedNoRows)?;
    state_columns(row, 0)
}

/// A version of its state.
pub(crate) fn state_of(connection: &Connection, row: &HoldingRow, version: u32) -> Result<State> {
    if row.version == Some(version) {
        return current(connection, row.no);
    }
    let sql = format!("SELECT {STATE} FROM holding_version WHERE holding = ?1 AND version = ?2");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params![row.no, version])?;
    let found = rows.next()?.ok_or_else(|| missing_state(row.memory, version))?;
    state_columns(found, 0)
}

fn missing_state(memory: i64, version: u32) -> Error {
    Error::new(Code::Corrupt, format!("version {version} of somebody's memory {} is missing", number(memory)))
        .hint("run `reverie doctor` and restore a backup")
}

/// Every state that it ever had, with the revision that gave it.
pub(crate) fn states(
    connection: &Connection,
    world: &WorldRow,
    memory: MemoryId,
    holder: &CharacterId,
) -> Result<Vec<(u64, Option<State>)>> {
    let row = find(connection, world, memory, holder)?.ok_or_else(|| missing(memory, holder))?;
    let logged: Vec<(u64, Option<u32>)> = connection
        .prepare_cached(
            "SELECT revision, value FROM change WHERE world = ?1 AND kind = ?2 AND subject = ?3 ORDER BY revision",
        )?
        .query_map([world.no, Kind::Holding as i64, row.no], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    let state = |version: Option<u32>| version.map(|version| state_of(connection, &row, version)).transpose();
    logged.into_iter().map(|(revision, version)| Ok((revision, state(version)?))).collect()
}

pub(crate) fn missing(memory: MemoryId, holder: &CharacterId) -> Error {
    Error::not_found(format!("{holder:?} does not have memory {memory}"))
        .hint("the list of memories says who has which")
}

/// What one had of a memory, at which revision, and each state of it.
pub(crate) struct Course {
    pub(crate) log: Vec<(u64, Option<u32>)>,
    pub(crate) states: BTreeMap<u32, State>,
}

impl Course {
    pub(crate) fn read(connection: &Connection, world: &WorldRow, row: &HoldingRow) -> Result<Self> {
        let log: Vec<(u64, Option<u32>)> = connection
            .prepare_cached(
                "SELECT revision, value FROM change WHERE world = ?1 AND kind = ?2 AND subject = ?3 ORDER BY revision",
            )?
            .query_map([world.no, Kind::Holding as i64, row.no], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<rusqlite::Result<_>>()?;
        let mut states = BTreeMap::new();
        for version in log.iter().filter_map(|(_, version)| *version) {
            states.insert(version, state_of(connection, row, version)?);
        }
        Ok(Self { log, states })
    }

    /// A holding that has just begun had this course before, with these states: so it begins with the next version.
    pub(crate) fn precede(
        &self,
        connection: &Connection,
        world: &WorldRow,
        no: i64,
        revision: u64,
        as_it_was: impl Fn(&State) -> State,
    ) -> Result<()> {
        let next = self.states.keys().next_back().map_or(0, |last| last + 1);
        connection
            .prepare_cached("UPDATE holding SET version = ?2 WHERE no = ?1")?
            .execute(params![no, next])?;
        log::set(connection, world.no, revision, Kind::Holding, no, Some(i64::from(next)))?;
        for (version, state) in &self.states {
            write_version(connection, world, no, *version, &as_it_was(state))?;
        }
        for (at, version) in self.log.iter().filter(|(at, _)| *at < revision) {
            log::set(connection, world.no, *at, Kind::Holding, no, version.map(i64::from))?;
        }
        Ok(())
    }
}

/// A place for what somebody makes of a memory. It is not there before [`put`] or [`apply_version`] says how it is.
pub(crate) fn insert(connection: &Connection, memory: i64, holder: i64) -> Result<HoldingRow> {
    connection
        .prepare_cached(
            "INSERT INTO holding (memory, holder, activity, pinned, forgotten, shareable, considered, askable)
             SELECT id, ?2, 0, 0, 0, 0, 0,
               CASE WHEN origin = 'round' THEN 1 WHEN origin IN ('day', 'era') AND model IS NULL THEN 2 ELSE 0 END
             FROM memory WHERE id = ?1",
        )?
        .execute([memory, holder])?;
    Ok(HoldingRow { no: connection.last_insert_rowid(), memory, version: None })
}

/// Gives a holding a new state, as its newest version.
pub(crate) fn put(
    connection: &Connection,
    world: &WorldRow,
    row: &HoldingRow,
    state: &State,
    revision: u64,
) -> Result<()> {
    keep_old(connection, row)?;
    let newest: Option<u32> = connection
        .prepare_cached("SELECT max(version) FROM holding_version WHERE holding = ?1")?
        .query_row([row.no], |row| row.get(0))?;
    let version = newest.map_or(0, |newest| newest + 1);
    let assigned = STATE.split(", ").enumerate().map(|(place, column)| format!("{column} = ?{}", place + 3));
    let assigned: Vec<String> = assigned.collect();
    let sql = format!("UPDATE holding SET version = ?2, {} WHERE no = ?1", assigned.join(", "));
    bind(connection, &sql, world, row.no, version, state)?;
    log::set(connection, world.no, revision, Kind::Holding, row.no, Some(i64::from(version)))
}

/// Whether somebody has a memory and did not forget it.
pub(crate) fn is_had(connection: &Connection, memory: i64) -> Result<bool> {
    let sql = "SELECT 1 FROM holding WHERE memory = ?1 AND version IS NOT NULL AND forgotten = 0";
    Ok(connection.prepare_cached(sql)?.exists([memory])?)
}

/// Keeps a state that is not the current one.
pub(crate) fn write_version(
    connection: &Connection,
    world: &WorldRow,
    no: i64,
    version: u32,
    state: &State,
) -> Result<()> {
    let sql = format!(
        "INSERT INTO holding_version (holding, version, {STATE})
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)"
    );
    bind(connection, &sql, world, no, version, state)
}

/// Runs a statement with the holding as ?1, the version as ?2 and the columns of [`STATE`] behind them.
fn bind(
    connection: &Connection,
    sql: &str,
    world: &WorldRow,
    no: i64,
    version: u32,
    state: &State,
) -> Result<()> {
    connection.prepare_cached(sql)?.execute(params![
        no,
        version,
        state.layer.map(Layer::as_str),
        state.activity,
        state.since,
        state.pinned,
        state.forgotten,
        state.shareable,
        state.text,
        state.importance,
        state.considered,
        state.summarised_by.map(|memory| world.key(memory.get())),
        state.superseded_by.map(|memory| world.key(memory.get())),
        state.lines_forgotten,
        state.since_ms,
    ])?;
    Ok(())
}

fn keep_old(connection: &Connection, row: &HoldingRow) -> Result<()> {
    if row.version.is_some() {
        let sql = format!(
            "INSERT OR REPLACE INTO holding_version (holding, version, {STATE})
             SELECT no, version, {STATE} FROM holding WHERE no = ?1"
        );
        connection.prepare_cached(&sql)?.execute([row.no])?;
    }
    Ok(())
}

/// Makes a version of the state the current one; None: it is not there. Gives back the memory.
pub(crate) fn apply_version(connection: &Connection, no: i64, version: Option<u32>) -> Result<Option<i64>> {
    let row = connection
        .prepare_cached("SELECT memory, version FROM holding WHERE no = ?1")?
        .query_row([no], |row| Ok(HoldingRow { no, memory: row.get(0)?, version: row.get(1)? }))
        .optional()?;
    // Deleted memories do not come back.
    let Some(row) = row else { return Ok(None) };
    if row.version == version {
        return Ok(Some(row.memory));
    }
    keep_old(connection, &row)?;
    let changed = match version {
        Some(version) => {
            let sql = format!(
                "UPDATE holding SET version = ?2, ({STATE}) =
                   (SELECT {STATE} FROM holding_version WHERE holding = ?1 AND version = ?2)
                 WHERE no = ?1 AND EXISTS (SELECT 1 FROM holding_version WHERE holding = ?1 AND version = ?2)"
            );
            connection.prepare_cached(&sql)?.execute(params![no, version])?
        }
        None => connection
            .prepare_cached("UPDATE holding SET version = NULL, text = NULL WHERE no = ?1")?
            .execute([no])?,
    };
    if changed == 0 {
        return Err(missing_state(row.memory, version.unwrap_or(0)).into());
    }
    Ok(Some(row.memory))
}
