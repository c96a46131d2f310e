//! Settings on the wire: nested JSON outside, flat dotted keys inside.

use reverie_core::settings::Pairs;
use reverie_core::{Error, Limits, Result};
use serde_json::{Map, Value};

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

/// The other way round, for reading: objects whose keys count from 0 become arrays.
pub fn unflatten(pairs: &Pairs) -> Value {
    let mut root = Map::new();
    for (key, value) in pairs {
        let mut at = &mut root;
        let mut parts = key.split('.').peekable();
        while let Some(part) = parts.next() {
            if parts.peek().is_none() {
                at.insert(part.to_owned(), Value::String(value.clone()));
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

fn arrays(value: Value) -> Value {
    let Value::Object(map) = value else { return value };
    let counts = !map.is_empty() && (0..map.len()).all(|index| map.contains_key(&index.to_string()));
    if !counts {
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
            serde_json::json!({"calendar": {"kind": "custom", "units": [{"name": "hour", "size": "60"}]}});
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

    #[test]
    fn dotted_and_nested_keys_mean_the_same() {
        let dotted = serde_json::json!({"prompt.budget": 100});
        let pairs = flatten(dotted.as_object().expect("an object"), &Limits::default()).expect("flat");
        assert_eq!(unflatten(&pairs), serde_json::json!({"prompt": {"budget": "100"}}));
    }
}
