//! Facts of a scene on the wire: which texts are they compared as?

use reverie_core::{Error, Result};
use serde_json::{Map, Value};

/// Bytes of all facts as they are compared. A long name would else be repeated for each value below it.
const MOST_BYTES: usize = 1 << 22;

/// A fact once for each of its values: those of a list one by one; nothing, and nothing in a list, as an empty text. An object
/// is there as JSON, and what is in it by its path: `{"quest":{"dragon":"done"}}` says that `quest.dragon` is `done`.
pub(crate) fn facts(given: Map<String, Value>) -> Result<Vec<(String, String)>> {
    let mut facts = Facts { list: Vec::with_capacity(given.len()), left: MOST_BYTES };
    for (fact, value) in given {
        facts.add(fact, value)?;
    }
    Ok(facts.list)
}

struct Facts {
    list: Vec<(String, String)>,
    left: usize,
}

impl Facts {
    fn add(&mut self, fact: String, value: Value) -> Result<()> {
        match value {
            Value::Array(values) if !values.is_empty() => {
                values.into_iter().try_for_each(|value| self.add_one(&fact, value))
            }
            value => self.add_one(&fact, value),
        }
    }

    fn add_one(&mut self, fact: &str, value: Value) -> Result<()> {
        let text = match &value {
            Value::String(text) => text.clone(),
            Value::Null => String::new(),
            Value::Array(values) if values.is_empty() => String::new(),
            Value::Object(members) if members.is_empty() => String::new(),
            other => other.to_string(),
        };
        let too_many = || {
            Error::invalid(format!("the facts take more than {MOST_BYTES} bytes, each with its whole name"))
                .hint("send shorter names, or only the facts that conditions ask for")
        };
        self.left = self.left.checked_sub(fact.len() + text.len()).ok_or_else(too_many)?;
        self.list.push((fact.to_owned(), text));
        match value {
            Value::Object(members) => {
                members.into_iter().try_for_each(|(name, value)| self.add(format!("{fact}.{name}"), value))
            }
            _ => Ok(()),
        }
    }
}
