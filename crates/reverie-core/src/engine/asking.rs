//! What is asked of chat models, and what becomes of their answers?
//!
//! Nothing is asked while a character waits, and nothing is lost while no model answers: rounds stay as they were said, days
//! as the rules tell them, and the questions come again.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::Engine;
use crate::digest::{
    ALL_LINES, Answer, Batch, Cast, Numbered, Purpose, Question, RawStatement, Retelling, Understood,
    decide_question, retell, retell_question, statements, summarise_question,
};
use crate::id::{CharacterId, MemoryId, WorldId};
use crate::job::{Job, JobKind, JobsQuery, Reject, Stage, Trouble, WhichJobs};
use crate::memories::{Commit, Committed, Effect, Guard, HeldQuery, WhichHeld};
use crate::memory::{Held, Origin};
use crate::perspective::Role;
use crate::settings::WorldSettings;
use crate::store::Select;
use crate::{Code, Error, Result};

/// How an answer was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answered {
    /// It counts: so many memories were made, and so many statements were not believed.
    Taken { memories: usize, rejected: usize },
    /// It counts, and leads to the next question.
    Next,
    /// It could not be used; the question comes again.
    Again,
    /// Somebody else was faster, or what was asked about is not so any more.
    Late,
}

/// How long an answer may take, if nobody says.
pub(super) const LEASE_MS: i64 = 180_000;
/// The first wait after a failure; each further one is twice as long, up to the longest.
const FIRST_WAIT_MS: i64 = 30_000;
const LONGEST_WAIT_MS: i64 = 6 * 3_600_000;
/// A model that tells a day wrongly so often is not asked again; the rules' telling stays.
const RETELLINGS: u32 = 3;
/// Of what is known, a question tells the newest so many.
const KNOWN: usize = 24;
const MOST_TOKENS: usize = 1200;
const PAGE: usize = 1000;
const SPARE: usize = 16;

impl Engine {
    /// Questions that wait for an answer, at most so many. Each is asked once: who takes it has a few minutes to
    /// [`answer`](Self::answer) before it is given to somebody else.
    pub fn questions(&self, world: Option<&WorldId>, limit: usize) -> Result<Vec<Question>> {
        self.plan(world)?;
        let now_ms = self.now_ms();
        let which = WhichJobs::Due { now_ms };
        // Some of them may turn out to be nothing to ask about.
        let query = JobsQuery { world: world.cloned(), which, after: None, limit: limit.min(PAGE) + SPARE };
        let mut questions = Vec::new();
        let mut trouble = None;
        for (world, job) in self.store.jobs(&query)? {
            if questions.len() >= limit {
                break;
            }
            match self.ask(&world, job, now_ms) {
                Ok(question) => questions.extend(question),
                // Its world was erased meanwhile.
                Err(error) if error.code() == Code::NotFound => {}
                // What was taken is not lost for it.
                Err(error) => trouble = Some(error),
            }
        }
        match trouble {
            Some(error) if questions.is_empty() => Err(error),
            _ => Ok(questions),
        }
    }

    /// Takes what a model said. An answer that comes late does no harm.
    pub fn answer(&self, world: &WorldId, question: &str, answer: Answer) -> Result<Answered> {
        let (version, key) = question.split_once('.').ok_or_else(no_question)?;
        let version: u64 = version.parse().map_err(|_| no_question())?;
        let query = JobsQuery {
            world: Some(world.clone()),
            which: WhichJobs::One(key.to_owned()),
            after: None,
            limit: 1,
        };
        let Some((_, job)) = self.store.jobs(&query)?.pop().filter(|(_, job)| job.version == version) else {
            return Ok(Answered::Late);
        };
        let (text, model) = match answer {
            Answer::Said { text, model } => (text, model),
            Answer::Failed { code, message, not_before_ms } => {
                return self.failed(world, job, &code, message, not_before_ms);
            }
        };
        let Some(read) = self.read_answer else {
            return Err(Error::invalid("this engine cannot read answers")
                .hint("build it with Engine::reading_answers"));
        };
        match read(purpose(&job), &text) {
            Ok(understood) => self.understood(world, job, understood, &model),
            Err(error) => self.failed(world, job, "unreadable", error.message().to_owned(), None),
        }
    }

    fn understood(&self, world: &WorldId, job: Job, understood: Understood, model: &str) -> Result<Answered> {
        let settings = self.settings(world)?;
        match (job.kind, job.stage, understood) {
            (JobKind::Consider, Stage::Deciding, Understood::Decision(true)) => {
                let next =
                    Job { stage: Stage::Summarising, leased_until_ms: 0, trouble: None, ..job.clone() };
                self.swap(world, &job, Some(next)).map(|swapped| match swapped {
                    Answered::Again => Answered::Next,
                    late => late,
                })
            }
            (JobKind::Consider, Stage::Deciding, Understood::Decision(false)) => {
                self.take_statements(world, job, Vec::new(), &settings, model)
            }
            (JobKind::Consider, Stage::Summarising, Understood::Statements(raw)) => {
                self.take_statements(world, job, raw, &settings, model)
            }
            // Prose would pass for one statement about everything, however a line talked the model into it.
            (JobKind::Consider, Stage::Summarising, Understood::Text(_))
                if settings.digest.summary_is_json() =>
            {
                let message = "the model was asked for JSON and answered in prose; a larger model does better, or the \
                               setting digest.prompts=single asks for prose";
                self.failed(world, job, "unreadable", message.to_owned(), None)
            }
            (JobKind::Consider, Stage::Summarising, Understood::Text(text)) => {
                let lines = vec![ALL_LINES.to_owned()];
                let raw = vec![RawStatement { text, lines, ..RawStatement::default() }];
                self.take_statements(world, job, raw, &settings, model)
            }
            (JobKind::Retell, _, Understood::Text(text)) => {
                self.take_retelling(world, job, &text, &settings, model)
            }
            _ => {
                self.failed(world, job, "unreadable", "the model answered another question".to_owned(), None)
            }
        }
    }

    fn take_statements(
        &self,
        world: &WorldId,
        job: Job,
        raw: Vec<RawStatement>,
        settings: &WorldSettings,
        model: &str,
    ) -> Result<Answered> {
        let Some(batch) = self.batch(world, &job)? else { return self.gone(world, &job) };
        let cast = self.cast(world)?;
        let known = self.known(world, &batch)?;
        let numbered = Numbered { known: &known, asked: &job.known };
        let (mut commit, rejects) =
            statements(&batch, raw, &numbered, &cast, settings.calendar.as_ref(), model);
        let rejected = rejects.len();
        self.finish(&mut commit, &job, rejects);
        self.settle(world, job, &commit, rejected)
    }

    fn take_retelling(
        &self,
        world: &WorldId,
        job: Job,
        text: &str,
        settings: &WorldSettings,
        model: &str,
    ) -> Result<Answered> {
        let Some(retelling) = self.retelling(world, &job)? else { return self.gone(world, &job) };
        let cast = self.cast(world)?;
        match retell(&retelling, text, &cast, settings.calendar.as_ref(), model) {
            Ok(mut commit) => {
                self.finish(&mut commit, &job, Vec::new());
                self.settle(world, job, &commit, 0)
            }
            Err(reason) if job.attempts + 1 < RETELLINGS => {
                self.failed(world, job, "not_believed", reason, None)
            }
            Err(reason) => {
                let mut commit = Commit::default();
                self.finish(&mut commit, &job, vec![Reject { text: text.to_owned(), reason }]);
                self.settle(world, job, &commit, 1)
            }
        }
    }

    /// The job is done when what it brought is written, and not before.
    fn finish(&self, commit: &mut Commit, job: &Job, rejects: Vec<Reject>) {
        commit.guards.push(Guard::Job { key: job.key.clone(), version: job.version });
        let done = Job { stage: Stage::Done, leased_until_ms: 0, trouble: None, rejects, ..job.clone() };
        commit.effects.push(Effect::Job { key: job.key.clone(), job: Some(Box::new(done)) });
    }

    fn settle(&self, world: &WorldId, job: Job, commit: &Commit, rejected: usize) -> Result<Answered> {
        match self.store.commit(world, commit)? {
            Committed::Done { memories, .. } => Ok(Answered::Taken { memories: memories.len(), rejected }),
            // What was read changed while the model spoke: whatever is left of it is asked about anew.
            Committed::Stale => self.gone(world, &job),
        }
    }

    /// Nothing is left of what was asked about, or it is asked about anew.
    fn gone(&self, world: &WorldId, job: &Job) -> Result<Answered> {
        self.swap(world, job, None).map(|_| Answered::Late)
    }

    fn failed(
        &self,
        world: &WorldId,
        job: Job,
        code: &str,
        message: String,
        not_before_ms: Option<i64>,
    ) -> Result<Answered> {
        let now_ms = self.now_ms();
        let doubled = FIRST_WAIT_MS.saturating_mul(1 << job.attempts.min(20));
        let due_ms = now_ms.saturating_add(doubled.min(LONGEST_WAIT_MS)).max(not_before_ms.unwrap_or(0));
        let trouble = Some(Trouble { code: code.to_owned(), message, at_ms: now_ms });
        let next = Job {
            attempts: job.attempts.saturating_add(1),
            due_ms,
            leased_until_ms: 0,
            trouble,
            ..job.clone()
        };
        self.swap(world, &job, Some(next))
    }

    /// Puts another job in place of this one, if nobody was faster.
    pub(super) fn swap(&self, world: &WorldId, job: &Job, next: Option<Job>) -> Result<Answered> {
        let key = job.key.clone();
        let commit = Commit {
            guards: vec![Guard::Job { key: key.clone(), version: job.version }],
            effects: vec![Effect::Job { key, job: next.map(Box::new) }],
        };
        match self.store.commit(world, &commit)? {
            Committed::Done { .. } => Ok(Answered::Again),
            Committed::Stale => Ok(Answered::Late),
        }
    }

    /// Takes a job up and says what is to be asked; None if there is nothing to ask, or somebody was faster.
    fn ask(&self, world: &WorldId, job: Job, now_ms: i64) -> Result<Option<Question>> {
        let settings = self.settings(world)?;
        if !settings.digest.models {
            // It must not stand in the way of others. What it was about is planned anew when models may be asked again.
            return self.swap(world, &job, None).map(|_| None);
        }
        let rules = &settings.digest;
        let mut known_ids = Vec::new();
        let (text, json) = match (job.kind, job.stage) {
            (JobKind::Retell, _) => match self.retelling(world, &job)? {
                Some(retelling) => (retell_question(&retelling, &self.cast(world)?, rules), false),
                None => return self.swap(world, &job, None).map(|_| None),
            },
            (JobKind::Consider, stage) => {
                let Some(batch) = self.batch(world, &job)? else {
                    return self.swap(world, &job, None).map(|_| None);
                };
                if stage == Stage::Deciding {
                    (decide_question(&batch, rules), true)
                } else {
                    let known = self.known(world, &batch)?;
                    let shared = shared_by_all(&known);
                    known_ids = shared.iter().map(|held| held.memory.id).collect();
                    summarise_question(&batch, &shared, &self.cast(world)?, rules)
                }
            }
        };
        let until_ms = now_ms.saturating_add(self.lease_ms);
        let leased = Job { leased_until_ms: until_ms, known: known_ids, ..job.clone() };
        let version = job.version + 1;
        if self.swap(world, &job, Some(leased))? == Answered::Late {
            return Ok(None);
        }
        Ok(Some(Question {
            world: world.clone(),
            id: format!("{version}.{}", job.key),
            purpose: purpose(&job),
            tokens: settings.counter.count(&text),
            messages: vec![(Role::User, text)],
            json,
            most_tokens: MOST_TOKENS,
            until_ms,
        }))
    }

    /// What the job is about, as it is now; None if nothing is left of it.
    fn batch(&self, world: &WorldId, job: &Job) -> Result<Option<Batch>> {
        let mut rounds = Vec::new();
        for memory in &job.memories {
            let held = self.of_memory(world, *memory)?;
            let of_job =
                |held: &Held| job.holders.contains(&held.holder) && held.is_valid() && !held.state.considered;
            rounds.extend(held.into_iter().filter(of_job));
        }
        // All of them must still have it alike.
        let count = |memory: MemoryId| rounds.iter().filter(|held| held.memory.id == memory).count();
        let whole: BTreeSet<MemoryId> =
            job.memories.iter().copied().filter(|memory| count(*memory) == job.holders.len()).collect();
        rounds.retain(|held| whole.contains(&held.memory.id));
        let mut lines = Vec::new();
        let sources: BTreeSet<_> =
            rounds.iter().flat_map(|held| held.memory.sources.iter().map(|source| source.line)).collect();
        for line in sources {
            lines.push(self.store.line(world, line)?);
        }
        Ok((!lines.is_empty()).then(|| Batch { holders: job.holders.clone(), rounds, lines }))
    }

    fn retelling(&self, world: &WorldId, job: &Job) -> Result<Option<Retelling>> {
        let (Some(memory), Some(holder)) = (job.memories.first(), job.holders.first()) else {
            return Ok(None);
        };
        let of_holder = |held: &Held| held.holder == *holder && held.is_valid();
        let Some(summary) = self.of_memory(world, *memory)?.into_iter().find(of_holder) else {
            return Ok(None);
        };
        let mut sources = Vec::new();
        for from in &summary.memory.from {
            let held = self.of_memory(world, *from)?.into_iter().find(of_holder);
            sources.extend(held.filter(|held| held.state.summarised_by == Some(*memory)));
        }
        sources.sort_by_key(|held| (held.memory.tick, held.memory.wall_ms, held.memory.id));
        Ok((!sources.is_empty()).then_some(Retelling { summary, sources }))
    }

    fn of_memory(&self, world: &WorldId, memory: MemoryId) -> Result<Vec<Held>> {
        let query = HeldQuery { all: true, limit: PAGE, ..HeldQuery::of(None, WhichHeld::One(memory)) };
        self.store.held(world, &query)
    }

    /// What each holder knows of those who appear in the rounds; what they forgot is among it.
    fn known(&self, world: &WorldId, batch: &Batch) -> Result<HashMap<CharacterId, Vec<Held>>> {
        let about: BTreeSet<CharacterId> =
            batch.rounds.iter().flat_map(|held| held.memory.about.iter().cloned()).collect();
        let about: Vec<CharacterId> = about.into_iter().collect();
        let mut known = HashMap::new();
        for holder in &batch.holders {
            let held = self.store.held(
                world,
                &HeldQuery {
                    all: true,
                    newest_first: true,
                    limit: PAGE,
                    ..HeldQuery::of(Some(holder), WhichHeld::About(about.clone()))
                },
            )?;
            let worth = |held: &Held| {
                matches!(held.memory.origin, Origin::Statement | Origin::Hand) || held.state.forgotten
            };
            known.insert(holder.clone(), held.into_iter().filter(worth).collect());
        }
        Ok(known)
    }

    /// Everybody who has a name.
    fn cast(&self, world: &WorldId) -> Result<Cast> {
        let mut cast = BTreeMap::new();
        let mut after = None;
        loop {
            let page = self.store.characters(world, &Select::Page { after: after.take(), limit: PAGE })?;
            let Some(last) = page.last() else { return Ok(cast) };
            after = Some(last.id.to_string());
            for character in page {
                let name = character.card.display_name.unwrap_or_else(|| character.id.to_string());
                cast.insert(character.id, name);
            }
        }
    }
}

fn purpose(job: &Job) -> Purpose {
    match (job.kind, job.stage) {
        (JobKind::Retell, _) => Purpose::Retell,
        (JobKind::Consider, Stage::Deciding) => Purpose::Decide,
        (JobKind::Consider, _) => Purpose::Summarise,
    }
}

/// What all of them can recall, the newest first: what one alone knows is not told to the others' memory.
fn shared_by_all(known: &HashMap<CharacterId, Vec<Held>>) -> Vec<&Held> {
    let mut lists: Vec<&Vec<Held>> = known.values().collect();
    lists.sort_by_key(|list| list.len());
    let Some((first, others)) = lists.split_first() else { return Vec::new() };
    let knows =
        |list: &Vec<Held>, id: MemoryId| list.iter().any(|held| held.memory.id == id && held.is_valid());
    let mut shared: Vec<&Held> = first
        .iter()
        .filter(|held| held.is_valid() && held.memory.origin != Origin::Round)
        .filter(|held| others.iter().all(|list| knows(list, held.memory.id)))
        .collect();
    shared.sort_by_key(|held| std::cmp::Reverse(held.memory.id));
    shared.truncate(KNOWN);
    shared
}

fn no_question() -> Error {
    Error::invalid("this is not the id of a question").hint("send the question's `id` as it came")
}
