//! How does a character card become a card of the library, and somebody in a world?
//!
//! Greetings are not recorded: which of them is said, and to whom, is known when a conversation begins. They are on the
//! card (`GET /v1/cards/{id}`), for the host to record the chosen one as the first line.

use reverie_core::library::Scope;
use reverie_core::{CharacterId, DocumentId, WorldId};
use reverie_formats::book::BookDocument;
use reverie_formats::card::CardDocument;
use serde_json::json;

use super::brought::{Brought, Thing, Wish};
use super::{Options, filled, keep, open, stem, tell};
use crate::output::{Failure, Output, counted};
use crate::settings::Settings;

pub(super) fn run(
    output: Output,
    settings: &Settings,
    options: &Options,
    world: Option<WorldId>,
    card: &CardDocument,
    bytes: Vec<u8>,
) -> Result<(), Failure> {
    let name = stem(&options.path);
    // A file that cannot be kept makes no data file.
    let asked = options.id.as_deref().map(DocumentId::new).transpose()?;
    DocumentId::new(&name)?;
    let who = match card.name.trim() {
        "" => name.as_str(),
        name => name,
    };
    let who = world.map(|world| {
        Ok::<_, Failure>((world, CharacterId::new(options.character.as_deref().unwrap_or(who))?))
    });
    let who = who.transpose()?;
    let api = open(settings)?;
    let engine = api.engine();
    let id = asked.map_or_else(|| keep::card_id(engine, &name, card), Ok)?;
    keep::check_card(engine, card, &bytes)?;
    card.book.iter().try_for_each(|book| keep::check_id(engine, &id, book, true))?;
    let (_, change) = keep::card(engine, &id, card, bytes)?;
    let book = card.book.as_ref();
    let book = book.map(|book| keep::book_on_card(engine, &id, book, (&card.name, change))).transpose()?;
    let entries = book.map(|(book, _)| book.entries);
    if let Some((world, character)) = &who {
        let texts = [&card.description, &card.personality, &card.scenario, &card.first_mes];
        engine.make_world(
            world,
            Default::default(),
            texts.map(String::as_str),
            [character.as_str(), &card.name],
        )?;
        let mut brought = Brought::of(engine, world)?;
        keep::character(&mut brought, (engine, world), character, (&id, card), change)?;
        if !card.tags.is_empty() {
            let tags = (Thing::TagsOfCard, card.tags.as_slice());
            keep::tags(&mut brought, (engine, world), character, tags)?;
        }
        if entries.is_some() {
            brought.link(Scope::Character(character.clone()), &id, Wish::Along(None))?;
        }
        brought.keep()?;
    }
    let of_book = card.book.iter().flat_map(BookDocument::oddities);
    let warnings = tell(output, &card.warnings.iter().cloned().chain(of_book).collect::<Vec<_>>());
    let book = entries
        .map(|entries| format!(", with a book of {}", counted(entries, "entry", "entries")))
        .unwrap_or_default();
    let place =
        who.as_ref().map(|(world, who)| format!("; it is {who} in world {world}")).unwrap_or_default();
    let text = format!("imported the card {id}: {}, {}{book}{place}", card.called(), change.as_str());
    let greetings = std::iter::once(&card.first_mes).chain(&card.alternate_greetings);
    let mut json = json!({"card": id.as_str(), "name": card.name, "change": change.as_str(),
        "book": entries.map(|_| id.as_str()), "entries": entries,
        "greetings": greetings.filter(|text| !text.is_empty()).count(), "warnings": warnings});
    if let (Some((world, character)), Some(fields)) = (&who, json.as_object_mut()) {
        fields.insert("world".to_owned(), json!(world.as_str()));
        fields.insert("character".to_owned(), json!(character.as_str()));
    }
    output.answer(&text, &filled(json));
    Ok(())
}
