//! What does a query for memories ask for, in SQL, and which index leads to it?

use std::collections::BTreeSet;

use reverie_core::memories::{HeldQuery, MemoryOrder, Only, Sieve, WhichHeld};
use reverie_core::memory::Layer;
use rusqlite::types::Value;
use rusqlite::{Connection, Row, params_from_iter};

use super::IS_VALID;
use crate::error::Result;
use crate::reading::number_of;
use crate::world::WorldRow;

/// Where a holding stands in the order: by both clocks as far as they count, by its memory and its holder; and which one it is.
pub(super) type Place = (Option<i64>, i64, i64, String, i64);

/// What an index has in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum List {
    /// Everything of a memory, or of a holder.
    Whole,
    /// What can be recalled of a layer, or what has none.
    Layer(Option<Layer>),
}

/// The lists that together hold what is wanted, and little else.
pub(super) fn lists(query: &HeldQuery) -> Vec<List> {
    let layers = query.layers.iter().copied().collect::<BTreeSet<Layer>>().into_iter().map(Some);
    let has_lists = matches!(query.which, WhichHeld::Any | WhichHeld::Unsummarised) && query.is_of_valid();
    match (has_lists && query.holder.is_some(), query.layers.is_empty()) {
        (true, true) => {
            [None].into_iter().chain(Layer::ALL.iter().copied().map(Some)).map(List::Layer).collect()
        }
        (true, false) => layers.map(List::Layer).collect(),
        (false, _) => vec![List::Whole],
    }
}

/// What a query asks for, in SQL.
pub(super) struct Condition {
    has_holder: bool,
    sql: String,
    values: Vec<Value>,
}

impl Condition {
    /// None if nothing can meet it.
    pub(super) fn of(connection: &Connection, world: &WorldRow, query: &HeldQuery) -> Result<Option<Self>> {
        let (low, high) = world.keys();
        let mut asked = Self { has_holder: query.holder.is_some(), sql: String::new(), values: Vec::new() };
        asked.sql += match (query.sieve.only, query.all) {
            (Only::Asked, false) => IS_VALID,
            (Only::Asked, true) => "h.version IS NOT NULL",
            (Only::Forgotten, _) => "h.version IS NOT NULL AND h.forgotten = 1",
            (Only::Lost, _) => {
                "h.version IS NOT NULL AND (h.live = 0 OR h.forgotten = 1 OR h.superseded = 1)"
            }
        };
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
        if !asked.sift(connection, world, &query.sieve)? {
            return Ok(None);
        }
        asked.of_memory(query);
        asked.continue_behind(world, query);
        Ok(Some(asked))
    }

    /// What the holding itself must be. False if nothing can be so.
    fn sift(&mut self, connection: &Connection, world: &WorldRow, sieve: &Sieve) -> Result<bool> {
        if let Some(pinned) = sieve.pinned {
            self.and("h.pinned = ", i64::from(pinned));
        }
        if let Some(other) = &sieve.shared_with {
            let Some(other) = number_of(connection, world, other)? else { return Ok(false) };
            self.values.push(other.into());
            let is_valid = IS_VALID.replace("h.", "o.");
            self.sql += &format!(
                " AND EXISTS (SELECT 1 FROM holding o WHERE o.memory = h.memory AND o.holder = ?{} AND {is_valid})",
                self.values.len()
            );
        }
        Ok(true)
    }

    /// What the memory behind it must be.
    fn of_memory(&mut self, query: &HeldQuery) {
        let Sieve { emotions, from_ms, to_ms, from_tick, to_tick, .. } = &query.sieve;
        let mut wanted: Vec<String> = Vec::new();
        if !query.kinds.is_empty() {
            wanted.push(format!("m.kind IN ({})", quoted(query.kinds.iter().map(|kind| kind.as_str()))));
        }
        for (bound, condition) in [
            (from_ms, "m.wall_ms >="),
            (to_ms, "m.wall_ms <"),
            (from_tick, "m.tick >="),
            (to_tick, "m.tick <"),
        ] {
            if let Some(bound) = bound {
                self.values.push((*bound).into());
                wanted.push(format!("{condition} ?{}", self.values.len()));
            }
        }
        let mut felt: Vec<String> = Vec::with_capacity(emotions.len());
        // They stand there one below the other: none is empty or has a line break in it.
        for emotion in emotions.iter().filter(|emotion| !emotion.is_empty() && !emotion.contains('\n')) {
            self.values.push(format!("\n{emotion}\n").into());
            felt.push(format!("instr(char(10) || m.emotions || char(10), ?{}) > 0", self.values.len()));
        }
        if !emotions.is_empty() {
            wanted.push(if felt.is_empty() { "0".to_owned() } else { format!("({})", felt.join(" OR ")) });
        }
        if !wanted.is_empty() {
            self.sql += &format!(
                " AND EXISTS (SELECT 1 FROM memory m WHERE m.id = h.memory AND {})",
                wanted.join(" AND ")
            );
        }
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
        let Some((spot, holder)) = &query.after else { return };
        let beyond = if query.newest_first { "<" } else { ">" };
        let (memory, holder) = (world.key(spot.memory.get()), holder.as_str().to_owned());
        if query.order == MemoryOrder::Made {
            // Said twice, so that the search begins there.
            self.and(&format!("h.memory {beyond}= "), memory);
            let memory = self.values.len();
            self.values.push(holder.into());
            self.sql += &format!(" AND (h.memory, c.id) {beyond} (?{memory}, ?{})", memory + 1);
            return;
        }
        let first = self.values.len() + 1;
        if query.order == MemoryOrder::Tick {
            self.values.push(spot.tick.is_some().into());
            self.values.push(spot.tick.unwrap_or_default().into());
        }
        self.values.extend([spot.wall_ms.into(), memory.into(), holder.into()]);
        let values: Vec<String> = (first..=self.values.len()).map(|place| format!("?{place}")).collect();
        let places = [clocks(query.order), PLACE].concat().join(", ");
        self.sql += &format!(" AND ({places}) {beyond} ({})", values.join(", "));
    }

    /// A page of what is in a list.
    pub(super) fn read(&self, connection: &Connection, query: &HeldQuery, list: List) -> Result<Vec<Place>> {
        let direction = if query.newest_first { "DESC" } else { "ASC" };
        let dated = " CROSS JOIN memory t ON t.id = h.memory";
        let (when, dated) = match query.order {
            MemoryOrder::Made => ("NULL, 0", ""),
            MemoryOrder::Time => ("NULL, t.wall_ms", dated),
            MemoryOrder::Tick => ("t.tick, t.wall_ms", dated),
        };
        let places = [clocks(query.order), PLACE].concat();
        let places: Vec<String> = places.iter().map(|place| format!("{place} {direction}")).collect();
        let sql = format!(
            "SELECT {when}, h.memory, c.id, h.no
             FROM holding h INDEXED BY {} CROSS JOIN character c ON c.no = h.holder{dated}
             WHERE {}{} ORDER BY {} LIMIT {}",
            self.index(query, list),
            self.sql,
            of_layer(query, list),
            places.join(", "),
            i64::try_from(query.limit).unwrap_or(i64::MAX)
        );
        let places = connection
            .prepare_cached(&sql)?
            .query_map(params_from_iter(&self.values), |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?))
            })?
            .collect::<rusqlite::Result<_>>()?;
        Ok(places)
    }

    /// Calls with kind, tick and time of all that is in a list.
    pub(super) fn glance(
        &self,
        connection: &Connection,
        query: &HeldQuery,
        list: List,
        mut each: impl FnMut(&Row<'_>) -> Result<()>,
    ) -> Result<()> {
        let sql = format!(
            "SELECT g.kind, g.tick, g.wall_ms FROM holding h INDEXED BY {} CROSS JOIN memory g ON g.id = h.memory
             WHERE {}{}",
            self.index(query, list),
            self.sql,
            of_layer(query, list)
        );
        let mut statement = connection.prepare_cached(&sql)?;
        let mut rows = statement.query(params_from_iter(&self.values))?;
        while let Some(row) = rows.next()? {
            each(row)?;
        }
        Ok(())
    }

    /// What leads the search: few lines, people or one memory; else what one has, in order.
    fn index(&self, query: &HeldQuery, list: List) -> &'static str {
        match (list, &query.which) {
            (List::Layer(_), WhichHeld::Unsummarised) => "holding_waiting",
            (List::Whole, WhichHeld::Unconsidered) if query.is_of_valid() => "holding_unconsidered",
            (List::Whole, WhichHeld::ByRules) if query.is_of_valid() => "holding_by_rules",
            (List::Layer(_), _) => "holding_valid",
            (List::Whole, WhichHeld::Any | WhichHeld::Unsummarised) if self.has_holder => "holding_by_holder",
            (List::Whole, _) => "holding_by_memory",
        }
    }
}

/// What decides in every order, after all clocks.
const PLACE: &[&str] = &["h.memory", "c.id"];

/// By what of a `memory t` holdings are ordered first. What has no tick comes before all that has one.
fn clocks(order: MemoryOrder) -> &'static [&'static str] {
    match order {
        MemoryOrder::Made => &[],
        MemoryOrder::Time => &["t.wall_ms"],
        MemoryOrder::Tick => &["t.tick IS NOT NULL", "coalesce(t.tick, 0)", "t.wall_ms"],
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
pub(super) fn quoted<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<String> = names.map(|name| format!("'{name}'")).collect();
    names.join(", ")
}
