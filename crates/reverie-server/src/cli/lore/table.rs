//! What a search of books found and why, for people: one line an entry.

use reverie_api::wire::{ScanView, WhyView};
use serde_json::{Map, Value};

use crate::output::counted;

/// Members whose texts are names that the wire knows.
const OURS: [&str; 5] = ["in", "how", "logic", "stopped_by", "unknown"];

/// Active ones first, as they stand in the prompt.
pub(super) fn told(found: &ScanView) -> String {
    let mut text = String::new();
    for slot in &found.slots {
        let entries: Vec<&str> = slot.entries.iter().map(|entry| entry.entry.as_str()).collect();
        let place = slot.position.as_str();
        let depth = slot.depth.map(|depth| format!(" {depth}")).unwrap_or_default();
        text.push_str(&format!("{place}{depth}: {}\n{}\n\n", entries.join(", "), slot.text));
    }
    for why in found.why.iter().filter(|why| why.active).chain(found.why.iter().filter(|why| !why.active)) {
        text.push_str(&format!("{}\n", line(why)));
    }
    for problem in &found.problems {
        text.push_str(&format!("note: {}: {}\n", problem.book, problem.message));
    }
    text.push_str(&format!(
        "{} of {} active; the lore budget is {} tokens{}",
        found.active.len(),
        counted(found.why.len() as u64, "entry is", "entries are"),
        found.budget.tokens,
        if found.budget.is_over { ", and it is used up" } else { "" }
    ));
    text
}

/// `silent  city/3: not in mood (mood: wanted joy, awe; present grief)`
fn line(why: &WhyView) -> String {
    let (parts, plain): (Vec<_>, Vec<_>) = why.detail.iter().partition(|(_, value)| value.is_object());
    let plain: Map<String, Value> =
        plain.into_iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    let plain = Some(members(&plain)).filter(|plain| !plain.is_empty());
    let parts = parts
        .into_iter()
        .filter_map(|(name, value)| Some(format!("{name}: {}", members(value.as_object()?))));
    let detail: Vec<String> = plain.into_iter().chain(parts).map(|part| format!(" ({part})")).collect();
    let mark = if why.active { "active" } else { "silent" };
    let reason = why.reason.as_str().replace('_', " ");
    format!("{mark}  {}/{}: {reason}{}", why.book, why.entry, detail.concat())
}

/// `wanted joy, awe; present grief`
fn members(members: &Map<String, Value>) -> String {
    let told = members.iter().map(|(name, value)| match value {
        // Words of ours, not of an author.
        Value::String(word) if OURS.contains(&name.as_str()) => format!("{name} {word}").replace('_', " "),
        value => format!("{} {}", name.replace('_', " "), text(value)),
    });
    told.collect::<Vec<String>>().join("; ")
}

fn text(value: &Value) -> String {
    match value {
        Value::String(said) if said.is_empty() => "\"\"".to_owned(),
        Value::String(said) => said.clone(),
        Value::Array(list) if list.is_empty() => "nothing".to_owned(),
        Value::Array(list) => list.iter().map(text).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}
