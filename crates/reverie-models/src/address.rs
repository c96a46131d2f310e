//! Where does a request go, given an address as people write it?
//!
//! With or without scheme, `/v1`, a slash at the end, or the whole address of one operation, as it is copied from a
//! provider's page. Where the path leaves it open whether `/v1` belongs to it, there are two ways to try.

#[cfg(test)]
mod tests;

use std::net::IpAddr;

use hyper::Uri;
use hyper::http::uri::Authority;

use crate::error::{Error, Result};

/// Which API a server speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Api {
    /// `/chat/completions` and `/embeddings`: OpenAI, DeepSeek, Ollama, vLLM, llama.cpp, LM Studio and most others.
    #[default]
    OpenAi,
    /// Google's own: `models/…:generateContent`.
    Gemini,
}

impl Api {
    /// What an address speaks if nobody says. Google's has an OpenAI-compatible corner, too.
    pub fn of_address(address: &str) -> Self {
        let address = address.to_lowercase();
        let is_google = address.contains("generativelanguage.googleapis.com") && !address.contains("/openai");
        let is_its_operation = GEMINI_OPERATIONS.iter().any(|end| address.contains(&end.to_lowercase()));
        if is_google || is_its_operation { Self::Gemini } else { Self::OpenAi }
    }
}

/// What can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    Chat,
    EmbedOne,
    EmbedMany,
    ListModels,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Origin {
    pub(crate) is_https: bool,
    /// Without the brackets of IPv6.
    pub(crate) host: String,
    pub(crate) port: u16,
}

impl Origin {
    /// As in the Host header.
    pub(crate) fn authority(&self) -> String {
        let host = if self.host.contains(':') { format!("[{}]", self.host) } else { self.host.clone() };
        let usual = if self.is_https { 443 } else { 80 };
        if self.port == usual { host } else { format!("{host}:{}", self.port) }
    }

    pub(crate) fn host_and_port(&self) -> String {
        if self.host.contains(':') {
            format!("[{}]:{}", self.host, self.port)
        } else {
            format!("{}:{}", self.host, self.port)
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Addresses {
    pub(crate) origin: Origin,
    pub(crate) api: Api,
    /// As the requests name it.
    pub(crate) model: String,
    /// What stands before the operation; to be tried in this order. Never empty.
    prefixes: Vec<String>,
    query: String,
}

const GEMINI_OPERATIONS: &[&str] =
    &[":generateContent", ":streamGenerateContent", ":embedContent", ":batchEmbedContents", ":countTokens"];
const OPENAI_OPERATIONS: &[&str] = &["/chat/completions", "/completions", "/embeddings", "/models"];
const GEMINI_HOME: &str = "https://generativelanguage.googleapis.com";

impl Addresses {
    pub(crate) fn read(address: &str, api: Api, model: &str) -> Result<Self> {
        let address = match (address.trim(), api) {
            ("", Api::Gemini) => GEMINI_HOME,
            ("", Api::OpenAi) => {
                return Err(Error::invalid("the model has no address")
                    .hint("give its base URL, for instance http://127.0.0.1:11434/v1"));
            }
            (given, _) => given,
        };
        let (origin, path, query) = split(address)?;
        if names_a_key(&query) {
            return Err(Error::invalid("a key stands in the model's address")
                .hint("take it out of the address and give it as the key; it is sent in a header"));
        }
        let model = model.trim();
        let (prefixes, model) = match api {
            Api::OpenAi => (openai_prefixes(&path), model.to_owned()),
            Api::Gemini => gemini_prefix(&path, model),
        };
        if model.is_empty() {
            return Err(Error::invalid(format!("no model is named for {}", origin.authority()))
                .hint("give the model's name as the server knows it"));
        }
        // The kind of stream is ours to choose.
        let query = if api == Api::Gemini { String::new() } else { query };
        Ok(Self { origin, api, model, prefixes, query })
    }

    /// Path and query of anything else that the server may have, the given way.
    pub(crate) fn under(&self, way: usize, path: &str, query: Option<&str>) -> String {
        let prefix = self.prefixes.get(way).or(self.prefixes.last()).map_or("", String::as_str);
        let own = Some(self.query.as_str()).filter(|query| !query.is_empty());
        let query: Vec<&str> = own.into_iter().chain(query).collect();
        if query.is_empty() {
            format!("{prefix}{path}")
        } else {
            format!("{prefix}{path}?{}", query.join("&"))
        }
    }

    /// Which server it is, however its address was written: host, port, and what stands before the version of the API.
    pub(crate) fn place(&self) -> String {
        let path = self.prefixes.first().map_or("", String::as_str);
        let is_version = |last: &str| {
            last.strip_prefix('v').is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()))
        };
        let path = match path.rsplit_once('/') {
            Some((before, last)) if is_version(last) || last.is_empty() => before,
            _ => path,
        };
        format!("{}{path}", self.origin.host_and_port())
    }

    pub(crate) fn ways(&self) -> usize {
        self.prefixes.len()
    }

    /// Path and query of an operation, the given way (the last one if there are fewer).
    pub(crate) fn target(&self, way: usize, operation: Operation) -> String {
        let prefix = self.prefixes.get(way).or(self.prefixes.last()).map_or("", String::as_str);
        let model = &self.model;
        let path = match (self.api, operation) {
            (Api::OpenAi, Operation::Chat) => format!("{prefix}/chat/completions"),
            (Api::OpenAi, Operation::EmbedOne | Operation::EmbedMany) => format!("{prefix}/embeddings"),
            (_, Operation::ListModels) => format!("{prefix}/models"),
            (Api::Gemini, Operation::Chat) => format!("{prefix}/{}:generateContent", in_path(model)),
            (Api::Gemini, Operation::EmbedOne) => format!("{prefix}/{}:embedContent", in_path(model)),
            (Api::Gemini, Operation::EmbedMany) => format!("{prefix}/{}:batchEmbedContents", in_path(model)),
        };
        if self.query.is_empty() { path } else { format!("{path}?{}", self.query) }
    }
}

/// Origin, path without a slash at the end, query.
fn split(address: &str) -> Result<(Origin, String, String)> {
    let wrong = |why: &str| {
        Error::invalid(format!("the model's address cannot be used: {why}"))
            .hint("write it like https://api.example.com/v1 or http://127.0.0.1:11434/v1")
    };
    let has_scheme = address.contains("://");
    let with_scheme = if has_scheme { address.to_owned() } else { format!("http://{address}") };
    let uri: Uri = with_scheme.parse().map_err(|_| wrong("it is no URL"))?;
    let authority: &Authority = uri.authority().ok_or_else(|| wrong("it names no host"))?;
    if authority.as_str().contains('@') {
        return Err(wrong("it holds a user name or password"));
    }
    let host = authority.host().trim_start_matches('[').trim_end_matches(']').to_lowercase();
    if host.is_empty() {
        return Err(wrong("it names no host"));
    }
    let is_near = !host.contains('.') || host.ends_with(".local") || host.parse::<IpAddr>().is_ok();
    // Where nobody said so: the machine itself and its neighbours rarely have certificates, everybody else does.
    let is_https = match uri.scheme_str() {
        Some("https") => true,
        Some("http") if has_scheme => false,
        Some("http") => !is_near,
        _ => return Err(wrong("it must begin with https:// or http://")),
    };
    let port = authority.port_u16().unwrap_or(if is_https { 443 } else { 80 });
    let path = uri.path().trim_end_matches('/').to_owned();
    Ok((Origin { is_https, host, port }, path, uri.query().unwrap_or_default().to_owned()))
}

fn names_a_key(query: &str) -> bool {
    let names = query.split('&').map(|pair| pair.split('=').next().unwrap_or_default().to_lowercase());
    names.into_iter().any(|name| matches!(name.as_str(), "key" | "api_key" | "apikey" | "api-key" | "token"))
}

fn openai_prefixes(path: &str) -> Vec<String> {
    for end in OPENAI_OPERATIONS {
        if let Some(prefix) = path.strip_suffix(end) {
            return vec![prefix.to_owned()];
        }
    }
    let (before, last) = path.rsplit_once('/').unwrap_or(("", path));
    if path.is_empty() {
        return vec!["/v1".to_owned(), String::new()];
    }
    let is_version =
        last.strip_prefix('v').is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()));
    if is_version {
        vec![path.to_owned(), before.to_owned()]
    } else {
        vec![path.to_owned(), format!("{path}/v1")]
    }
}

/// The one prefix, and the model as the path names it: with its collection.
fn gemini_prefix(path: &str, model: &str) -> (Vec<String>, String) {
    let without_operation = GEMINI_OPERATIONS.iter().find_map(|end| path.strip_suffix(end)).unwrap_or(path);
    let mut prefix = without_operation;
    let mut in_path = "";
    for collection in ["/models", "/tunedModels"] {
        let named = without_operation.rsplit_once(&format!("{collection}/"));
        if let Some((before, name)) = named.filter(|(_, name)| !name.contains('/')) {
            prefix = before;
            in_path = name;
        } else if let Some(before) = without_operation.strip_suffix(collection) {
            prefix = before;
        }
    }
    let model = if model.is_empty() { in_path } else { model };
    let model = match model {
        "" => String::new(),
        _ if model.starts_with("models/") || model.starts_with("tunedModels/") => model.to_owned(),
        _ => format!("models/{model}"),
    };
    let prefix = if prefix.is_empty() { "/v1beta" } else { prefix };
    (vec![prefix.to_owned()], model)
}

/// A model's name inside a path.
pub(crate) fn in_path(name: &str) -> String {
    let mut path = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'/') {
            path.push(char::from(byte));
        } else {
            path.push_str(&format!("%{byte:02X}"));
        }
    }
    path
}
