//! What does each tool take?
//!
//! The comments on the fields are what agents read, so they are short.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::wire::MemoryKind;

/// Which world, and whose memory.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct Where {
    /// World; default: the configured one.
    pub(super) world: Option<String>,
    /// Whose memory; default: the configured character.
    pub(super) character: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct AddMemory {
    /// One fact, in a sentence that is clear by itself.
    pub(super) text: String,
    /// Default: semantic (a fact). episodic: an event; trait: what someone is like; goal: what someone wants.
    #[schemars(with = "Option<MemoryKind>")]
    pub(super) kind: Option<String>,
    /// Whom it is about.
    pub(super) about: Option<Vec<String>>,
    /// 0 to 1; default 0.7.
    pub(super) importance: Option<f64>,
    /// Always recalled, never fades.
    #[serde(default)]
    pub(super) pinned: bool,
    /// Your own id for it: the same key again adds nothing.
    pub(super) key: Option<String>,
    #[serde(flatten)]
    pub(super) place: Where,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct SearchMemories {
    /// A question or a few words, in any language.
    pub(super) query: String,
    /// Default 10, at most 100.
    pub(super) limit: Option<usize>,
    /// Only this kind.
    #[schemars(with = "Option<MemoryKind>")]
    pub(super) kind: Option<String>,
    #[serde(flatten)]
    pub(super) place: Where,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct GetMemories {
    /// Default 20, at most 100.
    pub(super) limit: Option<usize>,
    /// `next` of the page before.
    pub(super) cursor: Option<String>,
    /// Only this kind.
    #[schemars(with = "Option<MemoryKind>")]
    pub(super) kind: Option<String>,
    #[serde(flatten)]
    pub(super) place: Where,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct UpdateMemory {
    /// As search_memories and get_memories tell it.
    pub(super) id: String,
    /// The new wording.
    pub(super) text: Option<String>,
    /// 0 to 1.
    pub(super) importance: Option<f64>,
    /// Always recalled, never fades.
    pub(super) pinned: Option<bool>,
    #[serde(flatten)]
    pub(super) place: Where,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct DeleteMemory {
    /// As search_memories and get_memories tell it.
    pub(super) id: String,
    #[serde(flatten)]
    pub(super) place: Where,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct RecallContext {
    /// What was just said to the character.
    pub(super) message: Option<String>,
    /// Where, by id; default: the talk with `participants`.
    pub(super) conversation: Option<String>,
    /// Who talks; default: the character and "user".
    pub(super) participants: Option<Vec<String>>,
    /// Tokens at most.
    pub(super) budget: Option<usize>,
    #[serde(flatten)]
    pub(super) place: Where,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct RecordLines {
    /// What was said, in order.
    pub(super) lines: Vec<SaidLine>,
    /// Where, by id; made if it is not there. Default: the talk of those who speak.
    pub(super) conversation: Option<String>,
    /// Who hears it; default: the character and those who speak.
    pub(super) participants: Option<Vec<String>>,
    #[serde(flatten)]
    pub(super) place: Where,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct SaidLine {
    /// Who says it.
    pub(super) speaker: String,
    pub(super) content: String,
}
