//! Who speaks to whom, where, and to what end, as far as the client says so?
//!
//! Headers come first, then the `reverie` object of the body, then the fields that the API has for it, then the name of the model, then what
//! the client's key stands for, then the settings.

use hyper::header::HeaderMap;
use reverie_core::{CharacterId, WorldId};
use reverie_formats::completions::{Body, Kind};
use serde_json::Value;

use super::failure::Instead;
use super::{Client, Proxy, failure, headers};
use crate::settings::ClientKey;

/// What is said before anything is looked up.
#[derive(Debug, Clone)]
pub(super) struct Named {
    pub(super) world: WorldId,
    /// As the client says: an id, or a name.
    pub(super) user: Option<String>,
    pub(super) character: Option<String>,
    /// From the model's name.
    pub(super) character_of_model: Option<String>,
    pub(super) conversation: Option<String>,
    pub(super) present: Vec<String>,
    pub(super) kind: Option<Kind>,
    pub(super) only_witnessed: bool,
    pub(super) memory: bool,
    /// What is meant where nobody says anything else.
    pub(super) default_user: CharacterId,
    pub(super) default_character: CharacterId,
}

impl Named {
    pub(super) fn read(
        proxy: &Proxy,
        client: &Client<'_>,
        body: Option<&Body>,
        character_of_model: Option<&str>,
    ) -> Result<Self, Instead> {
        let settings = &proxy.settings;
        let key = client.key.as_deref();
        let said = Said { headers: &client.head.headers, ours: body.and_then(Body::reverie) };
        let named = said.text("world");
        let named = named
            .map(|id| WorldId::new(&id))
            .transpose()
            .map_err(|error| failure::refusal(400, "invalid_world", error.message()))?;
        let world = world(named, key, &settings.world)?;
        let kind = match said.text("kind").map(|kind| kind.to_lowercase()).as_deref() {
            None => None,
            Some("chat") => Some(Kind::Chat),
            Some("utility") => Some(Kind::Utility("asked")),
            Some(_) => return Err(unknown("kind", "chat or utility")),
        };
        Ok(Self {
            world,
            user: said
                .text("user")
                .or_else(|| body.and_then(Body::user))
                .filter(|user| !user.trim().is_empty()),
            character: said.text("character"),
            character_of_model: character_of_model.map(str::to_owned),
            conversation: said.text("conversation"),
            present: said.list("present"),
            kind,
            only_witnessed: said.switch("only-witnessed")?.unwrap_or(settings.only_witnessed),
            memory: settings.memory && said.switch("memory")?.unwrap_or(true),
            default_user: key.and_then(|key| key.user.clone()).unwrap_or_else(|| settings.user.clone()),
            default_character: key
                .and_then(|key| key.character.clone())
                .unwrap_or_else(|| settings.character.clone()),
        })
    }
}

/// A word that means nothing here.
fn unknown(name: &str, words: &str) -> Instead {
    let (header, field) = (format!("x-reverie-{name}"), name.replace('-', "_"));
    let message = format!("{header} and reverie.{field} are one of {words}, in any case");
    failure::refusal(400, &format!("invalid_{field}"), &message).into()
}

/// A key that names a world opens no other.
fn world(named: Option<WorldId>, key: Option<&ClientKey>, default: &WorldId) -> Result<WorldId, Instead> {
    let of_key = key.and_then(|key| key.world.as_ref());
    match (named, of_key) {
        (Some(named), Some(opened)) if named != *opened => {
            Err(failure::refusal(403, "wrong_world", "this key is for another world").into())
        }
        (named, of_key) => Ok(named.or_else(|| of_key.cloned()).unwrap_or_else(|| default.clone())),
    }
}

/// What the client says to us alone.
struct Said<'a> {
    headers: &'a HeaderMap,
    ours: Option<&'a Value>,
}

impl Said<'_> {
    fn header(&self, name: &str) -> Option<String> {
        headers::text(self.headers, &format!("x-reverie-{name}"))
    }

    fn field(&self, name: &str) -> Option<&Value> {
        self.ours?.get(name.replace('-', "_"))
    }

    fn text(&self, name: &str) -> Option<String> {
        let field = || self.field(name)?.as_str().map(str::trim).map(str::to_owned);
        self.header(name).or_else(field).filter(|text| !text.is_empty())
    }

    /// What is not understood is refused: whoever wants no memory must not get one because of a word.
    fn switch(&self, name: &str) -> Result<Option<bool>, Instead> {
        let written = match (self.header(name), self.field(name)) {
            (Some(header), _) => header,
            (None, None | Some(Value::Null)) => return Ok(None),
            (None, Some(Value::String(text))) => text.clone(),
            (None, Some(value)) => value.to_string(),
        };
        match written.trim().to_lowercase().as_str() {
            "on" | "true" | "yes" | "1" => Ok(Some(true)),
            "off" | "false" | "no" | "0" => Ok(Some(false)),
            "" => Ok(None),
            _ => Err(unknown(name, "on, true, yes, 1, off, false, no or 0")),
        }
    }

    fn list(&self, name: &str) -> Vec<String> {
        let raw = self
            .headers
            .get(format!("x-reverie-{name}"))
            .and_then(|value| std::str::from_utf8(value.as_bytes()).ok());
        // Decoded one by one: a name may have a comma in it.
        let written =
            raw.map(|raw| raw.split(',').map(|part| headers::decoded(part.trim())).collect::<Vec<_>>());
        let field = || {
            let list = self.field(name)?.as_array()?.iter();
            Some(list.filter_map(|one| one.as_str().map(str::to_owned)).collect())
        };
        let found: Vec<String> = written.or_else(field).unwrap_or_default();
        found.into_iter().filter(|name| !name.trim().is_empty()).collect()
    }
}
