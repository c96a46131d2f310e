//! Who is in a group, and how do they take turns?

use reverie_core::Result;
use serde_json::Value;

use crate::document::file;
use crate::{Limits, field};

/// A file of the folder `groups`.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// The whole file.
    pub source: Value,
    pub id: String,
    pub name: String,
    /// Cards, by the names of their files.
    pub members: Vec<String>,
    /// Those of them who do not speak at the moment.
    pub disabled_members: Vec<String>,
    /// The chat that was open last.
    pub chat_id: Option<String>,
    /// Every chat of the group, by the name of its file without the ending.
    pub chats: Vec<String>,
    pub activation: Activation,
    pub generation: Generation,
    pub allow_self_responses: bool,
    /// In seconds.
    pub auto_mode_delay: Option<f64>,
    pub favourite: bool,
}

/// Who speaks next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Activation {
    /// Whoever was named, and whoever feels like it.
    #[default]
    Natural,
    /// Everybody in the order of the list.
    List,
    /// Whom the user chooses.
    Manual,
    /// One after another, each once.
    Pooled,
    Unknown(i64),
}

/// Whose card is in the prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Generation {
    /// That of the one who speaks.
    #[default]
    Swap,
    /// Those of everybody who is not disabled.
    Append,
    /// Those of everybody.
    AppendAll,
    Unknown(i64),
}

impl Group {
    pub fn read(bytes: &[u8], limits: &Limits) -> Result<Self> {
        let source = file(bytes, limits, "group")?.value;
        if !source.get("members").is_some_and(Value::is_array) {
            return Err(reverie_core::Error::invalid("this is no group: it has no list of members")
                .hint("groups are the JSON files in the folder `groups`"));
        }
        let chat_id = field::filled(&source, "chat_id");
        let mut chats = field::texts(&source, "chats");
        // Files from before a group had several chats name only one.
        if let Some(chat) = chat_id.as_ref().filter(|chat| !chats.contains(chat)) {
            chats.push(chat.clone());
        }
        Ok(Self {
            id: field::filled(&source, "id").unwrap_or_default(),
            name: field::filled(&source, "name").unwrap_or_default(),
            members: field::texts(&source, "members"),
            disabled_members: field::texts(&source, "disabled_members"),
            chat_id,
            chats,
            activation: match field::whole(&source, "activation_strategy") {
                None | Some(0) => Activation::Natural,
                Some(1) => Activation::List,
                Some(2) => Activation::Manual,
                Some(3) => Activation::Pooled,
                Some(other) => Activation::Unknown(other),
            },
            generation: match field::whole(&source, "generation_mode") {
                None | Some(0) => Generation::Swap,
                Some(1) => Generation::Append,
                Some(2) => Generation::AppendAll,
                Some(other) => Generation::Unknown(other),
            },
            allow_self_responses: field::flag(&source, "allow_self_responses").unwrap_or(false),
            auto_mode_delay: field::number(&source, "auto_mode_delay"),
            favourite: field::flag(&source, "fav").unwrap_or(false),
            source,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn group(value: Value) -> Result<Group> {
        Group::read(value.to_string().as_bytes(), &Limits::default())
    }

    #[test]
    fn groups_are_read_leniently() {
        let source = json!({"id": 17, "name": "夜の酒場", "members": ["Yuki.png", "猫.png", null], "chat_id": "b",
            "disabled_members": ["猫.png"], "chats": ["a", "b"], "activation_strategy": 3, "generation_mode": 1,
            "allow_self_responses": true, "auto_mode_delay": 5, "fav": "true", "unknown": {"kept": [1.5]}});
        let read = group(source.clone()).expect("a group");
        assert_eq!(read.source, source);
        assert_eq!((read.id.as_str(), read.name.as_str()), ("17", "夜の酒場"));
        assert_eq!((read.members.len(), read.disabled_members.len(), read.chats.len()), (2, 1, 2));
        assert_eq!((read.activation, read.generation), (Activation::Pooled, Generation::Append));
        assert!(read.allow_self_responses && read.favourite);

        let old =
            group(json!({"members": [], "chat_id": "only", "activation_strategy": 9})).expect("a group");
        assert_eq!((old.chats, old.activation), (vec!["only".to_owned()], Activation::Unknown(9)));
    }

    #[test]
    fn what_is_no_group_is_refused() {
        for value in [json!([]), json!({}), json!({"members": "Yuki.png"}), json!(null)] {
            assert!(
                group(value.clone()).expect_err("no group").message().contains("no list of members"),
                "{value}"
            );
        }
    }
}
