//! Which books are at hand, made ready once and not for every prompt?

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use super::entry::Book;
use super::shelf::{Shelf, Spelling};
use crate::id::DocumentId;
use crate::library::EntrySelect;
use crate::library::{Document, DocumentEntry, DocumentKind, Library, Link};
use crate::store::Select;
use crate::{Code, Error, Result};

/// Understands what a store keeps: the book of a document, and what was odd about it.
pub type ReadBook = fn(&Document, &[DocumentEntry], rank: i64) -> Result<Book>;

/// The books of a prompt with their revisions, and how they are searched.
type Key = (Vec<(DocumentId, u64, i64)>, Spelling);

/// How many different stacks of books are kept ready.
const MOST: usize = 32;
/// A book may change while it is read; then it is read again.
const TRIES: usize = 5;

/// Stacks of books that were searched lately, the last one in front.
pub(crate) struct Shelves {
    read: Option<ReadBook>,
    ready: Mutex<VecDeque<(Key, Arc<Shelf>)>>,
}

impl Shelves {
    pub(crate) fn new(read: Option<ReadBook>) -> Self {
        Self { read, ready: Mutex::default() }
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
        if let Some(shelf) = self.find(&key) {
            return Ok(Some(shelf));
        }
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
        let shelf = Arc::new(shelf);
        let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        ready.push_front(((seen, spelling), Arc::clone(&shelf)));
        ready.truncate(MOST);
        Ok(Some(shelf))
    }

    fn find(&self, key: &Key) -> Option<Arc<Shelf>> {
        let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        let place = ready.iter().position(|(known, _)| known == key)?;
        let found = ready.remove(place)?;
        let shelf = Arc::clone(&found.1);
        ready.push_front(found);
        Some(shelf)
    }
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
