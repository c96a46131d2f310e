//! How does a request leave without what is ours in it, though nothing else of it can be read?

use serde_json::Value;
use serde_json::value::RawValue;

use super::body::{Fields, OURS, value};

/// The fields of a request, whatever they are: some may be there twice, and messages may be missing.
#[derive(Debug, Clone)]
pub struct Envelope {
    fields: Vec<(String, Box<RawValue>)>,
}

impl Envelope {
    /// None if it is no JSON object.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let Fields(fields) = serde_json::from_slice(bytes).ok()?;
        Some(Self { fields })
    }

    /// The one that counts for most readers of a field that is there twice: the last.
    fn field(&self, name: &str) -> Option<Value> {
        value(&self.fields.iter().rfind(|(known, _)| known == name)?.1)
    }

    pub fn model(&self) -> Option<String> {
        self.field("model")?.as_str().map(str::to_owned)
    }

    /// What the client says to us; not a part of what is forwarded.
    pub fn reverie(&self) -> Option<Value> {
        self.field(OURS)
    }

    /// The request with this model, if it is one, and without what is ours. All else is written as it came.
    pub fn with_model(&self, model: &str) -> Vec<u8> {
        let model = Value::from(model).to_string();
        let theirs = self.fields.iter().filter(|(name, _)| name != OURS);
        let has_model = self.fields.iter().any(|(name, _)| name == "model");
        let own = (!has_model && model != "\"\"").then(|| format!("\"model\":{model}"));
        let write = |(name, raw): &(String, Box<RawValue>)| {
            let text = if name == "model" { model.as_str() } else { raw.get() };
            format!("{}:{text}", Value::from(name.as_str()))
        };
        let written: Vec<String> = theirs.map(write).chain(own).collect();
        format!("{{{}}}", written.join(",")).into_bytes()
    }
}
