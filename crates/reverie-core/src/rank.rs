//! In what order do memories come to mind, and which of them enter a prompt?

mod asked_before;
mod asked_for;
mod choose;
mod corrected;
mod leg;
mod linked;
mod meaning;
mod mood;
mod nearest;
mod recollect;
mod several;
mod suggest;

use std::collections::BTreeSet;

use crate::embed::{Languages, Reading, Tongue, Vector};
use crate::feeling::Feeling;
use crate::id::{CharacterId, LineId};
use crate::mind::Said;
use crate::mind::when::Stretch;

pub use choose::{Barred, Choice, Considered, Dropped, Fate, considered, relate};
pub(crate) use choose::{Choosing, sort};
pub use recollect::recollect;
pub(crate) use several::{merge, note_who_else};
pub use suggest::{Occasion, Suggestion};
pub(crate) use suggest::{Occasions, each_once, suggest};

/// What is being said, for all legs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Question {
    pub said: Said,
    /// Its place in the mind's space. None: nobody knows, and meaning says nothing.
    pub meaning: Option<Vector>,
    /// The same of the newest line alone. None: that is all there is, or nobody knows without asking a second time.
    pub newest: Option<Vector>,
    /// How that space is to be read.
    pub bearing: Bearing,
    /// The language of what was said last.
    pub tongue: Option<Tongue>,
    /// Days that it speaks of.
    pub days: Vec<Stretch>,
    /// The last lines: memories of nothing but these are what is being said, not what it reminds of.
    pub lines: BTreeSet<LineId>,
    /// What is in the air. What is heard in words adds up to how sure that is; what somebody said is sure.
    pub feelings: Vec<(Feeling, f32)>,
    /// The same as somebody called it; it may have a name that nobody knows as a feeling.
    pub moods: Vec<String>,
    /// What whoever is asked is called: nobody asks them for themselves by their name.
    pub called: Vec<String>,
    /// Who asks, as far as anybody knows.
    pub asker: Option<CharacterId>,
}

/// What is known of a space of meanings.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Bearing {
    pub reading: Reading,
    /// None: nobody asked, and the memories themselves tell.
    pub languages: Option<Languages>,
}

/// How near a memory is by each leg.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Parts {
    pub lexical: f32,
    pub semantic: f32,
    pub keyword: f32,
    pub temporal: f32,
    pub emotional: f32,
    pub related: f32,
}

/// A memory that came to mind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    pub slot: usize,
    pub parts: Parts,
    /// How it stands to the others: the best by words and the best by meaning are worth the same.
    pub score: f32,
    /// How near it is in itself, whatever else was found.
    pub nearness: f32,
}
