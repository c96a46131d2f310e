//! Which world does somebody mean who types a name that no world has?

use reverie_core::{Code, Engine, Result, WorldId};

use crate::settings::near_names;

pub(super) fn is_there(engine: &Engine, world: &WorldId) -> Result<bool> {
    match engine.world(world) {
        Err(error) if error.code() == Code::NotFound => Ok(false),
        found => found.map(|_| true),
    }
}

/// A slip of the pen must not look like a world in which everything was forgotten.
pub(super) fn begins(engine: &Engine, world: &WorldId) -> Result<String> {
    let there = engine.worlds(None, engine.limits().page)?.items;
    let near = near_names(world.as_str(), there.iter().map(|one| one.id.as_str()));
    let meant = match near.as_slice() {
        [] => String::new(),
        near => format!("; did you mean {}?", near.join(" or ")),
    };
    Ok(format!("there is no world {world} yet: a new one begins{meant}"))
}
