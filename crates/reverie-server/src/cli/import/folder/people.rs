//! Who is in a folder? Cards and personas become characters of the world.
//!
//! Somebody's id is the name on the card. Of two with the same name the second has the file's name in its id as well. The
//! file of the picture is kept as the host's own id (`role_id`), by which it is found again under whatever name.

use std::collections::{HashMap, HashSet};

use reverie_api::chats::{PERSONAS, each_character};
use reverie_core::character::{CharacterPatch, Namespace};
use reverie_core::{CharacterId, DocumentId, Engine, Result, Who, WorldId};
use reverie_formats::card::CardDocument;
use reverie_formats::chat::cast::{Cast, Member, id_of};
use reverie_formats::folder::Persona;

use super::super::brought::Brought;
use super::super::keep::{self, Change};
use super::Layout;

pub(super) struct People {
    pub(super) cast: Cast,
    /// Cards by file, without its ending.
    by_stem: HashMap<String, Member>,
    /// Whom the world knew, by the host's id.
    by_host_id: HashMap<String, CharacterId>,
    /// What they are called.
    names: HashMap<CharacterId, String>,
    /// Everybody with a host's id, and those of this run.
    taken: HashSet<CharacterId>,
}

impl People {
    pub(super) fn of(engine: &Engine, world: &WorldId) -> Result<Self> {
        let mut people = Self {
            cast: Cast::default(),
            by_stem: HashMap::new(),
            by_host_id: HashMap::new(),
            names: HashMap::new(),
            taken: HashSet::new(),
        };
        each_character(engine, world, |character| {
            let Some(alias) = character.host_id(Namespace::Role) else { return };
            people.by_host_id.insert(alias.to_owned(), character.id.clone());
            people.taken.insert(character.id.clone());
            if let Some(name) = &character.card.display_name {
                people.names.insert(character.id.clone(), name.clone());
            }
        })?;
        Ok(people)
    }

    /// The host's own id for whoever is on the card of a file: the file. In a folder of loose files another card may lie
    /// where one lay before; whoever is called otherwise is somebody else.
    pub(super) fn alias(&self, file: &str, card: &CardDocument, layout: Layout) -> String {
        let known = self.by_host_id.get(file).and_then(|id| self.names.get(id));
        match known.filter(|name| layout == Layout::Loose && *name != card.called()) {
            Some(_) => format!("{file}#{}", card.name.trim()),
            None => file.to_owned(),
        }
    }

    /// The character of a card.
    pub(super) fn card(
        &mut self,
        engine: &Engine,
        world: &WorldId,
        (file, alias): (&str, &str),
        (document, card): (&DocumentId, &CardDocument),
        (brought, change): (&mut Brought<'_>, Change),
    ) -> Result<CharacterId> {
        let name = match card.name.trim() {
            "" => stem_of(file),
            name => name,
        };
        let id = self.id(name, alias, "character")?;
        keep::character(brought, (engine, world), &id, (document, card), change)?;
        self.know(engine, world, &id, alias)?;
        let member =
            Member { id: id.clone(), name: name.to_owned(), avatar: Some(file.to_owned()), is_user: false };
        // Of several files with the same name the picture is the one that front ends show.
        if file.ends_with(".png") || !self.by_stem.contains_key(stem_of(file)) {
            self.by_stem.insert(stem_of(file).to_owned(), member.clone());
        }
        self.cast.add(member);
        Ok(id)
    }

    /// The user as this persona. True if nobody knew it.
    pub(super) fn persona(
        &mut self,
        engine: &Engine,
        world: &WorldId,
        persona: &Persona,
    ) -> Result<(CharacterId, bool)> {
        let name = match persona.name.trim() {
            "" => stem_of(&persona.avatar),
            name => name,
        };
        let alias = format!("{PERSONAS}{}", persona.avatar);
        let is_known = self.by_host_id.contains_key(&alias);
        let id = self.id(name, &alias, "user")?;
        // As with cards: what was changed by hand stays.
        if !is_known {
            let description = persona.description.trim();
            let patch = CharacterPatch {
                display_name: Some(Some(name.to_owned())),
                persona: (!description.is_empty()).then(|| Some(description.to_owned())),
                ..CharacterPatch::default()
            };
            engine.put_character(world, Who::Id(id.clone()), patch)?;
            self.know(engine, world, &id, &alias)?;
        }
        let avatar = Some(persona.avatar.clone());
        self.cast.add(Member { id: id.clone(), name: name.to_owned(), avatar, is_user: true });
        Ok((id, !is_known))
    }

    /// Whether somebody has this id of the host's already.
    pub(super) fn knows(&self, alias: &str) -> bool {
        self.by_host_id.contains_key(alias)
    }

    pub(super) fn by_stem(&self, stem: &str) -> Option<&Member> {
        self.by_stem.get(stem)
    }

    fn know(&mut self, engine: &Engine, world: &WorldId, id: &CharacterId, alias: &str) -> Result<()> {
        if self.by_host_id.get(alias) == Some(id) {
            return Ok(());
        }
        let patch = CharacterPatch {
            host_ids: vec![(Namespace::Role, Some(alias.to_owned()))],
            ..CharacterPatch::default()
        };
        engine.put_character(world, Who::Id(id.clone()), patch)?;
        self.by_host_id.insert(alias.to_owned(), id.clone());
        Ok(())
    }

    fn id(&mut self, name: &str, alias: &str, kind: &str) -> Result<CharacterId> {
        if let Some(id) = self.by_host_id.get(alias) {
            return Ok(id.clone());
        }
        let names = [name.to_owned(), format!("{kind}:{name}"), format!("{name} ({alias})")];
        for name in &names {
            let id = id_of(name)?;
            if self.taken.insert(id.clone()) {
                return Ok(id);
            }
        }
        id_of(alias)
    }
}

/// The name of a file without its folder and its ending.
pub(super) fn stem_of(file: &str) -> &str {
    let name = file.rsplit('/').next().unwrap_or(file);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
