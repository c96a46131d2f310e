//! Which conversation does somebody mean who types a name?

use reverie_core::{Code, Conversation, ConversationId, Engine, Error, Result, WorldId};

/// Most of them that a hint names.
const NAMED: usize = 20;

/// The conversation with this name; else the one with this id.
pub(super) fn find(engine: &Engine, world: &WorldId, name: &str) -> Result<Option<Conversation>> {
    let found = named(engine, world, name)?;
    let Some(id) = ConversationId::new(name).ok().filter(|_| found.is_none()) else { return Ok(found) };
    match engine.conversation(world, &id) {
        Err(error) if error.code() == Code::NotFound => Ok(None),
        there => there.map(Some),
    }
}

/// For a name that nobody typed: that of a file may look like an id, and means none.
pub(super) fn named(engine: &Engine, world: &WorldId, name: &str) -> Result<Option<Conversation>> {
    Ok(all(engine, world)?.into_iter().find(|one| one.name.as_deref() == Some(name)))
}

/// The same, where it must be there.
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

pub(super) fn all(engine: &Engine, world: &WorldId) -> Result<Vec<Conversation>> {
    let mut all: Vec<Conversation> = Vec::new();
    loop {
        let after = all.last().map(|one| one.id.to_string());
        let page = match engine.conversations(world, after.as_deref(), engine.limits().page) {
            // Nothing is in a world that is not there.
            Err(error) if error.code() == Code::NotFound => return Ok(all),
            page => page?,
        };
        all.extend(page.items);
        if !page.has_more {
            return Ok(all);
        }
    }
}
