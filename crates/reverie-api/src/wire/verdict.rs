//! What a search of world books found, on the wire.

use reverie_core::lore::place::Slot;
use reverie_core::lore::{Active, Problem};
use schemars::JsonSchema;
use serde::Serialize;

use super::lore::LoreState;
use super::{DegradedView, LorePosition, Role, TokensView, WhyView};

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "LoreFound")]
pub struct ScanView {
    /// In the order in which they became active.
    pub active: Vec<ActiveView>,
    /// Where the texts stand.
    pub slots: Vec<SlotView>,
    /// For the next search of this branch, once the answer is kept.
    pub state: LoreState,
    /// Of the active entries; with `explain`, of all.
    pub why: Vec<WhyView>,
    pub budget: LoreBudget,
    /// The random draws that were used, those of macros among them, in their order.
    pub draws: Vec<f64>,
    /// What authors should know about their books, and what of the request could not be taken as it was sent.
    pub problems: Vec<ProblemView>,
}

/// What the books of a world would bring into a prompt now.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "LorePreview")]
pub struct PreviewView {
    /// What is in the prompt.
    pub active: Vec<ActiveView>,
    pub slots: Vec<SlotView>,
    /// Of every entry, why it is active or is not.
    pub why: Vec<WhyView>,
    pub budget: LoreBudget,
    /// What was found, and the prompt has no room for: as in `left_out` of a recall.
    pub left_out: Vec<EntryName>,
    /// Of the whole prompt.
    pub tokens: TokensView,
    pub problems: Vec<ProblemView>,
    /// What went on without a part of it, as in a recall.
    pub degraded: Vec<DegradedView>,
}

impl From<&Problem> for ProblemView {
    fn from(problem: &Problem) -> Self {
        Self {
            book: problem.book.to_string(),
            entry: Some(problem.entry.to_string()),
            message: problem.message.clone(),
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct ActiveView {
    pub book: String,
    pub entry: String,
    pub comment: String,
    /// With its macros expanded.
    pub content: String,
    pub position: LorePosition,
    pub order: i64,
    pub constant: bool,
}

/// Entries that stand together, first to last.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SlotView {
    pub position: LorePosition,
    /// Of `at_depth`: how many messages follow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outlet: Option<String>,
    /// The contents, one after the other.
    pub text: String,
    pub entries: Vec<EntryName>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct EntryName {
    pub book: String,
    pub entry: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct LoreBudget {
    /// In tokens.
    pub tokens: usize,
    /// True if an entry did not fit.
    pub is_over: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct ProblemView {
    /// Empty: it is not about a single book.
    pub book: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    pub message: String,
}

impl From<&Active> for ActiveView {
    fn from(active: &Active) -> Self {
        Self {
            book: active.book.to_string(),
            entry: active.entry.to_string(),
            comment: active.comment.clone(),
            content: active.content.clone(),
            position: active.position.into(),
            order: active.order,
            constant: active.constant,
        }
    }
}

impl From<&Slot<'_>> for SlotView {
    fn from(slot: &Slot<'_>) -> Self {
        let texts: Vec<&str> = slot.entries.iter().map(|entry| entry.content.as_str()).collect();
        let name =
            |active: &&Active| EntryName { book: active.book.to_string(), entry: active.entry.to_string() };
        Self {
            position: slot.position.into(),
            depth: slot.depth,
            role: slot.role.map(Role::from),
            outlet: slot.outlet.map(str::to_owned),
            text: texts.join("\n"),
            entries: slot.entries.iter().map(name).collect(),
        }
    }
}
