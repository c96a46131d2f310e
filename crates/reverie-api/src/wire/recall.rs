//! A finished prompt on the wire.

use reverie_core::cue::{Block, LeftOut, LoreName, PromptMessage, Recall, Recalled, Tokens};
use reverie_core::rank::Fate;
use schemars::JsonSchema;
use serde::Serialize;

use super::recalled::RecalledView;
use super::{EntryName, LorePosition, Position, Reason, Role};

/// A finished prompt, and what it was made of.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Recall")]
pub struct RecallView {
    /// Record the answer with it (`recall`): what this prompt set off runs on then, and the memories in it stay fresh. It names what was set off and before which
    /// line, not whose prompt it is: two characters may get the same.
    pub id: String,
    /// To be sent to a chat model as they are.
    pub messages: Vec<MessageView>,
    /// The same parts, for hosts that build their own prompt.
    pub blocks: Vec<BlockView>,
    pub left_out: Vec<LeftOutView>,
    pub tokens: TokensView,
    /// What went on without a part of it.
    pub degraded: Vec<super::DegradedView>,
    pub revision: u64,
    /// The books that were searched: they change beside the world.
    pub books: Vec<BookRevision>,
    /// The memories in the prompt, in the order in which they came to mind.
    pub memories: Vec<RecalledView>,
    /// With `explain`: every memory that came to mind, what is always there first, then the nearest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub considered: Option<Vec<RecalledView>>,
    /// With `explain_limit`: how many came to mind, told of or not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub considered_in_all: Option<usize>,
}

/// Of how many memories that came to mind is it told what became of them?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Explained {
    Nothing,
    All,
    /// Those that stand in the prompt, and at most so many others.
    Most(usize),
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct BookRevision {
    pub book: String,
    pub revision: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Message")]
pub struct MessageView {
    pub role: Role,
    pub content: String,
    /// Only where providers accept it (`^[a-zA-Z0-9_-]{1,64}$`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Block")]
pub struct BlockView {
    pub position: Position,
    /// How many messages follow the one that carries it.
    pub depth: usize,
    pub role: Role,
    pub text: String,
    pub tokens: usize,
    /// The lines it was made of.
    pub sources: Vec<String>,
    /// Of lore: where its author put it, and which entries it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lore: Option<LoreBlockView>,
    /// The memories that it tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memories: Option<Vec<String>>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "LoreBlock")]
pub struct LoreBlockView {
    pub position: LorePosition,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outlet: Option<String>,
    pub entries: Vec<EntryName>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "LeftOut")]
pub struct LeftOutView {
    pub position: Position,
    pub reason: Reason,
    pub lines: Vec<String>,
    /// True if there are still older lines that were not even read.
    pub and_older: bool,
    /// Entries of world books.
    pub lore: Vec<EntryName>,
    pub memories: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Tokens")]
pub struct TokensView {
    #[schemars(with = "super::TokenCounter")]
    pub counter: &'static str,
    pub used: usize,
    pub budget: usize,
}

impl RecallView {
    pub fn new(recall: Recall, explained: Explained) -> Self {
        let ranked = || recall.memories.iter().enumerate();
        let kept = ranked().filter(|(_, recalled)| recalled.fate == Fate::Kept);
        let mut others = match explained {
            Explained::Most(most) => most,
            Explained::Nothing | Explained::All => usize::MAX,
        };
        let mut is_told = |recalled: &Recalled| {
            if recalled.fate == Fate::Kept {
                return true;
            }
            let has_room = others > 0;
            others = others.saturating_sub(1);
            has_room
        };
        let is_counted = matches!(explained, Explained::Most(_));
        Self {
            memories: kept.map(RecalledView::new).collect(),
            considered_in_all: is_counted.then_some(recall.memories.len()),
            considered: (explained != Explained::Nothing)
                .then(|| ranked().filter(|(_, recalled)| is_told(recalled)).map(RecalledView::new).collect()),
            id: recall.id,
            messages: recall.messages.into_iter().map(Into::into).collect(),
            blocks: recall.blocks.into_iter().map(Into::into).collect(),
            left_out: recall.left_out.iter().map(Into::into).collect(),
            tokens: recall.tokens.into(),
            degraded: recall.degraded.into_iter().map(Into::into).collect(),
            revision: recall.revision,
            books: recall
                .books
                .into_iter()
                .map(|(book, revision)| BookRevision { book: book.to_string(), revision })
                .collect(),
        }
    }
}

impl From<Tokens> for TokensView {
    fn from(tokens: Tokens) -> Self {
        Self { counter: tokens.counter, used: tokens.used, budget: tokens.budget }
    }
}

impl From<PromptMessage> for MessageView {
    fn from(message: PromptMessage) -> Self {
        Self { role: message.role.into(), content: message.content, name: message.name }
    }
}

impl From<Block> for BlockView {
    fn from(block: Block) -> Self {
        Self {
            position: block.position.into(),
            depth: block.depth,
            role: block.role.into(),
            text: block.text,
            tokens: block.tokens,
            sources: block.sources.iter().map(ToString::to_string).collect(),
            lore: block.lore.map(|lore| LoreBlockView {
                position: lore.position.into(),
                outlet: lore.outlet,
                entries: lore.entries.iter().map(EntryName::from).collect(),
            }),
            memories: (!block.memories.is_empty())
                .then(|| block.memories.iter().map(ToString::to_string).collect()),
        }
    }
}

impl From<&LeftOut> for LeftOutView {
    fn from(left_out: &LeftOut) -> Self {
        Self {
            position: left_out.position.into(),
            reason: left_out.reason.into(),
            lines: left_out.lines.iter().map(ToString::to_string).collect(),
            and_older: left_out.and_older,
            lore: left_out.lore.iter().map(EntryName::from).collect(),
            memories: left_out.memories.iter().map(ToString::to_string).collect(),
        }
    }
}

impl From<&LoreName> for EntryName {
    fn from(name: &LoreName) -> Self {
        Self { book: name.book.to_string(), entry: name.entry.to_string() }
    }
}
