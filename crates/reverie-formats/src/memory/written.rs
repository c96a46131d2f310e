//! How does a book that was made of a `memory.json` become one again, with what was edited since?
//!
//! A record whose entry nobody touched is written as it was, and of the others only what was changed. Who knows an entry,
//! and whether it is switched off, is no matter of the file: that stays here.

use reverie_core::lore::Entry;
use reverie_core::lore::entry::Trigger;
use serde_json::{Map, Value, json};

use super::MemoryFile;
use super::book::UNREAD;
use super::record::{MemoryKind, MemoryRecord};
use crate::Warning;
use crate::book::unknown::{Counted, said};
use crate::book::{self, BookDocument};
use crate::field;
use crate::merge::get;

/// What a record has a place for.
const SAID: [&str; 8] = [
    "constant",
    "trigger",
    "priority",
    "relevance_weight",
    "emotional_weight",
    "time_decay",
    "topics",
    "emotions",
];

impl MemoryFile {
    /// The file of a book that [`Self::to_book`] made; None of any other.
    pub fn from_book(book: &BookDocument) -> Option<Value> {
        let mut file = get(&book.rest, &["extensions", "memory"])?.as_object()?.clone();
        let mut lists: Vec<(MemoryKind, Vec<Value>)> = MemoryKind::ALL.map(|kind| (kind, Vec::new())).into();
        for item in &book.entries {
            let (entry, _) = book::entry(&item.source, book.format);
            let record = get(&item.source, &["extensions", "memory"]).cloned();
            let kind = kind_of(&entry, record.as_ref());
            let record = record.unwrap_or_else(|| json!({"id": item.id, "content": entry.content}));
            if let Some((_, list)) = lists.iter_mut().find(|(of, _)| *of == kind) {
                list.push(edited(record, kind, &entry));
            }
        }
        for (kind, mut list) in lists {
            let unread = get(&book.rest, &["extensions", UNREAD, kind.list()]).and_then(Value::as_array);
            for (place, record) in unread.into_iter().flatten().filter_map(placed) {
                list.insert(place.min(list.len()), record.clone());
            }
            if !list.is_empty() || file.get(kind.list()).is_some_and(Value::is_array) {
                file.insert(kind.list().to_owned(), Value::Array(list));
            }
        }
        Some(Value::Object(file))
    }

    /// What the entries say that such a file has no place for, or nobody's but its character's.
    pub fn unsaid(book: &BookDocument) -> Vec<Warning> {
        let character =
            get(&book.rest, &["extensions", "memory"]).and_then(|file| field::filled(file, "characterUuid"));
        let mut unsaid = Counted::default();
        for item in &book.entries {
            let fields = book::wire(&item.source, book.format);
            let (entry, _) = book::entry(&item.source, book.format);
            let record = get(&item.source, &["extensions", "memory"]);
            let read = record.and_then(|record| MemoryRecord::read(kind_of(&entry, Some(record)), record));
            let role = read.and_then(|read| read.role).or_else(|| character.clone());
            let is_said = |field: &str| match field {
                "known_by" => entry.known_by.iter().eq(&role),
                "vectorized" => entry.trigger == Trigger::Semantic,
                _ => SAID.contains(&field),
            };
            let comment = Some("comment").filter(|_| !tells_kind(&entry));
            for field in said(&fields).into_iter().filter(|field| !is_said(field)).chain(comment) {
                unsaid.add(field, "a memory.json cannot say this".to_owned());
            }
        }
        unsaid.told().collect()
    }

    /// The file again, unless an entry says by now what such a file has no place for.
    pub fn whole_from_book(book: &BookDocument) -> Option<Value> {
        let is_said = |item: &book::BookEntry| has_place(&book::entry(&item.source, book.format).0);
        Self::from_book(book).filter(|_| book.entries.iter().all(is_said))
    }
}

/// Whether a record can say all that an entry does.
fn has_place(entry: &Entry) -> bool {
    let rest = Entry {
        id: Default::default(),
        comment: String::new(),
        content: String::new(),
        disabled: false,
        keys: Vec::new(),
        constant: false,
        vectorized: entry.vectorized && entry.trigger != Trigger::Semantic,
        trigger: Trigger::default(),
        priority: None,
        relevance_weight: None,
        emotional_weight: None,
        time_decay: None,
        topics: Vec::new(),
        emotions: Vec::new(),
        known_by: Vec::new(),
        ..entry.clone()
    };
    tells_kind(entry) && rest == Entry::default()
}

/// Whether its comment says nothing else.
fn tells_kind(entry: &Entry) -> bool {
    let comment = entry.comment.trim();
    comment.is_empty() || MemoryKind::ALL.into_iter().any(|kind| kind.as_str() == comment)
}

fn placed(value: &Value) -> Option<(usize, &Value)> {
    let [place, record] = value.as_array()?.as_slice() else { return None };
    Some((usize::try_from(place.as_u64()?).ok()?, record))
}

/// As its comment tells; where somebody wrote another one, as the record itself does.
fn kind_of(entry: &Entry, record: Option<&Value>) -> MemoryKind {
    let named = |name: &str| MemoryKind::ALL.into_iter().find(|kind| kind.as_str() == name);
    let by_type = || named(&field::filled(record?, "type")?.to_lowercase());
    named(entry.comment.trim()).or_else(by_type).unwrap_or(MemoryKind::Semantic)
}

/// The record, with what its entry says otherwise.
fn edited(record: Value, kind: MemoryKind, entry: &Entry) -> Value {
    let Some(before) = MemoryRecord::read(kind, &record) else { return record };
    let meant = before.entry(None);
    let mut changes: Vec<(&str, Option<Value>)> = Vec::new();
    let mut note = |name: &'static str, is_same: bool, now: Option<Value>| {
        if !is_same {
            changes.push((name, now));
        }
    };
    let topics = if has_list(&record, "relatedTopics") || !has_list(&record, "tags") {
        "relatedTopics"
    } else {
        "tags"
    };
    note("keywords", entry.keys == meant.keys, Some(json!(entry.keys)));
    note("triggerType", entry.trigger == meant.trigger, Some(json!(trigger_name(entry.trigger))));
    note("priority", entry.priority == meant.priority, entry.priority.map(Value::from));
    note("isConstant", entry.constant == meant.constant, Some(json!(entry.constant)));
    note(
        "relevanceWeight",
        entry.relevance_weight == meant.relevance_weight,
        entry.relevance_weight.map(Value::from),
    );
    note(
        "emotionalWeight",
        entry.emotional_weight == meant.emotional_weight,
        entry.emotional_weight.map(Value::from),
    );
    note("timeDecayFactor", entry.time_decay == meant.time_decay, entry.time_decay.map(Value::from));
    note(topics, entry.topics == meant.topics, Some(json!(entry.topics)));
    note("emotionalContext", entry.emotions == meant.emotions, Some(json!(entry.emotions)));
    let is_said_otherwise = entry.content.trim() != meant.content;
    let mut fields = match record {
        Value::Object(fields) => fields,
        // A bare text stays one as long as nothing else is to be said.
        _ if changes.is_empty() && is_said_otherwise => return json!(entry.content),
        text if changes.is_empty() => return text,
        text => Map::from_iter([("content".to_owned(), text)]),
    };
    if is_said_otherwise {
        let (name, text) = wording(&fields, &entry.content);
        fields.insert(name.to_owned(), json!(text));
    }
    for (name, now) in changes {
        match now {
            Some(now) => fields.insert(name.to_owned(), now),
            None => fields.shift_remove(name),
        };
    }
    Value::Object(fields)
}

/// Where the record has its text: traits and goals have a value, and traits a name before it.
fn wording<'t>(fields: &Map<String, Value>, text: &'t str) -> (&'static str, &'t str) {
    let of =
        |name: &str| fields.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    if of("content").is_some() || of("value").is_none() {
        return ("content", text);
    }
    let value = of("name").and_then(|name| text.trim().strip_prefix(name)?.strip_prefix(": "));
    ("value", value.unwrap_or(text))
}

fn has_list(record: &Value, name: &str) -> bool {
    !field::texts(record, name).is_empty()
}

pub(super) fn trigger_name(trigger: Trigger) -> &'static str {
    match trigger {
        Trigger::Keyword => "keyword",
        Trigger::Semantic => "semantic",
        Trigger::Temporal => "temporal",
        Trigger::Emotional => "emotional",
    }
}
