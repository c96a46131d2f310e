//! Books, cards and their places in worlds, on the wire.

use reverie_core::library::{Document, Link, Scope};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A book or card of the library.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Document")]
pub struct DocumentView {
    pub id: String,
    pub name: String,
    /// The tool whose format it has.
    pub format: String,
    /// Counts its changes.
    pub revision: u64,
    pub entries: u64,
    /// What was odd about the file that was put.
    pub warnings: Vec<String>,
}

impl From<Document> for DocumentView {
    fn from(document: Document) -> Self {
        Self {
            id: document.id.to_string(),
            name: document.name,
            format: document.format,
            revision: document.revision,
            entries: document.entries,
            warnings: Vec::new(),
        }
    }
}

/// An entry of a book.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Entry")]
pub struct EntryView {
    /// The same for good.
    pub id: String,
    /// By the names of SillyTavern's world info and in its types, whatever the book's format, and a few fields of our own.
    pub fields: Map<String, Value>,
    /// What else is in the entry's `extensions`.
    pub extensions: Map<String, Value>,
    /// What else is in the entry.
    pub extra: Map<String, Value>,
    /// What is odd about it: values that are not understood, keys that cannot mean what they say.
    pub warnings: Vec<String>,
}

/// Fields of an entry by the names of SillyTavern's world info or of the book's own format, and `trigger`, `priority`,
/// `relevance_weight`, `emotional_weight`, `time_decay`, `tick`, `topics`, `emotions`, `conditions`, `known_by`. Positions,
/// roles and logics go by name or number; what is written has the types of the book's format. `extra` and `extensions` set
/// what else is in the entry, member by member. Null resets a field.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "EntryFields")]
#[serde(transparent)]
pub struct EntryFields(pub Map<String, Value>);

/// A world book in any format that can be read, also inside of a picture, or a memory.json; of an object that has only a
/// `name` and the like an empty book is made.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "BookDocument")]
#[serde(transparent)]
pub struct BookBody(pub Map<String, Value>);

/// A book that a world uses: for everybody, for one character, or in one conversation.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "LoreLink")]
pub struct LinkView {
    pub book: String,
    /// Of entries of equal order, those of the book with the lowest rank are chosen first, as far as the budget reaches, and
    /// stand last in the prompt, nearest to what is said.
    pub rank: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub character: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conversation: Option<String>,
    /// True if the book is not in the library (any more).
    pub missing: bool,
}

/// A link that was made or moved.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "LoreLinked")]
pub struct LinkedView {
    #[serde(flatten)]
    pub link: LinkView,
    /// What looks wrong: nobody was called like the character, who was made now.
    pub degraded: Vec<super::DegradedView>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "LoreLinks")]
pub struct LinksView {
    pub books: Vec<LinkView>,
}

/// For whom a book is; neither: for everybody in the world.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "PutLoreLink")]
pub struct LinkBody {
    #[serde(default)]
    pub rank: i64,
    pub character: Option<String>,
    pub conversation: Option<String>,
}

impl From<Link> for LinkView {
    fn from(link: Link) -> Self {
        let (character, conversation) = match link.scope {
            Scope::World => (None, None),
            Scope::Character(id) => (Some(id.to_string()), None),
            Scope::Conversation(id) => (None, Some(id.to_string())),
        };
        Self { book: link.book.to_string(), rank: link.rank, character, conversation, missing: false }
    }
}

/// What a character gets from a card of the library.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "UseCard")]
pub struct UseCard {
    pub card: String,
}

/// A card of the library.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Card")]
pub struct CardView {
    pub id: String,
    pub name: String,
    pub revision: u64,
    /// What a character of this card is told about itself.
    pub persona: String,
    pub greetings: Vec<String>,
    pub tags: Vec<String>,
    pub creator: String,
    /// The library's id of the book that came on the card.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub book: Option<String>,
    pub warnings: Vec<String>,
}
