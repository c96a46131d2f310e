//! What does a field say that may be missing, or be of another type than it should?

use serde_json::Value;

use crate::lenient::{as_flag, as_number, as_text};

/// A text; a number counts as one, a flag does not.
pub(crate) fn text(of: &Value, key: &str) -> Option<String> {
    of.get(key).filter(|value| !value.is_boolean()).and_then(as_text)
}

/// A text that says something.
pub(crate) fn filled(of: &Value, key: &str) -> Option<String> {
    text(of, key).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// The texts of a list; a single text counts as a list of one.
pub(crate) fn texts(of: &Value, key: &str) -> Vec<String> {
    match of.get(key) {
        Some(Value::Array(all)) => all.iter().filter_map(as_text).collect(),
        Some(value) => as_text(value).filter(|text| !text.is_empty()).into_iter().collect(),
        None => Vec::new(),
    }
}

pub(crate) fn flag(of: &Value, key: &str) -> Option<bool> {
    of.get(key).and_then(as_flag)
}

/// A finite number, as such or as text.
pub(crate) fn number(of: &Value, key: &str) -> Option<f64> {
    of.get(key).and_then(as_number)
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
