//! With whom can a client speak, and by which name is each of them asked for?

use std::collections::HashSet;

use reverie_core::character::CharacterKind;
use reverie_core::conversation::{LinesQuery, WhichLines};
use reverie_core::{Attribute, Character, CharacterId, Engine, WorldId};

/// Somebody who can be chosen together with a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Face {
    pub(super) id: String,
    name: Option<String>,
    is_name_its_own: bool,
}

impl Face {
    /// Names under which people know them, the best one first: what they are called, if nobody else is, and their id.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.name.as_deref().filter(|_| self.is_name_its_own).into_iter().chain([self.id.as_str()])
    }

    /// Whether a chat that asks for this would reach them.
    pub(super) fn is_called(&self, text: &str) -> bool {
        self.id == text || self.name.as_deref() == Some(text)
    }
}

/// So many lines of a conversation tell who asks in it and who answers.
const NEWEST_LINES: usize = 20;

/// Whoever has a persona or has ever answered, and whoever was made for it: not those who only ever spoke to others.
pub(super) fn answering(
    engine: &Engine,
    world: &WorldId,
    user: &CharacterId,
) -> reverie_core::Result<Vec<Face>> {
    let limit = engine.limits().page;
    let all = engine.characters(world, None, limit)?.items;
    let mut found = all.clone();
    found.retain(|character| {
        character.card.kind == CharacterKind::Person
            && character.id != *user
            && !reverie_core::character::is_erased(&character.id)
    });
    let is_made = |character: &Character| character.card.persona.is_some() || character.card.tags.is_some();
    if !found.iter().all(is_made) {
        let (asking, answering) = sides(engine, world)?;
        found.retain(|character| {
            is_made(character) || !asking.contains(&character.id) || answering.contains(&character.id)
        });
    }
    Ok(found.iter().map(|character| face(character, &all)).collect())
}

/// Who spoke as a user and who as a character, by the newest lines of each conversation.
fn sides(
    engine: &Engine,
    world: &WorldId,
) -> reverie_core::Result<(HashSet<CharacterId>, HashSet<CharacterId>)> {
    let (mut asking, mut answering) = (HashSet::new(), HashSet::new());
    for conversation in engine.conversations(world, None, engine.limits().page)?.items {
        let query = LinesQuery {
            which: WhichLines::Path,
            witness: None,
            after: None,
            newest_first: true,
            limit: NEWEST_LINES.min(engine.limits().page),
        };
        for line in engine.lines(world, &conversation.id, query)?.items {
            match line.attribute {
                Attribute::User => asking.extend(line.speaker),
                Attribute::Assistant => answering.extend(line.speaker),
                _ => {}
            }
        }
    }
    Ok((asking, answering))
}

fn face(character: &Character, all: &[Character]) -> Face {
    let name = character.card.display_name.clone();
    let is_taken = |name: &String| {
        let others = all.iter().filter(|other| other.id != character.id);
        others
            .into_iter()
            .any(|other| other.id.as_str() == name || other.card.display_name.as_ref() == Some(name))
    };
    let is_its_own = name.as_ref().is_some_and(|name| !is_taken(name) && CharacterId::new(name).is_ok());
    Face { id: character.id.to_string(), name, is_name_its_own: is_its_own }
}
