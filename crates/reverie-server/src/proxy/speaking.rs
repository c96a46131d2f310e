//! How does a program of ours that is no client hear a model speak, word by word?

use std::time::Duration;

use hyper::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue};
use reverie_core::{Code, Error, Result};
use serde_json::{Value, json};

use super::chat::{Begun, begin_at, echoed};
use super::echo;
use super::source::Source;
use super::tap::Tap;
use super::thoughts::{beginning, begun_end};
use super::upstreams::Upstreams;
use crate::http::outgoing::Outgoing;
use crate::settings::Forwarding;

/// Models behind the configured upstreams, or `echo` where there are none.
pub(crate) struct Speaker {
    upstreams: Upstreams,
}

/// What is being said.
pub(crate) struct Speech {
    source: Source,
    tap: Tap,
    /// Where the words begin; None while it may all be a thought.
    begin: Option<usize>,
    /// Up to which byte they were given away.
    given: usize,
    is_over: bool,
}

/// A piece of what is said.
pub(crate) struct Spoken {
    pub(crate) words: String,
    /// True if all that was given away before turns out to be a thought: nothing had opened it.
    pub(crate) was_thought: bool,
}

/// A piece of an error page is enough.
const MOST_OF_A_REFUSAL: usize = 64 << 10;
const SHOWN_OF_A_REFUSAL: usize = 300;

impl Speaker {
    pub(crate) fn new(settings: &Forwarding) -> Result<Self> {
        Ok(Self { upstreams: Upstreams::new(settings)? })
    }

    /// True if nobody but `echo` is there.
    pub(crate) fn is_echo(&self) -> bool {
        self.upstreams.is_empty()
    }

    /// Until the answer begins.
    pub(crate) async fn speak(&self, model: &str, messages: &[Value]) -> Result<Speech> {
        let request = json!({"model": model, "messages": messages, "stream": true}).to_string();
        let (name, begun) = match self.upstreams.of_model(model, None) {
            None => (echo::NAME, echoed(request.as_bytes())),
            Some(server) => {
                let mut headers = HeaderMap::new();
                headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
                headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
                let begun = begin_at(&server.upstream, None, &headers, request.into(), true).await;
                (server.name.as_str(), begun)
            }
        };
        let Begun { status, headers, mut source } = match begun {
            Ok(begun) => begun,
            Err(instead) => {
                let said = if let Outgoing::Whole(said) = &instead.body { &said[..] } else { b"" };
                return Err(refused(name, instead.status, said));
            }
        };
        if status != 200 {
            let mut said = Vec::new();
            while let Some(Ok(piece)) = source.next().await {
                said.extend_from_slice(&piece);
                if said.len() > MOST_OF_A_REFUSAL {
                    break;
                }
            }
            return Err(refused(name, status, &said));
        }
        Ok(Speech::new(status, &headers, source))
    }
}

fn refused(server: &str, status: u16, body: &[u8]) -> Error {
    let said: Option<Value> = serde_json::from_slice(body).ok();
    let of_api = said.as_ref().and_then(|said| {
        said.pointer("/error/message").or_else(|| said.get("message")).or_else(|| said.get("error"))?.as_str()
    });
    let text = of_api.map_or_else(|| String::from_utf8_lossy(body).into_owned(), str::to_owned);
    let text: String = text.trim().chars().take(SHOWN_OF_A_REFUSAL).collect();
    let hint = match status {
        401 | 403 => "set upstream.key (REVERIE_UPSTREAM_KEY)",
        404 => "name a model that it has with --model, and see upstream.url",
        502 | 504 => "see whether it runs, and upstream.url (`reverie config` shows it)",
        429 => "it wants fewer requests; try again later",
        _ => "what it says is all that is known",
    };
    Error::new(Code::Unavailable, format!("{server} refuses ({status}): {text}")).hint(hint)
}

impl Speech {
    fn new(status: u16, headers: &HeaderMap, source: Source) -> Self {
        Self { source, tap: Tap::new(status, headers), begin: None, given: 0, is_over: false }
    }

    /// The next words; None at the end. An error if it broke off: what was said until then stays said.
    pub(crate) async fn next(&mut self) -> Option<Result<Spoken>> {
        loop {
            if self.is_over {
                return None;
            }
            match self.source.next().await {
                Some(Ok(piece)) => {
                    self.tap.take(&piece);
                    if let Some(spoken) = self.new_words() {
                        return Some(Ok(spoken));
                    }
                }
                None => {
                    self.is_over = true;
                    self.tap.end();
                    return self.new_words().map(Ok);
                }
                Some(Err(error)) => {
                    self.is_over = true;
                    let broken = format!("the answer broke off: {}", error.message());
                    return Some(Err(Error::new(Code::Unavailable, broken)));
                }
            }
        }
    }

    fn new_words(&mut self) -> Option<Spoken> {
        let said = self.tap.words();
        let begin = beginning(said, self.is_over)?;
        let was_thought = self.begin.is_some_and(|before| before != begin);
        if self.begin != Some(begin) {
            (self.begin, self.given) = (Some(begin), begin);
        }
        let held_back = if self.is_over { 0 } else { begun_end(said) };
        let words = said.get(self.given..said.len() - held_back).unwrap_or_default().to_owned();
        self.given += words.len();
        (was_thought || !words.is_empty()).then_some(Spoken { words, was_thought })
    }
}

/// `echo` says all at once; people should see what a stream looks like.
pub(crate) const ECHO_PAUSE: Duration = Duration::from_millis(15);
