//! Which servers of models can be chosen while Reverie runs, and what was chosen?
//!
//! What is chosen stands in a file of its own in the data directory, readable for this user alone. A connection that stands there
//! takes the place of the one in the settings file, as a whole: a key never follows to an address that it was not given for. Flags
//! and variables win over both, and a connection of which they say anything cannot be chosen at all.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use reverie_core::{Code, Error, Result};
use serde_json::{Map, Value};

use super::of_model::CHAT;
use super::sources::{FileValues, Origin};
use super::table::{
    EMBEDDING_API, EMBEDDING_DIMS, EMBEDDING_KEY, EMBEDDING_KEY_FILE, EMBEDDING_MODEL, EMBEDDING_URL,
    Setting, UPSTREAM_API, UPSTREAM_KEY, UPSTREAM_KEY_FILE, UPSTREAM_URL,
};
use super::{Settings, read};

/// A server of models that can be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Connection {
    /// Asked what is worth remembering.
    Chat,
    Embedding,
    /// Where chats go that are passed on.
    Upstream,
}

/// The settings that make up a connection.
pub(crate) struct Parts {
    pub(crate) url: &'static Setting,
    pub(crate) api: &'static Setting,
    pub(crate) model: Option<&'static Setting>,
    pub(crate) key: &'static Setting,
    pub(crate) key_file: &'static Setting,
    pub(crate) dims: Option<&'static Setting>,
}

impl Parts {
    pub(crate) fn all(&self) -> impl Iterator<Item = &'static Setting> {
        let always = [self.url, self.api, self.key, self.key_file];
        always.into_iter().chain(self.model).chain(self.dims)
    }
}

impl Connection {
    pub(crate) const ALL: [Self; 3] = [Self::Chat, Self::Embedding, Self::Upstream];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Embedding => "embedding",
            Self::Upstream => "upstream",
        }
    }

    pub(crate) fn from_name(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name).ok_or_else(|| {
            Error::not_found(format!("there is no connection {name:?}"))
                .hint("the connections are chat, embedding and upstream")
        })
    }

    pub(crate) fn parts(self) -> Parts {
        match self {
            Self::Chat => Parts {
                url: &CHAT.url,
                api: &CHAT.api,
                model: Some(&CHAT.model),
                key: &CHAT.key,
                key_file: &CHAT.key_file,
                dims: None,
            },
            Self::Embedding => Parts {
                url: &EMBEDDING_URL,
                api: &EMBEDDING_API,
                model: Some(&EMBEDDING_MODEL),
                key: &EMBEDDING_KEY,
                key_file: &EMBEDDING_KEY_FILE,
                dims: Some(&EMBEDDING_DIMS),
            },
            Self::Upstream => Parts {
                url: &UPSTREAM_URL,
                api: &UPSTREAM_API,
                model: None,
                key: &UPSTREAM_KEY,
                key_file: &UPSTREAM_KEY_FILE,
                dims: None,
            },
        }
    }
}

/// What was chosen for one connection. Has no Debug: a key is in it.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) url: Option<String>,
    pub(crate) api: Option<String>,
    pub(crate) model: Option<String>,
    pub(crate) key: Option<String>,
    pub(crate) dims: Option<usize>,
}

/// All that was chosen, as the file has it.
#[derive(Clone, Default)]
pub(crate) struct Chosen {
    pub(crate) path: PathBuf,
    pub(crate) choices: BTreeMap<Connection, Choice>,
}

const FILE: &str = "connections.json";
/// A file of ours is far smaller; what is larger is not read into memory.
const MOST_BYTES: u64 = 1 << 20;

impl Chosen {
    /// What is there; nothing, where there is no file.
    pub(crate) fn read(data: &Path) -> Result<Self> {
        let path = data.join(FILE);
        let size = std::fs::metadata(&path).map(|file| file.len());
        let Ok(size) = size else { return Ok(Self { path, ..Self::default() }) };
        let wrong = |what: &str| {
            Error::invalid(format!("{} {what}", path.display()))
                .hint("choose the models again in the console after taking the file away")
        };
        if size > MOST_BYTES {
            return Err(wrong("is too large to be a file of Reverie"));
        }
        let text = read(&path, "the chosen models")?;
        let all: Map<String, Value> =
            serde_json::from_str(&text).map_err(|_| wrong("is not a JSON object of connections"))?;
        let mut choices = BTreeMap::new();
        for (name, fields) in all {
            let connection =
                Connection::from_name(&name).map_err(|_| wrong("names an unknown connection"))?;
            let choice =
                Choice::read(&fields).ok_or_else(|| wrong(&format!("has no good choice for {name}")))?;
            choices.insert(connection, choice);
        }
        Ok(Self { path, choices })
    }

    /// In place of what the settings file says of the same connections.
    pub(super) fn over(&self, file: Option<FileValues>) -> Option<FileValues> {
        if self.choices.is_empty() {
            return file;
        }
        let mut values = file.unwrap_or_default();
        for (connection, choice) in &self.choices {
            let parts = connection.parts();
            let is_same_server = values.one(parts.url) == choice.url.as_deref();
            let keeps_key = is_same_server && choice.key.is_none();
            for setting in parts.all() {
                let is_key = [parts.key.name, parts.key_file.name].contains(&setting.name);
                if !(is_key && keeps_key) {
                    values.take_away(setting);
                }
            }
            let texts = [
                (Some(parts.url), choice.url.clone()),
                (Some(parts.api), choice.api.clone()),
                (parts.model, choice.model.clone()),
                // Chosen to be none.
                (Some(parts.key), choice.key.clone().filter(|key| !key.is_empty())),
                (parts.dims, choice.dims.map(|dims| dims.to_string())),
            ];
            for (setting, text) in texts {
                if let (Some(setting), Some(text)) = (setting, text) {
                    values.put(setting, text, &self.path);
                }
            }
        }
        Some(values)
    }

    /// To the disk, whole or not at all, for this user alone.
    pub(crate) fn write(&self) -> Result<()> {
        let refused = |error: std::io::Error| {
            let message = format!("{} cannot be written: {error}", self.path.display());
            Error::new(Code::Unavailable, message).hint(
                "make the data directory writable for this user, or set the models in the settings file",
            )
        };
        let all: Map<String, Value> = self
            .choices
            .iter()
            .map(|(connection, choice)| (connection.name().to_owned(), choice.to_json()))
            .collect();
        let text = serde_json::to_string_pretty(&all).unwrap_or_default();
        let draft = self.path.with_extension("json.new");
        write_privately(&draft, &format!("{text}\n")).map_err(refused)?;
        std::fs::rename(&draft, &self.path).map_err(refused)
    }
}

impl Choice {
    fn read(fields: &Value) -> Option<Self> {
        let fields = fields.as_object()?;
        let mut choice = Self::default();
        for (name, value) in fields {
            match name.as_str() {
                "url" => choice.url = Some(value.as_str()?.to_owned()),
                "api" => choice.api = Some(value.as_str()?.to_owned()),
                "model" => choice.model = Some(value.as_str()?.to_owned()),
                "key" => choice.key = Some(value.as_str()?.to_owned()),
                "dims" => choice.dims = Some(usize::try_from(value.as_u64()?).ok()?),
                _ => return None,
            }
        }
        Some(choice)
    }

    fn to_json(&self) -> Value {
        let texts = [("url", &self.url), ("api", &self.api), ("model", &self.model), ("key", &self.key)];
        let texts = texts.into_iter().filter_map(|(name, text)| Some((name, Value::from(text.as_deref()?))));
        let dims = self.dims.map(|dims| ("dims", Value::from(dims)));
        texts.chain(dims).map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>().into()
    }
}

impl Settings {
    /// What flags and variables say of a connection, by their names: it cannot be chosen then.
    pub(crate) fn fixed_by(&self, connection: Connection) -> Vec<String> {
        let named = self.origins(connection).filter_map(|origin| match origin {
            Origin::Flag(_) | Origin::Environment(_) => Some(origin.to_string()),
            Origin::File(_) | Origin::Default => None,
        });
        named.collect()
    }

    pub(crate) fn origins(&self, connection: Connection) -> impl Iterator<Item = &Origin> {
        let parts = connection.parts();
        let names: Vec<&str> = parts.all().map(|setting| setting.name).collect();
        let rows = self.resolved.iter().filter(move |row| names.contains(&row.setting.name));
        rows.filter(|row| !row.shown.is_empty()).map(|row| &row.origin)
    }

    /// As `reverie config` shows it: without secrets.
    pub(crate) fn shown(&self, setting: &Setting) -> Option<&str> {
        let row = self.resolved.iter().find(|row| row.setting.name == setting.name)?;
        row.shown.first().map(String::as_str)
    }
}

fn write_privately(path: &Path, text: &str) -> std::io::Result<()> {
    use std::io::Write as _;
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    // One that was left by somebody else keeps the permissions that it had.
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = options.open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
