//! How do the chats of a folder become conversations?
//!
//! A conversation has the name of its file; that of the character or group stands before it, where it does not yet.

use std::collections::HashMap;

use reverie_api::chats::{Imported, Target, import, under_another_name};
use reverie_core::{Conversation, Engine, Error, Result, WorldId};
use reverie_formats::chat::cast::id_of;
use reverie_formats::chat::{self, ChatDocument, PlanOptions, Zone};
use reverie_formats::folder::Group;
use reverie_formats::{Limits, Warning};
use serde_json::Value;

use super::Layout;
use super::people::People;
use crate::cli::conversations;

/// A group, as far as its chats need it.
struct Circle {
    name: String,
    members: Vec<String>,
}

#[derive(Default)]
pub(super) struct Talks {
    /// By the name of the chat's file.
    groups: HashMap<String, usize>,
    circles: Vec<Circle>,
    /// Conversations of this run, with the file that each came from.
    taken: HashMap<String, String>,
    /// Those that were there before, by name.
    there: Option<HashMap<String, Conversation>>,
}

/// A chat that came in.
pub(super) struct Talk {
    pub(super) done: Imported,
    /// A book of its own, by name.
    pub(super) book: Option<String>,
    pub(super) warnings: Vec<Warning>,
}

impl Talks {
    pub(super) fn add_group(&mut self, group: Group) {
        let at = self.circles.len();
        for chat in group.chats {
            self.groups.entry(chat).or_insert(at);
        }
        let name = if group.name.is_empty() { group.id } else { group.name };
        self.circles.push(Circle { name, members: group.members });
    }

    /// A chat in the folder of a card.
    pub(super) fn chat(
        &mut self,
        (engine, world, people, zone): (&Engine, &WorldId, &People, &Zone),
        (shown, character, name, layout): (&str, &str, &str, Layout),
        bytes: &[u8],
        limits: &Limits,
    ) -> Result<Talk> {
        let document = chat::read(bytes, limits)?;
        // Loose files need not belong together because of their names.
        let called = document.header.as_ref().and_then(|header| header.get("character_name")?.as_str());
        let host = people.by_stem(character);
        let host = host.filter(|host| layout == Layout::SillyTavern || called == Some(host.name.as_str()));
        let options =
            PlanOptions { cast: Some(&people.cast), host, zone: Some(zone), ..PlanOptions::default() };
        let name = self.name(shown, character, name)?;
        let there = self.there_or_alike(engine, world, &name, &document)?;
        record(engine, Target { world, name: &name, there }, document, &options)
    }

    /// A chat of a group, all of whose members are there.
    pub(super) fn group_chat(
        &mut self,
        (engine, world, people, zone): (&Engine, &WorldId, &People, &Zone),
        (shown, name): (&str, &str),
        bytes: &[u8],
        limits: &Limits,
    ) -> Result<Talk> {
        let mut document = chat::read(bytes, limits)?;
        let circle = self.groups.get(name).and_then(|at| self.circles.get(*at));
        let mut members = Vec::new();
        for file in circle.into_iter().flat_map(|circle| &circle.members) {
            match people.cast.by_avatar(false, file) {
                Some(member) => members.push(member.clone()),
                None => document.warnings.push(Warning::new(format!("the member {file} has no card here"))),
            }
        }
        if circle.is_none() {
            document.warnings.push(Warning::new("no group has this chat; only those who speak are there"));
        }
        let before = circle.map(|circle| circle.name.clone()).unwrap_or_default();
        let name = self.name(shown, &before, name)?;
        let options = PlanOptions {
            cast: Some(&people.cast),
            also_present: &members,
            zone: Some(zone),
            ..PlanOptions::default()
        };
        let there = self.there_or_alike(engine, world, &name, &document)?;
        record(engine, Target { world, name: &name, there }, document, &options)
    }

    /// A chat may have come by itself before, under the name of its file.
    fn there_or_alike(
        &mut self,
        engine: &Engine,
        world: &WorldId,
        name: &str,
        document: &ChatDocument,
    ) -> Result<Option<Conversation>> {
        let there = self.there(engine, world, name)?;
        let before = self.there.iter().flat_map(HashMap::values);
        match there {
            Some(there) => Ok(Some(there)),
            None => under_another_name(engine, world, name, document, before),
        }
    }

    /// A name comes once in a run, so what was there at its beginning is all that must be known.
    pub(super) fn there(
        &mut self,
        engine: &Engine,
        world: &WorldId,
        name: &str,
    ) -> Result<Option<Conversation>> {
        if self.there.is_none() {
            let all = conversations::all(engine, world)?.into_iter();
            self.there = Some(all.filter_map(|one| Some((one.name.clone()?, one))).collect());
        }
        Ok(self.there.as_ref().and_then(|there| there.get(name)).cloned())
    }

    pub(super) fn name(&mut self, shown: &str, before: &str, file: &str) -> Result<String> {
        let name = match file.starts_with(before) {
            true => file.to_owned(),
            false => format!("{before} - {file}"),
        };
        let name = id_of(&name)?.to_string();
        if let Some(other) = self.taken.insert(name.clone(), shown.to_owned()) {
            return Err(Error::invalid(format!("{other} has the name of this conversation already"))
                .hint("rename one of the files"));
        }
        Ok(name)
    }
}

fn record(
    engine: &Engine,
    target: Target<'_>,
    document: ChatDocument,
    options: &PlanOptions<'_>,
) -> Result<Talk> {
    let done = import(engine, target, &document, options)?;
    let about = document.header.as_ref().and_then(|header| header.get("chat_metadata"));
    let book = about.and_then(|about| about.get("world_info")).and_then(Value::as_str);
    let book = book.filter(|name| !name.is_empty()).map(ToOwned::to_owned);
    Ok(Talk { done, book, warnings: document.warnings })
}
