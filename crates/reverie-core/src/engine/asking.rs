//! What is asked of chat models, and by whom is it taken up?
//!
//! Nothing is asked while a character waits, and nothing is lost while no model answers: rounds stay as they were said, days
//! as the rules tell them, and the questions come again.

use std::collections::VecDeque;

use super::Engine;
use super::knowing::{alike_in_knowledge, shared_by_all};
use crate::digest::{Purpose, Question, decide_question, retell_question, summarise_question};
use crate::fail_point::{Step, reach};
use crate::id::{CharacterId, WorldId};
use crate::job::{Job, JobKind, JobsQuery, Stage, WhichJobs};
use crate::memories::{Commit, Committed, Effect, Guard};
use crate::perspective::Role;
use crate::{Code, Result};

/// Whether a job was put in place of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Swapped {
    Done,
    Late,
}

/// How long an answer may take, if nobody says.
pub(super) const LEASE_MS: i64 = 180_000;
const MOST_TOKENS: usize = 1200;
/// Questions that are asked at once.
const MOST_QUESTIONS: usize = 1000;
const SPARE: usize = 16;
/// How the key of a job begins that is about some holders of another.
const PART: &str = "part";

impl Engine {
    /// Questions that wait for an answer, at most so many. Each is asked once: who takes it has a few minutes to
    /// [`answer`](Self::answer) before it is given to somebody else.
    pub fn questions(&self, world: Option<&WorldId>, limit: usize) -> Result<Vec<Question>> {
        self.plan(world)?;
        let now_ms = self.now_ms();
        let which = WhichJobs::Due { now_ms };
        // Some of them may turn out to be nothing to ask about.
        let page = limit.min(MOST_QUESTIONS) + SPARE;
        let query = JobsQuery { world: world.cloned(), which, after: None, limit: page };
        let mut questions = Vec::new();
        let mut trouble = None;
        let mut due: VecDeque<(WorldId, Job)> = self.store.jobs(&query)?.into();
        while let Some((world, job)) = due.pop_front().filter(|_| questions.len() < limit) {
            match self.ask(&world, job, now_ms) {
                Ok(Asked::Question(question)) => questions.push(*question),
                Ok(Asked::Nothing) => {}
                Ok(Asked::Divided(jobs)) => {
                    jobs.into_iter().rev().for_each(|job| due.push_front((world.clone(), job)));
                }
                // It was erased meanwhile.
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

    /// Puts another job in place of this one, if nobody was faster.
    pub(super) fn swap(&self, world: &WorldId, job: &Job, next: Option<Job>) -> Result<Swapped> {
        let key = job.key.clone();
        let commit = Commit {
            guards: vec![Guard::Job { key: key.clone(), version: job.version }],
            effects: vec![Effect::Job { key, job: next.map(Box::new) }],
        };
        match self.store.commit(world, &commit)? {
            Committed::Done { .. } => Ok(Swapped::Done),
            Committed::Stale => Ok(Swapped::Late),
        }
    }

    /// Puts several jobs in place of one, each about some of its holders.
    fn divide(&self, world: &WorldId, job: &Job, groups: Vec<Vec<CharacterId>>) -> Result<Asked> {
        let mut commit = Commit {
            guards: vec![Guard::Job { key: job.key.clone(), version: job.version }],
            effects: vec![Effect::Job { key: job.key.clone(), job: None }],
        };
        let mut parts = Vec::with_capacity(groups.len());
        for (place, holders) in groups.into_iter().enumerate() {
            let key = format!("{PART}{}:{}", place + 1, job.key);
            let which = WhichJobs::One(key.clone());
            let query = JobsQuery { world: Some(world.clone()), which, after: None, limit: 1 };
            let version = self.store.jobs(&query)?.pop().map_or(0, |(_, old)| old.version);
            commit.guards.push(Guard::Job { key: key.clone(), version });
            let part = Job { key: key.clone(), holders, version: version + 1, ..job.clone() };
            commit.effects.push(Effect::Job { key, job: Some(Box::new(part.clone())) });
            parts.push(part);
        }
        match self.store.commit(world, &commit)? {
            Committed::Done { .. } => Ok(Asked::Divided(parts)),
            Committed::Stale => Ok(Asked::Nothing),
        }
    }

    /// Takes a job up and says what is to be asked.
    fn ask(&self, world: &WorldId, job: Job, now_ms: i64) -> Result<Asked> {
        let settings = self.settings(world)?;
        if !(settings.digest.enabled && settings.digest.models) {
            // It would stand in the way of others; it is planned again when models are asked again.
            return self.swap(world, &job, None).map(|_| Asked::Nothing);
        }
        let (rules, calendar) = (&settings.digest, settings.calendar.as_ref());
        let mut known_ids = Vec::new();
        let (text, json) = match (job.kind, job.stage) {
            (JobKind::Retell, _) => match self.retelling(world, &job)? {
                Some(retelling) => (retell_question(&retelling, &self.cast(world)?, rules, calendar), false),
                None => return self.swap(world, &job, None).map(|_| Asked::Nothing),
            },
            (JobKind::Consider, stage) => {
                let Some(batch) = self.batch(world, &job)? else {
                    return self.swap(world, &job, None).map(|_| Asked::Nothing);
                };
                if stage == Stage::Deciding {
                    (decide_question(&batch, rules, calendar), true)
                } else {
                    let cast = self.cast(world)?;
                    let known = self.known(world, &batch, &cast)?;
                    let groups = alike_in_knowledge(&batch.holders, &known);
                    // One that was divided before stays as it is: what is known may have come meanwhile.
                    if groups.len() > 1 && !is_part(&job) {
                        return self.divide(world, &job, groups);
                    }
                    let shared = shared_by_all(&known);
                    known_ids = shared.iter().map(|held| held.memory.id).collect();
                    summarise_question(&batch, &shared, &cast, rules, calendar)
                }
            }
        };
        let until_ms = now_ms.saturating_add(self.lease_ms);
        let leased = Job { leased_until_ms: until_ms, known: known_ids, ..job.clone() };
        let version = job.version + 1;
        reach(Step::QuestionMade);
        if self.swap(world, &job, Some(leased))? == Swapped::Late {
            return Ok(Asked::Nothing);
        }
        reach(Step::QuestionTaken);
        Ok(Asked::Question(Box::new(Question {
            world: world.clone(),
            id: format!("{version}.{}.{}", job.made_ms, job.key),
            purpose: purpose(&job),
            tokens: settings.counter.count(&text),
            messages: vec![(Role::User, text)],
            json,
            most_tokens: MOST_TOKENS,
            until_ms,
        })))
    }
}

/// What became of taking a job up.
enum Asked {
    Question(Box<Question>),
    /// Its holders do not know the same: these are in its place.
    Divided(Vec<Job>),
    /// There is nothing to ask, or somebody was faster.
    Nothing,
}

/// Whether it came of a division.
fn is_part(job: &Job) -> bool {
    job.key.starts_with(PART)
}

pub(super) fn purpose(job: &Job) -> Purpose {
    match (job.kind, job.stage) {
        (JobKind::Retell, _) => Purpose::Retell,
        (JobKind::Consider, Stage::Deciding) => Purpose::Decide,
        (JobKind::Consider, _) => Purpose::Summarise,
    }
}
