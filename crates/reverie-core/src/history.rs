//! What did these people say among themselves, and what with others around?

use crate::character::Who;
use crate::id::{CharacterId, ConversationId};
use crate::line::Line;

/// The history of a set of participants, as one of them (or the host) knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryQuery {
    pub participants: Vec<Who>,
    /// Only what this character witnessed; None is the host's view.
    pub witness: Option<CharacterId>,
    /// Conversations opened to this one question, witnessed or not.
    pub also: Vec<ConversationId>,
    /// Of each list the newest so many.
    pub limit: usize,
}

pub const DEFAULT_LIMIT: usize = 10;

/// Each list oldest first; hidden lines and other branches are in none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct History {
    /// From all conversations with exactly these participants.
    pub primary: Vec<Line>,
    /// From conversations of these and others.
    pub ancillary: Vec<Line>,
    /// From the conversations that were granted.
    pub also: Vec<Line>,
}
