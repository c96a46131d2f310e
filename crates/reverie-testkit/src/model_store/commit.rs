//! What shall be remembered, if what was read still is?

use reverie_core::memories::{Commit, Committed, Effect, Guard, NewMemory, ReadLine, Which};
use reverie_core::memory::{Memory, State};
use reverie_core::round::{RoundState, Span};
use reverie_core::{CharacterId, ConversationId, Error, LineId, MemoryId, Result};

use super::world::{KeptMemory, KeptRound, ModelWorld};

impl ModelWorld {
    /// The memories, and how many of them nobody had before; None if a guard does not hold.
    pub(super) fn remember(&mut self, commit: &Commit) -> Result<Option<(Vec<MemoryId>, usize)>> {
        if !commit.guards.iter().all(|guard| self.holds(guard)) {
            return Ok(None);
        }
        let (mut made, mut count) = (Vec::new(), 0);
        for effect in &commit.effects {
            if let Effect::Remember(new) = effect {
                let (id, is_new) = self.keep(new, &made)?;
                made.push(id);
                count += usize::from(is_new);
            }
        }
        for effect in &commit.effects {
            match effect {
                Effect::Remember(_) => {}
                Effect::Job { key, job } => self.put_job(key, job.as_deref())?,
                Effect::Digested(round) => match self.begun(*round)?.1 {
                    RoundState::Open => return Err(Error::conflict("the round is not over")),
                    _ => drop(self.now.rounds.insert(*round, RoundState::Digested)),
                },
                Effect::Lines { lines, holder, forgotten } => self.forget_lines(lines, holder, *forgotten),
                Effect::Found { conversation, span } => self.find_round(conversation, *span)?,
                Effect::State { memory, holder, state, summarised_by, superseded_by } => {
                    let new = |place: usize| {
                        let id = made.get(place).copied();
                        id.ok_or_else(|| Error::invalid("the commit does not make so many memories"))
                    };
                    let memory = match memory {
                        Which::Known(id) => *id,
                        Which::New(place) => new(*place)?,
                    };
                    let mut state = (**state).clone();
                    if let Some(place) = summarised_by {
                        state.summarised_by = Some(new(*place)?);
                    }
                    if let Some(place) = superseded_by {
                        state.superseded_by = Some(new(*place)?);
                    }
                    self.check_state(&state)?;
                    let holder = self.number_of(holder).filter(|who| self.state(memory, *who).is_some());
                    let holder = holder.ok_or_else(|| no_holding(memory))?;
                    if self.state(memory, holder).as_ref() != Some(&state) {
                        self.put_state(memory, holder, state);
                    }
                }
            }
        }
        Ok(Some((made, count)))
    }

    fn holds(&self, guard: &Guard) -> bool {
        match guard {
            Guard::Lines(lines) => lines.iter().all(|line| self.is_as_read(line)),
            Guard::Covered { conversation, through } => {
                let room = self.room(conversation);
                room.is_ok_and(|room| self.covered(room) == through.map(LineId::get))
            }
            Guard::Waiting(round) => self.now.rounds.get(round) == Some(&RoundState::Closed),
            Guard::State { memory, holder, version } => {
                let holder = self.number_of(holder);
                holder.is_some_and(|holder| self.now.holdings.get(&(*memory, holder)) == Some(version))
            }
            Guard::Job { key, version } => self.aside.jobs.get(key).map_or(0, |job| job.version) == *version,
            Guard::Valid { memory, holder, valid } => {
                let holder = self.number_of(holder);
                holder.is_some_and(|holder| self.is_at_hand(*memory, holder)) == *valid
            }
        }
    }

    pub(super) fn is_as_read(&self, read: &ReadLine) -> bool {
        let number = read.line.get();
        let Some(line) = self.line(number).filter(|line| line.shown && self.is_active(number)) else {
            return false;
        };
        line.version == read.version && line.hidden == read.hidden && line.forgotten_by == read.forgotten_by
    }

    fn forget_lines(&mut self, lines: &[LineId], holder: &CharacterId, forgotten: bool) {
        let Some(holder) = self.number_of(holder) else { return };
        for number in lines.iter().map(|line| line.get()) {
            let is_witness = self
                .nodes
                .get(&number)
                .is_some_and(|node| node.attribute.is_some() && node.witnesses.contains(&holder));
            if !is_witness {
                continue;
            }
            let by = self.now.forgotten.entry(number).or_default();
            let is_news = if forgotten { by.insert(holder) } else { by.remove(&holder) };
            self.now.forgotten.retain(|_, by| !by.is_empty());
            if is_news {
                self.is_stale_now(number);
            }
        }
    }

    pub(super) fn is_active(&self, number: u64) -> bool {
        self.nodes.get(&number).is_some_and(|node| self.path(node.room).contains(&number))
    }

    /// The memory that is meant, one that is made of the same or a new one; and whether nobody had it before.
    fn keep(&mut self, new: &NewMemory, made: &[MemoryId]) -> Result<(MemoryId, bool)> {
        let mut about = Vec::new();
        for id in &new.about {
            self.number_of(id).ok_or_else(|| unknown("somebody it is about is not known"))?;
            about.push(id.clone());
        }
        about.retain(|id| !reverie_core::character::is_erased(id));
        about.sort();
        about.dedup();
        if new.sources.iter().any(|source| !self.is_spoken(source.line.get())) {
            return Err(unknown("a line that it is made of is not there"));
        }
        let part = |part: &Which| match part {
            Which::Known(id) => Ok(*id),
            Which::New(place) => made
                .get(*place)
                .copied()
                .ok_or_else(|| Error::invalid("the commit does not make so many memories")),
        };
        let mut from = new.from.iter().map(part).collect::<Result<Vec<MemoryId>>>()?;
        from.sort();
        from.dedup();
        if from.iter().any(|id| !self.memories.contains_key(id)) {
            return Err(unknown("a memory that it sums up is not there"));
        }
        let known = self
            .memories
            .values()
            .find(|kept| new.fingerprint.is_some() && kept.fingerprint == new.fingerprint);
        let mut is_given = known.is_none();
        let is_had = known.is_some_and(|kept| self.is_had(kept.memory.id));
        let id = match known {
            Some(kept) => kept.memory.id,
            None => {
                let id = MemoryId::new(self.next_memory)?;
                self.next_memory += 1;
                let memory = Memory {
                    id,
                    kind: new.kind,
                    origin: new.origin,
                    text: new.text.clone(),
                    sources: new.sources.clone(),
                    from,
                    about,
                    importance: new.importance,
                    keywords: new.keywords.clone(),
                    topics: new.topics.clone(),
                    emotions: new.emotions.clone(),
                    tick: new.tick,
                    wall_ms: new.wall_ms,
                    model: new.model.clone(),
                    revision: self.revision + 1,
                };
                self.memories.insert(id, KeptMemory { memory, fingerprint: new.fingerprint });
                id
            }
        };
        for (holder, state) in &new.holders {
            self.check_state(state)?;
            let who = self.number_of(holder).ok_or_else(|| unknown("somebody who has it is not known"))?;
            // Whoever was deleted is nobody to remember anything.
            if !self.person(who).erased && self.state(id, who).is_none() {
                self.put_state(id, who, state.clone());
                self.now.people_away.remove(&who);
                is_given = true;
            }
        }
        Ok((id, is_given && !is_had))
    }

    /// Whether somebody has a memory and did not forget it.
    fn is_had(&self, memory: MemoryId) -> bool {
        let mut people = 0..self.people.len();
        people.any(|who| self.state(memory, who).is_some_and(|state| !state.forgotten))
    }

    fn check_state(&self, state: &State) -> Result<()> {
        let mut named = state.summarised_by.into_iter().chain(state.superseded_by);
        match named.find(|id| !self.memories.contains_key(id)) {
            Some(id) => Err(unknown(&format!("there is no memory {id}"))),
            None => Ok(()),
        }
    }

    pub(super) fn put_state(&mut self, memory: MemoryId, holder: usize, state: State) {
        let versions = self.holdings.entry((memory, holder)).or_default();
        let version = versions.keys().next_back().map_or(0, |newest| newest + 1);
        versions.insert(version, state);
        self.now.holdings.insert((memory, holder), version);
    }

    fn find_round(&mut self, conversation: &ConversationId, span: Span) -> Result<()> {
        let room = self.room(conversation)?;
        let (first, last) = (self.spoken_in(room, span.first), self.spoken_in(room, span.last));
        let (Ok(first), Ok(last)) = (first, last) else {
            return Err(unknown("a line of the round is not in the conversation"));
        };
        let posted = self.posted_between(first, last);
        if posted.first() != Some(&first) || posted.last() != Some(&last) {
            return Err(Error::invalid("no round was found between these lines"));
        }
        let known = self.rounds.iter().find(|(_, round)| round.span == Some((first, last)));
        match known.map(|(id, _)| *id) {
            Some(id) => drop(self.now.rounds.insert(id, RoundState::Digested)),
            None => {
                let found = KeptRound {
                    room,
                    explicit: false,
                    present: Vec::new(),
                    opened_ms: self.nodes.get(&first).map_or(0, |node| node.wall_ms),
                    span: Some((first, last)),
                    ending: None,
                    ends_at: None,
                    settled: 0,
                    revision: self.revision + 1,
                };
                self.begin_round(found, RoundState::Digested)?;
            }
        }
        Ok(())
    }
}

fn unknown(what: &str) -> Error {
    Error::invalid(what.to_owned()).hint("read again what there is and decide anew")
}

pub(super) fn no_holding(memory: MemoryId) -> Error {
    Error::not_found(format!("nobody like this has memory {memory}"))
}

pub(super) fn told(made: Option<(Vec<MemoryId>, usize)>, revision: u64) -> Committed {
    let Some((memories, made)) = made else { return Committed::Stale };
    Committed::Done { memories, made, revision }
}
