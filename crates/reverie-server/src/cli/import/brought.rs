//! What did earlier imports bring into a world?
//!
//! The same once more brings nothing: what was changed or taken away by hand since stays so. Of each thing only a fingerprint
//! is kept, among the world's keepsakes, so that it goes where the world goes.

use std::collections::{HashMap, HashSet};

use reverie_api::chats::BROUGHT;
use reverie_core::fingerprint::text_fingerprint;
use reverie_core::keepsake::{Keepsake, KeptFor};
use reverie_core::library::{DocumentKind, Link, Scope};
use reverie_core::{CharacterId, DocumentId, Engine, Result, WorldId};

/// Books that are looked at together.
const PAGE: usize = 100;

/// What is said to be brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Thing {
    /// Of the world.
    Settings,
    /// A character's name and persona.
    Persona,
    /// Which card a character is made from.
    Card,
    /// A character's tags, as its card has them.
    TagsOfCard,
    /// A character's tags, as the settings of a folder have them.
    TagsOfFolder,
    /// A book that came with the world.
    Book,
    Link,
}

impl Thing {
    fn name(self) -> &'static str {
        match self {
            Self::Settings => "settings",
            Self::Persona => "persona",
            Self::Card => "card",
            Self::TagsOfCard => "card-tags",
            Self::TagsOfFolder => "tags",
            Self::Book => "book",
            Self::Link => "link",
        }
    }
}

/// Why a book becomes part of a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wish {
    /// Somebody says so, and perhaps where in the stack.
    Asked(Option<i64>),
    /// It comes along with something else, perhaps to this place.
    Along(Option<i64>),
}

/// What became of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Linked {
    New,
    There,
    /// Somebody took it away, and it stays away.
    Removed,
}

pub(super) struct Brought<'a> {
    engine: &'a Engine,
    world: WorldId,
    known: HashMap<String, String>,
    links: HashMap<(Scope, DocumentId), i64>,
    /// Links that this run was told of.
    done: HashSet<String>,
    news: Vec<(KeptFor, Option<String>)>,
}

impl<'a> Brought<'a> {
    /// Of a world that is there.
    pub(super) fn of(engine: &'a Engine, world: &WorldId) -> Result<Self> {
        let mut known = HashMap::new();
        for Keepsake { of, text } in engine.keepsakes(world, None)? {
            if let KeptFor::File(name) = of
                && name.starts_with(BROUGHT)
            {
                known.insert(name, text);
            }
        }
        let links = engine.links(world)?.into_iter();
        let links = links.map(|link| ((link.scope, link.book), link.rank)).collect();
        Ok(Self { engine, world: world.clone(), known, links, done: HashSet::new(), news: Vec::new() })
    }

    /// Whether anything of this kind was ever brought.
    pub(super) fn has(&self, thing: Thing, of: &[&str]) -> bool {
        self.known.contains_key(&name(thing, of))
    }

    /// None: nothing was brought yet. Else whether it said just this.
    pub(super) fn said(&self, thing: Thing, of: &[&str], texts: &[&str]) -> Option<bool> {
        self.known.get(&name(thing, of)).map(|known| *known == print(texts))
    }

    pub(super) fn note(&mut self, thing: Thing, of: &[&str], texts: &[&str]) {
        self.write(name(thing, of), print(texts));
    }

    /// Forgets what was brought for a character that was not there any more, and is made anew: with it went its card, its tags and
    /// its books, and nobody took these away.
    pub(super) fn forget(&mut self, who: &CharacterId) -> Result<()> {
        for thing in [Thing::Card, Thing::TagsOfCard, Thing::TagsOfFolder] {
            self.drop_note(name(thing, &[who.as_str()]));
        }
        let links = format!("{BROUGHT}{}/", Thing::Link.name());
        if !self.known.keys().any(|note| note.starts_with(&links)) {
            return Ok(());
        }
        let scope = scope_text(&Scope::Character(who.clone()));
        let mut after: Option<String> = None;
        loop {
            let page = self.engine.documents(DocumentKind::Book, after.as_deref(), PAGE)?;
            for book in &page.items {
                self.drop_note(name(Thing::Link, &[&scope, book.id.as_str()]));
            }
            after = page.items.last().map(|book| book.id.to_string());
            if !page.has_more || after.is_none() {
                return Ok(());
            }
        }
    }

    fn drop_note(&mut self, name: String) {
        if self.known.remove(&name).is_some() {
            self.news.push((KeptFor::File(name), None));
        }
    }

    /// Keeps what was noted.
    pub(super) fn keep(&mut self) -> Result<()> {
        if !self.news.is_empty() {
            self.engine.put_keepsakes(&self.world, &self.news)?;
            self.news.clear();
        }
        Ok(())
    }

    /// Makes a book part of the world. A link that is there keeps its place, unless another one is named now.
    pub(super) fn link(&mut self, scope: Scope, book: &DocumentId, wish: Wish) -> Result<Linked> {
        let name = name(Thing::Link, &[&scope_text(&scope), book.as_str()]);
        // Of several places the first that is named counts, or they would take turns.
        if !self.done.insert(name.clone()) {
            return Ok(Linked::There);
        }
        let before: Option<i64> = self.known.get(&name).and_then(|rank| rank.parse().ok());
        let there = self.links.get(&(scope.clone(), book.clone())).copied();
        let place = match wish {
            Wish::Asked(None) | Wish::Along(None) if there.is_some() => None,
            Wish::Asked(rank) => Some(rank.unwrap_or(0)),
            Wish::Along(_) if before.is_some() && there.is_none() => {
                if let Some(rank) = wish.rank() {
                    self.write(name, rank.to_string());
                }
                return Ok(Linked::Removed);
            }
            // Where somebody put it, unless an import put it elsewhere and now says otherwise.
            Wish::Along(Some(rank)) if there.is_some() && (before.is_none() || before == Some(rank)) => None,
            Wish::Along(rank) => Some(rank.unwrap_or(0)),
        };
        let noted = wish.rank().or(before).or(place).or(there).unwrap_or(0);
        let mut made = Linked::There;
        if let Some(rank) = place {
            let link = Link { scope: scope.clone(), book: book.clone(), rank };
            if self.engine.put_link(&self.world, &link)?.created {
                made = Linked::New;
            }
            self.links.insert((scope, book.clone()), rank);
        }
        self.write(name, noted.to_string());
        Ok(made)
    }

    fn write(&mut self, name: String, text: String) {
        if self.known.get(&name) != Some(&text) {
            self.known.insert(name.clone(), text.clone());
            self.news.push((KeptFor::File(name), Some(text)));
        }
    }
}

impl Wish {
    fn rank(self) -> Option<i64> {
        match self {
            Self::Asked(rank) | Self::Along(rank) => rank,
        }
    }
}

fn name(thing: Thing, of: &[&str]) -> String {
    format!("{BROUGHT}{}/{}", thing.name(), print(of))
}

fn print(texts: &[&str]) -> String {
    text_fingerprint(texts).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn scope_text(scope: &Scope) -> String {
    match scope {
        Scope::World => "world".to_owned(),
        Scope::Character(id) => format!("character {id}"),
        Scope::Conversation(id) => format!("conversation {id}"),
    }
}
