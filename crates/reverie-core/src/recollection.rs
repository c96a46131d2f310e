//! What does a store tell of what somebody has in mind?
//!
//! All of it once, and then only what changed: whoever keeps it at hand says how far it is known, and gets the rest.

use crate::embed::Vector;
use crate::id::{CharacterId, ConversationId, MemoryId};
use crate::memory::Held;

/// What one can recall, or what of it changed since it was read last.
#[derive(Debug, Clone, PartialEq)]
pub struct Recollections {
    pub holder: CharacterId,
    /// How far this reaches. None: this store does not count changes, and tells everything each time.
    pub mark: Option<Mark>,
    /// True: this is all there is. False: what changed since the mark that was asked with.
    pub whole: bool,
    /// In the order of ids.
    pub kept: Vec<Kept>,
    /// What one cannot recall any more. Sorted.
    pub gone: Vec<MemoryId>,
}

/// How far a store's changes to one holder's memories are known. Marks of one holder and one epoch can be compared by `change`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mark {
    /// The store's own number for whose memories these are.
    pub holder: u64,
    /// Marks of earlier epochs count no more.
    pub epoch: u64,
    pub change: u64,
}

impl Mark {
    /// Whether both are of the same mind, earlier or later.
    pub fn is_of(&self, other: &Self) -> bool {
        (self.holder, self.epoch) == (other.holder, other.epoch)
    }
}

/// A memory that one can recall, and what finding it needs besides.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept {
    pub held: Held,
    /// Where its first line stands, if it was made of lines.
    pub place: Option<Place>,
    /// What those whom it is about are called now. Sorted, each once.
    pub names: Vec<String>,
    /// In the space that was asked for; of its text, or of its holder's rewording.
    pub vectors: Vec<Vector>,
}

/// A place in a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The store's own number for it.
    pub conversation: u64,
    /// Grows as the conversation goes on.
    pub order: u64,
}

/// Who knows where a memory comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provenance {
    /// Where the lines stand that it was made of, or that what it sums up was made of. Sorted; empty: it was made of none.
    pub conversations: Vec<ConversationId>,
    /// Everybody who witnessed all of these lines; sorted.
    pub witnesses: Vec<CharacterId>,
    /// Everybody who has it and did not forget it; sorted.
    pub holders: Vec<CharacterId>,
    /// Those of them who have it in words of their own, and these; sorted.
    pub reworded: Vec<(CharacterId, String)>,
}
