//! What does somebody have in mind, and what of it changed since it was read last?

use std::collections::{BTreeMap, BTreeSet};

use reverie_core::embed::Vector;
use reverie_core::fingerprint::fingerprint_of_text;
use reverie_core::memory::Held;
use reverie_core::recollection::{Kept, Mark, Place, Provenance, Recollections};
use reverie_core::{CharacterId, ConversationId, MemoryId};
use rusqlite::{Connection, OptionalExtension, params};

use crate::circle::Circles;
use crate::error::Result;
use crate::held;
use crate::line::number;
use crate::vector;
use crate::world::WorldRow;

/// All that one can recall, or what changed of it since one of these marks.
pub(crate) fn read(
    connection: &Connection,
    (no, holder): (i64, &CharacterId),
    known: &[Mark],
    space: Option<&str>,
) -> Result<Recollections> {
    let mark = mark(connection, no)?;
    let since = known.iter().find(|known| known.is_of(&mark)).map(|known| known.change);
    let held = match since {
        None => held::all_valid(connection, no, holder)?,
        Some(since) => held::valid_since(connection, no, holder, since)?,
    };
    let mut names = Names::default();
    let mut kept = Vec::with_capacity(held.len());
    let valid: BTreeSet<MemoryId> = held.iter().map(|(_, held)| held.memory.id).collect();
    for (key, held) in held {
        kept.push(Kept {
            place: place(connection, key)?,
            names: names.of(connection, key)?,
            vectors: space.map_or(Ok(Vec::new()), |space| vectors(connection, key, no, &held, space))?,
            held,
        });
    }
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

fn place(connection: &Connection, memory: i64) -> Result<Option<Place>> {
    let place = connection
        .prepare_cached(
            "SELECT l.conversation, l.id FROM memory_source s CROSS JOIN line l ON l.id = s.line
             WHERE s.memory = ?1 ORDER BY s.place LIMIT 1",
        )?
        .query_row([memory], |row| Ok((row.get::<_, i64>(0)?, row.get(1)?)))
        .optional()?;
    Ok(place
        .map(|(conversation, line)| Place { conversation: conversation.unsigned_abs(), order: number(line) }))
}

/// What people are called: few of them, in many memories.
#[derive(Default)]
struct Names {
    known: BTreeMap<i64, Option<String>>,
}

impl Names {
    fn of(&mut self, connection: &Connection, memory: i64) -> Result<Vec<String>> {
        let mut statement =
            connection.prepare_cached("SELECT character FROM memory_about WHERE memory = ?1")?;
        let mut names = Vec::new();
        for person in statement.query_map([memory], |row| row.get(0))? {
            names.extend(self.name(connection, person?)?);
        }
        names.sort();
        names.dedup();
        Ok(names)
    }

    fn name(&mut self, connection: &Connection, person: i64) -> Result<Option<String>> {
        if let Some(known) = self.known.get(&person) {
            return Ok(known.clone());
        }
        let name: Option<String> = connection
            .prepare_cached("SELECT coalesce(display_name, id) FROM character WHERE no = ?1 AND erased = 0")?
            .query_row([person], |row| row.get(0))
            .optional()?;
        self.known.insert(person, name.clone());
        Ok(name)
    }
}

fn vectors(
    connection: &Connection,
    memory: i64,
    holder: i64,
    held: &Held,
    space: &str,
) -> Result<Vec<Vector>> {
    let whose = if held.state.text.is_some() { holder } else { 0 };
    let mut statement = connection.prepare_cached(
        "SELECT chunks, data FROM memory_vector WHERE memory = ?1 AND holder = ?2 AND space = ?3 AND digest = ?4",
    )?;
    let mut rows = statement.query(params![memory, whose, space, fingerprint_of_text(held.text())])?;
    rows.next()?.map_or(Ok(Vec::new()), |row| vector::chunks(row, 0))
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
        "SELECT c.id FROM holding h JOIN character c ON c.no = h.holder
         WHERE h.memory = ?1 AND h.version IS NOT NULL AND h.forgotten = 0 AND c.erased = 0 ORDER BY c.id",
    )?;
    let mut holders = Vec::new();
    let mut rows = statement.query([memory])?;
    while let Some(row) = rows.next()? {
        holders.push(CharacterId::new(row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?)?);
    }
    Ok(Provenance {
        conversations: conversations.into_iter().collect(),
        witnesses: witnesses.into_iter().flatten().collect(),
        holders,
    })
}
