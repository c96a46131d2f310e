//! How does a world book become a book of the library?

use reverie_api::chats::each_character;
use reverie_core::library::Scope;
use reverie_core::{CharacterId, DocumentId, Engine, Error, Result, WorldId};
use reverie_formats::book::BookDocument;
use serde_json::json;

use super::brought::{Brought, Linked, Wish};
use super::{Options, keep, open, stem, tell};
use crate::cli::conversations;
use crate::output::{Failure, Output, counted};
use crate::settings::Settings;

pub(super) fn run(
    output: Output,
    settings: &Settings,
    options: &Options,
    world: Option<WorldId>,
    book: &BookDocument,
) -> Result<(), Failure> {
    let name = stem(&options.path);
    let id = DocumentId::new(options.id.as_deref().unwrap_or(&name))?;
    Place::check(options)?;
    let api = open(settings)?;
    let place = Place::of(api.engine(), options, world)?;
    keep::check_id(api.engine(), &id, book, false)?;
    let (document, change) = keep::book(api.engine(), &id, book, &name)?;
    let is_new_link = place.as_ref().map(|place| place.link(api.engine(), &id)).transpose()?;
    let warnings = tell(output, &book.oddities());
    let text = format!(
        "imported the book {id}: {}, {} ({}){}",
        counted(document.entries, "entry", "entries"),
        change.as_str(),
        document.format,
        place.as_ref().map(Place::told).unwrap_or_default()
    );
    let mut json = json!({"book": id.as_str(), "format": document.format, "entries": document.entries,
        "change": change.as_str(), "warnings": warnings});
    if let (Some(place), Some(fields)) = (&place, json.as_object_mut()) {
        fields.insert("world".to_owned(), json!(place.world.as_str()));
        fields.insert("linked".to_owned(), json!(is_new_link));
    }
    output.answer(&text, &json);
    Ok(())
}

/// Where in a world a book goes.
pub(super) struct Place {
    pub(super) world: WorldId,
    pub(super) scope: Scope,
    pub(super) rank: Option<i64>,
}

impl Place {
    /// A book makes neither a conversation nor a character: whoever types a name means one that is there.
    fn of(engine: &Engine, options: &Options, world: Option<WorldId>) -> Result<Option<Self>> {
        let Some(world) = world else { return Ok(None) };
        let scope = match (&options.character, &options.conversation) {
            (Some(character), _) => Scope::Character(known_character(engine, &world, character)?),
            (None, Some(name)) => Scope::Conversation(conversations::existing(engine, &world, name)?.id),
            (None, None) => Scope::World,
        };
        Ok(Some(Self { world, scope, rank: options.rank }))
    }

    /// What makes no sense is refused before anything is opened.
    fn check(options: &Options) -> Result<(), Failure> {
        let error = match (&options.character, &options.conversation) {
            (_, Some(_)) if options.world.is_none() => {
                Error::invalid("--conversation names one of a world, and no world is named")
                    .hint("add --world ID")
            }
            (Some(_), Some(_)) => {
                Error::invalid("a book is for a character or for a conversation, not for both")
                    .hint("import it twice: once with --as, once with --conversation")
            }
            _ => return Ok(()),
        };
        Err(Failure::usage(error))
    }

    pub(super) fn link(&self, engine: &Engine, book: &DocumentId) -> Result<bool> {
        engine.put_world(&self.world, Default::default())?;
        let mut brought = Brought::of(engine, &self.world)?;
        let linked = brought.link(self.scope.clone(), book, Wish::Asked(self.rank))?;
        brought.keep()?;
        Ok(linked == Linked::New)
    }

    pub(super) fn told(&self) -> String {
        let whom = match &self.scope {
            Scope::World => "everybody in".to_owned(),
            Scope::Character(id) => format!("{id} in"),
            Scope::Conversation(id) => format!("conversation {id} of"),
        };
        format!("; it is for {whom} world {}", self.world)
    }
}

/// Characters that a hint names.
const NAMED: usize = 20;

fn known_character(engine: &Engine, world: &WorldId, name: &str) -> Result<CharacterId> {
    let id = CharacterId::new(name)?;
    if keep::found(engine.character(world, &id))?.is_some() {
        return Ok(id);
    }
    let mut names = Vec::new();
    each_character(engine, world, |character| names.push(character.id.to_string()))?;
    let hint = match names.is_empty() {
        true => format!("the world {world} has no characters yet; import a card or a chat first"),
        false => {
            if names.len() > NAMED {
                names.truncate(NAMED);
                names.push("…".to_owned());
            }
            format!("the world {world} has these: {}", names.join(", "))
        }
    };
    Err(Error::not_found(format!("there is no character {name:?}")).hint(hint))
}
