//! Lists, one memory, searches and what a memory was before.

use reverie_core::fingerprint::text_fingerprint;
use reverie_core::memory::{Held, Origin};
use reverie_core::{CharacterId, Engine, MemoriesQuery, Result, WorldId};
use serde_json::{Map, Value, json};

use super::Asked;
use super::filter::admits;
use super::refusal::{Refusal, Refused, or_nothing};
use super::scope::Scope;
use super::tags::{self, Tags};
use crate::wire::format_time;

/// A memory, and what is kept beside it.
pub(super) struct Tagged {
    pub(super) held: Held,
    pub(super) tags: Tags,
    /// How near it is to what was searched for.
    score: Option<f64>,
}

/// What is asked for besides an order.
pub(super) struct Wanted<'w> {
    pub(super) scope: Scope,
    pub(super) filters: Option<&'w Map<String, Value>>,
    pub(super) show_expired: bool,
}

const LISTED: usize = 100;
const FOUND: usize = 20;
const MOST: usize = 1000;
const NOBODY: &str = "At least one identifier is required.";

pub(super) fn list(asked: &Asked<'_>) -> Refused<Value> {
    let wanted = Wanted {
        scope: Scope::of_query(asked),
        filters: None,
        show_expired: asked.parameter("show_expired") == Some("true"),
    };
    if wanted.scope.is_empty() {
        return Err(Refusal::new(400, NOBODY));
    }
    let limit = match asked.parameter("top_k").or_else(|| asked.parameter("limit")) {
        None => LISTED,
        Some(text) => text.parse().ok().filter(|limit| *limit <= MOST).ok_or_else(too_many)?,
    };
    let found = all(asked.api.engine(), asked.world, &wanted, limit)?;
    Ok(json!({"results": found.iter().map(view).collect::<Vec<_>>()}))
}

fn too_many() -> Refusal {
    Refusal::new(422, &format!("top_k is a whole number from 0 to {MOST}"))
}

/// The newest first.
pub(super) fn all(
    engine: &Engine,
    world: &WorldId,
    wanted: &Wanted<'_>,
    most: usize,
) -> Refused<Vec<Tagged>> {
    let mut found: Vec<Tagged> = Vec::new();
    for holder in wanted.scope.searched(engine, world)? {
        let mut query = MemoriesQuery {
            newest_first: true,
            limit: engine.limits().page,
            ..MemoriesQuery::of(holder.clone())
        };
        if or_nothing(engine.character(world, &holder).map(Some))?.is_none() {
            continue;
        }
        loop {
            let page = engine.memories(world, &query)?;
            query.after = page.items.last().map(|last| last.held.memory.id.into());
            let held: Vec<(Held, Option<f64>)> =
                page.items.into_iter().map(|found| (found.held, None)).collect();
            for one in admitted(engine, world, wanted, &holder, held)? {
                if !found.iter().any(|known| known.held.memory.id == one.held.memory.id) {
                    found.push(one);
                }
            }
            if !page.has_more || found.len() >= most {
                break;
            }
        }
    }
    found.sort_by_key(|one| std::cmp::Reverse(one.held.memory.id));
    found.truncate(most);
    Ok(found)
}

/// Those that are of the scope, pass the filters and have not expired.
fn admitted(
    engine: &Engine,
    world: &WorldId,
    wanted: &Wanted<'_>,
    holder: &CharacterId,
    held: Vec<(Held, Option<f64>)>,
) -> Refused<Vec<Tagged>> {
    // Before anything is added there is not even a world in which to look what is kept beside them.
    if held.is_empty() {
        return Ok(Vec::new());
    }
    let (held, scores): (Vec<Held>, Vec<Option<f64>>) = held.into_iter().unzip();
    let tags = tags::of_all(engine, world, &held)?;
    let now = format_time(engine.now_ms()).unwrap_or_default();
    let mut found = Vec::new();
    for ((held, tags), score) in held.into_iter().zip(tags).zip(scores) {
        let Some(tags) = tags.or_else(|| native(&wanted.scope, holder)) else { continue };
        let is_expired =
            tags.expiration_date.as_deref().is_some_and(|day| now.get(..10).is_some_and(|now| day < now));
        if !tags.is_of(&wanted.scope) || (is_expired && !wanted.show_expired) {
            continue;
        }
        let one = Tagged { held, tags, score };
        let passes = wanted.filters.map_or(Ok(true), |filters| admits(filters, &|key| one.field(key)))?;
        if passes {
            found.push(one);
        }
    }
    Ok(found)
}

/// What became a memory in another way is its holder's, whichever of the ids that is; of two of them nobody knows it.
fn native(scope: &Scope, holder: &CharacterId) -> Option<Tags> {
    let own = |id: &Option<String>| id.as_deref() == Some(holder.as_str());
    let is_one = [&scope.user_id, &scope.agent_id, &scope.run_id].into_iter().flatten().count() == 1;
    (is_one && (own(&scope.user_id) || own(&scope.agent_id) || own(&scope.run_id)))
        .then(|| Tags::of(scope, None))
}

pub(super) fn search(asked: &Asked<'_>) -> Refused<Value> {
    let fields = asked.object()?;
    let words = match fields.get("query") {
        Some(Value::String(words)) => words.trim(),
        None | Some(Value::Null) => return Err(Refusal::missing(&["query"])),
        Some(_) => return Err(Refusal::field("string_type", &["query"], "Input should be a valid string")),
    };
    let filters = fields.get("filters").and_then(Value::as_object);
    let scope = Scope::of_fields(&fields)?.or(filters.map(Scope::of_filters).unwrap_or_default());
    if scope.is_empty() {
        return Err(Refusal::new(400, NOBODY));
    }
    let count = fields.get("top_k").or_else(|| fields.get("limit")).filter(|count| !count.is_null());
    let most = match count {
        None => FOUND,
        Some(count) => {
            count.as_u64().and_then(|count| usize::try_from(count).ok()).ok_or_else(too_many)?.min(MOST)
        }
    };
    let threshold = fields.get("threshold").and_then(Value::as_f64).unwrap_or(0.0);
    let show_expired = fields.get("show_expired").and_then(Value::as_bool).unwrap_or_default();
    let wanted = Wanted { scope, filters, show_expired };
    let mut found = found(asked.api.engine(), asked.world, &wanted, words)?;
    found.retain(|one| one.score.unwrap_or_default() >= threshold);
    found.truncate(most);
    Ok(json!({"results": found.iter().map(view).collect::<Vec<_>>()}))
}

/// In the order in which they come to mind.
fn found(engine: &Engine, world: &WorldId, wanted: &Wanted<'_>, words: &str) -> Refused<Vec<Tagged>> {
    let mut found: Vec<Tagged> = Vec::new();
    for holder in wanted.scope.searched(engine, world)? {
        let reminded = or_nothing(engine.reminded(world, &holder, words, MOST))?;
        let held = reminded.into_iter().map(|one| (one.remembered.held, Some(one.score))).collect();
        for one in admitted(engine, world, wanted, &holder, held)? {
            if !found.iter().any(|known| known.held.memory.id == one.held.memory.id) {
                found.push(one);
            }
        }
    }
    found.sort_by(|a, b| b.score.unwrap_or_default().total_cmp(&a.score.unwrap_or_default()));
    Ok(found)
}

pub(super) fn get(asked: &Asked<'_>) -> Refused<Value> {
    Ok(view(&one(asked)?))
}

/// The memory in the path, unless everybody has forgotten it.
pub(super) fn one(asked: &Asked<'_>) -> Refused<Tagged> {
    let (engine, world) = (asked.api.engine(), asked.world);
    let missing = || Refusal::no_memory(asked.memory);
    let memory = tags::named(engine, world, asked.memory)?.ok_or_else(missing)?;
    let held = or_nothing(engine.memory(world, memory))?;
    let held = held.into_iter().find(|held| held.live && !held.state.forgotten).ok_or_else(missing)?;
    Ok(tagged(engine, world, held)?)
}

fn tagged(engine: &Engine, world: &WorldId, held: Held) -> Result<Tagged> {
    let own = tags::of_all(engine, world, std::slice::from_ref(&held))?.pop().flatten();
    let holder = Scope { user_id: Some(held.holder.to_string()), ..Scope::default() };
    Ok(Tagged { tags: own.unwrap_or_else(|| Tags::of(&holder, None)), held, score: None })
}

/// What was done to a memory, the oldest first; also of one that is forgotten.
pub(super) fn history(asked: &Asked<'_>) -> Refused<Value> {
    let (engine, world) = (asked.api.engine(), asked.world);
    let Some(memory) = tags::named(engine, world, asked.memory)? else { return Ok(json!([])) };
    let Some(held) = or_nothing(engine.memory(world, memory))?.into_iter().next() else {
        return Ok(json!([]));
    };
    let holder = held.holder.clone();
    let Tagged { held, tags, .. } = tagged(engine, world, held)?;
    let own = told(&Held {
        state: reverie_core::memory::State { text: None, ..held.state.clone() },
        ..held.clone()
    });
    let mut events = Vec::new();
    let mut before: Option<(String, bool)> = None;
    for past in engine.memory_history(world, memory, Some(&holder))? {
        for (revision, state) in past.states {
            let Some(state) = state else { continue };
            let (text, is_deleted) = (state.text.clone().unwrap_or_else(|| own.clone()), state.forgotten);
            let event = match &before {
                None => Some(("ADD", None, Some(text.clone()))),
                Some((old, false)) if is_deleted => Some(("DELETE", Some(old.clone()), None)),
                Some((_, true)) if !is_deleted => Some(("ADD", None, Some(text.clone()))),
                Some((old, _)) if *old != text => Some(("UPDATE", Some(old.clone()), Some(text.clone()))),
                Some(_) => None,
            };
            if let Some((event, old, new)) = event {
                let at = tags.changed.get(&revision).copied().unwrap_or(held.memory.wall_ms);
                events.push(json!({
                    "id": format!("{memory}-{revision}"), "memory_id": tags.id_of(memory),
                    "old_memory": old, "new_memory": new, "event": event,
                    "created_at": format_time(held.memory.wall_ms), "updated_at": format_time(at),
                    "is_deleted": is_deleted, "actor_id": tags.actor_id, "role": tags.role,
                }));
            }
            before = Some((text, is_deleted));
        }
    }
    Ok(Value::Array(events))
}

/// What a memory says; of an exchange what was said, without who was there.
pub(super) fn told(held: &Held) -> String {
    let text = held.text();
    let is_plain = held.memory.origin != Origin::Round || held.state.text.is_some();
    match text.split_once('\n') {
        Some((first, said)) if !is_plain && first.starts_with('[') && first.ends_with(']') => said.to_owned(),
        _ => text.to_owned(),
    }
}

impl Tagged {
    /// What filters compare.
    fn field(&self, key: &str) -> Option<Value> {
        let metadata = self.tags.metadata.as_ref().and_then(|metadata| metadata.get(key));
        metadata.cloned().or_else(|| view(self).get(key).filter(|value| !value.is_null()).cloned())
    }
}

/// In the original's names, and its order.
fn view(one: &Tagged) -> Value {
    let Tagged { held, tags, score } = one;
    let text = told(held);
    let hash: String = text_fingerprint(&[&text]).iter().map(|byte| format!("{byte:02x}")).collect();
    let updated = tags.updated_ms().unwrap_or(held.memory.wall_ms);
    let mut view = Map::new();
    let mut put = |name: &str, value: Value| {
        view.insert(name.to_owned(), value);
    };
    put("id", tags.id_of(held.memory.id).into());
    put("memory", text.into());
    put("hash", hash.into());
    put("metadata", tags.metadata.clone().map_or(Value::Null, Value::Object));
    if let Some(score) = score {
        put("score", json!(score));
    }
    put("created_at", format_time(held.memory.wall_ms).into());
    put("updated_at", format_time(updated).into());
    let more = [
        ("user_id", &tags.user_id),
        ("agent_id", &tags.agent_id),
        ("run_id", &tags.run_id),
        ("actor_id", &tags.actor_id),
        ("role", &tags.role),
        ("expiration_date", &tags.expiration_date),
    ];
    for (name, value) in more {
        if let Some(value) = value {
            put(name, value.clone().into());
        }
    }
    Value::Object(view)
}
