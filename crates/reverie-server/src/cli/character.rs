//! `reverie character erase`: somebody and all their words are gone, for good.

use reverie_core::store::Erase;
use reverie_core::{CharacterId, Code, Error, WorldId};
use serde_json::json;

use super::export::check_world;
use super::memories::check_character;
use crate::data;
use crate::output::{Failure, Output};
use crate::settings::Settings;

#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
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

pub(super) fn run(output: Output, settings: &Settings, command: &Command) -> Result<(), Failure> {
    let Command::Erase(EraseOne { world, character, yes }) = command;
    let character = CharacterId::new(character).map_err(Failure::usage)?;
    let (store, api) = data::open_to_change(settings)?;
    let world = WorldId::new(world)?;
    check_world(api.engine(), &world)?;
    check_character(api.engine(), &world, &character)?;
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
