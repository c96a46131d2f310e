//! What does an edit say about an entry, in the types of the entry's format?

use reverie_core::{Error, Result};
use serde_json::{Map, Value};

use super::Format;
use super::fields::{Place, Spelling, Table, Writing, entry_table, named};
use super::kinds::{Wrong, native};
use super::wire::{uid, wire};
use crate::lenient::{as_flag, as_text};
use crate::merge::get;
use crate::warning::excerpt;

/// An edit, understood.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// By common name, in the types that tools write; null: as if it had never been said.
    pub(super) fields: Map<String, Value>,
    /// What nobody here knows: where it is, and what it becomes; null takes it away.
    pub(super) others: Vec<(Vec<String>, Value)>,
}

struct Reading<'s> {
    source: &'s Value,
    format: Format,
    table: &'static Table,
    keys_are_patterns: bool,
    changes: Changes,
}

impl Changes {
    /// Every change, or the reason why one cannot be made. Fields go by their common names or by those of the format;
    /// `extra` and `extensions` hold what else is in the entry, member by member.
    pub(super) fn read(source: &Value, format: Format, given: &Map<String, Value>) -> Result<Self> {
        let said =
            given.iter().find(|(name, _)| named(format, name).is_some_and(|(field, _)| field == "use_regex"));
        let before = wire(source, format);
        let is_pattern = said.map(|(_, value)| value).or_else(|| before.get("use_regex")).and_then(as_flag);
        let mut reading = Reading {
            source,
            format,
            table: entry_table(format),
            keys_are_patterns: is_pattern == Some(true),
            changes: Self::default(),
        };
        for (name, value) in given {
            match (name.as_str(), value) {
                ("extra", Value::Object(_)) => reading.others(&mut Vec::new(), value)?,
                ("extensions", Value::Object(_)) => reading.others(&mut vec![name.clone()], value)?,
                ("extra" | "extensions", _) => {
                    return Err(Error::invalid(format!("{name}: must be an object")).hint(
                        "its members are set one by one, and null takes one away; nothing was changed",
                    ));
                }
                _ => reading.named(name, value)?,
            }
        }
        Ok(reading.changes)
    }
}

impl Reading<'_> {
    fn named(&mut self, name: &str, value: &Value) -> Result<()> {
        let Some((field, spelling)) = named(self.format, name) else {
            return Err(Error::invalid(format!("an entry has no field {name:?}")).hint(
                "fields go by SillyTavern's names (key, keysecondary, content, order, position …) or those of the book's own \
                 format; anything else goes into `extra`",
            ));
        };
        self.field(field, name, spelling, value)
    }

    /// A change under a name of its own, spelled as it is there.
    fn field(&mut self, field: &str, name: &str, spelling: Spelling, value: &Value) -> Result<()> {
        if field == "uid" {
            return self.check_uid(value);
        }
        let mut meant =
            native(field, value, self.keys_are_patterns).map_err(|wrong| refusal(name, value, wrong))?;
        if let (Spelling::Not, Value::Bool(flag)) = (spelling, &mut meant) {
            *flag = !*flag;
        }
        if self.changes.fields.insert(field.to_owned(), meant).is_some() {
            return Err(Error::invalid(format!("{field} is given twice, once as {name}"))
                .hint("send it once; nothing was changed"));
        }
        Ok(())
    }

    /// Timers and links name an entry by its id, so it is the same for good.
    fn check_uid(&self, value: &Value) -> Result<()> {
        let own = uid(self.source, self.format);
        if own.is_some() && as_text(value) == own {
            return Ok(());
        }
        Err(Error::invalid("the id of an entry cannot be changed").hint(
            "leave `uid` out; to give an entry another id, PUT it under that one (…/entries/{id}) and DELETE this one",
        ))
    }

    /// What stands somewhere in the entry. A known field is changed as such, wherever it is named.
    fn others(&mut self, path: &mut Vec<String>, value: &Value) -> Result<()> {
        let names: Vec<&str> = path.iter().map(String::as_str).collect();
        if let Some(place) = known_at(self.table, &names) {
            return self.field(place.field, &names.join("."), place.spelling, value);
        }
        let goes_on = names.is_empty()
            || is_around(self.table, &names)
            || get(self.source, &names).is_some_and(Value::is_object);
        match value {
            Value::Object(members) if goes_on => {
                for (name, value) in members {
                    path.push(name.clone());
                    self.others(path, value)?;
                    path.pop();
                }
            }
            _ => self.changes.others.push((path.clone(), value.clone())),
        }
        Ok(())
    }
}

/// The field that lies there.
fn known_at(table: &Table, path: &[&str]) -> Option<Place> {
    let places = table.iter().flat_map(|(_, places)| places);
    places.filter(|place| place.writing != Writing::Never).find(|place| place.path == path).copied()
}

/// True if fields lie further in.
pub(super) fn is_around(table: &Table, path: &[&str]) -> bool {
    let mut places = table.iter().flat_map(|(_, places)| places);
    places.any(|place| place.path.len() > path.len() && place.path.starts_with(path))
}

fn refusal(name: &str, value: &Value, wrong: Wrong) -> Error {
    match wrong {
        Wrong::Expected(expected) => {
            Error::invalid(format!("{name}: {} is not {expected}", excerpt(&value.to_string())))
                .hint(format!("send {expected}, or null to reset it; nothing was changed"))
        }
        Wrong::Because(why) => Error::invalid(format!("{name}: {why}"))
            .hint("mend this part of it, or send null to reset the field; nothing was changed"),
    }
}
