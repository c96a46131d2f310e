//! Which conversation does somebody mean who types a name?

pub(super) use reverie_api::conversations::{all, find, named};
use reverie_core::{Conversation, Engine, Error, Result, WorldId};

/// Most of them that a hint names.
const NAMED: usize = 20;

/// The conversation with this name, or with this id, where it must be there.
pub(super) fn existing(engine: &Engine, world: &WorldId, name: &str) -> Result<Conversation> {
    if let Some(found) = find(engine, world, name)? {
        return Ok(found);
    }
    let there = all(engine, world)?;
    let mut names: Vec<&str> = there.iter().take(NAMED).map(called).collect();
    if there.len() > NAMED {
        names.push("…");
    }
    let hint = match names.is_empty() {
        true => format!("the world {world} has no conversations yet"),
        false => format!("the world {world} has these: {}", names.join(", ")),
    };
    Err(Error::not_found(format!("there is no conversation {name:?}")).hint(hint))
}

/// The name, or the id of one that has none.
pub(super) fn called(conversation: &Conversation) -> &str {
    conversation.name.as_deref().unwrap_or(conversation.id.as_str())
}
