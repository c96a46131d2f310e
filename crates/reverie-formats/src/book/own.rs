//! How are the fields written that no other tool has?

use reverie_core::lore::entry::{Condition, Test, Trigger};
use serde_json::{Map, Value};

use super::kinds::TRIGGERS;
use crate::lenient::{Reader, as_flag, as_number, as_text};
use crate::warning::excerpt;

pub(super) fn trigger(r: &mut Reader<'_>) -> Option<Trigger> {
    r.choice("trigger", TRIGGERS)
}

/// `[{fact, is | is_not | set | at_least | at_most}]`; several tests of one fact must all hold.
pub(super) fn conditions(r: &mut Reader<'_>) -> Vec<Condition> {
    let field = "conditions";
    let Some(value) = r.get(field) else { return Vec::new() };
    let single = std::slice::from_ref(value);
    let items = value.as_array().map_or(single, Vec::as_slice);
    let mut conditions = Vec::new();
    for item in items {
        match condition(item) {
            Ok(mut tests) => conditions.append(&mut tests),
            Err(why) => {
                let problem = format!("{}: {why}", excerpt(&item.to_string()));
                r.warn(field, format!("{problem}; it holds never"));
                conditions.push(Condition { fact: fact_of(item), test: Test::Unreadable(problem) });
            }
        }
    }
    conditions
}

/// What it may have been about.
fn fact_of(item: &Value) -> String {
    item.get("fact").and_then(as_text).unwrap_or_default()
}

/// What is wrong with a condition, if anything is.
pub(super) fn problem_of(item: &Value) -> Option<String> {
    condition(item).err()
}

fn condition(item: &Value) -> Result<Vec<Condition>, String> {
    let map = item.as_object().ok_or("a condition is an object")?;
    let fact = map.get("fact").and_then(as_text).filter(|fact| !fact.is_empty());
    let fact = fact.ok_or("a condition names a fact")?;
    let names = ["fact", "is", "is_not", "set", "at_least", "at_most"];
    if let Some(unknown) = map.keys().find(|name| !names.contains(&name.as_str())) {
        return Err(format!("there is no test {unknown:?}"));
    }
    let tests = tests(map)?;
    if tests.is_empty() {
        return Err("it has no test (is, is_not, set, at_least, at_most)".to_owned());
    }
    Ok(tests.into_iter().map(|test| Condition { fact: fact.clone(), test }).collect())
}

fn tests(map: &Map<String, Value>) -> Result<Vec<Test>, String> {
    let mut tests = Vec::new();
    if let Some(value) = map.get("is") {
        tests.push(Test::Is(texts(value)?));
    }
    if let Some(value) = map.get("is_not") {
        tests.push(Test::IsNot(texts(value)?));
    }
    if let Some(value) = map.get("set") {
        let set = as_flag(value).ok_or("`set` is true or false")?;
        tests.push(if set { Test::Set } else { Test::NotSet });
    }
    if let Some(value) = map.get("at_least") {
        tests.push(Test::AtLeast(as_number(value).ok_or("`at_least` is a number")?));
    }
    if let Some(value) = map.get("at_most") {
        tests.push(Test::AtMost(as_number(value).ok_or("`at_most` is a number")?));
    }
    Ok(tests)
}

fn texts(value: &Value) -> Result<Vec<String>, String> {
    let single = std::slice::from_ref(value);
    let items = value.as_array().map_or(single, Vec::as_slice);
    items.iter().map(|item| as_text(item).ok_or_else(|| "a fact is compared with texts".to_owned())).collect()
}
