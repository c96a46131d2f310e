//! What is asked of a chat model, and what may come back?
//!
//! Questions leave as data and answers come back as data: a server asks the providers that it has, a game its own client.

use crate::id::WorldId;
use crate::perspective::Role;

/// Something that a chat model shall say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    pub world: WorldId,
    /// To be given back with the answer. It is good for this question alone.
    pub id: String,
    pub purpose: Purpose,
    pub messages: Vec<(Role, String)>,
    /// Whether the answer has to be JSON.
    pub json: bool,
    /// About how many tokens the question is.
    pub tokens: usize,
    /// How long an answer is at most, in tokens.
    pub most_tokens: usize,
    /// Until when the answer counts. Later, somebody else may have been asked.
    pub until_ms: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// Is anything in these rounds worth keeping for long?
    Decide,
    /// What of them is worth keeping?
    Summarise,
    /// A day or an era in a few sentences.
    Retell,
}

impl Purpose {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Decide => "decide",
            Self::Summarise => "summarise",
            Self::Retell => "retell",
        }
    }
}

/// What a model said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    Said {
        text: String,
        model: String,
    },
    /// It could not be asked, or said nothing: in words that say what to do, without dialogue and secrets. Ask again not before
    /// this time, where it is known.
    Failed {
        code: String,
        message: String,
        not_before_ms: Option<i64>,
    },
}

/// What a text of a model means. Understanding it is somebody else's craft; see
/// [`Engine::reading_answers`](crate::Engine::reading_answers).
#[derive(Debug, Clone, PartialEq)]
pub enum Understood {
    Decision(bool),
    Statements(Vec<RawStatement>),
    Text(String),
}

/// One thing worth keeping, as a model says it. Nothing of it is believed yet.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RawStatement {
    pub text: String,
    pub kind: Option<String>,
    pub about: Vec<String>,
    /// The lines that say so, as they were numbered in the question: `L3`. None: the question asked for no numbers, and all of
    /// them are meant.
    pub lines: Option<Vec<String>>,
    pub keywords: Vec<String>,
    pub topics: Vec<String>,
    pub emotions: Vec<String>,
    pub importance: Option<f64>,
    /// What it takes the place of, as numbered in the question: `K2`.
    pub replaces: Option<String>,
}

/// Makes sense of what a model said. An error says what is wrong with it.
pub type ReadAnswer = fn(Purpose, &str) -> crate::Result<Understood>;
