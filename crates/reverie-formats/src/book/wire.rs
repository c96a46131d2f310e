//! What does an entry say, in the common names?

use serde_json::{Map, Value, json};

use super::Format;
use super::fields::{Place, Spelling, Table, entry_table};
use super::lenient::{as_flag, split_keys};
use crate::merge::get;

/// The fields that the entry has, under SillyTavern's names and our own, whatever its format. Values are as in the file,
/// apart from how the format spells them; what an absent field means where it differs between formats is filled in.
pub fn wire(source: &Value, format: Format) -> Map<String, Value> {
    let mut map = read_fields(source, entry_table(format));
    let said = source.is_object();
    for (field, value) in meant_when_absent(source, format).into_iter().filter(|_| said) {
        if map.get(field).is_none_or(Value::is_null) {
            map.insert(field.to_owned(), value);
        }
    }
    map
}

/// The fields of a table that are there. The first place with a value wins; null is a value only if there is no other.
pub(super) fn read_fields(source: &Value, table: &Table) -> Map<String, Value> {
    let mut map = Map::new();
    for (field, places) in table {
        let mut found = None;
        for place in places {
            let Some(value) = get(source, place.path) else { continue };
            let value = spell_out(source, place, value);
            let is_last_word = !is_empty(&value);
            if found.is_none() || is_last_word {
                found = Some(value);
            }
            if is_last_word {
                break;
            }
        }
        if let Some(value) = found {
            map.insert((*field).to_owned(), value);
        }
    }
    map
}

fn is_empty(value: &Value) -> bool {
    value.is_null() || value == ""
}

fn spell_out(source: &Value, place: &Place, value: &Value) -> Value {
    match place.spelling {
        Spelling::Plain | Spelling::Side => value.clone(),
        Spelling::Not => as_flag(value).map_or_else(|| value.clone(), |flag| Value::Bool(!flag)),
        Spelling::Commas => match value.as_str() {
            // A single pattern, commas and all.
            Some(text) if get(source, &["useRegex"]).and_then(as_flag) == Some(true) => json!([text]),
            Some(text) => Value::from(split_keys(text)),
            None => value.clone(),
        },
        Spelling::Pattern if written_by_sillytavern(source) => Value::Bool(false),
        Spelling::Pattern => value.clone(),
    }
}

fn written_by_sillytavern(source: &Value) -> bool {
    ["selectiveLogic", "useProbability", "display_index"]
        .iter()
        .any(|name| get(source, &["extensions", name]).is_some())
}

fn meant_when_absent(source: &Value, format: Format) -> Vec<(&'static str, Value)> {
    match format {
        Format::SillyTavern => vec![("selective", json!(true)), ("position", json!(0))],
        Format::CardV2 | Format::CardV3 | Format::LorebookV3 => {
            vec![("selective", json!(false)), ("position", json!(1))]
        }
        Format::Risu => {
            let mode = source.get("mode").and_then(Value::as_str);
            let mut meant = vec![("selective", json!(false)), ("position", json!(0))];
            // A folder groups other entries and says nothing itself.
            meant.extend((mode == Some("folder")).then(|| ("disable", json!(true))));
            meant.extend((mode == Some("constant")).then(|| ("constant", json!(true))));
            meant
        }
        Format::Agnai | Format::NovelAi => vec![("selective", json!(false)), ("position", json!(0))],
    }
}
