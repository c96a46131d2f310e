//! What happens to a request between the socket and the API?
//!
//! In this order: guard (host, origin), token, size of the head, our own pages, body, and at last the API's `dispatch`
//! on a thread that may block. Whatever stops it on the way is an error in the API's own form.

pub(crate) mod access;
pub(crate) mod admission;
pub(crate) mod answer;
pub(crate) mod authority;
pub(crate) mod body;
mod console;
mod guard;
mod listen;
mod mcp;
mod metrics;
mod mind_metrics;
mod model_metrics;
pub(crate) mod outgoing;
mod pages;
mod recall_metrics;
mod request_id;
mod stall;
#[cfg(test)]
mod tests;

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper::body::{Bytes, Incoming};
use hyper::http::request::Parts;
use hyper::{Method, Request, Response};
use reverie::SystemClock;
use reverie_api::mem0;
use reverie_api::wire::StoreFileView;
use reverie_core::clock::Clock as _;
use reverie_core::{Code, Error, MindsAtHand, RecallTimes};
use reverie_models::{Driver, Embeddings, Health};

pub(crate) use self::access::Access;
use self::admission::Outcome;
pub(crate) use self::admission::{Admission, Outcome as Admitted};
use self::answer::Answer;
use self::body::{BodyError, Budget, Buffered};
pub(crate) use self::guard::Guard;
use self::guard::Visitor;
pub(crate) use self::listen::serve;
use self::metrics::Metrics;
use self::outgoing::Outgoing;
use self::request_id::RequestIds;
use crate::current::Current;
use crate::mcp::Tools;
use crate::proxy::{self, Client, Proxy};
use crate::settings::{
    DOCUMENT_BYTES, HEADER_BYTES, IMPORT_BYTES, Limits, QUEUE, REQUEST_BYTES, REQUEST_TIMEOUT,
};
use crate::worker::Watch;

/// The API as the server sees it: one synchronous function.
pub(crate) type Dispatch = Arc<dyn Fn(&reverie_api::Request) -> reverie_api::Response + Send + Sync>;
/// Is the store well? The error is a sentence for people.
pub(crate) type HealthCheck = Arc<dyn Fn() -> reverie_core::Result<()> + Send + Sync>;

/// Of the data file and of what is in it: how are they?
pub(crate) type StoresHealth = Arc<dyn Fn() -> Vec<Health> + Send + Sync>;

/// What can be counted without waiting for anything.
pub(crate) type Count = Arc<dyn Fn() -> Counts + Send + Sync>;

#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) minds: MindsAtHand,
    pub(crate) recall: Option<RecallTimes>,
}

/// How large is the data file? Asks the disk.
pub(crate) type StoreFile = Arc<dyn Fn() -> Option<StoreFileView> + Send + Sync>;

/// What `serve` needs to know.
pub(crate) struct Served {
    pub(crate) dispatch: Dispatch,
    pub(crate) health: HealthCheck,
    pub(crate) stores: StoresHealth,
    pub(crate) count: Count,
    pub(crate) file: StoreFile,
    pub(crate) digest: Arc<Watch>,
    pub(crate) models: Option<Arc<Driver>>,
    pub(crate) embeddings: Arc<Current<Vec<Arc<Embeddings>>>>,
    /// None: chats are passed on nowhere.
    pub(crate) proxy: Option<Arc<Proxy>>,
    pub(crate) openapi: String,
    pub(crate) guard: Guard,
    pub(crate) access: Access,
    pub(crate) limits: Limits,
    /// What MCP clients call, where they do not say for whom.
    pub(crate) tools: reverie_api::tools::Defaults,
    /// Random; begins the request ids of this run.
    pub(crate) run: u32,
}

/// What is served, with what changes while it is.
pub(crate) struct App {
    dispatch: Dispatch,
    health: HealthCheck,
    stores: StoresHealth,
    count: Count,
    file: StoreFile,
    digest: Arc<Watch>,
    models: Option<Arc<Driver>>,
    embeddings: Arc<Current<Vec<Arc<Embeddings>>>>,
    proxy: Option<Arc<Proxy>>,
    openapi: Bytes,
    guard: Guard,
    access: Access,
    pub(crate) limits: Limits,
    pub(crate) admission: Admission,
    /// Whole worlds take long, and their clients may be slow: nobody else waits for them.
    bulk_admission: Admission,
    health_admission: Admission,
    mcp: mcp::Service,
    pub(crate) budget: Arc<Budget>,
    metrics: Metrics,
    request_ids: RequestIds,
    started: Instant,
}

/// Threads that may block: those of the API and of the tools, those that write down answers, those of the health check, and one that
/// tidies.
pub(crate) fn blocking_threads(limits: &Limits) -> usize {
    limits.concurrent + limits.bulk + limits.mcp + proxy::THREADS + HEALTH_THREADS + 1
}
const HEALTH_THREADS: usize = 2;

impl App {
    pub(crate) fn new(served: Served) -> Arc<Self> {
        let limits = served.limits;
        // Agents call in bursts: nobody else waits for them.
        let turns = Admission::new(limits.mcp, limits.queue);
        let tools = Tools::new(served.dispatch.clone(), served.tools, turns, limits.request_timeout);
        Arc::new(Self {
            mcp: mcp::service(tools, limits.request_bytes),
            dispatch: served.dispatch,
            health: served.health,
            stores: served.stores,
            count: served.count,
            file: served.file,
            digest: served.digest,
            models: served.models,
            embeddings: served.embeddings,
            proxy: served.proxy,
            openapi: served.openapi.into(),
            guard: served.guard,
            access: served.access,
            admission: Admission::new(limits.concurrent, limits.queue),
            bulk_admission: Admission::new(limits.bulk, limits.queue),
            health_admission: Admission::new(HEALTH_THREADS, 16),
            budget: Budget::new(limits.buffered_bytes),
            metrics: Metrics::default(),
            request_ids: RequestIds::new(served.run),
            started: Instant::now(),
            limits,
        })
    }
}

impl App {
    /// Seconds until the store is tried again, if it is left alone.
    fn retry_after(&self) -> u64 {
        let now_ms = SystemClock.now_ms();
        let next = (self.stores)().into_iter().filter_map(|health| health.next_probe_ms).max();
        let left_ms = next.map_or(0, |at| at.saturating_sub(now_ms).clamp(0, 60_000));
        left_ms.unsigned_abs().div_ceil(1000).max(1)
    }
}

async fn handle(
    app: Arc<App>,
    local: IpAddr,
    request: Request<Incoming>,
) -> Result<Response<Outgoing>, Infallible> {
    let record = Record::begin(app.clone(), &request);
    let (head, mut body) = request.into_parts();
    let visitor = guard::admit(&app.guard, local, &head.method, &head.uri, &head.headers);
    let (answer, visitor) = match visitor {
        Ok(visitor) => {
            (answer_admitted(&app, &head, &mut body, &visitor, &record.request_id).await, Some(visitor))
        }
        Err(error) => (Answer::refusal("guard", &error), None),
    };
    let answer = match mem0::is_path(head.uri.path()) {
        true => answer.map_error(mem0::in_its_form),
        false => answer,
    };
    let may_still_be_sending = answer.refused.is_some_and(|reason| reason != "timeout");
    if may_still_be_sending && !head.headers.contains_key("expect") {
        body::discard(&mut body).await;
    }
    let request_id = record.request_id.clone();
    record.end(&answer);
    Ok(answer::into_http(answer, &request_id, visitor.as_ref()))
}

async fn answer_admitted(
    app: &Arc<App>,
    head: &Parts,
    body: &mut Incoming,
    visitor: &Visitor,
    request_id: &str,
) -> Answer {
    let is_foreign = matches!(visitor, Visitor::Foreign(_));
    // A preflight cannot carry a token, and tells nothing.
    if is_foreign
        && head.method == Method::OPTIONS
        && head.headers.contains_key("access-control-request-method")
    {
        return answer::preflight(head.headers.get("access-control-request-headers"));
    }
    let addressed = app.proxy.as_ref().and_then(|proxy| proxy.without_world(head));
    let head = addressed.as_ref().unwrap_or(head);
    let page = pages::find(head.uri.path());
    let chat =
        app.proxy.as_ref().and_then(|proxy| Some((proxy, proxy.route(&head.method, head.uri.path())?)));
    let key = match chat.is_some() {
        true => access::check_chat(&app.access, &head.headers, head.uri.query()),
        false => access::check(&app.access, &head.headers, page.is_some_and(pages::is_public)).map(|()| None),
    };
    let key = match key {
        Ok(key) => key,
        Err(error) => {
            return Answer::refusal("token", &error).status(401).header("www-authenticate", "Bearer");
        }
    };
    if head_bytes(head) > app.limits.header_bytes {
        let error = Error::invalid("the head of the request is too large")
            .hint(format!("it may have {} bytes ({})", app.limits.header_bytes, HEADER_BYTES.name));
        return Answer::refusal("head_size", &error).status(431);
    }
    if let Some((proxy, route)) = chat {
        return proxy::answer(app, proxy, route, Client { head, key }, body).await;
    }
    match page {
        Some(page) => pages::answer(app, page, &head.method).await,
        None if head.uri.path() == mcp::PATH => mcp::answer(app, head, body).await,
        None => answer_from_api(app, head, body, request_id).await,
    }
}

async fn answer_from_api(app: &App, head: &Parts, body: &mut Incoming, request_id: &str) -> Answer {
    let path = head.uri.path();
    let is_import = path == "/v1/import" || is_chat(&head.method, path);
    let is_bulk = is_bulk(&head.method, path);
    let limits = &app.limits;
    let deadline = deadline_in(if is_bulk { limits.bulk_timeout } else { limits.request_timeout });
    // Whole books and cards.
    let is_document = ["/v1/books/", "/v1/cards/", "/v1/lore/"].iter().any(|start| path.starts_with(start));
    let (limit, setting) = match (is_import, is_document) {
        (true, _) => (limits.import_bytes, &IMPORT_BYTES),
        (_, true) => (limits.document_bytes, &DOCUMENT_BYTES),
        _ => (limits.request_bytes, &REQUEST_BYTES),
    };
    let buffered = match body::read(body, limit, &app.budget, deadline).await {
        Ok(buffered) => buffered,
        Err(error) => return body_refusal(&error, limit, setting.name),
    };
    // What can be read can be asked for without its body; hyper leaves that out by itself.
    let method = if head.method == Method::HEAD { Method::GET } else { head.method.clone() };
    let path = path.to_owned();
    let query = head.uri.query().unwrap_or_default().to_owned();
    let dispatch = app.dispatch.clone();
    let span = tracing::info_span!("dispatch", request_id);
    let patience = outgoing::Patience { deadline, a_piece: limits.idle_timeout };
    let work = move |early| {
        let _entered = span.entered();
        // The body's share of the memory budget is given back only when the work with it is done.
        let Buffered { bytes, share: _share } = buffered;
        let request = reverie_api::Request { method: method.to_string(), path, query, body: bytes };
        outgoing::write_out(dispatch(&request), early, patience)
    };
    let admission = if is_bulk { &app.bulk_admission } else { &app.admission };
    match admission.begin(deadline, work).await {
        Outcome::Done(answer) if answer.status == 503 => answer.number("retry-after", app.retry_after()),
        Outcome::Done(answer) => answer,
        Outcome::Busy => Answer::refusal(
            "busy",
            &unavailable("too many requests are waiting already")
                .hint(format!("try again in a moment; the limit is the setting {}", QUEUE.name)),
        )
        .header("retry-after", "1"),
        Outcome::TimedOut => Answer::refusal(
            "timeout",
            &unavailable("the answer took too long; a change may still be made").hint(format!(
                "ask whether it was made before trying again; the limit is the setting {}",
                REQUEST_TIMEOUT.name
            )),
        ),
        Outcome::Panicked => {
            let error = Error::new(Code::Internal, "this request met a defect of Reverie");
            Answer::error(&error.hint("the server's log has its place under this request's id"))
        }
    }
}

/// A file that comes in; some have been written for years.
fn is_chat(method: &Method, path: &str) -> bool {
    let rest = path.strip_prefix("/v1/worlds/").and_then(|rest| rest.split_once('/'));
    method == Method::POST && rest.is_some_and(|(_, rest)| rest == "chats")
}

/// What works on a whole world or file takes as long as that is large, and a test of models as long as they take.
fn is_bulk(method: &Method, path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').skip(1).collect();
    match parts.as_slice() {
        ["v1", "import" | "backup"] | ["v1", "models", "test"] | ["v1", "connections", _, "test"] => true,
        ["v1", "worlds", _, "export" | "fork" | "rebuild" | "chats"] => true,
        ["v1", "worlds", _, "checkpoints", _, "restore"] => true,
        ["v1", "worlds", _] => method == Method::DELETE,
        _ => false,
    }
}

pub(crate) fn body_refusal(error: &BodyError, limit: usize, setting: &str) -> Answer {
    match error {
        BodyError::TooLarge => {
            let error = Error::invalid(format!("the body of the request is larger than {limit} bytes"))
                .hint(format!("send less at a time, or raise the setting {setting}"));
            Answer::refusal("body_size", &error).status(413)
        }
        BodyError::Full => {
            let error = unavailable("too many large requests at once")
                .hint("try again in a moment; the limit is the setting limits.buffered_bytes");
            Answer::refusal("busy", &error).header("retry-after", "1")
        }
        BodyError::TimedOut => {
            let error = Error::invalid("the body of the request did not arrive in time");
            Answer::refusal("timeout", &error).status(408)
        }
        BodyError::Broken => Answer::refusal("broken", &Error::invalid("the body of the request is broken")),
    }
}

pub(crate) fn unavailable(message: &str) -> Error {
    Error::new(Code::Unavailable, message)
}

fn head_bytes(head: &Parts) -> usize {
    let line = head.method.as_str().len() + head.uri.path().len() + head.uri.query().map_or(0, str::len);
    head.headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum::<usize>() + line
}

pub(crate) fn deadline_in(patience: Duration) -> tokio::time::Instant {
    tokio::time::Instant::now() + patience
}

/// One line in the log and one count for every request, also for those whose client went away meanwhile.
struct Record {
    app: Arc<App>,
    request_id: String,
    started: Instant,
    is_open: bool,
}

impl Record {
    fn begin(app: Arc<App>, request: &Request<Incoming>) -> Self {
        app.metrics.begin();
        let request_id = app.request_ids.of(request.headers());
        Self { app, request_id, started: Instant::now(), is_open: true }
    }

    fn end(mut self, answer: &Answer) {
        self.write(answer.operation, answer.status, answer.refused);
    }

    /// Never text from the request: neither path nor query nor body nor token.
    fn write(&mut self, operation: &'static str, status: u16, refused: Option<&'static str>) {
        self.is_open = false;
        let took = self.started.elapsed();
        self.app.metrics.end(operation, status, refused, took);
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let request_id = self.request_id.as_str();
        match refused {
            Some(refused) => tracing::info!(request_id, operation, status, micros, refused, "request"),
            None => tracing::info!(request_id, operation, status, micros, "request"),
        }
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        if self.is_open {
            // The status that nginx gave this case; no client ever sees it.
            self.write("abandoned", 499, None);
        }
    }
}
