//! A book or card of the library as a file: in which form, and where?

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use reverie_api::documents::{self, BookForm};
use reverie_api::library::{book_of, card_of};
use reverie_core::library::{Document, DocumentKind};
use reverie_core::{Code, DocumentId, Engine, Error, Result};
use reverie_formats::book::{self, Format};
use reverie_formats::container::{self, Container};
use reverie_formats::{Limits, card};
use serde_json::json;

use super::{Options, put, to_stdout};
use crate::data;
use crate::output::{Failure, Output};
use crate::settings::Settings;

pub(super) fn run(output: Output, settings: &Settings, options: &Options) -> Result<(), Failure> {
    let path = place(options)?;
    let (_, api) = data::open_existing(settings)?;
    let engine = api.engine();
    let (noun, id, file) = match (&options.book, &options.card) {
        (Some(id), _) => {
            let form = options.format.as_deref().map(BookForm::parse).transpose().map_err(Failure::usage)?;
            let id = existing(engine, DocumentKind::Book, id)?;
            let book = documents::book(engine, &id, form)?;
            let warnings = book.warnings.iter().map(ToString::to_string).collect();
            ("book", id, Written { warnings, ..Written::new(book.value.to_string().into_bytes()) })
        }
        (None, id) => {
            let id = id.as_ref().ok_or_else(|| Error::new(Code::Internal, "neither a book nor a card"))?;
            let id = existing(engine, DocumentKind::Card, id)?;
            let file = card(engine, &id, path.as_deref())?;
            ("card", id, file)
        }
    };
    let bytes = file.bytes;
    // With the file on standard output there is no other answer that could hold them.
    if !output.json || path.is_none() {
        file.warnings.iter().for_each(|warning| output.warning(warning));
    }
    let Some(path) = path else {
        let is_text = std::str::from_utf8(&bytes).is_ok();
        if !is_text && std::io::stdout().is_terminal() {
            let error =
                Error::invalid("the card is a picture or an archive, which is nothing for a terminal");
            return Err(Failure::usage(error.hint("name a file: reverie export --card ID FILE")));
        }
        // A card is a file of its own, byte for byte; on a terminal the next prompt wants a line of its own.
        let is_line = is_text && (options.book.is_some() || std::io::stdout().is_terminal());
        let end: &[u8] = if is_line { b"\n" } else { b"" };
        return Ok(to_stdout(&[&bytes[..], end].concat())?);
    };
    put(&path, &bytes)?;
    let plain = if file.has_plain_picture { ", in a plain picture, as it has none of its own" } else { "" };
    output.answer(
        &format!("exported the {noun} {id} to {} ({} bytes){plain}", path.display(), bytes.len()),
        &json!({noun: id.as_str(), "file": path.to_string_lossy(), "bytes": bytes.len(), "warnings": file.warnings}),
    );
    Ok(())
}

/// Most of them that a hint names.
const NAMED: usize = 20;

/// By id, else the one that alone has this name: a card is called like its character.
fn existing(engine: &Engine, kind: DocumentKind, text: &str) -> Result<DocumentId> {
    match DocumentId::new(text).and_then(|id| engine.document(kind, &id)) {
        Ok(document) => return Ok(document.id),
        Err(error) if matches!(error.code(), Code::NotFound | Code::Invalid) => {}
        Err(error) => return Err(error),
    }
    let all = all(engine, kind)?;
    let called: Vec<&Document> = all.iter().filter(|document| document.name == text).collect();
    let (noun, nouns) = match kind {
        DocumentKind::Book => ("book", "books"),
        DocumentKind::Card => ("card", "cards"),
    };
    match called.as_slice() {
        [document] => Ok(document.id.clone()),
        [] if all.is_empty() => Err(no_such(noun, text)
            .hint(format!("the library has no {nouns} yet; `reverie import` brings one in"))),
        [] => Err(no_such(noun, text).hint(format!("the library has these: {}", listed(&all)))),
        several => {
            let ids = listed(several.iter().copied());
            Err(Error::invalid(format!("several {nouns} are called {text:?}"))
                .hint(format!("name the one you mean by its id: {ids}")))
        }
    }
}

fn no_such(noun: &str, text: &str) -> Error {
    Error::not_found(format!("there is no {noun} {text:?}"))
}

fn all(engine: &Engine, kind: DocumentKind) -> Result<Vec<Document>> {
    let mut all: Vec<Document> = Vec::new();
    loop {
        let after = all.last().map(|last| last.id.to_string());
        let page = engine.documents(kind, after.as_deref(), engine.limits().page)?;
        all.extend(page.items);
        if !page.has_more {
            return Ok(all);
        }
    }
}

/// Each with its name: `flux (Flux the Cat)`.
fn listed<'d>(documents: impl IntoIterator<Item = &'d Document>) -> String {
    let mut shown: Vec<String> = Vec::new();
    for document in documents {
        if shown.len() == NAMED {
            shown.push("…".to_owned());
            break;
        }
        let (id, name) = (document.id.as_str(), document.name.as_str());
        shown.push(if id == name { id.to_owned() } else { format!("{id} ({name})") });
    }
    shown.join(", ")
}

struct Written {
    bytes: Vec<u8>,
    has_plain_picture: bool,
    /// What could not be said in this form.
    warnings: Vec<String>,
}

impl Written {
    fn new(bytes: Vec<u8>) -> Self {
        Self { bytes, has_plain_picture: false, warnings: Vec::new() }
    }
}

/// None: standard output.
fn place(options: &Options) -> Result<Option<PathBuf>, Failure> {
    let named = options.target.as_ref().map(PathBuf::from);
    let path = match (named, options.output.clone()) {
        (Some(_), Some(_)) => {
            let error = Error::invalid("two files are named to write to");
            return Err(Failure::usage(error.hint("name it once: reverie export --book ID FILE")));
        }
        (named, output) => named.or(output),
    };
    Ok(path.filter(|path| path.as_path() != Path::new("-")))
}

/// In the form that the file's ending names; else in the one that it came in.
fn card(engine: &Engine, id: &DocumentId, path: Option<&Path>) -> Result<Written> {
    let document = engine.document(DocumentKind::Card, id)?;
    let mut card = card_of(&document)?;
    if let Some(old) = &mut card.book
        && let Some(now) = book_now(engine, &document, old.format)?
    {
        *old = now;
    }
    let (value, limits) = (card::write(&card), Limits::default());
    let original = engine.document_file(DocumentKind::Card, id)?;
    let came_in = original.as_deref().map(|file| container::detect(file, &limits)).transpose()?;
    let asked = path.and_then(asked_for).or(came_in).unwrap_or(Container::Json);
    Ok(Written {
        bytes: container::write_as(asked, original.as_deref(), &value, &limits)?,
        has_plain_picture: asked == Container::Png && came_in != Some(Container::Png),
        warnings: Vec::new(),
    })
}

fn asked_for(path: &Path) -> Option<Container> {
    let ending = path.extension()?.to_string_lossy().to_ascii_lowercase();
    match ending.as_str() {
        "png" | "apng" => Some(Container::Png),
        "charx" => Some(Container::Charx),
        "json" => Some(Container::Json),
        _ => None,
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
