//! How does a conversation leave as a chat that SillyTavern reads, a group as the file that it came in, and how does a chat come in?
//!
//! Command line and HTTP share this. In reading order: what is there (here), whether a chat is among it (`same`), what it brings to that
//! (`growth`), and how that is recorded (`import`).

mod growth;
mod import;
mod same;

use std::collections::BTreeSet;

use reverie_core::character::{CharacterKind, Namespace};
use reverie_core::conversation::{LinesQuery, WhichLines};
use reverie_core::keepsake::{Keepsake, KeptFor};
use reverie_core::{CharacterId, Code, Conversation, ConversationId, Engine, Error, Line, Result, WorldId};
use reverie_formats::Limits;
use reverie_formats::chat::{self, ChatDocument, Composed, Keepsakes, Person, Voice};
use reverie_formats::folder::Group;

pub use import::{Imported, Target, check_alone, each_character, import, import_alone, of_threads};
pub use same::{there, under_another_name};

/// Before the names of what imports keep in mind of a world; no file of a host is called so.
pub const BROUGHT: &str = "imported/";
/// Before the file of a persona's picture, in the host's own id of it.
pub const PERSONAS: &str = "User Avatars/";
/// Before the name of a group's file.
const GROUPS: &str = "groups/";

/// All that is known of a conversation.
pub struct Talk {
    pub conversation: Conversation,
    /// The whole tree, in the order of recording.
    pub lines: Vec<Line>,
    /// What is kept of the files that it came in.
    pub keepsakes: Keepsakes,
}

impl Talk {
    pub fn read(engine: &Engine, world: &WorldId, conversation: Conversation) -> Result<Self> {
        let lines = all_lines(engine, world, &conversation.id)?;
        let keepsakes = Keepsakes::read(&engine.keepsakes(world, Some(&conversation.id))?);
        Ok(Self { conversation, lines, keepsakes })
    }

    /// As a chat.
    pub fn composed(&self, engine: &Engine, world: &WorldId) -> Result<Composed> {
        let people = self.people(engine, world)?;
        Ok(chat::compose(&self.lines, self.conversation.head, &people, &self.keepsakes))
    }

    /// Whoever takes part or speaks.
    fn people(&self, engine: &Engine, world: &WorldId) -> Result<Vec<Person>> {
        let speakers = self.lines.iter().filter_map(|line| line.speaker.as_ref());
        let ids: BTreeSet<&CharacterId> = self.conversation.participants.iter().chain(speakers).collect();
        let mut people = Vec::new();
        for id in ids {
            let character = match engine.character(world, id) {
                // Somebody who was deleted left no words, and is nobody's name any more.
                Err(error) if error.code() == Code::NotFound => continue,
                found => found?,
            };
            let is_narrator = character.card.kind == CharacterKind::Narrator;
            let alias = character.host_id(Namespace::Role).filter(|alias| is_file(alias));
            people.push(Person {
                id: id.clone(),
                voice: if is_narrator { Voice::Narrator } else { Voice::Person },
                avatar: alias.map(ToOwned::to_owned),
                name: character.card.display_name.unwrap_or_else(|| id.to_string()),
            });
        }
        Ok(people)
    }
}

/// The conversation as a chat.
pub fn document(engine: &Engine, world: &WorldId, conversation: Conversation) -> Result<ChatDocument> {
    Ok(Talk::read(engine, world, conversation)?.composed(engine, world)?.into_document())
}

fn all_lines(engine: &Engine, world: &WorldId, conversation: &ConversationId) -> Result<Vec<Line>> {
    let mut query = LinesQuery {
        which: WhichLines::Tree,
        witness: None,
        after: None,
        newest_first: false,
        limit: engine.limits().page,
    };
    let mut lines = Vec::new();
    loop {
        let page = engine.lines(world, conversation, query.clone())?;
        query.after = page.items.last().map(|line| line.id);
        lines.extend(page.items);
        if !page.has_more {
            return Ok(lines);
        }
    }
}

/// Other hosts have other ids.
fn is_file(alias: &str) -> bool {
    let ending = alias.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    let is_picture = |ending: &str| ["png", "webp", "jpg", "jpeg", "gif", "json", "charx"].contains(&ending);
    alias.starts_with(PERSONAS) || ending.as_deref().is_some_and(is_picture)
}

/// A group that came with a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptGroup {
    /// The name of its file without the ending.
    pub id: String,
    pub name: String,
    /// Cards, by the names of their files.
    pub members: Vec<String>,
    /// Its chats, by the names of their files without the ending.
    pub chats: Vec<String>,
    /// The file, as it was.
    pub text: String,
}

/// Keeps the file of a group, by the name of the file without the ending. True if that is news.
pub fn keep_group(engine: &Engine, world: &WorldId, id: &str, text: String) -> Result<bool> {
    let of = KeptFor::File(format!("{GROUPS}{id}.json"));
    Ok(engine.put_keepsakes(world, &[(of, Some(text))])? > 0)
}

/// By the names of their files.
pub fn groups(engine: &Engine, world: &WorldId) -> Result<Vec<KeptGroup>> {
    engine.keepsakes(world, None)?.into_iter().filter_map(|kept| group(kept).transpose()).collect()
}

/// None: another kind of file.
fn group(kept: Keepsake) -> Result<Option<KeptGroup>> {
    let KeptFor::File(file) = &kept.of else { return Ok(None) };
    let Some(id) = file.strip_prefix(GROUPS).and_then(|name| name.strip_suffix(".json")) else {
        return Ok(None);
    };
    let Group { name, members, chats, .. } = Group::read(kept.text.as_bytes(), &Limits::default())
        .map_err(|error| error.within(format!("the group {id:?}")))?;
    Ok(Some(KeptGroup { id: id.to_owned(), name, members, chats, text: kept.text }))
}

/// By its file, or by its name if only one bears it.
pub fn find_group(engine: &Engine, world: &WorldId, asked: &str) -> Result<KeptGroup> {
    let all = groups(engine, world)?;
    if let Some(group) = all.iter().find(|group| group.id == asked) {
        return Ok(group.clone());
    }
    let called: Vec<&KeptGroup> = all.iter().filter(|group| group.name == asked).collect();
    if let [only] = called.as_slice() {
        return Ok((*only).clone());
    }
    let ids = if called.is_empty() { all.iter().collect() } else { called };
    let ids: Vec<String> = ids.iter().map(|group| format!("{} ({})", group.id, group.name)).collect();
    let hint = match ids.is_empty() {
        true => "no group was imported into this world".to_owned(),
        false => format!("name one by its id: {}", ids.join(", ")),
    };
    Err(Error::not_found(format!("there is no group {asked:?}")).hint(hint))
}
