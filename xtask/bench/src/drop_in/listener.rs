//! A client that listens to an answer while it comes.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};
use serde_json::Value;

/// For the next piece.
const PATIENCE: Duration = Duration::from_secs(60);

pub(super) struct Listener {
    host: String,
    stream: BufReader<TcpStream>,
}

/// One answer.
pub(super) struct Heard {
    /// From the request to the first word.
    pub(super) first: Duration,
    pub(super) text: String,
    /// What Reverie says of its memory; None: nobody remembers here.
    pub(super) memory: Option<String>,
}

impl Heard {
    /// Whether it was made without the memory that it should have.
    pub(super) fn is_without(&self) -> bool {
        self.memory.as_ref().is_some_and(|memory| !memory.starts_with("on"))
    }
}

impl Listener {
    pub(super) fn connect(host: &str) -> Result<Self> {
        let stream = TcpStream::connect(host)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        Ok(Self { host: host.to_owned(), stream: BufReader::new(stream) })
    }

    /// Sends a chat; an error unless it is answered to its end.
    pub(super) fn ask(&mut self, body: &Value, headers: &str) -> Result<Heard> {
        let (host, body) = (&self.host, body.to_string());
        let request = format!(
            "POST /v1/chat/completions HTTP/1.1\r\nhost: {host}\r\n{headers}content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        let start = Instant::now();
        self.stream.get_mut().write_all(request.as_bytes())?;
        let status = self.line()?;
        let mut memory = None;
        loop {
            let line = self.line()?;
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("x-reverie-memory:") {
                memory = Some(value.trim().to_owned());
            }
        }
        let mut first = None;
        let mut text = String::new();
        loop {
            let size = usize::from_str_radix(&self.line()?, 16)?;
            let mut piece = vec![0; size + 2];
            self.stream.read_exact(&mut piece)?;
            if size == 0 {
                break;
            }
            first.get_or_insert_with(|| start.elapsed());
            text += &String::from_utf8_lossy(piece.get(..size).unwrap_or_default());
        }
        if !status.contains(" 200 ") {
            bail!("a chat was answered {status}: {text}");
        }
        ensure!(text.trim_end().ends_with("data: [DONE]"), "an answer broke off: {text}");
        Ok(Heard { first: first.unwrap_or_default(), text, memory })
    }

    fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        ensure!(self.stream.read_line(&mut line)? > 0, "the connection was closed");
        Ok(line.trim_end().to_owned())
    }
}
