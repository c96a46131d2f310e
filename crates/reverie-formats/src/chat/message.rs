//! What does one line of a chat say?

use serde_json::Value;

use super::{ChatMessage, ChatWording, Time, Voice, time};
use crate::{Warning, field};

/// The name under which the program itself speaks.
const PROGRAM: &str = "SillyTavern System";

pub(super) fn message(source: Value, line: usize, warnings: &mut Vec<Warning>) -> ChatMessage {
    let mut problems = Vec::new();
    let (wordings, chosen) = wordings(&source, &mut problems);
    let is_user = field::flag(&source, "is_user").unwrap_or(false);
    let hidden = field::flag(&source, "is_system").unwrap_or(false);
    let name = field::filled(&source, "name").unwrap_or_default();
    let voice = voice(&source, hidden, &name);
    let avatar = avatar(&source);
    warnings.extend(problems.into_iter().map(|message| Warning::at_line(line, message)));
    ChatMessage { source, line, name, avatar, is_user, hidden, voice, wordings, chosen }
}

fn voice(source: &Value, hidden: bool, name: &str) -> Voice {
    let extra = source.get("extra").unwrap_or(&Value::Null);
    let kind = field::filled(extra, "type").unwrap_or_default();
    let is_aside = hidden && (!kind.is_empty() || extra.get("tool_invocations").is_some() || name == PROGRAM);
    if kind == "narrator" || is_aside { Voice::Narrator } else { Voice::Person }
}

/// The card's file is named outright in groups; elsewhere only the address of its picture is there.
fn avatar(source: &Value) -> Option<String> {
    if let Some(file) = field::filled(source, "original_avatar") {
        return Some(file);
    }
    let address = field::filled(source, "force_avatar")?;
    let file = match address.split_once("file=") {
        Some((_, rest)) => unescape(rest.split('&').next().unwrap_or_default()),
        None => unescape(address.split(['?', '#']).next().unwrap_or_default()),
    };
    let file = file.rsplit(['/', '\\']).next().unwrap_or_default().trim().to_owned();
    // A picture that is part of the message itself names nobody.
    (!file.is_empty() && !address.starts_with("data:")).then_some(file)
}

/// `%E7%8C%AB` as text.
fn unescape(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        let escaped =
            after.get(..2).filter(|_| *byte == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        match escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(unescaped) => {
                bytes.push(unescaped);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*byte);
                rest = after;
            }
        }
    }
    // What spells no text was no escape.
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// All wordings and which one was chosen. What the message shows counts more than what the list of swipes says.
fn wordings(source: &Value, problems: &mut Vec<String>) -> (Vec<ChatWording>, usize) {
    let sent = sent(source.get("send_date"), problems);
    let shown = shown(source, problems);
    let swipes = swipes(source, sent, problems);
    let number = field::whole(source, "swipe_id");
    let at = number.and_then(|number| usize::try_from(number).ok());
    let at = at.and_then(|at| swipes.iter().position(|(index, _)| *index == at));
    let mut wordings: Vec<ChatWording> = swipes.into_iter().map(|(_, wording)| wording).collect();
    let Some(text) = shown else {
        match (at, wordings.len()) {
            (Some(at), _) => return (wordings, at),
            (None, 0) => problems.push("the message has no text".to_owned()),
            (None, _) => problems.push("the message has no text; its last swipe stands for it".to_owned()),
        }
        let last = wordings.len().saturating_sub(1);
        return (wordings, last);
    };
    if wordings.is_empty() {
        return (vec![ChatWording { text, time: sent, at: None }], 0);
    }
    if let Some((at, wording)) = at.and_then(|at| Some((at, wordings.get_mut(at)?))) {
        if wording.text != text {
            problems.push(format!("the text is not that of swipe {at}, which was chosen; the text counts"));
            wording.text = text;
        }
        wording.time = sent.or(wording.time);
        return (wordings, at);
    }
    if let Some(number) = source.get("swipe_id") {
        problems.push(format!("there is no swipe {number}; the text of the message counts"));
    }
    if let Some(at) = wordings.iter().position(|wording| wording.text == text) {
        return (wordings, at);
    }
    wordings.push(ChatWording { text, time: sent, at: None });
    let last = wordings.len() - 1;
    (wordings, last)
}

fn shown(source: &Value, problems: &mut Vec<String>) -> Option<String> {
    match source.get("mes") {
        Some(Value::String(text)) => Some(text.clone()),
        None | Some(Value::Null) => None,
        Some(other) => {
            problems.push("mes is not a text".to_owned());
            Some(other.to_string())
        }
    }
}

/// Swipes with their index in the file.
fn swipes(source: &Value, sent: Option<Time>, problems: &mut Vec<String>) -> Vec<(usize, ChatWording)> {
    let all = match source.get("swipes") {
        Some(Value::Array(all)) => all,
        None | Some(Value::Null) => return Vec::new(),
        Some(_) => {
            problems.push("swipes is not a list".to_owned());
            return Vec::new();
        }
    };
    let about = source.get("swipe_info").and_then(Value::as_array);
    let mut swipes = Vec::with_capacity(all.len());
    for (index, swipe) in all.iter().enumerate() {
        let Some(text) = swipe.as_str() else {
            problems.push(format!("swipe {index} is not a text"));
            continue;
        };
        let date = about.and_then(|about| about.get(index)).and_then(|about| about.get("send_date"));
        let time = date.and_then(time::read).or(sent);
        swipes.push((index, ChatWording { text: text.to_owned(), time, at: Some(index) }));
    }
    swipes
}

fn sent(date: Option<&Value>, problems: &mut Vec<String>) -> Option<Time> {
    let date = date.filter(|date| !date.is_null() && date.as_str() != Some(""))?;
    let time = time::read(date);
    if time.is_none() {
        let shown: String = date.to_string().chars().take(60).collect();
        problems.push(format!("send_date {shown} is in no known form"));
    }
    time
}

#[cfg(test)]
#[path = "tests/message.rs"]
mod tests;
