//! What was remembered of lines and people that go?

use std::collections::{BTreeSet, HashMap};

use rusqlite::Connection;

use crate::circle;
use crate::error::Result;
use crate::living;
use crate::memory;
use crate::round::found::{self, undigest};
use crate::world::WorldRow;

/// Before lines go, whatever was made of them goes. What is left of their rounds is to be remembered anew.
pub(super) fn forget_lines(
    connection: &Connection,
    world: &WorldRow,
    conversation: i64,
    numbers: &[i64],
    revision: u64,
) -> Result<()> {
    let gone: BTreeSet<i64> = numbers.iter().copied().collect();
    found::let_go(connection, world, conversation, &gone, revision)?;
    let keys: Vec<i64> = numbers.iter().map(|number| world.line_key(*number as u64)).collect();
    memory::erase(connection, world, living::made_of(connection, world, &keys)?)
}

/// Before a person goes: what others remember about them, all that they remember, and their names in rounds. Gives back the
/// conversations in which something is to be remembered anew.
pub(super) fn forget_person(
    connection: &Connection,
    world: &WorldRow,
    person: i64,
    revision: u64,
) -> Result<BTreeSet<i64>> {
    let mut stirred = BTreeSet::new();
    for round in rounds_with(connection, world, person)? {
        undigest(connection, world, round, revision)?;
        let of = connection
            .prepare_cached("SELECT conversation FROM round WHERE id = ?1")?
            .query_row([round], |row| row.get(0))?;
        stirred.insert(of);
    }
    connection.prepare_cached("DELETE FROM round_person WHERE character = ?1")?.execute([person])?;
    let numbers = |sql: &str| -> Result<Vec<i64>> {
        let mut statement = connection.prepare_cached(sql)?;
        let found = statement.query_map([person], |row| row.get(0))?;
        Ok(found.collect::<rusqlite::Result<_>>()?)
    };
    let about = numbers("SELECT memory FROM memory_about WHERE character = ?1")?;
    memory::erase(connection, world, about.into_iter().collect())?;
    let had = numbers("SELECT memory FROM holding WHERE holder = ?1")?;
    for holding in numbers("SELECT no FROM holding WHERE holder = ?1")? {
        memory::erase_holding(connection, world, holding)?;
    }
    let mut held = connection.prepare_cached("SELECT 1 FROM holding WHERE memory = ?1")?;
    let mut nobodys = BTreeSet::new();
    for memory in had {
        if !held.exists([memory])? {
            nobodys.insert(memory);
        }
    }
    memory::erase(connection, world, nobodys)?;
    Ok(stirred)
}

/// The rounds in which somebody took part: was listed or spoke in those that a host opened; was present or spoke in those that
/// were found.
fn rounds_with(connection: &Connection, world: &WorldRow, person: i64) -> Result<BTreeSet<i64>> {
    let mut rounds: BTreeSet<i64> = connection
        .prepare_cached("SELECT round FROM round_person WHERE character = ?1")?
        .query_map([person], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    let (low, high) = world.keys();
    let mut spoke = connection.prepare_cached(
        "SELECT DISTINCT round FROM line WHERE id BETWEEN ?2 AND ?3 AND speaker = ?1 AND round IS NOT NULL",
    )?;
    for round in spoke.query_map([person, low, high], |row| row.get::<_, i64>(0))? {
        rounds.insert(world.key(round? as u64));
    }
    let mut is_in: HashMap<i64, bool> = HashMap::new();
    for round in found::all(connection, world)? {
        for line in found::lines(connection, world, &round)? {
            let is_present = match is_in.get(&line.present) {
                Some(is_in) => *is_in,
                None => {
                    let contains = circle::contains(connection, line.present, person)?;
                    is_in.insert(line.present, contains);
                    contains
                }
            };
            if is_present || line.speaker == Some(person) {
                rounds.insert(round.key);
                break;
            }
        }
    }
    Ok(rounds)
}
