//! Is a message set apart from what people say: in brackets as a whole, or under a heading that says it is for the model?
//!
//! In a story somebody may write so, too. It is a client's only where the user says something else beside it.

use super::markers::bracketed;

/// Wider than those of [`bracketed`], as they are written in Chinese and Japanese.
const WIDE: &[(char, char)] = &[('【', '】'), ('［', '］'), ('〔', '〕')];
/// Around a heading also these.
const ROUND: &[(char, char)] = &[('[', ']'), ('(', ')'), ('（', '）'), ('{', '}')];
/// What a heading begins with, in lower case.
const HEADINGS: &[&str] = &[
    "system",
    "instruction",
    "author's note",
    "authors note",
    "note to ai",
    "note to the ai",
    "output format",
    "response format",
    "reply format",
    "writing style",
    "系统",
    "系統",
    "指令",
    "指示",
    "格式要求",
    "输出格式",
    "回复格式",
    "写作要求",
    "写作风格",
    "文风",
    "字数要求",
    "注意事项",
    "作者注",
    "システム",
    "出力形式",
];
/// The same for one without brackets: a colon must follow. What people say may begin with the others.
const BARE: &[&str] =
    &["system", "system note", "system prompt", "系统", "系统提示", "系统指令", "系統提示", "システム"];
/// Tags around a whole message.
const TAGS: &[&str] =
    &["system", "system_note", "system_prompt", "instructions", "instruction", "format", "rules"];
/// A longer one is no heading.
const MOST_CHARS: usize = 24;

pub(super) fn is_set_apart(text: &str) -> bool {
    let text = text.trim();
    bracketed(text).is_some() || is_in_one(text, WIDE) || has_heading(text) || is_tagged(text)
}

/// Whether one pair of these holds all of it.
fn is_in_one(text: &str, pairs: &[(char, char)]) -> bool {
    pairs.iter().any(|(open, close)| {
        let inner = text.strip_prefix(*open).and_then(|text| text.strip_suffix(*close));
        inner.is_some_and(|inner| !inner.contains([*open, *close]))
    })
}

fn has_heading(text: &str) -> bool {
    let bracket = WIDE.iter().chain(ROUND).find(|(open, _)| text.starts_with(*open));
    let heading = match bracket {
        Some((open, close)) => text.strip_prefix(*open).and_then(|text| text.split_once(*close)),
        None => text.split_once([':', '：']),
    };
    let Some((heading, _)) = heading.filter(|(heading, _)| heading.chars().count() <= MOST_CHARS) else {
        return false;
    };
    let heading = heading.trim().to_lowercase();
    match bracket {
        Some(_) => HEADINGS.iter().any(|known| heading.starts_with(known)),
        None => BARE.contains(&heading.as_str()),
    }
}

fn is_tagged(text: &str) -> bool {
    let lower = text.to_lowercase();
    TAGS.iter().any(|tag| lower.starts_with(&format!("<{tag}>")) && lower.ends_with(&format!("</{tag}>")))
}
