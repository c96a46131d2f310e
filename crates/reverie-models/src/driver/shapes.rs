//! Which shape must an answer have, for servers that can hold a model to one?
//!
//! What the reader of answers needs, and no more: a model that is held to much has less room to think of what was said.

use reverie_core::digest::Purpose;
use serde_json::json;

use crate::chat::{JsonMode, Shape};

pub(super) fn shape(purpose: Purpose, is_json: bool, mode: JsonMode) -> Shape {
    let texts = || json!({"type": "array", "items": {"type": "string"}});
    match (purpose, mode) {
        _ if !is_json => Shape::Text,
        // Whoever insists on JSON means JSON; few servers know schemas.
        (_, JsonMode::On) => Shape::Json,
        (Purpose::Decide, _) => Shape::Schema(json!({
            "type": "object",
            "properties": {"should_remember": {"type": "boolean"}, "reason": {"type": "string"}},
            "required": ["should_remember"],
        })),
        (Purpose::Summarise, _) => {
            let memory = json!({
                "type": "object",
                "properties": {
                    "kind": {"type": "string", "enum": ["episodic", "semantic", "trait", "goal"]},
                    "text": {"type": "string"},
                    "about": texts(),
                    "lines": texts(),
                    "keywords": texts(),
                    "topics": texts(),
                    "emotions": texts(),
                    "importance": {"type": "number"},
                    "replaces": {"type": ["string", "null"]},
                },
                "required": ["kind", "text", "about", "lines"],
            });
            let memories = json!({"type": "array", "items": memory});
            Shape::Schema(
                json!({"type": "object", "properties": {"memories": memories}, "required": ["memories"]}),
            )
        }
        (Purpose::Retell, _) => Shape::Json,
    }
}
