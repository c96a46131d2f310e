//! Who speaks to whom, where, and to what end, as far as the client says so?
//!
//! Headers come first, then the `reverie` object of the body, then the fields that the API has for it, then the name of the model, then what
//! the client's key stands for, then the settings.

use reverie_core::{CharacterId, WorldId};
use reverie_formats::completions::{Body, Kind};

use super::failure::Instead;
use super::habits::Talkers;
use super::saying::{Said, text, unknown};
use super::{Client, Proxy, failure};
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
    /// Whether the client's key says who that is: nobody becomes somebody else by what is typed.
    pub(super) key_names_user: bool,
    pub(super) key_names_character: bool,
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
        let said = Said::read(&client.head.headers, body.and_then(Body::reverie))?;
        let named = said
            .text("world")?
            .map(|id| WorldId::new(&id))
            .transpose()
            .map_err(|error| failure::refusal(400, "invalid_world", error.message()))?;
        let world = world(named, key, &settings.world)?;
        let kind = match said.text("kind")?.map(|kind| kind.to_lowercase()).as_deref() {
            None => None,
            Some("chat") => Some(Kind::Chat),
            Some("utility") => Some(Kind::Utility("asked")),
            Some(_) => return Err(unknown("kind", "one of chat or utility, in any case")),
        };
        let memory = settings.memory && said.switch("memory")?.unwrap_or(true);
        let user = match said.text("user")? {
            None if memory => user_of(body)?,
            user => user,
        };
        Ok(Self {
            world,
            user,
            character: said.text("character")?,
            character_of_model: character_of_model.map(str::to_owned),
            conversation: said.text("conversation")?,
            present: said.list("present")?,
            kind,
            only_witnessed: said.switch("only-witnessed")?.unwrap_or(settings.only_witnessed),
            memory,
            default_user: key.and_then(|key| key.user.clone()).unwrap_or_else(|| settings.user.clone()),
            default_character: key
                .and_then(|key| key.character.clone())
                .unwrap_or_else(|| settings.character.clone()),
            key_names_user: key.is_some_and(|key| key.user.is_some()),
            key_names_character: key.is_some_and(|key| key.character.is_some()),
        })
    }
}

impl Named {
    /// Who talks to whom, as far as it is known before the messages are read.
    pub(super) fn talkers(&self) -> Talkers {
        let character = self.character.as_deref().or(self.character_of_model.as_deref());
        (
            self.world.clone(),
            self.user.as_deref().unwrap_or(self.default_user.as_str()).to_owned(),
            character.unwrap_or(self.default_character.as_str()).to_owned(),
        )
    }
}

/// The field that the API has for whoever speaks.
fn user_of(body: Option<&Body>) -> Result<Option<String>, Instead> {
    let Some(value) = body.and_then(|body| body.field("user")).filter(|value| !value.is_null()) else {
        return Ok(None);
    };
    let Some(user) = text(&value) else {
        return Err(failure::refusal(400, "invalid_user", "user is a text or a number").into());
    };
    Ok(Some(user.trim().to_owned()).filter(|user| !user.is_empty()))
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
