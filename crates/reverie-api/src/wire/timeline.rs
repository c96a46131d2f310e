//! Memories over time, on the wire.

use std::collections::BTreeMap;

use reverie_core::{Stretch, TimeAxis, Timeline};
use schemars::JsonSchema;
use serde::Serialize;

use super::TimelineBy;
use super::time::format_time;

/// How many memories there are in each stretch of time.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Timeline")]
pub struct TimelineView {
    pub by: TimelineBy,
    /// Where the first bucket begins; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<TimelineMoment>,
    /// Where the last one ends: the first moment behind it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<TimelineMoment>,
    /// Of equal length (the last may be shorter), the earliest first, without a gap: empty ones are among them. There are fewer than
    /// asked for where time is too short to be divided so often.
    pub buckets: Vec<TimelineBucket>,
    /// All that were counted.
    pub memories: usize,
    /// Those of them that have no tick, in a timeline by ticks: they are in no bucket.
    pub undated: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct TimelineBucket {
    /// Its first moment, and the first one behind its last: `from` and `to`, or `from_tick` and `to_tick`, of a list.
    pub from: TimelineMoment,
    pub to: TimelineMoment,
    pub memories: usize,
    pub by_kind: BTreeMap<&'static str, usize>,
}

/// A time (RFC 3339), or a tick.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum TimelineMoment {
    Time(String),
    Tick(i64),
}

impl TimelineMoment {
    fn of(by: TimeAxis, moment: i64) -> Self {
        match by {
            TimeAxis::Tick => Self::Tick(moment),
            // Behind the last moment of the year 9999 there is none that could be written.
            TimeAxis::Time => {
                Self::Time(format_time(moment).or_else(|| format_time(moment - 1)).unwrap_or_default())
            }
        }
    }
}

impl From<Timeline> for TimelineView {
    fn from(timeline: Timeline) -> Self {
        let by = timeline.by;
        let bucket = |stretch: Stretch| TimelineBucket {
            from: TimelineMoment::of(by, stretch.from),
            to: TimelineMoment::of(by, stretch.to),
            memories: stretch.kinds.values().sum(),
            by_kind: stretch.kinds.into_iter().map(|(kind, count)| (kind.as_str(), count)).collect(),
        };
        Self {
            by: by.into(),
            from: timeline.span.map(|(from, _)| TimelineMoment::of(by, from)),
            to: timeline.span.map(|(_, to)| TimelineMoment::of(by, to)),
            buckets: timeline.stretches.into_iter().map(bucket).collect(),
            memories: timeline.memories,
            undated: timeline.undated,
        }
    }
}
