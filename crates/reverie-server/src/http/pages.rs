//! Which paths does the server answer by itself, without the API?

use std::time::Duration;

use hyper::Method;
use hyper::body::Bytes;
use reverie_api::wire::{
    BreakerState, ErrorView, HealthStatus, HealthView, QueueView, UpstreamView, WorkerState,
};
use reverie_core::{Code, Error};
use reverie_models::Health;

use super::admission::Outcome;
use super::answer::Answer;
use super::metrics::Now;
use super::{App, Counts, console, deadline_in};

/// Our pages run our script, wear our style, and call this server; pictures of cards are fetched with the token, and shown from memory
/// (`blob:`). Nothing else.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; \
                           connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Page {
    Health,
    Metrics,
    OpenApi,
    /// Path to go on to, relative to this one.
    Redirect(&'static str),
    Static {
        content_type: &'static str,
        text: &'static str,
    },
}

pub(crate) fn find(path: &str) -> Option<Page> {
    Some(match path {
        "/" => Page::Static { content_type: "text/html; charset=utf-8", text: console::INDEX },
        "/health" => Page::Health,
        "/metrics" => Page::Metrics,
        "/openapi.json" => Page::OpenApi,
        "/docs" => Page::Static {
            content_type: "text/html; charset=utf-8",
            text: include_str!("../docs/index.html"),
        },
        "/docs/" => Page::Redirect("../docs"),
        "/docs/docs.js" => Page::Static {
            content_type: "text/javascript; charset=utf-8",
            text: include_str!("../docs/docs.js"),
        },
        "/docs/docs.css" => {
            Page::Static { content_type: "text/css; charset=utf-8", text: include_str!("../docs/docs.css") }
        }
        path => {
            let (content_type, text) = console::find(path.strip_prefix("/console/")?)?;
            Page::Static { content_type, text }
        }
    })
}

/// What is the same on every machine needs no token; a browser could not send one with its first request anyway.
pub(crate) fn is_public(page: Page) -> bool {
    page != Page::Metrics
}

pub(crate) async fn answer(app: &App, page: Page, method: &Method) -> Answer {
    if !matches!(*method, Method::GET | Method::HEAD) {
        let error = Error::invalid("this path can only be read").hint("use GET");
        return Answer { operation: "pages", ..Answer::error(&error) }
            .status(405)
            .header("allow", "GET, HEAD");
    }
    match page {
        Page::Health => health(app).await,
        Page::Metrics => {
            let file = app.file.clone();
            let file = match app.health_admission.run(deadline_in(PATIENCE), move || file()).await {
                Outcome::Done(file) => file,
                _ => None,
            };
            let page = app.metrics.render(&Now {
                started: app.started,
                load: load(app),
                digest: &app.digest,
                models: app.models.as_deref().filter(|driver| driver.chats().is_some()),
                dependencies: &dependencies(app),
                counts: &(app.count)(),
                file: file.as_ref(),
                upstreams: &upstreams(app),
            });
            Answer::new("metrics", "text/plain; version=0.0.4; charset=utf-8", page)
        }
        Page::OpenApi => Answer::new("openapi", "application/json", app.openapi.clone()),
        Page::Redirect(path) => Answer::new("pages", "", "").status(307).header("location", path),
        Page::Static { content_type, text } => {
            Answer::new("pages", content_type, Bytes::from_static(text.as_bytes()))
                .header("content-security-policy", PAGE_POLICY)
                .header("referrer-policy", "no-referrer")
        }
    }
}

/// Requests that are worked on, and those that wait.
fn load(app: &App) -> (usize, usize) {
    let ((working, waiting), (bulk, bulk_waiting)) = (app.admission.load(), app.bulk_admission.load());
    (working + bulk, waiting + bulk_waiting)
}

fn upstreams(app: &App) -> Vec<UpstreamView> {
    app.proxy.as_ref().map(|proxy| proxy.upstreams_seen()).unwrap_or_default()
}

/// All that the server leans on.
fn dependencies(app: &App) -> Vec<Health> {
    let mut all: Vec<Health> = app.models.iter().flat_map(|driver| driver.health()).collect();
    all.extend(app.embeddings.get().iter().map(|embeddings| embeddings.dependency().health()));
    all.extend((app.stores)());
    all
}

/// How long the disk may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// Asked on threads of its own: a server with a full queue is busy, not ill.
async fn health(app: &App) -> Answer {
    let (check, file) = (app.health.clone(), app.file.clone());
    let outcome = app.health_admission.run(deadline_in(PATIENCE), move || (check(), file())).await;
    let (reason, store) = match outcome {
        Outcome::Done((checked, store)) => (checked.err(), store),
        Outcome::Busy | Outcome::TimedOut => (Some(unwell("the store does not answer")), None),
        Outcome::Panicked => (Some(unwell("the store's check failed")), None),
    };
    let digest = app.digest.view();
    let models = crate::models::health(app.models.as_deref());
    let Counts { minds, recall } = (app.count)();
    let (working, waiting) = load(app);
    let dependencies: Vec<_> = dependencies(app).into_iter().map(crate::models::dependency).collect();
    let is_failing = dependencies.iter().any(|one| one.state != BreakerState::Closed);
    let status = match digest.worker {
        _ if reason.is_some() => HealthStatus::Unavailable,
        WorkerState::Failing => HealthStatus::Degraded,
        _ if is_failing => HealthStatus::Degraded,
        _ => HealthStatus::Ok,
    };
    let error = reason.map(|reason| {
        let hint = reason.hint_text().unwrap_or("see the server's log, or run `reverie doctor`");
        ErrorView::new(Code::Unavailable, reason.message(), Some(hint)).error
    });
    let (version, uptime_seconds) = (env!("CARGO_PKG_VERSION"), app.started.elapsed().as_secs());
    let code = if error.is_some() { 503 } else { 200 };
    let view = HealthView {
        status,
        version,
        uptime_seconds,
        digest,
        models,
        minds: minds.into(),
        recall: recall.map(Into::into).unwrap_or_default(),
        queue: QueueView { working, waiting },
        store,
        upstreams: upstreams(app),
        chat_world: app.proxy.as_ref().map(|proxy| proxy.world().to_string()),
        dependencies,
        error,
    };
    let view = serde_json::to_string(&view).unwrap_or_default();
    Answer::new("health", "application/json", format!("{view}\n")).status(code)
}

fn unwell(what: &str) -> Error {
    Error::new(Code::Unavailable, what)
}
