//! Whom does somebody mean who types a name?
//!
//! An id comes first; then the one who alone bears this name, or who alone is called so besides, as in chats that come by the proxy.

use reverie_core::{Character, CharacterId, Code, Engine, Error, Result, WorldId};

/// Most characters that a hint names.
const NAMED: usize = 20;

/// None where nobody is called so, or where there is no such world yet. Of several none is chosen.
pub(super) fn find(engine: &Engine, world: &WorldId, name: &str) -> Result<Option<Character>> {
    let id = CharacterId::new(name)?;
    if let Some(character) = if_there(engine.character(world, &id))? {
        return Ok(Some(character));
    }
    let mut bearers = if_there(engine.bearers(world, id.as_str()))?.unwrap_or_default();
    if bearers.len() > 1 {
        let ids: Vec<&str> = bearers.iter().map(|one| one.id.as_str()).collect();
        return Err(Error::invalid(format!("several in the world {world} are called {name}"))
            .hint(format!("name the one you mean by its id: {}", ids.join(", "))));
    }
    Ok(bearers.pop())
}

/// Whoever is meant, where somebody must be: a misspelt name must not look like one who forgot everything.
pub(super) fn existing(engine: &Engine, world: &WorldId, name: &str) -> Result<Character> {
    match find(engine, world, name)? {
        Some(character) => Ok(character),
        None => Err(Error::not_found(format!("there is no character {name:?}")).hint(others(engine, world)?)),
    }
}

/// What somebody is called; an id that nobody has, yet, is a name as well.
pub(super) fn name_of(engine: &Engine, world: &WorldId, id: &str) -> String {
    let known = CharacterId::new(id).ok().and_then(|id| engine.character(world, &id).ok());
    known.map_or_else(|| id.to_owned(), |known| known.name())
}

/// By id alone, for what cannot be undone.
pub(super) fn check(engine: &Engine, world: &WorldId, id: &CharacterId) -> Result<()> {
    match if_there(engine.character(world, id))? {
        Some(_) => Ok(()),
        None => Err(Error::not_found(format!("there is no character {id:?}")).hint(others(engine, world)?)),
    }
}

/// Who is there: `mo (阿默)`.
pub(super) fn others(engine: &Engine, world: &WorldId) -> Result<String> {
    let known = engine.characters(world, None, NAMED.min(engine.limits().page))?;
    let mut shown: Vec<String> = known.items.iter().map(with_name).collect();
    if known.has_more {
        shown.push("…".to_owned());
    }
    Ok(match shown.is_empty() {
        true => format!("the world {world} has no characters yet"),
        false => format!("the world has these: {}", shown.join(", ")),
    })
}

fn with_name(character: &Character) -> String {
    let name = character.name();
    match name == character.id.as_str() {
        true => name,
        false => format!("{} ({name})", character.id),
    }
}

fn if_there<T>(found: Result<T>) -> Result<Option<T>> {
    match found {
        Err(error) if error.code() == Code::NotFound => Ok(None),
        found => found.map(Some),
    }
}
