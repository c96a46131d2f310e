//! Memories: made by events and by hand, read, changed, forgotten, brought back; and what becomes one.

use std::time::{Duration, Instant};

use reverie_core::memory::{Held, Kind};
use reverie_core::{
    CharacterId, CheckpointId, Error, MemoryPatch, Remember, Remembered, Result, Slice, Who, WorldId,
};

use super::remembered::{since, summaries};
use super::{character, memory, world};
use crate::Api;
use crate::request::{Call, Reply};
use crate::wire::{
    DigestBody, DigestView, EventBody, MemoryBody, MemoryHistoryView, MemoryView, PatchMemory, RebuildBody,
    RebuildView, RecordedEventView, SharedMemoryView, StatsView, UndoMemory, WrittenMemoryView, filled,
    into_all, parse_time,
};

const DEFAULT_SLICE_MS: u64 = 100;
const MOST_SLICE_MS: u64 = 10_000;
/// Each of them is read whole.
const DEFAULT_STATS: usize = 20;

pub(super) fn record_event(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let body: EventBody = call.parse()?;
    let event = Remember {
        text: body.text,
        holders: into_all(body.witnesses)?,
        about: body.about.map(into_all).transpose()?,
        kind: Kind::Episodic,
        importance: body.importance,
        keywords: body.keywords,
        topics: body.topics,
        emotions: emotions(body.emotion, body.emotions),
        tick: body.tick,
        wall_ms: body.time.as_deref().map(parse_time).transpose()?,
        pinned: false,
        shareable: false,
        key: filled(body.key),
    };
    let world = world(call)?;
    let made = api.engine.event(&world, event)?;
    call.note_replaced(made.replaced);
    let degraded = made.degraded.into_iter().map(Into::into).collect();
    Reply::made(made.created, &RecordedEventView { memory: shared(api, &world, made.held)?, degraded })
}

/// All that were felt, each once.
fn emotions(one: Option<String>, mut all: Vec<String>) -> Vec<String> {
    if let Some(one) = filled(one).filter(|one| !all.contains(one)) {
        all.insert(0, one);
    }
    all
}

pub(super) fn create(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let body: MemoryBody = call.parse()?;
    let (world, holder) = (world(call)?, character(call)?);
    let remember = Remember {
        text: body.text,
        holders: vec![Who::Id(holder.clone())],
        about: body.about.map(into_all).transpose()?,
        kind: body.kind.as_deref().map_or(Ok(Kind::Episodic), Kind::from_name)?,
        importance: body.importance,
        keywords: body.keywords,
        topics: body.topics,
        emotions: emotions(body.emotion, body.emotions),
        tick: body.tick,
        wall_ms: body.time.as_deref().map(parse_time).transpose()?,
        pinned: body.pinned,
        shareable: body.shareable,
        key: filled(body.key),
    };
    let made = api.engine.remember(&world, remember)?;
    call.note_replaced(made.replaced);
    let degraded = made.degraded.into_iter().map(Into::into).collect();
    let memory = of_holder(api, &world, &holder, made.held)?;
    Reply::made(made.created, &WrittenMemoryView { memory, degraded })
}

pub(super) fn get(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let world = world(call)?;
    let held = api.engine.memory(&world, memory(call)?)?;
    Reply::ok(&shared(api, &world, held)?)
}

pub(super) fn edit(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let body: PatchMemory = call.parse()?;
    let patch = MemoryPatch {
        text: body.text,
        importance: body.importance,
        pinned: body.pinned,
        shareable: body.shareable,
        forgotten: body.forgotten,
        lines: body.lines,
    };
    if patch == MemoryPatch::default() {
        return Err(
            Error::invalid("nothing to change").hint("send text, importance, pinned, shareable or forgotten")
        );
    }
    let world = world(call)?;
    let holder = filled(body.holder).as_deref().map(CharacterId::new).transpose()?;
    let changed = api.engine.change_memory(&world, memory(call)?, holder.as_ref(), patch)?;
    call.note_replaced(changed.replaced);
    Reply::ok(&shared(api, &world, changed.value)?)
}

pub(super) fn forget(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let holder = call.query.one("holder")?.map(CharacterId::new).transpose()?;
    let lines = call.query.flag("lines")?;
    let patch = MemoryPatch { forgotten: Some(true), lines, ..MemoryPatch::default() };
    api.engine.change_memory(&world(call)?, memory(call)?, holder.as_ref(), patch)?;
    Ok(Reply::Empty)
}

pub(super) fn undo(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let body: UndoMemory = call.parse()?;
    let world = world(call)?;
    let holder = filled(body.holder).as_deref().map(CharacterId::new).transpose()?;
    let held = api.engine.undo_memory(&world, memory(call)?, holder.as_ref(), body.revision)?;
    Reply::ok(&shared(api, &world, held)?)
}

pub(super) fn history(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let holder = call.query.one("holder")?.map(CharacterId::new).transpose()?;
    let history = api.engine.memory_history(&world(call)?, memory(call)?, holder.as_ref())?;
    Reply::ok(&MemoryHistoryView::from(history))
}

pub(super) fn digest(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let body: DigestBody = call.parse()?;
    let slice_ms = body.slice_ms.unwrap_or(DEFAULT_SLICE_MS);
    if !(1..=MOST_SLICE_MS).contains(&slice_ms) {
        return Err(Error::invalid(format!("slice_ms cannot be {slice_ms}")).hint(format!(
            "use a whole number from 1 to {MOST_SLICE_MS}, and ask again while `more` is true"
        )));
    }
    let world = world(call)?;
    // Of a world that is not there, nothing would be done without a word.
    api.engine.world(&world)?;
    let (began, patience) = (Instant::now(), Duration::from_millis(slice_ms));
    let go_on = || began.elapsed() < patience;
    let slice = Slice { world: Some(world), now: body.now, go_on: &go_on };
    Reply::ok(&DigestView::from(api.engine.digest(&slice)?).without(api.degraded()))
}

pub(super) fn rebuild(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let body: RebuildBody = call.parse()?;
    let checkpoint = filled(body.checkpoint).as_deref().map(CheckpointId::new).transpose()?;
    Reply::ok(&RebuildView::from(api.engine.rebuild(&world(call)?, checkpoint)?))
}

pub(super) fn stats(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let limit = call.query.number("limit", DEFAULT_STATS, api.engine.limits().page)?;
    let stats = api.engine.stats(&world(call)?, call.query.one("cursor")?, limit)?;
    Reply::ok(&StatsView::from(stats).without(api.degraded()))
}

fn shared(api: &Api, world: &WorldId, held: Vec<Held>) -> Result<SharedMemoryView> {
    let begun = api.engine.begun(world, &summaries(held.iter().map(|held| &held.memory)))?;
    let mut view = with_all(api.engine.with_standings(world, held)?)?;
    view.facts.since = since(&begun, &view.facts.id);
    Ok(view)
}

/// A memory and all who have it.
pub(super) fn with_all(remembered: Vec<Remembered>) -> Result<SharedMemoryView> {
    SharedMemoryView::of(remembered).ok_or_else(nobodys)
}

fn of_holder(api: &Api, world: &WorldId, holder: &CharacterId, held: Vec<Held>) -> Result<MemoryView> {
    let mut remembered = api.engine.with_standings(world, held)?;
    remembered.retain(|remembered| remembered.held.holder == *holder);
    remembered.pop().map(MemoryView::from).ok_or_else(nobodys)
}

fn nobodys() -> Error {
    Error::not_found("nobody has this memory any more")
}
