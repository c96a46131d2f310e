//! How do two JSON values differ, and how is a difference applied to a third?

use serde_json::{Map, Value, json};

/// What stands at a path of member names.
pub(crate) fn get<'v>(value: &'v Value, path: &[&str]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, name| value.as_object()?.get(*name))
}

/// Puts a value at a path, making objects on the way. What is in the way and holds something is not replaced: false.
#[must_use]
pub(crate) fn set(value: &mut Value, path: &[&str], new: Value) -> bool {
    let Some((name, rest)) = path.split_first() else {
        *value = new;
        return true;
    };
    let holds_nothing = value.is_null() || value.as_array().is_some_and(Vec::is_empty);
    if holds_nothing {
        *value = Value::Object(Map::new());
    }
    match value.as_object_mut() {
        Some(map) => set(map.entry((*name).to_owned()).or_insert(Value::Null), rest, new),
        None => false,
    }
}

/// Takes away what stands at a path; objects on the way stay.
pub(crate) fn remove(value: &mut Value, path: &[&str]) -> Option<Value> {
    let (name, rest) = path.split_first()?;
    let map = value.as_object_mut()?;
    if rest.is_empty() { map.shift_remove(*name) } else { remove(map.get_mut(*name)?, rest) }
}

/// One place where two values differ.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Change {
    pub(crate) path: Vec<String>,
    pub(crate) before: Option<Value>,
    pub(crate) after: Option<Value>,
}

/// All places where they differ: members of objects one by one, everything else as a whole.
pub(crate) fn diff(before: &Value, after: &Value) -> Vec<Change> {
    let mut changes = Vec::new();
    collect(before, after, &mut Vec::new(), &mut changes);
    changes
}

fn collect(before: &Value, after: &Value, path: &mut Vec<String>, changes: &mut Vec<Change>) {
    let (Some(old), Some(new)) = (before.as_object(), after.as_object()) else {
        if before != after {
            let (before, after) = (Some(before.clone()), Some(after.clone()));
            changes.push(Change { path: path.clone(), before, after });
        }
        return;
    };
    let added = new.keys().filter(|name| !old.contains_key(*name));
    for name in old.keys().chain(added) {
        path.push(name.clone());
        match (old.get(name), new.get(name)) {
            (Some(before), Some(after)) => collect(before, after, path, changes),
            (before, after) => {
                changes.push(Change { path: path.clone(), before: before.cloned(), after: after.cloned() });
            }
        }
        path.pop();
    }
}

/// Makes a change; false if something is in its way.
pub(crate) fn apply(value: &mut Value, change: &Change) -> bool {
    let path: Vec<&str> = change.path.iter().map(String::as_str).collect();
    match &change.after {
        Some(after) => set(value, &path, after.clone()),
        None => remove(value, &path).is_some(),
    }
}

impl Change {
    /// Makes it only where nobody else has changed the same place since.
    pub(crate) fn restore(&self, value: &mut Value) -> bool {
        self.is_due(value) && apply(value, self)
    }

    /// Whether nobody else has changed the same place.
    pub(crate) fn is_due(&self, value: &Value) -> bool {
        let path: Vec<&str> = self.path.iter().map(String::as_str).collect();
        get(value, &path) == self.before.as_ref()
    }

    pub(crate) fn to_json(&self) -> Value {
        let mut map = Map::new();
        map.insert("path".to_owned(), json!(self.path));
        let sides = [("then", &self.before), ("was", &self.after)];
        map.extend(sides.into_iter().filter_map(|(name, side)| Some((name.to_owned(), side.clone()?))));
        Value::Object(map)
    }

    pub(crate) fn from_json(value: &Value) -> Option<Self> {
        let path = value.get("path")?.as_array()?;
        let path = path.iter().map(|name| name.as_str().map(str::to_owned)).collect::<Option<_>>()?;
        Some(Self { path, before: value.get("then").cloned(), after: value.get("was").cloned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_applied_is_the_other_value() {
        for (before, after) in [
            (json!({"a": 1}), json!({"a": 1})),
            (json!({"a": 1, "b": {"c": [1], "d": 2}}), json!({"b": {"c": [2], "e": null}, "f": {}})),
            (json!([1]), json!({"a": 1})),
            (json!({"a": {"b": 1}}), json!({"a": 3})),
        ] {
            let mut value = before.clone();
            for change in diff(&before, &after) {
                let change = Change::from_json(&change.to_json()).unwrap();
                assert!(change.restore(&mut value), "{change:?}");
            }
            assert_eq!(value, after);
        }
    }

    #[test]
    fn what_holds_something_is_not_replaced_by_a_path() {
        let mut value = json!({"extensions": [], "other": "text"});
        assert!(set(&mut value, &["extensions", "a", "b"], json!(1)));
        assert!(!set(&mut value, &["other", "a"], json!(1)));
        assert_eq!(value, json!({"extensions": {"a": {"b": 1}}, "other": "text"}));
    }
}
