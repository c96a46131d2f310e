//! The three verbs, over whatever store keeps the log: record here, recall in `recalling`, digest in `digesting`.
//!
//! Whatever a host brings comes in by a method of [`Engine`], and none of them lets through what another would refuse.

mod anew;
mod answering;
mod asking;
mod audible;
mod audience;
mod bearers;
mod books;
mod brought;
mod changing;
mod choosing;
mod dating;
mod digesting;
mod embedders;
mod embedding;
mod facets;
mod index;
mod jobs;
mod keeping_up;
mod knowing;
mod language;
mod listing;
mod looking;
mod made_of;
mod mapping;
mod meaning_at_once;
mod minds;
mod mood;
mod naming;
mod planning;
mod putting_right;
mod queries;
mod reading;
mod rebuilding;
mod recalling;
mod recent;
mod recollecting;
mod remembering;
mod reminding;
mod rounds;
mod searching;
mod similar;
mod stats;
mod suggesting;
mod summing_up;
mod suspects;
mod timeline;
mod timing;
mod unremembered;
mod warnings;
mod without;
mod writing;

use std::sync::{Arc, Mutex};

use crate::clock::Clock;
use crate::conversation::{Append, AppendKey, Appended, Attach, Branch, ExpectedHead, Graft, Grafted};
use crate::digest::ReadAnswer;
use crate::fingerprint::fingerprint;
use crate::id::{CheckpointId, ConversationId, WorldId};
use crate::limits::Limits;
use crate::line::NewLine;
use crate::lore::shelves::Shelves;
use crate::lore::{ReadBook, Timers};
use crate::recall_id::RecallId;
use crate::store::{Select, Store};
use crate::time::Calendar;
use crate::world::World;
use crate::{Attribute, Code, Error, Result};
use digesting::Digests;
use embedding::Meanings;
use minds::Minds;
use naming::NamesAtHand;
use queries::Queries;
use timing::Timing;
use warnings::Whispers;

pub use answering::Answered;
pub use books::{Linked, LorePreview};
pub use changing::MemoryPatch;
pub use choosing::MemoriesQuery;
pub use dating::Dated;
pub use digesting::{Digested, Slice};
pub use embedding::{Embeddings, ToEmbed};
pub use facets::{Facets, MOST_FACETS};
pub use listing::{Past, Remembered};
pub use made_of::MadeOf;
pub use minds::MindsAtHand;
pub use queries::QueriesAtHand;
pub use rebuilding::Rebuilding;
pub use recent::ResultsAtHand;
pub use remembering::{Noted, Remember};
pub use searching::FoundMemory;
pub use stats::{CharacterStats, MOST_WAITING, Stats};
pub use timeline::{MOST_STRETCHES, Stretch, TimeAxis, Timeline};
pub use timing::{Quantiles, RecallTimes};

/// How often an answer is offered again when others record at the same time.
const TRIES: usize = 20;

pub struct Engine {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    limits: Limits,
    shelves: Shelves,
    digested: Mutex<Digests>,
    read_answer: Option<ReadAnswer>,
    /// How long an answer may take.
    lease_ms: i64,
    meanings: Meanings,
    minds: Minds,
    names: NamesAtHand,
    /// None: nobody measures how long prompts take.
    timing: Option<Timing>,
}

/// A batch of lines as a host hands it in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Record {
    pub lines: Vec<NewLine>,
    pub attach: crate::conversation::Attach,
    pub expected_head: crate::conversation::ExpectedHead,
    /// Makes a retry safe.
    pub key: Option<String>,
    /// The id of the prompt that these lines answer: what it set off runs on.
    pub recall: Option<String>,
    /// What to keep of the file that a line came in, by its place among `lines`.
    pub keepsakes: Vec<(usize, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    pub appended: Appended,
    pub replaced: Vec<Replaced>,
    pub degraded: Vec<Degraded>,
}

/// Characters that could not be kept, and where they stood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replaced {
    pub line: usize,
    pub field: &'static str,
    pub count: usize,
}

/// What a world holds after a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written<T> {
    pub value: T,
    /// False if it was there already.
    pub created: bool,
    /// How many characters could not be kept: what XML cannot carry is replaced by U+FFFD.
    pub replaced: usize,
}

/// A part of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed<T> {
    pub items: Vec<T>,
    /// True if others follow.
    pub has_more: bool,
}

/// Something went on without a part of it, or looks wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Degraded {
    pub code: &'static str,
    pub message: String,
    pub hint: String,
}

impl Engine {
    pub fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>, limits: Limits) -> Self {
        let for_queries = Queries::share(limits.minds_bytes);
        let meanings = Meanings::new(&clock, Queries::new(for_queries));
        let minds = Minds::new(limits.minds_bytes - for_queries);
        Self {
            names: NamesAtHand::default(),
            store,
            clock,
            limits,
            shelves: Shelves::new(None),
            digested: Mutex::default(),
            read_answer: None,
            lease_ms: asking::LEASE_MS,
            meanings,
            minds,
            timing: None,
        }
    }

    /// Lets recall understand the books of the library.
    #[must_use]
    pub fn reading_books(mut self, read: ReadBook) -> Self {
        self.shelves = Shelves::new(Some(read));
        self
    }

    /// Lets `answer` understand what models say.
    #[must_use]
    pub fn reading_answers(mut self, read: ReadAnswer) -> Self {
        self.read_answer = Some(read);
        self
    }

    /// How long an answer may take before the question is given to somebody else, where models are slow: three minutes if nobody
    /// says.
    #[must_use]
    pub fn waiting_for_answers(mut self, patience: std::time::Duration) -> Self {
        self.lease_ms = i64::try_from(patience.as_millis()).unwrap_or(i64::MAX);
        self
    }

    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    pub fn now_ms(&self) -> i64 {
        self.clock.now_ms()
    }

    /// Writes lines. They are durable when this returns.
    pub fn record(&self, world: &WorldId, conversation: &ConversationId, record: Record) -> Result<Recorded> {
        let recall = record.recall.as_deref().map(RecallId::decode).transpose()?;
        if let Some(recall) = &recall {
            recall.check(world, conversation)?;
        }
        let (append, replaced) = self.admit(world, record)?;
        let whispers = Whispers::of(&append.lines);
        let people = if whispers.is_empty() { None } else { Some(self.conversation(world, conversation)?) };
        let step = recall.filter(RecallId::has_effect);
        let (appended, elsewhere) = match step {
            None => (self.store.append(world, conversation, append)?, None),
            Some(recall) => self.append_answer(world, conversation, append, &recall)?,
        };
        let mut degraded: Vec<Degraded> =
            appended.tick_ran_back_from.map(warnings::ticks_ran_back).into_iter().chain(elsewhere).collect();
        if appended.replayed {
            degraded.extend(self.off_path(world, conversation, &appended)?);
        } else {
            degraded.extend(people.and_then(|people| whispers.to_absent(&people, &appended.lines)));
        }
        Ok(Recorded { appended, replaced, degraded })
    }

    /// Writes branches of lines, each with the line (counted through all of them) that it goes on from, or from where its
    /// record says, and puts the head at one of the lines: all of it or nothing.
    pub fn graft(
        &self,
        world: &WorldId,
        conversation: &ConversationId,
        branches: Vec<(Option<usize>, Record)>,
        head: Option<usize>,
    ) -> Result<Written<Grafted>> {
        let mut graft = Graft { branches: Vec::with_capacity(branches.len()), head };
        let mut replaced = 0;
        for (index, (parent, record)) in branches.into_iter().enumerate() {
            let admitted = self.admit(world, record);
            let (append, found) = admitted.map_err(|error| error.within(format!("branches[{index}]")))?;
            graft.branches.push(Branch { parent, append });
            replaced += found.iter().map(|found| found.count).sum::<usize>();
        }
        let value = self.store.graft(world, conversation, graft)?;
        let created = value.appended.iter().any(|appended| !appended.replayed);
        Ok(Written { value, created, replaced })
    }

    /// What a host hands in, within bounds and without what cannot be kept.
    fn admit(&self, world: &WorldId, record: Record) -> Result<(Append, Vec<Replaced>)> {
        let Record { lines, attach, expected_head, key, recall: _, keepsakes } = record;
        let now_ms = self.clock.now_ms();
        keepsakes.iter().try_for_each(|(_, text)| self.limits.check_kept(text))?;
        let mut append =
            Append { lines, attach, expected_head, now_ms, key: None, keepsakes, ..Append::default() };
        append.key = key.map(|key| AppendKey { key, digest: fingerprint(&append) });
        self.limits.check_batch(&append.lines)?;
        append.key.as_ref().map(|key| self.limits.check_key(&key.key)).transpose()?;
        let replaced = self.admit_lines(&mut append.lines)?;
        self.strip_echoed_stamps(world, &mut append.lines)?;
        Ok((append, replaced))
    }

    /// Writes the answer to a prompt, and with it what the prompt set off: on top of what runs where the lines attach, for
    /// others may have answered since. Somewhere that the prompt did not see, nothing begins.
    fn append_answer(
        &self,
        world: &WorldId,
        conversation: &ConversationId,
        mut append: Append,
        recall: &RecallId,
    ) -> Result<(Appended, Option<Degraded>)> {
        let is_guarded = append.attach == Attach::Head && append.expected_head == ExpectedHead::Any;
        let mut tries = TRIES;
        loop {
            let at = self.store.timers_at(world, conversation, append.attach, recall.head)?;
            if !at.leads_through {
                let appended = self.store.append(world, conversation, append)?;
                return Ok((appended, Some(warnings::answered_elsewhere())));
            }
            let running: Timers = at.timers.as_deref().unwrap_or_default().parse()?;
            if !recall.step.is_empty() {
                append.lore_timers = Some(recall.step.apply(running).to_string());
            }
            append.refreshed.clone_from(&recall.memories);
            if is_guarded {
                append.expected_head = at.head.map_or(ExpectedHead::Empty, ExpectedHead::Line);
            }
            tries -= 1;
            match self.store.append(world, conversation, append.clone()) {
                // Somebody was faster; what runs is read again.
                Err(error) if is_guarded && error.code() == Code::Conflict && tries > 0 => {}
                result => return Ok((result?, None)),
            }
        }
    }

    /// Copies a world, as it is or as it was at a checkpoint.
    pub fn fork(&self, from: &WorldId, to: &WorldId, checkpoint: Option<&CheckpointId>) -> Result<World> {
        let forked = self.store.fork(from, to, checkpoint, self.clock.now_ms());
        forked.map_err(|error| match error.code() {
            Code::Conflict => error.hint("choose another id for the fork, or DELETE that world first"),
            _ => error,
        })
    }

    fn admit_lines(&self, lines: &mut [NewLine]) -> Result<Vec<Replaced>> {
        let mut replaced = Vec::new();
        for (line, new) in lines.iter_mut().enumerate() {
            let found =
                self.limits.admit_line(new).map_err(|error| error.within(format!("lines[{line}]")))?;
            replaced.extend(found.into_iter().map(|(field, count)| Replaced { line, field, count }));
        }
        Ok(replaced)
    }

    /// Models repeat the time stamps that they see; what they only echo is not recorded.
    fn strip_echoed_stamps(&self, world: &WorldId, lines: &mut [NewLine]) -> Result<()> {
        let suspects = |line: &&mut NewLine| {
            line.attribute == Attribute::Assistant
                && line.wording.content.trim_start().starts_with(|c: char| !c.is_alphanumeric())
        };
        let mut suspects = lines.iter_mut().filter(suspects).peekable();
        if suspects.peek().is_none() {
            return Ok(());
        }
        let Some(calendar) = self.settings(world)?.calendar else { return Ok(()) };
        for line in suspects {
            strip(&calendar, &mut line.wording.content);
        }
        Ok(())
    }
}

fn strip(calendar: &Calendar, content: &mut String) {
    if let Some(rest) = calendar.strip_stamp(content) {
        *content = rest.to_owned();
    }
}

fn one(id: &impl ToString) -> Select {
    Select::One(id.to_string())
}

fn no_world(world: &WorldId) -> Error {
    Error::not_found(format!("there is no world {world:?}")).hint("PUT /v1/worlds/{world} creates one")
}
