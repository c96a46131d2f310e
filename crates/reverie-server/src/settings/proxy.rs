//! Where do chats go that are passed on, who may send them, and for whom are they remembered?

use std::time::Duration;

use reverie_core::{CharacterId, Error, Result, WorldId};
use reverie_formats::completions::Late;
use reverie_models::{Endpoint, Patience};

use super::models::{Way, api, chosen_key};
use super::named::{Fields, tables};
use super::table::{
    KEYS, PROXY_ANSWER_TIMEOUT, PROXY_CHARACTER, PROXY_CONNECT_TIMEOUT, PROXY_MEMORY, PROXY_MEMORY_ROLE,
    PROXY_ONLY_WITNESSED, PROXY_RECALL_TIMEOUT, PROXY_SILENCE_TIMEOUT, PROXY_USER, PROXY_WORLD, UPSTREAM_API,
    UPSTREAM_KEY, UPSTREAM_KEY_FILE, UPSTREAM_URL, UPSTREAMS,
};
use super::{Reader, switch, values};
use crate::secret::Secret;

/// How chats are passed on.
#[derive(Debug, Clone)]
pub(crate) struct Forwarding {
    /// The first one takes what no other does. None: `echo` answers.
    pub(crate) upstreams: Vec<UpstreamServer>,
    pub(crate) keys: Vec<ClientKey>,
    pub(crate) memory: bool,
    pub(crate) world: WorldId,
    pub(crate) character: CharacterId,
    pub(crate) user: CharacterId,
    pub(crate) recall_timeout: Duration,
    /// How what changes from turn to turn is sent.
    pub(crate) late: Late,
    pub(crate) only_witnessed: bool,
    pub(crate) patience: Patience,
}

/// One server that chats are passed on to.
#[derive(Debug, Clone)]
pub(crate) struct UpstreamServer {
    pub(crate) name: String,
    pub(crate) endpoint: Endpoint,
    /// Names, or beginnings of names with a `*` behind them.
    pub(crate) models: Vec<String>,
}

/// What a client's key says instead of the client.
#[derive(Debug, Clone)]
pub(crate) struct ClientKey {
    pub(crate) token: Secret,
    pub(crate) world: Option<WorldId>,
    pub(crate) character: Option<CharacterId>,
    pub(crate) user: Option<CharacterId>,
    pub(crate) upstream: Option<String>,
    pub(crate) model: Option<String>,
}

/// As the one upstream is called that needs no name.
pub(crate) const ONLY: &str = "upstream";

impl Forwarding {
    /// The upstream that needs no name, if there is one.
    pub(crate) fn only(&self) -> Option<&UpstreamServer> {
        self.upstreams.iter().find(|upstream| upstream.name == ONLY)
    }

    /// The same way leads to all models.
    pub(super) fn are_reached_by(&mut self, way: &Way) {
        self.upstreams.iter_mut().for_each(|upstream| way.to(&mut upstream.endpoint));
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let mut upstreams: Vec<UpstreamServer> = only_upstream(reader)?.into_iter().collect();
        for (name, fields) in tables(reader, &UPSTREAMS)? {
            upstreams.push(upstream(name, fields)?);
        }
        let keys = tables(reader, &KEYS)?
            .into_iter()
            .map(|(name, fields)| client_key(&name, fields, &upstreams))
            .collect::<Result<Vec<_>>>()?;
        Ok(Self {
            upstreams,
            keys,
            memory: reader.one(&PROXY_MEMORY, switch)?,
            world: reader.one(&PROXY_WORLD, |text| WorldId::new(text).map_err(|error| error.to_string()))?,
            character: reader.one(&PROXY_CHARACTER, character)?,
            user: reader.one(&PROXY_USER, character)?,
            recall_timeout: reader.one(&PROXY_RECALL_TIMEOUT, values::duration)?,
            late: reader.one(&PROXY_MEMORY_ROLE, late)?,
            only_witnessed: reader.one(&PROXY_ONLY_WITNESSED, switch)?,
            patience: Patience {
                connect: reader.one(&PROXY_CONNECT_TIMEOUT, values::duration)?,
                first_byte: reader.one(&PROXY_ANSWER_TIMEOUT, values::duration)?,
                between: reader.one(&PROXY_SILENCE_TIMEOUT, values::duration)?,
            },
        })
    }
}

fn late(text: &str) -> Result<Late, String> {
    match text {
        "system" => Ok(Late::OwnMessage),
        "user" => Ok(Late::InUserMessage),
        _ => Err("write system or user".to_owned()),
    }
}

fn character(text: &str) -> Result<CharacterId, String> {
    CharacterId::new(text).map_err(|error| error.to_string())
}

fn only_upstream(reader: &mut Reader<'_>) -> Result<Option<UpstreamServer>> {
    let url = reader.address(&UPSTREAM_URL)?;
    let spoken = reader.optional(&UPSTREAM_API, api)?;
    let key = chosen_key(reader, &UPSTREAM_KEY, &UPSTREAM_KEY_FILE)?;
    let url = match (url, spoken) {
        (Some(url), _) => url,
        // Google's own address needs not be written.
        (None, Some(reverie_models::Api::Gemini)) => String::new(),
        (None, None) if key.is_none() => return Ok(None),
        (None, _) => {
            let hint = format!("set {}", UPSTREAM_URL.name);
            return Err(Error::invalid("the upstream has no address").hint(hint));
        }
    };
    let mut endpoint = Endpoint::new(&url);
    endpoint.api = spoken.unwrap_or(endpoint.api);
    endpoint.key = key;
    Ok(Some(UpstreamServer { name: ONLY.to_owned(), endpoint, models: Vec::new() }))
}

fn upstream(name: String, mut fields: Fields) -> Result<UpstreamServer> {
    let (url, spoken) = (fields.text("url")?, fields.parsed("api", api)?);
    let mut endpoint = match (url, spoken) {
        (Some(url), _) => Endpoint::new(&url),
        (None, Some(reverie_models::Api::Gemini)) => Endpoint::default(),
        (None, _) => {
            let hint = format!("set {}.url", fields.place);
            return Err(Error::invalid(format!("{} has no address", fields.place)).hint(hint));
        }
    };
    endpoint.api = spoken.unwrap_or(endpoint.api);
    endpoint.key = fields.key()?;
    let models = fields.texts("models")?;
    fields.end()?;
    Ok(UpstreamServer { name, endpoint, models })
}

fn client_key(name: &str, mut fields: Fields, upstreams: &[UpstreamServer]) -> Result<ClientKey> {
    let token = fields.parsed("token", Secret::parse)?.ok_or_else(|| {
        Error::invalid(format!("keys.{name} has no token")).hint("`reverie token` makes one; set it as token")
    })?;
    let upstream = fields.text("upstream")?;
    if let Some(wanted) = &upstream
        && upstreams.iter().all(|known| known.name != *wanted)
    {
        let known: Vec<&str> = upstreams.iter().map(|known| known.name.as_str()).collect();
        return Err(Error::invalid(format!("keys.{name} names an upstream that is not there"))
            .hint(format!("there are: {}", known.join(", "))));
    }
    let key = ClientKey {
        token,
        world: fields.parsed("world", |text| WorldId::new(text).map_err(|error| error.to_string()))?,
        character: fields.parsed("character", character)?,
        user: fields.parsed("user", character)?,
        upstream,
        model: fields.text("model")?,
    };
    fields.end()?;
    Ok(key)
}

#[cfg(test)]
mod tests {
    use super::super::{ConfigFile, Environment, Flags, Settings, config_json, config_text};

    fn settings(text: &str, env: &[(&str, &str)]) -> Result<Settings, String> {
        let file = ConfigFile { path: "reverie.toml".into(), text: text.to_owned() };
        let env = Environment::of(&[&[("HOME", "/home/mei")], env].concat());
        let told =
            |error: reverie_core::Error| format!("{error} ({})", error.hint_text().unwrap_or_default());
        Settings::resolve(&Flags::default(), &env, Some(&file)).map_err(told)
    }

    const GOOD: &str = r#"
        [upstream]
        url = "https://user:swordfish@api.example/v1"
        key = "sk-swordfish"
        [upstreams.zzz]
        url = "https://z.example?key=swordfish"
        key = "sk-swordfish-2"
        [upstreams.aaa]
        api = "gemini"
        models = "gemini-*"
        [keys.tavern]
        token = "rv_swordfish"
        world = "旅馆"
        upstream = "aaa"
    "#;

    #[test]
    fn upstreams_keep_their_order_and_secrets_stay_secret() {
        let settings = settings(GOOD, &[]).unwrap();
        let forwarding = &settings.forwarding;
        let names: Vec<&str> = forwarding.upstreams.iter().map(|upstream| upstream.name.as_str()).collect();
        assert_eq!(names, ["upstream", "zzz", "aaa"]);
        assert_eq!(forwarding.upstreams[2].endpoint.api, reverie_models::Api::Gemini);
        assert_eq!(forwarding.keys[0].world.as_ref().unwrap().as_str(), "旅馆");
        let shown = format!("{settings:?}\n{}\n{}", config_text(&settings), config_json(&settings));
        assert!(!shown.contains("swordfish"), "{shown}");
        assert!(shown.contains("zzz, aaa") && shown.contains("tavern"), "{shown}");
    }

    #[test]
    fn variables_are_enough() {
        let env = [
            ("REVERIE_UPSTREAM_URL", "http://127.0.0.1:8080"),
            ("REVERIE_KEYS", r#"{"k":{"token":"rv_k"}}"#),
        ];
        let settings = settings("", &env).unwrap();
        assert_eq!(settings.forwarding.upstreams.len(), 1);
        assert_eq!(settings.forwarding.keys.len(), 1);
        assert!(settings.warnings.is_empty(), "{:?}", settings.warnings);
    }

    #[test]
    fn what_is_wrong_is_told_without_secrets() {
        for (text, told) in [
            ("upstreams = 3", "upstreams"),
            ("[upstreams]\na = \"swordfish\"", "not a table of tables"),
            ("[upstreams.a]\nkey = \"sk-swordfish\"", "upstreams.a has no address"),
            ("[upstreams.a]\nurl = \"x\"\nkey = 7", "`upstreams.a.key` cannot be that"),
            ("[upstreams.a]\nurl = \"x\"\nkye = \"sk-swordfish\"", "unknown setting `upstreams.a.kye`"),
            ("[upstreams.a]\nurl = \"x\"\napi = \"swordfish\"", "openai or gemini"),
            ("[keys.a]\nworld = \"w\"", "keys.a has no token"),
            ("[keys.a]\ntoken = \"swordfish\"", "does not begin with rv_"),
            ("[keys.a]\ntoken = \"rv_swordfish\"\nupstream = \"b\"", "names an upstream that is not there"),
            ("[upstream]\nkey = \"sk-swordfish\"", "set upstream.url"),
            ("[proxy]\nmemory = \"maybe\"", "on or off"),
            ("[proxy]\nmemory_role = \"tool\"", "system or user"),
        ] {
            let error = settings(text, &[]).unwrap_err();
            assert!(error.contains(told), "{text}: {error}");
            assert!(!error.contains("swordfish"), "{text}: {error}");
        }
    }
}
