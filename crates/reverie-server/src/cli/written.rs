//! What is remembered that no line says: how is it told on the command line, and how is that answered?

use reverie_api::wire::{DegradedView, RecordedEventView, SharedMemoryView, parse_time};
use reverie_core::memory::Kind;
use reverie_core::{CharacterId, Engine, Error, Noted, Remember, Result, Who, WorldId};
use serde_json::Value;

use super::memory::told_memory;
use crate::output::{Failure, Output};

/// What events and memories written by hand have in common.
#[derive(Debug, clap::Args)]
pub(super) struct Told {
    /// Whom it is about; repeat for several. Default: those who have it.
    #[arg(long, value_name = "CHARACTER")]
    about: Vec<String>,
    /// 0 to 1. Default: by rules for an event, 0.7 for a memory.
    #[arg(long, value_name = "WEIGHT")]
    importance: Option<f64>,
    /// By which it is found; repeat for several. Default: those that the text shows.
    #[arg(long, value_name = "WORD")]
    keyword: Vec<String>,
    /// Repeat for several.
    #[arg(long, value_name = "TOPIC")]
    topic: Vec<String>,
    /// Repeat for several.
    #[arg(long, value_name = "EMOTION")]
    emotion: Vec<String>,
    /// Game time. Default: the world's.
    #[arg(long, allow_negative_numbers = true)]
    tick: Option<i64>,
    /// Wall time, RFC 3339. Default: now.
    #[arg(long)]
    time: Option<String>,
    /// The same key again makes nothing new.
    #[arg(long)]
    key: Option<String>,
}

impl Told {
    pub(super) fn remember(self, text: String, holders: &[String], kind: Kind) -> Result<Remember, Failure> {
        let some = |words: Vec<String>| Some(words).filter(|words| !words.is_empty());
        Ok(Remember {
            text,
            holders: people(holders).map_err(Failure::usage)?,
            about: some(self.about).map(|about| people(&about)).transpose().map_err(Failure::usage)?,
            kind,
            importance: self.importance,
            keywords: some(self.keyword),
            topics: self.topic,
            emotions: self.emotion,
            tick: self.tick,
            wall_ms: self.time.as_deref().map(parse_time).transpose().map_err(Failure::usage)?,
            pinned: false,
            shareable: false,
            key: self.key.filter(|key| !key.is_empty()),
        })
    }
}

/// By their ids.
pub(super) fn people(names: &[String]) -> Result<Vec<Who>> {
    names.iter().map(|name| CharacterId::new(name).map(Who::Id)).collect()
}

/// The memory as all have it, and what looks wrong about it.
pub(super) fn answer(output: Output, engine: &Engine, world: &WorldId, noted: Noted) -> Result<(), Failure> {
    let created = noted.created;
    let memory = SharedMemoryView::of(engine.with_standings(world, noted.held)?)
        .ok_or_else(|| Error::not_found("nobody has this memory any more"))?;
    let degraded: Vec<DegradedView> = noted.degraded.into_iter().map(Into::into).collect();
    for warning in &degraded {
        output.note(&format!("note: {} ({})", warning.message, warning.hint));
    }
    if !created {
        output.note("note: it was there already");
    }
    let text = told_memory(&memory);
    let mut json = serde_json::to_value(RecordedEventView { memory, degraded }).unwrap_or_default();
    if let Value::Object(fields) = &mut json {
        fields.insert("created".to_owned(), created.into());
    }
    output.answer(&text, &json);
    Ok(())
}
