//! What does an entry say, in the common names?

use serde_json::{Map, Value, json};

use super::Format;
use super::fields::{Place, Spelling, Table, entry_table};
use super::switch;
use crate::lenient::{as_flag, as_text, split_keys};
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
    switch::read(source, format, &mut map);
    map
}

/// The fields of a table that are there. The first place with a value wins; null is a value only if there is no other.
pub(super) fn read_fields(source: &Value, table: &Table) -> Map<String, Value> {
    let fields = table.iter();
    fields.filter_map(|(field, places)| Some(((*field).to_owned(), read_field(source, places)?))).collect()
}

/// What an entry calls itself.
pub(super) fn uid(source: &Value, format: Format) -> Option<String> {
    let (_, places) = entry_table(format).iter().find(|(field, _)| *field == "uid")?;
    read_field(source, places).as_ref().and_then(as_text).filter(|id| !id.is_empty())
}

fn read_field(source: &Value, places: &[Place]) -> Option<Value> {
    let mut found = None;
    for place in places {
        let Some(value) = get(source, place.path) else { continue };
        let value = spell_out(source, place, value);
        if !is_empty(&value) {
            return Some(value);
        }
        found = found.or(Some(value));
    }
    found
}

fn is_empty(value: &Value) -> bool {
    value.is_null() || value == ""
}

fn spell_out(source: &Value, place: &Place, value: &Value) -> Value {
    match place.spelling {
        Spelling::Plain | Spelling::Side => value.clone(),
        Spelling::Not => as_flag(value).map_or_else(|| value.clone(), |flag| Value::Bool(!flag)),
        Spelling::Commas => value.as_str().map_or_else(|| value.clone(), |text| list(source, place, text)),
        Spelling::Pattern if written_by_sillytavern(source) => Value::Null,
        Spelling::Pattern => value.clone(),
    }
}

fn list(source: &Value, place: &Place, text: &str) -> Value {
    let exact = get(source, &["extensions", "reverie", place.field]);
    let is_pattern = || get(source, &["useRegex"]).and_then(as_flag) == Some(true);
    match exact {
        // Noted because commas cannot say it, and still what the text was made of.
        Some(exact) if with_commas(exact).as_deref() == Some(text) => exact.clone(),
        _ if text.trim().is_empty() => json!([]),
        // A single pattern, commas and all.
        _ if is_pattern() => json!([text]),
        _ => Value::from(split_keys(text)),
    }
}

/// A list as one text.
pub(super) fn with_commas(list: &Value) -> Option<String> {
    let items: Vec<String> = list.as_array()?.iter().filter_map(as_text).collect();
    Some(items.join(", "))
}

pub(super) fn written_by_sillytavern(source: &Value) -> bool {
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
