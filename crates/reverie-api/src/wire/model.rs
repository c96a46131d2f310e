//! What a test of the configured models found, on the wire.

use schemars::JsonSchema;
use serde::Serialize;

/// Chat models and the embedding model. Empty if none is configured: memories are made by rules alone then, and meanings compared by the built-in table.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ModelTests")]
pub struct ModelTestsView {
    pub models: Vec<ModelTestView>,
}

/// What one tiny question to a model, or one text for it to embed, found.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "ModelTest")]
pub struct ModelTestView {
    /// Its settings begin like this: `models.chat`.
    pub name: String,
    pub well: bool,
    /// What was found.
    pub message: String,
    /// What to do about it, or what is worth knowing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The beginning of what the server said, where it refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server_said: Option<String>,
    /// Names of models that the server offers, where ours is not among them, or where nothing but they were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub offered: Vec<String>,
    /// How long the vectors are; absent for chat models.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dimensions: Option<usize>,
}
