//! What does one record of a memory say, and what does its kind assume where it says nothing?

use std::sync::Arc;

use reverie_core::lore::Entry;
use reverie_core::lore::entry::Trigger;
use serde_json::Value;

use crate::chat::time;
use crate::field;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MemoryKind {
    /// What happened.
    Episodic,
    /// Facts about people and the world.
    Semantic,
    /// What somebody is like.
    Trait,
    /// What somebody wants or promised.
    Goal,
}

/// What a kind assumes.
struct Defaults {
    priority: i64,
    constant: bool,
    relevance: f64,
    emotional: f64,
    decay: f64,
}

impl MemoryKind {
    pub const ALL: [Self; 4] = [Self::Episodic, Self::Semantic, Self::Trait, Self::Goal];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Episodic => "episodic",
            Self::Semantic => "semantic",
            Self::Trait => "trait",
            Self::Goal => "goal",
        }
    }

    /// The name of its list in the file.
    pub fn list(self) -> &'static str {
        match self {
            Self::Episodic => "episodic",
            Self::Semantic => "semantic",
            Self::Trait => "traits",
            Self::Goal => "goals",
        }
    }

    fn defaults(self) -> Defaults {
        let (priority, constant, relevance, emotional, decay) = match self {
            Self::Episodic => (50, false, 0.8, 0.5, 0.1),
            Self::Semantic => (60, false, 0.9, 0.3, 0.05),
            Self::Trait => (70, true, 1.0, 0.5, 0.01),
            Self::Goal => (60, false, 0.8, 0.7, 0.02),
        };
        Defaults { priority, constant, relevance, emotional, decay }
    }
}

/// One record, with what its kind assumes filled in.
#[derive(Debug, Clone, PartialEq)]
pub struct MemoryRecord {
    pub source: Value,
    pub kind: MemoryKind,
    /// May be empty.
    pub id: String,
    pub content: String,
    pub keywords: Vec<String>,
    pub trigger: Trigger,
    /// From 0 to 100.
    pub priority: i64,
    pub constant: bool,
    /// Whose it is, where the record itself says so.
    pub role: Option<String>,
    pub timestamp_ms: Option<i64>,
    pub relevance_weight: f64,
    pub emotional_weight: f64,
    /// Per day.
    pub time_decay: f64,
    pub topics: Vec<String>,
    pub emotions: Vec<String>,
}

impl MemoryRecord {
    /// None if it says nothing. The list decides what kind a record is, whatever its `type` says.
    pub(super) fn read(kind: MemoryKind, source: &Value) -> Option<Self> {
        let defaults = kind.defaults();
        let share = |key: &str, default: f64| {
            field::number(source, key).filter(|number| *number >= 0.0).unwrap_or(default)
        };
        let first = |keys: [&str; 2]| {
            let found = keys.iter().map(|key| field::texts(source, key)).find(|texts| !texts.is_empty());
            found.unwrap_or_default()
        };
        let time =
            ["timestamp", "updatedAt", "createdAt"].iter().find_map(|key| time::read(source.get(*key)?));
        Some(Self {
            kind,
            id: field::filled(source, "id").unwrap_or_default(),
            content: content(source)?,
            keywords: filled(field::texts(source, "keywords")),
            trigger: trigger(source),
            priority: field::number(source, "priority")
                .map_or(defaults.priority, |priority| priority.clamp(0.0, 100.0) as i64),
            constant: field::flag(source, "isConstant").unwrap_or(defaults.constant),
            role: field::filled(source, "roleUuid"),
            timestamp_ms: time.map(|time| time.ms),
            relevance_weight: share("relevanceWeight", defaults.relevance),
            emotional_weight: share("emotionalWeight", defaults.emotional),
            time_decay: share("timeDecayFactor", defaults.decay),
            topics: filled(first(["relatedTopics", "tags"])),
            emotions: filled(field::texts(source, "emotionalContext")),
            source: source.clone(),
        })
    }

    /// An entry that only this character knows.
    pub(super) fn entry(&self, character: Option<&str>) -> Entry {
        let role = self.role.as_deref().or(character);
        Entry {
            id: Arc::from(self.id.as_str()),
            comment: self.kind.as_str().to_owned(),
            content: self.content.clone(),
            keys: self.keywords.clone(),
            constant: self.constant,
            vectorized: self.trigger == Trigger::Semantic,
            trigger: self.trigger,
            priority: Some(self.priority),
            relevance_weight: Some(self.relevance_weight),
            emotional_weight: Some(self.emotional_weight),
            time_decay: Some(self.time_decay),
            topics: self.topics.clone(),
            emotions: self.emotions.clone(),
            known_by: role.map(ToOwned::to_owned).into_iter().collect(),
            ..Entry::default()
        }
    }
}

/// Traits have a name and a value, goals only a value; a bare text is a record, too.
fn content(source: &Value) -> Option<String> {
    if let Some(text) = source.as_str().map(str::trim).filter(|text| !text.is_empty()) {
        return Some(text.to_owned());
    }
    if let Some(content) = field::filled(source, "content") {
        return Some(content);
    }
    let value = field::filled(source, "value")?;
    Some(match field::filled(source, "name") {
        Some(name) => format!("{name}: {value}"),
        None => value,
    })
}

fn trigger(source: &Value) -> Trigger {
    match field::filled(source, "triggerType").unwrap_or_default().to_ascii_lowercase().as_str() {
        "semantic" => Trigger::Semantic,
        "temporal" => Trigger::Temporal,
        "emotional" => Trigger::Emotional,
        _ => Trigger::Keyword,
    }
}

fn filled(texts: Vec<String>) -> Vec<String> {
    texts.into_iter().filter(|text| !text.trim().is_empty()).collect()
}
