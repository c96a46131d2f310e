//! What do worlds share, and which of it do they use?

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, MutexGuard, PoisonError};

use reverie_core::library::{
    Bringing, Document, DocumentEntry, DocumentKind, DocumentPut, EntryChange, EntrySelect, Library, Link,
    Scope,
};
use reverie_core::store::{Gathered, Select};
use reverie_core::{DocumentId, Error, Result, Who, WorldId};

use super::vectors::Kept;
use super::world::ModelWorld;
use super::{ModelStore, selected};

/// All documents, and how far each has counted, those that are gone too.
#[derive(Debug, Clone, Default)]
pub(super) struct Shelf {
    pub(super) documents: BTreeMap<(DocumentKind, DocumentId), DocumentPut>,
    revisions: BTreeMap<(DocumentKind, DocumentId), u64>,
    /// What an import brought last.
    pub(super) imported: BTreeMap<(DocumentKind, DocumentId), [u8; 16]>,
    /// Of an entry of a book, in a space.
    pub(super) vectors: BTreeMap<(DocumentId, Arc<str>, String), Kept>,
}

impl Shelf {
    fn look(&self, kind: DocumentKind, id: &DocumentId) -> Option<Document> {
        let key = (kind, id.clone());
        let put = self.documents.get(&key)?;
        Some(Document {
            kind,
            id: id.clone(),
            name: put.name.clone(),
            format: put.format.clone(),
            text: put.text.clone(),
            revision: *self.revisions.get(&key)?,
            entries: put.entries.len() as u64,
            has_file: put.file.is_some(),
            imported: self.imported.get(&key).copied(),
        })
    }

    fn find(&self, kind: DocumentKind, id: &DocumentId) -> Result<(Document, DocumentPut)> {
        let put = self.documents.get(&(kind, id.clone())).cloned();
        self.look(kind, id).zip(put).ok_or_else(|| Error::not_found(format!("there is no {kind:?} {id:?}")))
    }

    pub(super) fn put(&mut self, kind: DocumentKind, id: &DocumentId, put: DocumentPut) {
        let key = (kind, id.clone());
        *self.revisions.entry(key.clone()).or_default() += 1;
        let old = self.documents.get(&key).map(|old| old.entries.clone()).unwrap_or_default();
        let stays = |entry: &Arc<str>| old.iter().any(|old| old.id == *entry && put.entries.contains(old));
        self.vectors.retain(|(book, entry, _), _| kind != DocumentKind::Book || book != id || stays(entry));
        self.documents.insert(key, plain(put));
    }
}

/// What is kept: how it was brought is told elsewhere.
fn plain(put: DocumentPut) -> DocumentPut {
    DocumentPut { expected_revision: None, bringing: Bringing::default(), ..put }
}

/// Books that are there, with their revisions, and links to those that are gone.
type Linked = (Vec<(Link, u64)>, Vec<Link>);

impl ModelStore {
    pub(super) fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Those of a world's books that are meant for who speaks where, and links to those of them that are gone.
    pub(super) fn books(&self, world: &WorldId, gathered: &Gathered) -> Result<Linked> {
        let (mut books, mut missing) = (Vec::new(), Vec::new());
        for link in self.links(world)? {
            let is_meant = match &link.scope {
                Scope::World => true,
                Scope::Character(id) => {
                    gathered.character.as_ref().is_some_and(|c| c.id == *id)
                        || gathered.minds.iter().any(|mind| mind.holder == *id)
                }
                Scope::Conversation(id) => gathered.conversation.as_ref().is_some_and(|c| c.id == *id),
            };
            if !is_meant {
                continue;
            }
            match self.shelf().look(DocumentKind::Book, &link.book) {
                Some(book) => books.push((link, book.revision)),
                None => missing.push(link),
            }
        }
        let place = |link: &Link| (link.rank, link.book.clone(), link.scope.clone());
        books.sort_by_key(|(link, _)| place(link));
        missing.sort_by_key(place);
        Ok((books, missing))
    }
}

impl Library for ModelStore {
    fn put_document(
        &self,
        kind: DocumentKind,
        id: &DocumentId,
        put: DocumentPut,
    ) -> Result<(Document, bool)> {
        let mut shelf = self.shelf();
        let ids: BTreeSet<_> = put.entries.iter().map(|entry| &entry.id).collect();
        if ids.len() < put.entries.len() {
            return Err(Error::invalid("two entries have the same id"));
        }
        let old = shelf.find(kind, id).ok();
        check_revision(old.as_ref().map_or(0, |(old, _)| old.revision), put.expected_revision)?;
        let (key, brings) = ((kind, id.clone()), put.fingerprint());
        let is_import = put.bringing == Bringing::Import;
        let is_known = is_import && shelf.imported.get(&key) == Some(&brings) && old.is_some();
        let is_same = old.as_ref().is_some_and(|(_, old)| *old == plain(put.clone()));
        if !is_same && !is_known {
            shelf.put(kind, id, put);
        }
        if is_import || old.is_none() {
            shelf.imported.insert(key, brings);
        }
        Ok((shelf.find(kind, id)?.0, old.is_none()))
    }

    fn documents(&self, kind: DocumentKind, select: &Select) -> Result<Vec<Document>> {
        let shelf = self.shelf();
        let of_kind = shelf.documents.keys().filter(|(other, _)| *other == kind);
        let all = of_kind.filter_map(|(kind, id)| shelf.look(*kind, id)).collect();
        Ok(selected(all, select, |document: &Document| document.id.as_str()))
    }

    fn document_file(&self, kind: DocumentKind, id: &DocumentId) -> Result<Option<Vec<u8>>> {
        Ok(self.shelf().find(kind, id)?.1.file)
    }

    fn erase_document(&self, kind: DocumentKind, id: &DocumentId) -> Result<()> {
        let mut shelf = self.shelf();
        shelf.find(kind, id)?;
        shelf.documents.remove(&(kind, id.clone()));
        shelf.imported.remove(&(kind, id.clone()));
        shelf.vectors.retain(|(book, ..), _| kind != DocumentKind::Book || book != id);
        Ok(())
    }

    fn change_entries(
        &self,
        book: &DocumentId,
        changes: Vec<EntryChange>,
        expected_revision: Option<u64>,
    ) -> Result<Document> {
        let mut shelf = self.shelf();
        let (document, mut put) = shelf.find(DocumentKind::Book, book)?;
        check_revision(document.revision, expected_revision)?;
        let mut has_changed = false;
        for change in changes {
            let before = put.entries.clone();
            match change {
                EntryChange::Put(entry) => match put.entries.iter_mut().find(|old| old.id == entry.id) {
                    Some(old) => *old = entry,
                    None => put.entries.push(entry),
                },
                EntryChange::Remove(id) => {
                    put.entries.retain(|entry| entry.id != id);
                    if put.entries == before {
                        return Err(no_entry());
                    }
                }
            }
            has_changed |= put.entries != before;
        }
        if has_changed {
            shelf.put(DocumentKind::Book, book, put);
        }
        Ok(shelf.find(DocumentKind::Book, book)?.0)
    }

    fn entries(&self, book: &DocumentId, select: &EntrySelect) -> Result<(u64, Vec<DocumentEntry>)> {
        let (document, put) = self.shelf().find(DocumentKind::Book, book)?;
        let all = put.entries.into_iter();
        let entries = match select {
            EntrySelect::All => all.collect(),
            EntrySelect::One(id) => all.filter(|entry| entry.id == *id).collect(),
            EntrySelect::Page { after: None, limit } => all.take(*limit).collect(),
            EntrySelect::Page { after: Some(after), limit } => {
                let mut all = all.skip_while(|entry| entry.id != *after);
                all.next().ok_or_else(no_entry)?;
                all.take(*limit).collect()
            }
        };
        Ok((document.revision, entries))
    }

    fn put_link(&self, world: &WorldId, link: &Link) -> Result<bool> {
        let is_there = self.shelf().look(DocumentKind::Book, &link.book).is_some();
        self.write(world, |world| world.put_link(link, is_there), |_, is_new| Ok(is_new))
    }

    fn remove_link(&self, world: &WorldId, book: &DocumentId, scope: &Scope) -> Result<()> {
        self.write(world, |world| world.remove_link(book, scope), |_, ()| Ok(()))
    }

    fn links(&self, world: &WorldId) -> Result<Vec<Link>> {
        self.read(world, |world| Ok(world.links_at(world.revision)))
    }
}

impl ModelWorld {
    fn put_link(&mut self, link: &Link, book_is_there: bool) -> Result<bool> {
        match &link.scope {
            Scope::World => {}
            Scope::Character(id) => {
                let who = self.meet(&Who::Id(id.clone()))?;
                if self.person(who).erased {
                    return Err(Error::not_found("that character was deleted"));
                }
            }
            Scope::Conversation(id) => drop(self.room(id)?),
        }
        let before = self.links.len();
        self.links.retain(|old| (&old.scope, &old.book) != (&link.scope, &link.book));
        let is_new = self.links.len() == before;
        if is_new && !book_is_there {
            return Err(Error::not_found("there is no such book"));
        }
        self.links.push(link.clone());
        self.links.sort();
        Ok(is_new)
    }

    fn remove_link(&mut self, book: &DocumentId, scope: &Scope) -> Result<()> {
        let before = self.links.len();
        self.links.retain(|link| (&link.scope, &link.book) != (scope, book));
        if self.links.len() == before { Err(Error::not_found("there is no such link")) } else { Ok(()) }
    }
}

/// 0 stands for a document that is not there.
fn check_revision(revision: u64, expected: Option<u64>) -> Result<()> {
    match expected {
        Some(expected) if expected != revision => Err(Error::conflict("it has another revision")),
        _ => Ok(()),
    }
}

fn no_entry() -> Error {
    Error::not_found("there is no such entry")
}
