//! How does what a character remembers in another program's `memory.json` become a book that only it knows?

use std::collections::BTreeSet;

use reverie_core::library::Scope;
use reverie_core::{CharacterId, DocumentId, Engine, Result, Who, WorldId};
use reverie_formats::Warning;
use reverie_formats::memory::MemoryFile;
use serde_json::json;

use super::books::Place;
use super::brought::{Brought, Wish};
use super::keep::{self, Change, found};
use super::{Options, filled, open, tell};
use crate::output::{Failure, Output, counted};
use crate::settings::Settings;

pub(super) fn run(
    output: Output,
    settings: &Settings,
    options: &Options,
    world: Option<WorldId>,
    mut memory: MemoryFile,
) -> Result<(), Failure> {
    if let Some(character) = &options.character {
        memory.belongs_to(character);
    }
    let id = options.id.as_deref().map(DocumentId::new).transpose()?;
    let kept = Memory::new(&mut memory, id)?;
    let api = open(settings)?;
    let change = kept.keep(api.engine(), &memory)?;
    let place = world.map(|world| kept.link(api.engine(), world, options.rank)).transpose()?;
    let others: String = kept.others.iter().map(|other| format!(", and for {other}")).collect();
    let warnings = tell(output, &memory.warnings);
    let named_others: Option<Vec<&str>> =
        (!kept.others.is_empty()).then(|| kept.others.iter().map(CharacterId::as_str).collect());
    let text = format!(
        "imported a memory as the book {}: {}, {}{}{}",
        kept.book,
        counted(memory.records.len() as u64, "entry", "entries"),
        change.as_str(),
        place.as_ref().map(Place::told).unwrap_or_default(),
        place.as_ref().map(|_| others).unwrap_or_default()
    );
    let json = json!({"book": kept.book.as_str(), "character": kept.character.as_ref().map(CharacterId::as_str),
        "others": named_others, "entries": memory.records.len(), "change": change.as_str(),
        "world": place.as_ref().map(|place| place.world.as_str()), "warnings": warnings});
    output.answer(&text, &filled(json));
    Ok(())
}

/// Whose it is, and its book's id.
pub(super) struct Memory {
    pub(super) book: DocumentId,
    pub(super) character: Option<CharacterId>,
    /// Whom single records name instead. Only these know them, so the book is for them, too.
    pub(super) others: Vec<CharacterId>,
}

impl Memory {
    /// A name that nobody here can have is told in the memory's warnings.
    pub(super) fn new(memory: &mut MemoryFile, id: Option<DocumentId>) -> Result<Self> {
        let character = memory.character.as_deref().map(CharacterId::new).transpose()?;
        let name = character.as_ref().map_or_else(|| "memory".to_owned(), |whose| format!("memory-{whose}"));
        let mut others = Vec::new();
        // A book that is nobody's own is for everybody.
        if character.is_some() {
            let named: BTreeSet<&str> =
                memory.records.iter().filter_map(|record| record.role.as_deref()).collect();
            for role in named {
                match CharacterId::new(role) {
                    Ok(other) if Some(&other) != character.as_ref() => others.push(other),
                    Ok(_) => {}
                    Err(error) => memory.warnings.push(Warning::new(format!(
                        "roleUuid: nobody gets the records that name {role:?}: {}",
                        error.message()
                    ))),
                }
            }
        }
        Ok(Self { book: id.map_or_else(|| DocumentId::new(&name), Ok)?, character, others })
    }

    pub(super) fn keep(&self, engine: &Engine, memory: &MemoryFile) -> Result<Change> {
        let book = memory.to_book(self.book.as_str())?;
        Ok(keep::book(engine, &self.book, &book, self.book.as_str())?.1)
    }

    /// For its character and whom its records name, who are in the world from then on. The place is the character's.
    fn link(&self, engine: &Engine, world: WorldId, rank: Option<i64>) -> Result<Place> {
        engine.put_world(&world, Default::default())?;
        let mut brought = Brought::of(engine, &world)?;
        for scope in self.scopes(engine, &world, &mut brought)? {
            brought.link(scope, &self.book, Wish::Asked(rank))?;
        }
        brought.keep()?;
        let scope = self.character.clone().map_or(Scope::World, Scope::Character);
        Ok(Place { scope, world, rank })
    }

    /// Everybody for whom the book is.
    pub(super) fn scopes(
        &self,
        engine: &Engine,
        world: &WorldId,
        brought: &mut Brought<'_>,
    ) -> Result<Vec<Scope>> {
        let Some(character) = &self.character else { return Ok(vec![Scope::World]) };
        let mut scopes = Vec::new();
        for id in std::iter::once(character).chain(&self.others) {
            if found(engine.character(world, id))?.is_none() {
                engine.put_character(world, Who::Id(id.clone()), Default::default())?;
                brought.forget(id)?;
            }
            scopes.push(Scope::Character(id.clone()));
        }
        Ok(scopes)
    }
}
