//! How is somebody else's request passed on to a model's server, and the answer passed back as it comes?
//!
//! Nothing is tried again, nothing is left alone and nothing is understood: whoever asks sees what the server does, as if it had been asked
//! directly. What is added is the key, if one is set up, and a limit on every wait. Two things are sent anew, both of which no model has
//! seen: what went into a connection that the server had closed (`transport`), and, until the address is understood (`way`), what the server
//! has no place for.

mod seen;
mod way;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use hyper::Method;
use hyper::body::Bytes;
use hyper::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};

use reverie_core::clock::Clock;

use crate::address::{Addresses, Api, in_path};
use crate::caller::{GEMINI_KEY, key_header};
use crate::endpoint::Endpoint;
use crate::error::Result;
use crate::transport::{Begun, Outgoing, Transport};
pub use seen::Seen;
use seen::Watch;
use way::{is_answer, is_nowhere, shows_the_way};

/// A server that requests are passed on to.
pub struct Upstream {
    addresses: Addresses,
    transport: Arc<Transport>,
    key: Option<(HeaderName, HeaderValue)>,
    between: Duration,
    /// Which of the address's ways a model has answered by. From then on no other is tried: a 404 is then the server's own word.
    way: OnceLock<usize>,
    watch: Watch,
}

/// How long an upstream is waited for. A whole answer may take as long as it goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Name look-up, connection and TLS handshake together.
    pub connect: Duration,
    /// From the sent request to the head of the answer.
    pub first_byte: Duration,
    /// From one piece of the answer to the next.
    pub between: Duration,
}

/// A request as it is to be sent.
#[derive(Debug, Clone)]
pub struct Passing {
    pub method: Method,
    /// Behind the base URL: `/chat/completions`.
    pub path: String,
    pub query: Option<String>,
    /// Without those of the connection (`host`, `content-length` …).
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// An answer that has begun.
pub struct Passed {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Coming,
}

/// The rest of an answer. Dropping it tells the server that nobody listens any more.
pub struct Coming {
    begun: Begun,
    between: Duration,
    watch: Watch,
}

/// As many connections are kept for the next request: chats come in bursts.
const MOST_IDLE: usize = 64;
/// A path of an API has no model in it; something must stand for it.
const NO_MODEL: &str = "-";

impl Upstream {
    /// `endpoint.limits` and `endpoint.retry` do not count here.
    pub fn new(
        endpoint: &Endpoint,
        patience: Patience,
        timeout_setting: &str,
        clock: Arc<dyn Clock>,
    ) -> Result<Self> {
        let addresses = Addresses::read(&endpoint.address, endpoint.api, NO_MODEL)?;
        let mut limits = endpoint.limits;
        limits.connect = patience.connect;
        limits.first_byte = patience.first_byte;
        let transport = Transport::new(
            addresses.origin.clone(),
            endpoint.proxy.clone(),
            endpoint.trusted_pem.as_deref(),
            limits,
            Some(timeout_setting.to_owned()),
        )?;
        let watch = Watch::new(clock, transport.server());
        Ok(Self {
            watch,
            addresses,
            transport: Arc::new(transport.keeping(MOST_IDLE)),
            key: key_header(endpoint)?,
            between: patience.between,
            way: OnceLock::new(),
        })
    }

    pub fn api(&self) -> Api {
        self.addresses.api
    }

    /// As errors name it.
    pub fn server(&self) -> String {
        self.transport.server()
    }

    /// How it did so far.
    pub fn seen(&self) -> Seen {
        self.watch.seen()
    }

    /// Where Gemini is asked this model for an answer, whole or as it comes: path and query.
    pub fn gemini_target(model: &str, is_streamed: bool) -> (String, Option<String>) {
        let name = model.trim_start_matches("models/");
        match is_streamed {
            true => (format!("/models/{}:streamGenerateContent", in_path(name)), Some("alt=sse".to_owned())),
            false => (format!("/models/{}:generateContent", in_path(name)), None),
        }
    }

    /// A client's key where Gemini wants it.
    pub fn gemini_headers(headers: &mut HeaderMap) {
        let bearer = headers.remove(AUTHORIZATION);
        let key = bearer.as_ref().and_then(|value| {
            let (scheme, key) = value.as_bytes().split_at_checked("bearer ".len())?;
            scheme.eq_ignore_ascii_case(b"bearer ").then(|| HeaderValue::from_bytes(key.trim_ascii()).ok())?
        });
        if let Some(mut key) = key {
            key.set_sensitive(true);
            headers.insert(GEMINI_KEY, key);
        }
    }

    /// True if it has a key of its own: then nobody else's goes there.
    pub fn has_key(&self) -> bool {
        self.key.is_some()
    }

    /// Until the head of the answer is there. Where the address leaves it open whether `/v1` belongs to it, no model has answered yet and
    /// the first way leads nowhere, the other is tried.
    pub async fn pass(&self, passing: Passing) -> Result<Passed> {
        let passed = self.pass_on(passing).await;
        match &passed {
            Ok(passed) => self.watch.answered(passed.status),
            Err(error) => self.watch.failed(error),
        }
        passed
    }

    async fn pass_on(&self, mut passing: Passing) -> Result<Passed> {
        if let Some((name, value)) = &self.key {
            for name in [AUTHORIZATION, GEMINI_KEY] {
                passing.headers.remove(name);
            }
            passing.headers.insert(name, value.clone());
        }
        if let Some(way) = self.way.get() {
            return Ok(self.passed(self.begin(&passing, *way).await?));
        }
        let first = self.begin(&passing, 0).await?;
        if !is_nowhere(&first) {
            return Ok(self.found(&passing, 0, first));
        }
        for way in 1..self.addresses.ways() {
            // A server that has the path and not the model says 404, too. What it says elsewhere counts for more only if it is an answer:
            // a page for people, or a door that is shut, is there for every path.
            if let Ok(other) = self.begin(&passing, way).await
                && is_answer(&passing, &other)
            {
                return Ok(self.found(&passing, way, other));
            }
        }
        Ok(self.passed(first))
    }

    fn found(&self, passing: &Passing, way: usize, begun: Begun) -> Passed {
        if shows_the_way(passing) && is_answer(passing, &begun) {
            // Whoever was faster has seen the same.
            self.way.get_or_init(|| way);
        }
        self.passed(begun)
    }

    async fn begin(&self, passing: &Passing, way: usize) -> Result<Begun> {
        let target = self.addresses.under(way, &passing.path, passing.query.as_deref());
        let outgoing = Outgoing {
            method: passing.method.clone(),
            target: &target,
            headers: &passing.headers,
            body: passing.body.clone(),
        };
        self.transport.begin(&outgoing).await
    }

    fn passed(&self, mut begun: Begun) -> Passed {
        let headers = std::mem::take(&mut begun.headers);
        let body = |begun: Begun| Coming { begun, between: self.between, watch: self.watch.clone() };
        Passed { status: begun.status, headers, body: body(begun) }
    }
}

impl Coming {
    /// How long it is, if the server said so.
    pub fn length(&self) -> Option<u64> {
        self.begun.length()
    }

    /// The next piece, as it came; None at the end.
    pub async fn next(&mut self) -> Option<Result<Bytes>> {
        let next = self.begun.next(self.between).await;
        if let Some(Err(error)) = &next {
            self.watch.failed(error);
        }
        next
    }

    /// All of it, if it is no longer than this; None where it is, or where it breaks off.
    pub async fn whole(mut self, most: usize) -> Option<Vec<u8>> {
        let mut all = Vec::new();
        while let Some(piece) = self.next().await {
            all.extend_from_slice(&piece.ok()?);
            if all.len() > most {
                return None;
            }
        }
        Some(all)
    }
}
