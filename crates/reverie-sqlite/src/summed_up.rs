//! By what is a memory summed up, for one who has it?
//!
//! A day can have several summaries, each for the path on which its parts count; so what sums up a memory follows from what summaries
//! are made of and which of them can be recalled, and not from the last one alone. A day that was told in other words is as much a part
//! of its era as the telling that the era was made of: both sum up the same.

use std::collections::BTreeSet;

use rusqlite::Connection;

use crate::error::Result;

/// Whether one memory sums up all that another does.
pub(crate) fn has_all(one: &str, other: &str) -> String {
    format!(
        "NOT EXISTS (SELECT 1 FROM memory_part x WHERE x.memory = {other} AND NOT EXISTS
           (SELECT 1 FROM memory_part y WHERE y.memory = {one} AND y.part = x.part))"
    )
}

fn sum_up_the_same(one: &str, other: &str) -> String {
    format!("{} AND {}", has_all(one, other), has_all(other, one))
}

/// Which memory sums up that of `holding h` to its holder, as in memory.id; 0: none. The one that was made last, as long as it can be
/// recalled and gives way to none; else the oldest of those.
fn summed_up_by() -> String {
    let same = sum_up_the_same("a.memory", "h.memory");
    // What is like it is looked for among what its holder has, which is little, before anything is compared.
    let found = |which: &str| {
        format!(
            "SELECT min(f.memory) FROM memory_part f CROSS JOIN holding o ON o.memory = f.memory AND o.holder = h.holder
             WHERE {which} AND o.version IS NOT NULL AND o.live = 1 AND o.forgotten = 0
               AND o.gives_way_to IS NULL AND f.part IN
               (SELECT h.memory UNION ALL SELECT a.memory FROM memory_part a
                CROSS JOIN holding k ON k.memory = a.memory AND k.holder = h.holder
                WHERE a.part = (SELECT min(x.part) FROM memory_part x WHERE x.memory = h.memory)
                  AND a.memory <> h.memory AND {same})"
        )
    };
    format!("coalesce(({}), ({}), 0)", found("f.memory = h.summarised_by"), found("1"))
}

/// The memories that ?1 sums up, however they are told.
fn summed_up() -> String {
    let same = sum_up_the_same("a.memory", "f.part");
    format!(
        "SELECT part FROM memory_part WHERE memory = ?1
         UNION SELECT a.memory FROM memory_part f CROSS JOIN memory_part a
           ON a.part = (SELECT min(x.part) FROM memory_part x WHERE x.memory = f.part)
         WHERE f.memory = ?1 AND a.memory <> f.part AND {same}"
    )
}

/// All that a memory sums up.
pub(crate) fn by(connection: &Connection, memory: i64) -> Result<BTreeSet<i64>> {
    let mut statement = connection.prepare_cached(&summed_up())?;
    let found = statement.query_map([memory], |row| row.get(0))?;
    Ok(found.collect::<rusqlite::Result<_>>()?)
}

/// What sums up this memory.
pub(crate) fn settle(connection: &Connection, memory: i64) -> Result<()> {
    settle_where(connection, "h.memory = ?1", memory)
}

/// What sums up whatever this memory sums up, for those who have both.
pub(crate) fn settle_parts(connection: &Connection, memory: i64) -> Result<()> {
    let which = format!(
        "h.memory IN ({}) AND h.holder IN (SELECT holder FROM holding WHERE memory = ?1)",
        summed_up()
    );
    settle_where(connection, &which, memory)
}

fn settle_where(connection: &Connection, which: &str, memory: i64) -> Result<()> {
    let by = summed_up_by();
    let sql = format!("UPDATE holding AS h SET summarised = {by} WHERE {which} AND h.summarised <> {by}");
    connection.prepare_cached(&sql)?.execute([memory])?;
    Ok(())
}

/// The same for a whole file that only knows whether something is summed up.
pub(crate) fn settle_all(connection: &Connection) -> Result<()> {
    let by = summed_up_by();
    let sql = format!(
        "UPDATE holding AS h SET summarised = {by}
         WHERE (h.summarised <> 0 OR h.summarised_by IS NOT NULL OR h.memory IN (SELECT part FROM memory_part)
           OR h.memory IN (SELECT memory FROM memory_part)) AND h.summarised <> {by}"
    );
    connection.prepare(&sql)?.execute([])?;
    Ok(())
}
