//! What is a conversation, and when are two of them the same?

use crate::character::Who;
use crate::fingerprint::text_fingerprint;
use crate::id::{CharacterId, ConversationId, LineId, MemoryId};
use crate::line::{Line, NewLine};
use crate::{Error, Result};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversation {
    pub id: ConversationId,
    /// Scenes have a name; a conversation found by its participant set has none.
    pub name: Option<String>,
    /// Sorted. Of a scene: everyone who was ever present on its active path.
    pub participants: Vec<CharacterId>,
    /// Sorted. Who would witness the next line.
    pub present: Vec<CharacterId>,
    pub head: Option<LineId>,
}

/// How to find a conversation, or open it if there is none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpenConversation {
    /// The host's own id; otherwise the store chooses one.
    pub id: Option<ConversationId>,
    /// Makes it a scene, found by this name.
    pub name: Option<String>,
    /// Without a name: the set that identifies it. With one: who is there at the start.
    pub participants: Vec<Who>,
}

/// What a host believes the head to be; a mismatch is a Conflict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ExpectedHead {
    #[default]
    Any,
    Empty,
    Line(LineId),
}

impl ExpectedHead {
    pub fn admits(self, head: Option<LineId>) -> bool {
        match self {
            Self::Any => true,
            Self::Empty => head.is_none(),
            Self::Line(line) => head == Some(line),
        }
    }
}

/// Where new lines are attached.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Attach {
    #[default]
    Head,
    /// As the first lines of the tree.
    Root,
    /// Behind this line: a branch, if it has children already.
    Behind(LineId),
    /// Beside this line: a swipe.
    Beside(LineId),
}

/// One batch of lines for one conversation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Append {
    pub lines: Vec<NewLine>,
    pub attach: Attach,
    pub expected_head: ExpectedHead,
    pub now_ms: i64,
    /// Chosen by the client: the same key again is answered as before and recorded once.
    pub key: Option<AppendKey>,
    /// What the prompt left running: bound to the last of the lines, gone where the path does not lead through it.
    pub lore_timers: Option<String>,
    /// What was in the prompt that these lines answer, and who had it in mind: fresh again, as long as the path leads through
    /// the last of the lines. Whatever is not there is passed over.
    pub refreshed: Vec<(MemoryId, CharacterId)>,
    /// What is kept of the file that a line came in, by the line's place among `lines`.
    pub keepsakes: Vec<(usize, String)>,
}

/// A client's idempotency key and a digest of what it was first used with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppendKey {
    pub key: String,
    pub digest: [u8; 16],
}

impl AppendKey {
    /// What stays of a line that had a host id and was deleted for good: enough to know the id again, not to tell it.
    /// A store keeps it among the conversation's keys.
    pub fn of_erased(host_id: &str) -> Self {
        let digest = text_fingerprint(&["erased", host_id]);
        let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        Self { key: format!("erased:{hex}"), digest }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appended {
    /// In the order given. On a replay: those that have not been deleted since.
    pub lines: Vec<Line>,
    pub head: Option<LineId>,
    pub revision: u64,
    /// True if the key had been used before and nothing was written.
    pub replayed: bool,
    /// World time just before a new line whose tick lies before it: the first such line of the batch.
    pub tick_ran_back_from: Option<i64>,
}

impl Appended {
    /// Refuses a replay of which some is gone: what goes on from it would hang elsewhere.
    pub fn check_whole(&self, lines: usize) -> Result<()> {
        if self.lines.len() == lines {
            return Ok(());
        }
        Err(Error::conflict("some of these lines were recorded before and deleted since")
            .hint("record them in another conversation"))
    }
}

/// Branches for one conversation, and where its head stands afterwards.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Graft {
    pub branches: Vec<Branch>,
    /// Which of the lines, counted through all branches. None leaves the head at the last one.
    pub head: Option<usize>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Branch {
    /// The line of an earlier branch that this one goes on from, counted through all branches. None: from where its
    /// append says.
    pub parent: Option<usize>,
    pub append: Append,
}

impl Branch {
    /// What to append where, if these are the lines of the branches before it.
    pub fn into_append(self, lines: &[LineId]) -> Result<Append> {
        let Some(parent) = self.parent else { return Ok(self.append) };
        let line = lines.get(parent).copied();
        let line = line.ok_or_else(|| {
            Error::invalid(format!("a branch goes on from line {parent}, which comes later"))
        })?;
        Ok(Append { attach: Attach::Behind(line), ..self.append })
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grafted {
    /// For each branch.
    pub appended: Vec<Appended>,
    pub head: Option<LineId>,
}

/// Where to put a conversation's head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeadTarget {
    Empty,
    Line(LineId),
    /// So many lines back.
    Back(usize),
}

/// A part of a conversation's lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinesQuery {
    pub which: WhichLines,
    /// Only lines that this character witnessed.
    pub witness: Option<CharacterId>,
    /// Continue behind this line (in the direction of reading).
    pub after: Option<LineId>,
    pub newest_first: bool,
    pub limit: usize,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum WhichLines {
    /// From the root to the head.
    #[default]
    Path,
    /// Every branch, in the order of recording, and what was never shown.
    Tree,
    /// The children of a line (None: the roots): the swipes to choose from.
    Children(Option<LineId>),
}
