//! What becomes of an answer that is sent while it is being written?

use std::io::Write;
use std::sync::mpsc::Sender;

use reverie_api::Stream;
use reverie_core::Result;

use super::*;

/// Many pieces, and more than sockets buffer.
const LARGE: usize = 32 << 20;

fn streaming(write: impl Fn(&mut dyn Write) -> Result<()> + Send + Sync + 'static) -> Arc<Handler> {
    let stream = Stream::new(write);
    Arc::new(move |_: &reverie_api::Request| {
        let mut response = ok("");
        response.stream = Some(stream.clone());
        response
    })
}

fn put(to: &mut dyn Write, bytes: usize) -> Result<()> {
    for _ in 0..bytes / 1024 {
        to.write_all(&[b'x'; 1024]).map_err(|error| unavailable(&error.to_string()))?;
    }
    Ok(())
}

/// Writes without end and says what stopped it.
fn endless(why: Sender<String>) -> Arc<Handler> {
    let why = Mutex::new(why);
    streaming(move |to| {
        let stopped = put(to, usize::MAX);
        why.lock().unwrap().send(stopped.as_ref().unwrap_err().message().to_owned()).unwrap();
        stopped
    })
}

fn ask(address: SocketAddr, what: &str) -> Connection {
    let mut connection = Connection::open(address);
    connection.send(format!("{what} HTTP/1.1\r\nhost: {address}\r\n\r\n").as_bytes());
    connection
}

#[test]
fn a_large_answer_comes_in_pieces_and_a_small_one_whole() {
    for (bytes, length) in [(LARGE, None), (1 << 20, None), (10 << 10, Some("10240")), (0, Some("0"))] {
        let running = start(&[], streaming(move |to| put(to, bytes)));
        let reply = get(running.address, "/v1/worlds/w/export");
        assert_eq!((reply.status, reply.body.len()), (200, bytes));
        assert_eq!(reply.header("content-length"), length);
        let head = request(running.address, "HEAD /v1/worlds/w/export", "", "");
        assert_eq!((head.status, head.body.as_str()), (200, ""));
    }
}

#[test]
fn what_fails_before_it_begins_is_an_error() {
    let running = start(&[], streaming(|_| Err(Error::not_found("there is no world"))));
    let reply = get(running.address, "/v1/worlds/w/export");
    assert_eq!(reply.status, 404);
    assert!(reply.error().starts_with("not_found: there is no world"), "{}", reply.error());
}

#[test]
fn what_fails_in_the_middle_is_cut_off() {
    let running = start(
        &[],
        streaming(|to| {
            put(to, LARGE)?;
            Err(unavailable("the disk is gone"))
        }),
    );
    let mut connection = begin(running.address);
    let error = connection.try_reply_to("GET").unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::UnexpectedEof, "{error}");
    assert_eq!(get(running.address, "/health").status, 200);
}

#[test]
fn a_client_that_reads_too_slowly_is_let_go() {
    let (why, stopped) = channel();
    let running = start(&[("limits-request-timeout", "100ms"), ("limits-concurrent", "1")], endless(why));
    let _never_reads = begin(running.address);
    assert!(stopped.recv_timeout(PATIENCE).unwrap().contains("reads too slowly"));
    wait_until(|| metric(running.address, "reverie_requests_working") == 0);
}

#[test]
fn whoever_goes_away_stops_the_writing() {
    let (why, stopped) = channel();
    let running = start(&[], endless(why));
    let leaves = begin(running.address);
    wait_until(|| metric(running.address, "reverie_requests_working") == 1);
    drop(leaves);
    assert!(stopped.recv_timeout(PATIENCE).unwrap().contains("went away"));
}

/// Whoever asks for whole worlds and reads none of them takes nobody's turn but that of others of the kind.
#[test]
fn idle_exports_do_not_stop_the_rest() {
    let stream = Stream::new(|to| put(to, usize::MAX));
    let dispatch = move |request: &reverie_api::Request| {
        let mut response = ok("here");
        response.stream = request.path.ends_with("/export").then(|| stream.clone());
        response
    };
    let flags = [("limits-concurrent", "2"), ("limits-bulk", "3"), ("limits-queue", "4")];
    let running = start(&flags, Arc::new(dispatch));
    let idle: Vec<Connection> = (0..6).map(|_| ask(running.address, "GET /v1/worlds/w/export")).collect();
    wait_until(|| metric(running.address, "reverie_requests_working") == 3);
    wait_until(|| metric(running.address, "reverie_requests_waiting") == 3);
    for _ in 0..5 {
        assert_eq!(get(running.address, "/v1/worlds/w").body, "here");
    }
    drop(idle);
    wait_until(|| metric(running.address, "reverie_requests_working") == 0);
    for bulk in ["DELETE /v1/worlds/w", "POST /v1/import", "POST /v1/worlds/w/checkpoints/c/restore"] {
        assert_eq!(request(running.address, bulk, "", "").body, "here", "{bulk}");
    }
}

/// A client that takes too long for a piece is let go long before its request may end.
#[test]
fn a_client_that_stops_reading_is_let_go() {
    let (why, stopped) = channel();
    let flags = [("limits-idle-timeout", "100ms"), ("limits-bulk-timeout", "1h")];
    let running = start(&flags, endless(why));
    let _never_reads = ask(running.address, "GET /v1/worlds/w/export");
    stopped.recv_timeout(PATIENCE).unwrap();
}
