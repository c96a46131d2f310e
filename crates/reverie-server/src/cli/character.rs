//! `reverie character aliases`: what somebody is called besides. `reverie character erase`: somebody and all their words are gone, for good.

use reverie_core::character::CharacterPatch;
use reverie_core::store::Erase;
use reverie_core::{CharacterId, Code, Error, Who, WorldId};
use serde_json::json;

use super::export::check_world;
use super::people;
use crate::data;
use crate::output::{Failure, Output};
use crate::settings::Settings;

#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// What a character is called besides its name, or what it is called from now on: whoever says an alias means them.
    Aliases(Aliases),
    /// Remove a character for good: their words, their memories, and everything derived from what was said before them. No undo and no
    /// checkpoint brings it back; only a backup does.
    Erase(EraseOne),
}

#[derive(Debug, clap::Args)]
pub(super) struct EraseOne {
    world: String,
    /// Their id.
    character: String,
    /// Without this nothing is removed.
    #[arg(long)]
    yes: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct Aliases {
    world: String,
    /// Their id.
    character: String,
    /// All that they are called besides, from now on. Without any, those that they have are told.
    aliases: Vec<String>,
    /// They are called nothing else any more.
    #[arg(long, conflicts_with = "aliases")]
    none: bool,
}

pub(super) fn run(output: Output, settings: &Settings, command: &Command) -> Result<(), Failure> {
    match command {
        Command::Aliases(asked) => aliases(output, settings, asked),
        Command::Erase(asked) => erase(output, settings, asked),
    }
}

fn aliases(output: Output, settings: &Settings, asked: &Aliases) -> Result<(), Failure> {
    let id = CharacterId::new(&asked.character).map_err(Failure::usage)?;
    let is_change = asked.none || !asked.aliases.is_empty();
    let api = if is_change { data::open_to_change(settings)?.1 } else { data::open_existing(settings)?.1 };
    let world = WorldId::new(&asked.world)?;
    check_world(api.engine(), &world)?;
    people::check(api.engine(), &world, &id)?;
    let character = match is_change {
        false => api.engine().character(&world, &id)?,
        true => {
            let patch = CharacterPatch { aliases: Some(asked.aliases.clone()), ..CharacterPatch::default() };
            api.engine().put_character(&world, Who::Id(id), patch)?.value
        }
    };
    let (name, aliases) = (character.name(), &character.card.aliases);
    let text = match aliases.as_slice() {
        [] => format!("{name} has no other names"),
        aliases => format!("{name} is also called {}", aliases.join(", ")),
    };
    output.answer(
        &text,
        &json!({"world": world.as_str(), "character": character.id.as_str(), "aliases": aliases}),
    );
    Ok(())
}

fn erase(output: Output, settings: &Settings, asked: &EraseOne) -> Result<(), Failure> {
    let EraseOne { world, character, yes } = asked;
    let character = CharacterId::new(character).map_err(Failure::usage)?;
    let (store, api) = data::open_to_change(settings)?;
    let world = WorldId::new(world)?;
    check_world(api.engine(), &world)?;
    people::check(api.engine(), &world, &character)?;
    if !yes {
        let message = format!("{character} of {world} and all that they said would be gone for good");
        let hint = "`reverie backup FILE` keeps a copy; to do it, say it again with --yes";
        return Err(Failure::usage(Error::new(Code::Denied, message).hint(hint)));
    }
    api.engine().erase(&world, &Erase::Character(character.clone()))?;
    // A reader in another process may hold on to the old state for a moment.
    let is_scrubbed = store.tidy()?;
    let mut text = format!("{character} is erased from {world}");
    if !is_scrubbed {
        text.push_str("; their words leave the write-ahead log as soon as nobody reads it any more");
    }
    output.answer(
        &text,
        &json!({"world": world.as_str(), "erased": character.as_str(), "scrubbed": is_scrubbed}),
    );
    Ok(())
}
