//! The library of this file: books and cards that its worlds share.

use reverie_core::library::{
    Document, DocumentEntry, DocumentKind, DocumentPut, EntryChange, EntrySelect, Link, Scope,
};
use reverie_core::store::Select;
use reverie_core::{DocumentId, Library, Result, WorldId};

use crate::{SqliteStore, document, entry, link};

impl Library for SqliteStore {
    fn put_document(
        &self,
        kind: DocumentKind,
        id: &DocumentId,
        put: DocumentPut,
    ) -> Result<(Document, bool)> {
        let id = id.clone();
        self.write(move |connection| document::put(connection, kind, &id, &put))
    }

    fn documents(&self, kind: DocumentKind, select: &Select) -> Result<Vec<Document>> {
        self.read(|connection| document::list(connection, kind, select))
    }

    fn document_file(&self, kind: DocumentKind, id: &DocumentId) -> Result<Option<Vec<u8>>> {
        self.read(|connection| document::file_of(connection, kind, id))
    }

    fn erase_document(&self, kind: DocumentKind, id: &DocumentId) -> Result<()> {
        let id = id.clone();
        self.write(move |connection| document::erase(connection, kind, &id))?;
        self.file()?.scrub_now();
        Ok(())
    }

    fn change_entries(
        &self,
        book: &DocumentId,
        changes: Vec<EntryChange>,
        expected_revision: Option<u64>,
    ) -> Result<Document> {
        let book = book.clone();
        self.write(move |connection| entry::change(connection, &book, &changes, expected_revision))
    }

    fn entries(&self, book: &DocumentId, select: &EntrySelect) -> Result<(u64, Vec<DocumentEntry>)> {
        self.read(|connection| entry::select(connection, book, select))
    }

    fn put_link(&self, world: &WorldId, link: &Link) -> Result<bool> {
        let link = link.clone();
        self.write_world(world, move |connection, world| link::put(connection, world, &link))
    }

    fn remove_link(&self, world: &WorldId, book: &DocumentId, scope: &Scope) -> Result<()> {
        let (book, scope) = (book.clone(), scope.clone());
        self.write_world(world, move |connection, world| link::remove(connection, world, &book, &scope))
    }

    fn links(&self, world: &WorldId) -> Result<Vec<Link>> {
        self.read_world(world, link::list)
    }
}
