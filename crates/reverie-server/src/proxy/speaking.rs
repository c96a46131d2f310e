//! How does a program of ours that is no client hear a model speak, word by word?

use std::time::Duration;

use hyper::Method;
use hyper::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue};
use reverie::SystemClock;
use reverie_core::clock::Clock as _;
use reverie_core::{Code, Error, Result};
use reverie_models::{Passed, Passing};
use serde_json::{Value, json};

use super::echo;
use super::source::Source;
use super::tap::{Heard, Tap};
use super::upstreams::Upstreams;
use crate::settings::Forwarding;

/// Models behind the configured upstreams, or `echo` where there are none.
pub(crate) struct Speaker {
    upstreams: Upstreams,
}

/// What is being said.
pub(crate) struct Speech {
    source: Source,
    tap: Tap,
    /// Bytes of it that were given away.
    given: usize,
    is_over: bool,
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
        let request = json!({"model": model, "messages": messages, "stream": true});
        let Some(server) = self.upstreams.of_model(model, None) else {
            let now_ms = SystemClock.now_ms();
            let (headers, source) = echo::answer(&request, now_ms / 1000, "chatcmpl-echo");
            return Ok(Speech::new(200, &headers, source));
        };
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
        let passing = Passing {
            method: Method::POST,
            path: "/chat/completions".to_owned(),
            query: None,
            headers,
            body: request.to_string().into(),
        };
        let passed = server.upstream.pass(passing).await;
        let Passed { status, headers, body } = passed.map_err(|error| {
            Error::new(Code::Unavailable, format!("{}: {}", server.name, error.message()))
                .hint("see whether it runs, and upstream.url (`reverie config` shows it)")
        })?;
        if status != 200 {
            let said = body.whole(MOST_OF_A_REFUSAL).await.unwrap_or_default();
            return Err(refused(&server.name, status, &said));
        }
        Ok(Speech::new(status, &headers, Source::Upstream(Box::new(body))))
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
        429 => "it wants fewer requests; try again later",
        _ => "what it says is all that is known",
    };
    Error::new(Code::Unavailable, format!("{server} refuses ({status}): {text}")).hint(hint)
}

impl Speech {
    fn new(status: u16, headers: &HeaderMap, source: Source) -> Self {
        Self { source, tap: Tap::new(status, headers), given: 0, is_over: false }
    }

    /// The next words; None at the end. An error if it broke off: what was said until then stays said.
    pub(crate) async fn next(&mut self) -> Option<Result<String>> {
        loop {
            if self.is_over {
                return None;
            }
            match self.source.next().await {
                Some(Ok(piece)) => {
                    self.tap.take(&piece);
                    let heard = self.tap.so_far();
                    if let Some(words) = self.new_words(&heard) {
                        return Some(Ok(words));
                    }
                }
                None => {
                    self.is_over = true;
                    let heard = self.tap.end();
                    return self.new_words(&heard).map(Ok);
                }
                Some(Err(error)) => {
                    self.is_over = true;
                    let broken = format!("the answer broke off: {}", error.message());
                    return Some(Err(Error::new(Code::Unavailable, broken)));
                }
            }
        }
    }

    fn new_words(&mut self, heard: &Heard) -> Option<String> {
        let words = heard.text.get(self.given..).filter(|words| !words.is_empty())?.to_owned();
        self.given = heard.text.len();
        Some(words)
    }
}

/// `echo` says all at once; people should see what a stream looks like.
pub(crate) const ECHO_PAUSE: Duration = Duration::from_millis(15);
