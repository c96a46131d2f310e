//! `reverie serve`: from settings to a server that says where it is and ends when told to.

use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use reverie::SystemClock;
use reverie_api::Api;
use reverie_api::tools::Defaults;
use reverie_core::clock::Clock as _;
use reverie_core::{Code, Error, Result};
use reverie_models::Embeddings;
use reverie_offline::OfflineEmbedder;
use reverie_sqlite::SqliteStore;
use serde_json::json;
use tokio::net::TcpListener;

use crate::backups::Backups;
use crate::connections::{Connections, Users};
use crate::current::Current;
use crate::http::{Access, App, Counts, Dispatch, Guard, Served, blocking_threads, serve};
use crate::lifetime::{Parent, Signals};
use crate::log;
use crate::memory::{self, Bells, First, Manner, Memory};
use crate::output::{Failure, Output};
use crate::proxy::{self, Proxy};
use crate::secret::{self, Secret};
use crate::settings::{BULK_TIMEOUT, Settings};
use crate::{data, embedding, models};

#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// End when the process that started this one is gone: when stdin, if it is a pipe, ends, or (on Unix) when the
    /// parent process id changes.
    #[arg(long)]
    exit_with_parent: bool,
    /// End at once if the data file cannot be opened, or is damaged, newer or another program's, and wait until it is open. Without
    /// this the server starts, serves what needs no file, and tries again.
    #[arg(long)]
    fail_fast: bool,
    /// Never make a new data file: wait for the one that will be there, on a volume that is mounted later for instance.
    #[arg(long)]
    expect_data: bool,
}

impl Options {
    /// `reverie --exit-with-parent serve` means the same as `reverie serve --exit-with-parent`.
    pub(super) fn or(self, outer: Self) -> Self {
        Self {
            exit_with_parent: self.exit_with_parent || outer.exit_with_parent,
            fail_fast: self.fail_fast || outer.fail_fast,
            expect_data: self.expect_data || outer.expect_data,
        }
    }
}

pub(super) fn run(output: Output, settings: Settings, options: Options) -> Result<(), Failure> {
    let parent = options.exit_with_parent.then(Parent::now);
    require_token_beyond_loopback(&settings).map_err(Failure::usage)?;
    // A model that is set up wrongly is told of before anything begins.
    models::chats(&settings.models).map_err(Failure::usage)?;
    proxy::check(&settings.forwarding).map_err(Failure::usage)?;
    log::start(settings.log);
    let runtime = runtime(&settings)?;
    let drain_timeout = settings.limits.drain_timeout;
    let manner = Manner { fail_fast: options.fail_fast, expect_data: options.expect_data };
    let result = runtime.block_on(serve_until_told(output, settings, parent, manner));
    // Work whose client has given up may still be writing.
    runtime.shutdown_timeout(drain_timeout);
    Ok(result?)
}

/// Threads for what waits and for what works.
pub(super) fn runtime(settings: &Settings) -> Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(blocking_threads(&settings.limits))
        .build()
        .map_err(|error| internal("cannot start its threads", &error))
}

/// How long the first try to open the data file is waited for, before the server says that it is ready without.
const PATIENCE: Duration = Duration::from_secs(5);

/// The engine over a file that is to come, and what works on it then.
pub(super) fn prepare(settings: &Arc<Settings>, manner: Manner) -> Result<Prepared> {
    let embeddings = embedding::clients(&settings.models)?;
    let embedders = embedding::Embedders::over(&settings.models, &embeddings)?;
    let spoken = embedders.default.clone().unwrap_or_else(|| Arc::new(OfflineEmbedder::new()));
    let store = Arc::new(SqliteStore::closed_for_now());
    let api = data::api_over(Arc::clone(&store) as _, settings, embedders)?;
    let driver = models::driver(api.engine(), &settings.models)?;
    let memory = Memory {
        settings: Arc::clone(settings),
        manner,
        store,
        was_unusable: Default::default(),
        engine: Arc::clone(api.engine()),
        database: reverie::database(),
        digest: Arc::default(),
        driver: Arc::clone(&driver),
        bells: OnceLock::new(),
        at_work: Mutex::default(),
        runtime: tokio::runtime::Handle::current(),
    };
    let asks = Arc::clone(&driver);
    let held_up = move |purpose| models::held_up(&asks, purpose);
    let embeddings = Arc::new(Current::new(Arc::new(embeddings)));
    let (asked, embedding) = (Arc::clone(&driver), Arc::clone(&embeddings));
    let test = move || models::test(asked.chats().as_ref(), &embedding.get());
    let memory = Arc::new(memory);
    let engine = Arc::clone(api.engine());
    let proxy = Proxy::new(settings.forwarding.clone(), Arc::clone(&engine), spoken, ring(&memory))?;
    let proxy = Arc::new(proxy);
    let waking = Arc::clone(&memory);
    let users = Users {
        driver,
        engine,
        embeddings: Arc::clone(&embeddings),
        proxy: Arc::clone(&proxy),
        wake_embedding: Box::new(move || waking.wake_embedding()),
    };
    let connections = Arc::new(Connections::new(Arc::clone(settings), users)?);
    let api = api
        .telling_what_holds_up(Arc::new(held_up))
        .testing_models(Arc::new(test))
        .backing_up(backing_up(&memory))
        .choosing_models(connections.offered());
    Ok(Prepared { memory, api, embeddings, proxy })
}

/// What serves, before it does.
pub(super) struct Prepared {
    pub(super) memory: Arc<Memory>,
    pub(super) api: Api,
    embeddings: Arc<Current<Vec<Arc<Embeddings>>>>,
    proxy: Arc<Proxy>,
}

/// Copies of the data file, for whoever asks for them over HTTP.
fn backing_up(memory: &Arc<Memory>) -> reverie_api::Backups {
    let (backups, store) = (Arc::new(Backups::of(&memory.settings)), Arc::clone(&memory.store));
    let (listed, patience) = (Arc::clone(&backups), memory.settings.limits.bulk_timeout);
    let make = move || {
        let begun = Instant::now();
        let is_in_time = move || begun.elapsed() < patience;
        let copied = backups.make(SystemClock.now_ms(), |to| store.backup_while(to, is_in_time));
        match copied {
            Err(error) if !is_in_time() && error.code() == Code::Unavailable => Err(Error::new(
                Code::Unavailable,
                "the backup took too long and was given up; nothing of it is left",
            )
            .hint(format!("raise the setting {}", BULK_TIMEOUT.name))),
            copied => copied,
        }
    };
    reverie_api::Backups { make: Arc::new(make), list: Arc::new(move || listed.list()) }
}

/// What was said in a chat that is passed on is remembered soon, too.
fn ring(memory: &Arc<Memory>) -> proxy::Ring {
    let memory = Arc::clone(memory);
    Box::new(move |world| {
        if let Some(bell) = memory.bells.get().and_then(|bells| bells.worker.as_ref()) {
            bell.ring(Some(world.clone()));
        }
    })
}

/// After these there may be something to ask at once.
const LEADS_TO_QUESTIONS: [&str; 2] = ["retryJob", "answerQuestion"];

/// What is written is remembered soon.
pub(super) fn dispatch(api: Api, memory: &Arc<Memory>) -> Dispatch {
    let memory = Arc::clone(memory);
    Arc::new(move |request| {
        let response = api.begin(request);
        let Some(Bells { worker, asker }) = memory.bells.get() else { return response };
        if let Some(asker) = asker.as_ref().filter(|_| LEADS_TO_QUESTIONS.contains(&response.operation)) {
            asker.ring();
        }
        if let Some(bell) = worker.as_ref().filter(|_| response.has_written(&request.method)) {
            bell.ring(request.world());
        }
        response
    })
}

async fn serve_until_told(
    output: Output,
    settings: Settings,
    parent: Option<Parent>,
    manner: Manner,
) -> Result<()> {
    // The port comes first: a second server must not touch the data of the first.
    let listener = bind(settings.listen).await?;
    let address = listener.local_addr().map_err(|error| internal("cannot tell its own address", &error))?;
    let settings = Arc::new(settings);
    let Prepared { memory, api, embeddings, proxy } = prepare(&settings, manner)?;
    let (trying, first) = memory.open()?;
    let first = match manner.fail_fast {
        true => first.await.ok(),
        false => tokio::time::timeout(PATIENCE, first).await.ok().and_then(|told| told.ok()),
    };
    let first = match first {
        Some(First::Refused(error)) => return Err(error),
        told => told,
    };
    let of_this_run = Secret::random()?;
    let mut signals = Signals::watch().map_err(|error| internal("cannot listen to signals", &error))?;
    announce(output, address, &settings, &of_this_run, first.as_ref(), &proxy);
    let drain_timeout = settings.limits.drain_timeout;
    let (checked, stores, file_of) = (Arc::clone(&memory), Arc::clone(&memory), Arc::clone(&memory));
    let engine = Arc::clone(api.engine());
    let app = App::new(Served {
        dispatch: dispatch(api, &memory),
        health: Arc::new(move || checked.check()),
        stores: Arc::new(move || stores.health()),
        count: Arc::new(move || Counts { minds: engine.minds_at_hand(), recall: engine.recall_times() }),
        file: Arc::new(move || file_of.file()),
        digest: Arc::clone(&memory.digest),
        models: Some(Arc::clone(&memory.driver)),
        embeddings,
        proxy: Some(Arc::clone(&proxy)),
        openapi: reverie_api::Api::openapi(),
        guard: Guard { allow_host: settings.allow_host.clone(), allow_origin: settings.allow_origin.clone() },
        access: Access {
            configured: settings.tokens.clone(),
            keys: settings.forwarding.keys.iter().cloned().map(Arc::new).collect(),
            of_this_run,
        },
        limits: settings.limits.clone(),
        tools: Defaults { world: settings.mcp.world.clone(), character: settings.mcp.character.clone() },
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
    proxy.settle(drain_timeout).await;
    drop(trying);
    memory.stop(drain_timeout);
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
    first: Option<&First>,
    proxy: &Proxy,
) {
    let reachable = SocketAddr::new(reachable(address.ip()), address.port());
    let url = format!("http://{reachable}");
    let data = settings.data_file();
    let mut text = format!(
        "Reverie {} serves at {url}\n  data  {}\n  docs  {url}/docs\n  chat  {url}/v1, answered by {}\n",
        env!("CARGO_PKG_VERSION"),
        data.display(),
        proxy.answered_by(),
    );
    match first {
        Some(First::Ready(Some(world))) => {
            text.push_str(&format!("  new   a sample world, {world}: {url}/v1/worlds/{world}\n"));
        }
        Some(First::Ready(None)) => {}
        Some(First::Late(error) | First::Refused(error)) => {
            let hint = error.hint_text().map_or_else(String::new, |hint| format!(" ({hint})"));
            let when = match memory::is_passing(error) {
                true => "for now, and comes by itself",
                false => "until there is a file that can be used, and comes by itself then",
            };
            text.push_str(&format!("  late  memory is off {when}: {error}{hint}\n"));
        }
        None => text
            .push_str("  late  memory is off for now, and comes by itself: the data file is being opened\n"),
    }
    text.push_str(&beyond_this_machine(address));
    text.push_str("Ctrl-C stops it.");
    let ready = json!({
        "ready": true,
        "address": url,
        "token": of_this_run.reveal(),
        "pid": std::process::id(),
        "data": data.to_string_lossy(),
        "memory": if matches!(first, Some(First::Ready(_))) { "ready" } else { "late" },
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
