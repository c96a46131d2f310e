//! What does a client say to us alone, in headers and in the `reverie` object of its body, and can it be understood?
//!
//! What cannot is refused: a name that is passed over makes two people one, and a word that is passed over remembers what nobody wanted
//! remembered.

use hyper::header::HeaderMap;
use serde_json::{Map, Value};

use super::failure::Instead;
use super::{failure, headers};

const PREFIX: &str = "x-reverie-";
/// Whatever it holds, it is compared as it is.
const TOKEN: &str = "x-reverie-token";
/// What the object may say.
const FIELDS: &[&str] =
    &["world", "character", "user", "conversation", "present", "kind", "memory", "only_witnessed"];

/// Headers come first, then the object.
pub(super) struct Said<'a> {
    headers: &'a HeaderMap,
    ours: Option<&'a Map<String, Value>>,
}

impl<'a> Said<'a> {
    pub(super) fn read(headers: &'a HeaderMap, ours: Option<&'a Value>) -> Result<Self, Instead> {
        for (name, value) in headers {
            let is_ours = name.as_str().starts_with(PREFIX) && name.as_str() != TOKEN;
            if is_ours && std::str::from_utf8(value.as_bytes()).is_err() {
                let message = format!("{name} is no UTF-8: write such names percent-encoded");
                return Err(failure::refusal(400, "invalid_header", &message).into());
            }
        }
        let ours = match ours {
            None | Some(Value::Null) => None,
            Some(Value::Object(ours)) => Some(ours),
            Some(_) => {
                let message = "reverie is an object, such as {\"memory\": \"off\"}";
                return Err(failure::refusal(400, "invalid_reverie", message).into());
            }
        };
        let is_unknown = |name: &&String| !FIELDS.contains(&name.as_str());
        if let Some(name) = ours.and_then(|ours| ours.keys().find(is_unknown)) {
            let message = format!("reverie.{name} is not known: reverie has {}", FIELDS.join(", "));
            return Err(failure::refusal(400, "invalid_reverie", &message).into());
        }
        Ok(Self { headers, ours })
    }

    fn header(&self, name: &str) -> Option<String> {
        headers::text(self.headers, &format!("{PREFIX}{name}"))
    }

    fn field(&self, name: &str) -> Option<&Value> {
        self.ours?.get(&name.replace('-', "_")).filter(|value| !value.is_null())
    }

    pub(super) fn text(&self, name: &str) -> Result<Option<String>, Instead> {
        let written = match (self.header(name), self.field(name)) {
            (Some(header), _) => Some(header),
            (None, None) => None,
            (None, Some(value)) => Some(text(value).ok_or_else(|| unknown(name, "a text or a number"))?),
        };
        Ok(written.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()))
    }

    pub(super) fn switch(&self, name: &str) -> Result<Option<bool>, Instead> {
        let written = match (self.header(name), self.field(name)) {
            (Some(header), _) => header,
            (None, None) => return Ok(None),
            (None, Some(Value::String(text))) => text.clone(),
            (None, Some(value)) => value.to_string(),
        };
        match written.trim().to_lowercase().as_str() {
            "on" | "true" | "yes" | "1" => Ok(Some(true)),
            "off" | "false" | "no" | "0" => Ok(Some(false)),
            "" => Ok(None),
            _ => Err(unknown(name, "one of on, true, yes, 1, off, false, no or 0, in any case")),
        }
    }

    pub(super) fn list(&self, name: &str) -> Result<Vec<String>, Instead> {
        let raw = self
            .headers
            .get(format!("{PREFIX}{name}"))
            .and_then(|value| std::str::from_utf8(value.as_bytes()).ok());
        let refused = || unknown(name, "a list of texts or numbers; in a header, with commas");
        let found: Vec<String> = match (raw, self.field(name)) {
            // Decoded one by one: a name may have a comma in it.
            (Some(raw), _) => raw.split(',').map(|part| headers::decoded(part.trim())).collect(),
            (None, None) => Vec::new(),
            (None, Some(Value::Array(list))) => {
                list.iter().map(text).collect::<Option<_>>().ok_or_else(refused)?
            }
            (None, Some(_)) => return Err(refused()),
        };
        Ok(found.into_iter().filter(|name| !name.trim().is_empty()).collect())
    }
}

/// An id or a name: bots have numbers for people.
pub(super) fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// What means nothing here.
pub(super) fn unknown(name: &str, wanted: &str) -> Instead {
    let (header, field) = (format!("{PREFIX}{name}"), name.replace('-', "_"));
    let message = format!("{header} and reverie.{field} are {wanted}");
    failure::refusal(400, &format!("invalid_{field}"), &message).into()
}
