//! How a server says that it is well.

use schemars::JsonSchema;
use serde::Serialize;

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Health")]
pub struct HealthView {
    pub status: HealthStatus,
    /// Of the server, not of the API.
    pub version: &'static str,
    pub uptime_seconds: u64,
    pub digest: DigestHealthView,
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
    /// It serves, but something fails that need not be waited for.
    #[serde(rename = "degraded")]
    Degraded,
}
