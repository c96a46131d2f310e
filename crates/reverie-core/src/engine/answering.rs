//! What becomes of what a model says?
//!
//! Nothing of it counts before it is written together with the end of its job, and only if what was asked about is still so.

use super::Engine;
use super::asking::{Swapped, purpose};
use crate::digest::{
    Answer, Considered, Numbered, RawStatement, Understood, retell, statements, tells_of_a_stranger,
};
use crate::fail_point::{Step, reach};
use crate::id::WorldId;
use crate::job::{Job, JobKind, JobsQuery, Reject, Stage, Trouble, WhichJobs};
use crate::memories::{Commit, Committed, Effect, Guard};
use crate::settings::WorldSettings;
use crate::{Error, Result};

/// How an answer was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answered {
    /// It counts: so many memories were made, and so many statements were not believed.
    Taken { memories: usize, rejected: usize },
    /// It could not be used; the question comes again.
    Again,
    /// Somebody else was faster, or what was asked about is not so any more.
    Late,
}

/// The first wait after a failure; each further one is twice as long, up to the longest.
const FIRST_WAIT_MS: i64 = 30_000;
const LONGEST_WAIT_MS: i64 = 6 * 3_600_000;
/// A model that tells a day wrongly so often is not asked again; the rules' telling stays.
const RETELLINGS: u32 = 3;

impl Engine {
    /// Takes what a model said. An answer that comes late does no harm.
    pub fn answer(&self, world: &WorldId, question: &str, answer: Answer) -> Result<Answered> {
        let (version, rest) = question.split_once('.').ok_or_else(no_question)?;
        let (made_ms, key) = rest.split_once('.').ok_or_else(no_question)?;
        let version: u64 = version.parse().map_err(|_| no_question())?;
        let made_ms: i64 = made_ms.parse().map_err(|_| no_question())?;
        let query = JobsQuery {
            world: Some(world.clone()),
            which: WhichJobs::One(key.to_owned()),
            after: None,
            limit: 1,
        };
        // A job that was taken away and put down again counts its versions anew.
        let is_asked = |job: &Job| (job.version, job.made_ms) == (version, made_ms);
        let Some((_, job)) = self.store.jobs(&query)?.pop().filter(|(_, job)| is_asked(job)) else {
            return Ok(Answered::Late);
        };
        reach(Step::AnswerHeard);
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
                let swapped = self.swap(world, &job, Some(next))?;
                reach(Step::DecisionKept);
                Ok(match swapped {
                    Swapped::Done => Answered::Taken { memories: 0, rejected: 0 },
                    Swapped::Late => Answered::Late,
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
                let raw = vec![RawStatement { text, ..RawStatement::default() }];
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
        let Some(batch) = self.batch(world, &job)? else {
            return self.swap(world, &job, None).map(|_| Answered::Late);
        };
        let cast = self.cast(world)?;
        let mut known = self.known(world, &batch, &cast)?;
        if raw.iter().any(|raw| tells_of_a_stranger(raw, &cast)) {
            self.add_strangers(world, &mut known)?;
        }
        let numbered = Numbered { known: &known, asked: &job.known };
        let Considered { mut commit, mut rejects, left_out } =
            statements(&batch, raw, &numbered, &cast, settings.calendar.as_ref(), model);
        let rejected = rejects.len();
        rejects.extend(left_out);
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
        let Some(retelling) = self.retelling(world, &job)? else {
            return self.swap(world, &job, None).map(|_| Answered::Late);
        };
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
        reach(Step::AnswerMade);
        let committed = self.store.commit(world, commit)?;
        reach(Step::AnswerKept);
        match committed {
            Committed::Done { made, .. } => Ok(Answered::Taken { memories: made, rejected }),
            // What was read changed while the model spoke: whatever is left of it is asked about anew.
            Committed::Stale => self.swap(world, &job, None).map(|_| Answered::Late),
        }
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
        let swapped = self.swap(world, &job, Some(next))?;
        reach(Step::FailureKept);
        Ok(match swapped {
            Swapped::Done => Answered::Again,
            Swapped::Late => Answered::Late,
        })
    }
}

fn no_question() -> Error {
    Error::invalid("this is not the id of a question").hint("send the question's `id` as it came")
}
