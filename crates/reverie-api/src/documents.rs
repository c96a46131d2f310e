//! In which formats does a book of the library leave? Command line and HTTP share the list.

use reverie_core::library::DocumentKind;
use reverie_core::{DocumentId, Engine, Error, Result};
use reverie_formats::Warning;
use reverie_formats::book::{self, Format};
use reverie_formats::memory::MemoryFile;
use serde_json::Value;

use crate::library::book_of;

/// The name of the one format that is no book's: what a character remembers in another program.
pub const MEMORY: &str = "memory";

/// A form that a book can take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BookForm {
    Book(Format),
    /// A memory.json, of a book that was made of one.
    Memory,
}

impl BookForm {
    /// Every name, in the order in which they are told.
    pub fn names() -> Vec<&'static str> {
        Format::ALL.map(Format::as_str).into_iter().chain([MEMORY]).collect()
    }

    pub fn parse(name: &str) -> Result<Self> {
        if name == MEMORY {
            return Ok(Self::Memory);
        }
        Format::parse(name).map(Self::Book).ok_or_else(|| {
            Error::invalid(format!("there is no book format {name:?}"))
                .hint(format!("use one of: {}", Self::names().join(", ")))
        })
    }
}

/// A book on its way out.
#[derive(Debug, Clone, PartialEq)]
pub struct Leaving {
    pub value: Value,
    /// What it cannot say in this form, and does not mean there.
    pub warnings: Vec<Warning>,
}

/// The book as it is now; None: in the format that it came in. A memory.json that could not say all of it any more is left as
/// a book.
pub fn book(engine: &Engine, id: &DocumentId, form: Option<BookForm>) -> Result<Leaving> {
    let document = engine.document(DocumentKind::Book, id)?;
    let (_, entries) = engine.all_entries(&document.id)?;
    let book = book_of(&document, &entries)?;
    let as_memory = |value| Leaving { value, warnings: MemoryFile::unsaid(&book) };
    match form {
        None => Ok(MemoryFile::whole_from_book(&book)
            .map_or_else(|| Leaving { value: book::write(&book), warnings: Vec::new() }, as_memory)),
        Some(BookForm::Book(format)) => {
            let other = book.to(format);
            Ok(Leaving { value: book::write(&other), warnings: other.warnings })
        }
        Some(BookForm::Memory) => MemoryFile::from_book(&book).map(as_memory).ok_or_else(|| {
            Error::invalid("this book was not made of a memory.json, so it cannot become one again")
                .hint("leave the format out for the one that it came in")
        }),
    }
}
