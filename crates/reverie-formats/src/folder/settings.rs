//! Who is the user, and how are world books searched? Both stand in `settings.json`, among much else.

use std::collections::BTreeMap;

use reverie_core::{Error, Result};
use serde_json::Value;

use crate::document::file;
use crate::lenient::as_text;
use crate::{Limits, field};

/// The parts of `settings.json` that mean something here.
#[derive(Debug, Clone, PartialEq)]
pub struct UserSettings {
    pub user_name: Option<String>,
    /// The picture, and so the persona, that was used last.
    pub user_avatar: Option<String>,
    pub personas: Vec<Persona>,
    pub lore: LoreSettings,
    /// None: nothing is said of tags.
    pub tags: Option<Tags>,
}

/// What cards are sorted by, and entries of world books may be filtered by.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tags {
    /// Id and name, in the order of the file.
    pub names: Vec<(String, String)>,
    /// The ids of each card, by the name of its file; of a group, by its id.
    pub of: BTreeMap<String, Vec<String>>,
}

/// One of the people as whom the user speaks.
#[derive(Debug, Clone, PartialEq)]
pub struct Persona {
    /// The name of the picture's file, which is its key everywhere.
    pub avatar: String,
    pub name: String,
    pub description: String,
    pub title: String,
    pub position: PersonaPosition,
    pub depth: Option<u32>,
    pub role: Option<u32>,
    /// A world book of its own.
    pub lorebook: Option<String>,
    pub is_default: bool,
    /// What else is said about it, whole.
    pub source: Value,
}

/// Where a persona's description goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PersonaPosition {
    InPrompt,
    NoteTop,
    NoteBottom,
    AtDepth,
    Nowhere,
    Unknown(i64),
}

/// How world books are searched; what a file leaves out has the default of the program that wrote it.
#[derive(Debug, Clone, PartialEq)]
pub struct LoreSettings {
    /// Messages that are searched.
    pub depth: u32,
    /// Of the context.
    pub budget_percent: f64,
    /// In tokens; 0: no cap.
    pub budget_cap: u32,
    pub recursive: bool,
    /// 0: no limit.
    pub max_recursion_steps: u32,
    pub min_activations: u32,
    /// 0: no limit.
    pub min_activations_depth_max: u32,
    /// Names of speakers are searched too.
    pub include_names: bool,
    pub case_sensitive: bool,
    pub whole_words: bool,
    pub group_scoring: bool,
    pub overflow_alert: bool,
    pub strategy: Strategy,
    /// Books for every chat.
    pub global_books: Vec<String>,
    /// More books of a card, by the name of the card's file without its ending.
    pub character_books: Vec<(String, Vec<String>)>,
}

/// Whose books come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    Evenly,
    CharacterFirst,
    GlobalFirst,
}

impl UserSettings {
    pub fn read(bytes: &[u8], limits: &Limits) -> Result<Self> {
        let all = file(bytes, limits, "file of settings")?.value;
        if !all.is_object() {
            return Err(Error::invalid("this is no file of settings: it is not an object"));
        }
        Ok(Self {
            user_name: field::filled(&all, "username").or_else(|| field::filled(&all, "name1")),
            user_avatar: field::filled(&all, "user_avatar"),
            personas: personas(all.get("power_user").unwrap_or(&Value::Null)),
            // Before they had a place of their own these settings stood between all others.
            lore: LoreSettings::read(all.get("world_info_settings").unwrap_or(&all)),
            tags: tags(&all),
        })
    }

    pub fn default_persona(&self) -> Option<&Persona> {
        let last = || self.personas.iter().find(|persona| Some(&persona.avatar) == self.user_avatar.as_ref());
        self.personas.iter().find(|persona| persona.is_default).or_else(last)
    }
}

/// Who has which tag is what matters; without that nobody is known to have any, or none.
fn tags(all: &Value) -> Option<Tags> {
    let map = all.get("tag_map")?.as_object()?;
    let list = all.get("tags").and_then(Value::as_array);
    let one = |tag: &Value| Some((field::filled(tag, "id")?, field::filled(tag, "name")?));
    // Only a list says that somebody's tags are known.
    let ids = |(card, ids): (&String, &Value)| {
        let ids = ids.as_array()?.iter().filter_map(as_text).collect();
        Some((card.clone(), ids))
    };
    Some(Tags {
        names: list.into_iter().flatten().filter_map(one).collect(),
        of: map.iter().filter_map(ids).collect(),
    })
}

/// The power user's part, or a backup of personas, which has the same members.
pub fn personas(all: &Value) -> Vec<Persona> {
    let default = field::filled(all, "default_persona");
    let names = all.get("personas").and_then(Value::as_object);
    let persona = |(avatar, name): (&String, &Value)| {
        let about =
            all.get("persona_descriptions").and_then(|all| all.get(avatar)).cloned().unwrap_or_default();
        Persona {
            avatar: avatar.clone(),
            name: name.as_str().unwrap_or_default().to_owned(),
            description: field::text(&about, "description").unwrap_or_default(),
            title: field::text(&about, "title").unwrap_or_default(),
            position: match field::whole(&about, "position") {
                // After the character is where it no longer goes.
                None | Some(0 | 1) => PersonaPosition::InPrompt,
                Some(2) => PersonaPosition::NoteTop,
                Some(3) => PersonaPosition::NoteBottom,
                Some(4) => PersonaPosition::AtDepth,
                Some(9) => PersonaPosition::Nowhere,
                Some(other) => PersonaPosition::Unknown(other),
            },
            depth: field::count(&about, "depth"),
            role: field::count(&about, "role"),
            lorebook: field::filled(&about, "lorebook"),
            is_default: default.as_ref() == Some(avatar),
            source: about,
        }
    };
    names.into_iter().flatten().map(persona).collect()
}

impl LoreSettings {
    pub fn read(of: &Value) -> Self {
        let count = |key: &str, default: u32| field::count(of, key).unwrap_or(default);
        let flag = |key: &str, default: bool| field::flag(of, key).unwrap_or(default);
        let books = of.get("world_info").unwrap_or(&Value::Null);
        let percent =
            field::number(of, "world_info_budget").filter(|percent| (0.0..=100.0).contains(percent));
        Self {
            depth: count("world_info_depth", 2),
            budget_percent: percent.unwrap_or(25.0),
            budget_cap: count("world_info_budget_cap", 0),
            recursive: flag("world_info_recursive", false),
            max_recursion_steps: count("world_info_max_recursion_steps", 0),
            min_activations: count("world_info_min_activations", 0),
            min_activations_depth_max: count("world_info_min_activations_depth_max", 0),
            include_names: flag("world_info_include_names", true),
            case_sensitive: flag("world_info_case_sensitive", false),
            whole_words: flag("world_info_match_whole_words", false),
            group_scoring: flag("world_info_use_group_scoring", false),
            overflow_alert: flag("world_info_overflow_alert", false),
            strategy: match field::whole(of, "world_info_character_strategy") {
                Some(0) => Strategy::Evenly,
                Some(2) => Strategy::GlobalFirst,
                _ => Strategy::CharacterFirst,
            },
            global_books: field::texts(books, "globalSelect"),
            character_books: character_books(books),
        }
    }
}

fn character_books(books: &Value) -> Vec<(String, Vec<String>)> {
    let all = books.get("charLore").and_then(Value::as_array);
    let one = |lore: &Value| Some((field::filled(lore, "name")?, field::texts(lore, "extraBooks")));
    all.into_iter().flatten().filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn settings(value: &Value) -> UserSettings {
        UserSettings::read(value.to_string().as_bytes(), &Limits::default()).expect("settings")
    }

    #[test]
    fn personas_are_read() {
        let read = settings(&json!({"username": "Mei", "user_avatar": "b.png", "power_user": {
            "personas": {"a.png": "梅", "b.png": "Captain", "c.png": null},
            "persona_descriptions": {
                "a.png": {"description": "学生", "position": 4, "depth": 2, "role": 0, "lorebook": "School", "x": 1},
                "b.png": {"description": "", "position": 9, "lorebook": ""}},
            "default_persona": "a.png"}}));
        let seen: Vec<(&str, &str, PersonaPosition, Option<&str>)> = read
            .personas
            .iter()
            .map(|p| (p.name.as_str(), p.description.as_str(), p.position, p.lorebook.as_deref()))
            .collect();
        assert_eq!(
            seen,
            [
                ("梅", "学生", PersonaPosition::AtDepth, Some("School")),
                ("Captain", "", PersonaPosition::Nowhere, None),
                ("", "", PersonaPosition::InPrompt, None),
            ]
        );
        assert_eq!(read.personas[0].source["x"], json!(1));
        assert_eq!(read.default_persona().map(|persona| persona.avatar.as_str()), Some("a.png"));
        let last = settings(
            &json!({"user_avatar": "b.png", "power_user": {"personas": {"a.png": "A", "b.png": "B"}}}),
        );
        assert_eq!(last.default_persona().map(|persona| persona.name.as_str()), Some("B"));
    }

    #[test]
    fn searching_has_defaults() {
        let none = settings(&json!({}));
        assert_eq!((none.lore.depth, none.lore.budget_percent, none.lore.include_names), (2, 25.0, true));
        assert_eq!(none.lore.strategy, Strategy::CharacterFirst);
        let old = settings(&json!({"world_info_depth": 7, "world_info_budget": 900}));
        assert_eq!((old.lore.depth, old.lore.budget_percent), (7, 25.0));
        let read = settings(&json!({"world_info_depth": 7, "world_info_settings": {
            "world_info": {"globalSelect": ["Eldoria", 5], "charLore": [{"name": "Yuki", "extraBooks": ["Tea"]}, {}]},
            "world_info_depth": 4, "world_info_budget": 50, "world_info_recursive": true,
            "world_info_min_activations": "3", "world_info_match_whole_words": true,
            "world_info_character_strategy": 2, "world_info_budget_cap": 1024}}));
        let lore = &read.lore;
        assert_eq!(
            (lore.depth, lore.budget_percent, lore.budget_cap, lore.min_activations),
            (4, 50.0, 1024, 3)
        );
        assert_eq!((lore.recursive, lore.whole_words, lore.strategy), (true, true, Strategy::GlobalFirst));
        assert_eq!(lore.global_books, ["Eldoria", "5"]);
        assert_eq!(lore.character_books, [("Yuki".to_owned(), vec!["Tea".to_owned()])]);
    }

    #[test]
    fn tags_are_read() {
        let read = settings(&json!({
            "tags": [{"id": "a-1", "name": " 英雄 ", "color": "red"}, {"id": 7, "name": "villain"}, {"id": "x"}, 5],
            "tag_map": {"Yuki.png": ["a-1", 7], "Rei.png": [], "1700000000": ["a-1"], "odd.png": "a-1"}}));
        let tags = read.tags.expect("tags");
        let names: Vec<(&str, &str)> = tags.names.iter().map(|(id, name)| (&**id, &**name)).collect();
        assert_eq!(names, [("a-1", "英雄"), ("7", "villain")]);
        let of = |card: &str| tags.of.get(card).map(|ids| ids.join(" "));
        assert_eq!(of("Yuki.png").as_deref(), Some("a-1 7"));
        assert_eq!((of("Rei.png").as_deref(), of("odd.png"), of("Mei.png")), (Some(""), None, None));
        for nothing in [json!({}), json!({"tags": []}), json!({"tag_map": null}), json!({"tag_map": []})] {
            assert_eq!(settings(&nothing).tags, None, "{nothing}");
        }
    }

    #[test]
    fn what_is_no_settings_is_refused() {
        for bytes in [&b"[]"[..], b"", b"{", b"5"] {
            assert!(UserSettings::read(bytes, &Limits::default()).is_err());
        }
    }
}
