//! What is in a file, by its content alone?

use reverie_core::Result;
use reverie_formats::book::{self, BookDocument};
use reverie_formats::card::{self, CardDocument};
use reverie_formats::container::{self, Container};
use reverie_formats::memory::MemoryFile;
use reverie_formats::{Limits, Opened, chat, document, open};
use serde_json::Value;

pub(super) enum What {
    Card(Box<CardDocument>),
    Book(Box<BookDocument>),
    Memory(Box<MemoryFile>),
    Chat,
    /// Read more leniently than the others, so it is what the rest is taken for.
    Table,
}

pub(super) fn what(bytes: &[u8], limits: &Limits) -> Result<What> {
    if container::detect(bytes, limits)? != Container::Json {
        return opened(bytes, limits);
    }
    if chat::is_chat(bytes) {
        return Ok(What::Chat);
    }
    let Ok(parsed) = document::parse(bytes, limits) else { return Ok(What::Table) };
    let value = parsed.value;
    if card::is_card(&value) || !has_lines(&value) && book::detect(&value).is_ok() {
        return opened(bytes, limits);
    }
    if MemoryFile::is_memory(&value) {
        return Ok(What::Memory(Box::new(MemoryFile::read(bytes, limits)?)));
    }
    Ok(What::Table)
}

fn opened(bytes: &[u8], limits: &Limits) -> Result<What> {
    Ok(match open(bytes, limits)? {
        Opened::Card(card) => What::Card(card),
        Opened::Book(book) => What::Book(Box::new(book)),
    })
}

/// Rows of a table may have columns that entries have, too.
fn has_lines(value: &Value) -> bool {
    let rows = value.as_array().into_iter().flatten();
    rows.into_iter().any(|row| row.get("attribute").is_some())
}
