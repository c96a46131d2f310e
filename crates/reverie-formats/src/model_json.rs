//! Where in a model's text is the JSON that was asked for?
//!
//! Models put it into code fences, talk around it, think aloud before it, and write it as Python, JavaScript or a Chinese
//! keyboard would. All of that is read; what it says is for the caller to check. An object that breaks off is an error,
//! never its first half, and never a part of it that happens to be whole.
//!
//! Of several the choice is fixed: of those in code fences the last (drafts come first), else the longest, and what is
//! broken or broke off counts with the length that it has.

mod parse;

use serde_json::Value;

use self::parse::{Fault, Parser};

/// A longer text is not searched.
pub const MOST_BYTES: usize = 1 << 20;
/// Deeper nesting is refused.
pub const MOST_DEPTH: usize = 64;
/// How often each byte may be looked at; a text full of false beginnings costs no more.
const WORK_PER_BYTE: usize = 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum JsonError {
    #[error("the answer holds no JSON object or array")]
    Missing,
    #[error("the JSON in the answer breaks off")]
    CutOff,
    #[error("the JSON in the answer is broken")]
    Broken,
    #[error("the answer is longer than {MOST_BYTES} bytes")]
    TooLarge,
    #[error("the JSON in the answer is nested more than {MOST_DEPTH} deep")]
    TooDeep,
}

/// The object or array in a text.
pub fn extract_json(text: &str) -> Result<Value, JsonError> {
    if text.len() > MOST_BYTES {
        return Err(JsonError::TooLarge);
    }
    let text = without_thoughts(text);
    let mut work = text.len().saturating_mul(WORK_PER_BYTE);
    let whole = text.trim();
    if whole.starts_with(['{', '['])
        && let Ok(only) = only_value(whole, &mut work)
    {
        return Ok(only);
    }
    let mut in_fences = None;
    for block in fenced(text) {
        match only_value(block.trim(), &mut work) {
            Ok(value) => in_fences = Some(value),
            // Not the draft before it; or it holds a fence itself.
            Err(Fault::CutOff) => in_fences = None,
            Err(_) => {}
        }
    }
    match in_fences {
        Some(value) => Ok(value),
        None => longest(text, &mut work),
    }
}

/// What a model thought aloud before its answer holds drafts. Thoughts without an end are all there is.
pub(crate) fn without_thoughts(text: &str) -> &str {
    let trimmed = text.trim_start_matches(['\u{FEFF}', ' ', '\t', '\r', '\n']);
    for (begin, end) in [("<think>", "</think>"), ("<thinking>", "</thinking>")] {
        if trimmed.starts_with(begin) {
            return trimmed.split_once(end).map_or("", |(_, answer)| answer);
        }
        // Some chat templates write the opening tag into the prompt, and the answer has only the closing one.
        if let Some((thoughts, answer)) = trimmed.split_once(end)
            && !thoughts.contains(begin)
        {
            return answer;
        }
    }
    text
}

/// A value with nothing after it.
fn only_value(text: &str, work: &mut usize) -> Result<Value, Fault> {
    let mut parser = Parser::new(text, work);
    let value = parser.container()?;
    parser.end()?;
    Ok(value)
}

/// The insides of code fences, in order; a last one without an end too.
fn fenced(text: &str) -> impl Iterator<Item = &str> {
    text.split("```").skip(1).step_by(2).map(|block| {
        let label = block.find(['\n', '{', '[']).unwrap_or(0);
        block.get(label..).unwrap_or_default()
    })
}

const PROSE: usize = 16;

/// The longest value that stands in a text by itself.
fn longest(text: &str, work: &mut usize) -> Result<Value, JsonError> {
    let mut best: Option<(usize, Value)> = None;
    let mut longest_broken = 0;
    let mut at = 0;
    while let Some(rest) = text.get(at..) {
        let Some(begin) = rest.find(['{', '[']) else { break };
        let mut parser = Parser::new(rest.get(begin..).unwrap_or_default(), work);
        at += begin;
        match parser.container() {
            Ok(value) => {
                let length = parser.read();
                if best.as_ref().is_none_or(|(longest, _)| length > *longest) {
                    best = Some((length, value));
                }
                at += length.max(1);
            }
            // Whatever stands inside is a part of what broke off; it is the answer itself, or a last word after it.
            Err(Fault::CutOff) => {
                let length = rest.len() - begin;
                return best
                    .filter(|(longest, _)| length <= *longest)
                    .map(|(_, value)| value)
                    .ok_or(JsonError::CutOff);
            }
            Err(Fault::TooDeep) => return Err(JsonError::TooDeep),
            Err(Fault::Wrong) => {
                longest_broken = longest_broken.max(parser.read());
                at += parser.read().max(1);
            }
            Err(Fault::Tired) => break,
        }
    }
    match best {
        Some((length, value)) if length >= longest_broken => Ok(value),
        // A few characters in braces are prose.
        None if longest_broken < PROSE => Err(JsonError::Missing),
        _ => Err(JsonError::Broken),
    }
}
