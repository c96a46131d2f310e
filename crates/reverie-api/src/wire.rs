//! What travels: the types of the wire, version 1. It only grows.

mod backup;
mod book;
mod connection;
mod cue;
mod dates;
mod error;
pub(crate) mod facts;
mod group;
mod health;
mod imported;
mod job;
mod line;
mod lore;
mod map;
mod memory;
mod model;
mod names;
mod recall;
mod recalled;
mod round;
mod schemas;
mod setting;
mod settings;
mod sharing;
mod stats;
mod suggestion;
mod time;
mod timeline;
mod verdict;
mod who;
mod why;
mod working;
mod world;

pub use backup::*;
pub use book::*;
pub use connection::*;
pub use cue::*;
pub use dates::*;
pub use error::*;
pub use group::*;
pub use health::*;
pub use imported::*;
pub use job::*;
pub use line::*;
pub use lore::*;
pub use map::*;
pub use memory::*;
pub use model::*;
pub use names::*;
pub use recall::*;
pub use recalled::*;
pub use round::*;
pub use setting::*;
pub use settings::*;
pub use sharing::*;
pub use stats::*;
pub use suggestion::*;
pub use time::*;
pub use timeline::*;
pub use verdict::*;
pub use who::*;
pub use why::*;
pub use working::*;
pub use world::*;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

/// One page of a list.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "{T}Page")]
pub struct Page<T> {
    pub items: Vec<T>,
    /// Hand it back as `cursor` for the next page; absent on the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// Tells an absent field (None) from one that is null (Some(None)).
pub(crate) fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(from).map(Some)
}

/// The same for a line's id, which may be a number.
pub(crate) fn present_id<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Option<String>>, D::Error> {
    who::text_or_number(from).map(Some)
}
