//! What does a field say that may be missing, or be of another type than it should?

use serde_json::Value;

/// A text; a number counts as one.
pub(crate) fn text(of: &Value, key: &str) -> Option<String> {
    match of.get(key)? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// A text that says something.
pub(crate) fn filled(of: &Value, key: &str) -> Option<String> {
    text(of, key).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// The texts of a list; a single text counts as a list of one.
pub(crate) fn texts(of: &Value, key: &str) -> Vec<String> {
    let one = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    match of.get(key) {
        Some(Value::Array(all)) => all.iter().filter_map(one).collect(),
        Some(value) => one(value).filter(|text| !text.is_empty()).into_iter().collect(),
        None => Vec::new(),
    }
}

/// True for what JavaScript would take for true among the things that people write: `true`, 1, "true", "1".
pub(crate) fn flag(of: &Value, key: &str) -> Option<bool> {
    match of.get(key)? {
        Value::Bool(flag) => Some(*flag),
        Value::Number(number) => number.as_f64().map(|number| number != 0.0),
        Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "1" => Some(true),
            "false" | "0" | "" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// A finite number, as such or as text.
pub(crate) fn number(of: &Value, key: &str) -> Option<f64> {
    let number = match of.get(key)? {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.filter(|number| number.is_finite())
}

/// A whole number; a fraction is none.
pub(crate) fn whole(of: &Value, key: &str) -> Option<i64> {
    const EXACT: f64 = (1_i64 << 53) as f64;
    number(of, key)
        .filter(|number| number.fract() == 0.0 && number.abs() <= EXACT)
        .map(|number| number as i64)
}

/// A count: whole, not negative.
pub(crate) fn count(of: &Value, key: &str) -> Option<u32> {
    whole(of, key).and_then(|number| u32::try_from(number).ok())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_wrong_type_is_read_as_what_it_means() {
        let all = json!({"n": 5, "t": " 5 ", "f": 1.5, "b": "TRUE", "o": {}, "l": ["a", 2, null], "s": "a", "e": "",
            "huge": 1e300});
        assert_eq!((whole(&all, "n"), whole(&all, "t"), whole(&all, "f")), (Some(5), Some(5), None));
        assert_eq!((whole(&all, "huge"), count(&json!({"n": -1}), "n")), (None, None));
        assert_eq!((flag(&all, "b"), flag(&all, "n"), flag(&all, "o")), (Some(true), Some(true), None));
        assert_eq!((text(&all, "n"), filled(&all, "e")), (Some("5".to_owned()), None));
        assert_eq!(
            (texts(&all, "l"), texts(&all, "s")),
            (vec!["a".to_owned(), "2".to_owned()], vec!["a".to_owned()])
        );
        assert!(texts(&all, "e").is_empty() && texts(&all, "missing").is_empty());
    }
}
