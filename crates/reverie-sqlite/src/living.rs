//! Which memories are as they were made, and what follows for those who have them?
//!
//! A memory is broken while one of its lines is off the path, reworded, hidden or not shown. What of it is live to a holder, who may
//! have forgotten lines, and what sums it up or says it better, is written down with each holding. All of that is brought up to date here, whenever
//! lines or holdings change, so that reading costs what it returns.

use std::collections::BTreeSet;

use rusqlite::Connection;

use crate::backlog;
use crate::error::Result;
use crate::giving_way;
use crate::mind;
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
    let mut concerned = summaries_of(connection, memories)?;
    concerned.extend(memories);
    for memory in &concerned {
        settle_live(connection, *memory)?;
    }
    concerned.extend(giving_way::settle(connection, memories)?);
    for memory in &concerned {
        settle_links(connection, *memory)?;
    }
    Ok(())
}

/// A condition on `memory_source s`: its line is not what was read.
const IS_BROKEN: &str = "NOT EXISTS (SELECT 1 FROM line l WHERE l.id = s.line AND l.active = 1 AND l.version = s.version AND l.hidden = 0)";

/// What `holding h` is to be live: nothing it was made of is broken or forgotten by its holder, and its holder has all that it sums
/// up.
fn is_live() -> String {
    format!(
        "EXISTS (SELECT 1 FROM memory m WHERE m.id = h.memory AND m.broken = 0) AND NOT {}
         AND NOT EXISTS (SELECT 1 FROM memory_part f WHERE f.memory = h.memory AND (NOT EXISTS
           (SELECT 1 FROM memory m JOIN holding p ON p.memory = m.id AND p.holder = h.holder
            WHERE m.id = f.part AND m.broken = 0 AND p.version IS NOT NULL AND p.forgotten = 0) OR {}))",
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

/// Whether the holder of `holding h` can recall the memory that a column of it names.
fn recalls(column: &str) -> String {
    format!(
        "EXISTS (SELECT 1 FROM holding o WHERE o.memory = h.{column} AND o.holder = h.holder
           AND o.version IS NOT NULL AND o.live = 1 AND o.forgotten = 0)"
    )
}

pub(crate) fn settle_broken(connection: &Connection, memory: i64) -> Result<()> {
    let sql = format!(
        "UPDATE memory AS m SET broken = 1 - m.broken WHERE m.id = ?1
           AND m.broken <> EXISTS (SELECT 1 FROM memory_source s WHERE s.memory = m.id AND {IS_BROKEN})"
    );
    connection.prepare_cached(&sql)?.execute([memory])?;
    Ok(())
}

pub(crate) fn settle_live(connection: &Connection, memory: i64) -> Result<()> {
    let is_live = is_live();
    let sql =
        format!("UPDATE holding AS h SET live = 1 - h.live WHERE h.memory = ?1 AND h.live <> ({is_live})");
    connection.prepare_cached(&sql)?.execute([memory])?;
    Ok(())
}

/// A flag of a holding, and the column that names the memory it is about.
pub(crate) const LINKS: [(&str, &str); 2] =
    [("summarised", "summarised_by"), ("superseded", "superseded_by")];

/// What sums up this memory, or says it better; and what this memory sums up, or says better.
fn settle_links(connection: &Connection, memory: i64) -> Result<()> {
    settle_own_links(connection, memory)?;
    for (flag, column) in LINKS {
        settle_link(connection, flag, column, column, memory)?;
    }
    Ok(())
}

/// What sums up this memory, or says it better.
pub(crate) fn settle_own_links(connection: &Connection, memory: i64) -> Result<()> {
    for (flag, column) in LINKS {
        settle_link(connection, flag, column, "memory", memory)?;
    }
    Ok(())
}

/// Of all holdings in which a column names the memory.
fn settle_link(connection: &Connection, flag: &str, link: &str, column: &str, memory: i64) -> Result<()> {
    let mut is_so = recalls(link);
    if flag == "superseded" {
        is_so = format!("(h.gives_way_to IS NOT NULL OR {is_so})");
    }
    let sql = format!(
        "UPDATE holding AS h SET {flag} = 1 - h.{flag} WHERE h.{column} = ?1 AND h.{flag} <> {is_so}"
    );
    connection.prepare_cached(&sql)?.execute([memory])?;
    Ok(())
}
