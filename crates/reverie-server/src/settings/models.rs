//! Which chat models shall be asked?

use std::path::PathBuf;
use std::time::Duration;

use reverie_core::{Error, Result};
use reverie_models::{Api, ChatModel, EmbeddingModel, Endpoint, JsonMode, Key, Proxy};
use serde_json::{Map, Value};

use super::named::{Fields, tables};
use super::of_model::{CHAT, DECIDE, OfModel, RETELL, SUMMARISE};
use super::table::{
    EMBEDDERS, EMBEDDING_API, EMBEDDING_DIMS, EMBEDDING_KEY, EMBEDDING_KEY_FILE, EMBEDDING_MODEL,
    EMBEDDING_OPTIONS, EMBEDDING_SPACE, EMBEDDING_URL, MODELS_CHOOSING, MODELS_CONCURRENCY, MODELS_PROXY,
    MODELS_TRUSTED, Setting, TOKENS_PER_HOUR,
};
use super::{Reader, path, read, switch, values};

/// How models are asked. No model is an ordinary case.
#[derive(Debug)]
pub(crate) struct Models {
    pub(crate) chat: Option<ChatModel>,
    /// Those that differ from `chat`, by the name that `/health` calls them.
    pub(crate) decide: Option<ChatModel>,
    pub(crate) summarise: Option<ChatModel>,
    pub(crate) retell: Option<ChatModel>,
    pub(crate) embedding: Option<EmbeddingModel>,
    /// Others that worlds can choose by name.
    pub(crate) embedders: Vec<(String, EmbeddingModel)>,
    pub(crate) tokens_per_hour: Option<u64>,
    pub(crate) concurrency: usize,
    /// Whether others can be chosen while the server runs.
    pub(crate) choosing: bool,
    pub(crate) way: Way,
}

/// How any model is reached.
#[derive(Debug, Clone, Default)]
pub(crate) struct Way {
    proxy: Option<Proxy>,
    trusted_pem: Option<String>,
}

impl Way {
    pub(super) fn to(&self, endpoint: &mut Endpoint) {
        endpoint.proxy.clone_from(&self.proxy);
        endpoint.trusted_pem.clone_from(&self.trusted_pem);
    }
}

/// What is left after the longest answer for another try, and for handing it back.
const BESIDES: Duration = Duration::from_secs(60);
const LONGEST: Duration = Duration::from_secs(120);

impl Models {
    /// Whether any chat model is configured.
    pub(crate) fn asks(&self) -> bool {
        [&self.chat, &self.decide, &self.summarise, &self.retell].iter().any(|model| model.is_some())
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let tokens_per_hour = reader.optional(&TOKENS_PER_HOUR, tokens)?;
        let concurrency = reader.one(&MODELS_CONCURRENCY, lanes)?;
        let choosing = reader.one(&MODELS_CHOOSING, switch)?;
        let proxy = reader.secret(&MODELS_PROXY)?.map(|text| Proxy::new(&text)).transpose()?;
        let trusted = reader.optional(&MODELS_TRUSTED, path)?;
        let trusted_pem = trusted.map(|file| read(&file, "the certificates")).transpose()?;
        let way = Way { proxy, trusted_pem };
        let common = Given::read(reader, &CHAT)?;
        let (decide, summarise, retell) =
            (Given::read(reader, &DECIDE)?, Given::read(reader, &SUMMARISE)?, Given::read(reader, &RETELL)?);
        let with_way = |model: Option<ChatModel>| {
            model.map(|mut model| {
                way.to(&mut model.endpoint);
                model
            })
        };
        let instead = |given: Given, of: &OfModel| -> Result<Option<ChatModel>> {
            if given.is_empty() { Ok(None) } else { given.over(&common).model(of).map(with_way) }
        };
        let (decide, summarise, retell) =
            (instead(decide, &DECIDE)?, instead(summarise, &SUMMARISE)?, instead(retell, &RETELL)?);
        let mut embedding = embedding(reader)?;
        if let Some(model) = &mut embedding {
            way.to(&mut model.endpoint);
        }
        let mut embedders = embedders(reader)?;
        embedders.iter_mut().for_each(|(_, model)| way.to(&mut model.endpoint));
        let chat = if common.is_empty() { None } else { with_way(common.model(&CHAT)?) };
        Ok(Self {
            chat,
            decide,
            summarise,
            retell,
            embedding,
            embedders,
            tokens_per_hour,
            concurrency,
            choosing,
            way,
        })
    }

    /// How long a question waits for its answer before it is anybody's again.
    pub(crate) fn lease(&self) -> Duration {
        let all = [&self.chat, &self.decide, &self.summarise, &self.retell];
        let longest = all.into_iter().flatten().map(|model| model.endpoint.limits.whole).max();
        longest.unwrap_or(LONGEST).max(LONGEST) + BESIDES
    }
}

/// The settings of one model as they were given.
#[derive(Clone, Default)]
struct Given {
    url: Option<String>,
    api: Option<Api>,
    model: Option<String>,
    key: Option<Key>,
    options: Option<Map<String, Value>>,
    json: Option<JsonMode>,
    max_tokens: Option<u32>,
    timeout: Option<Duration>,
}

impl Given {
    fn read(reader: &mut Reader<'_>, of: &'static OfModel) -> Result<Self> {
        let url = reader.address(&of.url)?;
        let api = reader.optional(&of.api, api)?;
        let model = reader.optional(&of.model, name)?;
        let key = chosen_key(reader, &of.key, &of.key_file)?;
        Ok(Self {
            url,
            api,
            model,
            key,
            options: reader.optional(&of.options, object)?,
            json: reader.optional(&of.json, json_mode)?,
            max_tokens: reader.optional(&of.max_tokens, most)?,
            timeout: reader.optional(&of.timeout, values::duration)?,
        })
    }

    fn is_empty(&self) -> bool {
        self.url.is_none()
            && self.api.is_none()
            && self.model.is_none()
            && self.key.is_none()
            && self.options.is_none()
            && self.json.is_none()
            && self.max_tokens.is_none()
            && self.timeout.is_none()
    }

    /// What is not given is as for all questions; but a key goes nowhere but to its own server.
    fn over(self, common: &Self) -> Self {
        let is_elsewhere = self.url.is_some();
        let common = common.clone();
        Self {
            url: self.url.or(common.url),
            api: self.api.or(common.api.filter(|_| !is_elsewhere)),
            model: self.model.or(common.model),
            key: self.key.or(common.key.filter(|_| !is_elsewhere)),
            options: self.options.or(common.options),
            json: self.json.or(common.json),
            max_tokens: self.max_tokens.or(common.max_tokens),
            timeout: self.timeout.or(common.timeout),
        }
    }

    fn model(&self, of: &OfModel) -> Result<Option<ChatModel>> {
        let is_gemini = self.api == Some(Api::Gemini);
        let url = match &self.url {
            Some(url) => url.as_str(),
            // Google's own address needs not be written.
            None if is_gemini => "",
            None => {
                let hint = format!("set {}, or take the other settings of {} away", of.url.name, of.name);
                return Err(Error::invalid(format!("{} has no address", of.name)).hint(hint));
            }
        };
        let Some(name) = &self.model else {
            let message = format!("{} has no model", of.name);
            return Err(Error::invalid(message).hint(format!("set {}", of.model.name)));
        };
        let mut endpoint = Endpoint::new(url);
        endpoint.api = self.api.unwrap_or(endpoint.api);
        endpoint.key.clone_from(&self.key);
        let timeout = self.timeout.unwrap_or(LONGEST);
        endpoint.limits.whole = timeout;
        endpoint.limits.first_byte = timeout;
        endpoint.timeout_setting = Some(of.timeout.name.to_owned());
        endpoint.limits.connect = endpoint.limits.connect.min(timeout);
        endpoint.retry.whole = timeout.max(LONGEST) + BESIDES;
        let mut model = ChatModel::new(endpoint, name);
        model.options = self.options.clone().unwrap_or_default();
        model.json = self.json.unwrap_or_default();
        model.max_output_tokens = self.max_tokens;
        // What is asked has one right answer.
        model.temperature = Some(0.0);
        Ok(Some(model))
    }
}

/// None if nothing is said about it.
fn embedding(reader: &mut Reader<'_>) -> Result<Option<EmbeddingModel>> {
    let url = reader.address(&EMBEDDING_URL)?;
    let api = reader.optional(&EMBEDDING_API, api)?;
    let model = reader.optional(&EMBEDDING_MODEL, name)?;
    let key = chosen_key(reader, &EMBEDDING_KEY, &EMBEDDING_KEY_FILE)?;
    let dims = reader.optional(&EMBEDDING_DIMS, dims)?;
    let space = reader.optional(&EMBEDDING_SPACE, space)?;
    let options = reader.optional(&EMBEDDING_OPTIONS, object)?;
    let is_gemini = api == Some(Api::Gemini);
    let (url, model) = match (url, model) {
        (None, None)
            if api.is_none() && key.is_none() && dims.is_none() && space.is_none() && options.is_none() =>
        {
            return Ok(None);
        }
        (Some(url), Some(model)) => (url, model),
        // Google's own address needs not be written.
        (None, Some(model)) if is_gemini => (String::new(), model),
        (None, _) => {
            let hint = format!("set {}", EMBEDDING_URL.name);
            return Err(Error::invalid("models.embedding has no address").hint(hint));
        }
        (_, None) => {
            let hint = format!("set {}", EMBEDDING_MODEL.name);
            return Err(Error::invalid("models.embedding has no model").hint(hint));
        }
    };
    let mut endpoint = Endpoint::new(&url);
    endpoint.api = api.unwrap_or(endpoint.api);
    endpoint.key = key;
    let mut embedding = EmbeddingModel::new(endpoint, &model);
    embedding.dims = dims;
    embedding.space = space;
    embedding.options = options.unwrap_or_default();
    Ok(Some(embedding))
}

/// Names that mean something else already.
const TAKEN: [&str; 3] = ["default", "offline", "none"];

fn embedders(reader: &mut Reader<'_>) -> Result<Vec<(String, EmbeddingModel)>> {
    let tables = tables(reader, &EMBEDDERS)?;
    tables.into_iter().map(|(name, fields)| named_embedder(name, fields)).collect()
}

fn named_embedder(name: String, mut fields: Fields) -> Result<(String, EmbeddingModel)> {
    let place = fields.place.clone();
    if TAKEN.contains(&name.as_str()) {
        let taken = Error::invalid(format!("{place}: this name means something else already"));
        return Err(taken.hint("choose another name; models.embedding is the default of all worlds"));
    }
    let (url, spoken) = (fields.text("url")?, fields.parsed("api", api)?);
    let url = match url {
        None if spoken == Some(Api::Gemini) => String::new(),
        None => {
            return Err(Error::invalid(format!("{place} has no address")).hint(format!("set {place}.url")));
        }
        Some(url) => url,
    };
    let model = fields
        .text("model")?
        .ok_or_else(|| Error::invalid(format!("{place} has no model")).hint(format!("set {place}.model")))?;
    let mut endpoint = Endpoint::new(&url);
    endpoint.api = spoken.unwrap_or(endpoint.api);
    endpoint.key = fields.key()?;
    let mut embedding = EmbeddingModel::new(endpoint, &model);
    embedding.dims = fields.parsed("dims", dims)?;
    embedding.space = fields.parsed("space", space)?;
    fields.end()?;
    Ok((name, embedding))
}

/// From the setting, or from the file that another one names.
pub(super) fn chosen_key(
    reader: &mut Reader<'_>,
    written: &'static Setting,
    in_file: &'static Setting,
) -> Result<Option<Key>> {
    let text = reader.secret(written)?;
    let file: Option<PathBuf> = reader.optional(in_file, path)?;
    match (text, file) {
        (Some(_), Some(_)) => {
            let both = format!("{} and {} are both set", written.name, in_file.name);
            Err(Error::invalid(both).hint("keep one of them"))
        }
        (Some(text), None) => key(&text, written.name).map(Some),
        (None, Some(file)) => key(&read(&file, "the key file")?, in_file.name).map(Some),
        (None, None) => Ok(None),
    }
}

fn space(text: &str) -> Result<String, String> {
    let text = text.trim();
    let is_name = !text.is_empty() && text.len() <= 128 && !text.chars().any(char::is_control);
    if is_name { Ok(text.to_owned()) } else { Err("write a name of at most 128 bytes".to_owned()) }
}

fn dims(text: &str) -> Result<usize, String> {
    let number = text.trim().parse().ok().filter(|number| (1..=8192).contains(number));
    number.ok_or_else(|| "write a whole number from 1 to 8192".to_owned())
}

pub(super) fn key(text: &str, setting: &str) -> Result<Key> {
    Key::new(text).map_err(|error| {
        let hint = error.hint_text().unwrap_or_default().to_owned();
        Error::invalid(format!("{setting}: {}", error.message())).hint(hint)
    })
}

pub(super) fn api(text: &str) -> Result<Api, String> {
    match text.to_ascii_lowercase().as_str() {
        "openai" => Ok(Api::OpenAi),
        "gemini" => Ok(Api::Gemini),
        _ => Err("write openai or gemini".to_owned()),
    }
}

fn json_mode(text: &str) -> Result<JsonMode, String> {
    match text {
        "auto" => Ok(JsonMode::Auto),
        "on" | "true" => Ok(JsonMode::On),
        "off" | "false" => Ok(JsonMode::Off),
        _ => Err("write auto, on or off".to_owned()),
    }
}

fn name(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() { Err("write the model's name".to_owned()) } else { Ok(text.to_owned()) }
}

fn object(text: &str) -> Result<Map<String, Value>, String> {
    serde_json::from_str(text).map_err(|_| "write a JSON object, such as {\"temperature\": 0.3}".to_owned())
}

fn most(text: &str) -> Result<u32, String> {
    let number = text.trim().parse().ok().filter(|number| (1..=1_000_000).contains(number));
    number.ok_or_else(|| "write a whole number of tokens, from 1 to 1000000".to_owned())
}

fn tokens(text: &str) -> Result<u64, String> {
    let digits = text.trim().replace('_', "");
    digits
        .parse()
        .ok()
        .filter(|number| *number > 0)
        .ok_or_else(|| "write a whole number of tokens".to_owned())
}

fn lanes(text: &str) -> Result<usize, String> {
    let number = text.trim().parse().ok().filter(|number| (1..=64).contains(number));
    number.ok_or_else(|| "write a whole number from 1 to 64".to_owned())
}
