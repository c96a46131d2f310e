//! Worlds, characters, conversations and checkpoints on the wire.

use reverie_core::Conversation;
use reverie_core::character::{Character, Namespace};
use reverie_core::world::{Checkpoint, World};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::schemas::{Settings, SettingsPatch};
use super::settings::unflatten;
use super::time::format_time;
use super::who::{TextOrNumber, WireWho};
use super::{CharacterKind, Preset};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PutWorld {
    /// Default of a new world: `companion`.
    #[schemars(with = "Option<Preset>")]
    pub preset: Option<String>,
    /// What differs from the preset; null takes a setting away. Dotted keys (`prompt.budget`) mean the same as nested
    /// ones, and numbers may be sent as text.
    #[serde(default)]
    #[schemars(with = "SettingsPatch")]
    pub settings: Map<String, Value>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "World")]
pub struct WorldView {
    pub id: String,
    pub preset: Preset,
    /// What differs from the preset.
    #[schemars(with = "Settings")]
    pub settings: Value,
    /// Every commit adds one.
    pub revision: u64,
    /// The greatest tick on an active path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tick: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
}

impl From<World> for WorldView {
    fn from(world: World) -> Self {
        Self {
            id: world.id.to_string(),
            preset: world.preset.into(),
            settings: unflatten(&world.settings),
            revision: world.revision,
            tick: world.time,
            forked_from: world.forked_from.map(|id| id.to_string()),
            created: format_time(world.created_ms),
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ForkWorld {
    /// The id of the new world.
    pub id: String,
    /// Fork where this checkpoint stands, instead of now.
    pub checkpoint: Option<String>,
}

/// What to change about a character; an absent field stays, null removes.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PutCharacter {
    /// Default: `person`.
    #[schemars(with = "Option<CharacterKind>")]
    pub kind: Option<String>,
    /// The name to show; `name` is another name of this field.
    #[serde(default, alias = "name", deserialize_with = "super::present")]
    #[schemars(with = "Option<String>")]
    pub display_name: Option<Option<String>>,
    /// All that it is called besides: what is said of an alias is found as if the name had been said. Empty or null: nothing.
    #[serde(default, deserialize_with = "super::present")]
    #[schemars(with = "Option<Vec<String>>")]
    pub aliases: Option<Option<Vec<String>>>,
    /// The system prompt that makes a model speak as this character.
    #[serde(default, deserialize_with = "super::present")]
    #[schemars(with = "Option<String>")]
    pub persona: Option<Option<String>>,
    /// What world books may filter by, as names or ids. Null: nobody knows them, and filters by tag let the character
    /// through; an empty list: it has none.
    #[serde(default, deserialize_with = "super::present")]
    #[schemars(with = "Option<Vec<String>>")]
    pub tags: Option<Option<Vec<String>>>,
    /// The card of the library that it is made from, where its picture is. To take over what is on a card, use it
    /// (`PUT …/card`); this names one and changes nothing else.
    #[serde(default, deserialize_with = "super::present")]
    #[schemars(with = "Option<String>")]
    pub card: Option<Option<String>>,
    #[serde(default, deserialize_with = "super::who::text_or_number_or_null")]
    #[schemars(with = "Option<TextOrNumber>")]
    pub role_id: Option<Option<String>>,
    #[serde(default, deserialize_with = "super::who::text_or_number_or_null")]
    #[schemars(with = "Option<TextOrNumber>")]
    pub script_role_id: Option<Option<String>>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Character")]
pub struct CharacterView {
    pub id: String,
    pub kind: CharacterKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// What it is called besides. Absent: nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aliases: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persona: Option<String>,
    /// Absent: nobody knows them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
    /// The card of the library that it is made from: `GET /v1/cards/{card}/portrait` is its picture. That card may have been
    /// deleted since. Absent: nobody knows, or there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub script_role_id: Option<String>,
}

impl From<Character> for CharacterView {
    fn from(character: Character) -> Self {
        Self {
            role_id: character.host_id(Namespace::Role).map(str::to_owned),
            script_role_id: character.host_id(Namespace::ScriptRole).map(str::to_owned),
            id: character.id.to_string(),
            kind: character.card.kind.into(),
            display_name: character.card.display_name,
            aliases: Some(character.card.aliases).filter(|aliases| !aliases.is_empty()),
            persona: character.card.persona,
            tags: character.card.tags,
            card: character.card.document.map(|id| id.to_string()),
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "OpenConversation")]
pub struct OpenConversationBody {
    /// Your own id for it; absent: one is chosen.
    pub id: Option<String>,
    /// Makes it a scene, found again by this name.
    pub name: Option<String>,
    /// Without a name: the set that identifies the conversation. With one: who is there at the start.
    #[serde(default)]
    pub participants: Vec<WireWho>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Conversation")]
pub struct ConversationView {
    pub id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub participants: Vec<String>,
    /// Who would witness the next line.
    pub present: Vec<String>,
    /// The newest line of the active path; absent: nothing is recorded yet, or all of it undone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
}

impl From<Conversation> for ConversationView {
    fn from(conversation: Conversation) -> Self {
        Self {
            id: conversation.id.to_string(),
            name: conversation.name,
            participants: conversation.participants.iter().map(ToString::to_string).collect(),
            present: conversation.present.iter().map(ToString::to_string).collect(),
            head: conversation.head.map(|head| head.to_string()),
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetPresent {
    /// Everybody who is there from now on.
    pub present: Vec<WireWho>,
    #[serde(default, deserialize_with = "super::present_id")]
    #[schemars(with = "Option<TextOrNumber>")]
    pub expected_head: Option<Option<String>>,
}

/// Either `line` or `undo`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveHead {
    /// The line to stand on; null empties the path. `head` is another name of this field.
    #[serde(default, alias = "head", deserialize_with = "super::present_id")]
    #[schemars(with = "Option<TextOrNumber>")]
    pub line: Option<Option<String>>,
    /// Go back by so many lines, of those that were shown.
    pub undo: Option<usize>,
    #[serde(default, deserialize_with = "super::present_id")]
    #[schemars(with = "Option<TextOrNumber>")]
    pub expected_head: Option<Option<String>>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Checkpoint")]
pub struct CheckpointView {
    pub id: String,
    pub revision: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tick: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
}

impl From<Checkpoint> for CheckpointView {
    fn from(checkpoint: Checkpoint) -> Self {
        Self {
            id: checkpoint.id.to_string(),
            revision: checkpoint.revision,
            tick: checkpoint.time,
            created: format_time(checkpoint.created_ms),
        }
    }
}
