//! What did a model mean by its answer?
//!
//! Where its JSON is, [`model_json`](crate::model_json) tells; here it is read as generously as can be. What it claims is not
//! judged here.

use reverie_core::digest::{Purpose, RawStatement, Understood};
use reverie_core::{Error, Result};
use serde_json::{Map, Value};

use crate::lenient::{as_flag, as_number, as_text};
use crate::model_json::{JsonError, extract_json, without_thoughts};

/// A longer answer is no answer to what was asked.
const MOST_BYTES: usize = 256 << 10;

/// Reads an answer; an error says what is wrong with it, and quotes none of it.
pub fn read(purpose: Purpose, text: &str) -> Result<Understood> {
    if text.len() > MOST_BYTES {
        return Err(Error::invalid(format!("the answer is {} bytes long: at most {MOST_BYTES}", text.len())));
    }
    let said = without_thoughts(text).trim();
    if said.is_empty() {
        return Err(Error::invalid("the model said nothing"));
    }
    match purpose {
        Purpose::Decide => decision(said),
        Purpose::Summarise => summary(said),
        Purpose::Retell => Ok(Understood::Text(told(said)?)),
    }
}

fn decision(text: &str) -> Result<Understood> {
    let flag = match extract_json(text) {
        Ok(Value::Object(map)) => ["should_remember", "remember", "worth_remembering"]
            .iter()
            .find_map(|key| map.get(*key))
            .and_then(as_flag),
        _ => match text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase().as_str() {
            "true" | "yes" | "是" | "はい" => Some(true),
            "false" | "no" | "否" | "いいえ" => Some(false),
            _ => None,
        },
    };
    flag.map(Understood::Decision)
        .ok_or_else(|| Error::invalid("the answer does not say should_remember: true or false"))
}

fn summary(text: &str) -> Result<Understood> {
    let value = match extract_json(text) {
        Ok(value) => value,
        Err(JsonError::Missing) => return Ok(Understood::Text(told(text)?)),
        Err(error) => return Err(Error::invalid(error.to_string())),
    };
    let listed = match value {
        Value::Array(list) => list,
        Value::Object(mut map) => {
            let list = ["memories", "statements", "facts"].iter().find_map(|key| map.remove(*key));
            match list {
                Some(Value::Array(list)) => list,
                Some(Value::Null) => Vec::new(),
                None if map.contains_key("text") => vec![Value::Object(map)],
                _ => return Err(Error::invalid("the answer has no list `memories`")),
            }
        }
        _ => return Err(Error::invalid("the answer has no list `memories`")),
    };
    let statements = listed.into_iter().filter_map(|value| match value {
        Value::Object(map) => Some(statement(&map)),
        Value::String(text) => {
            Some(RawStatement { text, lines: Some(Vec::new()), ..RawStatement::default() })
        }
        _ => None,
    });
    Ok(Understood::Statements(statements.collect()))
}

fn statement(map: &Map<String, Value>) -> RawStatement {
    let text = |key: &str| map.get(key).and_then(as_text).filter(|text| !text.trim().is_empty());
    let list = |key: &str| map.get(key).map(texts).unwrap_or_default();
    RawStatement {
        text: text("text").or_else(|| text("content")).unwrap_or_default(),
        kind: text("kind").or_else(|| text("type")),
        about: list("about"),
        lines: Some(list("lines")),
        keywords: list("keywords"),
        topics: list("topics"),
        emotions: list("emotions"),
        importance: map.get("importance").and_then(as_number),
        // One thing takes the place of one; of several that are named the first is meant.
        replaces: list("replaces").into_iter().next(),
    }
}

/// A list, or one thing that should have been a list of one.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Array(list) => {
            list.iter().filter_map(as_text).filter(|text| !text.trim().is_empty()).collect()
        }
        value => as_text(value).filter(|text| !text.trim().is_empty()).into_iter().collect(),
    }
}

/// Prose, without the fence and the quotation marks that some put around it.
fn told(text: &str) -> Result<String> {
    let bare = text.trim_matches('`').trim();
    let bare = bare.strip_prefix('"').and_then(|bare| bare.strip_suffix('"')).unwrap_or(bare).trim();
    if bare.is_empty() {
        return Err(Error::invalid("the model said nothing"));
    }
    Ok(bare.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Purpose, Understood, read};

    /// What a model says, and what it means: `yes`, `no`, `text …`, statements as `kind|text|lines|replaces`, or `error`.
    #[test]
    fn answers_are_read_as_they_are_meant() {
        let decide = [
            ("{\"should_remember\": true, \"reason\": \"x\"}", "yes"),
            ("```json\n{\"should_remember\": false}\n```", "no"),
            ("Sure! Here it is: {\"should_remember\": \"true\",} Hope it helps.", "yes"),
            ("<think>{\"should_remember\": true}</think>{\"should_remember\": false}", "no"),
            ("是。", "yes"),
            ("maybe", "error"),
            ("", "error"),
            ("{\"should_remember\": tr", "error"),
        ];
        let summarise = [
            ("{\"memories\":[]}", ""),
            (
                "{\"memories\":[{\"kind\":\"trait\",\"text\":\"张三喜欢火锅。\",\"lines\":[\"L1\",\"L2\"]}]}",
                "trait|张三喜欢火锅。|L1,L2",
            ),
            ("[{\"text\":\"a\",\"lines\":\"L1\"},{\"content\":\"b\",\"lines\":[2]},]", "?|a|L1;?|b|2"),
            (
                "好的：\n```\n{\"memories\": [{\"text\": \"他说\\\"{好}\\\"\", \"lines\": [\"L1\"]}]}\n```",
                "?|他说\"{好}\"|L1",
            ),
            ("The user's birthday is on October 25th.", "text The user's birthday is on October 25th."),
            ("{\"memories\":[{\"text\":\"cut", "error"),
            ("{\"memories\": 3}", "error"),
            ("[{\"text\":\"a\",\"lines\":\"L1\",\"replaces\":\"K1\"}]", "?|a|L1|K1"),
            ("[{\"text\":\"a\",\"lines\":\"L1\",\"replaces\":[\"K2\"]}]", "?|a|L1|K2"),
            ("[{\"text\":\"a\",\"lines\":\"L1\",\"replaces\":[\"\",\"K3\",\"K1\"]}]", "?|a|L1|K3"),
            (
                "[{\"text\":\"a\",\"lines\":\"L1\",\"replaces\":[]},{\"text\":\"b\",\"replaces\":null}]",
                "?|a|L1;?|b|",
            ),
        ];
        let cases = decide.iter().map(|case| (Purpose::Decide, case));
        for (purpose, (said, meant)) in cases.chain(summarise.iter().map(|case| (Purpose::Summarise, case))) {
            let understood = match read(purpose, said) {
                Ok(Understood::Decision(true)) => "yes".to_owned(),
                Ok(Understood::Decision(false)) => "no".to_owned(),
                Ok(Understood::Text(text)) => format!("text {text}"),
                Ok(Understood::Statements(list)) => {
                    let one = |s: &super::RawStatement| {
                        let replaces = s.replaces.iter().map(|known| format!("|{known}")).collect::<String>();
                        format!(
                            "{}|{}|{}{replaces}",
                            s.kind.as_deref().unwrap_or("?"),
                            s.text,
                            s.lines.as_deref().unwrap_or_default().join(",")
                        )
                    };
                    list.iter().map(one).collect::<Vec<_>>().join(";")
                }
                Err(_) => "error".to_owned(),
            };
            assert_eq!(&understood, meant, "{said}");
        }
    }
}
