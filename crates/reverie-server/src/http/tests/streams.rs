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
