//! What of a host's file means nothing here, and is kept for the way back?
//!
//! A chat file says more of a message than its words: how a date was spelled, who generated it and how long that took, what
//! an extension left there. Nobody here reads it. It stands beside the lines and conversations that it came with, as a text
//! that only the reader of the format understands, so that an export can say it again. No checkpoint brings an older one
//! back; it goes where its line or conversation goes, and is deleted with it.

use crate::id::{ConversationId, LineId};

/// What it came with.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeptFor {
    /// The world itself: a file of the host that belongs to no single conversation, by name.
    File(String),
    Conversation(ConversationId),
    Line(LineId),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keepsake {
    pub of: KeptFor,
    pub text: String,
}

/// True if a text names somebody, plainly or as JSON writes the name. What does so goes when that somebody is deleted.
pub fn names(text: &str, somebody: &str) -> bool {
    if somebody.is_empty() {
        return false;
    }
    let escaped = somebody.replace('\\', "\\\\").replace('"', "\\\"");
    text.contains(somebody) || text.contains(&escaped)
}
