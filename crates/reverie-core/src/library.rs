//! What do worlds share? Books and cards, kept as their authors' files say them.
//!
//! A store does not understand a document: its texts are JSON of the format that the document came in, so that nothing
//! an author wrote is lost. Reading them is the work of whoever opened the engine. A book becomes part of a world by a
//! link, which says for whom it is and where in the stack it lies.

use std::sync::Arc;

use crate::Result;
use crate::fingerprint::fingerprint_of_document;
use crate::id::{CharacterId, ConversationId, DocumentId, MAX_ID_BYTES, WorldId};
use crate::store::Select;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DocumentKind {
    Book,
    Card,
}

/// What is known of a book or card without reading its entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    pub kind: DocumentKind,
    pub id: DocumentId,
    pub name: String,
    /// In which format the texts are.
    pub format: String,
    /// All of the file but its entries.
    pub text: String,
    /// Counts the document's changes, from 1. A document that was removed and made again goes on counting.
    pub revision: u64,
    /// How many entries it has.
    pub entries: u64,
    /// True if the file that it came in is kept, a picture for instance.
    pub has_file: bool,
    /// What an import brought last, as [`DocumentPut::fingerprint`] tells it.
    pub imported: Option<[u8; 16]>,
}

/// One entry of a book, as its author's file has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentEntry {
    /// Unique in its document.
    pub id: Arc<str>,
    pub text: Arc<str>,
}

/// A whole document, in place of what was there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DocumentPut {
    pub name: String,
    pub format: String,
    pub text: String,
    /// In the author's order.
    pub entries: Vec<DocumentEntry>,
    pub file: Option<Vec<u8>>,
    /// Refused as Conflict if the document has another revision; 0: if there is one.
    pub expected_revision: Option<u64>,
    pub bringing: Bringing,
}

impl DocumentPut {
    /// Of what it says, whoever brings it.
    pub fn fingerprint(&self) -> [u8; 16] {
        fingerprint_of_document(self)
    }
}

/// What becomes of a document that is there already?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bringing {
    /// It is replaced.
    #[default]
    Replace,
    /// A file is read once more: what it brought last time is not brought again, so that what was changed by hand since
    /// stays. Only another content than that replaces what is there.
    Import,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryChange {
    /// In place of the entry with this id, or behind the last.
    Put(DocumentEntry),
    Remove(Arc<str>),
}

/// The name for a book that arrives where another one has its name: the second `id~2`, the third `id~3`, and so on.
pub fn another_id(id: &DocumentId, number: usize) -> Result<DocumentId> {
    if number < 2 {
        return Ok(id.clone());
    }
    let end = format!("~{number}");
    let mut length = id.as_str().len().min(MAX_ID_BYTES.saturating_sub(end.len()));
    while !id.as_str().is_char_boundary(length) {
        length -= 1;
    }
    let (beginning, _) = id.as_str().split_at(length);
    DocumentId::new(&format!("{beginning}{end}"))
}

/// A book that a world uses.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Link {
    pub scope: Scope,
    pub book: DocumentId,
    /// Where it lies in the stack: of entries of equal order, those of the lowest book are chosen first, as far as the budget
    /// reaches, and stand last in the prompt, nearest to what is said.
    pub rank: i64,
}

/// For whom a book is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    World,
    Character(CharacterId),
    Conversation(ConversationId),
}

/// Each book once: a book that is linked several times lies where its narrowest link puts it. By rank, then by id.
pub(crate) fn stack(mut books: Vec<(Link, u64)>) -> Vec<(Link, u64)> {
    books.sort_by(|(a, _), (b, _)| {
        (&a.book, std::cmp::Reverse(&a.scope)).cmp(&(&b.book, std::cmp::Reverse(&b.scope)))
    });
    books.dedup_by(|(later, _), (first, _)| later.book == first.book);
    books.sort_by(|(a, _), (b, _)| (a.rank, &a.book).cmp(&(b.rank, &b.book)));
    books
}

/// Every method is one transaction.
pub trait Library {
    /// Makes or replaces a document. True if it was made; the same content again changes nothing, not even the revision. What
    /// it was made as counts as imported.
    fn put_document(&self, kind: DocumentKind, id: &DocumentId, put: DocumentPut)
    -> Result<(Document, bool)>;
    fn documents(&self, kind: DocumentKind, select: &Select) -> Result<Vec<Document>>;
    fn document_file(&self, kind: DocumentKind, id: &DocumentId) -> Result<Option<Vec<u8>>>;
    /// Links to a book that is gone stay, and mean nothing until it is there again but that it is missed.
    fn erase_document(&self, kind: DocumentKind, id: &DocumentId) -> Result<()>;

    /// All changes or none. With an expected revision: Conflict if the book has another.
    fn change_entries(
        &self,
        book: &DocumentId,
        changes: Vec<EntryChange>,
        expected_revision: Option<u64>,
    ) -> Result<Document>;
    /// Entries in the author's order, and the revision at which they were read.
    fn entries(&self, book: &DocumentId, select: &EntrySelect) -> Result<(u64, Vec<DocumentEntry>)>;

    /// Makes a link, or moves it in the stack. True if it was made.
    fn put_link(&self, world: &WorldId, link: &Link) -> Result<bool>;
    fn remove_link(&self, world: &WorldId, book: &DocumentId, scope: &Scope) -> Result<()>;
    /// By scope, rank and book.
    fn links(&self, world: &WorldId) -> Result<Vec<Link>>;
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntrySelect {
    All,
    One(Arc<str>),
    /// Behind the entry with this id, in the author's order.
    Page {
        after: Option<Arc<str>>,
        limit: usize,
    },
}
