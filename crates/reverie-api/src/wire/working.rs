//! How a server says what it is busy with: how long prompts take, what waits, how large its file is, how upstreams do.

use std::collections::BTreeMap;

use reverie_core::RecallTimes;
use schemars::JsonSchema;
use serde::Serialize;

/// How long prompts take, those of chats that are passed on included. Milliseconds.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[schemars(rename = "RecallTimes")]
pub struct RecallTimesView {
    /// Made since the server began.
    pub recalls: u64,
    /// Of so many of them, the last ones, the times are.
    pub of: usize,
    /// Half of them took no longer. Absent while there were none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p50_ms: Option<f64>,
    /// All but one in a hundred took no longer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p99_ms: Option<f64>,
    /// By part: `gather` (reading the store, bringing minds up to date), `embed` (what the last words mean), `lexical`, `semantic`,
    /// `keyword`, `temporal`, `emotional`, `related` (each way of finding), `rank` (weighing what was found), `lore` (searching world
    /// books) and `compose` (choosing what fits, and writing it). Empty while there were no prompts.
    pub legs: BTreeMap<&'static str, LegTimesView>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "LegTimes")]
pub struct LegTimesView {
    pub p50_ms: f64,
    pub p99_ms: f64,
}

impl From<RecallTimes> for RecallTimesView {
    fn from(times: RecallTimes) -> Self {
        let leg = |quantiles: reverie_core::Quantiles| LegTimesView {
            p50_ms: quantiles.p50_ms,
            p99_ms: quantiles.p99_ms,
        };
        Self {
            recalls: times.recalls,
            of: times.of,
            p50_ms: times.whole.map(|whole| whole.p50_ms),
            p99_ms: times.whole.map(|whole| whole.p99_ms),
            legs: times.parts.into_iter().map(|(part, took)| (part.as_str(), leg(took))).collect(),
        }
    }
}

/// Requests to the API at this moment. Health checks, chats that are passed on and MCP clients have turns of their own.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Queue")]
pub struct QueueView {
    pub working: usize,
    pub waiting: usize,
}

/// The data file.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "StoreFile")]
pub struct StoreFileView {
    /// Its name, without the folder.
    pub file: String,
    pub bytes: u64,
    /// Of its write-ahead log.
    pub wal_bytes: u64,
}

/// A server that chats are passed on to, since this one began.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Upstream")]
pub struct UpstreamView {
    /// As it is called in the settings; the one that needs no name is `upstream`.
    pub name: String,
    /// Models that go there: names, or beginnings of names with a `*` behind them. Empty: only what no other takes.
    pub models: Vec<String>,
    /// Answers that began.
    pub answered: u64,
    /// Requests that it did not answer, refused for everybody (a key, credit, too many requests), failed at, or broke off in the answer.
    pub failed: u64,
    /// Absent: there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_answer: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_failure: Option<super::TroubleView>,
}
