//! How does each tool become operations of the API?

use reverie_core::digest::is_of_letters;
use reverie_core::time::Language;
use reverie_core::{CharacterId, Error, Result, WorldId};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::answers::{Done, Failure, all, encode, id_of, picked, told, warned};
use super::arguments::{
    AddMemory, DeleteMemory, GetMemories, RecallContext, RecordLines, SaidLine, SearchMemories, UpdateMemory,
    Where,
};
use super::{Ask, Defaults, described};
use crate::Request;
use crate::wording::plain;

pub(super) struct Caller<'a> {
    pub(super) ask: Ask<'a>,
    pub(super) defaults: &'a Defaults,
}

const MOST: usize = 100;
const FOUND: usize = 10;
const LISTED: usize = 20;
/// Who talks to a character, where nobody says.
const SOMEBODY: &str = "user";
/// So long it may take until what was added can be found; the rest follows by itself.
const SLICE_MS: u64 = 500;
const NO_MEMORY: &str = "search_memories and get_memories tell the ids of what this character remembers";
const NO_CONVERSATION: &str = "leave `conversation` out, or name one that record_lines answered with";
const NOBODY: &str =
    "nothing is remembered there yet: add_memory or record_lines first, or name another world or character";

/// A world and a character, whether they are there or not.
struct Scope {
    world: String,
    character: String,
    /// Somebody whom nobody named, so that nothing to be found is no mistake.
    is_default: bool,
    names_world: bool,
}

impl Caller<'_> {
    pub(super) fn read<A: DeserializeOwned + JsonSchema>(&self, arguments: Map<String, Value>) -> Done<A> {
        let known = described::names::<A>();
        let takes = format!("this tool takes: {}", known.join(", "));
        if let Some(odd) = arguments.keys().find(|name| !known.contains(name)) {
            return Err(Error::invalid(format!("there is no argument {odd:?}")).hint(takes).into());
        }
        serde_json::from_value(Value::Object(arguments)).map_err(|error| {
            Error::invalid(format!("the arguments cannot be read: {}", plain(&error))).hint(takes).into()
        })
    }

    pub(super) fn add_memory(&self, call: AddMemory) -> Done {
        let scope = self.scope(&call.place)?;
        let about: Vec<&str> = call.about.iter().flatten().map(String::as_str).collect();
        self.ready(&scope, &[&call.text], &about)?;
        let body = json!({
            "text": call.text, "kind": call.kind.as_deref().unwrap_or("semantic"), "about": call.about,
            "importance": call.importance, "pinned": call.pinned, "key": call.key,
        });
        let made = self.send("POST", &format!("{}/memories", scope.path()), Some(body))?;
        self.digest(&scope)?;
        Ok(warned(&made, told(&made)))
    }

    pub(super) fn search_memories(&self, call: SearchMemories) -> Done {
        let scope = self.scope(&call.place)?;
        let mut query = vec![("q", call.query), ("by", "mind".to_owned())];
        query.push(("limit", limit(call.limit, FOUND)?));
        query.extend(call.kind.map(|kind| ("kind", kind)));
        self.list(&scope, &query)
    }

    pub(super) fn get_memories(&self, call: GetMemories) -> Done {
        let scope = self.scope(&call.place)?;
        let mut query = vec![("newest", "true".to_owned()), ("limit", limit(call.limit, LISTED)?)];
        query.extend(call.cursor.map(|cursor| ("cursor", cursor)));
        query.extend(call.kind.map(|kind| ("kind", kind)));
        self.list(&scope, &query)
    }

    pub(super) fn update_memory(&self, call: UpdateMemory) -> Done {
        let scope = self.scope(&call.place)?;
        let mut body = Map::from_iter([("holder".to_owned(), json!(scope.character))]);
        let changes = [
            ("text", call.text.map(Value::String)),
            ("importance", call.importance.map(Value::from)),
            ("pinned", call.pinned.map(Value::Bool)),
        ];
        for (name, value) in changes {
            body.extend(value.map(|value| (name.to_owned(), value)));
        }
        if body.len() == 1 {
            return Err(Error::invalid("nothing to change").hint("give text, importance or pinned").into());
        }
        let path = format!("{}/memories/{}", scope.world_path(), encode(&call.id));
        let changed = self.send("PATCH", &path, Some(Value::Object(body)));
        let changed = changed.map_err(|failure| failure.hinted(NO_MEMORY))?;
        let is_own =
            |holding: &&Value| holding.get("holder").is_some_and(|holder| *holder == scope.character);
        let own = all(&changed, "holders").find(is_own).cloned().unwrap_or_default();
        let mut told = told(&changed);
        // As the character has it now, which may not be as others do.
        told.extend(picked(&own, &["text", "importance", "pinned"]));
        Ok(told)
    }

    pub(super) fn delete_memory(&self, call: DeleteMemory) -> Done {
        let scope = self.scope(&call.place)?;
        let holder = encode(&scope.character);
        let path = format!("{}/memories/{}?holder={holder}", scope.world_path(), encode(&call.id));
        self.send("DELETE", &path, None).map_err(|failure| failure.hinted(NO_MEMORY))?;
        Ok(Map::from_iter([("forgotten".to_owned(), call.id.into())]))
    }

    pub(super) fn recall_context(&self, call: RecallContext) -> Done {
        let scope = self.scope(&call.place)?;
        let is_anywhere = call.conversation.is_none();
        let mut body = Map::new();
        body.insert("character".to_owned(), json!(scope.character));
        match call.conversation {
            Some(conversation) => body.insert("conversation".to_owned(), json!(conversation)),
            None => {
                let people = call.participants.unwrap_or_else(|| vec![SOMEBODY.to_owned()]);
                body.insert("participants".to_owned(), json!(with(people, &scope.character)))
            }
        };
        body.extend(call.message.as_ref().map(|message| ("message".to_owned(), json!(message))));
        body.extend(call.budget.map(|budget| ("budget".to_owned(), json!(budget))));
        let recalled =
            self.send("POST", &format!("{}/recall", scope.world_path()), Some(Value::Object(body)));
        let hint = if is_anywhere { NOBODY } else { NO_CONVERSATION };
        let recalled = match recalled {
            // Nothing was ever said or remembered: the message alone is all there is to give.
            Err(failure) if failure.is_not_found() && scope.is_default && is_anywhere => {
                let message = call.message.map(|text| json!({"role": "user", "content": text}));
                json!({"messages": message.into_iter().collect::<Vec<_>>()})
            }
            recalled => recalled.map_err(|failure| failure.hinted(hint))?,
        };
        Ok(warned(&recalled, picked(&recalled, &["messages", "memories", "left_out", "tokens"])))
    }

    pub(super) fn record_lines(&self, call: RecordLines) -> Done {
        let scope = self.scope(&call.place)?;
        if call.lines.is_empty() {
            let error = Error::invalid("there are no lines");
            return Err(error.hint("give at least one, with speaker and content").into());
        }
        let texts: Vec<&str> = call.lines.iter().map(|line| line.content.as_str()).collect();
        let speakers: Vec<&str> = call.lines.iter().map(|line| line.speaker.as_str()).collect();
        self.ready(&scope, &texts, &speakers)?;
        let mut people = call.participants.unwrap_or_default();
        people.extend(call.lines.iter().map(|line| line.speaker.clone()));
        let people = with(people, &scope.character);
        let conversation = self.open(&scope, call.conversation, &people)?;
        let here = format!("{}/conversations/{}", scope.world_path(), encode(&conversation));
        let round = id_of(&self.send("POST", &format!("{here}/rounds"), Some(json!({})))?);
        let line = |SaidLine { speaker, content }: SaidLine| {
            let attribute = if speaker == scope.character { "assistant" } else { "user" };
            json!({"speaker": speaker, "attribute": attribute, "content": content, "round": round})
        };
        let lines: Vec<Value> = call.lines.into_iter().map(line).collect();
        let recorded = self.send("POST", &format!("{here}/lines"), Some(json!({ "lines": lines })))?;
        let complete = format!("{}/rounds/{round}/complete", scope.world_path());
        self.send("POST", &complete, Some(json!({})))?;
        self.digest(&scope)?;
        let ids: Vec<String> = all(&recorded, "lines").map(id_of).collect();
        let answer = [("conversation".to_owned(), conversation.into()), ("lines".to_owned(), ids.into())];
        Ok(warned(&recorded, Map::from_iter(answer)))
    }

    /// The conversation of this id, or a scene by that name; without one the talk of exactly these.
    fn open(&self, scope: &Scope, conversation: Option<String>, people: &[String]) -> Done<String> {
        let conversations = format!("{}/conversations", scope.world_path());
        let Some(id) = conversation else {
            let opened = self.send("POST", &conversations, Some(json!({ "participants": people })))?;
            return Ok(id_of(&opened));
        };
        match self.send("GET", &format!("{conversations}/{}", encode(&id)), None) {
            Err(failure) if failure.is_not_found() => {
                let body = json!({"id": id, "name": id, "participants": people});
                self.send("POST", &conversations, Some(body)).map(|opened| id_of(&opened))
            }
            found => found.map(|_| id),
        }
    }

    fn list(&self, scope: &Scope, query: &[(&str, String)]) -> Done {
        let query: Vec<String> =
            query.iter().map(|(name, value)| format!("{name}={}", encode(value))).collect();
        let page = match self.send("GET", &format!("{}/memories?{}", scope.path(), query.join("&")), None) {
            Err(failure) if failure.is_not_found() && self.knows_nothing_yet(scope)? => Value::Null,
            page => page.map_err(|failure| failure.hinted(NOBODY))?,
        };
        let memories: Vec<Value> = all(&page, "items").map(|memory| Value::Object(told(memory))).collect();
        let mut found = Map::from_iter([("memories".to_owned(), memories.into())]);
        found.extend(picked(&page, &["next"]));
        Ok(found)
    }

    /// Whether nothing to be found is no mistake: whoever is not there yet remembers nothing. A world that was named and is missing is misspelt.
    fn knows_nothing_yet(&self, scope: &Scope) -> Done<bool> {
        if !scope.names_world {
            return Ok(true);
        }
        match self.send("GET", &scope.world_path(), None) {
            Err(failure) if failure.is_not_found() => Ok(false),
            found => found.map(|_| true),
        }
    }

    fn scope(&self, place: &Where) -> Result<Scope> {
        let given = |name: &Option<String>| name.clone().filter(|name| !name.trim().is_empty());
        let (world, character) = (given(&place.world), given(&place.character));
        let names_world = world.is_some();
        let is_default = !names_world && character.is_none();
        let world = world.map_or_else(|| Ok(self.defaults.world.clone()), |id| WorldId::new(&id))?;
        let character =
            character.map_or_else(|| Ok(self.defaults.character.clone()), |id| CharacterId::new(&id))?;
        Ok(Scope { world: world.to_string(), character: character.to_string(), is_default, names_world })
    }

    /// The world and the character are there once something is to be written. What is written, and by whom, tells the language of a
    /// world that is made for it.
    fn ready(&self, scope: &Scope, texts: &[&str], people: &[&str]) -> Done<()> {
        let names = people.iter().copied().chain([scope.character.as_str()]);
        let world = match is_of_letters(texts.iter().copied(), names) {
            true => json!({"settings": {"language": Language::En.name()}}),
            false => json!({}),
        };
        for (path, made) in [(scope.world_path(), world), (scope.path(), json!({}))] {
            match self.send("GET", &path, None) {
                Err(failure) if failure.is_not_found() => self.send("PUT", &path, Some(made))?,
                found => found?,
            };
        }
        Ok(())
    }

    fn digest(&self, scope: &Scope) -> Done<()> {
        let body = json!({"slice_ms": SLICE_MS});
        self.send("POST", &format!("{}/digest", scope.world_path()), Some(body)).map(|_| ())
    }

    fn send(&self, method: &str, target: &str, body: Option<Value>) -> Done<Value> {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let response = (self.ask)(&Request {
            method: method.to_owned(),
            path: path.to_owned(),
            query: query.to_owned(),
            body: body.map_or_else(Vec::new, |body| body.to_string().into_bytes()),
        });
        let answer: Value = serde_json::from_slice(&response.body).unwrap_or_default();
        if response.status < 300 { Ok(answer) } else { Err(Failure::of(answer)) }
    }
}

impl Scope {
    fn world_path(&self) -> String {
        format!("/v1/worlds/{}", encode(&self.world))
    }

    fn path(&self) -> String {
        format!("{}/characters/{}", self.world_path(), encode(&self.character))
    }
}

/// Each once, the character first.
fn with(people: Vec<String>, character: &str) -> Vec<String> {
    let mut all = vec![character.to_owned()];
    for one in people {
        if !all.contains(&one) {
            all.push(one);
        }
    }
    all
}

fn limit(given: Option<usize>, default: usize) -> Result<String> {
    let limit = given.unwrap_or(default);
    if (1..=MOST).contains(&limit) {
        return Ok(limit.to_string());
    }
    Err(Error::invalid(format!("limit cannot be {limit}"))
        .hint(format!("use a whole number from 1 to {MOST}")))
}
