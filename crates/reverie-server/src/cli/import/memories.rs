//! How does what a character remembers in another program's `memory.json` become a book that only it knows?

use reverie_core::library::Scope;
use reverie_core::{CharacterId, DocumentId, Engine, Result, Who, WorldId};
use reverie_formats::memory::MemoryFile;
use serde_json::json;

use super::books::Place;
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
    let kept = Memory::new(&memory, id)?;
    let api = open(settings)?;
    let change = kept.keep(api.engine(), &memory)?;
    let place = world.map(|world| kept.link(api.engine(), world, options.rank)).transpose()?;
    let warnings = tell(output, &memory.warnings);
    let text = format!(
        "imported a memory as the book {}: {}, {}{}",
        kept.book,
        counted(memory.records.len() as u64, "entry", "entries"),
        change.as_str(),
        place.as_ref().map(Place::told).unwrap_or_default()
    );
    let json = json!({"book": kept.book.as_str(), "character": kept.character.as_ref().map(CharacterId::as_str),
        "entries": memory.records.len(), "change": change.as_str(),
        "world": place.as_ref().map(|place| place.world.as_str()), "warnings": warnings});
    output.answer(&text, &filled(json));
    Ok(())
}

/// Whose it is, and its book's id.
pub(super) struct Memory {
    pub(super) book: DocumentId,
    pub(super) character: Option<CharacterId>,
}

impl Memory {
    pub(super) fn new(memory: &MemoryFile, id: Option<DocumentId>) -> Result<Self> {
        let character = memory.character.as_deref().map(CharacterId::new).transpose()?;
        let name = character.as_ref().map_or_else(|| "memory".to_owned(), |whose| format!("memory-{whose}"));
        Ok(Self { book: id.map_or_else(|| DocumentId::new(&name), Ok)?, character })
    }

    pub(super) fn keep(&self, engine: &Engine, memory: &MemoryFile) -> Result<Change> {
        let book = memory.to_book(self.book.as_str())?;
        Ok(keep::book(engine, &self.book, &book, self.book.as_str())?.1)
    }

    /// For its character, who is in the world from then on.
    pub(super) fn link(&self, engine: &Engine, world: WorldId, rank: Option<i64>) -> Result<Place> {
        engine.put_world(&world, Default::default())?;
        let place = Place { scope: self.scope(engine, &world)?, world, rank };
        place.link(engine, &self.book)?;
        Ok(place)
    }

    pub(super) fn scope(&self, engine: &Engine, world: &WorldId) -> Result<Scope> {
        Ok(match &self.character {
            None => Scope::World,
            Some(id) => {
                if found(engine.character(world, id))?.is_none() {
                    engine.put_character(world, Who::Id(id.clone()), Default::default())?;
                }
                Scope::Character(id.clone())
            }
        })
    }
}
