//! Worlds, characters, checkpoints, export and import.

use std::sync::Arc;

use reverie_core::character::{CharacterKind, CharacterPatch, Namespace};
use reverie_core::settings::Preset;
use reverie_core::store::{Erase, Select};
use reverie_core::world::WorldPatch;
use reverie_core::{CheckpointId, Error, Result, Who, WorldId};

use super::{character, checkpoint, page_of, paged, world};
use crate::Api;
use crate::export::{self, Format};
use crate::request::{Call, Reply, Stream};
use crate::wire::{
    CharacterView, CheckpointView, ForkWorld, PutCharacter, PutWorld, WorldView, filled, flatten,
};

pub(super) fn list(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let (select, limit) = page_of(api, call)?;
    let found = api.engine.store().worlds(&select)?;
    Reply::ok(&paged(found, limit, |world: &WorldView| world.id.clone()))
}

pub(super) fn put(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let body: PutWorld = call.parse()?;
    let patch = WorldPatch {
        preset: body.preset.as_deref().map(Preset::from_name).transpose()?,
        settings: flatten(&body.settings)?,
    };
    let (world, created) = api.engine.store().put_world(&world(call)?, &patch, api.engine.now_ms())?;
    Reply::made(created, &WorldView::from(world))
}

pub(super) fn get(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let id = world(call)?;
    let found = api.engine.store().worlds(&Select::One(id.as_str().to_owned()))?.pop();
    let found = found.ok_or_else(|| {
        Error::not_found(format!("there is no world {id:?}")).hint("PUT /v1/worlds/{world} creates one")
    })?;
    Reply::ok(&WorldView::from(found))
}

pub(super) fn delete(api: &Api, call: &Call<'_>) -> Result<Reply> {
    api.engine.store().erase(&world(call)?, &Erase::World)?;
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
    let stream =
        Stream::new(move |to| export::write(engine.store(), &world, checkpoint.as_ref(), format, to));
    match format {
        Format::JsonLines => Ok(Reply::JsonLines(stream)),
        Format::Save => Ok(Reply::Text(stream)),
    }
}

pub(super) fn import(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let id = call.query.one("world")?.map(WorldId::new).transpose()?;
    let made =
        export::read(api.engine.store(), id.as_ref(), &mut call.body.as_bytes(), api.import_bytes as u64)?;
    Reply::made(true, &WorldView::from(made))
}

pub(super) fn list_characters(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let (select, limit) = page_of(api, call)?;
    let found = api.engine.store().characters(&world(call)?, &select)?;
    Reply::ok(&paged(found, limit, |character: &CharacterView| character.id.clone()))
}

pub(super) fn put_character(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let body: PutCharacter = call.parse()?;
    let cleaned = |text: Option<Option<String>>| text.map(|text| filled(text).map(|text| call.clean(&text)));
    let mut patch = CharacterPatch {
        kind: body.kind.as_deref().map(CharacterKind::from_name).transpose()?,
        display_name: cleaned(body.display_name),
        persona: cleaned(body.persona),
        aliases: Vec::new(),
    };
    api.engine.limits().check_card(&patch)?;
    for (namespace, value) in [(Namespace::Role, body.role_id), (Namespace::ScriptRole, body.script_role_id)]
    {
        let value = value.map(|value| filled(value).map(|value| call.clean(&value)));
        patch.aliases.extend(value.map(|value| (namespace, value)));
    }
    let who = Who::Id(character(call)?);
    let (character, created) = api.engine.store().put_character(&world(call)?, &who, &patch)?;
    Reply::made(created, &CharacterView::from(character))
}

pub(super) fn get_character(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let id = character(call)?;
    let found = api.engine.store().characters(&world(call)?, &Select::One(id.as_str().to_owned()))?.pop();
    let found = found.ok_or_else(|| Error::not_found(format!("there is no character {id:?}")))?;
    Reply::ok(&CharacterView::from(found))
}

pub(super) fn delete_character(api: &Api, call: &Call<'_>) -> Result<Reply> {
    api.engine.store().erase(&world(call)?, &Erase::Character(character(call)?))?;
    Ok(Reply::Empty)
}

pub(super) fn list_checkpoints(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let (select, limit) = page_of(api, call)?;
    let found = api.engine.store().checkpoints(&world(call)?, &select)?;
    Reply::ok(&paged(found, limit, |checkpoint: &CheckpointView| checkpoint.id.clone()))
}

pub(super) fn put_checkpoint(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let store = api.engine.store();
    let (made, created) = store.put_checkpoint(&world(call)?, &checkpoint(call)?, api.engine.now_ms())?;
    Reply::made(created, &CheckpointView::from(made))
}

pub(super) fn get_checkpoint(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let id = checkpoint(call)?;
    let found = api.engine.store().checkpoints(&world(call)?, &Select::One(id.as_str().to_owned()))?.pop();
    let found = found.ok_or_else(|| Error::not_found(format!("there is no checkpoint {id:?}")))?;
    Reply::ok(&CheckpointView::from(found))
}

pub(super) fn delete_checkpoint(api: &Api, call: &Call<'_>) -> Result<Reply> {
    api.engine.store().erase(&world(call)?, &Erase::Checkpoint(checkpoint(call)?))?;
    Ok(Reply::Empty)
}

pub(super) fn restore(api: &Api, call: &Call<'_>) -> Result<Reply> {
    Reply::ok(&WorldView::from(api.engine.store().restore(&world(call)?, &checkpoint(call)?)?))
}
