//! What is in this file: a card, or a book?

use reverie_core::Result;

use crate::book::{self, BookDocument};
use crate::card::{self, CardDocument};
use crate::{Limits, container};

/// What a file turned out to be.
#[derive(Debug, Clone, PartialEq)]
pub enum Opened {
    Card(Box<CardDocument>),
    Book(BookDocument),
}

/// Reads a card or a book from a picture, an archive or plain JSON, by what is in it and not by its name.
pub fn open(bytes: &[u8], limits: &Limits) -> Result<Opened> {
    let contents = container::read(bytes, limits)?;
    if card::is_card(&contents.value) {
        let mut card = card::from_value(contents.value, limits)?;
        card.warnings.splice(0..0, contents.warnings);
        return Ok(Opened::Card(Box::new(card)));
    }
    let format = book::detect(&contents.value)?;
    let mut book = book::from_value(contents.value, format, limits)?;
    book.warnings.splice(0..0, contents.warnings);
    Ok(Opened::Book(book))
}
