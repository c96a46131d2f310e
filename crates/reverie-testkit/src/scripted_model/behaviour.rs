//! What can a server do with a request, besides answering it?

use std::io::{self, Write};
use std::net::TcpStream;
use std::time::Duration;

use super::shape::{answer, events};
use super::wire::{Seen, wait_for_the_end, write_chunk, write_head, write_whole};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Behaviour {
    /// Chat: `{"ok": true}`; embeddings and lists of models as they should be; 404 elsewhere.
    Perfect,
    /// Perfect, with this text and reason to finish (as OpenAI names it).
    Says { text: String, finish: String },
    /// Perfect, after a while.
    Slow(Duration),
    /// The other one, after a while.
    Later { pause: Duration, then: Box<Self> },
    /// Never answers.
    Hang,
    /// Begins an answer and never goes on.
    HangInBody,
    /// Any status, headers and body.
    Answers { status: u16, headers: Vec<(String, String)>, body: String },
    /// Says this, as events, although nobody asked for them.
    Streams(String),
    /// The same, and closes the connection in the middle.
    CutStream(String),
    /// Exactly these pieces, one after the other, as a stream of events; and then?
    Pieces { pieces: Vec<String>, end: End },
    /// Promises a whole answer and closes the connection in the middle.
    CutBody,
    /// So many bytes, announced or not.
    Huge { bytes: usize, is_announced: bool },
    /// Closes the connection without a word.
    HangUp,
    /// Something that is no HTTP.
    Babbles,
}

/// How a stream ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// As it should.
    Whole,
    /// The connection is closed.
    Cut,
    /// Nothing more comes.
    Hang,
}

impl Behaviour {
    pub fn says(text: &str) -> Self {
        Self::Says { text: text.to_owned(), finish: "stop".to_owned() }
    }

    /// Breaks off for want of tokens.
    pub fn says_until_its_limit(text: &str) -> Self {
        Self::Says { text: text.to_owned(), finish: "length".to_owned() }
    }

    /// Takes its time.
    pub fn later(self, pause: Duration) -> Self {
        Self::Later { pause, then: Box::new(self) }
    }

    pub fn in_code_fences(json: &str) -> Self {
        Self::says(&format!("Sure! Here it is:\n\n```json\n{json}\n```\nAnything else?"))
    }

    /// This text as events, each with a part of it, as OpenAI sends them; and then?
    pub fn tells(parts: &[&str], end: End) -> Self {
        let event = |part: &&str| {
            let choice =
                serde_json::json!({ "index": 0, "delta": { "content": part }, "finish_reason": null });
            format!(
                "data: {}\n\n",
                serde_json::json!({ "object": "chat.completion.chunk", "choices": [choice] })
            )
        };
        let mut pieces: Vec<String> = parts.iter().map(event).collect();
        if end == End::Whole {
            pieces.push("data: [DONE]\n\n".to_owned());
        }
        Self::Pieces { pieces, end }
    }

    pub fn status(status: u16, body: &str) -> Self {
        Self::Answers { status, headers: Vec::new(), body: body.to_owned() }
    }

    /// 200, and this instead of an answer.
    pub fn body(body: &str) -> Self {
        Self::status(200, body)
    }

    /// An error as OpenAI words it.
    pub fn refuses(status: u16, code: &str, message: &str) -> Self {
        let error = serde_json::json!({ "error": { "message": message, "type": "scripted", "code": code } });
        Self::status(status, &error.to_string())
    }

    /// 429 with this `Retry-After`.
    pub fn too_many(retry_after: &str) -> Self {
        Self::status(429, r#"{"error":{"message":"slow down","code":"rate_limit_exceeded"}}"#)
            .with_header("retry-after", retry_after)
    }

    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        if let Self::Answers { headers, .. } = &mut self {
            headers.push((name.to_owned(), value.to_owned()));
        }
        self
    }

    /// False if the connection is to be closed.
    pub(super) fn perform(&self, seen: &Seen, stream: &mut TcpStream) -> io::Result<bool> {
        match self {
            Self::Perfect => perfect(seen, stream, r#"{"ok": true}"#, "stop"),
            Self::Says { text, finish } => perfect(seen, stream, text, finish),
            Self::Slow(pause) => {
                std::thread::sleep(*pause);
                Self::Perfect.perform(seen, stream)
            }
            Self::Later { pause, then } => {
                std::thread::sleep(*pause);
                then.perform(seen, stream)
            }
            Self::Hang => wait_for_the_end(stream).map(|()| false),
            Self::HangInBody => {
                write_head(stream, 200, &[], 1000)?;
                stream.write_all(b"{\"choices\":[{")?;
                wait_for_the_end(stream).map(|()| false)
            }
            Self::Answers { status, headers, body } => {
                write_whole(stream, *status, headers, body).map(|()| true)
            }
            Self::Streams(text) => {
                stream_head(stream)?;
                for event in events(seen, text) {
                    write_chunk(stream, &event)?;
                }
                write_chunk(stream, "data: [DONE]\n\n")?;
                stream.write_all(b"0\r\n\r\n").map(|()| true)
            }
            Self::CutStream(text) => {
                stream_head(stream)?;
                let events = events(seen, text);
                let half = events.len() / 2;
                for event in events.iter().take(half) {
                    write_chunk(stream, event)?;
                }
                // Properly ended for HTTP: only the events tell that something is missing.
                stream.write_all(b"0\r\n\r\n").map(|()| false)
            }
            Self::Pieces { pieces, end } => {
                stream_head(stream)?;
                for piece in pieces {
                    write_chunk(stream, piece)?;
                }
                match end {
                    End::Whole => stream.write_all(b"0\r\n\r\n").map(|()| true),
                    End::Cut => Ok(false),
                    End::Hang => wait_for_the_end(stream).map(|()| false),
                }
            }
            Self::CutBody => {
                let body =
                    answer(seen, r#"{"ok": true}"#, "stop").map_or_else(String::new, |body| body.to_string());
                write_head(stream, 200, &[], body.len())?;
                let half = body.get(..body.len() / 2).unwrap_or_default();
                stream.write_all(half.as_bytes()).map(|()| false)
            }
            Self::Huge { bytes, is_announced } => huge(stream, *bytes, *is_announced),
            Self::HangUp => Ok(false),
            Self::Babbles => stream.write_all(b"SSH-2.0-scripted\r\n").map(|()| false),
        }
    }
}

fn perfect(seen: &Seen, stream: &mut TcpStream, text: &str, finish: &str) -> io::Result<bool> {
    match answer(seen, text, finish) {
        Some(body) => write_whole(stream, 200, &[], &body.to_string())?,
        None => write_whole(stream, 404, &[], r#"{"detail":"Not Found"}"#)?,
    }
    Ok(true)
}

fn stream_head(stream: &mut TcpStream) -> io::Result<()> {
    stream.write_all(
        b"HTTP/1.1 200 Scripted\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n",
    )
}

fn huge(stream: &mut TcpStream, bytes: usize, is_announced: bool) -> io::Result<bool> {
    let piece = "x".repeat(8192);
    if is_announced {
        write_head(stream, 200, &[], bytes)?;
    } else {
        stream_head(stream)?;
    }
    let mut left = bytes;
    while left > 0 {
        let part = piece.get(..left.min(piece.len())).unwrap_or_default();
        if is_announced {
            stream.write_all(part.as_bytes())?;
        } else {
            write_chunk(stream, part)?;
        }
        left -= part.len();
    }
    Ok(false)
}
