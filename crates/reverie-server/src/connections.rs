//! How are other models chosen while the server runs, and what changes with them?
//!
//! What is chosen is checked, written down, and used from then on; in this order, so that whoever is told that it counts finds it
//! after the next start. What is under way ends with whom it began.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use reverie_api::wire::{
    ConnectionBody, ConnectionName, ConnectionOrigin, ConnectionView, ConnectionsView, ModelTestView,
};
use reverie_core::embed::Embedder;
use reverie_core::{Code, Engine, Error, Result};
use reverie_models::{Api, ChatModel, Driver, Embeddings};
use reverie_offline::OfflineEmbedder;

use crate::current::Current;
use crate::embedding::{self, EMBEDDING};
use crate::models;
use crate::proxy::{self, Proxy};
use crate::settings::{Choice, Chosen, Connection, MODELS_CHOOSING, Origin, Settings};

/// Whoever uses models, and what was chosen for them.
pub(crate) struct Connections {
    now: Mutex<Now>,
    pub(crate) users: Users,
}

struct Now {
    settings: Arc<Settings>,
    chosen: Chosen,
}

/// Who must be told of other models.
pub(crate) struct Users {
    pub(crate) driver: Arc<Driver>,
    pub(crate) engine: Arc<Engine>,
    pub(crate) embeddings: Arc<Current<Vec<Arc<Embeddings>>>>,
    pub(crate) proxy: Arc<Proxy>,
    /// There may be texts to embed.
    pub(crate) wake_embedding: Box<dyn Fn() + Send + Sync>,
}

/// Far more than any address, name or key has.
const MOST_BYTES: usize = 4096;

impl Connections {
    pub(crate) fn new(settings: Arc<Settings>, users: Users) -> Result<Self> {
        let chosen = Chosen::read(&settings.data)?;
        Ok(Self { now: Mutex::new(Now { settings, chosen }), users })
    }

    /// For the API.
    pub(crate) fn offered(self: &Arc<Self>) -> reverie_api::Connections {
        let [lists, saves, tests, resets] = [(); 4].map(|()| Arc::clone(self));
        reverie_api::Connections {
            list: Arc::new(move || lists.list()),
            save: Arc::new(move |name, body| saves.save(Connection::from_name(name)?, body)),
            test: Arc::new(move |name, body| tests.test(Connection::from_name(name)?, body)),
            reset: Arc::new(move |name, ()| resets.reset(Connection::from_name(name)?)),
        }
    }

    fn list(&self) -> ConnectionsView {
        let now = self.now();
        let all = Connection::ALL.into_iter().map(|connection| view(&now, connection));
        ConnectionsView { connections: all.collect(), file: now.chosen.path.display().to_string() }
    }

    /// From now on these are used, and after the next start.
    fn save(&self, connection: Connection, body: ConnectionBody) -> Result<ConnectionView> {
        let mut now = self.now();
        may_be_chosen(&now.settings, connection)?;
        let mut chosen = now.chosen.clone();
        chosen.choices.insert(connection, choice(&now, connection, body)?);
        self.change(&mut now, connection, chosen)
    }

    /// Back to what the settings file says, or to none.
    fn reset(&self, connection: Connection) -> Result<ConnectionView> {
        let mut now = self.now();
        may_be_chosen(&now.settings, connection)?;
        let mut chosen = now.chosen.clone();
        chosen.choices.remove(&connection);
        self.change(&mut now, connection, chosen)
    }

    fn change(&self, now: &mut Now, connection: Connection, chosen: Chosen) -> Result<ConnectionView> {
        let settings =
            Settings { sources: Arc::clone(&now.settings.sources), ..now.settings.sources.with(&chosen)? };
        let ready = Ready::new(connection, &settings)?;
        chosen.write()?;
        *now = Now { settings: Arc::new(settings), chosen };
        self.use_from_now(ready, &now.settings);
        tracing::info!(connection = connection.name(), "another model was chosen");
        Ok(view(now, connection))
    }

    /// One tiny question to what is described, which is kept nowhere. Waits for a network.
    fn test(&self, connection: Connection, body: ConnectionBody) -> Result<ModelTestView> {
        let candidate = {
            let now = self.now();
            if body.is_empty() {
                now.settings.sources.with(&now.chosen)?
            } else {
                may_be_chosen(&now.settings, connection)?;
                let mut chosen = now.chosen.clone();
                chosen.choices.insert(connection, choice(&now, connection, body)?);
                now.settings.sources.with(&chosen)?
            }
        };
        let nothing = || {
            Error::invalid(format!("there is no connection {} yet", connection.name()))
                .hint("send the address to test, and a model")
        };
        match connection {
            Connection::Chat => {
                let chat = models::common_chat(&candidate.models)?.ok_or_else(nothing)?;
                models::test_one(models::Tested::Chat(chat))
            }
            Connection::Embedding => {
                let model = candidate.models.embedding.as_ref().ok_or_else(nothing)?;
                models::test_one(models::Tested::Embeddings(embedding::client(EMBEDDING, model)?))
            }
            Connection::Upstream => {
                proxy::check(&candidate.forwarding)?;
                let upstream = candidate.forwarding.only().ok_or_else(nothing)?;
                // Which model is asked is for clients to say: its list tells as much about address and key.
                let model = ChatModel::new(upstream.endpoint.clone(), "-");
                models::test_one(models::Tested::Listing(models::chat("upstream", &model)?))
            }
        }
    }

    fn use_from_now(&self, ready: Ready, settings: &Settings) {
        let users = &self.users;
        match ready {
            Ready::Chats(chats) => users.driver.ask_from_now(chats),
            Ready::Embedding { client, embedder } => {
                users.engine.embed_with_from_now(Arc::clone(&embedder));
                let before = users.embeddings.get();
                let others = before.iter().filter(|other| other.dependency().name() != EMBEDDING).cloned();
                users.embeddings.put(Arc::new(client.into_iter().chain(others).collect()));
                users.proxy.embed_with_from_now(embedder);
                (users.wake_embedding)();
            }
            Ready::Upstreams => {
                // It was tried a moment ago.
                if let Err(error) = users.proxy.pass_on_from_now(&settings.forwarding) {
                    tracing::error!(%error, "the upstream stays as it was until the next start");
                }
            }
        }
    }

    fn now(&self) -> MutexGuard<'_, Now> {
        // It is changed in one go, or not.
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What will be used, made before anything is changed.
enum Ready {
    Chats(Option<reverie_models::Chats>),
    Embedding { client: Option<Arc<Embeddings>>, embedder: Arc<dyn Embedder> },
    Upstreams,
}

impl Ready {
    fn new(connection: Connection, settings: &Settings) -> Result<Self> {
        Ok(match connection {
            Connection::Chat => Self::Chats(models::chats(&settings.models)?),
            Connection::Embedding => {
                let model = settings.models.embedding.as_ref();
                let client = model.map(|model| embedding::client(EMBEDDING, model)).transpose()?;
                let embedder = match &client {
                    Some(client) => embedding::remote(client)?,
                    None => Arc::new(OfflineEmbedder::new()),
                };
                Self::Embedding { client, embedder }
            }
            Connection::Upstream => {
                proxy::check(&settings.forwarding)?;
                Self::Upstreams
            }
        })
    }
}

fn may_be_chosen(settings: &Settings, connection: Connection) -> Result<()> {
    if !settings.models.choosing {
        let message = "models cannot be chosen while this server runs";
        let hint = format!("set {} to on, or set the models in the settings file", MODELS_CHOOSING.name);
        return Err(Error::new(Code::Denied, message).hint(hint));
    }
    let fixed = settings.fixed_by(connection);
    if fixed.is_empty() {
        return Ok(());
    }
    let message = format!("{} says where {} is, and wins", fixed.join(", "), connection.name());
    Err(Error::new(Code::Conflict, message)
        .hint("take it away from the server's environment or command line, and start it again"))
}

/// What the body means. A key that is not spoken of stays where the server does; it goes to no other.
fn choice(now: &Now, connection: Connection, body: ConnectionBody) -> Result<Choice> {
    let parts = connection.parts();
    let key = body.key.as_ref().and_then(Option::as_deref);
    let texts = [
        ("url", body.url.as_deref()),
        ("model", body.model.as_deref()),
        ("key", key),
        ("api", body.api.as_deref()),
    ];
    for (field, text) in texts {
        if text.is_some_and(|text| text.len() > MOST_BYTES) {
            return Err(
                Error::invalid(format!("{field} is too long")).hint(format!("at most {MOST_BYTES} bytes"))
            );
        }
    }
    let filled =
        |text: Option<String>| text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    let (url, api) = (filled(body.url), filled(body.api));
    for (field, is_there, part) in
        [("model", body.model.is_some(), parts.model), ("dims", body.dims.is_some(), parts.dims)]
    {
        if is_there && part.is_none() {
            return Err(Error::invalid(format!("{} has no {field}", connection.name()))
                .hint("leave it away: clients say which model they want"));
        }
    }
    let known = now.chosen.choices.get(&connection);
    let is_same_server = known.is_some_and(|known| known.url == url);
    let key = match body.key {
        Some(key) => Some(filled(key).unwrap_or_default()),
        None if is_same_server => known.and_then(|known| known.key.clone()),
        None => None,
    };
    Ok(Choice { url, api, model: filled(body.model), key, dims: body.dims })
}

fn view(now: &Now, connection: Connection) -> ConnectionView {
    let (settings, parts) = (&now.settings, connection.parts());
    let endpoint = match connection {
        Connection::Chat => settings.models.chat.as_ref().map(|model| &model.endpoint),
        Connection::Embedding => settings.models.embedding.as_ref().map(|model| &model.endpoint),
        Connection::Upstream => settings.forwarding.only().map(|upstream| &upstream.endpoint),
    };
    let fixed_by = settings.fixed_by(connection);
    let origin = match () {
        () if !fixed_by.is_empty() => ConnectionOrigin::Environment,
        () if now.chosen.choices.contains_key(&connection) => ConnectionOrigin::Chosen,
        () if settings.origins(connection).any(|origin| matches!(origin, Origin::File(_))) => {
            ConnectionOrigin::File
        }
        () => ConnectionOrigin::None,
    };
    let mut from: Vec<String> = settings.origins(connection).map(ToString::to_string).collect();
    from.dedup();
    ConnectionView {
        name: match connection {
            Connection::Chat => ConnectionName::Chat,
            Connection::Embedding => ConnectionName::Embedding,
            Connection::Upstream => ConnectionName::Upstream,
        },
        url: settings.shown(parts.url).map(str::to_owned),
        api: endpoint.map(|endpoint| match endpoint.api {
            Api::OpenAi => "openai".to_owned(),
            Api::Gemini => "gemini".to_owned(),
        }),
        model: parts.model.and_then(|model| settings.shown(model)).map(str::to_owned),
        dims: parts.dims.and_then(|dims| settings.shown(dims)).and_then(|dims| dims.parse().ok()),
        has_key: endpoint.is_some_and(|endpoint| endpoint.key.is_some()),
        origin,
        from,
        can_be_chosen: settings.models.choosing && fixed_by.is_empty(),
    }
}
