//! How do books and cards get into the library, and into a world?

use reverie_api::library::{keep_book, keep_card};
use reverie_core::character::CharacterPatch;
use reverie_core::library::{Bringing, Document, DocumentKind, DocumentPut, another_id};
use reverie_core::{CharacterId, Code, DocumentId, Engine, Error, Result, Who, WorldId};
use reverie_formats::book::BookDocument;
use reverie_formats::card::CardDocument;
use reverie_formats::chat::cast::id_of;

use super::brought::{Brought, Thing};

/// What became of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    New,
    /// It was deleted here, and is there again.
    Back,
    Changed,
    /// What the file says was imported before; what was changed here since stays.
    Same,
}

impl Change {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Back => "brought back",
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

/// The book on a card, which became of the card. One that came with the same card before this was remembered stays as it is.
pub(super) fn book_on_card(
    engine: &Engine,
    id: &DocumentId,
    book: &BookDocument,
    (name, of_card): (&str, Change),
) -> Result<(Document, Change)> {
    let there = found(engine.document(DocumentKind::Book, id))?;
    match there.filter(|there| of_card == Change::Same && there.imported.is_none()) {
        Some(there) => Ok((there, Change::Same)),
        None => self::book(engine, id, book, name),
    }
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

/// What a card would be called.
pub(super) struct Wish<'a> {
    /// Its file's name.
    pub(super) stem: &'a str,
    /// Its character's.
    pub(super) name: &'a str,
    /// If nothing else is free.
    pub(super) last: String,
    /// The world knows the file.
    pub(super) is_ours: bool,
    /// The file alone tells which card it is, whatever its character is called now.
    pub(super) may_be_renamed: bool,
}

impl Wish<'_> {
    /// In the order in which they are preferred, each with the one that it has if another world's card has that.
    fn ids(&self, world: &WorldId) -> Result<Vec<(DocumentId, DocumentId)>> {
        let named = format!("{}~{}", self.stem, self.name);
        let id = |text: &str| DocumentId::new(id_of(text)?.as_str());
        let names = [self.stem, &named, &self.last];
        names.iter().map(|name| Ok((id(name)?, id(&format!("{world}:{name}"))?))).collect()
    }
}

/// The id for a card by itself: its file's name, unless that is the card of somebody else.
pub(super) fn card_id(engine: &Engine, stem: &str, card: &CardDocument) -> Result<DocumentId> {
    let id = DocumentId::new(stem)?;
    let there = found(engine.document(DocumentKind::Card, &id))?;
    let name = card.name.trim();
    match there.filter(|there| there.name.trim() != name && !name.is_empty()) {
        Some(_) => DocumentId::new(id_of(&format!("{stem}~{name}"))?.as_str()),
        None => Ok(id),
    }
}

/// The id under which the library has this very card.
pub(super) fn same_card(
    engine: &Engine,
    world: &WorldId,
    wish: &Wish<'_>,
    put: &DocumentPut,
    is_free: impl Fn(&DocumentId) -> bool,
) -> Result<Option<DocumentId>> {
    for id in wish.ids(world)?.into_iter().flat_map(|(plain, own)| [plain, own]) {
        let there = found(engine.document(DocumentKind::Card, &id))?.filter(|_| is_free(&id));
        if there.map(|there| says(engine, &there, put)).transpose()? == Some(true) {
            return Ok(Some(id));
        }
    }
    Ok(None)
}

/// The id for a card that comes with others of a world. It takes the place of one that was there before only if that is
/// the same card as it was: of this world, and of the same name.
pub(super) fn card_id_in(
    engine: &Engine,
    world: &WorldId,
    wish: &Wish<'_>,
    put: &DocumentPut,
    is_free: impl Fn(&DocumentId) -> bool,
) -> Result<DocumentId> {
    if let Some(id) = same_card(engine, world, wish, put, &is_free)? {
        return Ok(id);
    }
    let card = |id: &DocumentId| found(engine.document(DocumentKind::Card, id));
    let ids = wish.ids(world)?;
    for (plain, own) in &ids {
        let is_older = |there: &Document| there.name.trim() == wish.name || wish.may_be_renamed;
        if is_free(own) && card(own)?.is_some_and(|there| is_older(&there)) {
            return Ok(own.clone());
        }
        if !is_free(plain) {
            continue;
        }
        match card(plain)? {
            None => return Ok(plain.clone()),
            Some(there) if wish.is_ours && is_older(&there) => return Ok(plain.clone()),
            // Another world's card of the same name.
            Some(there) if !wish.is_ours && there.name.trim() == wish.name && is_free(own) => {
                return Ok(own.clone());
            }
            Some(_) => {}
        }
    }
    let last = ids.last().map_or_else(|| DocumentId::new(wish.stem), |(plain, _)| Ok(plain.clone()))?;
    let mut number = 2;
    loop {
        let id = another_id(&last, number)?;
        if is_free(&id) && card(&id)?.is_none() {
            return Ok(id);
        }
        number += 1;
    }
}

/// Whether it is this very document, or was before it was changed here.
fn says(engine: &Engine, there: &Document, put: &DocumentPut) -> Result<bool> {
    if there.imported == Some(put.fingerprint()) {
        return Ok(true);
    }
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
    let made = engine.put_document(kind, id, DocumentPut { bringing: Bringing::Import, ..put })?;
    let change = match before {
        // Revisions count on where a document of this name was deleted.
        _ if made.created && made.value.revision > 1 => Change::Back,
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

/// Gives a character the names and persona of a card, and says which card that is. Whoever was described by hand since keeps
/// that, unless the card is another one now. True if somebody new came into the world.
pub(super) fn character(
    brought: &mut Brought<'_>,
    (engine, world): (&Engine, &WorldId),
    id: &CharacterId,
    (document, card): (&DocumentId, &CardDocument),
    change: Change,
) -> Result<bool> {
    let (name, persona) = (called(card, id.as_str()).to_owned(), card.persona());
    let (of, says) = ([id.as_str()], [name.as_str(), persona.as_str()]);
    let known = found(engine.character(world, id))?;
    if known.is_none() {
        brought.forget(id)?;
    }
    let has_persona = known.as_ref().is_some_and(|known| known.card.persona.is_some());
    let is_same = match brought.said(Thing::Persona, &of, &says) {
        Some(is_same) => is_same && known.is_some(),
        // A world from before this was remembered.
        None => change == Change::Same && has_persona,
    };
    let is_same_card = brought.said(Thing::Card, &of, &[document.as_str()]) == Some(true);
    brought.note(Thing::Persona, &of, &says);
    brought.note(Thing::Card, &of, &[document.as_str()]);
    if is_same && is_same_card {
        return Ok(false);
    }
    let has_aliases = known.as_ref().is_some_and(|known| !known.card.aliases.is_empty());
    let besides = card.called_besides().filter(|_| !is_same && !has_aliases);
    let patch = CharacterPatch {
        display_name: (!is_same).then_some(Some(name)),
        aliases: besides.map(|name| vec![name.to_owned()]),
        persona: (!is_same).then_some(Some(persona)),
        document: (!is_same_card).then(|| Some(document.clone())),
        ..CharacterPatch::default()
    };
    Ok(engine.put_character(world, Who::Id(id.clone()), patch)?.created)
}

/// Gives a character its tags, as many as there may be, if they were not given before.
pub(super) fn tags(
    brought: &mut Brought<'_>,
    (engine, world): (&Engine, &WorldId),
    id: &CharacterId,
    (thing, tags): (Thing, &[String]),
) -> Result<()> {
    let most = engine.limits().words_per_memory;
    let tags: Vec<String> = tags.iter().take(most).cloned().collect();
    let says: Vec<&str> = tags.iter().map(String::as_str).collect();
    let before = brought.said(thing, &[id.as_str()], &says);
    if before == Some(true) {
        return Ok(());
    }
    brought.note(thing, &[id.as_str()], &says);
    // What the author of a card calls it gives way to what its user does.
    let are_known =
        || Ok::<_, Error>(found(engine.character(world, id))?.is_some_and(|who| who.card.tags.is_some()));
    let gives_way = brought.has(Thing::TagsOfFolder, &[id.as_str()]) || (before.is_none() && are_known()?);
    if thing == Thing::TagsOfCard && gives_way {
        return Ok(());
    }
    let patch = CharacterPatch { tags: Some(Some(tags)), ..CharacterPatch::default() };
    engine.put_character(world, Who::Id(id.clone()), patch)?;
    Ok(())
}

fn called<'a>(card: &'a CardDocument, id: &'a str) -> &'a str {
    match card.called() {
        "" => id,
        name => name,
    }
}
