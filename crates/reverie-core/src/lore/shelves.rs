//! Which books are at hand, made ready once and not for every prompt?

mod ready;

use std::sync::Arc;

use super::entry::Book;
use super::shelf::{Shelf, Spelling};
use crate::id::DocumentId;
use crate::library::EntrySelect;
use crate::library::{Document, DocumentEntry, DocumentKind, Library, Link};
use crate::store::Select;
use crate::{Code, Error, Result};
use ready::Ready;

/// Understands what a store keeps: the book of a document, and what was odd about it.
pub type ReadBook = fn(&Document, &[DocumentEntry], rank: i64) -> Result<Book>;

/// The books of a prompt with their revisions, and how they are searched.
type Key = (Vec<(DocumentId, u64, i64)>, Spelling);

/// A book may change while it is read; then it is read again.
const TRIES: usize = 5;

/// Stacks of books that were searched lately.
pub(crate) struct Shelves {
    read: Option<ReadBook>,
    ready: Ready<Key, Shelf>,
}

impl Shelves {
    pub(crate) fn new(read: Option<ReadBook>) -> Self {
        Self { read, ready: Ready::new(Shelf::memory) }
    }

    /// None: there are no books, or nobody who can read them.
    pub(crate) fn get(
        &self,
        library: &dyn Library,
        books: &[(Link, u64)],
        spelling: Spelling,
    ) -> Result<Option<Arc<Shelf>>> {
        let Some(read) = self.read.filter(|_| !books.is_empty()) else { return Ok(None) };
        let wanted: Vec<_> =
            books.iter().map(|(link, revision)| (link.book.clone(), *revision, link.rank)).collect();
        let key = (wanted, spelling);
        let shelf = self.ready.get(&key, || make(library, read, books, spelling))?;
        Ok(Some(shelf))
    }
}

/// The shelf, and of what it is made: a book may have changed meanwhile.
fn make(
    library: &dyn Library,
    read: ReadBook,
    books: &[(Link, u64)],
    spelling: Spelling,
) -> Result<(Key, Shelf)> {
    let mut shelved = Vec::with_capacity(books.len());
    let mut seen = Vec::with_capacity(books.len());
    for (link, _) in books {
        let (book, revision) = load(library, read, link)?;
        seen.push((link.book.clone(), revision, link.rank));
        shelved.extend(book);
    }
    let shelf = Shelf::new(&shelved, spelling).map_err(|problem| {
        Error::invalid(format!("these books cannot be searched together: {problem}"))
            .hint("link fewer or smaller books")
    })?;
    Ok(((seen, spelling), shelf))
}

/// The book at one revision; a book that was removed meanwhile is none.
fn load(library: &dyn Library, read: ReadBook, link: &Link) -> Result<(Option<Book>, u64)> {
    for _ in 0..TRIES {
        let one = Select::One(link.book.as_str().to_owned());
        let Some(document) = library.documents(DocumentKind::Book, &one)?.pop() else { return Ok((None, 0)) };
        let (revision, entries) = library.entries(&link.book, &EntrySelect::All)?;
        if revision == document.revision {
            return Ok((Some(read(&document, &entries, link.rank)?), revision));
        }
    }
    Err(Error::new(Code::Unavailable, format!("the book {:?} changes too often to be read", link.book))
        .hint("try again"))
}
