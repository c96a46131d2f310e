//! A memory that came to mind, on the wire: how near it is by each leg, and what became of it.

use reverie_core::cue::Recalled;
use reverie_core::layers::Dormant;
use reverie_core::mind::{Links, Related};
use reverie_core::rank::{Barred, Dropped, Fate, Parts};
use schemars::JsonSchema;
use serde::Serialize;

use super::time::format_time;
use super::{Layer, MemoryFate, MemoryKind, MemoryOrigin, RecallLink};

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Recalled")]
pub struct RecalledView {
    /// A memory's; `line:12` for lines of this conversation, from that one on, that are not remembered yet.
    pub id: String,
    /// Where it stands among all that came to mind, told of or not: 1 is the first.
    pub rank: usize,
    pub kind: MemoryKind,
    pub origin: MemoryOrigin,
    /// As its holder has it.
    pub text: String,
    /// What the prompt tells of it, where that is not all (`recall.max_memory_chars`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<String>,
    /// Who has it in mind, of those who are given a voice; also as another memory in the same words.
    pub known_by: Vec<String>,
    pub about: Vec<String>,
    pub importance: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<Layer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tick: Option<i64>,
    pub time: Option<String>,
    /// The lines that it was made of.
    pub sources: Vec<String>,
    /// Pinned, or of a kind that is always there: no threshold holds it back.
    pub constant: bool,
    pub fate: MemoryFate,
    /// For a near duplicate: of which memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alike: Option<String>,
    /// With the fate `audience` and a strict policy: who of those that would hear it does not know it. Absent where the policy goes by
    /// conversations, or where nobody knows who listens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lacked_by: Option<Vec<String>>,
    /// By this they are ordered, and by nothing else: how it stands to the others that were found, times `weight` and `time_factor`.
    pub score: f32,
    /// All legs together, from 0 to 1, whatever else was found. Times `weight` it must reach `recall.threshold`.
    pub nearness: f32,
    /// What its kind is worth (`recall.weight`).
    pub weight: f32,
    /// What its age makes of it, from 0.3 to 1.5; 1 where time is not counted.
    pub time_factor: f32,
    pub parts: PartsView,
    /// What belongs to it, of the memories of those who know it; the nearest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub related: Option<Vec<RelatedView>>,
}

/// A memory that belongs to another one.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Related")]
pub struct RelatedView {
    pub id: String,
    pub by: Vec<RecallLink>,
    /// From 0 to 1.
    pub nearness: f32,
}

impl From<&Related> for RelatedView {
    fn from(related: &Related) -> Self {
        let Links { people, topic, cause, beside } = related.links;
        let links = [
            (cause, RecallLink::Cause),
            (topic, RecallLink::Topic),
            (people, RecallLink::People),
            (beside, RecallLink::Beside),
        ];
        Self {
            id: related.memory.to_string(),
            by: links.into_iter().filter(|(is_so, _)| *is_so).map(|(_, link)| link).collect(),
            nearness: related.near,
        }
    }
}

/// How near a memory is by each leg, from 0 to 1.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "RecallParts")]
pub struct PartsView {
    pub lexical: f32,
    pub semantic: f32,
    pub keyword: f32,
    pub temporal: f32,
    pub emotional: f32,
    pub related: f32,
}

impl RecalledView {
    /// `place`: from 0.
    pub(super) fn new((place, recalled): (usize, &Recalled)) -> Self {
        let one = &recalled.considered;
        let held = &one.note.held;
        let memory = &held.memory;
        Self {
            id: memory.id.to_string(),
            rank: place.saturating_add(1),
            kind: memory.kind.into(),
            origin: memory.origin.into(),
            text: held.text().to_owned(),
            excerpt: recalled.excerpt.clone(),
            known_by: one.known_by.iter().chain(&one.known_besides).map(ToString::to_string).collect(),
            about: memory.about.iter().map(ToString::to_string).collect(),
            importance: held.importance(),
            layer: held.state.layer.map(Into::into),
            tick: memory.tick,
            time: format_time(memory.wall_ms),
            sources: memory.sources.iter().map(|source| source.line.to_string()).collect(),
            constant: one.is_constant,
            fate: recalled.fate.into(),
            alike: match recalled.fate {
                Fate::Dropped(Dropped::Alike(other)) => Some(other.to_string()),
                _ => None,
            },
            lacked_by: (!one.lacked_by.is_empty())
                .then(|| one.lacked_by.iter().map(ToString::to_string).collect()),
            score: one.score,
            nearness: one.nearness,
            weight: one.weight,
            time_factor: one.time_factor,
            parts: one.parts.into(),
            related: (!one.related.is_empty()).then(|| one.related.iter().map(Into::into).collect()),
        }
    }
}

impl From<Fate> for MemoryFate {
    fn from(fate: Fate) -> Self {
        match fate {
            Fate::Kept => Self::Kept,
            Fate::Dropped(Dropped::InHistory) => Self::InHistory,
            Fate::Dropped(Dropped::Alike(_)) => Self::NearDuplicate,
            Fate::Dropped(Dropped::NotInTemplate) => Self::NotInTemplate,
            Fate::Dropped(Dropped::Enough) => Self::EnoughOfKind,
            Fate::Dropped(Dropped::Room) => Self::NoRoom,
            Fate::Dropped(Dropped::Barred(Barred::Audience)) => Self::Audience,
            Fate::Dropped(Dropped::Barred(Barred::Threshold)) => Self::BelowThreshold,
            Fate::Dropped(Dropped::Barred(Barred::Corrected)) => Self::Corrected,
            Fate::Dropped(Dropped::Barred(Barred::Dormant(dormant))) => match dormant {
                Dormant::Faded => Self::Faded,
                Dormant::Crowded => Self::Crowded,
                Dormant::Past => Self::Past,
            },
        }
    }
}

impl From<Parts> for PartsView {
    fn from(parts: Parts) -> Self {
        let Parts { lexical, semantic, keyword, temporal, emotional, related } = parts;
        Self { lexical, semantic, keyword, temporal, emotional, related }
    }
}
