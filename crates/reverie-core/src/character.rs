//! Who speaks or witnesses, and how is a host's way of naming somebody resolved?

use unicode_normalization::UnicodeNormalization;

use crate::id::{CharacterId, DocumentId};
use crate::{Error, Result};

/// Someone as a host refers to them: by Reverie's id, or in the words of its own tables.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Who {
    Id(CharacterId),
    /// By Reverie's id, and what they are called at the moment: the label of somebody who is new, and the name in the round that
    /// opens.
    Called(CharacterId, String),
    Named(Named),
}

impl Who {
    /// Reverie's own id, if that is what they are named by.
    pub fn id(&self) -> Option<&CharacterId> {
        match self {
            Self::Id(id) | Self::Called(id, _) => Some(id),
            Self::Named(_) => None,
        }
    }

    /// What the host calls them.
    pub fn called(&self) -> Option<&str> {
        match self {
            Self::Id(_) => None,
            Self::Called(_, name) => Some(name),
            Self::Named(named) => named.display_name.as_deref(),
        }
    }

    /// The id that they have, or get when nobody like this is known yet.
    pub fn first_id(&self) -> Result<CharacterId> {
        match self {
            Self::Id(id) | Self::Called(id, _) => Ok(id.clone()),
            Self::Named(named) => named.first_id(),
        }
    }
}

/// The identity columns of a host's table. At least one is there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Named {
    pub role_id: Option<String>,
    pub script_role_id: Option<String>,
    pub display_name: Option<String>,
}

/// The namespaces in which a host's own ids live. They never mix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Namespace {
    Role,
    ScriptRole,
}

impl Namespace {
    pub const ALL: [Self; 2] = [Self::Role, Self::ScriptRole];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Role => "role_id",
            Self::ScriptRole => "script_role_id",
        }
    }
}

impl Named {
    /// The ids that decide before any name does.
    pub fn strong_ids(&self) -> impl Iterator<Item = (Namespace, &str)> {
        [(Namespace::Role, &self.role_id), (Namespace::ScriptRole, &self.script_role_id)]
            .into_iter()
            .filter_map(|(namespace, id)| id.as_deref().map(|id| (namespace, id)))
    }

    /// The id that a character gets when nobody like this is known yet.
    pub fn first_id(&self) -> Result<CharacterId> {
        if let Some((namespace, id)) = self.strong_ids().next() {
            return CharacterId::new(&format!("{}:{id}", namespace.as_str()));
        }
        match &self.display_name {
            Some(name) => CharacterId::new(name),
            None => Err(Error::invalid("a speaker has neither an id nor a name")
                .hint("give speaker, role_id, script_role_id or display_name")),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum CharacterKind {
    #[default]
    Person,
    /// Tells the story; never a participant, never a witness.
    Narrator,
}

impl CharacterKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Narrator => "narrator",
        }
    }

    pub fn from_name(name: &str) -> Result<Self> {
        match name {
            "person" => Ok(Self::Person),
            "narrator" => Ok(Self::Narrator),
            _ => Err(Error::invalid(format!("unknown kind of character {name:?}"))
                .hint("use \"person\" or \"narrator\"")),
        }
    }
}

/// What is known of a character besides what it lived through. Versioned as a whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Card {
    pub kind: CharacterKind,
    pub display_name: Option<String>,
    /// What it is called besides. Cleaned, each once, in the order in which they were given.
    pub aliases: Vec<String>,
    /// The system prompt that makes a model speak as this character.
    pub persona: Option<String>,
    /// What world books may filter by. None: nobody knows them, and filters by tag let everybody through.
    pub tags: Option<Vec<String>>,
    /// The card of the library that it was made from, where its picture is. That card may be gone.
    pub document: Option<DocumentId>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Character {
    pub id: CharacterId,
    pub card: Card,
    /// The host's own ids for it, sorted.
    pub host_ids: Vec<(Namespace, String)>,
}

impl Character {
    /// What it is called.
    pub fn name(&self) -> String {
        self.card.display_name.clone().unwrap_or_else(|| self.id.to_string())
    }

    pub fn host_id(&self, namespace: Namespace) -> Option<&str> {
        self.host_ids.iter().find(|(n, _)| *n == namespace).map(|(_, value)| value.as_str())
    }
}

/// What to change about a character; None leaves a thing as it is, Some(None) removes it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CharacterPatch {
    pub kind: Option<CharacterKind>,
    pub display_name: Option<Option<String>>,
    /// All that it is called besides, from now on.
    pub aliases: Option<Vec<String>>,
    pub persona: Option<Option<String>>,
    pub tags: Option<Option<Vec<String>>>,
    pub document: Option<Option<DocumentId>>,
    /// The one id that it has in a namespace from now on; None takes all of that namespace away.
    pub host_ids: Vec<(Namespace, Option<String>)>,
}

impl CharacterPatch {
    pub fn apply(&self, card: &Card) -> Card {
        Card {
            kind: self.kind.unwrap_or(card.kind),
            display_name: self.display_name.clone().unwrap_or_else(|| card.display_name.clone()),
            aliases: self.aliases.clone().unwrap_or_else(|| card.aliases.clone()),
            persona: self.persona.clone().unwrap_or_else(|| card.persona.clone()),
            tags: self.tags.clone().unwrap_or_else(|| card.tags.clone()),
            document: self.document.clone().unwrap_or_else(|| card.document.clone()),
        }
    }
}

/// Whoever bears such an id was deleted; nobody new gets one.
pub const ERASED_PREFIX: &str = "deleted:";

pub fn is_erased(id: &CharacterId) -> bool {
    id.as_str().starts_with(ERASED_PREFIX)
}

/// The few questions that resolving a host's way of naming somebody asks of a store.
pub trait Directory {
    fn by_host_id(&self, namespace: Namespace, value: &str) -> Result<Option<CharacterId>>;
    /// Everyone whose label is this name, with whether a strong id is known for them; sorted by id.
    fn by_name(&self, name: &str) -> Result<Vec<(CharacterId, bool)>>;
    /// Everyone who is called this besides; sorted by id.
    fn by_alias(&self, alias: &str) -> Result<Vec<CharacterId>>;
    fn exists(&self, id: &CharacterId) -> Result<bool>;
}

/// What [`resolve`] found out: whom it is, and what must be written for the next time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    pub id: CharacterId,
    /// The card to create, if nobody had this id.
    pub create: Option<Card>,
    /// Strong ids to remember for it.
    pub learn: Vec<(Namespace, String)>,
}

/// Finds the one character meant, or says whom to create.
///
/// Strong ids decide first, each in its own namespace; a name decides only where one side has no strong id at all. An alias decides
/// last, and only for a bare name that nobody bears, if it is one person's alone.
pub fn resolve(who: &Who, directory: &dyn Directory, narrator_names: &[String]) -> Result<Resolved> {
    let (id, named) = match who {
        Who::Id(id) | Who::Called(id, _) => (id.clone(), None),
        Who::Named(named) => (find_named(named, directory, narrator_names)?, Some(named)),
    };
    let create = if directory.exists(&id)? { None } else { Some(first_card(who, narrator_names)) };
    let mut learn = Vec::new();
    for (namespace, value) in named.iter().flat_map(|named| named.strong_ids()) {
        if directory.by_host_id(namespace, value)?.is_none() {
            learn.push((namespace, value.to_owned()));
        }
    }
    Ok(Resolved { id, create, learn })
}

fn find_named(named: &Named, directory: &dyn Directory, narrator_names: &[String]) -> Result<CharacterId> {
    let mut has_strong_id = false;
    for (namespace, value) in named.strong_ids() {
        has_strong_id = true;
        if let Some(id) = directory.by_host_id(namespace, value)? {
            return Ok(id);
        }
    }
    if let Some(name) = &named.display_name {
        let namesakes = directory.by_name(name)?;
        let mut nameonly = namesakes.iter().filter(|(_, strong)| !strong);
        if let Some((id, _)) = nameonly.next() {
            return Ok(id.clone());
        }
        // A bare name means the only one who bears it; among several it would be a guess.
        if let (false, [(id, _)]) = (has_strong_id, namesakes.as_slice()) {
            return Ok(id.clone());
        }
        let is_free = !has_strong_id && namesakes.is_empty() && !narrator_names.contains(name);
        if is_free && !directory.exists(&named.first_id()?)? {
            // Whoever shares an alias with others is not meant by it: nobody is taken for somebody else.
            let spelled: String = name.nfc().collect();
            if let [only] = directory.by_alias(&spelled)?.as_slice() {
                return Ok(only.clone());
            }
        }
    }
    named.first_id()
}

/// Whoever has an id that is no name is told by it, whatever they are called.
fn first_card(who: &Who, narrator_names: &[String]) -> Card {
    let known_by = match who {
        Who::Id(id) | Who::Called(id, _) => Some(id.as_str()),
        Who::Named(named) if named.strong_ids().next().is_some() => None,
        Who::Named(named) => named.display_name.as_deref(),
    };
    let is_narrator = known_by.is_some_and(|known_by| narrator_names.iter().any(|name| name == known_by));
    let kind = if is_narrator { CharacterKind::Narrator } else { CharacterKind::Person };
    let display_name = who.called().or_else(|| who.id().map(CharacterId::as_str)).map(str::to_owned);
    Card { kind, display_name, ..Card::default() }
}
