//! How does a conversation become a chat again?
//!
//! The messages are the path from the root to the head. Lines beside one of them under the same name are its swipes,
//! in the order of recording. What else branches off has no place in such a file, nor have emotions, ticks, and who heard a
//! line.

use std::collections::HashMap;

use jiff::Timestamp;
use reverie_core::{CharacterId, Line, LineId};
use serde_json::{Map, Value, json};

use super::message::message;
use super::recorded::says;
use super::{ChatDocument, Voice};

/// Somebody who takes part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    pub id: CharacterId,
    pub name: String,
    pub voice: Voice,
    /// The file of the card or persona, where it is known.
    pub avatar: Option<String>,
}

/// What files of groups have in place of a name.
const NOBODY: &str = "unused";

/// `lines` is the whole tree, in the order of recording.
pub fn compose(lines: &[Line], head: Option<LineId>, people: &[Person]) -> ChatDocument {
    let people: HashMap<&CharacterId, &Person> = people.iter().map(|person| (&person.id, person)).collect();
    let path = path(lines, head);
    let mut beside: HashMap<Option<LineId>, Vec<&Line>> = HashMap::new();
    lines.iter().for_each(|line| beside.entry(line.parent).or_default().push(line));
    let mut document = ChatDocument {
        header: Some(header(&path, &people)),
        messages: Vec::with_capacity(path.len()),
        warnings: Vec::new(),
    };
    for (index, line) in path.iter().enumerate() {
        let is_wording = |other: &&Line| says(other) == says(line);
        let all = beside.get(&line.parent).into_iter().flatten().copied();
        let wordings: Vec<&Line> = all.filter(is_wording).collect();
        let person = line.speaker.as_ref().and_then(|speaker| people.get(speaker)).copied();
        // The first line of the file is the header.
        document.messages.push(message(source(line, &wordings, person), index + 2, &mut document.warnings));
    }
    document
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

fn source(line: &Line, wordings: &[&Line], person: Option<&Person>) -> Value {
    let (is_user, name) = says(line);
    let is_narrated = person.is_none_or(|person| person.voice == Voice::Narrator);
    let mut source = Map::new();
    source.insert("name".to_owned(), json!(name));
    source.insert("is_user".to_owned(), json!(is_user));
    source.insert("is_system".to_owned(), json!(line.hidden));
    source.insert("send_date".to_owned(), json!(date(line.wall_ms)));
    source.insert("mes".to_owned(), json!(line.wording.content));
    let extra = if is_narrated && !is_user { json!({"type": "narrator"}) } else { json!({}) };
    source.insert("extra".to_owned(), extra);
    if let Some(file) = person.and_then(|person| person.avatar.as_ref()) {
        let key = if is_user { "force_avatar" } else { "original_avatar" };
        source.insert(key.to_owned(), json!(file));
    }
    if wordings.len() > 1 {
        let chosen = wordings.iter().position(|wording| wording.id == line.id).unwrap_or_default();
        let swipes: Vec<&str> = wordings.iter().map(|wording| wording.wording.content.as_str()).collect();
        let about = |wording: &&Line| json!({"send_date": date(wording.wall_ms), "extra": {}});
        source.insert("swipe_id".to_owned(), json!(chosen));
        source.insert("swipes".to_owned(), json!(swipes));
        source.insert("swipe_info".to_owned(), wordings.iter().map(about).collect());
    }
    Value::Object(source)
}

fn header(path: &[&Line], people: &HashMap<&CharacterId, &Person>) -> Value {
    let users: Vec<&Line> = path.iter().filter(|line| says(line).0).copied().collect();
    let speaks_as_user = |id: &CharacterId| users.iter().any(|line| line.speaker.as_ref() == Some(id));
    let others: Vec<&&Person> = people
        .values()
        .filter(|person| person.voice == Voice::Person && !speaks_as_user(&person.id))
        .collect();
    let character = match others.as_slice() {
        [only] => only.name.as_str(),
        _ => NOBODY,
    };
    json!({
        "user_name": users.first().map_or(NOBODY, |line| says(line).1),
        "character_name": character,
        "create_date": path.first().map(|line| date(line.wall_ms)).unwrap_or_default(),
        "chat_metadata": {},
    })
}

/// With its zone, so that nobody has to guess.
fn date(wall_ms: i64) -> String {
    let time = Timestamp::from_millisecond(wall_ms).unwrap_or_default();
    time.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}

#[cfg(test)]
#[path = "tests/compose.rs"]
mod tests;
