//! A character's memory from afar, on the wire.

use std::collections::BTreeMap;

use reverie_core::map::{Cluster, MemoryMap, Point};
use schemars::JsonSchema;
use serde::Serialize;

use super::time::format_time;
use super::{MapBy, MemoryKind, MomentView};

/// What is alike lies together, in a square from -1 to 1 both ways. Numbers but `of_all_times` are of the stretch of time that was asked
/// for; places, circles and words are of all, so that nothing moves when another stretch is asked for.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "MemoryMap")]
pub struct MemoryMapView {
    /// `words` where most memories have no place in a space of meanings.
    pub by: MapBy,
    /// The space of meanings; absent where words decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub space: Option<String>,
    /// How many the character can recall, of the stretch of time that was asked for; summaries of one memory alone, in its own words, are not
    /// on the map.
    pub memories: usize,
    /// The same, whatever stretch of time was asked for.
    pub of_all_times: usize,
    /// How many of them have a place here: what means nothing, or has no vector yet, has none.
    pub placed: usize,
    /// Those with most memories of all times first.
    pub clusters: Vec<MapClusterView>,
    /// Memories one by one: of each cluster those that matter most.
    pub points: Vec<MapPointView>,
}

/// Memories that are alike. No circle covers another.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "MapCluster")]
pub struct MapClusterView {
    /// The memory in its midst; it changes when the memories do.
    pub id: String,
    /// What it is known by from the others, the most telling first.
    pub words: Vec<String>,
    pub x: f64,
    pub y: f64,
    pub radius: f64,
    pub memories: usize,
    /// The mean, 0 to 1.
    pub importance: f64,
    pub by_kind: BTreeMap<&'static str, usize>,
    /// How many have each emotion, by the names that memories give them; the sixteen most frequent.
    pub by_emotion: BTreeMap<String, usize>,
    /// The first moment and the last, by each clock; absent where there are no memories.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<MomentView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<MomentView>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "MapPoint")]
pub struct MapPointView {
    /// Of the memory.
    pub id: String,
    pub x: f64,
    pub y: f64,
    /// In whose circle it lies.
    pub cluster: String,
    pub kind: MemoryKind,
    /// The first that the memory names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emotion: Option<String>,
    pub importance: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tick: Option<i64>,
    /// Of a summary: when the first of what it sums up happened, by either clock; `tick` and `time` are of the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<MomentView>,
    /// How it begins.
    pub text: String,
}

/// Characters of a point's text.
const SHOWN: usize = 80;
/// A longer line in brackets, of very many people, is text like any other.
const MOST_HEADING: usize = 200;
/// Steps from one number to the next: more than any screen has.
const STEPS: f64 = 10_000.0;

impl From<MemoryMap> for MemoryMapView {
    fn from(map: MemoryMap) -> Self {
        Self {
            by: map.by.into(),
            space: map.space,
            memories: map.memories,
            of_all_times: map.of_all_times,
            placed: map.placed,
            clusters: map.clusters.into_iter().map(MapClusterView::from).collect(),
            points: map.points.into_iter().map(MapPointView::from).collect(),
        }
    }
}

impl From<Cluster> for MapClusterView {
    fn from(cluster: Cluster) -> Self {
        let moment = |moment| (cluster.memories > 0).then(|| MomentView::from(moment));
        Self {
            id: cluster.id.to_string(),
            x: rounded(cluster.x),
            y: rounded(cluster.y),
            radius: rounded(cluster.radius),
            memories: cluster.memories,
            importance: rounded(cluster.importance),
            by_kind: cluster.kinds.iter().map(|(kind, count)| (kind.as_str(), *count)).collect(),
            from: moment(cluster.from),
            to: moment(cluster.to),
            words: cluster.words,
            by_emotion: cluster.emotions,
        }
    }
}

impl From<Point> for MapPointView {
    fn from(point: Point) -> Self {
        let held = &point.note.held;
        Self {
            id: held.memory.id.to_string(),
            x: rounded(point.x),
            y: rounded(point.y),
            cluster: point.cluster.to_string(),
            kind: held.memory.kind.into(),
            emotion: held.memory.emotions.first().cloned(),
            importance: rounded(held.importance()),
            time: format_time(held.memory.wall_ms),
            tick: held.memory.tick,
            since: None,
            text: beginning(held.text()),
        }
    }
}

fn rounded(value: f64) -> f64 {
    (value * STEPS).round() / STEPS
}

/// The first words of a text, on one line. Who was there, or what it sums up, stands before them, and takes none of their room.
fn beginning(text: &str) -> String {
    let first = text.split_once('\n').map_or("", |(first, _)| first);
    let is_heading = first.starts_with('[') && first.ends_with(']') && first.chars().count() < MOST_HEADING;
    let room = SHOWN + if is_heading { first.chars().count() } else { 0 };
    let mut shown: String = text.chars().take(room).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(room).is_some() {
        shown.push('…');
    }
    shown
}
