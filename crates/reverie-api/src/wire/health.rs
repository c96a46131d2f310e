//! How a server says that it is well.

use reverie_core::{MindsAtHand, QueriesAtHand, ResultsAtHand};
use schemars::JsonSchema;
use serde::Serialize;

use super::working::{QueueView, RecallTimesView, StoreFileView, UpstreamView};
use super::{BreakerState, DriverState};

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Health")]
pub struct HealthView {
    pub status: HealthStatus,
    /// Of the server, not of the API.
    pub version: &'static str,
    pub uptime_seconds: u64,
    pub digest: DigestHealthView,
    pub models: ModelsHealthView,
    pub minds: MindsView,
    pub recall: RecallTimesView,
    pub queue: QueueView,
    /// Absent while there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store: Option<StoreFileView>,
    /// The servers that chats are passed on to, the one first that takes what no other does. None of them is left alone: each chat is
    /// tried, and whoever sent it sees what became of it.
    pub upstreams: Vec<UpstreamView>,
    /// The world of chats that name none: the setting `proxy.world`. Absent: no chats are taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chat_world: Option<String>,
    /// What it leans on, each with its breaker: the data file (`database`), the vectors in it (`vectors`), and the models that are
    /// configured. Without models and vectors everything but what they do goes on.
    pub dependencies: Vec<DependencyView>,
    /// Absent, unless the status is `unavailable`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<super::ErrorDetails>,
}

/// Characters whose memories are at hand, so that prompts need not read them again.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Minds")]
pub struct MindsView {
    pub characters: usize,
    pub bytes: usize,
    /// Of these, what finds memories by their words (keywords and names included), and by their meaning.
    pub word_bytes: usize,
    pub vector_bytes: usize,
    /// The setting `limits.minds_bytes`.
    pub most_bytes: usize,
    /// How often one was read as a whole since the server began, and how often it was at hand and only brought up to date.
    pub read: u64,
    pub continued: u64,
    /// How many had to make room for others.
    pub let_go: u64,
    pub results: ResultsView,
    pub queries: QueriesView,
}

/// What came to a character's mind for its last questions, until something changes there: whoever asks the same again need not wait for it.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Results")]
pub struct ResultsView {
    /// Of the bytes of what is at hand.
    pub bytes: usize,
    /// How often the same was asked again since the server began, and how often it was looked for.
    pub found: u64,
    pub made: u64,
}

/// What was said last is compared by meaning; where that comes over a network, texts that were asked about are known for a while.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Queries")]
pub struct QueriesView {
    pub texts: usize,
    pub bytes: usize,
    /// A part of the setting `limits.minds_bytes`.
    pub most_bytes: usize,
    /// How often a text was known since the server began, and how often an embedder was asked.
    pub found: u64,
    pub asked: u64,
}

impl From<MindsAtHand> for MindsView {
    fn from(minds: MindsAtHand) -> Self {
        Self {
            characters: minds.minds,
            bytes: minds.bytes,
            word_bytes: minds.word_bytes,
            vector_bytes: minds.vector_bytes,
            most_bytes: minds.most_bytes,
            read: minds.whole,
            continued: minds.continued,
            let_go: minds.let_go,
            results: minds.results.into(),
            queries: minds.queries.into(),
        }
    }
}

impl From<ResultsAtHand> for ResultsView {
    fn from(ResultsAtHand { bytes, found, made }: ResultsAtHand) -> Self {
        Self { bytes, found, made }
    }
}

impl From<QueriesAtHand> for QueriesView {
    fn from(queries: QueriesAtHand) -> Self {
        let QueriesAtHand { texts, bytes, most_bytes, found, asked } = queries;
        Self { texts, bytes, most_bytes, found, asked }
    }
}

/// What chat models are asked, since the server began.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ModelsHealth")]
pub struct ModelsHealthView {
    pub driver: DriverState,
    /// Absent, unless it rests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resting_until: Option<String>,
    /// Questions that are being asked at this moment.
    pub asking: usize,
    /// Questions whose answer counted.
    pub answered: u64,
    /// Questions that a model failed to answer, or answered with what could not be used; they come again.
    pub failed: u64,
    /// Memories that were made of answers.
    pub memories: u64,
    /// Statements of models that were not believed.
    pub rejected: u64,
    pub spend: SpendView,
}

impl ModelsHealthView {
    /// Where no chat model is configured.
    pub fn off() -> Self {
        Self {
            driver: DriverState::Off,
            resting_until: None,
            asking: 0,
            answered: 0,
            failed: 0,
            memories: 0,
            rejected: 0,
            spend: SpendView::default(),
        }
    }
}

/// Tokens, as the models' servers counted them, or as estimated where they did not.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[schemars(rename = "Spend")]
pub struct SpendView {
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// In this hour of the clock, and what may be spent in it; absent where there is no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub this_hour: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_hour: Option<u64>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Dependency")]
pub struct DependencyView {
    /// `database`, `vectors`, or how the settings of a model begin: `models.chat`.
    pub name: String,
    pub state: BreakerState,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// Failures that count at present.
    pub failures: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_failure: Option<super::TroubleView>,
    /// When it is tried again; absent while it is closed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_probe: Option<String>,
}

/// How far what was said has become memories.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "DigestHealth")]
pub struct DigestHealthView {
    pub worker: WorkerState,
    /// Absent: it has not looked yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_run: Option<String>,
    /// Conversations in which something waits to be remembered, in all worlds.
    pub waiting_conversations: usize,
    /// Worlds in which nothing can be remembered for now; it is tried again.
    pub failing_worlds: usize,
    /// Memories that it made since the server began.
    pub memories: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub enum WorkerState {
    /// The settings say so: `POST …/digest` does its work.
    #[serde(rename = "off")]
    Off,
    #[serde(rename = "idle")]
    Idle,
    #[serde(rename = "working")]
    Working,
    #[serde(rename = "failing")]
    Failing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub enum HealthStatus {
    #[serde(rename = "ok")]
    Ok,
    /// It serves, but something fails that need not be waited for; or what is stored can be read and not be written.
    #[serde(rename = "degraded")]
    Degraded,
    /// Memory is off, answered with the status 503: what is stored cannot be read now. What needs no store is served: `POST
    /// /v1/lore/scan`, `POST /v1/perspective`, and recall with the request's own `history`.
    #[serde(rename = "unavailable")]
    Unavailable,
}
