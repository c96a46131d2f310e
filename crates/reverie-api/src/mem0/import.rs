//! How do memories come over that mem0 kept, so that the same again changes nothing?

use reverie_core::fingerprint::text_fingerprint;
use reverie_core::{Code, Engine, Error, MemoryPatch, Result, WorldId};
use serde_json::{Map, Value};

use super::adding::{fact, keep, open, ready, remember_now};
use super::refusal::or_nothing;
use super::scope::Scope;
use super::tags::{self, Tags};
use crate::wire::parse_loose_time;

/// A memory as mem0 tells it: in an answer, an export, or beside a vector.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Record {
    pub id: Option<String>,
    pub text: String,
    pub user_id: Option<String>,
    pub agent_id: Option<String>,
    pub run_id: Option<String>,
    pub actor_id: Option<String>,
    pub role: Option<String>,
    pub metadata: Option<Map<String, Value>>,
    pub created_at: Option<String>,
    pub expiration_date: Option<String>,
}

/// What became of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Brought {
    New,
    /// It says something else than last time.
    Changed,
    Same,
}

/// Fields that are no metadata, wherever they stand.
const OWN: [&str; 14] = [
    "id",
    "memory",
    "data",
    "hash",
    "metadata",
    "score",
    "created_at",
    "updated_at",
    "user_id",
    "agent_id",
    "run_id",
    "actor_id",
    "role",
    "expiration_date",
];
/// What its search adds for itself.
const INNER: [&str; 1] = ["text_lemmatized"];

impl Record {
    /// None: it has no text, or is no memory but what mem0 keeps about names in memories. One whose text is blank is told when it is brought.
    pub fn read(fields: &Map<String, Value>) -> Option<Self> {
        let text = |name: &str| match fields.get(name)? {
            Value::String(text) => Some(text.clone()).filter(|text| !text.trim().is_empty()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        if fields.contains_key("linked_memory_ids") {
            return None;
        }
        let mut metadata = fields.get("metadata").and_then(Value::as_object).cloned().unwrap_or_default();
        let more = fields.iter().filter(|(name, value)| {
            !OWN.contains(&name.as_str()) && !INNER.contains(&name.as_str()) && !value.is_null()
        });
        metadata.extend(more.map(|(name, value)| (name.clone(), value.clone())));
        // An answer and a store have them in different orders.
        metadata.sort_keys();
        Some(Self {
            id: text("id"),
            text: text("memory").or_else(|| text("data")).or_else(|| blank(fields))?,
            user_id: text("user_id"),
            agent_id: text("agent_id"),
            run_id: text("run_id"),
            actor_id: text("actor_id"),
            role: text("role"),
            metadata: Some(metadata).filter(|metadata| !metadata.is_empty()),
            created_at: text("created_at"),
            expiration_date: text("expiration_date"),
        })
    }

    fn tags(&self) -> Tags {
        let scope = Scope {
            user_id: self.user_id.clone(),
            agent_id: self.agent_id.clone(),
            run_id: self.run_id.clone(),
        };
        Tags {
            role: self.role.clone(),
            actor_id: self.actor_id.clone(),
            id: self.id.clone(),
            expiration_date: self.expiration_date.clone(),
            ..Tags::of(&scope, self.metadata.clone())
        }
    }
}

fn blank(fields: &Map<String, Value>) -> Option<String> {
    ["memory", "data"].iter().find_map(|name| fields.get(*name)?.as_str()).map(str::to_owned)
}

/// Brings them all into a world, which is made if it is not there; what each became, in order, or why it did not come. Whoever
/// takes away or changes one here afterwards is not overruled by the same file again.
pub fn bring(engine: &Engine, world: &WorldId, records: &[Record]) -> Result<Vec<Result<Brought>>> {
    ready(engine, world, records.iter().map(|record| record.text.as_str()))?;
    let mut brought = Vec::new();
    for record in records {
        match one(engine, world, record) {
            // The others would fare no better.
            Err(error) if !is_of_the_record(&error) => {
                return Err(error.within(format!("memory {}", brought.len() + 1)));
            }
            became => brought.push(became),
        }
    }
    remember_now(engine, world)?;
    Ok(brought)
}

fn is_of_the_record(error: &Error) -> bool {
    matches!(error.code(), Code::Invalid | Code::Conflict | Code::NotFound)
}

fn one(engine: &Engine, world: &WorldId, record: &Record) -> Result<Brought> {
    let mut tags = record.tags();
    let scope = tags.scope();
    if record.text.trim().is_empty() {
        return Err(Error::invalid("it says nothing").hint("give it words, or take it out of the file"));
    }
    if scope.is_empty() {
        return Err(Error::invalid("it names neither user_id nor agent_id nor run_id")
            .hint("say with --as CHARACTER whose it is"));
    }
    let print = hex(text_fingerprint(&[&record.text, &tags.write()]));
    tags.brought = Some(print.clone());
    // What has no id is known by what it says.
    let key = record.id.clone().unwrap_or_else(|| print.clone());
    let known = tags::named_elsewhere(engine, world, &key)?;
    let there = known.map(|memory| or_nothing(engine.memory(world, memory))).transpose()?.unwrap_or_default();
    if let Some(held) = there.into_iter().next() {
        let memory = held.memory.id;
        let before =
            tags::of_all(engine, world, std::slice::from_ref(&held))?.pop().flatten().unwrap_or_default();
        if before.brought.as_deref() == Some(&print) {
            return Ok(Brought::Same);
        }
        let patch = MemoryPatch { text: Some(Some(record.text.clone())), ..MemoryPatch::default() };
        engine.change_memory(world, memory, None, patch)?;
        tags.changed = before.changed;
        keep(engine, world, memory, &tags)?;
        return Ok(Brought::Changed);
    }
    if scope.run_id.is_some() {
        open(engine, world, &scope)?;
    }
    let created = record.created_at.as_deref().and_then(parse_loose_time);
    let held = fact(engine, world, record.text.clone(), created, Some(format!("mem0:{key}")), &tags)?;
    if let Some(held) = held {
        let of = (tags::of_id(&key), Some(held.memory.id.to_string()));
        engine.put_keepsakes(world, &[of])?;
    }
    Ok(Brought::New)
}

fn hex(bytes: [u8; 16]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
