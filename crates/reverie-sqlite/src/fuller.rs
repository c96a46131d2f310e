//! Which summary of a day or an era counts where several can be recalled?
//!
//! Whoever goes back in a day that is over has less of it, which is summed up anew; when all of it is there again, so is its first
//! summary. Of summaries at one depth, days or eras, one that sums up all that another does and more stands in the place of that one.

use std::collections::BTreeSet;

use rusqlite::{Connection, OptionalExtension};

use crate::error::Result;
use crate::summed_up::has_all;

/// How deep a memory that is about to get these parts sums up: a day is of what happened, an era of days.
pub(crate) const DEPTH: &str = "coalesce((SELECT max(p.depth) + 1 FROM memory_part f JOIN memory p ON p.id = f.part WHERE f.memory = m.id), 0)";

pub(crate) fn depth_of(connection: &Connection, memory: i64) -> Result<i64> {
    let sql = "SELECT depth FROM memory WHERE id = ?1";
    Ok(connection.prepare_cached(sql)?.query_row([memory], |row| row.get(0)).optional()?.unwrap_or(0))
}

/// Derives it for summaries of one depth and all that sum up less. Gives back those for which something changed.
pub(crate) fn settle(connection: &Connection, summaries: &BTreeSet<i64>) -> Result<BTreeSet<i64>> {
    let way = way();
    // What sums up less has a part in common that is as deep as a part can be.
    let sql = format!(
        "UPDATE holding AS h SET gives_way_to = {way}
         WHERE h.memory IN (SELECT ?1 UNION SELECT a.memory FROM memory t CROSS JOIN memory_part f ON f.memory = t.id
             CROSS JOIN memory p ON p.id = f.part AND p.depth = t.depth - 1 CROSS JOIN memory_part a ON a.part = f.part
             CROSS JOIN memory s ON s.id = a.memory AND s.depth = t.depth WHERE t.id = ?1)
           AND h.holder IN (SELECT holder FROM holding WHERE memory = ?1) AND h.gives_way_to IS NOT {way}
         RETURNING memory"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut changed = BTreeSet::new();
    for summary in summaries {
        for memory in statement.query_map([summary], |row| row.get(0))? {
            changed.insert(memory?);
        }
    }
    Ok(changed)
}

/// What stands in the place of `holding h`, as in memory.id: of those that sum up more the one that sums up most, then the newest.
fn way() -> String {
    format!(
        "iif(h.version IS NULL OR h.live = 0, NULL,
           (SELECT o.memory FROM memory_part a CROSS JOIN holding o ON o.memory = a.memory AND o.holder = h.holder
            CROSS JOIN memory t ON t.id = o.memory
            WHERE a.part = (SELECT min(x.part) FROM memory_part x WHERE x.memory = h.memory) AND a.memory <> h.memory
              AND o.version IS NOT NULL AND o.live = 1 AND o.forgotten = 0
              AND t.depth = (SELECT m.depth FROM memory m WHERE m.id = h.memory) AND {} AND NOT {}
            ORDER BY (SELECT count(*) FROM memory_part c WHERE c.memory = o.memory) DESC, o.memory DESC LIMIT 1))",
        has_all("o.memory", "h.memory"),
        has_all("h.memory", "o.memory")
    )
}

/// Of a whole file that knows nothing of it yet: how deep its memories are. Gives back how deep the deepest is.
pub(crate) fn settle_depths(connection: &Connection) -> Result<i64> {
    let sql = format!("UPDATE memory AS m SET depth = {DEPTH} WHERE m.depth <> {DEPTH}");
    while connection.execute(&sql, [])? > 0 {}
    Ok(connection.query_row("SELECT coalesce(max(depth), 0) FROM memory", [], |row| row.get(0))?)
}
