//! How is the real server started, and asked over one connection that stays open?

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// For one answer: whoever waits longer has a broken server before him.
const ANSWER: Duration = Duration::from_secs(60);

/// Runs until it is dropped.
pub(crate) struct Server {
    child: Child,
    /// Such as `127.0.0.1:40123`.
    pub(crate) host: String,
}

impl Server {
    pub(crate) fn start(binary: &Path, data: &Path) -> Result<Self> {
        Self::start_with(binary, data, &[])
    }

    pub(crate) fn start_with(binary: &Path, data: &Path, variables: &[(&str, &str)]) -> Result<Self> {
        let mut command = Command::new(binary);
        command
            .args(["serve", "--json", "--listen", "127.0.0.1:0", "--log-level", "warn", "--data"])
            .arg(data)
            .envs(variables.iter().copied());
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn().with_context(|| format!("cannot start {}", binary.display()))?;
        let mut stdout = BufReader::new(child.stdout.take().context("the server has no output")?);
        let mut server = Self { child, host: String::new() };
        let mut line = String::new();
        stdout.read_line(&mut line)?;
        let ready: Value = serde_json::from_str(&line).with_context(|| format!("no ready line: {line:?}"))?;
        let address = ready.get("address").and_then(Value::as_str).context("no address")?;
        server.host = address.strip_prefix("http://").context("an address without a scheme")?.to_owned();
        Ok(server)
    }

    /// What it takes of the machine's memory, where the system tells.
    pub(crate) fn resident(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let value = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kilobytes: u64 = value.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kilobytes * 1024)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Fails only if it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A connection that stays open.
pub(crate) struct Client {
    host: String,
    stream: BufReader<TcpStream>,
}

impl Client {
    pub(crate) fn connect(host: &str) -> Result<Self> {
        let stream = TcpStream::connect(host)?;
        stream.set_read_timeout(Some(ANSWER))?;
        stream.set_nodelay(true)?;
        Ok(Self { host: host.to_owned(), stream: BufReader::new(stream) })
    }

    /// One request; an error unless it is answered as it should be.
    pub(crate) fn ask(&mut self, method: &str, path: &str, body: &Value) -> Result<Value> {
        let (host, body) = (&self.host, body.to_string());
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes())?;
        let status = self.line()?;
        let mut length = 0;
        loop {
            let line = self.line()?.to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse()?;
            }
        }
        let mut answer = vec![0; length];
        self.stream.read_exact(&mut answer)?;
        if !status.split(' ').nth(1).is_some_and(|code| code.starts_with('2')) {
            bail!("{method} {path} was answered {status}: {}", String::from_utf8_lossy(&answer));
        }
        Ok(serde_json::from_slice(&answer)?)
    }

    fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            bail!("the server closed the connection");
        }
        Ok(line.trim_end().to_owned())
    }
}
