//! Which memories does one have, and which of them can be recalled now?

use std::collections::BTreeSet;

use reverie_core::memories::{HeldQuery, WhichHeld};
use reverie_core::memory::{Held, Layer, Memory, Superseded};
use reverie_core::time::Moment;
use reverie_core::{CharacterId, MemoryId};
use rusqlite::types::Value;
use rusqlite::{Connection, params, params_from_iter};

use crate::error::Result;
use crate::holding::{STATE, state_columns};
use crate::line::number;
use crate::memory;
use crate::reading::number_of;
use crate::refreshment;
use crate::world::WorldRow;

/// Of a `holding h`: it can be recalled, if nothing else speaks against it. Word for word that of the partial indexes.
pub(crate) const IS_VALID: &str =
    "h.version IS NOT NULL AND h.live = 1 AND h.forgotten = 0 AND h.superseded = 0";

/// A holding, and where it stands in the order.
type Place = (i64, String, i64);

pub(crate) fn held(connection: &Connection, world: &WorldRow, query: &HeldQuery) -> Result<Vec<Held>> {
    let Some(condition) = Condition::of(connection, world, query)? else { return Ok(Vec::new()) };
    let mut places: Vec<Place> = Vec::new();
    for list in lists(query) {
        places.extend(condition.read(connection, query, list)?);
    }
    places.sort_unstable();
    if query.newest_first {
        places.reverse();
    }
    places.truncate(query.limit);
    let mut held: Vec<Held> = Vec::with_capacity(places.len());
    for (key, holder, no) in places {
        // Those who share a memory stand beside each other.
        let before = held.last().filter(|before| world.key(before.memory.id.get()) == key);
        let memory = match before {
            Some(before) => before.memory.clone(),
            None => memory::read(connection, key)?.0,
        };
        held.push(read(connection, no, memory, CharacterId::new(&holder)?)?);
    }
    Ok(held)
}

/// Whatever anybody decided about these memories, or once had decided.
pub(crate) fn decided(connection: &Connection, memories: &BTreeSet<i64>) -> Result<Vec<Held>> {
    let mut decided = Vec::new();
    for key in memories {
        let holders: Vec<(i64, String)> = connection
            .prepare_cached(
                "SELECT h.no, c.id FROM holding h JOIN character c ON c.no = h.holder
                 WHERE h.memory = ?1 AND h.version IS NOT NULL AND (h.pinned = 1 OR h.forgotten = 1 OR EXISTS
                   (SELECT 1 FROM holding_version v WHERE v.holding = h.no AND (v.pinned = 1 OR v.forgotten = 1)))
                 ORDER BY c.id",
            )?
            .query_map([key], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<rusqlite::Result<_>>()?;
        for (no, holder) in holders {
            let (memory, _) = memory::read(connection, *key)?;
            decided.push(read(connection, no, memory, CharacterId::new(&holder)?)?);
        }
    }
    Ok(decided)
}

/// What an index has in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum List {
    /// Everything of a memory, or of a holder.
    Whole,
    /// What can be recalled of a layer, or what has none.
    Layer(Option<Layer>),
}

/// The lists that together hold what is wanted, and little else.
fn lists(query: &HeldQuery) -> Vec<List> {
    let layers = query.layers.iter().copied().collect::<BTreeSet<Layer>>().into_iter().map(Some);
    let has_lists = matches!(query.which, WhichHeld::Any | WhichHeld::Unsummarised) && !query.all;
    match (has_lists && query.holder.is_some(), query.layers.is_empty()) {
        (true, true) => {
            [None].into_iter().chain(Layer::ALL.iter().copied().map(Some)).map(List::Layer).collect()
        }
        (true, false) => layers.map(List::Layer).collect(),
        (false, _) => vec![List::Whole],
    }
}

fn read(connection: &Connection, no: i64, memory: Memory, holder: CharacterId) -> Result<Held> {
    let sql = format!(
        "SELECT version, live, summarised, iif(superseded, coalesce(gives_way_to, superseded_by), NULL), {STATE}
         FROM holding WHERE no = ?1"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query([no])?;
    let row = rows.next()?.ok_or(rusqlite::Error::QueryReturnedNoRows)?;
    Ok(Held {
        memory,
        holder,
        state: state_columns(row, 4)?,
        version: row.get(0)?,
        live: row.get(1)?,
        summarised: row.get(2)?,
        superseded: row.get::<_, Option<i64>>(3)?.map(|by| superseded(connection, by)).transpose()?,
        refreshed: refreshment::newest(connection, no)?,
    })
}

fn superseded(connection: &Connection, by: i64) -> Result<Superseded> {
    let at = connection
        .prepare_cached("SELECT tick, wall_ms FROM memory WHERE id = ?1")?
        .query_row([by], |row| Ok(Moment { tick: row.get(0)?, wall_ms: row.get(1)? }))?;
    Ok(Superseded { by: MemoryId::new(number(by))?, at })
}

/// What a query asks for, in SQL.
struct Condition {
    has_holder: bool,
    sql: String,
    values: Vec<Value>,
}

impl Condition {
    /// None if nothing can meet it.
    fn of(connection: &Connection, world: &WorldRow, query: &HeldQuery) -> Result<Option<Self>> {
        let (low, high) = world.keys();
        let mut asked = Self { has_holder: query.holder.is_some(), sql: String::new(), values: Vec::new() };
        asked.sql += if query.all { "h.version IS NOT NULL" } else { IS_VALID };
        asked.and("h.memory >= ", low);
        asked.and("h.memory <= ", high);
        if let Some(id) = &query.holder {
            let Some(holder) = number_of(connection, world, id)? else { return Ok(None) };
            asked.and("h.holder = ", holder);
        }
        match &query.which {
            WhichHeld::Any => {}
            WhichHeld::Unsummarised => asked.sql += " AND h.summarised = 0",
            WhichHeld::Unconsidered => asked.sql += " AND h.askable = 1 AND h.considered = 0",
            WhichHeld::ByRules => asked.sql += " AND h.askable = 2",
            WhichHeld::One(id) => asked.and("h.memory = ", world.key(id.get())),
            WhichHeld::From(lines) => {
                let lines = lines.iter().map(|line| world.line_key(line.get())).collect();
                asked.and_any("SELECT memory FROM memory_source WHERE line", lines);
            }
            WhichHeld::About(people) => {
                let mut numbers = Vec::with_capacity(people.len());
                for id in people {
                    numbers.extend(number_of(connection, world, id)?);
                }
                asked.and_any("SELECT memory FROM memory_about WHERE character", numbers);
            }
        }
        if !query.kinds.is_empty() {
            let kinds = quoted(query.kinds.iter().map(|kind| kind.as_str()));
            asked.sql += &format!(
                " AND EXISTS (SELECT 1 FROM memory m WHERE m.id = h.memory AND m.kind IN ({kinds}))"
            );
        }
        asked.continue_behind(world, query);
        Ok(Some(asked))
    }

    fn and(&mut self, condition: &str, value: impl Into<Value>) {
        self.values.push(value.into());
        self.sql += &format!(" AND {condition}?{}", self.values.len());
    }

    /// The memory is one of those that a query finds by these numbers.
    fn and_any(&mut self, sql: &str, numbers: Vec<i64>) {
        let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
        self.sql += &format!(" AND h.memory IN ({sql} IN ({}))", numbers.join(", "));
    }

    fn continue_behind(&mut self, world: &WorldRow, query: &HeldQuery) {
        let Some((memory, holder)) = &query.after else { return };
        let beyond = if query.newest_first { "<" } else { ">" };
        // Said twice, so that the search begins there.
        self.and(&format!("h.memory {beyond}= "), world.key(memory.get()));
        let memory = self.values.len();
        self.values.push(holder.as_str().to_owned().into());
        self.sql += &format!(" AND (h.memory, c.id) {beyond} (?{memory}, ?{})", memory + 1);
    }

    /// A page of what is in a list.
    fn read(&self, connection: &Connection, query: &HeldQuery, list: List) -> Result<Vec<Place>> {
        let direction = if query.newest_first { "DESC" } else { "ASC" };
        let sql = format!(
            "SELECT h.memory, c.id, h.no FROM holding h INDEXED BY {} CROSS JOIN character c ON c.no = h.holder
             WHERE {}{} ORDER BY h.memory {direction}, c.id {direction} LIMIT {}",
            self.index(query, list),
            self.sql,
            of_layer(query, list),
            i64::try_from(query.limit).unwrap_or(i64::MAX)
        );
        let places = connection
            .prepare_cached(&sql)?
            .query_map(params_from_iter(&self.values), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
            .collect::<rusqlite::Result<_>>()?;
        Ok(places)
    }

    /// What leads the search: few lines, people or one memory; else what one has, in order.
    fn index(&self, query: &HeldQuery, list: List) -> &'static str {
        match (list, &query.which) {
            (List::Layer(_), WhichHeld::Unsummarised) => "holding_waiting",
            (List::Whole, WhichHeld::Unconsidered) if !query.all => "holding_unconsidered",
            (List::Whole, WhichHeld::ByRules) if !query.all => "holding_by_rules",
            (List::Layer(_), _) => "holding_valid",
            (List::Whole, WhichHeld::Unconsidered) if !query.all => "holding_unconsidered",
            (List::Whole, WhichHeld::ByRules) if !query.all => "holding_by_rules",
            (List::Whole, WhichHeld::Any | WhichHeld::Unsummarised) if self.has_holder => "holding_by_holder",
            (List::Whole, _) => "holding_by_memory",
        }
    }
}

fn of_layer(query: &HeldQuery, list: List) -> String {
    match list {
        List::Layer(Some(layer)) => format!(" AND h.layer = '{}'", layer.as_str()),
        List::Layer(None) => " AND h.layer IS NULL".to_owned(),
        List::Whole if query.layers.is_empty() => String::new(),
        List::Whole => {
            format!(" AND h.layer IN ({})", quoted(query.layers.iter().map(|layer| layer.as_str())))
        }
    }
}

/// Names of ours, without quotes in them.
fn quoted<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<String> = names.map(|name| format!("'{name}'")).collect();
    names.join(", ")
}

/// Whether the holder can recall a memory: it is there, live and not forgotten.
pub(crate) fn is_at_hand(
    connection: &Connection,
    world: &WorldRow,
    memory: MemoryId,
    holder: &CharacterId,
) -> Result<bool> {
    let Some(holder) = number_of(connection, world, holder)? else { return Ok(false) };
    let is_at_hand = connection
        .prepare_cached(
            "SELECT 1 FROM holding WHERE memory = ?1 AND holder = ?2 AND version IS NOT NULL AND live = 1
               AND forgotten = 0",
        )?
        .exists([world.key(memory.get()), holder])?;
    Ok(is_at_hand)
}

/// Characters with memories that wait to be summed up.
pub(crate) fn unsummarised(
    connection: &Connection,
    world: &WorldRow,
    layers: &[Layer],
    after: Option<&CharacterId>,
    limit: usize,
) -> Result<Vec<CharacterId>> {
    let layers = quoted(layers.iter().map(|layer| layer.as_str()));
    let sql = format!(
        "SELECT c.id FROM character c WHERE c.world = ?1 AND c.id > ?2 AND EXISTS
           (SELECT 1 FROM holding h INDEXED BY holding_waiting
            WHERE h.holder = c.no AND h.layer IN ({layers}) AND {IS_VALID} AND h.summarised = 0)
         ORDER BY c.id LIMIT ?3"
    );
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let after = after.map_or("", CharacterId::as_str);
    let found: Vec<String> = connection
        .prepare_cached(&sql)?
        .query_map(params![world.no, after, limit], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    found.iter().map(|id| Ok(CharacterId::new(id)?)).collect()
}
