//! Conversations as chat files, and the groups that came with them.

use std::io::Write;

use reverie_core::{Code, Error, Result};
use reverie_formats::chat;

use super::{conversation, world};
use crate::Api;
use crate::chats;
use crate::request::{Call, Reply, Stream};
use crate::wire::{GroupView, GroupsView};

pub(super) fn export(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let world = world(call)?;
    let conversation = api.engine.conversation(&world, &conversation(call)?)?;
    let text = chat::write(&chats::document(&api.engine, &world, conversation)?);
    Ok(Reply::JsonLines(Stream::new(move |to: &mut dyn Write| {
        writeln!(to, "{text}")
            .map_err(|error| Error::new(Code::Unavailable, format!("the chat cannot be written: {error}")))
    })))
}

pub(super) fn list_groups(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let groups = chats::groups(&api.engine, &world(call)?)?;
    Reply::ok(&GroupsView { groups: groups.into_iter().map(GroupView::from).collect() })
}

pub(super) fn group(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let group = chats::find_group(&api.engine, &world(call)?, call.segment(1))?;
    Ok(Reply::File(group.text.into_bytes()))
}
