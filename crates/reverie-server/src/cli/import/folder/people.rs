//! Who is in a folder? Cards and personas become characters of the world.
//!
//! Somebody's id is the name on the card. Of two with the same name the second has the file's name in its id as well. The
//! file of the picture is kept as the host's own id (`role_id`), by which it is found again under whatever name.

use std::collections::{HashMap, HashSet};

use reverie_core::character::{CharacterPatch, Namespace};
use reverie_core::{CharacterId, Engine, Result, Who, WorldId};
use reverie_formats::card::CardDocument;
use reverie_formats::chat::cast::{Cast, Member, id_of};
use reverie_formats::folder::Persona;

use super::super::keep::{self, Change};

pub(super) struct People {
    pub(super) cast: Cast,
    /// Cards by file, without its ending.
    by_stem: HashMap<String, Member>,
    /// Whom the world knew, by the host's id.
    by_alias: HashMap<String, CharacterId>,
    /// Everybody with a host's id, and those of this run.
    taken: HashSet<CharacterId>,
}

impl People {
    pub(super) fn of(engine: &Engine, world: &WorldId) -> Result<Self> {
        let mut people = Self {
            cast: Cast::default(),
            by_stem: HashMap::new(),
            by_alias: HashMap::new(),
            taken: HashSet::new(),
        };
        let mut after: Option<String> = None;
        loop {
            let page = engine.characters(world, after.as_deref(), engine.limits().page)?;
            for character in &page.items {
                if let Some(alias) = character.alias(Namespace::Role) {
                    people.by_alias.insert(alias.to_owned(), character.id.clone());
                    people.taken.insert(character.id.clone());
                }
            }
            after = page.items.last().map(|character| character.id.to_string());
            if !page.has_more {
                return Ok(people);
            }
        }
    }

    /// The character of a card.
    pub(super) fn card(
        &mut self,
        engine: &Engine,
        world: &WorldId,
        file: &str,
        card: &CardDocument,
        change: Change,
    ) -> Result<CharacterId> {
        let name = match card.name.trim() {
            "" => stem_of(file),
            name => name,
        };
        let id = self.id(name, file, "character")?;
        keep::character(engine, world, &id, card, change)?;
        self.know(engine, world, &id, file)?;
        let member =
            Member { id: id.clone(), name: name.to_owned(), avatar: Some(file.to_owned()), is_user: false };
        self.by_stem.insert(stem_of(file).to_owned(), member.clone());
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
        let alias = format!("User Avatars/{}", persona.avatar);
        let is_known = self.by_alias.contains_key(&alias);
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

    /// Whether somebody has this file already.
    pub(super) fn knows(&self, file: &str) -> bool {
        self.by_alias.contains_key(file)
    }

    pub(super) fn by_stem(&self, stem: &str) -> Option<&Member> {
        self.by_stem.get(stem)
    }

    fn know(&mut self, engine: &Engine, world: &WorldId, id: &CharacterId, alias: &str) -> Result<()> {
        if self.by_alias.get(alias) == Some(id) {
            return Ok(());
        }
        let patch = CharacterPatch {
            aliases: vec![(Namespace::Role, Some(alias.to_owned()))],
            ..CharacterPatch::default()
        };
        engine.put_character(world, Who::Id(id.clone()), patch)?;
        self.by_alias.insert(alias.to_owned(), id.clone());
        Ok(())
    }

    fn id(&mut self, name: &str, alias: &str, kind: &str) -> Result<CharacterId> {
        if let Some(id) = self.by_alias.get(alias) {
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

pub(super) fn stem_of(file: &str) -> &str {
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}
