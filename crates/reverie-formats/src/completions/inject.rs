//! Where does what is recalled stand in the request that goes on to the model?
//!
//! What stays the same from turn to turn joins the first system message, what changes stands late, just before the newest
//! words of the user: so most of a request is what the last one was, and a provider's prompt cache holds. Nothing is ever put
//! between a call of a tool and its answer, nor behind an answer that is to be continued.

use reverie_core::perspective::Role as InsertedRole;

use super::body::{Body, Message, Role};
use super::content;
use super::own_words::own_words;
use super::present::Present;

/// Something to put into a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Insert {
    pub place: Place,
    /// Of the message that it becomes. What joins another message has that one's.
    pub role: InsertedRole,
    pub text: String,
    /// The memories that the text tells, each in its own words: those that the request has already are left out of it, one by one.
    pub items: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// At the end of the first system message, if one stands before what is said; otherwise in one before all others.
    System,
    /// Before what the user said last.
    BeforeNewest,
    /// So many messages of users and characters follow it; what lies deeper than the first stands before it. 0: at the end, or
    /// before the last message if that is an answer to be continued.
    Depth(usize),
}

/// How what stands late is sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Late {
    /// In messages of its own.
    #[default]
    OwnMessage,
    /// At the beginning of the user's message, for models that refuse system messages behind the first.
    InUserMessage,
}

/// A request with what was put into it.
#[derive(Debug, Clone)]
pub struct Injected {
    pub body: Body,
    /// What was left out, in whole or in part, because the client sends it already: places in the list of inserts.
    pub already_there: Vec<usize>,
}

/// Puts all of these into a copy of the request. Whatever is not touched stays byte for byte.
pub fn inject(body: &Body, inserts: &[Insert], late: Late) -> Injected {
    let present = Present::look(body.messages());
    let mut already_there = Vec::new();
    let mut placed: Vec<(Place, InsertedRole, String)> = Vec::new();
    for (index, insert) in inserts.iter().enumerate() {
        let missing = present.missing(&insert.text, &insert.items);
        if missing.as_deref() != Some(insert.text.trim()) {
            already_there.push(index);
        }
        placed.extend(missing.map(|text| (insert.place, insert.role, text)));
    }
    let mut body = body.clone();
    let messages = body.messages_mut();
    let newest = newest(messages);
    // From the end to the front, so that earlier places stay what they are.
    let mut own: Vec<(usize, Message)> = Vec::new();
    let mut joined: Vec<String> = Vec::new();
    let mut front: Vec<String> = Vec::new();
    for (place, role, text) in placed {
        match (place, newest) {
            (Place::System, _) | (Place::BeforeNewest, None) => front.push(text),
            // Two messages of the user in a row would be refused by some models.
            (Place::BeforeNewest, Some(_)) if late == Late::InUserMessage || role == InsertedRole::User => {
                joined.push(text);
            }
            (Place::BeforeNewest, Some(newest)) => own.push((newest, Message::new(role, &text))),
            (Place::Depth(depth), _) => match (late, newest) {
                (Late::InUserMessage, Some(_)) => joined.push(text),
                (Late::InUserMessage, None) => front.push(text),
                (Late::OwnMessage, _) => own.push((at_depth(messages, depth), Message::new(role, &text))),
            },
        }
    }
    if let (Some(message), false) = (newest.and_then(|newest| messages.get_mut(newest)), joined.is_empty()) {
        *message = message.with_content(|content| content::prepend(content, &joined.join("\n\n")));
    }
    let front = front.join("\n\n");
    let is_joined = front.is_empty() || join_system(messages, &front);
    own.sort_by_key(|(place, _)| *place);
    for (place, message) in own.into_iter().rev() {
        messages.insert(place.min(messages.len()), message);
    }
    if !is_joined {
        messages.insert(0, Message::new(InsertedRole::System, &front));
    }
    Injected { body, already_there }
}

/// False if no system message stands before what is said.
fn join_system(messages: &mut [Message], text: &str) -> bool {
    let mut before = messages.iter_mut().take_while(|message| !is_said(message));
    let Some(message) = before.find(|message| message.role == Role::System) else { return false };
    *message = message.with_content(|content| content::append(content, text));
    true
}

fn is_said(message: &Message) -> bool {
    matches!(message.role, Role::User | Role::Assistant)
}

/// The user's newest words: no note of the client behind them.
fn newest(messages: &[Message]) -> Option<usize> {
    let is_users = |index: &usize| messages.get(*index).is_some_and(|message| message.role == Role::User);
    let said = |index: &usize| !own_words(messages, *index, None, false).is_empty();
    let mut users = (0..messages.len()).rev().filter(is_users);
    users.clone().find(said).or_else(|| users.next())
}

/// Before the message that so many of users and characters follow with it.
fn at_depth(messages: &[Message], depth: usize) -> usize {
    let said: Vec<usize> =
        (0..messages.len()).filter(|index| messages.get(*index).is_some_and(is_said)).collect();
    // Only ever before what a user or a character said: what a tool answered stays behind its call.
    match depth {
        0 if messages.last().is_some_and(|last| last.role != Role::Assistant) => messages.len(),
        depth => said.get(said.len().saturating_sub(depth.max(1))).copied().unwrap_or(messages.len()),
    }
}
