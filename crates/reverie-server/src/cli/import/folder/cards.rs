//! How do the cards of a folder get into the library, each under an id of its own?
//!
//! A card's id is its file's name. If that is another card's, the character's name follows, `FILE~NAME`; if that is taken,
//! too, the folder or the ending does. The same card keeps the id that it has.

use std::collections::{HashMap, HashSet};

use reverie_api::library::{keep_book, keep_card};
use reverie_core::library::DocumentPut;
use reverie_core::{CharacterId, DocumentId, Error, Result};
use reverie_formats::Opened;
use reverie_formats::book::BookDocument;
use reverie_formats::card::CardDocument;
use reverie_formats::folder::Kind as FileKind;

use super::super::brought::Thing;
use super::super::keep::{self, Wish};
use super::people::stem_of;
use super::report::Kind;
use super::{Import, Layout, qualified, read};

/// Which ids this run has given away.
#[derive(Default)]
pub(super) struct CardIds {
    taken: HashMap<DocumentId, String>,
}

impl CardIds {
    fn is_free(&self, id: &DocumentId, file: &str) -> bool {
        self.taken.get(id).is_none_or(|taker| taker == file)
    }
}

impl Import<'_> {
    pub(super) fn cards(&mut self) -> Result<()> {
        self.reserve_ids()?;
        let file = |kind: &FileKind| match kind {
            FileKind::Card { file } => Some(file.clone()),
            _ => None,
        };
        self.each(file, |import, shown, file, bytes| {
            let Opened::Card(card) = reverie_formats::open(&bytes, &import.limits)? else {
                return Err(Error::invalid("this is a book, not a card").hint("books belong into worlds/"));
            };
            import.card(shown, &file, &card, bytes)
        })
    }

    fn card(&mut self, shown: &str, file: &str, card: &CardDocument, bytes: Vec<u8>) -> Result<()> {
        let (engine, world) = (self.engine, self.world);
        keep::check_card(engine, card, &bytes)?;
        let put = keep_card(card, bytes.clone());
        let alias = self.people.alias(file, card, self.layout);
        let wish = self.wish(file, card, &alias);
        let id = keep::card_id_in(engine, world, &wish, &put, |id| self.card_ids.is_free(id, file))?;
        self.card_ids.taken.insert(id.clone(), file.to_owned());
        let (_, change) = keep::card(engine, &id, card, bytes)?;
        self.report.add(Kind::Cards, change);
        let of_book = card.book.iter().flat_map(BookDocument::oddities);
        card.warnings.iter().cloned().chain(of_book).for_each(|warning| self.report.warn(shown, warning));
        let who =
            self.people.card(engine, world, (file, &alias), (&id, card), (&mut self.brought, change))?;
        self.tags_of(&who, file, card)?;
        let named = card.world.as_deref();
        // The book that a card names is the one in use; the one on it is a copy.
        let mut book = named.and_then(|name| self.books.get(name)).cloned();
        self.named_books.extend(book.clone());
        if let (None, Some(on_card)) = (&book, &card.book) {
            let name = self.books.name_on_card(id.as_str());
            let id = self.books.id((engine, world), &self.brought, &name, &keep_book(on_card, &card.name))?;
            let (_, change) = keep::book_on_card(engine, &id, on_card, (&card.name, change))?;
            self.brought.note(Thing::Book, &[id.as_str()], &[]);
            self.report.add(Kind::Books, change);
            book = Some(id);
        } else if let (None, Some(name)) = (&book, named) {
            self.report.warn(shown, format!("the book {name:?} that it names is not in the folder"));
        }
        if let Some(book) = book {
            self.books.for_character(&mut self.brought, &who, &book)?;
        }
        Ok(())
    }

    /// As the settings of the folder tell them; where they tell nothing of tags, as the card does.
    fn tags_of(&mut self, who: &CharacterId, file: &str, card: &CardDocument) -> Result<()> {
        let (thing, tags) = match self.tags.are_told() {
            true => (Thing::TagsOfFolder, self.tags.of_card(file)),
            false => (Thing::TagsOfCard, Some(card.tags.clone()).filter(|tags| !tags.is_empty())),
        };
        match tags {
            Some(tags) => keep::tags(&mut self.brought, (self.engine, self.world), who, (thing, &tags)),
            None => Ok(()),
        }
    }

    fn wish<'w>(&self, file: &'w str, card: &'w CardDocument, alias: &str) -> Wish<'w> {
        Wish {
            stem: stem_of(file),
            name: card.name.trim(),
            last: qualified(stem_of(file), file),
            is_ours: self.people.knows(alias),
            may_be_renamed: self.layout == Layout::SillyTavern,
        }
    }

    /// Of files that are called the same, those whose card is in the library keep its id, whichever comes first.
    fn reserve_ids(&mut self) -> Result<()> {
        let mut seen = HashSet::new();
        let mut twice = HashSet::new();
        for item in self.items {
            if let FileKind::Card { file } = &item.found.kind
                && !seen.insert(stem_of(file))
            {
                twice.insert(stem_of(file));
            }
        }
        for item in self.items {
            let FileKind::Card { file } = &item.found.kind else { continue };
            if !twice.contains(stem_of(file)) {
                continue;
            }
            // What cannot be read is told when its turn comes.
            let Ok(bytes) = read(item, &self.limits) else { continue };
            let Ok(Opened::Card(card)) = reverie_formats::open(&bytes, &self.limits) else { continue };
            let alias = self.people.alias(file, &card, self.layout);
            let (wish, put): (_, DocumentPut) = (self.wish(file, &card, &alias), keep_card(&card, bytes));
            let is_free = |id: &DocumentId| self.card_ids.is_free(id, file);
            if let Some(id) = keep::same_card(self.engine, self.world, &wish, &put, is_free)? {
                self.card_ids.taken.insert(id, file.clone());
            }
        }
        Ok(())
    }
}
