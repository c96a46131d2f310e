//! How do rounds and memories leave, with what each holder makes of them?

use reverie_core::record::{HoldingRecord, Record, RoundRecord};
use reverie_core::{LineId, MemoryId, RoundId};
use rusqlite::params;

use super::{Out, found};
use crate::error::Result;
use crate::holding::{self, HoldingRow, STATE, state_columns};
use crate::line::number;
use crate::log::Kind;
use crate::memory;
use crate::round::{self, COLUMNS, RoundRow, columns};

impl Out<'_> {
    pub(super) fn rounds(&mut self) -> Result<()> {
        let sql = format!("{COLUMNS} WHERE id > ?1 AND id <= ?2 AND revision <= ?3 ORDER BY id");
        let mut statement = self.connection.prepare(&sql)?;
        let mut revision_of = self.connection.prepare("SELECT revision FROM round WHERE id = ?1")?;
        let (low, high) = self.world.keys();
        let mut rows = statement.query(params![low, high, self.revision])?;
        while let Some(row) = rows.next()? {
            let row = columns(row)??;
            let record = RoundRecord {
                id: RoundId::new(number(row.key))?,
                conversation: found(&self.ids.conversations, row.conversation)?,
                explicit: row.is_explicit,
                present: round::people(self.connection, row.key)?,
                opened_ms: row.opened_ms,
                span: if row.is_explicit { None } else { row.span(self.connection)? },
                ending: row.ending,
                ends_at: self.line_then(row.ends_at)?,
                settled: self.settled_then(&row)?,
                revision: revision_of.query_row([row.key], |row| row.get(0))?,
            };
            (self.sink)(Record::Round(record))?;
        }
        Ok(())
    }

    /// The last line of a round that an earlier end had judged.
    fn settled_then(&self, round: &RoundRow) -> Result<Option<LineId>> {
        if round.settled == 0 {
            return Ok(None);
        }
        let line: Option<i64> = self
            .connection
            .prepare_cached(
                "SELECT max(id) & 1099511627775 FROM line
                 WHERE conversation = ?1 AND round = ?2 AND id <= ?3 AND revision <= ?4",
            )?
            .query_row(
                params![
                    round.conversation,
                    round.number(),
                    self.world.line_key(round.settled as u64),
                    self.revision
                ],
                |row| row.get(0),
            )?;
        Ok(line.map(|line| LineId::new(line as u64)).transpose()?)
    }

    /// A line, if it had been recorded.
    fn line_then(&self, number: Option<i64>) -> Result<Option<LineId>> {
        let Some(number) = number else { return Ok(None) };
        let is_there = self
            .connection
            .prepare_cached("SELECT 1 FROM line WHERE id = ?1 AND revision <= ?2")?
            .exists(params![self.world.line_key(number as u64), self.revision])?;
        Ok(is_there.then(|| LineId::new(number as u64)).transpose()?)
    }

    pub(super) fn memories(&mut self) -> Result<()> {
        let mut statement = self
            .connection
            .prepare("SELECT id FROM memory WHERE id > ?1 AND id <= ?2 AND revision <= ?3 ORDER BY id")?;
        let (low, high) = self.world.keys();
        let mut rows = statement.query(params![low, high, self.revision])?;
        while let Some(row) = rows.next()? {
            let (memory, fingerprint) = memory::read(self.connection, row.get(0)?)?;
            (self.sink)(Record::Memory { memory: Box::new(memory), fingerprint })?;
        }
        Ok(())
    }

    /// Those that the log up to the revision speaks of, each with the states that it refers to.
    pub(super) fn holdings(&mut self) -> Result<()> {
        let mut statement = self.connection.prepare(
            "SELECT no, memory, holder, version FROM holding h WHERE memory > ?1 AND memory <= ?2 AND EXISTS
               (SELECT 1 FROM change c
                WHERE c.world = ?3 AND c.kind = ?4 AND c.subject = h.no AND c.revision <= ?5 AND c.value IS NOT NULL)
             ORDER BY memory, holder",
        )?;
        let (low, high) = self.world.keys();
        let kind = Kind::Holding as i64;
        let mut rows = statement.query(params![low, high, self.world.no, kind, self.revision])?;
        while let Some(row) = rows.next()? {
            let holding = HoldingRow { no: row.get(0)?, memory: row.get(1)?, version: row.get(3)? };
            let record = HoldingRecord {
                memory: MemoryId::new(number(holding.memory))?,
                holder: found(&self.ids.characters, row.get(2)?)?,
                states: self.states(&holding)?,
            };
            (self.sink)(Record::Holding(record))?;
        }
        Ok(())
    }

    fn states(&self, row: &HoldingRow) -> Result<Vec<(u32, reverie_core::memory::State)>> {
        let sql =
            format!("SELECT version, {STATE} FROM holding_version WHERE holding = ?1 AND version IS NOT ?2");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut states = Vec::new();
        let mut rows = statement.query(params![row.no, row.version])?;
        while let Some(row) = rows.next()? {
            states.push((row.get(0)?, state_columns(row, 1)?));
        }
        if let Some(version) = row.version {
            states.push((version, holding::current(self.connection, row.no)?));
        }
        states.sort_unstable_by_key(|(version, _)| *version);
        let mut kept = Vec::with_capacity(states.len());
        for (version, state) in states {
            if version == 0 || self.is_logged(Kind::Holding, row.no, version)? {
                kept.push((version, state));
            }
        }
        Ok(kept)
    }

    pub(super) fn refreshed(&mut self) -> Result<()> {
        let mut statement = self.connection.prepare(
            "SELECT r.line, h.memory, h.holder FROM refreshed r INDEXED BY refreshed_by_line
             CROSS JOIN line l ON l.id = r.line CROSS JOIN holding h ON h.no = r.holding
             WHERE r.line > ?1 AND r.line <= ?2 AND l.revision <= ?3 ORDER BY r.line, h.memory, h.holder",
        )?;
        let (low, high) = self.world.keys();
        let mut rows = statement.query(params![low, high, self.revision])?;
        while let Some(row) = rows.next()? {
            (self.sink)(Record::Refreshed {
                line: LineId::new(number(row.get(0)?))?,
                memory: MemoryId::new(number(row.get(1)?))?,
                holder: found(&self.ids.characters, row.get(2)?)?,
            })?;
        }
        Ok(())
    }
}
