//! Where does a text come from that is searched, and who sees it?

use std::sync::Arc;

use super::entry::Sources;
use super::shelf::Shelf;

/// Where a text comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A message; 0 is the newest.
    Message(u32),
    Persona,
    Character,
    Personality,
    DepthPrompt,
    Scenario,
    CreatorNotes,
    /// Several texts together.
    Several,
    /// The content of an entry that was found before.
    Entry(Box<EntryOrigin>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryOrigin {
    /// The pass in which it was found.
    pub pass: u32,
    pub book: Arc<str>,
    pub entry: Arc<str>,
}

/// Where something was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spot {
    /// A plain key in a text that was added; `from` counts its bytes as they are spelled for the key.
    Key { key: u32, part: u32, from: u32 },
    /// Somewhere in a text that was added.
    Part(u32),
    /// Several texts together.
    Several,
}

/// Where a text that was added comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    Message(u32),
    Persona,
    Character,
    Personality,
    DepthPrompt,
    Scenario,
    CreatorNotes,
    /// The content of this item, found in this pass.
    Entry {
        pass: u32,
        item: u32,
    },
}

impl Source {
    /// By the names that others know; None: the shelf has no such item.
    pub(super) fn named(self, shelf: &Shelf) -> Option<Origin> {
        Some(match self {
            Self::Message(index) => Origin::Message(index),
            Self::Persona => Origin::Persona,
            Self::Character => Origin::Character,
            Self::Personality => Origin::Personality,
            Self::DepthPrompt => Origin::DepthPrompt,
            Self::Scenario => Origin::Scenario,
            Self::CreatorNotes => Origin::CreatorNotes,
            Self::Entry { pass, item } => {
                let item = shelf.items.get(item as usize)?;
                let (book, entry) = (Arc::clone(&item.book), Arc::clone(&item.entry.id));
                Origin::Entry(Box::new(EntryOrigin { pass, book, entry }))
            }
        })
    }
}

/// How much of the window an entry looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct View {
    pub(super) depth: u32,
    pub(super) sources: Sources,
    pub(super) entries: bool,
}

impl View {
    pub(super) fn shows(self, source: Source) -> bool {
        match source {
            Source::Message(index) => index < self.depth,
            Source::Persona => self.sources.persona,
            Source::Character => self.sources.character,
            Source::Personality => self.sources.personality,
            Source::DepthPrompt => self.sources.depth_prompt,
            Source::Scenario => self.sources.scenario,
            Source::CreatorNotes => self.sources.creator_notes,
            Source::Entry { .. } => self.entries,
        }
    }
}
