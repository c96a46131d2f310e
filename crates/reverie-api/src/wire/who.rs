//! How does a host name somebody?

use reverie_core::character::{Named, Who};
use reverie_core::text::clean_in_place;
use reverie_core::{CharacterId, Result};
use schemars::JsonSchema;
use serde::de::{Error as _, Unexpected};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// Somebody: an id, or an object with the identity columns of the host's own table.
#[derive(Debug, Clone, JsonSchema)]
#[schemars(rename = "Who", untagged)]
pub enum WireWho {
    Id(#[schemars(with = "TextOrNumber")] String),
    Named(WireNamed),
}

impl<'de> Deserialize<'de> for WireWho {
    /// By hand, so that a mistake is named instead of "did not match any variant".
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match Value::deserialize(from)? {
            fields @ Value::Object(_) => {
                WireNamed::deserialize(fields).map(Self::Named).map_err(D::Error::custom)
            }
            Value::Null => Err(D::Error::invalid_type(Unexpected::Unit, &"somebody")),
            id => text_or_number(id).map(|id| Self::Id(id.unwrap_or_default())).map_err(D::Error::custom),
        }
    }
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Named")]
pub struct WireNamed {
    /// Reverie's id, if known. A `display_name` beside it is the label of somebody new, and the name in a round that opens.
    #[serde(default, deserialize_with = "text_or_number")]
    #[schemars(with = "Option<TextOrNumber>")]
    pub id: Option<String>,
    #[serde(default, deserialize_with = "text_or_number")]
    #[schemars(with = "Option<TextOrNumber>")]
    pub role_id: Option<String>,
    #[serde(default, deserialize_with = "text_or_number")]
    #[schemars(with = "Option<TextOrNumber>")]
    pub script_role_id: Option<String>,
    pub display_name: Option<String>,
}

/// Ids arrive as numbers or as text and are compared as text.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "describes the wire in the schema")]
pub(crate) enum TextOrNumber {
    Text(String),
    Number(i64),
}

impl WireWho {
    /// Replaces what XML cannot carry; how many characters that were.
    pub(crate) fn clean(&mut self) -> usize {
        match self {
            Self::Id(id) => clean_in_place(id),
            Self::Named(WireNamed { id, role_id, script_role_id, display_name }) => {
                [id, role_id, script_role_id, display_name].into_iter().flatten().map(clean_in_place).sum()
            }
        }
    }

    pub fn into_who(self) -> Result<Who> {
        match self {
            Self::Id(id) => CharacterId::new(&id).map(Who::Id),
            Self::Named(named) => named.into_who()?.ok_or_else(|| {
                reverie_core::Error::invalid("somebody is named by nothing")
                    .hint("give an id as text, or an object with role_id, script_role_id or display_name")
            }),
        }
    }
}

impl WireNamed {
    /// None if nothing is said at all.
    pub fn into_who(self) -> Result<Option<Who>> {
        if let Some(id) = filled(self.id) {
            let id = CharacterId::new(&id)?;
            return Ok(Some(match filled(self.display_name) {
                Some(name) => Who::Called(id, name),
                None => Who::Id(id),
            }));
        }
        let named = Named {
            role_id: filled(self.role_id),
            script_role_id: filled(self.script_role_id),
            display_name: filled(self.display_name),
        };
        Ok((named != Named::default()).then_some(Who::Named(named)))
    }
}

pub fn into_all(all: Vec<WireWho>) -> Result<Vec<Who>> {
    all.into_iter().map(WireWho::into_who).collect()
}

/// An empty text says nothing.
pub(crate) fn filled(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.is_empty())
}

pub(crate) fn text_or_number<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    match Value::deserialize(from)? {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text)),
        Value::Number(number) if !number.is_f64() => Ok(Some(number.to_string())),
        other => {
            Err(D::Error::invalid_type(Unexpected::Other(&other.to_string()), &"a text or a whole number"))
        }
    }
}

/// Tells an absent field (None) from one that is null (Some(None)).
pub(crate) fn text_or_number_or_null<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<Option<String>>, D::Error> {
    text_or_number(from).map(Some)
}
