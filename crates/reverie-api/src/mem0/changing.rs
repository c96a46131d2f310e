//! How is a memory reworded, forgotten, and how does all of it go?

use reverie_core::store::Erase;
use reverie_core::world::WorldPatch;
use reverie_core::{Code, MemoryId, MemoryPatch};
use serde_json::{Value, json};

use super::Asked;
use super::adding::{keep, metadata};
use super::reading::{Tagged, Wanted, all, one};
use super::refusal::{Refusal, Refused};
use super::scope::Scope;
use super::tags::{self, Tags};

/// So many are forgotten before it is looked again what is left.
const TOGETHER: usize = 500;

pub(super) fn update(asked: &Asked<'_>) -> Refused<Value> {
    let fields = asked.object()?;
    let text = ["text", "data", "memory", "content"].iter().find_map(|name| fields.get(*name));
    let text = match text {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) if !text.trim().is_empty() => Some(text.clone()),
        Some(_) => return Err(Refusal::field("string_type", &["text"], "Input should be a valid string")),
    };
    let (metadata, expires) = (metadata(&fields)?, tags::expiration(&fields)?);
    if text.is_none() && metadata.is_none() && expires.is_none() {
        return Err(Refusal::missing(&["text"]));
    }
    let Tagged { held, mut tags, .. } = one(asked)?;
    if metadata.is_some() {
        tags.metadata = metadata;
    }
    if let Some(expires) = expires {
        tags.expiration_date = expires;
    }
    let patch = MemoryPatch { text: text.map(Some), ..MemoryPatch::default() };
    change(asked, held.memory.id, tags, patch)?;
    Ok(json!({"message": "Memory updated successfully!"}))
}

pub(super) fn delete(asked: &Asked<'_>) -> Refused<Value> {
    let Tagged { held, tags, .. } = one(asked)?;
    let patch = MemoryPatch { forgotten: Some(true), ..MemoryPatch::default() };
    change(asked, held.memory.id, tags, patch)?;
    Ok(json!({"message": "Memory deleted successfully"}))
}

/// For all who have it; and when that was.
fn change(asked: &Asked<'_>, memory: MemoryId, mut tags: Tags, patch: MemoryPatch) -> Refused<()> {
    let (engine, world) = (asked.api.engine(), asked.world);
    if patch != MemoryPatch::default() {
        engine.change_memory(world, memory, None, patch)?;
        let history = engine.memory_history(world, memory, None)?;
        let newest =
            history.iter().filter_map(|past| past.states.last()).map(|(revision, _)| *revision).max();
        tags.changed.extend(newest.map(|revision| (revision, engine.now_ms())));
    }
    Ok(keep(engine, world, memory, &tags)?)
}

/// With the words that they were made of: nothing is derived from them any more.
pub(super) fn delete_all(asked: &Asked<'_>) -> Refused<Value> {
    let (engine, world) = (asked.api.engine(), asked.world);
    let wanted = Wanted { scope: Scope::of_query(asked), filters: None, show_expired: true };
    if wanted.scope.is_empty() {
        return Err(Refusal::new(400, "At least one identifier is required."));
    }
    loop {
        let found = all(engine, world, &wanted, TOGETHER)?;
        for Tagged { held, tags, .. } in &found {
            let lines = !held.memory.sources.is_empty();
            let patch = MemoryPatch { forgotten: Some(true), lines, ..MemoryPatch::default() };
            change(asked, held.memory.id, tags.clone(), patch)?;
        }
        if found.is_empty() {
            return Ok(json!({"message": "All relevant memories deleted"}));
        }
    }
}

/// The world goes for good, with everything that was said in it; what was set about it stays.
pub(super) fn reset(asked: &Asked<'_>) -> Refused<Value> {
    let (engine, world) = (asked.api.engine(), asked.world);
    match engine.world(world) {
        Err(error) if error.code() == Code::NotFound => {}
        Err(error) => return Err(error.into()),
        Ok(before) => {
            engine.erase(world, &Erase::World)?;
            let patch = WorldPatch { preset: Some(before.preset), settings: before.settings };
            engine.put_world(world, patch)?;
        }
    }
    Ok(json!({"message": "All memories reset"}))
}
