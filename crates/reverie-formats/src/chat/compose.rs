//! How does a conversation become a chat again?
//!
//! The messages are the path from the root to the head. Lines beside one of them under the same name are its swipes,
//! in the order of recording. A message that came in such a file is written as it was there, with what changed since; one
//! that did not is written in the same form. What else branches off has no place in such a file, nor have emotions, ticks,
//! and who heard a line.

use std::collections::HashMap;

use jiff::Timestamp;
use reverie_core::{CharacterId, Line, LineId};
use serde_json::{Map, Value, json};

use super::filled::Scene;
use super::kept::Keepsakes;
use super::message::message;
use super::recorded::says;
use super::{ChatDocument, Voice};
use crate::Warning;

/// Somebody who takes part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    pub id: CharacterId,
    pub name: String,
    pub voice: Voice,
    /// The file of the card or persona, where it is known.
    pub avatar: Option<String>,
}

/// A conversation as a chat, line by line of the file.
#[derive(Debug, Default)]
pub struct Composed {
    pub(super) header: Option<Value>,
    /// Messages without words, before all others.
    pub(super) first: Vec<Value>,
    /// Each message with the line that it is, and those without words behind it.
    pub(super) messages: Vec<(LineId, Vec<Value>)>,
    warnings: Vec<Warning>,
}

impl Composed {
    pub fn into_document(self) -> ChatDocument {
        let Self { header, first, messages, warnings } = self;
        let sources = first.into_iter().chain(messages.into_iter().flat_map(|(_, sources)| sources));
        let number = 1 + usize::from(header.is_some());
        // What is odd about the file was told when it came in.
        let told = &mut Vec::new();
        let messages = sources.enumerate().map(|(at, source)| message(source, at + number, told)).collect();
        ChatDocument { header, messages, warnings }
    }
}

/// What files of groups have in place of a name.
const NOBODY: &str = "unused";
const AVATARS: [&str; 2] = ["original_avatar", "force_avatar"];

/// `lines` is the whole tree, in the order of recording.
pub fn compose(lines: &[Line], head: Option<LineId>, people: &[Person], keepsakes: &Keepsakes) -> Composed {
    let people: HashMap<&CharacterId, &Person> = people.iter().map(|person| (&person.id, person)).collect();
    let path = path(lines, head);
    let others = others(&path, &people);
    let mut beside: HashMap<Option<LineId>, Vec<&Line>> = HashMap::new();
    lines.iter().for_each(|line| beside.entry(line.parent).or_default().push(line));
    let header = match &keepsakes.header {
        Some(kept) => kept.clone(),
        None => Some(header(&path, &others)),
    };
    let first = keepsakes.first.clone();
    let warnings = keepsakes.warnings.clone();
    let mut composed = Composed { header, first, messages: Vec::with_capacity(path.len()), warnings };
    // How those were shown who spoke before.
    let mut shown: HashMap<&CharacterId, Map<String, Value>> = HashMap::new();
    for line in path {
        let all = beside.get(&line.parent).into_iter().flatten().copied();
        let wordings: Vec<&Line> = all.filter(|other| says(other) == says(line)).collect();
        let person = line.speaker.as_ref().and_then(|speaker| people.get(speaker)).copied();
        let is_narrated = !says(line).0 && person.is_none_or(|person| person.voice == Voice::Narrator);
        let scene = Scene { line, wordings: &wordings, is_narrated, keepsakes };
        let owner = scene.owner();
        let source = owner.and_then(|(owner, kept)| scene.filled(owner, kept)).unwrap_or_else(|| {
            let before = line.speaker.as_ref().and_then(|speaker| shown.get(speaker));
            let avatars = before.cloned().or_else(|| Some(avatars(person?, says(line).0, others.len() > 1)));
            new_message(&scene, avatars.unwrap_or_default())
        });
        if let Some(speaker) = &line.speaker {
            let now = |key: &str| Some((key.to_owned(), source.get(key)?.clone()));
            shown.insert(speaker, AVATARS.into_iter().filter_map(now).collect());
        }
        let then = owner.into_iter().flat_map(|(_, kept)| kept.then.iter().cloned());
        composed.messages.push((line.id, [source].into_iter().chain(then).collect()));
    }
    composed
}

fn path(lines: &[Line], head: Option<LineId>) -> Vec<&Line> {
    let by_id: HashMap<LineId, &Line> = lines.iter().map(|line| (line.id, line)).collect();
    let mut path = Vec::new();
    let mut at = head;
    while let Some(line) = at.and_then(|id| by_id.get(&id)) {
        path.push(*line);
        // A parent's number is smaller, so this ends.
        at = line.parent.filter(|parent| *parent < line.id);
    }
    path.reverse();
    path
}

/// A message that came in no file.
fn new_message(scene: &Scene<'_>, avatars: Map<String, Value>) -> Value {
    let (line, wordings) = (scene.line, scene.wordings);
    let (is_user, name) = says(line);
    let mut source = Map::new();
    let mut put = |key: &str, value: Value| drop(source.insert(key.to_owned(), value));
    put("name", json!(name));
    put("is_user", json!(is_user));
    put("is_system", json!(line.hidden));
    put("send_date", json!(date(line.wall_ms)));
    put("mes", json!(scene.words(line)));
    put("extra", extra_of(scene.is_narrated));
    source.extend(avatars);
    if wordings.len() > 1 {
        let chosen = wordings.iter().position(|wording| wording.id == line.id).unwrap_or_default();
        source.insert("swipe_id".to_owned(), json!(chosen));
        source.insert("swipes".to_owned(), wordings.iter().map(|wording| scene.words(wording)).collect());
        source.insert("swipe_info".to_owned(), wordings.iter().map(|wording| scene.info(wording)).collect());
    }
    Value::Object(source)
}

pub(super) fn extra_of(is_narrated: bool) -> Value {
    if is_narrated { json!({"type": "narrator"}) } else { json!({}) }
}

/// In a group every message shows who speaks; elsewhere the card's file tells an import who is meant.
fn avatars(person: &Person, is_user: bool, is_group: bool) -> Map<String, Value> {
    let mut avatars = Map::new();
    let Some(file) = &person.avatar else { return avatars };
    let [original, force] = AVATARS.map(ToOwned::to_owned);
    if is_user {
        avatars.insert(force, json!(file));
        return avatars;
    }
    avatars.insert(original, json!(file));
    if is_group {
        avatars.insert(force, json!(format!("/thumbnail?type=avatar&file={}", escape(file))));
    }
    avatars
}

/// As a part of an address.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => escaped.push(byte.into()),
            _ => escaped.push_str(&format!("%{byte:02X}")),
        }
    }
    escaped
}

/// Those who are there and do not speak as a user.
fn others<'p>(path: &[&Line], people: &HashMap<&CharacterId, &'p Person>) -> Vec<&'p Person> {
    let users: Vec<&CharacterId> =
        path.iter().filter(|line| says(line).0).filter_map(|line| line.speaker.as_ref()).collect();
    let is_other = |person: &&Person| person.voice == Voice::Person && !users.contains(&&person.id);
    people.values().copied().filter(is_other).collect()
}

fn header(path: &[&Line], others: &[&Person]) -> Value {
    let user = path.iter().find(|line| says(line).0);
    let character = match others {
        [only] => only.name.as_str(),
        _ => NOBODY,
    };
    json!({
        "user_name": user.map_or(NOBODY, |line| says(line).1),
        "character_name": character,
        "create_date": path.first().map(|line| date(line.wall_ms)).unwrap_or_default(),
        "chat_metadata": {},
    })
}

/// With its zone, so that nobody has to guess.
pub(super) fn date(wall_ms: i64) -> String {
    let time = Timestamp::from_millisecond(wall_ms).unwrap_or_default();
    time.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}

#[cfg(test)]
#[path = "tests/compose.rs"]
pub(super) mod tests;
