//! Conversations as chat files, and the groups that came with them.

use std::io::Write;

use reverie_core::{Code, ConversationId, Error, Result};
use reverie_formats::chat::{self, Zone};
use reverie_formats::{Limits, look};

use super::{conversation, world};
use crate::request::{Call, Reply, Stream};
use crate::wire::{GroupView, GroupsView, ImportedChatView, no_chat};
use crate::{Api, chats, conversations, export};

pub(super) fn export(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let world = world(call)?;
    let conversation = api.engine.conversation(&world, &conversation(call)?)?;
    let text = chat::write(&chats::document(&api.engine, &world, conversation)?);
    Ok(Reply::JsonLines(Stream::new(move |to: &mut dyn Write| {
        writeln!(to, "{text}")
            .map_err(|error| Error::new(Code::Unavailable, format!("the chat cannot be written: {error}")))
    })))
}

/// The same code as `reverie import`.
pub(super) fn import(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let (engine, world) = (&api.engine, world(call)?);
    let zone = call.query.one("timezone")?.map(Zone::parse).transpose()?.unwrap_or_default();
    if !chat::is_chat(call.raw) {
        return Err(refused(call));
    }
    let (file, typed) = (call.query.one("file")?, call.query.one("conversation")?);
    let name = typed.or(file.map(stem)).filter(|name| !name.is_empty()).ok_or_else(|| {
        Error::invalid("the chat has no name").hint("add ?file=NAME.jsonl, or ?conversation=NAME")
    })?;
    ConversationId::new(name)?;
    let limits = Limits { file_bytes: api.import_bytes, ..Limits::default() };
    let document = chat::read(call.raw, &limits)?;
    chats::check_alone(engine.limits(), &document)?;
    let attempt = || {
        let there = match typed {
            Some(_) => conversations::find(engine, &world, name)?,
            None => chats::there(engine, &world, name, &document)?,
        };
        chats::import_alone(engine, chats::Target { world: &world, name, there }, &document, &zone)
    };
    let mut done = attempt();
    // Somebody brought in the same meanwhile: what is there is looked at again.
    for _ in 1..TRIES {
        match &done {
            Err(error) if error.code() == Code::Conflict => done = attempt(),
            _ => break,
        }
    }
    let done = done?;
    Reply::made(done.new > 0, &ImportedChatView::new(&document, done, &zone))
}

const TRIES: usize = 4;

/// What is not a chat, as far as it can be told what it is.
fn refused(call: &Call<'_>) -> Error {
    let looks_like = if export::is_export(call.raw) { "an export of a world" } else { look(call.raw) };
    let is_text = ["JSON", "plain text", "HTML or XML"].contains(&looks_like);
    // Text in no encoding that is known may be a chat all the same.
    match call.text().err().filter(|_| is_text) {
        Some(error) => error,
        None => no_chat(looks_like),
    }
}

/// Of a file, without its folder and its ending.
fn stem(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

pub(super) fn list_groups(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let groups = chats::groups(&api.engine, &world(call)?)?;
    Reply::ok(&GroupsView { groups: groups.into_iter().map(GroupView::from).collect() })
}

pub(super) fn group(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let group = chats::find_group(&api.engine, &world(call)?, call.segment(1))?;
    Ok(Reply::File(group.text.into_bytes()))
}
