//! How is much of a mind read at once? By a few questions about all of it, each in the order of memories, not by some about each.

use reverie_core::fingerprint::fingerprint_of_text;
use reverie_core::line::Order;
use reverie_core::memory::{Held, Source, State};
use reverie_core::recollection::{Kept, Place};
use reverie_core::time::Moment;
use reverie_core::{CharacterId, LineId, MemoryId};
use rusqlite::{Connection, Row, params};

use crate::error::Result;
use crate::held::{IS_VALID, summarised};
use crate::holding::{STATE, state_columns};
use crate::line::number;
use crate::{memory, vector};

/// What is read: all that somebody can recall, or what of it changed since then.
#[derive(Clone, Copy)]
pub(super) struct Which<'w> {
    pub(super) no: i64,
    pub(super) holder: &'w CharacterId,
    pub(super) since: Option<u64>,
}

/// In the order of memories.
pub(super) fn read(connection: &Connection, which: Which<'_>, space: Option<&str>) -> Result<Vec<Kept>> {
    let holdings = holdings(connection, which)?;
    // Most of the time nothing has changed.
    if holdings.is_empty() {
        return Ok(Vec::new());
    }
    let mut all = All { which, connection, read: memories(connection, which, holdings)? };
    all.add_sources()?;
    all.add_parts()?;
    all.add_people()?;
    all.add_refreshed()?;
    if let Some(space) = space {
        all.add_vectors(space)?;
    }
    Ok(all.read.into_iter().map(|(_, kept)| kept).collect())
}

impl Which<'_> {
    /// These columns of the holdings `h` and of what is joined to them.
    fn sql(&self, columns: &str, joined: &str, order: &str) -> String {
        let (from, of) = match self.since {
            None => ("holding h INDEXED BY holding_by_holder", "h.holder = ?1 AND ?2 IS NOT NULL"),
            Some(_) => (
                "mind_change n INDEXED BY mind_change_by_holder
                 CROSS JOIN holding h ON h.memory = n.memory AND h.holder = n.holder",
                "n.holder = ?1 AND n.seq > ?2",
            ),
        };
        format!(
            "SELECT h.memory, {columns} FROM {from} {joined} WHERE {of} AND {IS_VALID} ORDER BY h.memory{order}"
        )
    }

    fn since(&self) -> u64 {
        self.since.unwrap_or_default()
    }
}

/// What one made of a memory, by the memory's key.
type Holding = (i64, State, u32, Option<MemoryId>);

fn holdings(connection: &Connection, which: Which<'_>) -> Result<Vec<Holding>> {
    let sql = which.sql(&format!("h.version, h.summarised, {STATE}"), "", "");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params![which.no, which.since()])?;
    let mut holdings = Vec::new();
    while let Some(row) = rows.next()? {
        holdings.push((row.get(0)?, state_columns(row, 3)?, row.get(1)?, summarised(row.get(2)?)?));
    }
    Ok(holdings)
}

fn memories(connection: &Connection, which: Which<'_>, holdings: Vec<Holding>) -> Result<Vec<(i64, Kept)>> {
    let columns: Vec<String> = memory::COLUMNS.split(", ").map(|column| format!("m.{column}")).collect();
    let sql = which.sql(&columns.join(", "), "CROSS JOIN memory m ON m.id = h.memory", "");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params![which.no, which.since()])?;
    let mut read = Vec::with_capacity(holdings.len());
    for (key, state, version, summarised) in holdings {
        let row = rows.next()?.filter(|row| row.get(0) == Ok(key)).ok_or_else(|| memory::missing(key))?;
        let held = Held {
            memory: memory::bare(row, 1, key)?,
            holder: which.holder.clone(),
            state,
            version,
            live: true,
            summarised,
            superseded: None,
            refreshed: None,
        };
        read.push((key, Kept { held, place: None, names: Vec::new(), vectors: Vec::new() }));
    }
    Ok(read)
}

struct All<'a> {
    which: Which<'a>,
    connection: &'a Connection,
    read: Vec<(i64, Kept)>,
}

impl All<'_> {
    /// Calls with each row and the memory that it belongs to.
    fn each(
        &mut self,
        (columns, joined, order): (&str, &str, &str),
        space: Option<&str>,
        mut add: impl FnMut(&Row<'_>, &mut Kept) -> Result<()>,
    ) -> Result<()> {
        let mut statement = self.connection.prepare_cached(&self.which.sql(columns, joined, order))?;
        let mut rows = match space {
            Some(space) => statement.query(params![self.which.no, self.which.since(), space])?,
            None => statement.query(params![self.which.no, self.which.since()])?,
        };
        let mut read = self.read.iter_mut().peekable();
        while let Some(row) = rows.next()? {
            let key: i64 = row.get(0)?;
            while read.next_if(|(other, _)| *other < key).is_some() {}
            if let Some((_, kept)) = read.peek_mut().filter(|(other, _)| *other == key) {
                add(row, kept)?;
            }
        }
        Ok(())
    }

    /// A memory stands where the first of its lines does that is there.
    fn add_sources(&mut self) -> Result<()> {
        let joined = "CROSS JOIN memory_source s ON s.memory = h.memory LEFT JOIN line l ON l.id = s.line";
        self.each(("s.line, s.version, l.conversation", joined, ", s.place"), None, |row, kept| {
            let line: i64 = row.get(1)?;
            let source = Source { line: LineId::new(number(line))?, version: row.get(2)? };
            kept.held.memory.sources.push(source);
            if let Some(conversation) = row.get::<_, Option<i64>>(3)? {
                let place = Place { conversation: conversation.unsigned_abs(), order: number(line) };
                kept.place.get_or_insert(place);
            }
            Ok(())
        })
    }

    fn add_parts(&mut self) -> Result<()> {
        let joined = "CROSS JOIN memory_part p ON p.memory = h.memory";
        self.each(("p.part", joined, ", p.part"), None, |row, kept| {
            kept.held.memory.from.push(MemoryId::new(number(row.get(1)?))?);
            Ok(())
        })
    }

    fn add_people(&mut self) -> Result<()> {
        let joined =
            "CROSS JOIN memory_about a ON a.memory = h.memory CROSS JOIN character c ON c.no = a.character";
        let columns = "c.id, iif(c.erased = 0, coalesce(c.display_name, c.id), NULL)";
        self.each((columns, joined, ", c.id"), None, |row, kept| {
            let id = row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?;
            kept.held.memory.about.push(CharacterId::new(id)?);
            kept.names.extend(row.get::<_, Option<String>>(2)?);
            Ok(())
        })?;
        for (_, kept) in &mut self.read {
            kept.names.sort();
            kept.names.dedup();
        }
        Ok(())
    }

    /// By the newest line of the active path.
    fn add_refreshed(&mut self) -> Result<()> {
        let joined =
            "CROSS JOIN refreshed r ON r.holding = h.no CROSS JOIN line l ON l.id = r.line AND l.active = 1";
        self.each(("r.tick, l.wall_ms", joined, ", r.tick, r.line"), None, |row, kept| {
            let tick = Some(row.get(1)?).filter(|tick| *tick != Order::BEFORE_TIME);
            kept.held.refreshed = Some(Moment { tick, wall_ms: row.get(2)? });
            Ok(())
        })
    }

    /// Those of its words as they are now.
    fn add_vectors(&mut self, space: &str) -> Result<()> {
        let joined = "CROSS JOIN memory_vector v INDEXED BY memory_vector_by_memory
               ON v.memory = h.memory AND v.holder = iif(h.text IS NULL, 0, h.holder) AND v.space = ?3";
        self.each(("v.digest, v.chunks, v.data", joined, ""), Some(space), |row, kept| {
            let digest = row.get_ref(1)?.as_blob().map_err(rusqlite::Error::from)?;
            if digest == fingerprint_of_text(kept.held.text()) {
                kept.vectors = vector::chunks(row, 2)?;
            }
            Ok(())
        })
    }
}
