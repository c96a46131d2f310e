//! Which memories does one have, and which of them can be recalled now?

mod condition;

use std::collections::BTreeSet;

use reverie_core::memories::{Glimpse, HeldQuery};
use reverie_core::memory::{Held, Kind, Layer, Memory, Superseded};
use reverie_core::time::Moment;
use reverie_core::{CharacterId, MemoryId};
use rusqlite::{Connection, params};

use crate::error::Result;
use crate::holding::{STATE, state_columns};
use crate::line::number;
use crate::memory;
use crate::reading::number_of;
use crate::refreshment;
use crate::world::WorldRow;
use condition::{Condition, Place, lists, quoted};

/// Of a `holding h`: it can be recalled, if nothing else speaks against it. Word for word that of the partial indexes.
pub(crate) const IS_VALID: &str =
    "h.version IS NOT NULL AND h.live = 1 AND h.forgotten = 0 AND h.superseded = 0";

pub(crate) fn held(connection: &Connection, world: &WorldRow, query: &HeldQuery) -> Result<Vec<Held>> {
    let Some(condition) = Condition::of(connection, world, query)? else { return Ok(Vec::new()) };
    let mut places: Vec<Place> = Vec::new();
    for list in lists(query) {
        places.extend(condition.read(connection, query, list)?);
    }
    places.sort_unstable();
    if query.newest_first {
        places.reverse();
    }
    places.truncate(query.limit);
    let mut held: Vec<Held> = Vec::with_capacity(places.len());
    for (_, _, key, holder, no) in places {
        // Those who share a memory stand beside each other.
        let before = held.last().filter(|before| world.key(before.memory.id.get()) == key);
        let memory = match before {
            Some(before) => before.memory.clone(),
            None => memory::read(connection, key)?.0,
        };
        held.push(read(connection, no, memory, CharacterId::new(&holder)?)?);
    }
    Ok(held)
}

/// What a query finds, without texts.
pub(crate) fn glance(
    connection: &Connection,
    world: &WorldRow,
    query: &HeldQuery,
    each: &mut dyn FnMut(Glimpse),
) -> Result<()> {
    let Some(condition) = Condition::of(connection, world, query)? else { return Ok(()) };
    for list in lists(query) {
        condition.glance(connection, query, list, |row| {
            let kind = Kind::from_name(row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?)?;
            each(Glimpse { kind, moment: Moment { tick: row.get(1)?, wall_ms: row.get(2)? } });
            Ok(())
        })?;
    }
    Ok(())
}

/// The numbers of all that somebody can recall. An index leads to these alone, and no memory is read.
pub(crate) fn recallable(
    connection: &Connection,
    world: &WorldRow,
    holder: &CharacterId,
) -> Result<Vec<MemoryId>> {
    let Some(holder) = number_of(connection, world, holder)? else { return Ok(Vec::new()) };
    let sql =
        format!("SELECT h.memory FROM holding h INDEXED BY holding_valid WHERE h.holder = ?1 AND {IS_VALID}");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query([holder])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(MemoryId::new(number(row.get(0)?))?);
    }
    found.sort_unstable();
    Ok(found)
}

/// Whatever anybody decided about these memories, or once had decided.
pub(crate) fn decided(connection: &Connection, memories: &BTreeSet<i64>) -> Result<Vec<Held>> {
    let mut decided = Vec::new();
    for key in memories {
        let holders: Vec<(i64, String)> = connection
            .prepare_cached(
                "SELECT h.no, c.id FROM holding h JOIN character c ON c.no = h.holder
                 WHERE h.memory = ?1 AND h.version IS NOT NULL AND (h.pinned = 1 OR h.forgotten = 1 OR EXISTS
                   (SELECT 1 FROM holding_version v WHERE v.holding = h.no AND (v.pinned = 1 OR v.forgotten = 1)))
                 ORDER BY c.id",
            )?
            .query_map([key], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<rusqlite::Result<_>>()?;
        for (no, holder) in holders {
            let (memory, _) = memory::read(connection, *key)?;
            decided.push(read(connection, no, memory, CharacterId::new(&holder)?)?);
        }
    }
    Ok(decided)
}

fn read(connection: &Connection, no: i64, memory: Memory, holder: CharacterId) -> Result<Held> {
    let sql = format!(
        "SELECT version, live, summarised, iif(superseded, coalesce(gives_way_to, superseded_by), NULL), {STATE}
         FROM holding WHERE no = ?1"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query([no])?;
    let row = rows.next()?.ok_or(rusqlite::Error::QueryReturnedNoRows)?;
    Ok(Held {
        memory,
        holder,
        state: state_columns(row, 4)?,
        version: row.get(0)?,
        live: row.get(1)?,
        summarised: summarised(row.get(2)?)?,
        superseded: row.get::<_, Option<i64>>(3)?.map(|by| superseded(connection, by)).transpose()?,
        refreshed: refreshment::newest(connection, no)?,
    })
}

/// As it is written with a holding: 0 is nothing.
pub(crate) fn summarised(by: i64) -> Result<Option<MemoryId>> {
    Ok((by != 0).then(|| MemoryId::new(number(by))).transpose()?)
}

fn superseded(connection: &Connection, by: i64) -> Result<Superseded> {
    let at = connection
        .prepare_cached("SELECT tick, wall_ms FROM memory WHERE id = ?1")?
        .query_row([by], |row| Ok(Moment { tick: row.get(0)?, wall_ms: row.get(1)? }))?;
    Ok(Superseded { by: MemoryId::new(number(by))?, at })
}

/// Whether the holder can recall a memory: it is there, live and not forgotten.
pub(crate) fn is_at_hand(
    connection: &Connection,
    world: &WorldRow,
    memory: MemoryId,
    holder: &CharacterId,
) -> Result<bool> {
    let Some(holder) = number_of(connection, world, holder)? else { return Ok(false) };
    let is_at_hand = connection
        .prepare_cached(
            "SELECT 1 FROM holding WHERE memory = ?1 AND holder = ?2 AND version IS NOT NULL AND live = 1
               AND forgotten = 0",
        )?
        .exists([world.key(memory.get()), holder])?;
    Ok(is_at_hand)
}

/// Characters with memories that wait to be summed up.
pub(crate) fn unsummarised(
    connection: &Connection,
    world: &WorldRow,
    layers: &[Layer],
    after: Option<&CharacterId>,
    limit: usize,
) -> Result<Vec<CharacterId>> {
    let layers = quoted(layers.iter().map(|layer| layer.as_str()));
    let sql = format!(
        "SELECT c.id FROM character c WHERE c.world = ?1 AND c.id > ?2 AND EXISTS
           (SELECT 1 FROM holding h INDEXED BY holding_waiting
            WHERE h.holder = c.no AND h.layer IN ({layers}) AND {IS_VALID} AND h.summarised = 0)
         ORDER BY c.id LIMIT ?3"
    );
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let after = after.map_or("", CharacterId::as_str);
    let found: Vec<String> = connection
        .prepare_cached(&sql)?
        .query_map(params![world.no, after, limit], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    found.iter().map(|id| Ok(CharacterId::new(id)?)).collect()
}
