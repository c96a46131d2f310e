//! Ticks in the words of a calendar, on the wire.

use reverie_core::Dated;
use schemars::JsonSchema;
use serde::Serialize;

/// Ticks in the words of a world's calendar, in the order in which they were asked for.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Dates")]
pub struct DatesView {
    pub dates: Vec<DateView>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Date")]
pub struct DateView {
    pub tick: i64,
    /// As a stamp has it in a prompt, without what stands around it; absent where the world has no calendar, or that does not reach so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The same without hours and what else is shorter than a day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub day: Option<String>,
}

impl From<Vec<Dated>> for DatesView {
    fn from(dated: Vec<Dated>) -> Self {
        let date = |Dated { tick, date, day }| DateView { tick, date, day };
        Self { dates: dated.into_iter().map(date).collect() }
    }
}
