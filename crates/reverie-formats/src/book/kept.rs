//! What would a conversion lose, and how does it come back?
//!
//! Known fields are put where the other format has them. Then the way back is tried, and where its result differs from
//! the original, the difference goes along under `extensions.reverie.kept`. Coming back, each difference is restored
//! unless that place was changed meanwhile.

use serde_json::{Map, Value, json};

use super::carry::{Side, Start, carry, tidy};
use super::patterns;
use super::{BookEntry, Format};
use crate::merge::{Change, diff, get, remove, set};

/// A value in its new format, and the name that its list had for it before.
pub(super) struct Converted {
    pub(super) value: Value,
    pub(super) slot: Option<String>,
}

/// Converts an entry, or what is around the entries.
pub(super) fn convert_value(source: &Value, from: &Side, to: &Side, entry: Option<&BookEntry>) -> Converted {
    let is_way_back = get(source, &from.extension(&["reverie", "kept", to.format.as_str()])).is_some();
    let mut value = carry(source, from, to, if is_way_back { Start::Bare } else { Start::Defaults });
    let kept = remove(&mut value, &to.extension(&["reverie", "kept", to.format.as_str()]));
    tidy(&mut value, to);
    let kept = kept.as_ref();
    if let Some(kept) = kept {
        restore(&mut value, to, kept);
    }

    let keep = if from.is_entry && !source.is_object() {
        // An entry that is not even an object: a disabled one takes its place.
        let slot = entry.map(|entry| entry.slot.as_ref().unwrap_or(&entry.id));
        Some(Map::from_iter([("value".to_owned(), source.clone()), ("slot".to_owned(), json!(slot))]))
    } else {
        keep(source, from, &value, to, entry.filter(|_| !is_way_back))
    };
    if let Some(keep) = keep.filter(|_| value.is_object()) {
        let path = to.extension(&["reverie", "kept", from.format.as_str()]);
        // Nothing is in the way: `carry` made these objects.
        let _ = set(&mut value, &path, Value::Object(keep));
    }
    let slot = kept.and_then(|kept| kept.get("slot")).and_then(Value::as_str).map(str::to_owned);
    Converted { value, slot }
}

/// Everything that the way back would lose. The entry is given where its id is the first one; on the way back, ids are
/// what the way there made of them.
fn keep(
    source: &Value,
    from: &Side,
    value: &Value,
    to: &Side,
    entry: Option<&BookEntry>,
) -> Option<Map<String, Value>> {
    let mut keep = Map::new();
    if let Some(entry) = entry {
        let odd_uid = odd_uid(entry, from);
        let slot = odd_uid.is_some().then_some(&entry.id).filter(|_| from.format == Format::SillyTavern);
        keep.extend(entry.slot.as_ref().or(slot).map(|slot| ("slot".to_owned(), json!(slot))));
        keep.extend(odd_uid.map(|uid| ("uid".to_owned(), uid)));
    }
    let (value, original) = (without_kept(value, to), without_kept(source, from));
    let lost_from = |start: Start| {
        let mut lost = diff(&carry(&value, to, from, start), &original);
        lost.retain(|change| !from.is_entry || change.path != from.uid_path());
        lost.retain(|change| !patterns::is_made_again(&original, &change.path));
        lost
    };
    if keep.is_empty() && lost_from(Start::Defaults).is_empty() {
        return None;
    }
    // A note, even an empty one, makes the way back start bare: the defaults that were never there need no mention.
    let lost = lost_from(Start::Bare);
    if !lost.is_empty() {
        keep.insert("fields".to_owned(), lost.iter().map(Change::to_json).collect());
    }
    Some(keep)
}

/// Puts back what was kept, where nobody has changed it since.
fn restore(value: &mut Value, to: &Side, kept: &Value) {
    let fields = kept.get("fields").and_then(Value::as_array);
    let changes: Vec<Change> = fields.into_iter().flatten().filter_map(Change::from_json).collect();
    let is_edited = |change: &Change| patterns::is_of_keys(&change.path) && !change.is_due(value);
    // What was said of the old keys is not true of new ones.
    let has_new_keys = changes.iter().any(is_edited);
    for change in changes.iter().filter(|change| !(has_new_keys && patterns::is_about_keys(&change.path))) {
        change.restore(value);
    }
    if let Some(uid) = kept.get("uid") {
        restore_uid(value, to, uid);
    }
    if let Some(original) = kept.get("value") {
        let now = (to.read)(value, to.format);
        let is_blank = |field: &str| {
            matches!(now.get(field), None | Some(Value::Null)) || now.get(field).is_some_and(is_empty)
        };
        if is_blank("content") && is_blank("key") {
            *value = original.clone();
        }
    }
}

fn is_empty(value: &Value) -> bool {
    value == "" || value.as_array().is_some_and(Vec::is_empty)
}

fn without_kept(value: &Value, side: &Side) -> Value {
    let mut value = value.clone();
    if remove(&mut value, &side.extension(&["reverie", "kept"])).is_some() {
        tidy(&mut value, side);
    }
    value
}

/// An id that the way through numbers would not bring back: not a number, not there, or not only here.
fn odd_uid(entry: &BookEntry, from: &Side) -> Option<Value> {
    let uid = get(&entry.source, from.uid_path());
    let is_plain = uid.and_then(Value::as_u64).is_some_and(|number| number.to_string() == entry.id);
    (!is_plain).then(|| uid.map_or_else(|| json!({}), |uid| json!({"was": uid})))
}

fn restore_uid(value: &mut Value, to: &Side, uid: &Value) {
    match uid.get("was") {
        Some(was) => {
            // The place of an id is at the head of the entry, where nothing is in the way.
            let _ = set(value, to.uid_path(), was.clone());
        }
        None => {
            remove(value, to.uid_path());
        }
    }
}
