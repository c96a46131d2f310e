//! Memories on the wire: what is shared by all who have one, and what it is to each of them.

use reverie_core::layers::Standing;
use reverie_core::memory::{Held, Memory, State};
use reverie_core::time::Moment;
use reverie_core::{FoundMemory, MemoryId, Past, Remembered};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::time::format_time;
use super::who::{TextOrNumber, WireWho, text_or_number};
use super::{Dormant, Layer, MemoryKind, MemoryOrigin};

/// Something that happened, and who saw it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "NewEvent")]
pub struct EventBody {
    /// What happened.
    pub text: String,
    /// Who saw it: each of them has the memory.
    pub witnesses: Vec<WireWho>,
    /// Whom it is about; absent: the witnesses.
    pub about: Option<Vec<WireWho>>,
    /// 0 to 1; absent: by rules.
    pub importance: Option<f64>,
    /// Absent: those that the text shows.
    pub keywords: Option<Vec<String>>,
    #[serde(default)]
    pub topics: Vec<String>,
    #[serde(default)]
    pub emotions: Vec<String>,
    /// One more of `emotions`, for whoever has only one.
    pub emotion: Option<String>,
    /// Game time; absent: the world's.
    pub tick: Option<i64>,
    /// Wall time, RFC 3339; absent: now. Also taken as `wall_time`.
    #[serde(alias = "wall_time")]
    pub time: Option<String>,
    /// Chosen by the client: an event with the same key is remembered once.
    pub key: Option<String>,
}

/// A memory written by hand.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "NewMemory")]
pub struct MemoryBody {
    pub text: String,
    /// Default: `episodic`.
    #[schemars(with = "Option<MemoryKind>")]
    pub kind: Option<String>,
    /// Whom it is about; absent: the character itself.
    pub about: Option<Vec<WireWho>>,
    /// 0 to 1; absent: 0.7.
    pub importance: Option<f64>,
    /// Absent: those that the text shows.
    pub keywords: Option<Vec<String>>,
    #[serde(default)]
    pub topics: Vec<String>,
    #[serde(default)]
    pub emotions: Vec<String>,
    /// One more of `emotions`, for whoever has only one.
    pub emotion: Option<String>,
    /// Game time; absent: the world's.
    pub tick: Option<i64>,
    /// Wall time, RFC 3339; absent: now. Also taken as `wall_time`.
    #[serde(alias = "wall_time")]
    pub time: Option<String>,
    /// Neither fades nor takes a place.
    #[serde(default)]
    pub pinned: bool,
    /// May be told to everyone, whoever witnessed it.
    #[serde(default)]
    pub shareable: bool,
    /// Chosen by the client: of one character, a memory with the same key is made once.
    pub key: Option<String>,
}

/// What to change about a memory; an absent field stays, null gives back the memory's own.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PatchMemory {
    /// For whom; absent: for all who have it.
    #[serde(default, deserialize_with = "text_or_number")]
    #[schemars(with = "Option<TextOrNumber>")]
    pub holder: Option<String>,
    #[serde(default, deserialize_with = "super::present")]
    #[schemars(with = "Option<String>")]
    pub text: Option<Option<String>>,
    /// 0 to 1.
    #[serde(default, deserialize_with = "super::present")]
    #[schemars(with = "Option<f64>")]
    pub importance: Option<Option<f64>>,
    /// Neither fades nor takes a place. A pinned round becomes situational.
    pub pinned: Option<bool>,
    /// May be told to everyone, whoever witnessed it.
    pub shareable: Option<bool>,
    /// In no prompt and no list any more; `false` brings it back, and its lines where these were forgotten with it.
    pub forgotten: Option<bool>,
    /// With `forgotten`: the lines that it was made of are forgotten, too. They are in no view of those who forgot them, and nothing
    /// is derived from them for them.
    #[serde(default)]
    pub lines: bool,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UndoMemory {
    /// For whom; absent: for all whom the last change concerned, or with `revision` for all who have it.
    #[serde(default, deserialize_with = "text_or_number")]
    #[schemars(with = "Option<TextOrNumber>")]
    pub holder: Option<String>,
    /// Back to what it was at this revision of the world; absent: before its last change.
    pub revision: Option<u64>,
}

/// What all who have a memory share.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MemoryFacts {
    pub id: String,
    pub kind: MemoryKind,
    pub origin: MemoryOrigin,
    /// The lines that it was made of, in order.
    pub sources: Vec<String>,
    /// The memories that it sums up, and those that these sum up.
    pub from: Vec<String>,
    /// Whom it is about.
    pub about: Vec<String>,
    pub keywords: Vec<String>,
    pub topics: Vec<String>,
    pub emotions: Vec<String>,
    /// When it happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tick: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// Of a summary: when the first of what it sums up happened, by either clock; `tick` and `time` are of the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<MomentView>,
    /// The revision of the world that made it.
    pub revision: u64,
}

/// What a memory is to one who has it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct HoldingFacts {
    pub holder: String,
    /// Only of episodic memories.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<Layer>,
    /// How alive it is now, 0 to 1; absent if it cannot be recalled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub activity: Option<f64>,
    /// Why it is not put before the character; absent if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dormant: Option<Dormant>,
    pub pinned: bool,
    pub forgotten: bool,
    /// Its lines were forgotten with it.
    pub lines_forgotten: bool,
    pub shareable: bool,
    /// False if a line that it was made of is off the path, reworded, hidden, gone or forgotten by the holder: then it is in no view
    /// until that returns.
    pub live: bool,
    /// The memory that sums it up, while that one can be recalled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summarised_by: Option<String>,
    /// The memory that says better what this one said, while that one can be recalled; of a round: another memory of the same words
    /// that reaches further.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<String>,
    /// From when on what it says is so. Only of statements and of what was written by hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<MomentView>,
    /// Until when it was so: when that was said which took its place. Absent while nothing does: also when what was said then is off
    /// the path again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<MomentView>,
    /// How often it was changed.
    pub version: u32,
}

/// A memory as one has it.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Memory")]
pub struct MemoryView {
    #[serde(flatten)]
    pub facts: MemoryFacts,
    #[serde(flatten)]
    pub holding: HoldingFacts,
    pub text: String,
    /// What it said before its holder had it reworded; absent: it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own_text: Option<String>,
    pub importance: f64,
    /// How well it fits the search; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
}

/// A memory and all who have it.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "SharedMemory")]
pub struct SharedMemoryView {
    #[serde(flatten)]
    pub facts: MemoryFacts,
    pub text: String,
    pub importance: f64,
    /// By id. `dormant` is told where at most 16 have it.
    pub holders: Vec<HoldingView>,
}

/// What an event became.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "RecordedEvent")]
pub struct RecordedEventView {
    #[serde(flatten)]
    pub memory: SharedMemoryView,
    /// What looks wrong about it.
    pub degraded: Vec<super::DegradedView>,
}

/// A memory that was written by hand.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "WrittenMemory")]
pub struct WrittenMemoryView {
    #[serde(flatten)]
    pub memory: MemoryView,
    /// What looks wrong about it.
    pub degraded: Vec<super::DegradedView>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Holding")]
pub struct HoldingView {
    #[serde(flatten)]
    pub holding: HoldingFacts,
    /// In place of the memory's own text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// In place of the memory's own importance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub importance: Option<f64>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "MemoryHistory")]
pub struct MemoryHistoryView {
    /// By holder, then oldest first.
    pub states: Vec<MemoryStateView>,
}

/// What a memory was from a revision on.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "MemoryState")]
pub struct MemoryStateView {
    pub holder: String,
    pub revision: u64,
    /// False: an earlier checkpoint was restored, at which it was not there.
    pub held: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<Layer>,
    pub pinned: bool,
    pub forgotten: bool,
    /// Its lines were forgotten with it.
    pub lines_forgotten: bool,
    pub shareable: bool,
    /// In place of the memory's own text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// In place of the memory's own importance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub importance: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summarised_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<String>,
    /// From when on what it says is so. Only of statements and of what was written by hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<MomentView>,
    /// Until when it was so, if what took its place in this state can be recalled now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<MomentView>,
}

/// When something was said, or happened.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "Moment")]
pub struct MomentView {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tick: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
}

impl From<Moment> for MomentView {
    fn from(moment: Moment) -> Self {
        Self { tick: moment.tick, time: moment.wall_ms.and_then(format_time) }
    }
}

fn numbers(ids: &[MemoryId]) -> Vec<String> {
    ids.iter().map(ToString::to_string).collect()
}

impl MemoryFacts {
    fn of(memory: &Memory) -> Self {
        Self {
            id: memory.id.to_string(),
            kind: memory.kind.into(),
            origin: memory.origin.into(),
            sources: memory.sources.iter().map(|source| source.line.to_string()).collect(),
            from: numbers(&memory.from),
            about: memory.about.iter().map(ToString::to_string).collect(),
            keywords: memory.keywords.clone(),
            topics: memory.topics.clone(),
            emotions: memory.emotions.clone(),
            tick: memory.tick,
            time: format_time(memory.wall_ms),
            since: None,
            revision: memory.revision,
        }
    }
}

impl HoldingFacts {
    fn of(held: &Held, standing: Option<Standing>) -> Self {
        Self {
            holder: held.holder.to_string(),
            layer: held.state.layer.map(Layer::from),
            activity: standing.map(|standing| standing.activity),
            dormant: standing.and_then(|standing| standing.dormant).map(Dormant::from),
            pinned: held.state.pinned,
            forgotten: held.state.forgotten,
            lines_forgotten: held.state.lines_forgotten,
            shareable: held.state.shareable,
            live: held.live,
            summarised_by: held.summarised.map(|id| id.to_string()),
            superseded_by: held.superseded.map(|better| better.by.to_string()),
            valid_from: held.valid_from().map(MomentView::from),
            valid_until: held.valid_until().map(MomentView::from),
            version: held.version,
        }
    }
}

impl From<Remembered> for MemoryView {
    fn from(remembered: Remembered) -> Self {
        let Remembered { held, standing } = remembered;
        Self {
            facts: MemoryFacts::of(&held.memory),
            holding: HoldingFacts::of(&held, standing),
            importance: held.importance(),
            own_text: held.state.text.is_some().then(|| held.memory.text.clone()),
            text: held.state.text.unwrap_or(held.memory.text),
            score: None,
        }
    }
}

impl From<FoundMemory> for MemoryView {
    fn from(found: FoundMemory) -> Self {
        Self { score: Some(found.score), ..Self::from(found.remembered) }
    }
}

impl SharedMemoryView {
    /// None of nobody's memory.
    pub fn of(remembered: Vec<Remembered>) -> Option<Self> {
        let memory = &remembered.first()?.held.memory;
        let (facts, text, importance) = (MemoryFacts::of(memory), memory.text.clone(), memory.importance);
        let holders = remembered.into_iter().map(|Remembered { held, standing }| HoldingView {
            holding: HoldingFacts::of(&held, standing),
            text: held.state.text,
            importance: held.state.importance,
        });
        Some(Self { facts, text, importance, holders: holders.collect() })
    }
}

impl From<Vec<Past>> for MemoryHistoryView {
    fn from(history: Vec<Past>) -> Self {
        let of_holder = |past: Past| {
            let Past { holder, states, valid_from, replaced } = past;
            let told = move |(revision, state): (u64, Option<State>)| {
                let until = state.as_ref().and_then(|state| replaced.get(&state.superseded_by?).copied());
                let valid_from = valid_from.filter(|_| state.is_some()).map(MomentView::from);
                let valid_until = until.map(MomentView::from);
                MemoryStateView {
                    valid_from,
                    valid_until,
                    ..MemoryStateView::of(holder.to_string(), (revision, state))
                }
            };
            states.into_iter().map(told).collect::<Vec<_>>()
        };
        Self { states: history.into_iter().flat_map(of_holder).collect() }
    }
}

impl MemoryStateView {
    fn of(holder: String, (revision, state): (u64, Option<State>)) -> Self {
        let held = state.is_some();
        let state = state.unwrap_or_else(|| State::new(None, None));
        Self {
            holder,
            revision,
            held,
            layer: state.layer.map(Layer::from),
            pinned: state.pinned,
            forgotten: state.forgotten,
            lines_forgotten: state.lines_forgotten,
            shareable: state.shareable,
            text: state.text,
            importance: state.importance,
            summarised_by: state.summarised_by.map(|id| id.to_string()),
            superseded_by: state.superseded_by.map(|id| id.to_string()),
            valid_from: None,
            valid_until: None,
        }
    }
}
