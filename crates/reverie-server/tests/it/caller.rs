//! One client of the API: a connection that is kept, JSON in and out, and what many tests ask.

use std::io;
use std::net::SocketAddr;

use serde_json::{Value, json};

use crate::client::{Connection, Reply};
use crate::run::Server;

pub(crate) struct Caller {
    address: SocketAddr,
    connection: Connection,
}

impl Caller {
    pub(crate) fn new(server: &Server) -> Self {
        Self::try_new(server.address).unwrap()
    }

    pub(crate) fn try_new(address: SocketAddr) -> io::Result<Self> {
        Ok(Self { address, connection: Connection::try_open(address)? })
    }

    /// `line` is method and path. An error if the server is gone.
    pub(crate) fn try_send(&mut self, line: &str, body: &str) -> io::Result<Reply> {
        let head =
            format!("{line} HTTP/1.1\r\nhost: {}\r\ncontent-length: {}\r\n\r\n", self.address, body.len());
        self.connection.try_send(format!("{head}{body}").as_bytes())?;
        self.connection.try_reply_to(line.split(' ').next().unwrap_or_default())
    }

    pub(crate) fn send(&mut self, line: &str, body: &Value) -> Reply {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        self.try_send(line, &body).unwrap()
    }

    /// What must work.
    pub(crate) fn call(&mut self, line: &str, body: Value) -> Value {
        let reply = self.send(line, &body);
        assert!(reply.status < 300, "{line} {body}: {} {}", reply.status, reply.body);
        reply.json()
    }

    pub(crate) fn get(&mut self, path: &str) -> Value {
        self.call(&format!("GET {path}"), Value::Null)
    }

    /// Everything on the active path, page by page.
    pub(crate) fn lines(&mut self, conversation: &str) -> Vec<Value> {
        let mut lines = Vec::new();
        let mut cursor = String::new();
        loop {
            let mut page = self.get(&format!("{conversation}/lines?limit=1000{cursor}"));
            lines.append(page["items"].as_array_mut().unwrap());
            match page["next"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => return lines,
            }
        }
    }

    /// All messages of a prompt in one text.
    pub(crate) fn recall(&mut self, world: &str, character: &str, conversation: &str) -> String {
        let cue = json!({"character": character, "conversation": conversation});
        let recall = self.call(&format!("POST {world}/recall"), cue);
        let messages = recall["messages"].as_array().unwrap().iter();
        messages.map(|message| message["content"].as_str().unwrap()).collect::<Vec<_>>().join("\n")
    }
}

/// At the usual level a log tells neither what was said nor by whom nor where, nor who may ask.
pub(crate) fn check_quiet(log: &str, forbidden: &[&str]) {
    assert!(log.contains("operation="), "nothing was logged: {log}");
    for text in forbidden.iter().chain(&["rv_"]) {
        // A short name stands in many a word.
        let is_name = text.bytes().all(|byte| byte.is_ascii_lowercase());
        let is_word = |line: &str| line.split(|c: char| !c.is_alphanumeric()).any(|word| word == *text);
        let line = log.lines().find(|line| if is_name { is_word(line) } else { line.contains(text) });
        assert_eq!(line, None, "the log tells {text:?}");
    }
}
