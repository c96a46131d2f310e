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
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub enum HealthStatus {
    #[serde(rename = "ok")]
    Ok,
}
