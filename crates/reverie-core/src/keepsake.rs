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
///
/// A name in Latin letters or digits stands alone there: Ann is not named by `annual`, nor by a `user_id` of somebody else whom
/// nobody calls `id`.
pub fn names(text: &str, somebody: &str) -> bool {
    if somebody.is_empty() {
        return false;
    }
    let escaped = somebody.replace('\\', "\\\\").replace('"', "\\\"");
    stands_in(text, somebody) || stands_in(text, &escaped)
}

fn stands_in(text: &str, name: &str) -> bool {
    let is_latin = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let goes_on =
        |edge: Option<char>, beside: Option<char>| edge.is_some_and(is_latin) && beside.is_some_and(is_latin);
    text.match_indices(name).any(|(at, found)| {
        let (before, after) =
            (text.get(..at).unwrap_or_default(), text.get(at + found.len()..).unwrap_or_default());
        let runs_in = goes_on(name.chars().next(), before.chars().next_back());
        !runs_in && !goes_on(name.chars().next_back(), after.chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn a_name_stands_alone() {
        for (text, name, expected) in [
            (r#"["Ann.png"]"#, "Ann", true),
            (r#"{"user_id":"ann"}"#, "ann", true),
            (r#"{"topic":"annual"}"#, "ann", false),
            (r#"{"user_id":"ann"}"#, "user", false),
            (r#"{"user_id":"ann"}"#, "id", false),
            (r#"{"a":"Ann and Joanna, Ann"}"#, "Ann", true),
            (r#"["甲.png"]"#, "甲", true),
            ("乌甲木", "甲", true),
            (r#"{"n":"a \"b\""}"#, "a \"b\"", true),
            ("anything", "", false),
        ] {
            assert_eq!(names(text, name), expected, "{name} in {text}");
        }
    }
}
