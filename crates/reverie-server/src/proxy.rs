//! How does any chat client get memory by changing its address?
//!
//! What comes in at `/v1/chat/completions` is passed on to an upstream and back, as it is; memory is put into a copy of the request on the
//! way there, and what was said is recorded on the way back (`chat`). Whatever is not ours is passed on without being looked at.
//! A talk runs as a task of its own: a client that leaves ends the talk, not the record of it.

mod address;
mod answering;
mod at_once;
mod branches;
mod came_alone;
mod cast;
mod chat;
mod clients_own;
mod echo;
mod embeddings;
mod endings;
mod faces;
mod failure;
mod finding;
mod gemini;
mod groups;
mod habits;
mod headers;
mod injecting;
mod joining;
mod memory;
mod models;
mod passing;
mod people;
mod personas;
mod places;
mod presence;
mod recalling;
mod remembering;
mod routes;
mod saying;
mod searching;
mod source;
mod speaking;
mod step;
mod stored;
mod tap;
mod thoughts;
mod unpacking;
mod upstreams;
mod who;

use std::sync::Arc;
use std::time::Duration;

use hyper::body::Incoming;
use hyper::http::request::Parts;
use reverie_api::wire::UpstreamView;
use reverie_core::embed::Embedder;
use reverie_core::{Engine, Result, WorldId};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

pub(crate) use self::routes::Route;
pub(crate) use self::speaking::{ECHO_PAUSE, Speaker, Spoken};
use self::upstreams::{Server, Upstreams};
use crate::current::Current;
use crate::http::admission::Admission;
use crate::http::answer::Answer;
use crate::http::body::Budget;
use crate::http::{App, body, body_refusal, deadline_in};
use crate::settings::{ClientKey, DOCUMENT_BYTES, Forwarding};

/// Threads besides those of the API: chats are remembered even while the API is overrun, and answers written down whoever asks.
pub(crate) const THREADS: usize = REMEMBERING + WRITING;
const REMEMBERING: usize = 16;
const WRITING: usize = 8;
/// Chats that may wait for one. None of them waits for long: a chat goes on without its memory, and is recorded later.
const WAITING: usize = 100_000;
/// What they may hold together, as it came; understood it takes about three times that. Beyond it a chat goes on without memory.
const WAITING_BYTES: usize = 64 << 20;
/// Talks under way at once; connections run out long before.
const MOST_TALKS: u32 = 1 << 20;

/// Tells whoever digests that something was written to a world.
pub(crate) type Ring = Box<dyn Fn(&WorldId) + Send + Sync>;

pub(crate) struct Proxy {
    settings: Forwarding,
    upstreams: Current<Upstreams>,
    engine: Arc<Engine>,
    embedder: Current<dyn Embedder>,
    ring: Ring,
    remembering: Admission,
    writing: Admission,
    waiting: Arc<Budget>,
    places: places::Places,
    people: people::People,
    habits: habits::Habits,
    endings: Arc<endings::Endings>,
    under_way: Arc<Semaphore>,
}

/// Who asks.
pub(crate) struct Client<'a> {
    pub(crate) head: &'a Parts,
    /// The key that was shown, if it is one of those for clients.
    pub(crate) key: Option<Arc<ClientKey>>,
}

impl Proxy {
    pub(crate) fn new(
        settings: Forwarding,
        engine: Arc<Engine>,
        embedder: Arc<dyn Embedder>,
        ring: Ring,
    ) -> Result<Self> {
        Ok(Self {
            upstreams: Current::new(Arc::new(Upstreams::new(&settings)?)),
            settings,
            engine,
            embedder: Current::new(embedder),
            ring,
            remembering: Admission::new(REMEMBERING, WAITING),
            writing: Admission::new(WRITING, WAITING),
            waiting: Budget::new(WAITING_BYTES),
            places: places::Places::default(),
            people: people::People::default(),
            habits: habits::Habits::default(),
            endings: Arc::default(),
            under_way: Arc::new(Semaphore::new(MOST_TALKS as usize)),
        })
    }

    /// As they are now: whoever begins with them ends with them.
    fn upstreams(&self) -> Arc<Upstreams> {
        self.upstreams.get()
    }

    /// Chats that begin from now on go where these settings say, as far as the upstream that needs no name is concerned.
    pub(crate) fn pass_on_from_now(&self, settings: &Forwarding) -> Result<()> {
        self.upstreams.put(Arc::new(Upstreams::new(settings)?.keeping_others(&self.upstreams())));
        Ok(())
    }

    /// Who answers `/v1/embeddings` from now on.
    pub(crate) fn embed_with_from_now(&self, embedder: Arc<dyn Embedder>) {
        self.embedder.put(embedder);
    }

    /// The same request at the address that it has where no world is named in it; None if this one has none, or is not the proxy's.
    pub(crate) fn without_world(&self, head: &Parts) -> Option<Parts> {
        let named = address::without_world(head)?;
        self.route(&named.method, named.uri.path()).map(|_| named)
    }

    /// What this request is to the proxy; None: nothing.
    pub(crate) fn route(&self, method: &hyper::Method, path: &str) -> Option<Route> {
        routes::find(method, path, !self.upstreams().is_empty())
    }

    /// Who answers chats, for people.
    pub(crate) fn answered_by(&self) -> String {
        let upstreams = self.upstreams();
        let servers: Vec<String> = upstreams.iter().map(|server| server.upstream.server()).collect();
        match servers.is_empty() {
            true => "echo, which repeats what it is told (set upstream.url)".to_owned(),
            false => servers.join(", "),
        }
    }

    /// Where chats are that name no world.
    pub(crate) fn world(&self) -> &WorldId {
        &self.settings.world
    }

    /// How those who answer chats did so far.
    pub(crate) fn upstreams_seen(&self) -> Vec<UpstreamView> {
        self.upstreams().iter().map(Server::seen).collect()
    }

    /// Until what was said in talks that have ended is written down, or for so long.
    pub(crate) async fn settle(&self, patience: Duration) {
        let all = self.under_way.clone().acquire_many_owned(MOST_TALKS);
        if tokio::time::timeout(patience, all).await.is_err() {
            tracing::warn!("some talks were cut off before all of them was written down");
        }
    }

    /// Held for as long as a talk has anything to write down.
    async fn place(&self) -> Option<OwnedSemaphorePermit> {
        self.under_way.clone().acquire_owned().await.ok()
    }
}

/// Whether the settings can be used: told before anything begins.
pub(crate) fn check(settings: &Forwarding) -> Result<()> {
    Upstreams::new(settings).map(drop)
}

/// Answers what `route` found.
pub(crate) async fn answer(
    app: &Arc<App>,
    proxy: &Arc<Proxy>,
    route: Route,
    client: Client<'_>,
    body: &mut Incoming,
) -> Answer {
    let limits = &app.limits;
    // Pictures come inside the messages.
    let limit = limits.document_bytes;
    let read = body::read(body, limit, &app.budget, deadline_in(limits.request_timeout)).await;
    let buffered = match read {
        Ok(buffered) => buffered,
        Err(error) => return body_refusal(&error, limit, DOCUMENT_BYTES.name),
    };
    match route {
        Route::Chat => chat::answer(app, proxy, &client, buffered).await,
        Route::Models => models::list(app, proxy, &client).await,
        Route::Model(id) => models::one(app, proxy, &client, &id).await,
        Route::Embeddings => embeddings::answer(app, proxy, &buffered.bytes).await,
        Route::Other(path) => passing::pass_on(app, proxy, &client, path, buffered).await,
        Route::Nowhere => failure::no_upstream(),
    }
}
