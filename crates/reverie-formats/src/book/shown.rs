//! What is in an entry, for somebody who wants to see or change it?

use serde_json::{Map, Value};

use super::Format;
use super::change::is_around;
use super::fields::{Writing, entry_table};
use super::kinds::native;
use super::wire::wire;
use crate::lenient::as_flag;
use crate::merge::remove;

/// Everything that is in an entry.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Shown {
    /// Known fields by their common names, in the types of SillyTavern's world info whatever the format; what cannot be
    /// understood is as the file has it.
    pub fields: Map<String, Value>,
    /// Members of its `extensions` that are not among them.
    pub extensions: Map<String, Value>,
    /// All other members that are not among them.
    pub extra: Map<String, Value>,
}

/// The entry, taken apart as [`super::patch_entry`] takes changes.
pub fn shown(source: &Value, format: Format) -> Shown {
    let mut fields = wire(source, format);
    let keys_are_patterns = fields.get("use_regex").and_then(as_flag) == Some(true);
    for (field, value) in fields.iter_mut().filter(|(field, _)| *field != "uid") {
        if let Ok(usual) = native(field, value, keys_are_patterns) {
            *value = usual;
        }
    }
    fields.retain(|_, value| !value.is_null());
    let table = entry_table(format);
    let mut rest = source.clone();
    for place in table.iter().flat_map(|(_, places)| places).filter(|place| place.writing != Writing::Never) {
        remove(&mut rest, place.path);
    }
    remove(&mut rest, &["extensions", "reverie"]);
    let Value::Object(mut extra) = rest else { return Shown { fields, ..Shown::default() } };
    let extensions = match extra.shift_remove("extensions") {
        Some(Value::Object(extensions)) => extensions,
        Some(other) => {
            extra.insert("extensions".to_owned(), other);
            Map::new()
        }
        None => Map::new(),
    };
    let is_emptied =
        |name: &str, value: &Value| is_around(table, &[name]) && value.as_object().is_some_and(Map::is_empty);
    extra.retain(|name, value| !is_emptied(name, value));
    Shown { fields, extensions, extra }
}
