//! Worlds, characters, checkpoints, export and import.

use std::sync::Arc;

use reverie_core::character::{CharacterKind, CharacterPatch, Namespace};
use reverie_core::library::DocumentKind;
use reverie_core::settings::Preset;
use reverie_core::settings::described::described;
use reverie_core::store::Erase;
use reverie_core::world::WorldPatch;
use reverie_core::{CheckpointId, DocumentId, Result, Who, WorldId};
use serde_json::{Map, Value};

use super::{character, checkpoint, page_of, paged, world, written};
use crate::Api;
use crate::export::{self, Format};
use crate::request::{Call, Reply, Stream};
use crate::wire::{
    CharacterView, CheckpointView, ForkWorld, PutCharacter, PutWorld, SettingView, SettingsView, WorldView,
    flatten,
};

pub(super) fn settings(_: &Api, _: &Call<'_>) -> Result<Reply> {
    Reply::ok(&SettingsView { settings: described().into_iter().map(SettingView::from).collect() })
}

pub(super) fn list(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let (after, limit) = page_of(api, call)?;
    let found = api.engine.worlds(after, limit)?;
    Reply::ok(&paged(found, |world: &WorldView| world.id.clone()))
}

pub(super) fn put(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let body: PutWorld = call.parse()?;
    let patch = WorldPatch {
        preset: body.preset.as_deref().map(Preset::from_name).transpose()?,
        settings: flatten(&body.settings, api.engine.limits())?,
    };
    written::<_, WorldView>(call, api.engine.put_world(&world(call)?, patch)?)
}

pub(super) fn get(api: &Api, call: &Call<'_>) -> Result<Reply> {
    Reply::ok(&WorldView::from(api.engine.world(&world(call)?)?))
}

pub(super) fn delete(api: &Api, call: &Call<'_>) -> Result<Reply> {
    api.engine.erase(&world(call)?, &Erase::World)?;
    Ok(Reply::Empty)
}

pub(super) fn fork(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let body: ForkWorld = call.parse()?;
    let checkpoint = body.checkpoint.as_deref().map(CheckpointId::new).transpose()?;
    let forked = api.engine.fork(&world(call)?, &WorldId::new(&body.id)?, checkpoint.as_ref())?;
    Reply::made(true, &WorldView::from(forked))
}

pub(super) fn export(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let checkpoint = call.query.one("checkpoint")?.map(CheckpointId::new).transpose()?;
    let format = match call.query.one("format")? {
        Some(name) => Format::from_name(name)?,
        None if checkpoint.is_some() => Format::Save,
        None => Format::JsonLines,
    };
    let (engine, world) = (Arc::clone(&api.engine), world(call)?);
    let stream = Stream::new(move |to| export::write(&engine, &world, checkpoint.as_ref(), format, to));
    match format {
        Format::JsonLines => Ok(Reply::JsonLines(stream)),
        Format::Save => Ok(Reply::Text(stream)),
    }
}

pub(super) fn import(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let id = call.query.one("world")?.map(WorldId::new).transpose()?;
    let most = api.import_bytes as u64;
    let body = call.text()?;
    let made = export::read(&api.engine, id.as_ref(), &mut body.as_bytes(), most);
    let made = made.map_err(|error| if is_table(body) { error.hint(NOT_A_TABLE) } else { error })?;
    written::<_, WorldView>(call, made)
}

const NOT_A_TABLE: &str = "worlds come in here as GET …/export gave them; lines of dialogue are recorded with \
                           POST …/conversations/{conversation}/lines";

/// True if these are JSON values, but none of them a world.
fn is_table(body: &str) -> bool {
    let body = body.trim_start_matches('\u{FEFF}').trim_start();
    let first = body.lines().next().unwrap_or_default();
    let is_object = || serde_json::from_str::<Map<String, Value>>(first).is_ok();
    !export::is_export(body.as_bytes()) && (body.starts_with('[') || is_object())
}

pub(super) fn list_characters(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let (after, limit) = page_of(api, call)?;
    let found = api.engine.characters(&world(call)?, after, limit)?;
    Reply::ok(&paged(found, |character: &CharacterView| character.id.clone()))
}

pub(super) fn put_character(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let body: PutCharacter = call.parse()?;
    let card = body.card.map(|card| card.as_deref().map(DocumentId::new).transpose()).transpose()?;
    if let Some(Some(card)) = &card {
        api.engine.document(DocumentKind::Card, card)?;
    }
    let host_ids = [(Namespace::Role, body.role_id), (Namespace::ScriptRole, body.script_role_id)];
    let patch = CharacterPatch {
        kind: body.kind.as_deref().map(CharacterKind::from_name).transpose()?,
        display_name: body.display_name,
        aliases: body.aliases.map(Option::unwrap_or_default),
        persona: body.persona,
        tags: body.tags,
        document: card,
        host_ids: host_ids.into_iter().filter_map(|(namespace, id)| Some((namespace, id?))).collect(),
    };
    let who = Who::Id(character(call)?);
    written::<_, CharacterView>(call, api.engine.put_character(&world(call)?, who, patch)?)
}

pub(super) fn get_character(api: &Api, call: &Call<'_>) -> Result<Reply> {
    Reply::ok(&CharacterView::from(api.engine.character(&world(call)?, &character(call)?)?))
}

pub(super) fn delete_character(api: &Api, call: &Call<'_>) -> Result<Reply> {
    api.engine.erase(&world(call)?, &Erase::Character(character(call)?))?;
    Ok(Reply::Empty)
}

pub(super) fn list_checkpoints(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let (after, limit) = page_of(api, call)?;
    let found = api.engine.checkpoints(&world(call)?, after, limit)?;
    Reply::ok(&paged(found, |checkpoint: &CheckpointView| checkpoint.id.clone()))
}

pub(super) fn put_checkpoint(api: &Api, call: &Call<'_>) -> Result<Reply> {
    written::<_, CheckpointView>(call, api.engine.put_checkpoint(&world(call)?, &checkpoint(call)?)?)
}

pub(super) fn get_checkpoint(api: &Api, call: &Call<'_>) -> Result<Reply> {
    Reply::ok(&CheckpointView::from(api.engine.checkpoint(&world(call)?, &checkpoint(call)?)?))
}

pub(super) fn delete_checkpoint(api: &Api, call: &Call<'_>) -> Result<Reply> {
    api.engine.erase(&world(call)?, &Erase::Checkpoint(checkpoint(call)?))?;
    Ok(Reply::Empty)
}

pub(super) fn restore(api: &Api, call: &Call<'_>) -> Result<Reply> {
    Reply::ok(&WorldView::from(api.engine.restore(&world(call)?, &checkpoint(call)?)?))
}
