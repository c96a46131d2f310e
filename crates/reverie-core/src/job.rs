//! What is being asked of a model, and what became of it?
//!
//! A job is a reminder, not the work: what it works on is read again whenever it is taken up, so that a job that is lost, or
//! that two take up, does no harm.

use crate::id::{CharacterId, MemoryId, WorldId};
use crate::{Error, Result};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// Unique in its world; says what the job is about.
    pub key: String,
    pub kind: JobKind,
    pub stage: Stage,
    /// Whose memories; of rounds: all who saw the same.
    pub holders: Vec<CharacterId>,
    /// What it works on, in order.
    pub memories: Vec<MemoryId>,
    /// What the question told as known, in order.
    pub known: Vec<MemoryId>,
    /// How often it was asked without success.
    pub attempts: u32,
    /// Not before this time.
    pub due_ms: i64,
    /// Somebody is at it until this time. Afterwards it is anybody's again.
    pub leased_until_ms: i64,
    /// What went wrong last, in words that say what to do. Holds no dialogue and no secret.
    pub trouble: Option<Trouble>,
    /// What a model said that was not taken, and why: at most a few.
    pub rejects: Vec<Reject>,
    pub made_ms: i64,
    /// Every change adds one.
    pub version: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum JobKind {
    /// What of some rounds is worth keeping for long?
    Consider,
    /// A day or an era, in a model's words.
    Retell,
}

/// How far it has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stage {
    /// Is anything worth keeping?
    Deciding,
    /// What is it?
    Summarising,
    Done,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    pub code: String,
    pub message: String,
    pub at_ms: i64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reject {
    /// As the model said it.
    pub text: String,
    pub reason: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JobsQuery {
    /// None: all worlds.
    pub world: Option<WorldId>,
    pub which: WhichJobs,
    /// Continue behind this one.
    pub after: Option<(WorldId, String)>,
    pub limit: usize,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum WhichJobs {
    #[default]
    All,
    One(String),
    /// Not done, due and with nobody at them at this time; in the order of `due_ms`.
    Due {
        now_ms: i64,
    },
}

impl JobKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Consider => "consider",
            Self::Retell => "retell",
        }
    }

    pub fn from_name(name: &str) -> Result<Self> {
        [Self::Consider, Self::Retell].into_iter().find(|kind| kind.as_str() == name).ok_or_else(|| {
            Error::invalid(format!("unknown kind of job {name:?}")).hint("use consider or retell")
        })
    }
}

impl Stage {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Deciding => "deciding",
            Self::Summarising => "summarising",
            Self::Done => "done",
        }
    }

    pub fn from_name(name: &str) -> Result<Self> {
        [Self::Deciding, Self::Summarising, Self::Done]
            .into_iter()
            .find(|stage| stage.as_str() == name)
            .ok_or_else(|| Error::invalid(format!("unknown stage of a job {name:?}")))
    }
}
