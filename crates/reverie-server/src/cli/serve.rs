//! `reverie serve`: from settings to a server that says where it is and ends when told to.

use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use reverie_api::Api;
use reverie_core::{Code, Error, Result};
use reverie_models::{Driver, Embeddings, Lanes};
use reverie_sqlite::SqliteStore;
use serde_json::json;
use tokio::net::TcpListener;

use crate::embedding::{self, EmbeddingWorker};
use crate::http::{Access, App, Dispatch, Guard, HealthCheck, Served, blocking_threads, serve};
use crate::lifetime::{Parent, Signals};
use crate::log;
use crate::output::{Failure, Output};
use crate::secret::{self, Secret};
use crate::settings::Settings;
use crate::worker::{Bell, Watch, Worker};
use crate::{data, models, sample};

const TIDY_EVERY: Duration = Duration::from_secs(2);

#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// End when the process that started this one is gone: when stdin, if it is a pipe, ends, or (on Unix) when the
    /// parent process id changes.
    #[arg(long)]
    exit_with_parent: bool,
}

impl Options {
    /// `reverie --exit-with-parent serve` means the same as `reverie serve --exit-with-parent`.
    pub(super) fn or(self, outer: Self) -> Self {
        Self { exit_with_parent: self.exit_with_parent || outer.exit_with_parent }
    }
}

pub(super) fn run(output: Output, settings: Settings, options: Options) -> Result<(), Failure> {
    let parent = options.exit_with_parent.then(Parent::now);
    require_token_beyond_loopback(&settings).map_err(Failure::usage)?;
    // A model that is set up wrongly is told of before anything begins.
    models::chats(&settings.models).map_err(Failure::usage)?;
    log::start(settings.log);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(blocking_threads(&settings.limits))
        .build()
        .map_err(|error| internal("cannot start its threads", &error))?;
    let drain_timeout = settings.limits.drain_timeout;
    let result = runtime.block_on(serve_until_told(output, settings, parent));
    // Work whose client has given up may still be writing.
    runtime.shutdown_timeout(drain_timeout);
    Ok(result?)
}

struct Opened {
    store: Arc<SqliteStore>,
    digest: Arc<Watch>,
    worker: Option<Worker>,
    models: Option<(Arc<Driver>, Lanes)>,
    embedding: Option<EmbeddingWorker>,
    embeddings: Option<Arc<Embeddings>>,
    dispatch: Dispatch,
    health: HealthCheck,
    /// The world that a first start made.
    sample: Option<&'static str>,
}

/// The API over the store in the data directory, with the check that `/health` asks.
fn open_api(settings: &Settings) -> Result<Opened> {
    data::check_writable(settings)?;
    let is_first_start = sample::make_data_file(settings)?;
    let embedder = settings.models.embedding.as_ref().map(embedding::embedder).transpose()?;
    let (embeddings, embedder) = embedder.unzip();
    let (store, api) = data::open_with(settings, |engine| match embedder {
        Some(embedder) => engine.embedding_with(embedder),
        None => engine,
    })?;
    // An empty file that somebody put there is as good as none.
    if store.is_new() {
        sample::fill(&api)?;
    }
    let sample = (is_first_start || store.is_new()).then_some(sample::WORLD);
    let digest = Arc::<Watch>::default();
    let models = models::start(api.engine(), &settings.models)?;
    let asker = models.as_ref().map(|(_, lanes)| lanes.bell());
    let worker = Worker::start(api.engine(), settings.digest, &digest, asker.clone());
    let api = match &models {
        Some((driver, _)) => {
            let driver = Arc::clone(driver);
            api.testing_models(Arc::new(move || models::test(driver.chats())))
        }
        None => api,
    };
    let embedding_engine = Arc::clone(api.engine());
    let (asked, watch, engine) = (Arc::clone(&store), Arc::clone(&digest), Arc::clone(api.engine()));
    let health = move || asked.check().and_then(|()| watch.count(&engine)).map_err(|error| error.to_string());
    let dispatch = dispatch(api, worker.as_ref().map(Worker::bell), asker);
    let embedding = EmbeddingWorker::start(&embedding_engine);
    Ok(Opened {
        store,
        digest,
        worker,
        models,
        embedding,
        embeddings,
        dispatch,
        health: Arc::new(health),
        sample,
    })
}

/// After these there may be something to ask at once.
const LEADS_TO_QUESTIONS: [&str; 2] = ["retryJob", "answerQuestion"];

/// What is written is remembered soon.
fn dispatch(api: Api, bell: Option<Bell>, asker: Option<reverie_models::Bell>) -> Dispatch {
    Arc::new(move |request| {
        let response = api.begin(request);
        if let Some(asker) = asker.as_ref().filter(|_| LEADS_TO_QUESTIONS.contains(&response.operation)) {
            asker.ring();
        }
        if let Some(bell) = bell.as_ref().filter(|_| response.has_written(&request.method)) {
            bell.ring(request.world());
        }
        response
    })
}

/// Erased text leaves the write-ahead log as soon as readers let go of it.
async fn keep_tidy(store: Arc<SqliteStore>) {
    let mut ticks = tokio::time::interval(TIDY_EVERY);
    let mut is_told = false;
    loop {
        ticks.tick().await;
        let store = Arc::clone(&store);
        let tidied = tokio::task::spawn_blocking(move || store.tidy()).await;
        // A disk that stays broken is told of once, not every two seconds.
        match tidied {
            Ok(Err(error)) if !is_told => {
                tracing::warn!(%error, "the write-ahead log could not be emptied");
                is_told = true;
            }
            Ok(Ok(_)) => is_told = false,
            _ => {}
        }
    }
}

/// Reads through a large data file once, on a thread of its own, so that damage is known before it spreads. Dropped, it stops.
struct LookThrough {
    stop: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl LookThrough {
    fn start(store: &Arc<SqliteStore>) -> Self {
        let stop = Arc::<AtomicBool>::default();
        let (store, told) = (Arc::clone(store), Arc::clone(&stop));
        let look = move || match store.look_through(&told) {
            Ok(_) => tracing::debug!("the data file was looked through"),
            Err(error) => {
                tracing::error!(%error, hint = error.hint_text(), "the data file could not be looked through")
            }
        };
        let thread = std::thread::Builder::new().name("look-through".to_owned()).spawn(look);
        let thread =
            thread.map_err(|error| tracing::warn!(%error, "the data file is not looked through")).ok();
        Self { stop, thread }
    }
}

impl Drop for LookThrough {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // The file is closed only when its last user lets go of it. A panic there was told of already.
        let _ = self.thread.take().map(std::thread::JoinHandle::join);
    }
}

async fn serve_until_told(output: Output, settings: Settings, parent: Option<Parent>) -> Result<()> {
    // The port comes first: a second server must not touch the data of the first.
    let listener = bind(settings.listen).await?;
    let address = listener.local_addr().map_err(|error| internal("cannot tell its own address", &error))?;
    let Opened { store, digest, worker, models, embedding, embeddings, dispatch, health, sample } =
        open_api(&settings)?;
    let looking = LookThrough::start(&store);
    tokio::spawn(keep_tidy(store));
    let of_this_run = Secret::random()?;
    let mut signals = Signals::watch().map_err(|error| internal("cannot listen to signals", &error))?;
    announce(output, address, &settings, &of_this_run, sample);
    let drain_timeout = settings.limits.drain_timeout;
    let app = App::new(Served {
        dispatch,
        health,
        digest,
        models: models.as_ref().map(|(driver, _)| Arc::clone(driver)),
        embeddings,
        openapi: reverie_api::Api::openapi(),
        guard: Guard { allow_host: settings.allow_host, allow_origin: settings.allow_origin },
        access: Access { configured: settings.tokens, of_this_run },
        limits: settings.limits,
        run: secret::random_number()?,
    });
    let signals = &tokio::sync::Mutex::new(&mut signals);
    let stop = async {
        let reason = tokio::select! {
            signal = async { signals.lock().await.next().await } => signal,
            reason = gone(parent) => reason,
        };
        tracing::info!(reason, "stopping: requests under way may finish");
    };
    let hurry = async {
        let reason = signals.lock().await.next().await;
        tracing::info!(reason, "stopping at once");
    };
    let cut = serve(app, listener, stop, hurry).await;
    drop(looking);
    if let Some(worker) = worker {
        worker.stop(drain_timeout);
    }
    if let Some(embedding) = embedding {
        embedding.stop();
    }
    if let Some((_, lanes)) = models
        && !lanes.stop(drain_timeout)
    {
        tracing::warn!("asking models does not end; nothing is lost by that");
    }
    tracing::info!(cut_connections = cut, "stopped");
    Ok(())
}

async fn gone(parent: Option<Parent>) -> &'static str {
    match parent {
        Some(parent) => parent.gone().await,
        None => std::future::pending().await,
    }
}

fn require_token_beyond_loopback(settings: &Settings) -> Result<()> {
    if settings.listen.ip().to_canonical().is_loopback() || !settings.tokens.is_empty() {
        return Ok(());
    }
    let message = format!("{} can be reached from other machines, and no token is set", settings.listen);
    Err(Error::new(Code::Denied, message).hint(
        "make a token with `reverie token` and set it as REVERIE_TOKEN, as token in the settings file, or in a file \
         named by --token-file; or listen on 127.0.0.1",
    ))
}

async fn bind(address: SocketAddr) -> Result<TcpListener> {
    TcpListener::bind(address).await.map_err(|error| {
        let message = match error.kind() {
            ErrorKind::AddrInUse => format!("{address} is taken by another program"),
            _ => format!("cannot listen on {address}: {error}"),
        };
        let hint = match error.kind() {
            ErrorKind::AddrInUse => format!(
                "perhaps Reverie runs already: see http://{address}/health. Otherwise take another port (--listen {}:{}) or \
                 any free one (--listen {}:0)",
                bracketed(address.ip()),
                if address.port() == 7878 { 7879 } else { 7878 },
                bracketed(address.ip())
            ),
            ErrorKind::PermissionDenied => "ports below 1024 need more rights; --listen 127.0.0.1:7878 does not".to_owned(),
            _ => "--listen 127.0.0.1:7878 serves this machine alone".to_owned(),
        };
        Error::new(Code::Unavailable, message).hint(hint)
    })
}

/// People get lines to read; a program that started us gets exactly one line to parse.
fn announce(
    output: Output,
    address: SocketAddr,
    settings: &Settings,
    of_this_run: &Secret,
    sample: Option<&str>,
) {
    let reachable = SocketAddr::new(reachable(address.ip()), address.port());
    let url = format!("http://{reachable}");
    let data = settings.data_file();
    let mut text = format!(
        "Reverie {} serves at {url}\n  data  {}\n  docs  {url}/docs\n",
        env!("CARGO_PKG_VERSION"),
        data.display(),
    );
    if let Some(world) = sample {
        text.push_str(&format!("  new   a sample world, {world}: {url}/v1/worlds/{world}\n"));
    }
    text.push_str(&beyond_this_machine(address));
    text.push_str("Ctrl-C stops it.");
    let ready = json!({
        "ready": true,
        "address": url,
        "token": of_this_run.reveal(),
        "pid": std::process::id(),
        "data": data.to_string_lossy(),
    });
    output.answer(&text, &ready);
}

/// Empty if nobody else can reach it.
fn beyond_this_machine(address: SocketAddr) -> String {
    if address.ip().to_canonical().is_loopback() {
        return String::new();
    }
    let host = match address.ip().is_unspecified() {
        true => "<address of this machine>".to_owned(),
        false => bracketed(address.ip()),
    };
    format!("  open  other machines can reach it, with a token, at http://{host}:{}\n", address.port())
}

/// «All addresses» is not one that a client can call.
fn reachable(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(address) if address.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(address) if address.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        address => address,
    }
}

fn bracketed(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}

fn internal(what: &str, error: &std::io::Error) -> Error {
    Error::new(Code::Internal, format!("the server {what}: {error}"))
}
