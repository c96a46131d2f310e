//! `POST /memories`: how do messages become memories?
//!
//! With `infer`, as by default, they are an exchange that is over: recorded word by word, remembered at once by rules, and asked
//! about by and by where a chat model is configured. Without it each message is a memory as it stands.

use std::time::{Duration, Instant};

use reverie_core::character::{CharacterKind, CharacterPatch};
use reverie_core::conversation::OpenConversation;
use reverie_core::line::NewLine;
use reverie_core::memory::{Held, Kind};
use reverie_core::round::{CloseRound, Ending};
use reverie_core::{
    Attribute, CharacterId, Code, Engine, LineId, MemoriesQuery, MemoryId, Record, Remember, Result, Slice,
    Who, WorldId,
};
use serde_json::{Map, Value, json};

use super::Asked;
use super::reading::told;
use super::refusal::{Refusal, Refused};
use super::scope::Scope;
use super::tags::{self, Tags};

/// One message, in the original's words.
struct Message {
    role: String,
    name: Option<String>,
    content: String,
}

/// Who speaks where no id names anybody: heard by those who are there, and remembering nothing themselves.
const VOICES: [(&str, &str, Attribute); 2] =
    [("mem0:user", "user", Attribute::User), ("mem0:assistant", "assistant", Attribute::Assistant)];
/// So long it may take until what was said is remembered; the rest follows by itself.
const PATIENCE: Duration = Duration::from_secs(1);
/// What one exchange becomes is among the newest so many.
const NEWEST: usize = 50;

pub(super) fn add(asked: &Asked<'_>) -> Refused<Value> {
    let fields = asked.object()?;
    let filters = fields.get("filters").and_then(Value::as_object);
    let scope = Scope::of_fields(&fields)?.or(filters.map(Scope::of_filters).unwrap_or_default());
    let messages = messages(fields.get("messages"))?;
    if scope.is_empty() {
        let detail = "At least one identifier (user_id, agent_id, run_id) is required.";
        return Err(Refusal::new(400, detail));
    }
    let tags = Tags {
        expiration_date: tags::expiration(&fields)?.flatten(),
        ..Tags::of(&scope, metadata(&fields)?)
    };
    let infer = match fields.get("infer") {
        None | Some(Value::Null) => true,
        Some(Value::Bool(infer)) => *infer,
        Some(_) => return Err(Refusal::field("bool_type", &["infer"], "Input should be a valid boolean")),
    };
    let (engine, world) = (asked.api.engine(), asked.world);
    // What is said is said by users and assistants; as it stands, all but prompts is kept.
    let is_kept = |role: &str| if infer { is_spoken(role) } else { role != "system" };
    let spoken: Vec<Message> = messages
        .into_iter()
        .filter(|message| is_kept(&message.role) && !message.content.trim().is_empty())
        .collect();
    if spoken.is_empty() {
        return Ok(json!({"results": []}));
    }
    ready(engine, world, spoken.iter().map(|message| message.content.as_str()))?;
    let results = match infer {
        true => say(engine, world, &scope, &tags, spoken)?,
        false => write_down(engine, world, &scope, &tags, spoken)?,
    };
    Ok(json!({ "results": results }))
}

/// The world is there once something is added, which tells its language.
pub(super) fn ready<'t>(
    engine: &Engine,
    world: &WorldId,
    added: impl IntoIterator<Item = &'t str>,
) -> Result<()> {
    engine.make_world(world, Default::default(), added, []).map(|_| ())
}

pub(super) fn metadata(fields: &Map<String, Value>) -> Refused<Option<Map<String, Value>>> {
    match fields.get("metadata") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Object(metadata)) => Ok(Some(metadata.clone())),
        Some(_) => Err(Refusal::field("dict_type", &["metadata"], "Input should be a valid dictionary")),
    }
}

fn messages(value: Option<&Value>) -> Refused<Vec<Message>> {
    match value {
        None | Some(Value::Null) => Err(Refusal::missing(&["messages"])),
        Some(Value::String(text)) => {
            Ok(vec![Message { role: "user".to_owned(), name: None, content: text.clone() }])
        }
        Some(Value::Array(all)) => all.iter().enumerate().map(|(at, one)| message(at, one)).collect(),
        Some(_) => Err(Refusal::field("list_type", &["messages"], "Input should be a valid list")),
    }
}

fn message(at: usize, value: &Value) -> Refused<Message> {
    let at = at.to_string();
    let text = |name: &str| match value.get(name) {
        Some(Value::String(text)) => Ok(text.clone()),
        // Of pictures and other parts nothing is kept but what is said with them.
        Some(Value::Array(parts)) if name == "content" => {
            let texts = parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str));
            Ok(texts.collect::<Vec<_>>().join("\n"))
        }
        None | Some(Value::Null) => Err(Refusal::missing(&["messages", &at, name])),
        Some(_) => {
            Err(Refusal::field("string_type", &["messages", &at, name], "Input should be a valid string"))
        }
    };
    let name = value.get("name").and_then(Value::as_str).filter(|name| !name.is_empty());
    Ok(Message { role: text("role")?, name: name.map(str::to_owned), content: text("content")? })
}

/// Records an exchange that is over, and tells what it has become by now.
fn say(
    engine: &Engine,
    world: &WorldId,
    scope: &Scope,
    tags: &Tags,
    spoken: Vec<Message>,
) -> Result<Vec<Value>> {
    let conversation = open(engine, world, scope)?;
    let speakers = Speakers::of(engine, world, scope, &spoken)?;
    let round = engine.open_round(world, &conversation, Some(scope.people()?))?.value.id;
    let mut record = Record::default();
    for (at, message) in spoken.into_iter().enumerate() {
        let tags = Tags { role: Some(message.role.clone()), actor_id: message.name.clone(), ..tags.clone() };
        record.keepsakes.push((at, tags.write()));
        let (attribute, speaker) = speakers.of_role(&message.role);
        let mut line = NewLine::new(attribute, Some(speaker), message.content);
        line.display_name = message.name;
        line.round = Some(round);
        record.lines.push(line);
    }
    let recorded = engine.record(world, &conversation, record)?;
    let lines: Vec<LineId> = recorded.appended.lines.iter().map(|line| line.id).collect();
    engine.close_round(world, round, CloseRound { ending: Ending::Complete, shown_through: None })?;
    remember_now(engine, world)?;
    let Some(holder) = scope.holders()?.into_iter().next() else { return Ok(Vec::new()) };
    let query = MemoriesQuery {
        newest_first: true,
        limit: NEWEST.min(engine.limits().page),
        ..MemoriesQuery::of(holder)
    };
    let newest = engine.memories(world, &query)?.items;
    let made = newest.into_iter().map(|found| found.held).filter(|held| tags::is_made_of(held, &lines));
    Ok(made.map(|held| added(&held, tags)).collect())
}

/// Each message is a memory of its own.
fn write_down(
    engine: &Engine,
    world: &WorldId,
    scope: &Scope,
    tags: &Tags,
    spoken: Vec<Message>,
) -> Result<Vec<Value>> {
    if scope.run_id.is_some() {
        open(engine, world, scope)?;
    }
    let mut results = Vec::new();
    for Message { role, name, content } in spoken {
        let tags = Tags { role: Some(role), actor_id: name, ..tags.clone() };
        let held = fact(engine, world, content, None, None, &tags)?;
        results.extend(held.map(|held| added(&held, &tags)));
    }
    remember_now(engine, world)?;
    Ok(results)
}

/// A memory as it stands, and what is kept beside it.
pub(super) fn fact(
    engine: &Engine,
    world: &WorldId,
    text: String,
    wall_ms: Option<i64>,
    key: Option<String>,
    tags: &Tags,
) -> Result<Option<Held>> {
    let remember = Remember {
        text,
        holders: tags.scope().people()?,
        about: None,
        kind: Kind::Semantic,
        importance: None,
        keywords: None,
        topics: Vec::new(),
        emotions: Vec::new(),
        tick: None,
        wall_ms,
        pinned: false,
        shareable: false,
        key,
    };
    let noted = engine.remember(world, remember)?;
    let Some(held) = noted.held.into_iter().next() else { return Ok(None) };
    if noted.created {
        keep(engine, world, held.memory.id, tags)?;
    }
    Ok(Some(held))
}

pub(super) fn keep(engine: &Engine, world: &WorldId, memory: MemoryId, tags: &Tags) -> Result<()> {
    engine.put_keepsakes(world, &[(tags::of_memory(memory), Some(tags.write()))])?;
    Ok(())
}

/// Finds the conversation of a scope, or opens it.
pub(super) fn open(engine: &Engine, world: &WorldId, scope: &Scope) -> Result<reverie_core::ConversationId> {
    let id = scope.conversation()?;
    let name = Some(id.to_string());
    let open = OpenConversation { id: Some(id), name, participants: scope.people()? };
    Ok(engine.open_conversation(world, open)?.value.id)
}

/// What can be remembered and found by rules alone is, before the answer; whoever waits for a model waits elsewhere.
pub(super) fn remember_now(engine: &Engine, world: &WorldId) -> Result<()> {
    let began = Instant::now();
    let go_on = || began.elapsed() < PATIENCE;
    engine.digest(&Slice { world: Some(world.clone()), now: false, go_on: &go_on })?;
    Ok(())
}

fn added(held: &Held, tags: &Tags) -> Value {
    let mut result = Map::new();
    result.insert("id".to_owned(), held.memory.id.to_string().into());
    result.insert("memory".to_owned(), told(held).into());
    result.insert("event".to_owned(), "ADD".into());
    for (name, value) in [("actor_id", &tags.actor_id), ("role", &tags.role)] {
        if tags.role.is_some() {
            result.insert(name.to_owned(), value.clone().into());
        }
    }
    Value::Object(result)
}

/// Who speaks as user and as assistant.
struct Speakers([(Attribute, Who); 2]);

impl Speakers {
    fn of(engine: &Engine, world: &WorldId, scope: &Scope, spoken: &[Message]) -> Result<Self> {
        let named = [&scope.user_id, &scope.agent_id];
        let mut speakers = Vec::new();
        for ((id, name, attribute), named) in VOICES.into_iter().zip(named) {
            let speaker = match named {
                Some(named) => CharacterId::new(named)?,
                None => CharacterId::new(id)?,
            };
            let is_heard = spoken.iter().any(|message| attribute_of(&message.role) == attribute);
            if named.is_none() && is_heard {
                voice(engine, world, &speaker, name)?;
            }
            speakers.push((attribute, Who::Id(speaker)));
        }
        let [user, assistant] = <[_; 2]>::try_from(speakers)
            .map_err(|_| reverie_core::Error::new(Code::Internal, "there are two voices"))?;
        Ok(Self([user, assistant]))
    }

    fn of_role(&self, role: &str) -> (Attribute, Who) {
        let [user, assistant] = &self.0;
        if attribute_of(role) == Attribute::User { user.clone() } else { assistant.clone() }
    }
}

fn is_spoken(role: &str) -> bool {
    matches!(role, "user" | "assistant")
}

fn attribute_of(role: &str) -> Attribute {
    if role == "user" { Attribute::User } else { Attribute::Assistant }
}

fn voice(engine: &Engine, world: &WorldId, id: &CharacterId, name: &str) -> Result<()> {
    match engine.character(world, id) {
        Err(error) if error.code() == Code::NotFound => {
            let patch = CharacterPatch {
                kind: Some(CharacterKind::Narrator),
                display_name: Some(Some(name.to_owned())),
                ..CharacterPatch::default()
            };
            engine.put_character(world, Who::Id(id.clone()), patch).map(|_| ())
        }
        found => found.map(|_| ()),
    }
}
