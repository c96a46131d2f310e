//! What does somebody have in mind, and what of it changed since it was read last?

mod recollected;

use std::collections::BTreeSet;

use reverie_core::recollection::{Mark, Provenance, Recollections};
use reverie_core::{CharacterId, ConversationId, MemoryId};
use rusqlite::{Connection, OptionalExtension, params};

use crate::circle::Circles;
use crate::error::Result;
use crate::line::number;
use crate::world::WorldRow;
use recollected::Which;

/// All that one can recall, or what changed of it since one of these marks.
pub(crate) fn read(
    connection: &Connection,
    (no, holder): (i64, &CharacterId),
    known: &[Mark],
    space: Option<&str>,
) -> Result<Recollections> {
    let mark = mark(connection, no)?;
    let since = known.iter().find(|known| known.is_of(&mark)).map(|known| known.change);
    let kept = recollected::read(connection, Which { no, holder, since }, space)?;
    let valid: BTreeSet<MemoryId> = kept.iter().map(|kept| kept.held.memory.id).collect();
    let gone = match since {
        None => Vec::new(),
        Some(since) => changed(connection, no, since)?.into_iter().filter(|id| !valid.contains(id)).collect(),
    };
    Ok(Recollections { holder: holder.clone(), mark: Some(mark), whole: since.is_none(), kept, gone })
}

fn mark(connection: &Connection, holder: i64) -> Result<Mark> {
    let change = connection
        .prepare_cached(
            "SELECT max(seq) FROM mind_change INDEXED BY mind_change_by_holder WHERE holder = ?1",
        )?
        .query_row([holder], |row| row.get::<_, Option<u64>>(0))?;
    let epoch = connection
        .prepare_cached("SELECT seq FROM mind_change WHERE memory = 0 AND holder = 0")?
        .query_row([], |row| row.get(0))
        .optional()?;
    Ok(Mark {
        holder: holder.unsigned_abs(),
        epoch: epoch.unwrap_or_default(),
        change: change.unwrap_or_default(),
    })
}

fn changed(connection: &Connection, holder: i64, since: u64) -> Result<BTreeSet<MemoryId>> {
    let mut statement = connection.prepare_cached(
        "SELECT memory FROM mind_change INDEXED BY mind_change_by_holder WHERE holder = ?1 AND seq > ?2",
    )?;
    let mut rows = statement.query(params![holder, since])?;
    let mut changed = BTreeSet::new();
    while let Some(row) = rows.next()? {
        changed.insert(MemoryId::new(number(row.get(0)?))?);
    }
    Ok(changed)
}

/// What is at hand of any mind counts no more: numbers of what is gone may be given again.
pub(crate) fn begin_anew(connection: &Connection) -> Result<()> {
    connection.prepare_cached("DELETE FROM mind_change WHERE memory = 0 AND holder = 0")?.execute([])?;
    connection.prepare_cached("INSERT INTO mind_change (holder, memory) VALUES (0, 0)")?.execute([])?;
    Ok(())
}

/// Says that whatever is about somebody is about to be so no more.
pub(crate) fn no_longer_about(connection: &Connection, person: i64) -> Result<()> {
    const HELD: &str = "SELECT holder, memory FROM holding WHERE memory IN (SELECT memory FROM memory_about WHERE character = ?1)";
    connection
        .prepare_cached(&format!("DELETE FROM mind_change WHERE (holder, memory) IN ({HELD})"))?
        .execute([person])?;
    connection
        .prepare_cached(&format!("INSERT INTO mind_change (holder, memory) {HELD}"))?
        .execute([person])?;
    Ok(())
}

/// Says that what is refreshed by these lines may be so no more, or again.
pub(crate) fn lines_changed(connection: &Connection, lines: &[i64]) -> Result<()> {
    let mut refreshed = connection.prepare_cached("SELECT holding FROM refreshed WHERE line = ?1")?;
    let mut forget = connection.prepare_cached(
        "DELETE FROM mind_change WHERE (memory, holder) = (SELECT memory, holder FROM holding WHERE no = ?1)",
    )?;
    let mut insert = connection.prepare_cached(
        "INSERT INTO mind_change (holder, memory) SELECT holder, memory FROM holding WHERE no = ?1",
    )?;
    let mut holdings: BTreeSet<i64> = BTreeSet::new();
    for line in lines {
        for holding in refreshed.query_map([line], |row| row.get(0))? {
            holdings.insert(holding?);
        }
    }
    for holding in holdings {
        forget.execute([holding])?;
        insert.execute([holding])?;
    }
    Ok(())
}

/// Where these come from.
pub(crate) fn provenance(
    connection: &Connection,
    world: &WorldRow,
    memories: &[MemoryId],
) -> Result<Vec<Provenance>> {
    let mut circles = Circles::default();
    memories.iter().map(|memory| came_from(connection, world.key(memory.get()), &mut circles)).collect()
}

fn came_from(connection: &Connection, memory: i64, circles: &mut Circles) -> Result<Provenance> {
    let mut statement = connection.prepare_cached(
        "SELECT DISTINCT c.id, l.witnesses FROM
           (SELECT ?1 AS memory UNION SELECT part FROM memory_part WHERE memory = ?1) m
           CROSS JOIN memory_source s ON s.memory = m.memory
           CROSS JOIN line l ON l.id = s.line CROSS JOIN conversation c ON c.no = l.conversation",
    )?;
    let mut rows = statement.query([memory])?;
    let mut conversations: BTreeSet<ConversationId> = BTreeSet::new();
    let mut witnesses: Option<BTreeSet<CharacterId>> = None;
    while let Some(row) = rows.next()? {
        conversations.insert(ConversationId::new(row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?)?);
        let these: BTreeSet<CharacterId> = circles.ids(connection, row.get(1)?)?.into_iter().collect();
        witnesses = Some(match witnesses {
            Some(all) => &all & &these,
            None => these,
        });
    }
    let mut statement = connection.prepare_cached(
        "SELECT c.id, h.text FROM holding h JOIN character c ON c.no = h.holder
         WHERE h.memory = ?1 AND h.version IS NOT NULL AND h.forgotten = 0 AND c.erased = 0 ORDER BY c.id",
    )?;
    let (mut holders, mut reworded) = (Vec::new(), Vec::new());
    let mut rows = statement.query([memory])?;
    while let Some(row) = rows.next()? {
        let holder = CharacterId::new(row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?)?;
        reworded.extend(row.get::<_, Option<String>>(1)?.map(|words| (holder.clone(), words)));
        holders.push(holder);
    }
    Ok(Provenance {
        conversations: conversations.into_iter().collect(),
        witnesses: witnesses.into_iter().flatten().collect(),
        holders,
        reworded,
    })
}
