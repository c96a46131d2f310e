//! Jobs, questions and answers on the wire: what models are asked, by the server or by a host with a model of its own.

use reverie_core::Answered;
use reverie_core::digest::{Purpose, Question};
use reverie_core::job::{Job, Reject, Stage, Trouble};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::time::format_time;
use super::{AnswerTaken, HeldUpReason, JobKind, JobStage, JobState, QuestionPurpose, Role};

/// Something that a model is asked about, and how far it has come.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Job")]
pub struct JobView {
    pub id: String,
    pub kind: JobKind,
    pub stage: JobStage,
    pub state: JobState,
    /// Whose memories it is about.
    pub holders: Vec<String>,
    /// The memories that it is about.
    pub memories: Vec<String>,
    /// How often it was asked without success.
    pub attempts: u32,
    /// It is asked at this time, or as soon as somebody can.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due: Option<String>,
    /// Somebody is asking, until this time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked_until: Option<String>,
    /// Why nobody asks for now, however due it is. Absent: somebody will, or whoever asks is not known here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_up: Option<HeldUpView>,
    /// What went wrong the last time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trouble: Option<TroubleView>,
    /// What a model said that was not believed, and why.
    pub rejects: Vec<RejectView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub made: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "HeldUp")]
pub struct HeldUpView {
    pub reason: HeldUpReason,
    /// What holds it up, and what to do.
    pub message: String,
    /// Nobody asks before this time; absent: not before something changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
}

/// What keeps whoever asks models from asking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldUp {
    pub reason: HeldUpReason,
    pub message: String,
    pub until_ms: Option<i64>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Trouble")]
pub struct TroubleView {
    pub code: String,
    /// What happened, and what to do.
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Reject")]
pub struct RejectView {
    pub text: String,
    pub reason: String,
}

impl JobView {
    pub fn at(now_ms: i64, job: Job) -> Self {
        let is_done = job.stage == Stage::Done;
        let is_asked = job.leased_until_ms > now_ms;
        let state = match () {
            () if is_done => JobState::Done,
            () if is_asked => JobState::Asked,
            () if job.due_ms > now_ms => JobState::Waiting,
            () => JobState::Due,
        };
        Self {
            id: job.key,
            kind: job.kind.into(),
            stage: job.stage.into(),
            state,
            holders: job.holders.iter().map(ToString::to_string).collect(),
            memories: job.memories.iter().map(ToString::to_string).collect(),
            attempts: job.attempts,
            due: Some(job.due_ms).filter(|_| !is_done && !is_asked).and_then(format_time),
            asked_until: Some(job.leased_until_ms).filter(|_| !is_done && is_asked).and_then(format_time),
            held_up: None,
            trouble: job.trouble.map(TroubleView::from),
            rejects: job.rejects.into_iter().map(RejectView::from).collect(),
            made: format_time(job.made_ms),
        }
    }

    /// The same, with what holds up questions of its purpose.
    #[must_use]
    pub fn held_up(mut self, by: &dyn Fn(Purpose) -> Option<HeldUp>) -> Self {
        let purpose = match (self.kind, self.stage) {
            (JobKind::Retell, _) => Purpose::Retell,
            (_, JobStage::Deciding) => Purpose::Decide,
            _ => Purpose::Summarise,
        };
        let waits = matches!(self.state, JobState::Due | JobState::Waiting);
        self.held_up = by(purpose).filter(|_| waits).map(HeldUpView::from);
        self
    }
}

impl From<HeldUp> for HeldUpView {
    fn from(held_up: HeldUp) -> Self {
        Self {
            reason: held_up.reason,
            message: held_up.message,
            until: held_up.until_ms.and_then(format_time),
        }
    }
}

impl From<Trouble> for TroubleView {
    fn from(trouble: Trouble) -> Self {
        Self { code: trouble.code, message: trouble.message, at: format_time(trouble.at_ms) }
    }
}

impl From<Reject> for RejectView {
    fn from(reject: Reject) -> Self {
        Self { text: reject.text, reason: reject.reason }
    }
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TakeQuestions {
    /// Of this world alone; absent: of all.
    pub world: Option<String>,
    /// At most so many, up to 100; default 1. Each is yours until its `until`: take no more than you can answer by then.
    pub limit: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Questions")]
pub struct QuestionsView {
    pub questions: Vec<QuestionView>,
}

/// Something to send to a chat model.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Question")]
pub struct QuestionView {
    pub world: String,
    /// Good for this question alone.
    pub id: String,
    pub purpose: QuestionPurpose,
    pub messages: Vec<QuestionMessage>,
    /// Whether the answer has to be JSON: ask the model's server for it where it offers that.
    pub json: bool,
    /// About how many tokens the question is.
    pub tokens: usize,
    /// How long the answer is at most, in tokens.
    pub max_tokens: usize,
    /// Later answers do not count: somebody else may have been asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct QuestionMessage {
    pub role: Role,
    pub content: String,
}

impl From<Question> for QuestionView {
    fn from(question: Question) -> Self {
        let message = |(role, content): (reverie_core::perspective::Role, String)| QuestionMessage {
            role: role.into(),
            content,
        };
        Self {
            world: question.world.to_string(),
            id: question.id,
            purpose: question.purpose.into(),
            messages: question.messages.into_iter().map(message).collect(),
            json: question.json,
            tokens: question.tokens,
            max_tokens: question.most_tokens,
            until: format_time(question.until_ms),
        }
    }
}

/// What the model said, or why it said nothing: `text` or `failed`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerBody {
    /// As the model wrote it.
    pub text: Option<String>,
    /// The model's name, kept with what is remembered.
    pub model: Option<String>,
    pub failed: Option<FailedBody>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "AnswerFailed")]
pub struct FailedBody {
    /// A short word, such as `timed_out`.
    pub code: String,
    /// What happened, without dialogue and without keys: it is kept and shown.
    pub message: String,
    /// When it makes sense to ask again.
    pub not_before: Option<String>,
}

/// How the answer was taken.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Answered")]
pub struct AnsweredView {
    pub taken: AnswerTaken,
    /// Memories that were made of it.
    pub memories: usize,
    /// Statements that were not believed; the job says why.
    pub rejected: usize,
}

impl From<Answered> for AnsweredView {
    fn from(answered: Answered) -> Self {
        let (taken, memories, rejected) = match answered {
            Answered::Taken { memories, rejected } => (AnswerTaken::Taken, memories, rejected),
            Answered::Again => (AnswerTaken::Again, 0, 0),
            Answered::Late => (AnswerTaken::Late, 0, 0),
        };
        Self { taken, memories, rejected }
    }
}
