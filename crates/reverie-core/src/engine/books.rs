//! How are books and cards kept, and which of them does a world use?

use std::sync::Arc;

use super::recalling::Whole;
use super::{Degraded, Engine, Listed, Written, one, warnings};
use crate::compose::{Lore, With, compose};
use crate::cue::{Cue, LoreName, Tokens};
use crate::id::{DocumentId, WorldId};
use crate::library::{
    Document, DocumentEntry, DocumentKind, DocumentPut, EntryChange, EntrySelect, Link, Scope,
};
use crate::limits::check;
use crate::lore::{Activation, Problem};
use crate::{Code, Error, Result};

impl Engine {
    /// Makes or replaces a book or card. The same again changes nothing.
    pub fn put_document(
        &self,
        kind: DocumentKind,
        id: &DocumentId,
        put: DocumentPut,
    ) -> Result<Written<Document>> {
        self.limits.check_document(&put)?;
        let (value, created) = self.store.put_document(kind, id, put)?;
        Ok(Written { value, created, replaced: 0 })
    }

    pub fn document(&self, kind: DocumentKind, id: &DocumentId) -> Result<Document> {
        let found = self.store.documents(kind, &one(id))?.pop();
        found.ok_or_else(|| no_document(kind, id))
    }

    pub fn documents(
        &self,
        kind: DocumentKind,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Listed<Document>> {
        self.listed(after, limit, |select| self.store.documents(kind, select))
    }

    /// The file that a document came in, if it is kept.
    pub fn document_file(&self, kind: DocumentKind, id: &DocumentId) -> Result<Option<Vec<u8>>> {
        self.store.document_file(kind, id)
    }

    pub fn erase_document(&self, kind: DocumentKind, id: &DocumentId) -> Result<()> {
        self.store.erase_document(kind, id)
    }

    /// All changes or none.
    pub fn change_entries(
        &self,
        book: &DocumentId,
        changes: Vec<EntryChange>,
        expected_revision: Option<u64>,
    ) -> Result<Document> {
        let mut entries = self.document(DocumentKind::Book, book)?.entries as usize;
        for change in &changes {
            let EntryChange::Put(entry) = change else { continue };
            let (_, known) = self.store.entries(book, &EntrySelect::One(Arc::clone(&entry.id)))?;
            entries += usize::from(known.is_empty());
            check("entries", entries, self.limits.entries_per_book, "limits.book_entries")?;
            check("bytes", entry.text.len(), self.limits.bytes_per_document, "limits.document_bytes")?;
        }
        self.store.change_entries(book, changes, expected_revision)
    }

    pub fn entry(&self, book: &DocumentId, entry: &str) -> Result<DocumentEntry> {
        let (_, mut found) = self.store.entries(book, &EntrySelect::One(Arc::from(entry)))?;
        found
            .pop()
            .ok_or_else(|| Error::not_found(format!("there is no entry {entry:?} in the book {book:?}")))
    }

    /// A page of entries in the author's order.
    pub fn entries(
        &self,
        book: &DocumentId,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Listed<DocumentEntry>> {
        let page = |limit| EntrySelect::Page { after: after.map(Arc::from), limit };
        let limit = limit.clamp(1, self.limits.page);
        let (_, mut items) = self.store.entries(book, &page(limit + 1))?;
        let more = items.len() > limit;
        items.truncate(limit);
        Ok(Listed { items, has_more: more })
    }

    /// The whole book at one moment, whatever its size.
    pub fn all_entries(&self, book: &DocumentId) -> Result<(u64, Vec<DocumentEntry>)> {
        self.store.entries(book, &EntrySelect::All)
    }

    /// Makes a book part of a world, or moves it in the stack. Whom it is for is made if nobody is called so, and that is
    /// said.
    pub fn put_link(&self, world: &WorldId, link: &Link) -> Result<Linked> {
        self.document(DocumentKind::Book, &link.book)?;
        let stranger = match &link.scope {
            Scope::Character(id) if self.store.characters(world, &one(id))?.is_empty() => Some(id),
            _ => None,
        };
        let created = self.store.put_link(world, link)?;
        Ok(Linked { created, degraded: stranger.map(warnings::made_for_a_link).into_iter().collect() })
    }

    pub fn remove_link(&self, world: &WorldId, book: &DocumentId, scope: &Scope) -> Result<()> {
        self.store.remove_link(world, book, scope)
    }

    pub fn links(&self, world: &WorldId) -> Result<Vec<Link>> {
        self.store.links(world)
    }

    /// What recall would bring into the prompt for this cue from the books, and of every entry why or why not. Changes
    /// nothing.
    pub fn preview_lore(&self, world: &WorldId, cue: &Cue) -> Result<LorePreview> {
        let Whole { gathered, settings, voices, .. } = self.gather(world, cue)?;
        let shelf = self.shelves.get(self.store.as_ref(), &gathered.books, settings.lore.spelling)?;
        let shelf = shelf.unwrap_or_default();
        let asked = self.meaning_of(cue, &gathered, Some(&shelf), &settings);
        let near = self.near(cue, &gathered, Some(&shelf), &settings, &asked);
        let cue = near.cue.as_ref().unwrap_or(cue);
        let timers = gathered.lore_timers.as_deref().unwrap_or_default().parse()?;
        let lore = Lore { shelf: &shelf, timers, explain: Some(near.meaning), voices };
        let with = With { lore: Some(lore), memories: None, laps: None };
        let composed = compose(&gathered, cue, &settings, with, self.clock.now_ms())?;
        let found =
            composed.found.ok_or_else(|| Error::new(Code::Internal, "the books were not searched"))?;
        let looks_wrong = self.looks_wrong(world, &gathered, cue)?;
        let mut problems = shelf.problems().to_vec();
        problems.extend_from_slice(&found.problems);
        Ok(LorePreview {
            found,
            problems,
            left_out: composed.recall.left_out.into_iter().flat_map(|left| left.lore).collect(),
            tokens: composed.recall.tokens,
            degraded: looks_wrong.into_iter().chain(near.degraded).collect(),
        })
    }
}

/// What became of a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Linked {
    /// False if it was there already.
    pub created: bool,
    pub degraded: Vec<Degraded>,
}

/// What the books of a world bring into a prompt.
#[derive(Debug, Clone, PartialEq)]
pub struct LorePreview {
    /// What is in the prompt, and of every entry why or why not.
    pub found: Activation,
    pub problems: Vec<Problem>,
    /// What was found, and the prompt has no room for.
    pub left_out: Vec<LoreName>,
    /// Of the whole prompt.
    pub tokens: Tokens,
    pub degraded: Vec<Degraded>,
}

fn no_document(kind: DocumentKind, id: &DocumentId) -> Error {
    let noun = match kind {
        DocumentKind::Book => "book",
        DocumentKind::Card => "card",
    };
    Error::not_found(format!("there is no {noun} {id:?}"))
        .hint(format!("the library's list of {noun}s says which are there"))
}
