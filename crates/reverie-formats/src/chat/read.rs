//! How do the bytes of a chat file become messages, and what is refused?

use reverie_core::{Error, Result};
use serde_json::Value;

use super::ChatDocument;
use super::message::message;
use crate::document::{self, Problem};
use crate::warning::cap;
use crate::{Limits, Warning};

/// Only so much is looked at to tell what a file is.
const LOOK_BYTES: usize = 4 << 20;

/// Reads the whole file or nothing of it.
pub fn read(bytes: &[u8], limits: &Limits) -> Result<ChatDocument> {
    limits.check_file(bytes)?;
    let mut document = ChatDocument { header: None, messages: Vec::new(), warnings: Vec::new() };
    let mut left = limits.json_values;
    let mut is_first = true;
    let text = document::narrowed(bytes).map_err(|problem| unreadable(1, &problem))?;
    for (number, line) in lines(&text) {
        let value = object(number, line, limits, &mut left, &mut document.warnings)?;
        let is_header = is_first && is_header(&value);
        if is_first && !is_header && !is_message(&value) {
            return Err(no_chat("the first line is neither the header of a chat nor a message"));
        }
        is_first = false;
        if is_header {
            document.header = Some(value);
            continue;
        }
        if document.messages.len() == limits.entries {
            let most = limits.entries;
            return Err(Error::invalid(format!("line {number}: there are more than {most} messages"))
                .hint("divide the file into several"));
        }
        document.messages.push(message(value, number, &mut document.warnings));
    }
    if is_first {
        return Err(no_chat("the file is empty"));
    }
    cap(&mut document.warnings);
    Ok(document)
}

/// True if the first line looks like that of a chat.
pub fn is_chat(bytes: &[u8]) -> bool {
    let Ok(text) = document::narrowed(bytes) else { return false };
    let Some((_, line)) = lines(&text).next() else { return false };
    if line.len() > LOOK_BYTES {
        return false;
    }
    let limits = Limits::default();
    document::parse(line, &limits).is_ok_and(|line| is_header(&line.value) || is_message(&line.value))
}

/// Lines that say anything, counted from 1.
fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let all = bytes.split(|byte| *byte == b'\n');
    all.enumerate().map(|(index, line)| (index + 1, line.trim_ascii())).filter(|(_, line)| !line.is_empty())
}

fn object(
    number: usize,
    line: &[u8],
    limits: &Limits,
    left: &mut usize,
    warnings: &mut Vec<Warning>,
) -> Result<Value> {
    let parsed =
        document::parse_within(line, limits, left).map_err(|problem| unreadable(number, &problem))?;
    if !parsed.value.is_object() {
        return Err(no_chat(&format!("line {number} is not an object")));
    }
    warnings.extend(parsed.warnings.into_iter().map(|odd| Warning::at_line(number, odd.message)));
    Ok(parsed.value)
}

fn unreadable(number: usize, problem: &Problem) -> Error {
    // A message is one line, so its own first line is no news.
    let problem_here = problem.to_string().replace(" at line 1 column ", " at column ");
    let error = Error::invalid(format!("line {number} of the chat cannot be read: {problem_here}"));
    match problem {
        Problem::CutOff { .. } => {
            error.hint("the file was not written to its end; remove that line to read the rest")
        }
        _ => error.hint(problem.hint()),
    }
}

fn is_header(value: &Value) -> bool {
    let has = |key: &str| value.get(key).is_some();
    !has("mes") && (has("chat_metadata") || has("user_name") && has("character_name"))
}

fn is_message(value: &Value) -> bool {
    let has = |key: &str| value.get(key).is_some();
    has("mes") && (has("name") || has("is_user"))
}

fn no_chat(why: &str) -> Error {
    Error::invalid(format!("this is no chat: {why}"))
        .hint("a chat has one JSON object a line: first {\"user_name\":…,\"character_name\":…}, then {\"name\":…,\"mes\":…}")
}

#[cfg(test)]
#[path = "tests/read.rs"]
mod tests;
