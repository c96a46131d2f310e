//! Which memory of an exchange counts where several can be recalled?
//!
//! An answer that is taken back and given again leaves several memories of one exchange: of the words alone, and of the words with each
//! answer. On a path that leads through the lines of more than one of them, the one that reaches furthest counts, then the one that holds
//! most; whatever shares a line with one that counts gives way to it. So no line is remembered twice by anybody, wherever the
//! head goes. One that its holder forgot counts, too: otherwise a part of it would come back. What sums up other memories tells of no
//! exchange itself: whether it is live follows from what is said here.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::{Connection, params};

use crate::error::Result;

/// Derives it for these memories and all that share lines with them. Gives back those for which something changed.
pub(crate) fn settle(connection: &Connection, memories: &BTreeSet<i64>) -> Result<BTreeSet<i64>> {
    let mut changed = BTreeSet::new();
    let mut met = BTreeSet::new();
    for memory in memories {
        if met.contains(memory) || !is_of_round(connection, *memory)? {
            continue;
        }
        let related = related(connection, *memory)?;
        settle_together(connection, &related, &mut changed)?;
        met.extend(related);
    }
    Ok(changed)
}

/// The same for a whole file that knows nothing of it yet.
pub(crate) fn settle_all(connection: &Connection) -> Result<()> {
    let sharing: BTreeSet<i64> = connection
        .prepare(
            "SELECT DISTINCT s.memory FROM memory_source s JOIN memory_source o ON o.line = s.line AND o.memory <> s.memory
             JOIN memory m ON m.id = o.memory WHERE m.origin = 'round'",
        )?
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    let changed = settle(connection, &sharing)?;
    changed.iter().try_for_each(|memory| crate::living::settle_own_links(connection, *memory))
}

/// Of a `memory m`: it tells of an exchange.
const IS_TELLING: &str = "m.origin = 'round' AND m.depth = 0";

fn is_of_round(connection: &Connection, memory: i64) -> Result<bool> {
    let sql = format!("SELECT 1 FROM memory m WHERE m.id = ?1 AND {IS_TELLING}");
    Ok(connection.prepare_cached(&sql)?.exists([memory])?)
}

/// It, those that share a line with it, those that share one with these, and so on.
fn related(connection: &Connection, memory: i64) -> Result<BTreeSet<i64>> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT DISTINCT o.memory FROM memory_source s JOIN memory_source o ON o.line = s.line
         JOIN memory m ON m.id = o.memory WHERE s.memory = ?1 AND {IS_TELLING}"
    ))?;
    let mut related = BTreeSet::from([memory]);
    let mut next = vec![memory];
    while let Some(memory) = next.pop() {
        for other in statement.query_map([memory], |row| row.get(0))? {
            let other = other?;
            if related.insert(other) {
                next.push(other);
            }
        }
    }
    Ok(related)
}

/// What somebody has of an exchange, live.
struct Telling {
    memory: i64,
    lines: BTreeSet<i64>,
}

impl Telling {
    /// Whoever has the greater one gives way to nobody.
    fn rank(&self) -> (Option<i64>, usize, i64) {
        (self.lines.last().copied(), self.lines.len(), self.memory)
    }
}

fn settle_together(
    connection: &Connection,
    memories: &BTreeSet<i64>,
    changed: &mut BTreeSet<i64>,
) -> Result<()> {
    let mut had: BTreeMap<i64, Vec<Telling>> = BTreeMap::new();
    for memory in memories.iter().filter(|_| memories.len() > 1) {
        let lines: BTreeSet<i64> = connection
            .prepare_cached("SELECT line FROM memory_source WHERE memory = ?1")?
            .query_map([memory], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        let mut holders = connection.prepare_cached(
            "SELECT holder FROM holding WHERE memory = ?1 AND version IS NOT NULL AND live = 1",
        )?;
        for holder in holders.query_map([memory], |row| row.get(0))? {
            had.entry(holder?).or_default().push(Telling { memory: *memory, lines: lines.clone() });
        }
    }
    let mut ways: BTreeMap<(i64, i64), i64> = BTreeMap::new();
    for (holder, mut tellings) in had {
        tellings.sort_by_key(|telling| std::cmp::Reverse(telling.rank()));
        let mut counting: Vec<&Telling> = Vec::new();
        for telling in &tellings {
            match counting.iter().find(|other| !other.lines.is_disjoint(&telling.lines)) {
                Some(other) => drop(ways.insert((telling.memory, holder), other.memory)),
                None => counting.push(telling),
            }
        }
    }
    for memory in memories {
        write(connection, *memory, &ways, changed)?;
    }
    Ok(())
}

fn write(
    connection: &Connection,
    memory: i64,
    ways: &BTreeMap<(i64, i64), i64>,
    changed: &mut BTreeSet<i64>,
) -> Result<()> {
    let holders: Vec<(i64, i64, Option<i64>)> = connection
        .prepare_cached("SELECT no, holder, gives_way_to FROM holding WHERE memory = ?1")?
        .query_map([memory], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect::<rusqlite::Result<_>>()?;
    for (no, holder, before) in holders {
        let way = ways.get(&(memory, holder)).copied();
        if way != before {
            connection
                .prepare_cached("UPDATE holding SET gives_way_to = ?2 WHERE no = ?1")?
                .execute(params![no, way])?;
            changed.insert(memory);
        }
    }
    Ok(())
}
