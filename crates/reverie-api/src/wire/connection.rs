//! Which servers of models are used, on the wire. A key comes in and never goes out.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ConnectionName, ConnectionOrigin};

/// The servers of models that this server uses.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Connections")]
pub struct ConnectionsView {
    pub connections: Vec<ConnectionView>,
    /// The file, on the server, that holds what was chosen here.
    pub file: String,
}

/// A server of models. Without address and API there is none: memories are made by rules then, meanings compared by the built-in
/// table, and chats answered by an echo.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "Connection")]
pub struct ConnectionView {
    pub name: ConnectionName,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// `openai` or `gemini`, as it was said or as the address tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api: Option<String>,
    /// Absent for `upstream`: clients say which one they want.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How many numbers a vector shall have; absent: as many as the model gives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dims: Option<usize>,
    /// Whether there is a key. Nobody is told which.
    pub has_key: bool,
    pub origin: ConnectionOrigin,
    /// By name: variables, flags and files that say something of it.
    pub from: Vec<String>,
    /// Whether it can be chosen here: not where flags or variables say something of it, nor where the setting `models.choosing` is off.
    pub can_be_chosen: bool,
}

/// A server of models that is chosen. Has no Debug: a key is in it.
#[derive(Default, Deserialize, JsonSchema)]
#[schemars(rename = "PutConnection")]
#[serde(deny_unknown_fields)]
pub struct ConnectionBody {
    /// As the provider writes it. May be absent for `gemini`: Google's own.
    pub url: Option<String>,
    /// `openai` or `gemini`; absent: as the address tells.
    pub api: Option<String>,
    pub model: Option<String>,
    /// Absent: the one that is there stays, if the address does. Null or empty: none.
    #[serde(default, deserialize_with = "super::present")]
    #[schemars(with = "Option<String>")]
    pub key: Option<Option<String>>,
    pub dims: Option<usize>,
}

impl ConnectionBody {
    pub fn is_empty(&self) -> bool {
        self.url.is_none()
            && self.api.is_none()
            && self.model.is_none()
            && self.key.is_none()
            && self.dims.is_none()
    }
}
