//! Cards of the library, and characters made from them.

use reverie_core::character::CharacterPatch;
use reverie_core::library::{Bringing, DocumentKind, DocumentPut, Link, Scope};
use reverie_core::{Code, DocumentId, Error, Result, Who};
use reverie_formats::book::{self, BookDocument};
use reverie_formats::card::CardDocument;
use reverie_formats::container::Portrait;
use reverie_formats::{Limits, card, container};

use super::{character, page_of, paged, world, written};
use crate::Api;
use crate::library::{card_of, keep_book, keep_card, told};
use crate::request::{Call, Reply};
use crate::wire::{CardView, CharacterView, DocumentView, UseCard};

const CARD: DocumentKind = DocumentKind::Card;

pub(super) fn list(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let (after, limit) = page_of(api, call)?;
    Reply::ok(&paged(api.engine.documents(CARD, after, limit)?, |card: &DocumentView| card.id.clone()))
}

/// A picture, an archive or JSON. The book on it becomes a book of the library under the card's id.
pub(super) fn put(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let id = DocumentId::new(call.segment(0))?;
    let contents = container::read(call.raw, &Limits::default())?;
    if !card::is_card(&contents.value) && book::detect(&contents.value).is_ok() {
        return Err(Error::invalid("this is a world book, not a character card")
            .hint(format!("PUT it to /v1/books/{id}")));
    }
    let mut card = card::from_value(contents.value, &Limits::default())?;
    card.warnings.extend(contents.warnings);
    card.warnings.extend(card.book.iter().flat_map(BookDocument::oddities).collect::<Vec<_>>());
    let made = api.engine.put_document(CARD, &id, keep_card(&card, call.raw.to_vec()))?;
    if let Some(book) = &card.book {
        // Whoever puts the same card again did not ask for the book of before.
        let put = DocumentPut { bringing: Bringing::Import, ..keep_book(book, &card.name) };
        api.engine.put_document(DocumentKind::Book, &id, put)?;
    }
    Reply::made(made.created, &view(&id, made.value.revision, &card))
}

pub(super) fn get(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let document = api.engine.document(CARD, &DocumentId::new(call.segment(0))?)?;
    Reply::ok(&view(&document.id, document.revision, &card_of(&document)?))
}

/// The file as it was put.
pub(super) fn file(api: &Api, call: &Call<'_>) -> Result<Reply> {
    Ok(Reply::File(file_of(api, &DocumentId::new(call.segment(0))?)?))
}

fn file_of(api: &Api, id: &DocumentId) -> Result<Vec<u8>> {
    let document = api.engine.document(CARD, id)?;
    let file = api.engine.document_file(CARD, id)?;
    Ok(file.unwrap_or_else(|| document.text.into_bytes()))
}

/// The picture alone. Whoever shows many characters does not know which of them have one, and need not fail to learn it.
pub(super) fn portrait(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let id = DocumentId::new(call.segment(0))?;
    let is_optional = call.query.flag("optional")?;
    let file = match file_of(api, &id) {
        Err(error) if is_optional && error.code() == Code::NotFound => return Ok(Reply::Empty),
        file => file?,
    };
    match container::portrait(&file, &Limits::default())? {
        Some(Portrait { media_type, bytes }) => Ok(Reply::Picture { media_type, bytes }),
        None if is_optional => Ok(Reply::Empty),
        None => Err(Error::not_found(format!("the card {id:?} has no picture")).hint(
            "there is one in a PNG card, in a charx archive with an icon, and in JSON with a picture written into it",
        )),
    }
}

pub(super) fn delete(api: &Api, call: &Call<'_>) -> Result<Reply> {
    api.engine.erase_document(CARD, &DocumentId::new(call.segment(0))?)?;
    Ok(Reply::Empty)
}

/// Gives a character the name and persona of a card, and links the book that came on it.
pub(super) fn use_card(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let body: UseCard = call.parse()?;
    let (world, character) = (world(call)?, character(call)?);
    let document = api.engine.document(CARD, &DocumentId::new(&body.card)?)?;
    let card = card_of(&document)?;
    // What it is called besides is added to what it was called before.
    let known = api.engine.character(&world, &character);
    let mut aliases = known.map(|known| known.card.aliases).unwrap_or_default();
    let besides = card.called_besides().filter(|name| !aliases.iter().any(|alias| alias == name));
    aliases.extend(besides.map(str::to_owned));
    let patch = CharacterPatch {
        display_name: Some(Some(card.called().to_owned())),
        aliases: Some(aliases),
        persona: Some(Some(card.persona())),
        tags: (!card.tags.is_empty()).then(|| Some(card.tags.clone())),
        document: Some(Some(document.id.clone())),
        ..CharacterPatch::default()
    };
    let made = api.engine.put_character(&world, Who::Id(character.clone()), patch)?;
    if card.book.is_some() {
        let link = Link { scope: Scope::Character(character), book: document.id, rank: 0 };
        api.engine.put_link(&world, &link)?;
    }
    written::<_, CharacterView>(call, made)
}

fn view(id: &DocumentId, revision: u64, card: &CardDocument) -> CardView {
    let greetings = std::iter::once(&card.first_mes).chain(&card.alternate_greetings);
    CardView {
        id: id.to_string(),
        name: card.name.clone(),
        revision,
        persona: card.persona(),
        greetings: greetings.filter(|text| !text.is_empty()).cloned().collect(),
        tags: card.tags.clone(),
        creator: card.creator.clone(),
        book: card.book.as_ref().map(|_| id.to_string()),
        warnings: told(&card.warnings),
    }
}
