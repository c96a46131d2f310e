//! What does the transport do around an API that is slow, broken or overrun?
//!
//! The API here is a function that does what the test tells it to; the sockets are real.

#[path = "../../tests/it/client.rs"]
mod client;
mod streams;

use std::net::SocketAddr;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use client::{Connection, PATIENCE, get, metric, request};
use reverie_core::{Code, Error};
use tokio::sync::oneshot;

use super::*;
use crate::secret::Secret;
use crate::settings::{Environment, Flags, Settings};

/// A server in this process.
struct Running {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    server: Option<JoinHandle<usize>>,
}

impl Running {
    /// Tells it to stop; the handle gives the number of connections that were cut.
    fn stop(mut self) -> JoinHandle<usize> {
        self.stop.take().unwrap().send(()).unwrap();
        self.server.take().unwrap()
    }
}

type Handler = dyn Fn(&reverie_api::Request) -> reverie_api::Response + Send + Sync;

fn start(flags: &[(&'static str, &str)], dispatch: Arc<Handler>) -> Running {
    start_with_health(flags, dispatch, Arc::new(|| Ok(())))
}

fn start_with_health(flags: &[(&'static str, &str)], dispatch: Arc<Handler>, health: HealthCheck) -> Running {
    let flags = [&[("data", "unused")], flags].concat();
    let settings = Settings::resolve(&Flags::of(&flags), &Environment::default(), None).unwrap();
    let app = App::new(Served {
        dispatch,
        health,
        stores: Arc::new(Vec::new),
        count: Arc::new(Counts::default),
        file: Arc::new(|| None),
        digest: Arc::default(),
        models: None,
        embeddings: Arc::new(crate::current::Current::new(Arc::new(Vec::new()))),
        proxy: None,
        openapi: "{}".to_owned(),
        guard: Guard { allow_host: settings.allow_host, allow_origin: settings.allow_origin },
        access: Access { configured: Vec::new(), keys: Vec::new(), of_this_run: Secret::random().unwrap() },
        limits: settings.limits,
        tools: reverie_api::tools::Defaults { world: settings.mcp.world, character: settings.mcp.character },
        run: 1,
    });
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel();
    let server = std::thread::spawn(move || {
        let cut =
            runtime.block_on(serve(app, listener, async { drop(stopped.await) }, std::future::pending()));
        runtime.shutdown_background();
        cut
    });
    Running { address, stop: Some(stop), server: Some(server) }
}

fn ok(body: &str) -> reverie_api::Response {
    reverie_api::Response {
        status: 200,
        content_type: "application/json",
        body: body.into(),
        stream: None,
        operation: "test",
        replaced: 0,
        allow: None,
    }
}

/// An API that says when it has begun and goes on when it is told to.
fn gated() -> (Arc<Handler>, Receiver<()>, Sender<()>) {
    let (begun, begins) = channel();
    let (go, gate) = channel();
    let gate = Mutex::new(gate);
    let dispatch = move |_: &reverie_api::Request| {
        begun.send(()).unwrap();
        gate.lock().unwrap().recv_timeout(PATIENCE).unwrap();
        ok("finished")
    };
    (Arc::new(dispatch), begins, go)
}

fn begin(address: SocketAddr) -> Connection {
    let mut connection = Connection::open(address);
    connection.send(format!("GET /v1/x HTTP/1.1\r\nhost: {address}\r\n\r\n").as_bytes());
    connection
}

/// Asks again until it is so; the wait has a limit, and no test passes because of it.
fn wait_until(mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < PATIENCE, "waited too long");
        std::thread::yield_now();
    }
}

#[test]
fn requests_under_way_finish_when_the_server_stops() {
    let (dispatch, begins, go) = gated();
    let running = start(&[], dispatch);
    let address = running.address;
    let mut idle = Connection::open(address);
    idle.send(format!("GET /health HTTP/1.1\r\nhost: {address}\r\n\r\n").as_bytes());
    assert_eq!(idle.reply().status, 200);
    let mut under_way = begin(address);
    begins.recv_timeout(PATIENCE).unwrap();
    let server = running.stop();
    assert!(idle.is_closed(), "connections without a request end at once");
    wait_until(|| std::net::TcpStream::connect(address).is_err());
    go.send(()).unwrap();
    let reply = under_way.reply();
    assert_eq!((reply.status, reply.body.as_str()), (200, "finished"));
    assert_eq!(server.join().unwrap(), 0);
}

#[test]
fn the_drain_has_an_end() {
    let (dispatch, begins, _go) = gated();
    let running = start(&[("limits-drain-timeout", "50ms")], dispatch);
    let _under_way = begin(running.address);
    begins.recv_timeout(PATIENCE).unwrap();
    assert_eq!(running.stop().join().unwrap(), 1);
}

#[test]
fn past_the_queue_the_answer_is_not_now() {
    let (dispatch, begins, go) = gated();
    let running = start(&[("limits-concurrent", "1"), ("limits-queue", "1")], dispatch);
    let address = running.address;
    let mut running_one = begin(address);
    begins.recv_timeout(PATIENCE).unwrap();
    let mut waiting_one = begin(address);
    wait_until(|| metric(address, "reverie_requests_waiting") == 1);
    let refused = get(address, "/v1/x");
    assert_eq!(refused.status, 503);
    assert!(refused.error().starts_with("unavailable: too many requests"), "{}", refused.error());
    assert!(refused.error().contains("limits.queue"), "{}", refused.error());
    assert_eq!(refused.header("retry-after"), Some("1"));
    assert_eq!(get(address, "/health").status, 200, "busy is not ill");
    assert_eq!(metric(address, "reverie_requests_refused_total{reason=\"busy\"}"), 1);
    go.send(()).unwrap();
    go.send(()).unwrap();
    assert_eq!(running_one.reply().status, 200);
    assert_eq!(waiting_one.reply().status, 200);
}

#[test]
fn an_answer_that_takes_too_long_is_given_up_but_keeps_its_place() {
    let (dispatch, begins, go) = gated();
    let flags = [("limits-request-timeout", "50ms"), ("limits-concurrent", "1"), ("limits-queue", "1")];
    let running = start(&flags, dispatch);
    let reply = get(running.address, "/v1/x");
    assert_eq!(reply.status, 503);
    assert!(reply.error().contains("limits.request_timeout"), "{}", reply.error());
    begins.recv_timeout(PATIENCE).unwrap();
    assert_eq!(get(running.address, "/v1/x").status, 503, "the thread is still busy");
    go.send(()).unwrap();
}

#[test]
fn a_panic_is_an_error_of_one_request() {
    let running = start(
        &[],
        Arc::new(|request| if request.path == "/v1/bad" { panic!("on purpose") } else { ok("fine") }),
    );
    let reply = get(running.address, "/v1/bad");
    assert_eq!(reply.status, 500);
    assert!(reply.error().starts_with("internal: "), "{}", reply.error());
    assert_eq!(get(running.address, "/v1/good").body, "fine");
}

#[test]
fn an_ill_store_shows_in_health() {
    let health = Arc::new(|| Err(Error::new(Code::Unavailable, "the disk is full")));
    let running = start_with_health(&[], Arc::new(|_| ok("")), health);
    let reply = get(running.address, "/health");
    assert_eq!(reply.status, 503);
    assert!(reply.error().contains("the disk is full"), "{}", reply.error());
}

#[test]
fn the_api_gets_what_was_sent() {
    let dispatch = |request: &reverie_api::Request| {
        let body = String::from_utf8_lossy(&request.body);
        let mut response = ok(&format!("{} {} {} {body}", request.method, request.path, request.query));
        response.replaced = usize::from(request.path == "/v1/replaced");
        response
    };
    let running = start(&[], Arc::new(dispatch));
    for (line, body, expected) in [
        ("GET /v1/%E9%92%A6%2F%e7%81%b5?a=%20&a=2", "", "GET /v1/%E9%92%A6%2F%e7%81%b5 a=%20&a=2 "),
        ("PATCH /v1/x", "{\"content\":\"啊\"}", "PATCH /v1/x  {\"content\":\"啊\"}"),
        ("PROPFIND /nowhere", "", "PROPFIND /nowhere  "),
        ("OPTIONS *", "", "OPTIONS *  "),
        ("HEAD /v1/x", "", ""),
        ("GET /v1//../etc", "", "GET /v1//../etc  "),
    ] {
        let reply = request(running.address, line, "", body);
        assert_eq!((reply.status, reply.body.as_str()), (200, expected));
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(reply.header("cache-control"), Some("no-store"));
        assert_eq!(reply.header("x-reverie-replaced"), None);
        assert!(reply.header("x-request-id").is_some_and(|id| id.starts_with("00000001-")));
    }
    assert_eq!(get(running.address, "/v1/replaced").header("x-reverie-replaced"), Some("1"));
    let chunked = "5\r\nhello\r\n0\r\n\r\n";
    let mut connection = Connection::open(running.address);
    let head = "POST /v1/x HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n";
    assert_eq!(connection.send(head.as_bytes()).send(chunked.as_bytes()).reply().body, "POST /v1/x  hello");
}

#[test]
fn a_connection_that_says_nothing_is_closed() {
    let running = start(&[("limits-idle-timeout", "50ms")], Arc::new(|_| ok("")));
    assert!(Connection::open(running.address).is_closed());
    let mut answered = Connection::open(running.address);
    assert_eq!(answered.send(b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n").reply().status, 200);
    assert!(answered.is_closed());
    let mut half_a_head = Connection::open(running.address);
    assert!(half_a_head.send(b"GET /health HTTP/1.1\r\nhost: local").is_closed());
}

#[test]
fn a_body_that_does_not_arrive_is_given_up() {
    let running = start(&[("limits-request-timeout", "50ms")], Arc::new(|_| ok("")));
    let mut connection = Connection::open(running.address);
    connection.send(b"POST /v1/x HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\n12345");
    let reply = connection.reply();
    assert_eq!(reply.status, 408);
    assert!(reply.error().contains("did not arrive in time"), "{}", reply.error());
    assert!(connection.is_closed());
}

#[test]
fn a_client_that_does_not_read_is_let_go() {
    let running = start(&[("limits-idle-timeout", "100ms")], Arc::new(|_| ok(&"x".repeat(64 << 20))));
    let address = running.address;
    let _never_reads = begin(address);
    wait_until(|| metric(address, "reverie_requests_total{operation=\"test\",status=\"200\"}") == 1);
    // Draining waits for connections; this one has ended by itself long before the drain timeout.
    assert_eq!(running.stop().join().unwrap(), 0);
}
