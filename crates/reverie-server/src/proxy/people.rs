//! Who is meant by a name, however it is spelt?
//!
//! A client may write an id or a name. Both must lead to the same chats, so whoever talks is known by id before anything is looked for.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use reverie_core::character::{Character, CharacterPatch, Named, Who};
use reverie_core::{CharacterId, Code, Engine, Result, WorldId};

/// More of them are forgotten.
const MANY: usize = 10_000;

/// Somebody in a chat.
#[derive(Debug, Clone)]
pub(super) struct Person {
    pub(super) who: Who,
    /// Every name that is known.
    pub(super) names: Vec<String>,
}

impl Person {
    /// By an id that exists, or else by name: whoever bears it, or somebody new. Nobody is made yet.
    pub(super) fn find(engine: &Engine, world: &WorldId, text: &str) -> Result<Self> {
        let text = text.trim();
        let id = CharacterId::new(text)?;
        match engine.character(world, &id) {
            Ok(character) => {
                let name = character.card.display_name.filter(|name| name != text);
                let names = std::iter::once(text.to_owned()).chain(name).collect();
                Ok(Self { who: Who::Id(id), names })
            }
            Err(error) if error.code() == Code::NotFound => {
                let named = Named { display_name: Some(text.to_owned()), ..Named::default() };
                Ok(Self { who: Who::Named(named), names: vec![text.to_owned()] })
            }
            Err(error) => Err(error),
        }
    }

    pub(super) fn is_called(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name)
    }

    /// Whether the two are one.
    pub(super) fn is(&self, other: &Self) -> bool {
        match (self.who.id(), other.who.id()) {
            (Some(one), Some(another)) => one == another,
            _ => self.names.iter().any(|name| other.is_called(name)),
        }
    }
}

/// Whom names meant when they were heard last: asking the store costs a write.
#[derive(Debug, Default)]
pub(super) struct People {
    by_name: Mutex<HashMap<(WorldId, String), CharacterId>>,
}

impl People {
    /// Makes sure that this person is known by id, and is there.
    pub(super) fn resolve(&self, engine: &Engine, world: &WorldId, person: &mut Person) -> Result<()> {
        let Some(name) = person.who.called().filter(|_| person.who.id().is_none()) else { return Ok(()) };
        let key = (world.clone(), name.to_owned());
        let known = self.by_name.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        let still_so = |character: &Character| character.card.display_name.as_ref() == Some(&key.1);
        let known = known.and_then(|id| engine.character(world, &id).ok()).filter(still_so);
        let character = match known {
            Some(character) => character,
            None => engine.put_character(world, person.who.clone(), CharacterPatch::default())?.value,
        };
        let mut by_name = self.by_name.lock().unwrap_or_else(PoisonError::into_inner);
        if by_name.len() > MANY {
            by_name.clear();
        }
        by_name.insert(key, character.id.clone());
        drop(by_name);
        let id = character.id.to_string();
        if !person.is_called(&id) {
            person.names.insert(0, id);
        }
        // Whoever was called by an alias has a name besides.
        if let Some(name) = character.card.display_name.filter(|name| !person.is_called(name)) {
            person.names.push(name);
        }
        person.who = Who::Id(character.id);
        Ok(())
    }
}
