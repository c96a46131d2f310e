//! What did a file mean by a value of the wrong type?

use reverie_core::perspective::Role;
use serde_json::{Map, Value};

use crate::warning::{Warning, excerpt};

/// Reads the fields of one entry, and collects what it could not read or did not believe.
pub(crate) struct Reader<'m> {
    map: &'m Map<String, Value>,
    pub(crate) warnings: Vec<Warning>,
}

impl<'m> Reader<'m> {
    pub(crate) fn new(map: &'m Map<String, Value>) -> Self {
        Self { map, warnings: Vec::new() }
    }

    /// A field that is there and not null.
    pub(crate) fn get(&self, field: &str) -> Option<&'m Value> {
        self.map.get(field).filter(|value| !value.is_null())
    }

    pub(crate) fn warn(&mut self, field: &str, message: impl Into<String>) {
        self.warnings.push(Warning::field(field, message));
    }

    /// Says what was expected instead of the value that is there.
    pub(crate) fn odd(&mut self, field: &str, value: &Value, expected: &str) {
        self.warn(field, format!("{} is not {expected}; it is not used", excerpt(&value.to_string())));
    }

    pub(crate) fn text(&mut self, field: &str) -> Option<String> {
        let value = self.get(field)?;
        let text = as_text(value);
        if text.is_none() {
            self.odd(field, value, "a text");
        }
        text
    }

    pub(crate) fn flag(&mut self, field: &str) -> Option<bool> {
        let value = self.get(field)?;
        // An empty text is how forms say that nothing was chosen.
        if value == "" {
            return None;
        }
        let flag = as_flag(value);
        if flag.is_none() {
            self.odd(field, value, "true or false");
        }
        flag
    }

    /// A number between two bounds; beyond them, the bound.
    pub(crate) fn number(&mut self, field: &str, least: f64, most: f64) -> Option<f64> {
        let value = self.get(field)?;
        if value == "" {
            return None;
        }
        let Some(number) = as_number(value) else {
            self.odd(field, value, "a number");
            return None;
        };
        let used = number.clamp(least, most);
        if used != number {
            let side = if number < least { "below" } else { "above" };
            self.warn(field, format!("{} is {side} {used}; {used} is used", shown(number)));
        }
        Some(used)
    }

    pub(crate) fn whole(&mut self, field: &str, least: i64, most: i64) -> Option<i64> {
        // Exact where a float is not.
        if let Some(number) = self.get(field).and_then(Value::as_i64).filter(|n| (least..=most).contains(n)) {
            return Some(number);
        }
        let number = self.number(field, least as f64, most as f64)?;
        if number.fract() != 0.0 {
            self.warn(field, format!("{number} is not a whole number; {} is used", number.trunc()));
        }
        Some((number.trunc() as i64).clamp(least, most))
    }

    pub(crate) fn count(&mut self, field: &str) -> Option<u32> {
        self.whole(field, 0, i64::from(u32::MAX)).and_then(|number| u32::try_from(number).ok())
    }

    /// A list of texts; a single text is split at its commas.
    pub(crate) fn list(&mut self, field: &str) -> Vec<String> {
        let Some(value) = self.get(field) else { return Vec::new() };
        match value {
            Value::Array(items) => {
                let mut list = Vec::with_capacity(items.len());
                for item in items.iter().filter(|item| !item.is_null()) {
                    match as_text(item) {
                        Some(text) => list.push(text),
                        None => self.odd(field, item, "a text"),
                    }
                }
                list
            }
            Value::String(text) => split_keys(text),
            Value::Number(number) => vec![number.to_string()],
            _ => {
                self.odd(field, value, "a list of texts");
                Vec::new()
            }
        }
    }

    /// One of a few things, by number or by name.
    pub(crate) fn choice<T: Copy>(&mut self, field: &str, choices: &[(&str, T)]) -> Option<T> {
        let value = self.get(field)?;
        if value == "" {
            return None;
        }
        match choose(value, choices).and_then(|chosen| choices.get(chosen)) {
            Some((_, choice)) => Some(*choice),
            None => {
                let names: Vec<&str> =
                    choices.iter().filter_map(|(names, _)| names.split(' ').next()).collect();
                self.odd(field, value, &format!("one of {}", names.join(", ")));
                None
            }
        }
    }

    pub(crate) fn role(&mut self, field: &str) -> Option<Role> {
        self.choice(field, ROLES)
    }
}

/// Short, however large it is.
fn shown(number: f64) -> String {
    match number.abs() < 1e21 {
        true => number.to_string(),
        false => format!("{number:e}"),
    }
}

/// In the order of their numbers.
pub(crate) const ROLES: &[(&str, Role)] =
    &[("system", Role::System), ("user", Role::User), ("assistant model", Role::Assistant)];

/// Which of a few things is meant, by number or by one of its names.
pub(crate) fn choose<T>(value: &Value, choices: &[(&str, T)]) -> Option<usize> {
    let by_number = as_number(value).filter(|number| number.fract() == 0.0 && *number >= 0.0);
    let by_number = by_number.map(|number| number as usize).filter(|number| *number < choices.len());
    by_number.or_else(|| {
        let name = plain_name(value.as_str()?);
        choices.iter().position(|(names, _)| names.split(' ').any(|choice| plain_name(choice) == name))
    })
}

/// Names without regard to case, hyphens and underscores.
fn plain_name(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

pub(crate) fn as_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

pub(crate) fn as_flag(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::Number(number) => number.as_f64().map(|number| number != 0.0),
        Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" | "1" => Some(true),
            "false" | "no" | "off" | "0" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

pub(crate) fn as_number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok().filter(|number: &f64| number.is_finite()),
        _ => None,
    }
}

/// Keys out of one text, separated by commas; a `/pattern/flags` keeps its own.
pub(crate) fn split_keys(text: &str) -> Vec<String> {
    let mut keys = Vec::new();
    let mut rest = text.trim_start();
    // Where no pattern ends, none ends further on either; looking again for every key would take quadratic time.
    let mut has_patterns = true;
    while !rest.is_empty() {
        let pattern = if has_patterns && rest.starts_with('/') { pattern_end(rest) } else { None };
        has_patterns &= pattern.is_some() || !rest.starts_with('/');
        let end = pattern.or_else(|| rest.find(',')).unwrap_or(rest.len());
        let (key, after) = rest.split_at(end);
        let key = key.trim();
        if !key.is_empty() {
            keys.push(key.to_owned());
        }
        let mut after = after.chars();
        after.next();
        rest = after.as_str().trim_start();
    }
    keys
}

/// Where a pattern ends that begins here: at a slash that is not escaped, and after flags and blanks comes a comma or
/// nothing.
fn pattern_end(text: &str) -> Option<usize> {
    text.strip_prefix('/')?;
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '/' => {
                let after = text.get(at + 1..)?;
                let flags = after.trim_start_matches(|c: char| c.is_ascii_lowercase());
                let blanks = flags.trim_start();
                if blanks.is_empty() || blanks.starts_with(',') {
                    return Some(text.len() - blanks.len());
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_split_at_commas_outside_of_patterns() {
        for (text, expected) in [
            ("harbor, 港口 ,", vec!["harbor", "港口"]),
            ("龙,dragon", vec!["龙", "dragon"]),
            ("/a,b/i, c", vec!["/a,b/i", "c"]),
            (r"/a\/,b/ , c", vec![r"/a\/,b/", "c"]),
            ("/open, c", vec!["/open", "c"]),
            ("/a/b/, c", vec!["/a/b/", "c"]),
            (" , ,", vec![]),
        ] {
            assert_eq!(split_keys(text), expected, "{text}");
        }
    }
}
