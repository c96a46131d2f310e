//! How do rounds and memories come in, and what follows from them once the log is there?

use std::collections::BTreeSet;

use reverie_core::memory::Memory;
use reverie_core::record::{HoldingRecord, RoundRecord};
use reverie_core::{CharacterId, ConversationId, LineId, MemoryId, RoundId};
use rusqlite::{Connection, OptionalExtension};

use super::arrival::Arrival;
use super::broken;
use crate::error::Result;
use crate::memory::NewRow;
use crate::round::{RoundRow, found, opening};
use crate::world::WorldRow;
use crate::{fuller, giving_way, holding, living, memory, refreshment, round};

impl Arrival {
    pub(super) fn round(&mut self, connection: &Connection, record: RoundRecord) -> Result<()> {
        self.check_revision(record.revision)?;
        let number = record.id.get();
        if number <= self.last_round || number >= self.head.next_round {
            return Err(broken(&format!("round {number} is out of order")));
        }
        self.last_round = number;
        if record.explicit == record.span.is_some() {
            return Err(broken(&format!("round {number} was opened and found, or neither")));
        }
        let row = RoundRow {
            key: self.row.key(number),
            conversation: self.room(&record.conversation)?.no,
            is_explicit: record.explicit,
            state: None,
            opened_ms: record.opened_ms,
            first: record.span.map(|span| span.first.get() as i64),
            last: record.span.map(|span| span.last.get() as i64),
            ending: record.ending,
            ends_at: record.ends_at.map(|line| line.get() as i64),
            settled: record.settled.map_or(0, |line| line.get() as i64),
        };
        round::insert(connection, &row, record.revision)?;
        let mut people: Vec<(i64, Option<String>)> = Vec::with_capacity(record.present.len());
        for person in record.present {
            let no = self.character_no(&person.character)?;
            if people.iter().any(|(other, _)| *other == no) {
                return Err(broken(&format!("somebody is in round {number} twice")));
            }
            people.push((no, person.name));
        }
        opening::write_people(connection, row.key, &people)
    }

    /// A line can be put into a round that a host opened in the same conversation.
    pub(super) fn put_into_round(
        &self,
        connection: &Connection,
        conversation: &ConversationId,
        line: LineId,
        round: RoundId,
    ) -> Result<()> {
        let room = self.room(conversation)?.no;
        let found = RoundRow::look(connection, &self.row, round)?;
        if !found.is_some_and(|found| found.is_explicit && found.conversation == room) {
            return Err(broken(&format!("line {line} is of round {round}, which is not in it")));
        }
        round::reach(connection, &self.row, round.get() as i64, line.get() as i64)
    }

    pub(super) fn memory(
        &mut self,
        connection: &Connection,
        memory: &Memory,
        fingerprint: Option<[u8; 16]>,
    ) -> Result<()> {
        self.check_revision(memory.revision)?;
        let number = memory.id.get();
        if number <= self.last_memory || number >= self.head.next_memory {
            return Err(broken(&format!("memory {number} is out of order")));
        }
        self.last_memory = number;
        let mut about = Vec::with_capacity(memory.about.len());
        for id in &memory.about {
            about.push(self.character_no(id)?);
        }
        for source in &memory.sources {
            self.tick_of(connection, source.line)?;
        }
        for part in &memory.from {
            self.check_memory(connection, *part)?;
        }
        memory::insert(connection, &self.row, &NewRow { memory, fingerprint, about: &about })?;
        Ok(())
    }

    /// The tick of a line that is there.
    fn tick_of(&self, connection: &Connection, line: LineId) -> Result<Option<i64>> {
        connection
            .prepare_cached("SELECT tick FROM line WHERE id = ?1 AND attribute IS NOT NULL")?
            .query_row([self.row.line_key(line.get())], |row| row.get(0))
            .optional()?
            .ok_or_else(|| broken(&format!("it remembers something of line {line}, which is not in it")))
    }

    fn check_memory(&self, connection: &Connection, id: MemoryId) -> Result<()> {
        if memory::exists(connection, self.row.key(id.get()))? {
            return Ok(());
        }
        Err(broken(&format!("it mentions memory {id}, which does not come before")))
    }

    pub(super) fn holding(&mut self, connection: &Connection, record: &HoldingRecord) -> Result<()> {
        let holder = self.character_no(&record.holder)?;
        self.check_memory(connection, record.memory)?;
        if record.states.first().map(|(version, _)| *version) != Some(0) {
            return Err(broken(&format!(
                "memory {} of {:?} has no first state",
                record.memory, record.holder
            )));
        }
        let row = holding::insert(connection, self.row.key(record.memory.get()), holder)?;
        for (version, state) in &record.states {
            for link in state.summarised_by.into_iter().chain(state.superseded_by) {
                self.check_memory(connection, link)?;
            }
            holding::write_version(connection, &self.row, row.no, *version, state)?;
        }
        Ok(())
    }

    /// The number of a holding that is there.
    pub(super) fn holding_no(
        &self,
        connection: &Connection,
        memory: MemoryId,
        holder: &CharacterId,
    ) -> Result<i64> {
        let no = self.character_no(holder)?;
        let found = holding::by_number(connection, self.row.key(memory.get()), no)?;
        let found = found.ok_or_else(|| {
            broken(&format!("it speaks of memory {memory} of {holder:?}, who does not have it"))
        })?;
        Ok(found.no)
    }

    pub(super) fn refreshed(
        &self,
        connection: &Connection,
        line: LineId,
        memory: MemoryId,
        holder: &CharacterId,
    ) -> Result<()> {
        let holding = self.holding_no(connection, memory, holder)?;
        let tick = self.tick_of(connection, line)?;
        if refreshment::insert(connection, holding, tick, self.row.line_key(line.get()))? {
            return Ok(());
        }
        Err(broken(&format!("line {line} refreshed memory {memory} twice")))
    }
}

/// What follows from rounds and memories, one after the other, when all paths lead to their heads.
pub(super) struct Settling {
    stage: Stage,
    after: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Rounds,
    Broken,
    Live,
    Ways,
    /// Of summaries, one depth after the other: whether they are live follows from what their parts give way to.
    LiveAgain(i64),
    WaysOfSummaries(i64),
    Links,
}

impl Settling {
    pub(super) fn begin() -> Self {
        Self { stage: Stage::Rounds, after: 0 }
    }

    /// One step. False if nothing is left to do.
    pub(super) fn advance(&mut self, connection: &Connection, world: &WorldRow) -> Result<bool> {
        let (low, high) = world.keys();
        let of = match self.stage {
            Stage::Rounds => "round WHERE".to_owned(),
            Stage::LiveAgain(depth) | Stage::WaysOfSummaries(depth) => {
                format!("memory WHERE depth = {depth} AND")
            }
            _ => "memory WHERE".to_owned(),
        };
        let sql = format!("SELECT min(id) FROM {of} id > ?1 AND id <= ?2");
        let next: Option<i64> =
            connection.prepare_cached(&sql)?.query_row([self.after.max(low), high], |row| row.get(0))?;
        let Some(key) = next else {
            let stage = match self.stage {
                Stage::Rounds => Stage::Broken,
                Stage::Broken => Stage::Live,
                Stage::Live => Stage::Ways,
                Stage::Ways => Stage::LiveAgain(1),
                // Nothing is as deep as that.
                Stage::LiveAgain(_) if self.after == 0 => Stage::Links,
                Stage::LiveAgain(depth) => Stage::WaysOfSummaries(depth),
                Stage::WaysOfSummaries(depth) => Stage::LiveAgain(depth + 1),
                Stage::Links => return Ok(false),
            };
            *self = Self { stage, after: 0 };
            return Ok(true);
        };
        self.after = key;
        match self.stage {
            Stage::Rounds => check_round(connection, world, key)?,
            Stage::Broken => living::settle_broken(connection, key)?,
            Stage::Live | Stage::LiveAgain(_) => drop(living::settle_live(connection, key)?),
            Stage::Ways => drop(giving_way::settle(connection, &BTreeSet::from([key]))?),
            Stage::WaysOfSummaries(_) => drop(fuller::settle(connection, &BTreeSet::from([key]))?),
            Stage::Links => living::settle_own_links(connection, key)?,
        }
        Ok(true)
    }
}

/// A round that was found leads from line to line, and one of a host ends at a line of it.
fn check_round(connection: &Connection, world: &WorldRow, key: i64) -> Result<()> {
    let (conversation, first, last, ends_at): (i64, Option<i64>, Option<i64>, Option<i64>) = connection
        .prepare_cached(
            "SELECT conversation, iif(explicit, NULL, first), last, ends_at FROM round WHERE id = ?1",
        )?
        .query_row([key], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
    if let Some(end) = ends_at {
        let is_of_it = connection
            .prepare_cached("SELECT 1 FROM line WHERE id = ?1 AND round = ?2")?
            .exists([world.line_key(end as u64), crate::line::number(key) as i64])?;
        if !is_of_it {
            return Err(broken(&format!("round {} ends at no line of it", crate::line::number(key))));
        }
    }
    let (Some(first), Some(last)) = (first, last) else { return Ok(()) };
    if found::is_span(connection, world, conversation, first, last)? {
        return Ok(());
    }
    Err(broken(&format!("round {} was found where no lines are", crate::line::number(key))))
}
