//! What is a round, and when is it over?
//!
//! One completed exchange, with everybody who was there, silent ones too. A host opens a round, records lines with it and
//! closes it when its last word was shown; lines that no host put into a round fall into rounds of their own when they are
//! digested ([`crate::digest`]).
//!
//! A round of a host stands on the paths that lead through the line at which it ended. Where a path leaves it earlier (undo, or
//! another answer to the same words), its lines there are like those that no host put into a round. Another answer can also be
//! put into the round itself, which then goes on until it ends again, on that branch.

use crate::character::Who;
use crate::id::{CharacterId, ConversationId, LineId, RoundId};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    pub id: RoundId,
    pub conversation: ConversationId,
    /// True if a host opened it; false if it was found among lines that were only posted.
    pub explicit: bool,
    pub state: RoundState,
    /// Who was there and under which name, when it opened; of explicit rounds alone. In the host's order.
    pub present: Vec<Participant>,
    pub opened_ms: i64,
    /// Its first and last line; None while nothing was said in it.
    pub span: Option<Span>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RoundState {
    /// Its lines are in view, and nobody remembers them yet.
    Open,
    /// Over, and not remembered yet; or no longer remembered as it is, because one of its lines changed.
    Closed,
    /// Over and remembered.
    Digested,
}

/// How a round ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    /// Everything was shown, or everything through a line.
    Complete,
    /// Broken off: of the replies only what was shown counts.
    Aborted,
}

/// Somebody who was there, and the name at that time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Participant {
    pub character: CharacterId,
    /// None: nobody knew a name.
    pub name: Option<String>,
}

/// From a line to a line on one path, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    pub first: LineId,
    pub last: LineId,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpenRound {
    /// None: those present in the conversation. In a scene these are present from now on; a participant set stays as it is,
    /// so there they must be of it.
    ///
    /// They hear what is said in the round, and so does whoever speaks in it or comes to the scene meanwhile; whoever leaves the
    /// scene no longer does. Another round that is opened meanwhile has its own people.
    pub present: Option<Vec<Who>>,
    pub now_ms: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CloseRound {
    pub ending: Ending,
    /// The last line that was shown. None: of a complete round all, of an aborted one what users said.
    ///
    /// Lines of the round behind it are in no view any more; where they are the end of the path, the head moves before them.
    pub shown_through: Option<LineId>,
}

impl RoundState {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Closed => "closed",
            Self::Digested => "digested",
        }
    }
}
