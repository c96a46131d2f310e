//! What is worth raising, and what was read ahead, on the wire.

use reverie_core::rank::Suggestion;
use schemars::JsonSchema;
use serde::Serialize;

use super::time::format_time;
use super::{MemoryKind, Occasion};

/// What is worth raising.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Suggestions")]
pub struct SuggestionsView {
    /// The most worthwhile first.
    pub items: Vec<SuggestionView>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Suggestion")]
pub struct SuggestionView {
    pub id: String,
    pub kind: MemoryKind,
    /// As its holder has it.
    pub text: String,
    pub occasion: Occasion,
    /// From 0 to 1.
    pub score: f32,
    pub importance: f64,
    /// How alive it is; at the floor it is dormant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub activity: Option<f64>,
    pub about: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tick: Option<i64>,
    pub time: Option<String>,
}

impl From<&Suggestion> for SuggestionView {
    fn from(suggestion: &Suggestion) -> Self {
        let held = &suggestion.note.held;
        let memory = &held.memory;
        Self {
            id: memory.id.to_string(),
            kind: memory.kind.into(),
            text: held.text().to_owned(),
            occasion: suggestion.occasion.into(),
            score: suggestion.score,
            importance: held.importance(),
            activity: held.state.layer.and(suggestion.standing).map(|standing| standing.activity),
            about: memory.about.iter().map(ToString::to_string).collect(),
            tick: memory.tick,
            time: format_time(memory.wall_ms),
        }
    }
}

/// What was read ahead.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Preloaded")]
pub struct PreloadedView {
    /// Memories that are at hand now.
    pub memories: usize,
}
