//! How does a world book become a book of the library?

use reverie_core::library::Scope;
use reverie_core::{CharacterId, Code, ConversationId, DocumentId, Engine, Error, Result, WorldId};
use reverie_formats::book::BookDocument;
use serde_json::json;

use super::{Options, keep, open, stem, tell};
use crate::output::{Failure, Output};
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
    let place = Place::of(options, world)?;
    let api = open(settings)?;
    place.iter().try_for_each(|place| place.check(api.engine()))?;
    keep::check_id(api.engine(), &id, book, false)?;
    let (document, change) = keep::book(api.engine(), &id, book, &name)?;
    let is_new_link = place.as_ref().map(|place| place.link(api.engine(), &id)).transpose()?;
    let warnings = tell(output, &book.oddities());
    let text = format!(
        "imported the book {id}: {} entries, {} ({}){}",
        document.entries,
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
    fn of(options: &Options, world: Option<WorldId>) -> Result<Option<Self>, Failure> {
        let Some(world) = world else {
            return match options.conversation {
                None => Ok(None),
                Some(_) => Err(Failure::usage(
                    Error::invalid("--conversation names one of a world, and no world is named")
                        .hint("add --world ID"),
                )),
            };
        };
        let scope = match (&options.character, &options.conversation) {
            (None, None) => Scope::World,
            (Some(character), None) => Scope::Character(CharacterId::new(character)?),
            (None, Some(conversation)) => Scope::Conversation(ConversationId::new(conversation)?),
            (Some(_), Some(_)) => {
                let error = Error::invalid("a book is for a character or for a conversation, not for both");
                return Err(Failure::usage(
                    error.hint("import it twice: once with --as, once with --conversation"),
                ));
            }
        };
        Ok(Some(Self { world, scope, rank: options.rank }))
    }

    /// A conversation is not made for a book.
    fn check(&self, engine: &Engine) -> Result<()> {
        let Scope::Conversation(id) = &self.scope else { return Ok(()) };
        match engine.conversation(&self.world, id) {
            Err(error) if error.code() == Code::NotFound => {
                Err(error.hint("name the id of a conversation that is there"))
            }
            found => found.map(drop),
        }
    }

    pub(super) fn link(&self, engine: &Engine, book: &DocumentId) -> Result<bool> {
        engine.put_world(&self.world, Default::default())?;
        keep::link(engine, &self.world, self.scope.clone(), book, self.rank)
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
