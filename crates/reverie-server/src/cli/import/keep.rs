//! How do books and cards get into the library, and into a world?

use reverie_api::library::{keep_book, keep_card};
use reverie_core::character::CharacterPatch;
use reverie_core::library::{Document, DocumentKind, DocumentPut, Link, Scope};
use reverie_core::{CharacterId, Code, DocumentId, Engine, Error, Result, Who, WorldId};
use reverie_formats::book::BookDocument;
use reverie_formats::card::CardDocument;
use reverie_formats::chat::cast::id_of;

/// What became of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    New,
    Changed,
    Same,
}

impl Change {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Changed => "changed",
            Self::Same => "unchanged",
        }
    }
}

/// Refuses a card that could come in only by half.
pub(super) fn check_card(engine: &Engine, card: &CardDocument, file: &[u8]) -> Result<()> {
    let limits = engine.limits();
    limits.check_document(&keep_card(card, file.to_vec()))?;
    limits.check_persona("the persona", card.persona().len())?;
    card.book.iter().try_for_each(|book| limits.check_document(&keep_book(book, &card.name)))
}

pub(super) fn book(
    engine: &Engine,
    id: &DocumentId,
    book: &BookDocument,
    name: &str,
) -> Result<(Document, Change)> {
    document(engine, DocumentKind::Book, id, keep_book(book, name))
}

pub(super) fn card(
    engine: &Engine,
    id: &DocumentId,
    card: &CardDocument,
    file: Vec<u8>,
) -> Result<(Document, Change)> {
    document(engine, DocumentKind::Card, id, keep_card(card, file))
}

/// A card and the book on it have the same id. Neither may take the place of a book that came by itself, nor lose its own
/// to one.
pub(super) fn check_id(
    engine: &Engine,
    id: &DocumentId,
    book: &BookDocument,
    comes_on_card: bool,
) -> Result<()> {
    let is_card = found(engine.document(DocumentKind::Card, id))?.is_some();
    let there = found(engine.document(DocumentKind::Book, id))?;
    let Some(there) = there.filter(|_| is_card != comes_on_card) else { return Ok(()) };
    if says(engine, &there, &keep_book(book, id.as_str()))? {
        return Ok(());
    }
    let whose = if is_card { "the book of a card" } else { "another book" };
    Err(Error::conflict(format!("the library has {whose} under the id {id:?}"))
        .hint("choose another id with --id ID; to replace it, delete it first"))
}

/// The id for a document that comes with others of a world: its plain one, unless something else has that which is not
/// of this world; then its name with the world's before it.
pub(super) fn id_in(
    engine: &Engine,
    world: &WorldId,
    name: &str,
    put: &DocumentPut,
    (kind, is_ours): (DocumentKind, bool),
) -> Result<DocumentId> {
    let plain = DocumentId::new(id_of(name)?.as_str())?;
    let own = DocumentId::new(id_of(&format!("{world}:{name}"))?.as_str())?;
    if found(engine.document(kind, &own))?.is_some() {
        return Ok(own);
    }
    let Some(there) = found(engine.document(kind, &plain))? else { return Ok(plain) };
    let is_same = is_ours || says(engine, &there, put)?;
    Ok(if is_same { plain } else { own })
}

fn says(engine: &Engine, there: &Document, put: &DocumentPut) -> Result<bool> {
    if (&there.name, &there.format, &there.text) != (&put.name, &put.format, &put.text) {
        return Ok(false);
    }
    Ok(match there.kind {
        DocumentKind::Book => engine.all_entries(&there.id)?.1 == put.entries,
        DocumentKind::Card => engine.document_file(there.kind, &there.id)? == put.file,
    })
}

fn document(
    engine: &Engine,
    kind: DocumentKind,
    id: &DocumentId,
    put: DocumentPut,
) -> Result<(Document, Change)> {
    let before = found(engine.document(kind, id))?.map(|document| document.revision);
    let made = engine.put_document(kind, id, put)?;
    let change = match before {
        _ if made.created => Change::New,
        Some(revision) if revision == made.value.revision => Change::Same,
        _ => Change::Changed,
    };
    Ok((made.value, change))
}

/// None for what is not there.
pub(super) fn found<T>(result: Result<T>) -> Result<Option<T>> {
    match result {
        Err(error) if error.code() == Code::NotFound => Ok(None),
        other => other.map(Some),
    }
}

/// Gives a character the name and persona of a card. Whoever was described by hand since keeps that, unless the card is
/// another one now. True if somebody new came into the world.
pub(super) fn character(
    engine: &Engine,
    world: &WorldId,
    id: &CharacterId,
    card: &CardDocument,
    change: Change,
) -> Result<bool> {
    let known = found(engine.character(world, id))?;
    if change == Change::Same && known.as_ref().is_some_and(|known| known.card.persona.is_some()) {
        return Ok(false);
    }
    let patch = CharacterPatch {
        display_name: Some(Some(called(card, id.as_str()).to_owned())),
        persona: Some(Some(card.persona())),
        ..CharacterPatch::default()
    };
    Ok(engine.put_character(world, Who::Id(id.clone()), patch)?.created)
}

fn called<'a>(card: &'a CardDocument, id: &'a str) -> &'a str {
    match card.called() {
        "" => id,
        name => name,
    }
}

/// Makes a book part of a world. A link that is there keeps its place, unless a place is named.
pub(super) fn link(
    engine: &Engine,
    world: &WorldId,
    scope: Scope,
    book: &DocumentId,
    rank: Option<i64>,
) -> Result<bool> {
    let is_there = |link: &Link| link.scope == scope && link.book == *book;
    if rank.is_none() && engine.links(world)?.iter().any(is_there) {
        return Ok(false);
    }
    let link = Link { scope, book: book.clone(), rank: rank.unwrap_or(0) };
    Ok(engine.put_link(world, &link)?.created)
}
