//! Settings on the wire: nested JSON outside, flat dotted keys inside.

use reverie_core::settings::Pairs;
use reverie_core::{Error, Limits, Result};
use serde_json::{Map, Number, Value, json};

/// Settings that are numbers, and come back as numbers however they were sent. `N` stands for a place in a list.
const NUMBERS: &[&str] = &[
    "prompt.budget",
    "prompt.background_lines",
    "prompt.background_percent",
    "prompt.embed_ms",
    "calendar.base_year",
    "calendar.longitude",
    "calendar.start_tick",
    "calendar.ticks_per_second",
    "calendar.units.N.size",
    "calendar.units.N.first",
];

/// Families in which whatever looks like a number or a flag is one.
const PLAIN: [&str; 4] = ["lore.", "digest.", "layers.", "recall."];

/// `{"calendar":{"kind":"rimworld"}}` becomes `calendar.kind` = `rimworld`; null removes a setting.
pub fn flatten(settings: &Map<String, Value>, limits: &Limits) -> Result<Pairs> {
    let mut pairs = Pairs::new();
    for (key, value) in settings {
        flatten_into(key, value, &mut pairs, limits)?;
    }
    Ok(pairs)
}

/// Stops early: a long name with many values below it would be written out once for each.
fn flatten_into(key: &str, value: &Value, pairs: &mut Pairs, limits: &Limits) -> Result<()> {
    // Every value can bring along one that clears what was there.
    if pairs.len() > limits.settings.saturating_mul(2) {
        return Err(Error::invalid(format!("these are too many settings: at most {}", limits.settings))
            .hint("send less, or change limits.settings"));
    }
    if key.len() > limits.bytes_per_setting {
        let message = format!("the name of a setting is longer than {} bytes", limits.bytes_per_setting);
        return Err(Error::invalid(message).hint("use a shorter one, or change limits.setting_bytes"));
    }
    match value {
        Value::Null => {
            pairs.insert(key.to_owned(), String::new());
            pairs.insert(format!("{key}.*"), String::new());
        }
        Value::Bool(flag) => {
            pairs.insert(key.to_owned(), flag.to_string());
        }
        Value::Number(number) => {
            pairs.insert(key.to_owned(), number.to_string());
        }
        Value::String(text) => {
            pairs.insert(key.to_owned(), text.clone());
        }
        Value::Array(values) => {
            // A list is set as a whole: a shorter one leaves nothing of a longer one behind.
            pairs.insert(format!("{key}.*"), String::new());
            for (index, value) in values.iter().enumerate() {
                flatten_into(&format!("{key}.{index}"), value, pairs, limits)?;
            }
        }
        Value::Object(values) => {
            for (name, value) in values {
                flatten_into(&format!("{key}.{name}"), value, pairs, limits)?;
            }
        }
    }
    Ok(())
}

/// What stands behind it is an id, whatever it looks like, and its value a name.
const NAMES: &str = "lore.tags.";

/// The other way round, for reading: objects whose keys are places in a list become arrays.
pub fn unflatten(pairs: &Pairs) -> Value {
    let is_name = |key: &str| key.starts_with(NAMES);
    let mut all = nested(pairs.iter().filter(|(key, _)| !is_name(key)));
    let names =
        pairs.iter().filter_map(|(key, value)| Some((key.strip_prefix(NAMES)?.to_owned(), json!(value))));
    let names: Map<String, Value> = names.collect();
    if let (false, Some(all)) = (names.is_empty(), all.as_object_mut())
        && let Some(lore) = all.entry("lore").or_insert_with(|| json!({})).as_object_mut()
    {
        lore.insert("tags".to_owned(), Value::Object(names));
    }
    all
}

fn nested<'p>(pairs: impl Iterator<Item = (&'p String, &'p String)>) -> Value {
    let mut root = Map::new();
    for (key, value) in pairs {
        let mut at = &mut root;
        // An id behind an @ is one name, whatever stands in it.
        let (name, id) = key.find('@').map_or((key.as_str(), ""), |at| key.split_at(at));
        let mut parts = name.split('.').peekable();
        while let Some(part) = parts.next() {
            if parts.peek().is_none() {
                at.insert(format!("{part}{id}"), typed(key, value));
                break;
            }
            let entry = at.entry(part.to_owned()).or_insert_with(|| Value::Object(Map::new()));
            if !entry.is_object() {
                *entry = Value::Object(Map::new());
            }
            match entry {
                Value::Object(next) => at = next,
                _ => break,
            }
        }
    }
    arrays(Value::Object(root))
}

/// Whatever is no number stays text: `1/60` is a rate, too.
fn typed(key: &str, value: &str) -> Value {
    let is_plain = PLAIN.iter().any(|family| key.starts_with(family));
    if let (true, Ok(flag)) = (is_plain, value.parse::<bool>()) {
        return Value::Bool(flag);
    }
    let is_number = is_plain
        || NUMBERS.iter().any(|name| {
            let parts = || key.split('.').zip(name.split('.'));
            key.split('.').count() == name.split('.').count()
                && parts().all(|(part, expected)| part == expected || expected == "N")
        });
    let text = value.trim();
    let whole = || text.parse::<i64>().ok().map(Number::from);
    let fraction = || text.parse::<f64>().ok().and_then(Number::from_f64);
    match is_number.then(|| whole().or_else(fraction)).flatten() {
        Some(number) => Value::Number(number),
        None => Value::String(value.to_owned()),
    }
}

fn arrays(value: Value) -> Value {
    let Value::Object(map) = value else { return value };
    let is_list = !map.is_empty() && map.keys().all(|key| key.parse::<usize>().is_ok());
    if !is_list {
        return Value::Object(map.into_iter().map(|(key, value)| (key, arrays(value))).collect());
    }
    let mut numbered: Vec<(usize, Value)> =
        map.into_iter().filter_map(|(key, value)| Some((key.parse().ok()?, arrays(value)))).collect();
    numbered.sort_by_key(|(index, _)| *index);
    Value::Array(numbered.into_iter().map(|(_, value)| value).collect())
}

#[cfg(test)]
mod tests {
    use reverie_core::settings::patched;

    use super::*;

    #[test]
    fn settings_go_there_and_back() {
        let nested =
            serde_json::json!({"calendar": {"kind": "custom", "units": [{"name": "hour", "size": 60}]}});
        let pairs = flatten(nested.as_object().expect("an object"), &Limits::default()).expect("flat");
        let pairs = patched(Pairs::new(), &pairs);
        assert_eq!(pairs.get("calendar.units.0.name").map(String::as_str), Some("hour"));
        assert_eq!(unflatten(&pairs), nested);
    }

    #[test]
    fn lists_are_replaced_and_null_takes_away_all_below() {
        let put = |pairs: Pairs, patch: Value| {
            let patch = flatten(patch.as_object().expect("an object"), &Limits::default());
            patched(pairs, &patch.expect("flat"))
        };
        let before = put(
            Pairs::new(),
            serde_json::json!({"narrator": {"names": ["A", "B"]}, "calendar": {"kind": "x"}}),
        );
        let after = put(before, serde_json::json!({"narrator": {"names": ["Z"]}, "calendar": null}));
        assert_eq!(unflatten(&after), serde_json::json!({"narrator": {"names": ["Z"]}}));
    }

    /// A setting that has a number for its default is one.
    #[test]
    fn every_number_is_known_as_one() {
        let of_world =
            reverie_core::settings::KEYS.iter().map(|(key, default, _)| (key.to_string(), *default));
        let of_calendar = reverie_core::time::KEYS.iter();
        let of_memory = reverie_core::digest::KEYS
            .iter()
            .chain(reverie_core::layers::KEYS)
            .chain(reverie_core::settings::recall::KEYS);
        let all = of_world
            .chain(of_calendar.map(|(key, default, _)| (format!("calendar.{key}"), *default)))
            .chain(of_memory.map(|(key, default, _)| (key.to_string(), *default)));
        let numbers: Vec<String> =
            all.filter(|(_, default)| default.parse::<f64>().is_ok()).map(|(key, _)| key).collect();
        assert!(numbers.len() >= 7, "{numbers:?}");
        for key in numbers {
            assert!(typed(&key, "7").is_number(), "{key}");
        }
    }

    #[test]
    fn flags_come_back_as_flags() {
        assert_eq!(typed("lore.recursive", "true"), Value::Bool(true));
        assert_eq!(typed("audience", "true"), Value::String("true".to_owned()));
    }

    #[test]
    fn tags_are_names_whatever_they_look_like() {
        let told = json!({"lore": {"depth": 3, "tags": {"0": "true", "1": "7", "a.b": "英雄"}}});
        for settings in [told, json!({"lore": {"tags": {"0": "hero"}}})] {
            let pairs = flatten(settings.as_object().expect("an object"), &Limits::default()).expect("flat");
            assert_eq!(unflatten(&pairs), settings);
        }
    }

    #[test]
    fn dotted_and_nested_keys_mean_the_same() {
        let dotted = serde_json::json!({"prompt.budget": 100});
        let pairs = flatten(dotted.as_object().expect("an object"), &Limits::default()).expect("flat");
        assert_eq!(unflatten(&pairs), serde_json::json!({"prompt": {"budget": 100}}));
    }
}
