//! `reverie digest`: what was said becomes memories now, beside a running server or without one.

use std::cell::RefCell;

use reverie_api::wire::DigestView;
use reverie_core::{Code, Digested, Engine, Error, Result, Slice, WorldId};
use serde_json::json;

use super::export::check_world;
use crate::data;
use crate::output::{Failure, Output};
use crate::progress::Progress;
use crate::settings::Settings;

#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// Only this world.
    world: Option<String>,
    /// What was said last is a round that is over, however short the silence.
    #[arg(long)]
    now: bool,
}

/// How often it goes on when others change what it reads.
const TRIES: usize = 20;

pub(super) fn run(output: Output, settings: &Settings, options: &Options) -> Result<(), Failure> {
    let (_, api) = data::open_to_change(settings)?;
    let engine = api.engine();
    let world = options.world.as_deref().map(WorldId::new).transpose()?;
    if let Some(world) = &world {
        check_world(engine, world)?;
    }
    let all = engine.waiting(world.as_ref())? as u64;
    let progress = RefCell::new((Progress::new(output, "digesting"), 0));
    let go_on = || {
        let (progress, steps) = &mut *progress.borrow_mut();
        *steps += 1;
        // A step takes some conversations; what it takes to sum up days is not known before.
        progress.at(*steps, all.max(*steps + 1));
        true
    };
    let done = digest(engine, world.as_ref(), options.now, &go_on)?;
    let waiting = engine.waiting(world.as_ref())?;
    let mut text = format!(
        "made {} memories, {} of them summaries, in {} conversations; {waiting} conversations wait",
        done.memories, done.summaries, done.conversations
    );
    for (world, error) in &done.failed {
        text.push_str(&format!("\nfailed: {world}: {error}"));
    }
    let failure = failure(&done);
    let mut answer = serde_json::to_value(DigestView::from(done)).unwrap_or_default();
    if let Some(fields) = answer.as_object_mut() {
        fields.insert("waiting_conversations".to_owned(), json!(waiting));
    }
    if let (Some(failure), Some(fields)) = (&failure, answer.as_object_mut()) {
        fields.insert("error".to_owned(), crate::output::error_json(failure));
    }
    drop(progress);
    output.answer(&text, &answer);
    match failure {
        None => Ok(()),
        Some(failure) => Err(Failure::from(failure).already_in_json()),
    }
}

/// Until nothing is left to do.
pub(super) fn digest(
    engine: &Engine,
    world: Option<&WorldId>,
    now: bool,
    go_on: &dyn Fn() -> bool,
) -> Result<Digested> {
    let mut sum = Digested::default();
    let mut idle = 0;
    while idle < TRIES {
        let done = engine.digest(&Slice { world: world.cloned(), now, go_on })?;
        sum.conversations += done.conversations;
        sum.memories += done.memories;
        sum.summaries += done.summaries;
        sum.more = done.more;
        sum.look_again_ms = done.look_again_ms;
        sum.failed = done.failed;
        let did_nothing = done.conversations == 0 && done.memories == 0;
        if !done.more || (did_nothing && !sum.failed.is_empty()) {
            break;
        }
        idle += usize::from(did_nothing);
    }
    Ok(sum)
}

/// What was not done, if anything.
pub(super) fn failure(done: &Digested) -> Option<Error> {
    (!done.failed.is_empty()).then(|| {
        Error::new(Code::Unavailable, "not everything could be remembered")
            .hint("see what failed above; the rest is done, and another try changes nothing of it")
    })
}
