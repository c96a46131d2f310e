//! What a search of world books found, on the wire, and why.

use reverie_core::lore::entry::Logic;
use reverie_core::lore::place::Slot;
use reverie_core::lore::why::{By, Contest, Outcome, Stop, Verdict};
use reverie_core::lore::{Active, Origin, Problem};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::lore::LoreState;
use super::{DegradedView, LorePosition, LoreReason, Role, TokensView};

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
    /// What authors should know about their books.
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
    pub book: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    pub message: String,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "LoreWhy")]
pub struct WhyView {
    pub book: String,
    pub entry: String,
    pub active: bool,
    pub reason: LoreReason,
    /// What the reason is about: the key and where it was found, the roll and the chance, what stopped the search …
    pub detail: Map<String, Value>,
    /// The pass that decided it, from 1.
    pub pass: u32,
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

impl From<&Verdict> for WhyView {
    fn from(verdict: &Verdict) -> Self {
        let (reason, detail) = reason(&verdict.outcome);
        let detail = match detail {
            Value::Object(detail) => detail,
            _ => Map::new(),
        };
        Self {
            book: verdict.book.to_string(),
            entry: verdict.entry.to_string(),
            active: matches!(verdict.outcome, Outcome::Active(_)),
            reason,
            detail,
            pass: verdict.pass,
        }
    }
}

fn reason(outcome: &Outcome) -> (LoreReason, Value) {
    match outcome {
        Outcome::Active(by) => active(by),
        Outcome::Disabled => (LoreReason::Disabled, Value::Null),
        Outcome::OtherGeneration => (LoreReason::OtherGeneration, Value::Null),
        Outcome::Filtered => (LoreReason::Filtered, Value::Null),
        Outcome::NotKnownByCharacter => (LoreReason::NotKnownByCharacter, Value::Null),
        Outcome::Condition(fact) => (LoreReason::Condition, json!({"fact": fact})),
        Outcome::Delayed { missing } => (LoreReason::Delayed, json!({"missing": missing})),
        Outcome::NotThisTime { every } => (LoreReason::NotThisTime, json!({"every": every})),
        Outcome::CoolingDown { left } => (LoreReason::CoolingDown, json!({"left": left})),
        Outcome::Spent => (LoreReason::Spent, Value::Null),
        Outcome::WaitsForRecursion { level } => (LoreReason::WaitsForRecursion, json!({"level": level})),
        Outcome::ExcludedFromRecursion => (LoreReason::ExcludedFromRecursion, Value::Null),
        Outcome::Forbidden => (LoreReason::Forbidden, Value::Null),
        Outcome::NoKeys => (LoreReason::NoKeys, Value::Null),
        Outcome::NoKeyFound => (LoreReason::NoKeyFound, Value::Null),
        Outcome::NotSearched { key } => (LoreReason::NotSearched, json!({"key": key})),
        Outcome::NotReached { stop, by } => {
            let (_, mut detail) = active(by);
            if detail.is_null() {
                detail = json!({});
            }
            if let Some(detail) = detail.as_object_mut() {
                detail.insert("stopped_by".to_owned(), json!(stop_name(*stop)));
            }
            (LoreReason::NotReached, detail)
        }
        Outcome::Secondary { key, logic, found } => {
            (LoreReason::Secondary, json!({"key": key, "logic": logic_name(*logic), "found": found}))
        }
        Outcome::ExcludedBy { key, by } => (LoreReason::ExcludedBy, json!({"key": key, "by": by})),
        Outcome::LostGroup { group, how } => (LoreReason::LostGroup, contest(group, how)),
        Outcome::Unlucky { roll, chance } => {
            // Upwards, so that it stays greater than the chance.
            let roll = (roll * 100.0).ceil() / 100.0;
            (LoreReason::Unlucky, json!({"roll": roll, "chance": chance}))
        }
        Outcome::OverBudget { needed, budget } => {
            (LoreReason::OverBudget, json!({"needed": needed, "budget": budget}))
        }
        Outcome::OverPromptBudget { budget } => (LoreReason::OverPromptBudget, json!({"budget": budget})),
    }
}

fn active(by: &By) -> (LoreReason, Value) {
    match by {
        By::Constant => (LoreReason::Constant, Value::Null),
        By::Sticky => (LoreReason::Sticky, Value::Null),
        By::Order => (LoreReason::Order, Value::Null),
        By::Key { key, origin, secondary } => {
            let mut detail = json!({"key": key, "in": origin_name(*origin)});
            if let (Origin::Message(index), Some(detail)) = (origin, detail.as_object_mut()) {
                detail.insert("message".to_owned(), json!(index));
            }
            if let (false, Some(detail)) = (secondary.is_empty(), detail.as_object_mut()) {
                detail.insert("secondary".to_owned(), json!(secondary));
            }
            (LoreReason::Key, detail)
        }
        By::Similarity(score) => (LoreReason::Similarity, json!({"score": rounded(*score)})),
        By::Time(near) => (LoreReason::Time, json!({"near": rounded(*near)})),
        By::Topic(topic) => (LoreReason::Topic, json!({"topic": topic})),
        By::Mood(emotion) => (LoreReason::Mood, json!({"emotion": emotion})),
    }
}

fn contest(group: &str, how: &Contest) -> Value {
    match how {
        Contest::Taken => json!({"group": group, "how": "taken"}),
        Contest::Sticky => json!({"group": group, "how": "sticky"}),
        Contest::Score { own, best } => json!({"group": group, "how": "score", "own": own, "best": best}),
        Contest::Override { winner } => json!({"group": group, "how": "override", "winner": &**winner}),
        Contest::Draw { winner, roll, total } => {
            json!({"group": group, "how": "draw", "winner": &**winner, "roll": rounded(*roll), "total": rounded(*total)})
        }
    }
}

/// For reading; `draws` of a scan are exact.
fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

fn stop_name(stop: Stop) -> &'static str {
    match stop {
        Stop::Budget => "budget",
        Stop::Steps => "max_recursion_steps",
        Stop::Passes => "passes",
    }
}

fn logic_name(logic: Logic) -> &'static str {
    match logic {
        Logic::AndAny => "and_any",
        Logic::NotAll => "not_all",
        Logic::NotAny => "not_any",
        Logic::AndAll => "and_all",
    }
}

fn origin_name(origin: Origin) -> &'static str {
    match origin {
        Origin::Message(_) => "message",
        Origin::Persona => "persona",
        Origin::Character => "character",
        Origin::Personality => "personality",
        Origin::DepthPrompt => "depth_prompt",
        Origin::Scenario => "scenario",
        Origin::CreatorNotes => "creator_notes",
        Origin::Entry { .. } => "entry",
        Origin::Several => "several",
    }
}
