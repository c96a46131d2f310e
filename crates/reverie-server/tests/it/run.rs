//! Runs the real binary: commands to their end, servers on a free port, each in a directory of its own.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Instant;

use serde_json::Value;

use crate::client::PATIENCE;

/// A directory that is gone when the test is over.
pub(crate) struct Directory(PathBuf);

impl Directory {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("reverie-it-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The binary with nothing of this machine's environment but what it needs to start.
pub(crate) fn reverie(directory: &Directory) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reverie"));
    command.env_clear().current_dir(directory.path());
    for name in ["HOME", "APPDATA", "LOCALAPPDATA"] {
        command.env(name, directory.path());
    }
    // Windows starts no socket without it.
    command.env("SystemRoot", r"C:\Windows");
    command
}

pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ended {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.stdout))
    }
}

/// For commands that end by themselves. One that does not fails the test.
pub(crate) fn run(command: &mut Command) -> Ended {
    run_with(command, "")
}

pub(crate) fn run_with(command: &mut Command, stdin: impl AsRef<[u8]>) -> Ended {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let stdout = read_all(child.stdout.take().unwrap());
    let stderr = read_all(child.stderr.take().unwrap());
    // It need not read any of it.
    let _ = std::io::Write::write_all(&mut input, stdin.as_ref());
    drop(input);
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("does not end: {command:?}: {}", stderr.join().unwrap());
        }
        std::thread::yield_now();
    };
    Ended { code: status.code(), stdout: stdout.join().unwrap(), stderr: stderr.join().unwrap() }
}

fn read_all(mut from: impl Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut text = String::new();
        from.read_to_string(&mut text).unwrap();
        text
    })
}

/// A server that has said that it is ready.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) ready: Value,
    pub(crate) address: SocketAddr,
    log: PathBuf,
    stdout: BufReader<ChildStdout>,
    _directory: Directory,
}

/// `serve --listen 127.0.0.1:0 --json`, with more flags and variables.
pub(crate) fn serve(flags: &[&str], variables: &[(&str, &str)]) -> Server {
    serve_with(flags, variables, Stdio::null())
}

pub(crate) fn serve_with(flags: &[&str], variables: &[(&str, &str)], stdin: Stdio) -> Server {
    let directory = Directory::new();
    let mut command = reverie(&directory);
    command.args(["serve", "--json"]).args(flags).envs(variables.iter().copied()).stdin(stdin);
    if !flags.contains(&"--listen") {
        command.args(["--listen", "127.0.0.1:0"]);
    }
    let log = directory.path().join("log");
    let mut child = command.stdout(Stdio::piped()).stderr(File::create(&log).unwrap()).spawn().unwrap();
    let (line, stdout) = first_line(BufReader::new(child.stdout.take().unwrap()));
    let ready: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"));
    let url = ready["address"].as_str().unwrap_or_else(|| panic!("{ready}"));
    let address = url.strip_prefix("http://").unwrap().parse().unwrap();
    Server { child, ready, address, log, stdout, _directory: directory }
}

/// The line, and the reader for what may follow.
fn first_line(mut stdout: BufReader<ChildStdout>) -> (String, BufReader<ChildStdout>) {
    let (done, wait) = mpsc::channel();
    std::thread::spawn(move || {
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        done.send((line, stdout)).unwrap();
    });
    wait.recv_timeout(PATIENCE).expect("the server said nothing")
}

impl Server {
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap()
    }

    /// What it wrote to stdout after the ready line, and how it ended.
    pub(crate) fn wait(mut self) -> (ExitStatus, String, String) {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(start.elapsed() < PATIENCE, "the server does not end: {}", self.log());
            std::thread::yield_now();
        };
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).unwrap();
        (status, rest, self.log())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Fails only if it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
