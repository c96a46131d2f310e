//! When does the server end, and what happens to the requests under way?

use std::net::TcpStream;
use std::process::Stdio;
use std::time::Instant;

use crate::client::{Connection, PATIENCE, metric};
use crate::run::{Server, serve_with};

/// A request that stays under way until the test lets it go on: half its body is missing. Works with any API.
pub(crate) struct UnderWay {
    pub(crate) connection: Connection,
    rest: &'static str,
}

impl UnderWay {
    pub(crate) fn begin(server: &Server) -> Self {
        let mut connection = Connection::open(server.address);
        let head = "POST /v1/perspective HTTP/1.1\r\nhost: localhost\r\ncontent-length: 12\r\n\r\n{\"line";
        connection.send(head.as_bytes());
        // Itself, and the one that asks.
        wait_until(|| metric(server.address, "reverie_requests_in_flight") == 2);
        Self { connection, rest: "s\":[]}" }
    }

    /// Whether it got an answer of the API.
    pub(crate) fn finish(&mut self) -> bool {
        let reply = self.connection.send(self.rest.as_bytes()).reply();
        reply.status < 500 && reply.body.starts_with(['{', '['])
    }
}

pub(crate) fn wait_until(mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < PATIENCE, "waited too long");
        std::thread::yield_now();
    }
}

pub(crate) fn no_longer_listens(server: &Server) -> bool {
    TcpStream::connect(server.address).is_err()
}

#[test]
fn with_its_parent_it_ends_when_stdin_ends() {
    let mut server = serve_with(&["--exit-with-parent"], &[], Stdio::piped());
    let mut under_way = UnderWay::begin(&server);
    drop(server.child.stdin.take());
    wait_until(|| no_longer_listens(&server));
    assert!(under_way.finish(), "it drains here too");
    assert!(under_way.connection.is_closed());
    let (status, _, log) = server.wait();
    assert_eq!(status.code(), Some(0), "{log}");
    assert!(log.contains("stdin ended"), "{log}");
}

#[test]
fn without_the_flag_the_end_of_stdin_means_nothing() {
    let mut server = serve_with(&[], &[], Stdio::piped());
    drop(server.child.stdin.take());
    assert_eq!(metric(server.address, "reverie_requests_in_flight"), 1);
    assert!(server.child.try_wait().unwrap().is_none());
}
