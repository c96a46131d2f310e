//! Who can recall the same as whom?
//!
//! Read from the index of what can be recalled alone. Sets of people are few, however many memories there are, so that each
//! set is counted once, and pairs only of sets.

use std::collections::HashMap;

use reverie_core::CharacterId;
use reverie_core::sharing::{Sharer, Sharing};
use rusqlite::Connection;

use crate::error::Result;
use crate::held::IS_VALID;
use crate::line::number;
use crate::world::WorldRow;

pub(crate) fn sharing(connection: &Connection, world: &WorldRow, most: usize) -> Result<Sharing> {
    let mut all = sharers(connection, world)?;
    all.sort_unstable_by(|(_, a), (_, b)| Sharing::order(a, b));
    let count = all.len();
    all.truncate(most.min(Sharing::MOST));
    let mut held: Vec<u64> = Vec::new();
    let sql =
        format!("SELECT h.memory FROM holding h INDEXED BY holding_valid WHERE h.holder = ?1 AND {IS_VALID}");
    let mut statement = connection.prepare_cached(&sql)?;
    for (place, (no, _)) in all.iter().enumerate() {
        for memory in statement.query_map([no], |row| row.get::<_, i64>(0))? {
            held.push(number(memory?) << PLACE_BITS | place as u64);
        }
    }
    held.sort_unstable();
    let mut sets: HashMap<Vec<u16>, u64> = HashMap::new();
    let mut set: Vec<u16> = Vec::new();
    for of_one in held.chunk_by(|a, b| a >> PLACE_BITS == b >> PLACE_BITS).filter(|of| of.len() > 1) {
        set.clear();
        set.extend(of_one.iter().map(|held| *held as u16));
        match sets.get_mut(&set) {
            Some(count) => *count += 1,
            None => drop(sets.insert(set.clone(), 1)),
        }
    }
    Ok(Sharing::of(count, all.into_iter().map(|(_, sharer)| sharer).collect(), sets))
}

/// Numbers of memories have 40 bits.
const PLACE_BITS: u32 = 16;

/// Everybody who can recall something.
fn sharers(connection: &Connection, world: &WorldRow) -> Result<Vec<(i64, Sharer)>> {
    let sql = format!(
        "SELECT c.no, c.id, coalesce(c.display_name, c.id),
           (SELECT count(*) FROM holding h INDEXED BY holding_valid WHERE h.holder = c.no AND {IS_VALID})
         FROM character c WHERE c.world = ?1 AND c.erased = 0"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query([world.no])?;
    let mut sharers = Vec::new();
    while let Some(row) = rows.next()? {
        let (id, name, memories): (String, String, u64) = (row.get(1)?, row.get(2)?, row.get(3)?);
        if memories > 0 {
            sharers.push((row.get(0)?, Sharer { id: CharacterId::new(&id)?, name, memories }));
        }
    }
    Ok(sharers)
}
