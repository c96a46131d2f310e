//! How do memories, states and digested rounds come in: all of it, or nothing?

mod guards;

use std::collections::BTreeSet;

use reverie_core::character::is_erased;
use reverie_core::fail_point::{Step, reach};
use reverie_core::memories::{Commit, Committed, Effect, NewMemory, Which};
use reverie_core::memory::{Memory, State};
use reverie_core::round::RoundState;
use reverie_core::{CharacterId, Error, LineId, MemoryId, RoundId};
use rusqlite::Connection;

use crate::away;
use crate::error::Result;
use crate::forgotten;
use crate::holding::{self, HoldingRow};
use crate::job;
use crate::line;
use crate::living::Stirred;
use crate::memory::{self, NewRow};
use crate::reading::number_of;
use crate::round::{self, RoundRow, found};
use crate::world::{Revision, WorldRow};

pub(crate) fn commit(connection: &Connection, world: &WorldRow, commit: &Commit) -> Result<Committed> {
    commit_as(connection, world, commit, Revision::new(connection, world))
}

/// As a part of a change that has begun.
pub(crate) fn commit_as(
    connection: &Connection,
    world: &WorldRow,
    commit: &Commit,
    revision: Revision<'_>,
) -> Result<Committed> {
    for guard in &commit.guards {
        if !guards::holds(connection, world, guard)? {
            return Ok(Committed::Stale);
        }
    }
    reach(Step::GuardsHeld);
    let mut work =
        Work { connection, world, revision, made: Vec::new(), new: 0, stirred: Stirred::default() };
    // Others may name what is made here.
    for effect in &commit.effects {
        if let Effect::Remember(new) = effect {
            let id = work.remember(new)?;
            work.made.push(id);
        }
    }
    for effect in &commit.effects {
        match effect {
            Effect::Remember(_) => {}
            Effect::Digested(round) => {
                work.digested(*round)?;
                reach(Step::RoundWritten);
            }
            Effect::Job { key, job } => {
                job::put(connection, world, key, job.as_deref())?;
                reach(Step::JobWritten);
            }
            Effect::Lines { lines, holder, forgotten } => work.forget_lines(lines, holder, *forgotten)?,
            Effect::Found { conversation, span } => {
                let room = found::digest(connection, world, conversation, *span, &mut work.revision)?;
                work.stirred.conversations.insert(room);
                reach(Step::FoundWritten);
            }
            Effect::State { memory, holder, state, summarised_by, superseded_by } => {
                let mut state = State::clone(state);
                if let Some(place) = summarised_by {
                    state.summarised_by = Some(work.made_at(*place)?);
                }
                if let Some(place) = superseded_by {
                    state.superseded_by = Some(work.made_at(*place)?);
                }
                let memory = match memory {
                    Which::Known(id) => *id,
                    Which::New(place) => work.made_at(*place)?,
                };
                work.put_state(memory, holder, &state)?;
                reach(Step::StateWritten);
            }
        }
    }
    let Work { made: memories, new: made, stirred, .. } = work;
    stirred.settle(connection, world)?;
    reach(Step::LivingSettled);
    Ok(Committed::Done { memories, made, revision: world.revision(connection)? })
}

struct Work<'c> {
    connection: &'c Connection,
    world: &'c WorldRow,
    revision: Revision<'c>,
    made: Vec<MemoryId>,
    /// How many of them nobody had before.
    new: usize,
    stirred: Stirred,
}

impl Work<'_> {
    fn made_at(&self, place: usize) -> Result<MemoryId> {
        let made = self.made.get(place).copied();
        Ok(made.ok_or_else(|| unknown(format!("this commit does not make memory number {place}")))?)
    }

    /// The memory that is meant: one that is made of the same, or a new one.
    fn remember(&mut self, new: &NewMemory) -> Result<MemoryId> {
        let about = self.check(new)?;
        let known = match &new.fingerprint {
            Some(fingerprint) => memory::by_fingerprint(self.connection, self.world, fingerprint)?,
            None => None,
        };
        let is_had = known.map_or(Ok(false), |key| holding::is_had(self.connection, key))?;
        let key = match known {
            Some(key) => key,
            None => self.make(new, &about)?,
        };
        let mut is_given = known.is_none();
        reach(Step::MemoryWritten);
        for (id, state) in &new.holders {
            self.check_links(state)?;
            let no = self.number_of(id)?;
            // Whoever was deleted is nobody to remember anything.
            if is_erased(id) {
                continue;
            }
            let row = match holding::by_number(self.connection, key, no)? {
                Some(row) if row.is_there() => continue,
                Some(row) => row,
                None => holding::insert(self.connection, key, no)?,
            };
            self.put(&row, state)?;
            if away::is_away(self.connection, no)? {
                away::character_returns(self.connection, self.world, no, self.revision.get()?)?;
            }
            is_given = true;
            reach(Step::HoldingWritten);
        }
        self.new += usize::from(is_given && !is_had);
        Ok(MemoryId::new(line::number(key))?)
    }

    fn make(&mut self, new: &NewMemory, about: &[i64]) -> Result<i64> {
        let number: u64 = self
            .connection
            .prepare_cached(
                "UPDATE world SET next_memory = next_memory + 1 WHERE no = ?1 RETURNING next_memory - 1",
            )?
            .query_row([self.world.no], |row| row.get(0))?;
        if number >= MemoryId::LIMIT {
            return Err(Error::invalid("this world has as many memories as a world can have")
                .hint("begin a new world, or fork this one at a checkpoint")
                .into());
        }
        let memory = Memory {
            id: MemoryId::new(number)?,
            kind: new.kind,
            origin: new.origin,
            text: new.text.clone(),
            sources: new.sources.clone(),
            from: self.parts(new)?,
            about: Vec::new(),
            importance: new.importance,
            keywords: new.keywords.clone(),
            topics: new.topics.clone(),
            emotions: new.emotions.clone(),
            tick: new.tick,
            wall_ms: new.wall_ms,
            model: new.model.clone(),
            revision: self.revision.get()?,
        };
        let row = NewRow { memory: &memory, fingerprint: new.fingerprint, about };
        let key = memory::insert(self.connection, self.world, &row)?;
        self.stirred.memories.insert(key);
        Ok(key)
    }

    /// All that it is made of: what was there, and what this commit made before it.
    fn parts(&self, new: &NewMemory) -> Result<Vec<MemoryId>> {
        let part = |part: &Which| match part {
            Which::Known(id) => Ok(*id),
            Which::New(place) => self.made_at(*place),
        };
        let parts = new.from.iter().map(part).collect::<Result<BTreeSet<MemoryId>>>()?;
        Ok(parts.into_iter().collect())
    }

    /// Whatever a memory names must be there. Gives back the numbers of those whom it is about.
    fn check(&self, new: &NewMemory) -> Result<Vec<i64>> {
        let mut about = Vec::with_capacity(new.about.len());
        for id in &new.about {
            let no = self.number_of(id)?;
            if !is_erased(id) {
                about.push(no);
            }
        }
        let mut said =
            self.connection.prepare_cached("SELECT 1 FROM line WHERE id = ?1 AND attribute IS NOT NULL")?;
        for source in &new.sources {
            if !said.exists([self.world.line_key(source.line.get())])? {
                return Err(unknown(format!("there is no line {}", source.line)).into());
            }
        }
        for part in self.parts(new)? {
            self.check_memory(part)?;
        }
        Ok(about)
    }

    fn number_of(&self, id: &CharacterId) -> Result<i64> {
        let no = number_of(self.connection, self.world, id)?;
        Ok(no.ok_or_else(|| unknown(format!("there is no character {id:?}")))?)
    }

    fn check_memory(&self, id: MemoryId) -> Result<()> {
        if memory::exists(self.connection, self.world.key(id.get()))? {
            return Ok(());
        }
        Err(unknown(format!("there is no memory {id}")).into())
    }

    fn check_links(&self, state: &State) -> Result<()> {
        state.summarised_by.into_iter().chain(state.superseded_by).try_for_each(|id| self.check_memory(id))
    }

    fn put_state(&mut self, memory: MemoryId, holder: &CharacterId, state: &State) -> Result<()> {
        self.check_links(state)?;
        let row = holding::find(self.connection, self.world, memory, holder)?.filter(HoldingRow::is_there);
        let row = row.ok_or_else(|| holding::missing(memory, holder))?;
        if holding::current(self.connection, row.no)? == *state {
            return Ok(());
        }
        self.put(&row, state)
    }

    fn put(&mut self, row: &HoldingRow, state: &State) -> Result<()> {
        let revision = self.revision.get()?;
        self.stirred.memories.insert(row.memory);
        holding::put(self.connection, self.world, row, state, revision)
    }

    fn forget_lines(&mut self, lines: &[LineId], holder: &CharacterId, is_forgotten: bool) -> Result<()> {
        let (connection, world) = (self.connection, self.world);
        let changed = forgotten::put(connection, world, lines, holder, is_forgotten, &mut self.revision)?;
        for line in changed {
            self.stirred.lines.push(world.line_key(line.get()));
            found::stale(connection, world, line, self.revision.get()?)?;
        }
        Ok(())
    }

    fn digested(&mut self, id: RoundId) -> Result<()> {
        let row = RoundRow::find(self.connection, self.world, id)?;
        match row.state {
            Some(RoundState::Digested) => Ok(()),
            Some(RoundState::Closed) => {
                let revision = self.revision.get()?;
                self.stirred.conversations.insert(row.conversation);
                round::set_state(self.connection, self.world, row.key, RoundState::Digested, revision)
            }
            _ => Err(Error::conflict(format!("round {id} is not over"))
                .hint("close it first; what is still open is remembered later")
                .into()),
        }
    }
}

fn unknown(what: String) -> Error {
    Error::invalid(what).hint("read again what there is and decide anew")
}
