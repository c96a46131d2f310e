//! How does a chore start the real binary, and ask it something?

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::json::text;

/// For a program to be ready.
const PATIENCE: Duration = Duration::from_secs(30);
/// For one answer.
const ANSWER: Duration = Duration::from_secs(120);

/// Runs until it is dropped.
pub(crate) struct Server {
    child: Child,
    /// Such as `http://127.0.0.1:40123`.
    pub(crate) address: String,
}

impl Server {
    pub(crate) fn start(binary: &Path, folder: &Path, variables: &[(&str, &str)]) -> Result<Self> {
        let mut command = Command::new(binary);
        command
            .args(["serve", "--json", "--listen", "127.0.0.1:0", "--log-level", "warn", "--data"])
            .arg(folder.join("data"))
            .envs(variables.iter().copied())
            .current_dir(folder)
            .stdin(Stdio::null());
        let (child, line) = started(command, PATIENCE)?;
        let mut server = Self { child, address: String::new() };
        let ready: Value = serde_json::from_str(&line).with_context(|| format!("no ready line: {line:?}"))?;
        server.address = text(&ready, "/address").context("the ready line has no address")?.to_owned();
        Ok(server)
    }

    /// One request; an error unless it is answered as it should be.
    pub(crate) fn ask(&self, method: &str, path: &str, body: &str) -> Result<Value> {
        let host = self.address.strip_prefix("http://").context("an address without a scheme")?;
        let mut stream = TcpStream::connect(host)?;
        stream.set_read_timeout(Some(ANSWER))?;
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}"
        )?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let (head, body) = answer.split_once("\r\n\r\n").context("an answer without an end")?;
        let status = head.split(' ').nth(1).unwrap_or_default();
        if !status.starts_with('2') {
            bail!("{method} {path} was answered {status}: {}", body.trim_end());
        }
        Ok(serde_json::from_str(body)?)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        crate::run::end(&mut self.child);
    }
}

/// A program at work, and the first line that it printed.
pub(crate) fn started(mut command: Command, patience: Duration) -> Result<(Child, String)> {
    let name = command.get_program().to_string_lossy().into_owned();
    let mut child = command.stdout(Stdio::piped()).spawn().with_context(|| format!("cannot start {name}"))?;
    let stdout = child.stdout.take();
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut line = String::new();
        let mut stdout = stdout.map(BufReader::new);
        let read = stdout.as_mut().map(|stdout| stdout.read_line(&mut line));
        // Whoever waits may have given up.
        let _ = sender.send(read.is_some_and(|read| read.is_ok_and(|bytes| bytes > 0)).then_some(line));
        // What it prints later is nobody's business, but it must be able to.
        if let Some(stdout) = &mut stdout {
            let _ = std::io::copy(stdout, &mut std::io::sink());
        }
    });
    match receiver.recv_timeout(patience).ok().flatten() {
        Some(line) => Ok((child, line)),
        None => {
            crate::run::end(&mut child);
            bail!("{name} did not get ready")
        }
    }
}
