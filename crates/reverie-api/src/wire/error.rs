//! What a client gets instead of an answer.

use reverie_core::Code;
use schemars::JsonSchema;
use serde::Serialize;

use super::ErrorCode;

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Error")]
pub struct ErrorView {
    pub error: ErrorDetails,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct ErrorDetails {
    pub code: ErrorCode,
    /// What happened, for people.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl ErrorView {
    pub fn new(code: Code, message: &str, hint: Option<&str>) -> Self {
        Self {
            error: ErrorDetails {
                code: code.into(),
                message: message.to_owned(),
                hint: hint.map(str::to_owned),
            },
        }
    }
}
