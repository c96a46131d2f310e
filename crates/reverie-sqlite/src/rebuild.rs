//! How is all that was derived from lines let go of, so that it is derived anew?

use reverie_core::CheckpointId;
use reverie_core::memories::LetGo;
use reverie_core::memory::State;
use reverie_core::round::RoundState;
use rusqlite::Connection;

use crate::error::Result;
use crate::holding::{self, HoldingRow};
use crate::job;
use crate::living::Stirred;
use crate::log::{self, Kind};
use crate::round;
use crate::world::WorldRow;

/// Of a holding: somebody wants to keep it as it is.
fn is_cherished(holding: &str) -> String {
    format!(
        "({holding}.forgotten = 0 AND ({holding}.pinned = 1 OR {holding}.shareable = 1 OR {holding}.text IS NOT NULL
           OR {holding}.importance IS NOT NULL))"
    )
}

pub(crate) fn derive_anew(
    connection: &Connection,
    world: &WorldRow,
    checkpoint: &CheckpointId,
    now_ms: i64,
) -> Result<LetGo> {
    log::put_checkpoint(connection, world, checkpoint, now_ms)?;
    let revision = world.bump(connection)?;
    job::remove_all(connection, world)?;
    let mut stirred = Stirred::default();
    let holdings = let_go_of_holdings(connection, world, revision, &mut stirred)?;
    let rounds = let_rounds_wait(connection, world, revision, &mut stirred)?;
    stirred.settle(connection, world)?;
    Ok(LetGo { rounds, holdings })
}

/// How many are not there any more.
fn let_go_of_holdings(
    connection: &Connection,
    world: &WorldRow,
    revision: u64,
    stirred: &mut Stirred,
) -> Result<u64> {
    let (low, high) = world.keys();
    let sql = format!(
        "SELECT h.no, h.memory, h.version, h.forgotten = 1 OR {} OR EXISTS
           (SELECT 1 FROM memory_part f JOIN holding k ON k.memory = f.memory AND k.holder = h.holder
            WHERE f.part = h.memory AND k.version IS NOT NULL AND {})
         FROM holding h JOIN memory m ON m.id = h.memory
         WHERE h.memory BETWEEN ?1 AND ?2 AND h.version IS NOT NULL AND m.origin IN ('round', 'statement', 'day', 'era')",
        is_cherished("h"),
        is_cherished("k")
    );
    let derived: Vec<(HoldingRow, bool)> = connection
        .prepare_cached(&sql)?
        .query_map([low, high], |row| {
            let holding = HoldingRow { no: row.get(0)?, memory: row.get(1)?, version: row.get(2)? };
            Ok((holding, row.get(3)?))
        })?
        .collect::<rusqlite::Result<_>>()?;
    let mut gone = 0;
    for (row, is_kept) in derived {
        if !is_kept {
            holding::apply_version(connection, row.no, None)?;
            log::set(connection, world.no, revision, Kind::Holding, row.no, None)?;
            stirred.memories.insert(row.memory);
            gone += 1;
            continue;
        }
        let state = holding::current(connection, row.no)?;
        if state.considered && !state.forgotten {
            holding::put(connection, world, &row, &State { considered: false, ..state }, revision)?;
            stirred.memories.insert(row.memory);
        }
    }
    Ok(gone)
}

/// How many wait now.
fn let_rounds_wait(
    connection: &Connection,
    world: &WorldRow,
    revision: u64,
    stirred: &mut Stirred,
) -> Result<u64> {
    let (low, high) = world.keys();
    let digested: Vec<(i64, i64)> = connection
        .prepare_cached("SELECT id, conversation FROM round WHERE id BETWEEN ?1 AND ?2 AND state = 3")?
        .query_map([low, high], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    for (key, conversation) in &digested {
        round::set_state(connection, world, *key, RoundState::Closed, revision)?;
        stirred.conversations.insert(*conversation);
    }
    let waiting: u64 = connection
        .prepare_cached("SELECT count(*) FROM round WHERE id BETWEEN ?1 AND ?2 AND state = 2")?
        .query_row([low, high], |row| row.get(0))?;
    Ok(waiting)
}
