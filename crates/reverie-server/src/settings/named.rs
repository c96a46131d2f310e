//! How are settings read that there can be several of, each a table with a name: `[upstreams.NAME]`, `[keys.NAME]`,
//! `[models.embedders.NAME]`?

use reverie_core::{Error, Result};
use reverie_models::Key;
use serde_json::{Map, Value};

use super::models::key;
use super::sources::find;
use super::table::Setting;
use super::{Origin, Reader, read};

/// The fields of one `[table.NAME]`, taken one by one: what is left is unknown.
pub(super) struct Fields {
    /// `upstreams.deepseek`
    pub(super) place: String,
    left: Map<String, Value>,
}

impl Fields {
    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>> {
        match self.left.shift_remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) if !text.trim().is_empty() => Ok(Some(text.trim().to_owned())),
            // The value itself is not repeated: it may be a secret.
            Some(_) => Err(self.wrong(name, "write a text")),
        }
    }

    pub(super) fn texts(&mut self, name: &str) -> Result<Vec<String>> {
        let one = |value: &Value| value.as_str().map(str::to_owned).filter(|text| !text.is_empty());
        let found = match self.left.shift_remove(name) {
            None => return Ok(Vec::new()),
            Some(Value::Array(values)) => values.iter().map(one).collect(),
            Some(value) => one(&value).map(|text| vec![text]),
        };
        found.ok_or_else(|| self.wrong(name, "write a list of texts"))
    }

    pub(super) fn parsed<T>(
        &mut self,
        name: &str,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Result<Option<T>> {
        let number = self.left.get(name).and_then(Value::as_u64);
        let written = match number {
            Some(number) => self.left.shift_remove(name).map(|_| number.to_string()),
            None => self.text(name)?,
        };
        let Some(text) = written else { return Ok(None) };
        parse(&text).map(Some).map_err(|expected| self.wrong(name, &expected))
    }

    /// From `key`, or from the file that `key_file` names.
    pub(super) fn key(&mut self) -> Result<Option<Key>> {
        let place = format!("{}.key", self.place);
        match (self.text("key")?, self.text("key_file")?) {
            (Some(_), Some(_)) => {
                let both = format!("{place} and {place}_file are both set");
                Err(Error::invalid(both).hint("keep one of them"))
            }
            (Some(text), None) => key(&text, &place).map(Some),
            (None, Some(file)) => key(&read(file.as_ref(), "the key file")?, &place).map(Some),
            (None, None) => Ok(None),
        }
    }

    pub(super) fn end(self) -> Result<()> {
        match self.left.keys().next() {
            None => Ok(()),
            Some(name) => Err(Error::invalid(format!("unknown setting `{}.{name}`", self.place))
                .hint("`reverie config --reference` lists all settings")),
        }
    }

    pub(super) fn wrong(&self, name: &str, expected: &str) -> Error {
        Error::invalid(format!("`{}.{name}` cannot be that", self.place)).hint(expected)
    }
}

/// The tables of a setting in their order. Of what is in them only the names are shown.
pub(super) fn tables(reader: &mut Reader<'_>, setting: &'static Setting) -> Result<Vec<(String, Fields)>> {
    let Some(written) = find(setting, reader.flags, reader.env, reader.file)? else {
        reader.keep(setting, Vec::new(), Origin::Default);
        return Ok(Vec::new());
    };
    let text = written.values.first().map_or("{}", String::as_str);
    let wrong = || {
        Error::invalid(format!("`{}` from {} is not a table of tables", setting.name, written.origin))
            .hint(setting.meaning)
    };
    let tables: Map<String, Value> = serde_json::from_str(text).map_err(|_| wrong())?;
    let mut found = Vec::new();
    for (name, table) in tables {
        let Value::Object(left) = table else { return Err(wrong()) };
        found.push((name.clone(), Fields { place: format!("{}.{name}", setting.name), left }));
    }
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    let shown = (!names.is_empty()).then(|| names.join(", "));
    reader.keep(setting, shown.into_iter().collect(), written.origin);
    Ok(found)
}
