//! When does the server end, and what happens to the requests under way?

use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::client::{Connection, PATIENCE, metric};
use crate::run::{Server, serve, serve_with};

/// A request that stays under way until the test lets it go on: half its body is missing. Works with any API.
struct UnderWay {
    connection: Connection,
    rest: &'static str,
}

impl UnderWay {
    fn begin(server: &Server) -> Self {
        let mut connection = Connection::open(server.address);
        let head = "POST /v1/perspective HTTP/1.1\r\nhost: localhost\r\ncontent-length: 12\r\n\r\n{\"line";
        connection.send(head.as_bytes());
        // Itself, and the one that asks.
        wait_until(|| metric(server.address, "reverie_requests_in_flight") == 2);
        Self { connection, rest: "s\":[]}" }
    }

    /// Whether it got an answer of the API.
    fn finish(&mut self) -> bool {
        let reply = self.connection.send(self.rest.as_bytes()).reply();
        reply.status < 500 && reply.body.starts_with(['{', '['])
    }
}

fn wait_until(mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < PATIENCE, "waited too long");
        std::thread::yield_now();
    }
}

fn no_longer_listens(server: &Server) -> bool {
    TcpStream::connect(server.address).is_err()
}

#[cfg(unix)]
fn signal(server: &Server, name: &str) {
    let status = Command::new("kill").args([&format!("-{name}"), &server.child.id().to_string()]).status();
    assert!(status.unwrap().success());
}

#[cfg(unix)]
#[test]
fn a_signal_drains() {
    for name in ["TERM", "INT"] {
        let server = serve(&[], &[]);
        let mut under_way = UnderWay::begin(&server);
        signal(&server, name);
        wait_until(|| no_longer_listens(&server));
        assert!(under_way.finish());
        assert!(under_way.connection.is_closed());
        let (status, rest_of_stdout, log) = server.wait();
        assert_eq!(status.code(), Some(0), "{log}");
        assert_eq!(rest_of_stdout, "", "exactly one line on stdout");
        assert!(log.contains("cut_connections=0"), "{log}");
    }
}

#[cfg(unix)]
#[test]
fn a_drain_ends_at_its_timeout_or_at_the_second_signal() {
    let server = serve(&["--limits-drain-timeout", "50ms"], &[]);
    let _under_way = UnderWay::begin(&server);
    signal(&server, "TERM");
    let (status, _, log) = server.wait();
    assert_eq!(status.code(), Some(0));
    assert!(log.contains("cut_connections=1"), "{log}");

    let server = serve(&["--limits-drain-timeout", "1h"], &[]);
    let _under_way = UnderWay::begin(&server);
    signal(&server, "TERM");
    wait_until(|| no_longer_listens(&server));
    signal(&server, "TERM");
    let (status, _, log) = server.wait();
    assert_eq!(status.code(), Some(0));
    assert!(log.contains("stopping at once"), "{log}");
}

#[test]
fn with_its_parent_it_ends_when_stdin_ends() {
    let mut server = serve_with(&["--exit-with-parent"], &[], Stdio::piped());
    let mut under_way = UnderWay::begin(&server);
    drop(server.child.stdin.take());
    wait_until(|| no_longer_listens(&server));
    assert!(under_way.finish(), "it drains here too");
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

/// The parent is a shell that ends by SIGKILL; stdin is /dev/null, so only the process id can tell.
#[cfg(target_os = "linux")]
#[test]
fn with_its_parent_it_ends_when_the_parent_is_killed() {
    use std::io::{BufRead, BufReader};
    let directory = crate::run::Directory::new();
    let binary = env!("CARGO_BIN_EXE_reverie");
    // `wait` keeps the shell from turning into the server.
    let script = "\"$0\" serve --listen 127.0.0.1:0 --json --exit-with-parent --data . </dev/null & wait";
    let mut shell = Command::new("sh")
        .args(["-c", script, binary])
        .current_dir(directory.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdout = BufReader::new(shell.stdout.take().unwrap());
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    let ready: serde_json::Value = serde_json::from_str(&line).unwrap();
    let address = ready["address"].as_str().unwrap().strip_prefix("http://").unwrap().to_owned();
    assert!(TcpStream::connect(&address).is_ok());
    shell.kill().unwrap();
    shell.wait().unwrap();
    wait_until(|| TcpStream::connect(&address).is_err());
    // The server held the other end of this pipe; its end is the server's.
    line.clear();
    assert_eq!(stdout.read_line(&mut line).unwrap(), 0, "{line}");
}
