//! A conversation as a chat that SillyTavern reads: `reverie export WORLD --chat NAME`.

use std::collections::BTreeSet;
use std::path::Path;

use reverie_core::character::{CharacterKind, Namespace};
use reverie_core::{CharacterId, Code, Conversation, Engine, Error, Line, Result, WorldId};
use reverie_formats::chat::{self, Person, Voice};
use serde_json::json;

use super::{Options, check_world, put, to_stdout};
use crate::cli::conversations;
use crate::cli::import::{PERSONAS, each_line};
use crate::data;
use crate::output::{Failure, Output};
use crate::settings::Settings;

pub(super) fn run(output: Output, settings: &Settings, options: &Options, name: &str) -> Result<(), Failure> {
    let (_, api) = data::open_existing(settings)?;
    let engine = api.engine();
    let world = world(engine, options.target.as_deref())?;
    let conversation = conversations::existing(engine, &world, name)?;
    let mut lines = Vec::new();
    each_line(engine, &world, &conversation.id, |line| lines.push(line))?;
    let people = people(engine, &world, &conversation, &lines)?;
    let document = chat::compose(&lines, conversation.head, &people);
    let bytes = chat::write(&document).into_bytes();
    let Some(path) = options.output.as_deref().filter(|path| *path != Path::new("-")) else {
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

/// The one that is named, or the only one.
fn world(engine: &Engine, named: Option<&str>) -> Result<WorldId, Failure> {
    if let Some(named) = named {
        let world = WorldId::new(named)?;
        check_world(engine, &world)?;
        return Ok(world);
    }
    let worlds = engine.worlds(None, 2.min(engine.limits().page))?;
    match worlds.items.as_slice() {
        [only] if !worlds.has_more => Ok(only.id.clone()),
        _ => {
            let error = Error::invalid("whose conversation? No world is named");
            let hint = format!("reverie export WORLD --chat NAME; {}", super::other_worlds(engine)?);
            Err(Failure::usage(error.hint(hint)))
        }
    }
}

/// Whoever takes part or speaks.
fn people(
    engine: &Engine,
    world: &WorldId,
    conversation: &Conversation,
    lines: &[Line],
) -> Result<Vec<Person>> {
    let speakers = lines.iter().filter_map(|line| line.speaker.as_ref());
    let ids: BTreeSet<&CharacterId> = conversation.participants.iter().chain(speakers).collect();
    let mut people = Vec::new();
    for id in ids {
        let character = match engine.character(world, id) {
            // Somebody who was deleted left no words, and is nobody's name any more.
            Err(error) if error.code() == Code::NotFound => continue,
            found => found?,
        };
        let is_narrator = character.card.kind == CharacterKind::Narrator;
        let alias = character.alias(Namespace::Role).filter(|alias| is_file(alias));
        people.push(Person {
            id: id.clone(),
            voice: if is_narrator { Voice::Narrator } else { Voice::Person },
            avatar: alias.map(ToOwned::to_owned),
            name: character.card.display_name.unwrap_or_else(|| id.to_string()),
        });
    }
    Ok(people)
}

/// Other hosts have other ids.
fn is_file(alias: &str) -> bool {
    let ending = alias.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    let is_picture = |ending: &str| ["png", "webp", "jpg", "jpeg", "gif", "json", "charx"].contains(&ending);
    alias.starts_with(PERSONAS) || ending.as_deref().is_some_and(is_picture)
}
