//! Which entries are switched off with the part of the book that they belong to?
//!
//! NovelAI puts entries into categories, by id. None of a disabled category is active, and each keeps its own state for the day
//! when the category is enabled again.

use std::collections::HashMap;

use serde_json::Value;

use super::Format;
use crate::lenient::{as_flag, as_text};

/// The disabled categories of a book.
#[derive(Debug, Default)]
pub(super) struct Categories {
    /// By id: what its author calls it.
    disabled: HashMap<String, String>,
}

impl Categories {
    /// `rest` is what is around the entries.
    pub(super) fn of(rest: &Value, format: Format) -> Self {
        let list = rest.get("categories").filter(|_| format == Format::NovelAi).and_then(Value::as_array);
        let is_off = |category: &&Value| category.get("enabled").and_then(as_flag) == Some(false);
        let named = |category: &Value| {
            let text = |field: &str| category.get(field).and_then(as_text).filter(|text| !text.is_empty());
            let id = text("id")?;
            let name = text("name").unwrap_or_else(|| id.clone());
            Some((id, name))
        };
        Self { disabled: list.into_iter().flatten().filter(is_off).filter_map(named).collect() }
    }

    /// The disabled category of an entry.
    pub(super) fn disabled_with(&self, source: &Value) -> Option<&str> {
        let id = source.get("category").filter(|_| !self.disabled.is_empty()).and_then(as_text)?;
        self.disabled.get(&id).map(String::as_str)
    }
}
