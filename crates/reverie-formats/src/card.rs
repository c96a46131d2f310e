//! Who is on a character card, and how does the card stay as it was?
//!
//! A [`CardDocument`] has the fields that are in use, and the whole card beside them. Writing puts back only fields that
//! were changed, in every place where the card has them: older cards repeat the main ones at the top.

mod persona;
#[cfg(test)]
pub(crate) mod tests;

use reverie_core::perspective::Role;
use reverie_core::{Error, Result};
use serde_json::{Map, Value, json};

use crate::book::{self, BookDocument, Format};
use crate::lenient::{Reader, as_text};
use crate::merge::{get, set};
use crate::warning::Warning;
use crate::{Limits, document};

/// By its `spec`, or by its shape where it has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// All fields at the top.
    V1,
    V2,
    V3,
}

#[derive(Debug, Clone, PartialEq)]
pub struct CardDocument {
    pub version: Version,
    pub name: String,
    /// What the character is called in prompts, if not by name.
    pub nickname: String,
    pub description: String,
    pub personality: String,
    pub scenario: String,
    pub first_mes: String,
    pub alternate_greetings: Vec<String>,
    pub mes_example: String,
    pub system_prompt: String,
    pub post_history_instructions: String,
    pub creator_notes: String,
    pub depth_prompt: Option<DepthPrompt>,
    pub tags: Vec<String>,
    pub creator: String,
    pub character_version: String,
    /// The name of a world book that goes with the card and is not on it.
    pub world: Option<String>,
    pub book: Option<BookDocument>,
    /// The whole card; where it had a book that could be read, there is null instead.
    pub source: Value,
    pub warnings: Vec<Warning>,
}

/// A text that is put into the chat, so many messages from its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DepthPrompt {
    pub prompt: String,
    pub depth: u32,
    pub role: Role,
}

/// Whether this is a card of some version.
pub fn is_card(value: &Value) -> bool {
    version(value).is_some()
}

/// Reads a card from JSON; [`crate::open`] takes pictures and archives too.
pub fn read(bytes: &[u8], limits: &Limits) -> Result<CardDocument> {
    let parsed = document::parse(bytes, limits)?;
    let mut card = from_value(parsed.value, limits)?;
    card.warnings.splice(0..0, parsed.warnings);
    Ok(card)
}

/// Takes a card apart.
pub fn from_value(mut source: Value, limits: &Limits) -> Result<CardDocument> {
    let version = version(&source).ok_or_else(|| {
        Error::invalid("this JSON is no character card").hint("known are Character Cards V1, V2 and V3")
    })?;
    let (book, mut warnings) = take_book(&mut source, version, limits)?;
    let fields = fields(&source, version);
    let mut reader = Reader::new(&fields);
    let mut text = |field: &str| reader.text(field).unwrap_or_default();
    let card = CardDocument {
        version,
        name: text("name"),
        nickname: text("nickname"),
        description: text("description"),
        personality: text("personality"),
        scenario: text("scenario"),
        first_mes: text("first_mes"),
        mes_example: text("mes_example"),
        system_prompt: text("system_prompt"),
        post_history_instructions: text("post_history_instructions"),
        creator_notes: text("creator_notes"),
        creator: text("creator"),
        character_version: text("character_version"),
        alternate_greetings: greetings(&mut reader),
        tags: reader.list("tags"),
        depth_prompt: depth_prompt(&mut reader),
        world: reader.text("world").filter(|world| !world.is_empty()),
        book,
        source: Value::Null,
        warnings: Vec::new(),
    };
    warnings.append(&mut reader.warnings);
    if card.name.trim().is_empty() {
        warnings.push(Warning::field("name", "the card names nobody"));
    }
    Ok(CardDocument { source, warnings, ..card })
}

/// The card again, equal in value to what was read, with what was changed since.
pub fn write(card: &CardDocument) -> Value {
    let mut value = card.source.clone();
    let before =
        from_value(value.clone(), &Limits::default()).map(|before| said(&before)).unwrap_or_default();
    for (field, now) in said(card) {
        if before.get(&field) != Some(&now) {
            put(&mut value, card.version, &field, now);
        }
    }
    if let Some(book) = &card.book {
        put(&mut value, card.version, "character_book", book::write(book));
    }
    value
}

/// The fields as a card has them.
fn said(card: &CardDocument) -> Map<String, Value> {
    let depth_prompt = card
        .depth_prompt
        .as_ref()
        .map(|prompt| json!({"prompt": prompt.prompt, "depth": prompt.depth, "role": prompt.role.as_str()}));
    let fields = [
        ("name", json!(card.name)),
        ("nickname", json!(card.nickname)),
        ("description", json!(card.description)),
        ("personality", json!(card.personality)),
        ("scenario", json!(card.scenario)),
        ("first_mes", json!(card.first_mes)),
        ("mes_example", json!(card.mes_example)),
        ("system_prompt", json!(card.system_prompt)),
        ("post_history_instructions", json!(card.post_history_instructions)),
        ("creator_notes", json!(card.creator_notes)),
        ("creator", json!(card.creator)),
        ("character_version", json!(card.character_version)),
        ("alternate_greetings", json!(card.alternate_greetings)),
        ("tags", json!(card.tags)),
        ("world", json!(card.world)),
        ("depth_prompt", json!(depth_prompt)),
    ];
    fields.into_iter().map(|(field, value)| (field.to_owned(), value)).collect()
}

fn version(value: &Value) -> Option<Version> {
    let spec = value.get("spec").and_then(Value::as_str).unwrap_or_default();
    let has_data = value.get("data").is_some_and(Value::is_object);
    match spec {
        "chara_card_v3" if has_data => Some(Version::V3),
        "lorebook_v3" => None,
        _ if spec.starts_with("chara_card") && has_data => Some(Version::V2),
        _ if has_data && get(value, &["data", "name"]).is_some() => Some(Version::V2),
        _ => {
            let has = |names: &[&str]| names.iter().any(|name| value.get(*name).is_some());
            let says_something = has(&["description", "personality", "first_mes", "mes_example", "scenario"])
                || has(&["char_persona", "char_greeting", "world_scenario", "example_dialogue"]);
            let is_book = has(&["entries", "lorebookVersion"]);
            (has(&["name", "char_name"]) && says_something && !is_book).then_some(Version::V1)
        }
    }
}

/// Where a field may lie: in its proper place, then as a copy or under an older name.
fn places(version: Version, field: &str) -> Vec<Vec<&str>> {
    let in_extensions = matches!(field, "depth_prompt" | "world");
    let place = if in_extensions { vec!["extensions", field] } else { vec![field] };
    if version == Version::V1 {
        return std::iter::once(place).chain(older_name(field).map(|name| vec![name])).collect();
    }
    let mut places = vec![["data"].into_iter().chain(place).collect()];
    let is_repeated =
        ["name", "description", "personality", "scenario", "first_mes", "mes_example", "tags", "creator"];
    if is_repeated.contains(&field) {
        places.push(vec![field]);
    }
    if field == "creator_notes" {
        places.push(vec!["creatorcomment"]);
    }
    places
}

fn older_name(field: &str) -> Option<&'static str> {
    match field {
        "name" => Some("char_name"),
        "description" => Some("char_persona"),
        "scenario" => Some("world_scenario"),
        "first_mes" => Some("char_greeting"),
        "mes_example" => Some("example_dialogue"),
        "creator_notes" => Some("creatorcomment"),
        _ => None,
    }
}

const FIELDS: [&str; 16] = [
    "name",
    "nickname",
    "description",
    "personality",
    "scenario",
    "first_mes",
    "mes_example",
    "system_prompt",
    "post_history_instructions",
    "creator_notes",
    "creator",
    "character_version",
    "alternate_greetings",
    "tags",
    "depth_prompt",
    "world",
];

fn fields(source: &Value, version: Version) -> Map<String, Value> {
    let find = |field: &str| {
        places(version, field).iter().find_map(|place| get(source, place).filter(|v| !v.is_null()))
    };
    FIELDS.iter().filter_map(|field| Some(((*field).to_owned(), find(field)?.clone()))).collect()
}

/// To the proper place, and to copies of it that are there.
fn put(value: &mut Value, version: Version, field: &str, new: Value) {
    for (index, place) in places(version, field).iter().enumerate() {
        if index == 0 || get(value, place).is_some() {
            // A card whose `data` or `extensions` holds something else keeps that.
            let _ = set(value, place, new.clone());
        }
    }
}

fn take_book(
    source: &mut Value,
    version: Version,
    limits: &Limits,
) -> Result<(Option<BookDocument>, Vec<Warning>)> {
    let (holder, format) = match version {
        Version::V1 => (Some(source), Format::CardV2),
        Version::V2 => (source.get_mut("data"), Format::CardV2),
        Version::V3 => (source.get_mut("data"), Format::CardV3),
    };
    let Some(place) = holder.and_then(|holder| holder.get_mut("character_book")) else {
        return Ok((None, Vec::new()));
    };
    match place {
        Value::Null => Ok((None, Vec::new())),
        Value::Object(_) => {
            let book = book::from_value(place.take(), format, limits)?;
            Ok((Some(book), Vec::new()))
        }
        _ => Ok((None, vec![Warning::field("character_book", "is no book; it is kept as it is")])),
    }
}

/// Texts may hold commas, so that a single one is a single greeting.
fn greetings(reader: &mut Reader<'_>) -> Vec<String> {
    let field = "alternate_greetings";
    match reader.get(field) {
        Some(Value::String(text)) if text.is_empty() => Vec::new(),
        Some(Value::String(text)) => vec![text.clone()],
        _ => reader.list(field),
    }
}

fn depth_prompt(reader: &mut Reader<'_>) -> Option<DepthPrompt> {
    let value = reader.get("depth_prompt")?;
    let map = match value {
        Value::Object(map) => map.clone(),
        other => Map::from_iter([("prompt".to_owned(), json!(as_text(other)?))]),
    };
    let mut inner = Reader::new(&map);
    let prompt = DepthPrompt {
        prompt: inner.text("prompt").unwrap_or_default(),
        depth: inner.count("depth").unwrap_or(4),
        role: inner.role("role").unwrap_or(Role::System),
    };
    reader.warnings.append(&mut inner.warnings);
    (!prompt.prompt.is_empty()).then_some(prompt)
}
