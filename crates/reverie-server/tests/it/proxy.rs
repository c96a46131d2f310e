//! Chats that are passed on: do they come and go as if nobody stood between, and are they remembered?

mod at_once;
mod came_alone;
mod continued;
mod exchanges;
mod faults;
mod gemini;
mod instructions;
mod language;
mod passing;
mod people;
mod personas;
mod remembers;
mod rooms;
mod serves;
mod stopping;
mod told_of;
mod told_once;
mod unanswered;
mod unusual;
mod ways;
mod which_chat;
mod who_hears;
mod who_speaks;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Instant;

use reverie_testkit::scripted_model::ScriptedModel;
use serde_json::{Value, json};

use crate::client::{PATIENCE, Reply, request};
use crate::run::{Server, serve};

/// A server that passes chats on to this model.
pub(crate) fn serve_before(model: &ScriptedModel, flags: &[&str]) -> Server {
    let url = model.openai();
    serve_patiently(&[&["--upstream-url", url.as_str()], flags].concat(), &[])
}

/// A server that waits for memory however slow this machine is, unless the flags say something else.
pub(crate) fn serve_patiently(flags: &[&str], variables: &[(&str, &str)]) -> Server {
    const WAIT: &str = "--proxy-recall-timeout";
    let patience: &[&str] = if flags.contains(&WAIT) { &[] } else { &[WAIT, "60s"] };
    serve(&[flags, patience].concat(), variables)
}

/// One request for an answer; `headers` are header lines.
pub(crate) fn chat(server: &Server, headers: &str, body: &Value) -> Reply {
    request(server.address, "POST /v1/chat/completions", headers, &body.to_string())
}

/// Messages, as `user: …` and `assistant: …`.
pub(crate) fn messages(said: &[&str]) -> Value {
    let message = |line: &&str| {
        let (role, content) = line.split_once(": ").unwrap();
        json!({"role": role, "content": content})
    };
    said.iter().map(message).collect()
}

/// An answer that is read as it comes.
pub(crate) struct Listening {
    stream: BufReader<TcpStream>,
    pub(crate) head: String,
}

impl Listening {
    /// Sends the request and reads the head of its answer.
    pub(crate) fn begin(address: SocketAddr, headers: &str, body: &Value) -> Self {
        let mut listening = Self::send(address, headers, body);
        loop {
            let line = listening.line();
            if line.is_empty() {
                return listening;
            }
            listening.head.push_str(&format!("{}\n", line.to_ascii_lowercase()));
        }
    }

    /// Sends the request, and does not look at the answer yet.
    pub(crate) fn send(address: SocketAddr, headers: &str, body: &Value) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let body = body.to_string();
        let mut head = format!("POST /v1/chat/completions HTTP/1.1\r\nhost: {address}\r\n");
        for line in headers.lines() {
            head.push_str(&format!("{}\r\n", line.trim()));
        }
        (&stream)
            .write_all(format!("{head}content-length: {}\r\n\r\n{body}", body.len()).as_bytes())
            .unwrap();
        Self { stream: BufReader::new(stream), head: String::new() }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        assert!(self.stream.read_line(&mut line).unwrap() > 0, "the server left: {}", self.head);
        line.trim_end().to_owned()
    }

    /// The next chunk; None at the proper end.
    pub(crate) fn piece(&mut self) -> Option<String> {
        let length = usize::from_str_radix(&self.line(), 16).unwrap();
        let mut piece = vec![0; length + 2];
        self.stream.read_exact(&mut piece).unwrap();
        piece.truncate(length);
        (length > 0).then(|| String::from_utf8(piece).unwrap())
    }

    /// What comes until the connection ends, properly or not.
    pub(crate) fn rest(mut self) -> String {
        let mut rest = Vec::new();
        // A reset is an end as well.
        let _ = self.stream.read_to_end(&mut rest);
        String::from_utf8_lossy(&rest).into_owned()
    }

    /// Leaves as soon as it is so.
    pub(crate) fn leave_when(self, is_time: impl Fn() -> bool) {
        let start = Instant::now();
        while !is_time() {
            assert!(start.elapsed() < PATIENCE, "waited too long");
            std::thread::yield_now();
        }
        self.leave();
    }

    pub(crate) fn leave(self) {
        self.stream.get_ref().shutdown(Shutdown::Both).unwrap();
    }
}
