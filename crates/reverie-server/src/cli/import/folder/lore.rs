//! Which books does a world get from a folder, for whom, and how are they searched?
//!
//! A chat's book and a persona's book are for the conversations that have them. The strategy that puts one kind of book
//! before another counts among entries of equal order.

use std::collections::{HashMap, HashSet};

use reverie_core::library::{DocumentKind, DocumentPut, Scope};
use reverie_core::settings::Pairs;
use reverie_core::{CharacterId, ConversationId, DocumentId, Engine, Result, WorldId};
use reverie_formats::folder::LoreSettings;
use reverie_formats::folder::settings::Strategy;

use super::super::brought::{Brought, Linked, Thing, Wish};
use super::super::keep;

/// The books of the folder by the names that cards, chats and settings use.
#[derive(Default)]
pub(super) struct Books {
    by_name: HashMap<String, DocumentId>,
    /// What the world used before.
    linked: HashSet<DocumentId>,
    character_rank: i64,
    global_rank: i64,
    pub(super) links: usize,
    pub(super) new_links: usize,
    /// Taken away here, and not brought back.
    pub(super) removed_links: usize,
}

impl Books {
    pub(super) fn of(engine: &Engine, world: &WorldId, lore: Option<&LoreSettings>) -> Result<Self> {
        let (character_rank, global_rank) = match lore.map(|lore| lore.strategy) {
            Some(Strategy::GlobalFirst) => (3, 2),
            Some(Strategy::Evenly) => (2, 2),
            Some(Strategy::CharacterFirst) | None => (2, 3),
        };
        let linked = engine.links(world)?.into_iter().map(|link| link.book).collect();
        Ok(Self { linked, character_rank, global_rank, ..Self::default() })
    }

    pub(super) fn add(&mut self, name: &str, id: DocumentId) {
        self.by_name.insert(name.to_owned(), id);
    }

    pub(super) fn get(&self, name: &str) -> Option<&DocumentId> {
        self.by_name.get(name)
    }

    pub(super) fn all(&self) -> Vec<DocumentId> {
        let mut all: Vec<DocumentId> = self.by_name.values().cloned().collect();
        all.sort();
        all
    }

    /// The library's id for a book of this name.
    pub(super) fn id(
        &self,
        (engine, world): (&Engine, &WorldId),
        brought: &Brought<'_>,
        name: &str,
        put: &DocumentPut,
    ) -> Result<DocumentId> {
        let is_linked = self.linked.iter().any(|book| book.as_str() == name);
        let is_ours = is_linked || brought.has(Thing::Book, &[name]);
        keep::id_in(engine, world, name, put, (DocumentKind::Book, is_ours))
    }

    /// The name for the book on a card: the card's own, unless a book of the folder is called so.
    pub(super) fn name_on_card(&self, stem: &str) -> String {
        match self.by_name.contains_key(stem) {
            true => format!("{stem}~card"),
            false => stem.to_owned(),
        }
    }

    pub(super) fn for_everybody(&mut self, brought: &mut Brought<'_>, book: &DocumentId) -> Result<()> {
        let rank = self.global_rank;
        self.link(brought, Scope::World, book, rank)
    }

    pub(super) fn for_character(
        &mut self,
        brought: &mut Brought<'_>,
        who: &CharacterId,
        book: &DocumentId,
    ) -> Result<()> {
        let rank = self.character_rank;
        self.link(brought, Scope::Character(who.clone()), book, rank)
    }

    /// The chat's own comes before that of a persona.
    pub(super) fn for_conversation(
        &mut self,
        brought: &mut Brought<'_>,
        conversation: &ConversationId,
        book: &DocumentId,
        is_own: bool,
    ) -> Result<()> {
        let rank = if is_own { 0 } else { 1 };
        self.link(brought, Scope::Conversation(conversation.clone()), book, rank)
    }

    fn link(&mut self, brought: &mut Brought<'_>, scope: Scope, book: &DocumentId, rank: i64) -> Result<()> {
        match brought.link(scope, book, Wish::Along(Some(rank)))? {
            Linked::New => self.new_links += 1,
            Linked::Removed => self.removed_links += 1,
            Linked::There => {}
        }
        self.links += 1;
        Ok(())
    }
}

/// As settings of the world; what is usual here needs none.
pub(super) fn settings(lore: &LoreSettings) -> Pairs {
    let usual = LoreSettings::read(&serde_json::Value::Null);
    let texts = |lore: &LoreSettings| {
        [
            ("lore.depth", lore.depth.to_string()),
            ("lore.budget_percent", lore.budget_percent.round().to_string()),
            ("lore.budget_cap", lore.budget_cap.to_string()),
            ("lore.recursive", lore.recursive.to_string()),
            ("lore.max_recursion_steps", lore.max_recursion_steps.to_string()),
            ("lore.min_activations", lore.min_activations.to_string()),
            ("lore.min_activations_depth_max", lore.min_activations_depth_max.to_string()),
            ("lore.include_names", lore.include_names.to_string()),
            ("lore.case_sensitive", lore.case_sensitive.to_string()),
            ("lore.whole_words", lore.whole_words.to_string()),
            ("lore.group_scoring", lore.group_scoring.to_string()),
        ]
    };
    let pairs = texts(lore).into_iter().zip(texts(&usual));
    // An empty value takes a setting away.
    pairs
        .map(|((key, value), (_, usual))| {
            (key.to_owned(), if value == usual { String::new() } else { value })
        })
        .collect()
}
