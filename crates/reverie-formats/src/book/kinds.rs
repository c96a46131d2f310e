//! Of which type is a field in the files of the tool that it comes from, and what is the value that somebody meant?
//!
//! Files are read leniently, edits are not: what an edit says is turned into the type that the tool itself writes, or the
//! edit is refused. So a book that was edited here loads where it came from.

use reverie_core::lore::entry::{Logic, Position, Trigger};
use serde_json::{Map, Value, json};

use super::own;
use crate::lenient::{ROLES, as_flag, as_number, as_text, choose, split_keys};

/// The first name of each is the one that answers use; the others are what files call it. The number is its place.
pub(super) const POSITIONS: &[(&str, Position)] = &[
    ("before_char before before_character", Position::BeforeCharacter),
    ("after_char after after_character", Position::AfterCharacter),
    ("note_top an_top before_author_note", Position::NoteTop),
    ("note_bottom an_bottom after_author_note", Position::NoteBottom),
    ("at_depth depth in_chat", Position::AtDepth),
    ("examples_top em_top before_example_messages before_examples", Position::ExamplesTop),
    ("examples_bottom em_bottom after_example_messages after_examples", Position::ExamplesBottom),
    ("outlet", Position::Outlet),
];

pub(super) const LOGICS: &[(&str, Logic)] = &[
    ("and_any", Logic::AndAny),
    ("not_all", Logic::NotAll),
    ("not_any", Logic::NotAny),
    ("and_all", Logic::AndAll),
];

pub(super) const TRIGGERS: &[(&str, Trigger)] = &[
    ("keyword", Trigger::Keyword),
    ("semantic", Trigger::Semantic),
    ("temporal", Trigger::Temporal),
    ("emotional", Trigger::Emotional),
];

/// The most that weights may be.
pub(super) const MOST_WEIGHT: f64 = 1e9;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Text,
    Flag,
    /// Texts; a single text is split at its commas.
    List,
    /// As a list, unless keys are patterns: then a single text is a single one.
    Keys,
    /// Names in one text with commas.
    Names,
    Whole(i64, i64),
    Number(f64, f64),
    /// True, false, or a level.
    Level,
    Filter,
    Conditions,
    Position,
    Logic,
    Role,
    Trigger,
}

fn kind(field: &str) -> Kind {
    const COUNT: Kind = Kind::Whole(0, u32::MAX as i64);
    match field {
        "key" | "keysecondary" => Kind::Keys,
        "triggers" | "topics" | "emotions" | "known_by" => Kind::List,
        "group" => Kind::Names,
        "position" => Kind::Position,
        "selectiveLogic" => Kind::Logic,
        "role" => Kind::Role,
        "trigger" => Kind::Trigger,
        "delayUntilRecursion" => Kind::Level,
        "characterFilter" => Kind::Filter,
        "conditions" => Kind::Conditions,
        "depth" | "scanDepth" | "sticky" | "cooldown" | "delay" => COUNT,
        "order" | "tick" | "displayIndex" => Kind::Whole(i64::MIN, i64::MAX),
        "priority" => Kind::Whole(0, 100),
        "probability" => Kind::Number(0.0, 100.0),
        "groupWeight" | "relevance_weight" | "emotional_weight" | "time_decay" => {
            Kind::Number(0.0, MOST_WEIGHT)
        }
        "uid" | "comment" | "content" | "automationId" | "outletName" => Kind::Text,
        _ => Kind::Flag,
    }
}

/// Why a value cannot be taken.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    /// It should be this.
    Expected(String),
    /// A part of it, and what is wrong with that.
    Because(String),
}

/// The value as the tools write it. Null where nothing was chosen.
pub(super) fn native(field: &str, value: &Value, keys_are_patterns: bool) -> Result<Value, Wrong> {
    let kind = kind(field);
    // How forms say that nothing was chosen.
    let is_blank = value == "" && !matches!(kind, Kind::Text | Kind::Names | Kind::List | Kind::Keys);
    if value.is_null() || is_blank {
        return Ok(Value::Null);
    }
    let expected = |what: &str| Wrong::Expected(what.to_owned());
    match kind {
        Kind::Text => as_text(value).map(Value::from).ok_or_else(|| expected("a text")),
        Kind::Flag => as_flag(value).map(Value::from).ok_or_else(|| expected("true or false")),
        Kind::Keys if keys_are_patterns && value.is_string() => Ok(json!([value])),
        Kind::Keys | Kind::List => list(value).map(Value::from),
        Kind::Names if value.is_array() => list(value).map(|names| Value::from(names.join(", "))),
        Kind::Names => as_text(value).map(Value::from).ok_or_else(|| expected("a text or a list of texts")),
        Kind::Whole(least, most) => whole(value, least, most),
        Kind::Number(least, most) => number(value, least, most),
        Kind::Level => level(value),
        Kind::Filter => filter(value),
        Kind::Conditions => conditions(value),
        Kind::Position => choice(value, POSITIONS).map(Value::from),
        Kind::Logic => choice(value, LOGICS).map(Value::from),
        Kind::Role => choice(value, ROLES).map(Value::from),
        Kind::Trigger => {
            let chosen = choice(value, TRIGGERS)?;
            Ok(TRIGGERS.get(chosen).map_or(Value::Null, |(name, _)| json!(name)))
        }
    }
}

fn choice<T>(value: &Value, choices: &[(&str, T)]) -> Result<usize, Wrong> {
    choose(value, choices).ok_or_else(|| {
        let names: Vec<&str> = choices.iter().filter_map(|(names, _)| names.split(' ').next()).collect();
        let numbers = choices.len().saturating_sub(1);
        Wrong::Expected(format!("one of {} (or 0 to {numbers})", names.join(", ")))
    })
}

fn list(value: &Value) -> Result<Vec<String>, Wrong> {
    let expected = || Wrong::Expected("a list of texts".to_owned());
    match value {
        Value::Array(items) => {
            let items = items.iter().filter(|item| !item.is_null());
            items.map(|item| as_text(item).ok_or_else(expected)).collect()
        }
        Value::String(text) => Ok(split_keys(text)),
        Value::Number(number) => Ok(vec![number.to_string()]),
        _ => Err(expected()),
    }
}

fn whole(value: &Value, least: i64, most: i64) -> Result<Value, Wrong> {
    const EXACT: f64 = (1_i64 << 53) as f64;
    let exact = value.as_i64();
    let rounded = || as_number(value).filter(|number| number.fract() == 0.0 && number.abs() <= EXACT);
    let number = exact.or_else(|| rounded().map(|number| number as i64));
    number.filter(|number| (least..=most).contains(number)).map(Value::from).ok_or_else(|| {
        Wrong::Expected(match (least, most) {
            (i64::MIN, _) => "a whole number".to_owned(),
            _ => format!("a whole number from {least} to {most}"),
        })
    })
}

fn number(value: &Value, least: f64, most: f64) -> Result<Value, Wrong> {
    let number = as_number(value).filter(|number| (least..=most).contains(number)).ok_or_else(|| {
        Wrong::Expected(if most < MOST_WEIGHT {
            format!("a number from {least} to {most}")
        } else {
            "a number that is not negative".to_owned()
        })
    })?;
    Ok(match value {
        Value::Number(_) => value.clone(),
        _ if number.fract() == 0.0 => json!(number as i64),
        _ => json!(number),
    })
}

fn level(value: &Value) -> Result<Value, Wrong> {
    if let Ok(level) = whole(value, 0, i64::from(u32::MAX)) {
        return Ok(level);
    }
    let expected = || Wrong::Expected("true, false or a level (a whole number from 0)".to_owned());
    as_flag(value).filter(|_| !value.is_number()).map(Value::from).ok_or_else(expected)
}

/// With all three members, which its tool expects together; what else is in it stays.
fn filter(value: &Value) -> Result<Value, Wrong> {
    let expected = || Wrong::Expected("an object {\"isExclude\":…,\"names\":[…],\"tags\":[…]}".to_owned());
    let mut filter = value.as_object().cloned().ok_or_else(expected)?;
    let part =
        |filter: &Map<String, Value>, name: &str| filter.get(name).filter(|part| !part.is_null()).cloned();
    let exclude =
        part(&filter, "isExclude").map_or(Some(false), |part| as_flag(&part)).ok_or_else(expected)?;
    let mut members = vec![("isExclude", json!(exclude))];
    for name in ["names", "tags"] {
        let texts = part(&filter, name).map_or(Ok(Vec::new()), |part| list(&part)).map_err(|_| expected())?;
        members.push((name, json!(texts)));
    }
    filter.extend(members.into_iter().map(|(name, value)| (name.to_owned(), value)));
    Ok(Value::Object(filter))
}

fn conditions(value: &Value) -> Result<Value, Wrong> {
    let list = match value {
        Value::Array(list) => list.clone(),
        single => vec![single.clone()],
    };
    match list.iter().find_map(|item| own::problem_of(item).map(|why| (item, why))) {
        Some((item, why)) => {
            Err(Wrong::Because(format!("{}: {why}", crate::warning::excerpt(&item.to_string()))))
        }
        None => Ok(Value::Array(list)),
    }
}
