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
use crate::round::{self, COLUMNS, columns};

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
                revision: revision_of.query_row([row.key], |row| row.get(0))?,
            };
            (self.sink)(Record::Round(record))?;
        }
        Ok(())
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
