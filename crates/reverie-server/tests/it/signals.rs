//! What ends the server on Unix: signals, and a parent that is killed.

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use crate::run::{Directory, Server, serve};
use crate::stopping::{UnderWay, no_longer_listens, wait_until};

pub(crate) fn signal(server: &Server, name: &str) {
    let status = Command::new("kill").args([&format!("-{name}"), &server.child.id().to_string()]).status();
    assert!(status.unwrap().success());
}

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

/// The parent is a shell that ends by SIGKILL; stdin is /dev/null, so only the process id can tell.
#[test]
fn with_its_parent_it_ends_when_the_parent_is_killed() {
    let directory = Directory::new();
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
