//! Which memories are as they were made, and what follows for those who have them?
//!
//! A memory is broken while one of its lines is off the path, reworded, hidden or not shown. What of it is live to a holder, who may
//! have forgotten lines, and what sums it up or says it better, is written down with each holding. All of that is brought up to date here, whenever
//! lines or holdings change, so that reading costs what it returns.
//!
//! The order matters: which memory of an exchange counts follows from what is live of rounds; whether a day is live, from what of its
//! parts counts; which summary of a day counts, from those that are live; then the same for eras; and at last what is summed up, and by what.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::Connection;

use crate::backlog;
use crate::error::Result;
use crate::fuller;
use crate::giving_way;
use crate::mind;
use crate::summed_up;
use crate::world::WorldRow;

/// What changed, while much changes: what follows from it is derived once, at the end.
#[derive(Debug, Default)]
pub(crate) struct Stirred {
    /// Keys of lines that came or went, or look different.
    pub(crate) lines: Vec<i64>,
    /// Keys of memories whose holders think of them differently.
    pub(crate) memories: BTreeSet<i64>,
    pub(crate) conversations: BTreeSet<i64>,
}

impl Stirred {
    pub(crate) fn settle(mut self, connection: &Connection, world: &WorldRow) -> Result<()> {
        mind::lines_changed(connection, &self.lines)?;
        self.memories.extend(made_of(connection, world, &self.lines)?);
        settle(connection, &self.memories)?;
        let mut conversations = self.conversations.into_iter();
        conversations.try_for_each(|conversation| backlog::settle(connection, world, conversation))
    }
}

/// Says that lines came or went, or look different.
pub(crate) fn lines_changed(connection: &Connection, world: &WorldRow, keys: &[i64]) -> Result<()> {
    if has_memories(connection, world)? {
        mind::lines_changed(connection, keys)?;
    }
    settle(connection, &made_of(connection, world, keys)?)
}

/// The memories that were made of any of these lines.
pub(crate) fn made_of(connection: &Connection, world: &WorldRow, keys: &[i64]) -> Result<BTreeSet<i64>> {
    let mut found = BTreeSet::new();
    if keys.is_empty() || !has_memories(connection, world)? {
        return Ok(found);
    }
    let mut statement = connection.prepare_cached("SELECT memory FROM memory_source WHERE line = ?1")?;
    for key in keys {
        for memory in statement.query_map([key], |row| row.get(0))? {
            found.insert(memory?);
        }
    }
    Ok(found)
}

/// Most worlds of a host that only records have none, and then nobody looks at every line of a long path.
fn has_memories(connection: &Connection, world: &WorldRow) -> Result<bool> {
    let (low, high) = world.keys();
    Ok(connection.prepare_cached("SELECT 1 FROM memory WHERE id BETWEEN ?1 AND ?2")?.exists([low, high])?)
}

/// The memories that sum up any of these.
pub(crate) fn summaries_of(connection: &Connection, memories: &BTreeSet<i64>) -> Result<BTreeSet<i64>> {
    let mut found = BTreeSet::new();
    let mut statement = connection.prepare_cached("SELECT memory FROM memory_part WHERE part = ?1")?;
    for part in memories {
        for memory in statement.query_map([part], |row| row.get(0))? {
            found.insert(memory?);
        }
    }
    Ok(found)
}

/// Derives again whatever depends on these memories, or on how their holders have them.
pub(crate) fn settle(connection: &Connection, memories: &BTreeSet<i64>) -> Result<()> {
    if memories.is_empty() {
        return Ok(());
    }
    for memory in memories {
        settle_broken(connection, *memory)?;
    }
    let mut summaries = BTreeMap::new();
    for memory in memories {
        match fuller::depth_of(connection, *memory)? {
            0 => drop(settle_live(connection, *memory)?),
            depth => drop(summaries.entry(depth).or_insert_with(BTreeSet::new).insert(*memory)),
        }
    }
    let mut concerned = giving_way::settle(connection, memories)?;
    concerned.extend(memories);
    await_settling(connection, summaries_of(connection, &concerned)?, &mut summaries)?;
    while let Some((_, of_one_depth)) = summaries.pop_first() {
        // Most summaries of what changed stay as they are, and so does all that they sum up.
        let mut stirred = BTreeSet::new();
        for summary in of_one_depth {
            if settle_live(connection, summary)? || memories.contains(&summary) {
                stirred.insert(summary);
            }
        }
        let moved = fuller::settle(connection, &stirred)?;
        await_settling(connection, summaries_of(connection, &moved)?, &mut summaries)?;
        concerned.extend(stirred);
        concerned.extend(moved);
    }
    for memory in &concerned {
        settle_links(connection, *memory)?;
    }
    Ok(())
}

/// Summaries have their turn by how deep they are: what they are made of comes first.
fn await_settling(
    connection: &Connection,
    summaries: BTreeSet<i64>,
    waiting: &mut BTreeMap<i64, BTreeSet<i64>>,
) -> Result<()> {
    for summary in summaries {
        waiting.entry(fuller::depth_of(connection, summary)?).or_default().insert(summary);
    }
    Ok(())
}

/// Brings all summaries of a file up to date that was written when they lived on beside what takes their parts' place.
pub(crate) fn settle_all_summaries(connection: &Connection, deepest: i64) -> Result<()> {
    for depth in 1..=deepest {
        let summaries: BTreeSet<i64> = connection
            .prepare("SELECT id FROM memory WHERE depth = ?1")?
            .query_map([depth], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        for summary in &summaries {
            settle_live(connection, *summary)?;
        }
        fuller::settle(connection, &summaries)?;
        for summary in &summaries {
            settle_superseded(connection, "h.memory = ?1", *summary)?;
            settle_superseded(connection, "h.superseded_by = ?1", *summary)?;
        }
    }
    summed_up::settle_all(connection)
}

/// A condition on `memory_source s`: its line is not what was read.
const IS_BROKEN: &str = "NOT EXISTS (SELECT 1 FROM line l WHERE l.id = s.line AND l.active = 1 AND l.version = s.version AND l.hidden = 0)";

/// What `holding h` is to be live: nothing it was made of is broken or forgotten by its holder, and its holder has all that it sums
/// up, none of which gives way to another.
fn is_live() -> String {
    format!(
        "EXISTS (SELECT 1 FROM memory m WHERE m.id = h.memory AND m.broken = 0) AND NOT {}
         AND NOT EXISTS (SELECT 1 FROM memory_part f WHERE f.memory = h.memory AND (NOT EXISTS
           (SELECT 1 FROM memory m JOIN holding p ON p.memory = m.id AND p.holder = h.holder
            WHERE m.id = f.part AND m.broken = 0 AND p.version IS NOT NULL AND p.forgotten = 0 AND p.gives_way_to IS NULL) OR {}))",
        is_made_of_forgotten("h.memory"),
        is_made_of_forgotten("f.part")
    )
}

/// Whether the holder of `holding h` forgot a line that a memory was made of.
fn is_made_of_forgotten(memory: &str) -> String {
    format!(
        "EXISTS (SELECT 1 FROM memory_source s JOIN forgotten o ON o.line = s.line
           JOIN circle_member g ON g.circle = o.circle AND g.character = h.holder WHERE s.memory = {memory})"
    )
}

/// Whether something else stands in the place of `holding h`: what its holder can recall, or what it gives way to.
const IS_SUPERSEDED: &str = "(h.gives_way_to IS NOT NULL OR EXISTS
       (SELECT 1 FROM holding o WHERE o.memory = h.superseded_by AND o.holder = h.holder
          AND o.version IS NOT NULL AND o.live = 1 AND o.forgotten = 0))";

pub(crate) fn settle_broken(connection: &Connection, memory: i64) -> Result<()> {
    let sql = format!(
        "UPDATE memory AS m SET broken = 1 - m.broken WHERE m.id = ?1
           AND m.broken <> EXISTS (SELECT 1 FROM memory_source s WHERE s.memory = m.id AND {IS_BROKEN})"
    );
    connection.prepare_cached(&sql)?.execute([memory])?;
    Ok(())
}

/// True if it changed for anybody.
pub(crate) fn settle_live(connection: &Connection, memory: i64) -> Result<bool> {
    let is_live = is_live();
    let sql =
        format!("UPDATE holding AS h SET live = 1 - h.live WHERE h.memory = ?1 AND h.live <> ({is_live})");
    Ok(connection.prepare_cached(&sql)?.execute([memory])? > 0)
}

/// What sums up this memory, or says it better; and what this memory sums up, or says better.
fn settle_links(connection: &Connection, memory: i64) -> Result<()> {
    settle_own_links(connection, memory)?;
    summed_up::settle_parts(connection, memory)?;
    settle_superseded(connection, "h.superseded_by = ?1", memory)
}

/// What sums up this memory, or says it better.
pub(crate) fn settle_own_links(connection: &Connection, memory: i64) -> Result<()> {
    summed_up::settle(connection, memory)?;
    settle_superseded(connection, "h.memory = ?1", memory)
}

fn settle_superseded(connection: &Connection, which: &str, memory: i64) -> Result<()> {
    let sql = format!(
        "UPDATE holding AS h SET superseded = 1 - h.superseded WHERE {which} AND h.superseded <> {IS_SUPERSEDED}"
    );
    connection.prepare_cached(&sql)?.execute([memory])?;
    Ok(())
}
