//! Which words of a message in the user's name did somebody say, and which did the client put there?

use super::body::{Message, Role};
use super::markers::{self, Marker};
use super::{content, headings};

/// So many notes in a row are looked at for words beside them.
const MOST_NOTES: usize = 8;

/// What the user says in a message; nothing, if it is a note of the client: a known one, or any in brackets or under a heading beside another
/// message of the same user. `start`: the one in which the chat begins, if one does. `takes_notes`: what looks like a note is said all the same.
pub(super) fn own_words(messages: &[Message], index: usize, start: Option<usize>, takes_notes: bool) -> &str {
    let Some(message) = messages.get(index) else { return "" };
    if let Some(query) = query(&message.text) {
        return query;
    }
    let text = if start == Some(index) { markers::behind_start(&message.text) } else { &message.text }.trim();
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
    if is_theirs || !headings::is_set_apart(words) || content::is_stand_in(words) {
        return words;
    }
    // Several notes may stand there in a row.
    let is_user = |message: &&Message| message.role == Role::User;
    let before = messages.get(..index).unwrap_or_default().iter().rev().take_while(is_user);
    let behind = messages.get(index + 1..).unwrap_or_default().iter().take_while(is_user);
    let is_beside = before
        .take(MOST_NOTES)
        .chain(behind.take(MOST_NOTES))
        .any(|near| !headings::is_set_apart(&near.text));
    if is_beside { "" } else { words }
}

/// What the user asks in a task that a client has made of it, with what it found to the question: only this message of the history looks so.
pub(super) fn query(text: &str) -> Option<&str> {
    let task = text.trim().strip_prefix("### Task:")?;
    let (_, query) = task.strip_suffix("</user_query>")?.rsplit_once("<user_query>")?;
    Some(query.trim()).filter(|query| !query.is_empty())
}
