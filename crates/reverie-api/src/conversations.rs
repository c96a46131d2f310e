//! Which conversation does somebody mean who writes a name?

use reverie_core::{Code, Conversation, ConversationId, Engine, Result, WorldId};

/// The conversation with this name; else the one with this id.
pub fn find(engine: &Engine, world: &WorldId, name: &str) -> Result<Option<Conversation>> {
    let found = named(engine, world, name)?;
    let Some(id) = ConversationId::new(name).ok().filter(|_| found.is_none()) else { return Ok(found) };
    match engine.conversation(world, &id) {
        Err(error) if error.code() == Code::NotFound => Ok(None),
        there => there.map(Some),
    }
}

/// For a name that nobody typed: that of a file may look like an id, and means none.
pub fn named(engine: &Engine, world: &WorldId, name: &str) -> Result<Option<Conversation>> {
    Ok(all(engine, world)?.into_iter().find(|one| one.name.as_deref() == Some(name)))
}

/// All of them; nothing is in a world that is not there.
pub fn all(engine: &Engine, world: &WorldId) -> Result<Vec<Conversation>> {
    let mut all: Vec<Conversation> = Vec::new();
    loop {
        let after = all.last().map(|one| one.id.to_string());
        let page = match engine.conversations(world, after.as_deref(), engine.limits().page) {
            Err(error) if error.code() == Code::NotFound => return Ok(all),
            page => page?,
        };
        all.extend(page.items);
        if !page.has_more {
            return Ok(all);
        }
    }
}
