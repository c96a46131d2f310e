//! A conversation as a chat that SillyTavern reads: `reverie export WORLD --chat NAME`; a group as the file that it came in:
//! `reverie export WORLD --group NAME`.

use std::path::Path;

use reverie_api::chats;
use reverie_core::{Engine, Error, Result, WorldId};
use reverie_formats::chat;
use serde_json::json;

use super::{Options, check_world, put, to_stdout};
use crate::cli::conversations;
use crate::data;
use crate::output::{Failure, Output, counted};
use crate::settings::Settings;

pub(super) fn run(output: Output, settings: &Settings, options: &Options, name: &str) -> Result<(), Failure> {
    let (_, api) = data::open_existing(settings)?;
    let engine = api.engine();
    let world = world(engine, options.target.as_deref(), "--chat")?;
    let conversation = conversations::existing(engine, &world, name)?;
    let document = chats::document(engine, &world, conversation.clone())?;
    for warning in &document.warnings {
        output.warning(&warning.to_string());
    }
    let bytes = chat::write(&document).into_bytes();
    let Some(path) = file(options) else {
        return Ok(to_stdout(&[&bytes[..], b"\n"].concat())?);
    };
    put(path, &bytes)?;
    let messages = document.messages.len();
    output.answer(
        &format!(
            "exported {messages} messages of conversation {} of world {world} to {} ({} bytes)",
            conversations::called(&conversation),
            path.display(),
            bytes.len()
        ),
        &json!({"world": world.as_str(), "conversation": conversation.id.as_str(), "messages": messages,
            "file": path.to_string_lossy(), "bytes": bytes.len()}),
    );
    Ok(())
}

pub(super) fn group(
    output: Output,
    settings: &Settings,
    options: &Options,
    name: &str,
) -> Result<(), Failure> {
    let (_, api) = data::open_existing(settings)?;
    let engine = api.engine();
    let world = world(engine, options.target.as_deref(), "--group")?;
    let group = chats::find_group(engine, &world, name)?;
    let bytes = group.text.as_bytes();
    let Some(path) = file(options) else { return Ok(to_stdout(bytes)?) };
    put(path, bytes)?;
    output.answer(
        &format!(
            "exported the group {} of {} of world {world} to {} ({} bytes)",
            group.name,
            counted(group.members.len() as u64, "member", "members"),
            path.display(),
            bytes.len()
        ),
        &json!({"world": world.as_str(), "group": group.id, "name": group.name, "members": group.members.len(),
            "file": path.to_string_lossy(), "bytes": bytes.len()}),
    );
    Ok(())
}

/// None: standard output.
fn file(options: &Options) -> Option<&Path> {
    options.output.as_deref().filter(|path| *path != Path::new("-"))
}

/// The one that is named, or the only one.
fn world(engine: &Engine, named: Option<&str>, option: &str) -> Result<WorldId, Failure> {
    if let Some(named) = named {
        let world = WorldId::new(named)?;
        check_world(engine, &world)?;
        return Ok(world);
    }
    let worlds = engine.worlds(None, 2.min(engine.limits().page))?;
    match worlds.items.as_slice() {
        [only] if !worlds.has_more => Ok(only.id.clone()),
        _ => {
            let whose = if option == "--chat" { "conversation" } else { "group" };
            let error = Error::invalid(format!("whose {whose}? No world is named"));
            let hint = format!("reverie export WORLD {option} NAME; {}", super::other_worlds(engine)?);
            Err(Failure::usage(error.hint(hint)))
        }
    }
}
