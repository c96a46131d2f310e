//! Which words of a message in the user's name did somebody say, and which did the client put there?

use super::body::{Message, Role};
use super::content;
use super::markers::{self, Marker};

/// What the user says in a message; nothing, if it is a note of the client: a known one, or any in brackets beside another message of the
/// same user. `takes_notes`: what looks like one is said all the same.
pub(super) fn own_words(messages: &[Message], index: usize, takes_notes: bool) -> &str {
    let Some(message) = messages.get(index) else { return "" };
    let text = markers::behind_start(&message.text).trim();
    let near = [index.checked_sub(1), Some(index + 1)].into_iter().flatten();
    let near: Vec<&Message> =
        near.filter_map(|index| messages.get(index)).filter(|near| near.role == Role::User).collect();
    // A client's notes stand beside the words of the one for whom it writes them, not under a name of their own.
    let is_another = |near: &&Message| message.name.is_some() && message.name != near.name;
    let is_theirs = takes_notes || near.iter().any(is_another);
    if is_theirs && markers::marker(text) == Some(Marker::Note) {
        return text;
    }
    let words = markers::without_markers(text);
    if is_theirs || markers::bracketed(words).is_none() || content::is_stand_in(words) {
        return words;
    }
    let is_beside = near.iter().any(|near| markers::bracketed(&near.text).is_none());
    if is_beside { "" } else { words }
}
