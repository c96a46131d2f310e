//! What is kept beside lines and memories because it means something only in this shape?

use std::collections::{BTreeMap, HashMap};

use reverie_core::keepsake::KeptFor;
use reverie_core::memory::Held;
use reverie_core::{Engine, LineId, MemoryId, Result, WorldId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::refusal::{Refusal, Refused, or_nothing};
use super::scope::Scope;

/// Of what was added, or of a memory.
///
/// When somebody is deleted for good, what names them goes. So no name of a field here is a word that somebody may be called, and
/// neither is a role.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Tags {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) user_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) agent_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) run_id: Option<String>,
    #[serde(rename = "said_as", with = "roles", skip_serializing_if = "Option::is_none")]
    pub(super) role: Option<String>,
    /// Who said it, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) actor_id: Option<String>,
    #[serde(rename = "meta_data", skip_serializing_if = "Option::is_none")]
    pub(super) metadata: Option<Map<String, Value>>,
    /// The last day on which it counts: `2026-12-31`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) expiration_date: Option<String>,
    /// The id that it had elsewhere.
    #[serde(rename = "old_id", skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<String>,
    /// A print of what an import brought last.
    #[serde(rename = "brought_print", skip_serializing_if = "Option::is_none")]
    pub(super) brought: Option<String>,
    /// When it was changed, by the revision of the world that this made.
    #[serde(rename = "changed_at", skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) changed: BTreeMap<u64, i64>,
}

/// Under this name, so that readers of other formats find nothing of theirs beside a line.
const NAME: &str = "mem0_tags";
/// Beside a memory stands no text of its own; these are files of the world, one for each.
const OF_MEMORY: &str = "mem0/memory/";
const OF_ID: &str = "mem0/id/";

impl Tags {
    pub(super) fn of(scope: &Scope, metadata: Option<Map<String, Value>>) -> Self {
        let Scope { user_id, agent_id, run_id } = scope.clone();
        Self { user_id, agent_id, run_id, metadata, ..Self::default() }
    }

    pub(super) fn scope(&self) -> Scope {
        Scope { user_id: self.user_id.clone(), agent_id: self.agent_id.clone(), run_id: self.run_id.clone() }
    }

    pub(super) fn write(&self) -> String {
        // Texts and numbers alone: it cannot fail.
        let own = serde_json::to_value(self).unwrap_or_default();
        Value::Object(Map::from_iter([(NAME.to_owned(), own)])).to_string()
    }

    fn read(text: &str) -> Option<Self> {
        let mut kept: Map<String, Value> = serde_json::from_str(text).ok()?;
        serde_json::from_value(kept.remove(NAME)?).ok()
    }

    /// Whether all of these ids are its.
    pub(super) fn is_of(&self, scope: &Scope) -> bool {
        let is = |asked: &Option<String>, own: &Option<String>| asked.is_none() || asked == own;
        is(&scope.user_id, &self.user_id)
            && is(&scope.agent_id, &self.agent_id)
            && is(&scope.run_id, &self.run_id)
    }

    /// By which clients know it.
    pub(super) fn id_of(&self, memory: MemoryId) -> String {
        self.id.clone().unwrap_or_else(|| memory.to_string())
    }

    /// When it was last changed, as far as that was done in this shape.
    pub(super) fn updated_ms(&self) -> Option<i64> {
        self.changed.last_key_value().map(|(_, at)| *at)
    }
}

/// `user` and `assistant` are what people are called here, too.
mod roles {
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    const KNOWN: [(&str, &str); 2] = [("user", "user_role"), ("assistant", "assistant_role")];

    pub(super) fn serialize<S: Serializer>(role: &Option<String>, to: S) -> Result<S::Ok, S::Error> {
        let written = |role: &String| {
            let known = KNOWN.iter().find(|(plain, _)| plain == role);
            known.map_or_else(|| role.clone(), |(_, written)| (*written).to_owned())
        };
        role.as_ref().map(written).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
        let plain = |role: String| {
            let known = KNOWN.iter().find(|(_, written)| *written == role);
            known.map_or(role, |(plain, _)| (*plain).to_owned())
        };
        Ok(Option::<String>::deserialize(from)?.map(plain))
    }
}

/// What a body says of the day until which something counts: None if nothing.
pub(super) fn expiration(fields: &Map<String, Value>) -> Refused<Option<Option<String>>> {
    let is_day = |text: &str| {
        let shape =
            |(at, byte): (usize, u8)| if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() };
        text.len() == 10 && text.bytes().enumerate().all(shape)
    };
    match fields.get("expiration_date") {
        None => Ok(None),
        Some(Value::Null) => Ok(Some(None)),
        Some(Value::String(day)) if is_day(day) => Ok(Some(Some(day.clone()))),
        Some(_) => {
            let message = "Input should be a date in the form YYYY-MM-DD";
            Err(Refusal::field("date_from_datetime_parsing", &["expiration_date"], message))
        }
    }
}

/// Where they stand for a memory.
pub(super) fn of_memory(memory: MemoryId) -> KeptFor {
    KeptFor::File(format!("{OF_MEMORY}{memory}"))
}

/// Where it stands which memory had an id elsewhere.
pub(super) fn of_id(id: &str) -> KeptFor {
    KeptFor::File(format!("{OF_ID}{id}"))
}

/// The memory that is meant by an id: its own, or the one that it had elsewhere.
pub(super) fn named(engine: &Engine, world: &WorldId, id: &str) -> Result<Option<MemoryId>> {
    match MemoryId::parse(id) {
        Ok(memory) => Ok(Some(memory)),
        Err(_) => named_elsewhere(engine, world, id),
    }
}

/// The memory that had this id elsewhere.
pub(super) fn named_elsewhere(engine: &Engine, world: &WorldId, id: &str) -> Result<Option<MemoryId>> {
    let found = or_nothing(engine.kept(world, &[of_id(id)]))?.pop();
    Ok(found.and_then(|kept| MemoryId::parse(&kept.text).ok()))
}

/// Of each its own, else those of the lines that it was made of, else none: then it was made in another way than this shape's.
pub(super) fn of_all(engine: &Engine, world: &WorldId, held: &[Held]) -> Result<Vec<Option<Tags>>> {
    let own: Vec<KeptFor> = held.iter().map(|held| of_memory(held.memory.id)).collect();
    let mut known = read(engine, world, &own)?;
    let without = held.iter().zip(&own).filter(|(_, of)| !known.contains_key(of));
    let first = |held: &Held| held.memory.sources.first().map(|source| KeptFor::Line(source.line));
    let lines: Vec<KeptFor> = without.filter_map(|(held, _)| first(held)).collect();
    known.extend(read(engine, world, &lines)?);
    let tags = |held: &Held| {
        if let Some(own) = known.get(&of_memory(held.memory.id)) {
            return Some(own.clone());
        }
        let tags = known.get(&first(held)?)?.clone();
        // Several spoke, and the words are nobody's alone.
        Some(match held.memory.sources.len() {
            1 => tags,
            _ => Tags { role: None, actor_id: None, ..tags },
        })
    };
    Ok(held.iter().map(tags).collect())
}

fn read(engine: &Engine, world: &WorldId, of: &[KeptFor]) -> Result<HashMap<KeptFor, Tags>> {
    let kept = engine.kept(world, of)?;
    Ok(kept.into_iter().filter_map(|kept| Some((kept.of, Tags::read(&kept.text)?))).collect())
}

/// Which lines a text was kept beside, for whoever looks for what became of them.
pub(super) fn is_made_of(held: &Held, lines: &[LineId]) -> bool {
    held.memory.sources.iter().any(|source| lines.contains(&source.line))
}
