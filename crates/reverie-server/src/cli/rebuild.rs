//! `reverie rebuild`: everything that was derived from lines is derived anew, beside a running server or without one.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use reverie_api::wire::{DigestView, RebuildView};
use reverie_core::{CheckpointId, Engine, Result, WorldId};
use serde_json::json;

use super::digest::{digest, failure};
use super::export::check_world;
use crate::data;
use crate::output::{Failure, Output};
use crate::progress::Progress;
use crate::settings::Settings;

#[derive(Debug, clap::Args)]
pub(super) struct Options {
    world: String,
    /// The name of the checkpoint that is set before; restoring it takes the rebuild back. Default: before-rebuild-REVISION.
    #[arg(long, value_name = "ID")]
    checkpoint: Option<String>,
}

/// Counting takes a moment, too.
const COUNT_EVERY: Duration = Duration::from_millis(500);

pub(super) fn run(output: Output, settings: &Settings, options: &Options) -> Result<(), Failure> {
    let (_, api) = data::open_to_change(settings)?;
    let engine = api.engine();
    let world = WorldId::new(&options.world)?;
    check_world(engine, &world)?;
    let checkpoint = options.checkpoint.as_deref().map(CheckpointId::new).transpose()?;
    let begun = RebuildView::from(engine.rebuild(&world, checkpoint)?);
    output.note(&format!(
        "the checkpoint {} takes this back. If it breaks off, `reverie digest {world}` goes on, and so does a server",
        begun.checkpoint
    ));
    let progress = RefCell::new(Counted::new(output, engine, &world)?);
    let done = digest(engine, Some(&world), false, &|| {
        progress.borrow_mut().look();
        true
    })?;
    drop(progress);
    let waiting = engine.waiting(Some(&world))?;
    let mut text = format!(
        "{} rounds are remembered anew in {} memories, {} of them summaries; {waiting} conversations wait\n\
         checkpoint {}: restoring it takes the rebuild back",
        begun.rounds, done.memories, done.summaries, begun.checkpoint
    );
    for (world, error) in &done.failed {
        text.push_str(&format!("\nfailed: {world}: {error}"));
    }
    let failure = failure(&done);
    let mut answer =
        json!({"rebuild": begun, "digest": DigestView::from(done), "waiting_conversations": waiting});
    if let (Some(failure), Some(fields)) = (&failure, answer.as_object_mut()) {
        fields.insert("error".to_owned(), crate::output::error_json(failure));
    }
    output.answer(&text, &answer);
    match failure {
        None => Ok(()),
        Some(failure) => Err(Failure::from(failure).already_in_json()),
    }
}

/// How many of the rounds that wait are remembered.
struct Counted<'e> {
    progress: Progress,
    engine: &'e Engine,
    world: &'e WorldId,
    all: u64,
    looked: Instant,
}

impl<'e> Counted<'e> {
    fn new(output: Output, engine: &'e Engine, world: &'e WorldId) -> Result<Self> {
        let all = engine.counts(world)?.closed_rounds;
        Ok(Self { progress: Progress::new(output, "rebuilding"), engine, world, all, looked: Instant::now() })
    }

    fn look(&mut self) {
        if self.looked.elapsed() < COUNT_EVERY {
            return;
        }
        self.looked = Instant::now();
        // Whoever cannot count now says nothing.
        if let Ok(counts) = self.engine.counts(self.world) {
            self.progress.at(self.all.saturating_sub(counts.closed_rounds), self.all);
        }
    }
}
