//! What may a cue set for its own prompt alone, over what its world and its characters have?

use super::{Pairs, Preset, WorldSettings, patched};
use crate::{Error, Result};

/// What decides who hears what, what is remembered and how ticks are read is the world's; these only choose.
const FAMILIES: [&str; 2] = ["recall", "lore"];

impl WorldSettings {
    /// As [`resolve`](Self::resolve), with these laid over the world's. What is set for everybody is also set for characters that
    /// have it of their own; what is set for one (`recall.threshold@钦灵`) holds for that one. An empty value means the default.
    pub fn for_one_prompt(preset: Preset, pairs: &Pairs, own: &Pairs) -> Result<Self> {
        if own.is_empty() {
            return Self::resolve(preset, pairs);
        }
        let is_overruled = |key: &str| {
            let of_one = key.split_once('@').filter(|(key, _)| key.starts_with("recall."));
            of_one.is_some_and(|(key, _)| own.contains_key(key))
        };
        let of_world = pairs.iter().filter(|(key, _)| !is_overruled(key));
        let of_world: Pairs = of_world.map(|(key, value)| (key.clone(), value.clone())).collect();
        // What nobody knows is refused as it is for a world.
        let settings = Self::resolve(preset, &patched(of_world, own))?;
        own.keys().try_for_each(|key| check(key))?;
        Ok(settings)
    }
}

fn check(key: &str) -> Result<()> {
    if key.split('.').next().is_some_and(|family| FAMILIES.contains(&family)) {
        return Ok(());
    }
    Err(Error::invalid(format!("{key} cannot be set for one prompt")).hint(
        "what a cue may set are recall.* and lore.*; it has fields of its own for budget, history_limit and history_scope, and \
         the rest is set for the world",
    ))
}
