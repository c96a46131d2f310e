//! A book or card of the library as a file: in which form, and where?

use std::io::{BufWriter, Write};
use std::path::PathBuf;

use reverie_api::library::{book_of, card_of};
use reverie_core::library::{Document, DocumentKind};
use reverie_core::{Code, DocumentId, Engine, Error, Result};
use reverie_formats::book::{self, Format};
use reverie_formats::{Limits, card, container};
use serde_json::json;

use super::{Options, cannot_write, close, create};
use crate::data;
use crate::output::{Failure, Output};
use crate::settings::Settings;

pub(super) fn run(output: Output, settings: &Settings, options: &Options) -> Result<(), Failure> {
    let path = place(options)?;
    let (_, api) = data::open_existing(settings)?;
    let engine = api.engine();
    let (noun, id, bytes) = match (&options.book, &options.card) {
        (Some(id), _) => {
            let format = options.format.as_deref().map(format).transpose().map_err(Failure::usage)?;
            ("book", id, book(engine, &DocumentId::new(id)?, format)?)
        }
        (None, id) => {
            let id = id.as_ref().ok_or_else(|| Error::new(Code::Internal, "neither a book nor a card"))?;
            ("card", id, card(engine, &DocumentId::new(id)?)?)
        }
    };
    let Some(path) = path else {
        let mut to = std::io::stdout().lock();
        let written = to.write_all(&bytes).and_then(|()| to.write_all(b"\n")).and_then(|()| to.flush());
        return Ok(written.map_err(|error| cannot_write("standard output", &error))?);
    };
    let mut to = BufWriter::new(create(&path)?);
    let written =
        to.write_all(&bytes).map_err(|error| cannot_write("the file", &error)).and_then(|()| close(to));
    if let Err(error) = written {
        // Half a file is worse than none.
        let _ = std::fs::remove_file(&path);
        return Err(error.into());
    }
    output.answer(
        &format!("exported the {noun} {id} to {} ({} bytes)", path.display(), bytes.len()),
        &json!({noun: id, "file": path.to_string_lossy(), "bytes": bytes.len()}),
    );
    Ok(())
}

/// A picture is nothing for a terminal, so a card needs a file.
fn place(options: &Options) -> Result<Option<PathBuf>, Failure> {
    let named = options.target.as_ref().map(PathBuf::from);
    match (named, options.output.clone()) {
        (Some(_), Some(_)) => {
            let error = Error::invalid("two files are named to write to");
            Err(Failure::usage(error.hint("name it once: reverie export --book ID FILE")))
        }
        (None, None) if options.card.is_some() => {
            let error = Error::invalid("a card is written to a file, and none is named");
            Err(Failure::usage(error.hint("reverie export --card ID FILE")))
        }
        (named, output) => Ok(named.or(output)),
    }
}

fn format(name: &str) -> Result<Format> {
    Format::parse(name).ok_or_else(|| {
        Error::invalid(format!("there is no book format {name:?}"))
            .hint(format!("use one of: {}", Format::ALL.map(Format::as_str).join(", ")))
    })
}

fn book(engine: &Engine, id: &DocumentId, format: Option<Format>) -> Result<Vec<u8>> {
    let document = engine.document(DocumentKind::Book, id)?;
    let (_, entries) = engine.all_entries(id)?;
    let mut book = book_of(&document, &entries)?;
    if let Some(format) = format {
        book = book.to(format);
    }
    Ok(book::write(&book).to_string().into_bytes())
}

fn card(engine: &Engine, id: &DocumentId) -> Result<Vec<u8>> {
    let document = engine.document(DocumentKind::Card, id)?;
    let mut card = card_of(&document)?;
    if let Some(old) = &mut card.book
        && let Some(now) = book_now(engine, &document, old.format)?
    {
        *old = now;
    }
    let value = card::write(&card);
    match engine.document_file(DocumentKind::Card, id)? {
        Some(file) => container::write(&file, &value, &Limits::default()),
        None => Ok(value.to_string().into_bytes()),
    }
}

/// The book that came on the card, which the library keeps under the card's id and where it may have been edited.
fn book_now(engine: &Engine, card: &Document, format: Format) -> Result<Option<book::BookDocument>> {
    let document = match engine.document(DocumentKind::Book, &card.id) {
        Err(error) if error.code() == Code::NotFound => return Ok(None),
        found => found?,
    };
    let (_, entries) = engine.all_entries(&document.id)?;
    let book = book_of(&document, &entries)?;
    Ok(Some(book).filter(|book| book.format == format))
}
