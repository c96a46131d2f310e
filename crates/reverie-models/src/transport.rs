//! How does one request get its answer, with a limit on every wait?
//!
//! HTTP/1.1 to one origin, straight or through a configured proxy. Connections that are still good are used again: on the
//! reply path a handshake would cost more than the answer. Redirects are not followed, because the key would go along.

mod connect;
mod passing;
mod proxy;
mod tls;

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1::SendRequest;
use hyper::header::{CONTENT_LENGTH, HOST, HeaderMap, HeaderValue, PROXY_AUTHORIZATION, USER_AGENT};
use hyper::{Method, Request, Response};
use tokio::time::{Instant, timeout_at};

use self::connect::Connector;
pub(crate) use self::passing::Begun;
pub use self::proxy::Proxy;
use crate::address::Origin;
use crate::error::{Error, Kind, Result};

/// How long to wait for what, and how much to take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Name look-up, connection and TLS handshake together.
    pub connect: Duration,
    /// From the sent request to the head of the answer. Models that do not stream think before it.
    pub first_byte: Duration,
    /// One try, from beginning to end.
    pub whole: Duration,
    pub response_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            first_byte: Duration::from_secs(120),
            whole: Duration::from_secs(180),
            response_bytes: 16 << 20,
        }
    }
}

pub(crate) struct Transport {
    origin: Origin,
    connector: Connector,
    limits: Limits,
    /// The setting with which whoever runs us can give it more time.
    timeout: Option<String>,
    idle: Mutex<Vec<Idle>>,
    most_idle: usize,
}

struct Idle {
    sender: Sender,
    since: Instant,
}

type Sender = SendRequest<Full<Bytes>>;

/// What is sent. The body is shared between tries.
pub(crate) struct Outgoing<'r> {
    pub(crate) method: Method,
    /// Path and query.
    pub(crate) target: &'r str,
    pub(crate) headers: &'r HeaderMap,
    pub(crate) body: Bytes,
}

/// What came back, whatever its status.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

const MOST_IDLE: usize = 4;
/// Servers and what stands before them close idle connections after a minute or so, some sooner.
const IDLE_FOR: Duration = Duration::from_secs(20);
/// A server that had closed a connection says so within a round trip to the other end of the world. No model has said anything by then.
const AT_ONCE: Duration = Duration::from_secs(1);

impl Transport {
    pub(crate) fn new(
        origin: Origin,
        proxy: Option<Proxy>,
        trusted_pem: Option<&str>,
        limits: Limits,
        timeout: Option<String>,
    ) -> Result<Self> {
        let connector = Connector::new(&origin, proxy, trusted_pem)?;
        Ok(Self { origin, connector, limits, timeout, idle: Mutex::default(), most_idle: MOST_IDLE })
    }

    /// For whoever asks for many at once.
    pub(crate) fn keeping(mut self, most_idle: usize) -> Self {
        self.most_idle = most_idle;
        self
    }

    /// As errors name the server.
    pub(crate) fn server(&self) -> String {
        self.origin.authority()
    }

    /// One try, within this time and the limits.
    pub(crate) async fn exchange(&self, outgoing: &Outgoing<'_>, within: Duration) -> Result<Reply> {
        let end = Instant::now() + self.limits.whole.min(within);
        let (response, sender) = self.ask(outgoing, end).await?;
        match timeout_at(end, self.read(response)).await {
            Ok(Ok(reply)) => {
                self.keep(sender);
                Ok(reply)
            }
            Ok(Err(error)) => Err(error),
            Err(_) => Err(self.timed_out("the answer did not end")),
        }
    }

    /// Until the head of the answer is there.
    async fn ask(&self, outgoing: &Outgoing<'_>, end: Instant) -> Result<(Response<Incoming>, Sender)> {
        if let Some(sender) = self.take_idle() {
            match self.ask_on(sender, outgoing, end).await {
                // The server has closed it meanwhile. That tells nothing of the server.
                Err(Failure::Closed(_)) => {}
                other => return other.map_err(Failure::into_error),
            }
        }
        let until = end.min(Instant::now() + self.limits.connect);
        let connecting = self.connector.connect(until);
        let sender = match timeout_at(until, connecting).await {
            Ok(sender) => sender?,
            Err(_) => return Err(self.timed_out("no connection was made")),
        };
        self.ask_on(sender, outgoing, end).await.map_err(Failure::into_error)
    }

    async fn ask_on(
        &self,
        mut sender: Sender,
        outgoing: &Outgoing<'_>,
        end: Instant,
    ) -> Result<(Response<Incoming>, Sender), Failure> {
        let until = end.min(Instant::now() + self.limits.first_byte);
        let request = self.request(outgoing).map_err(Failure::Final)?;
        let ready = timeout_at(until, sender.ready()).await;
        match ready {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(Failure::Closed(self.broken(&error))),
            Err(_) => return Err(Failure::Final(self.timed_out("no answer began"))),
        }
        let sent = Instant::now();
        match timeout_at(until, sender.try_send_request(request)).await {
            Ok(Ok(response)) => Ok((response, sender)),
            Ok(Err(error)) => {
                let is_answered = error.error().is_parse();
                let is_unsent = error.message().is_some();
                let error = self.broken(error.error());
                // A server that takes a request and works on it may have asked a model, and somebody pays for that.
                let was_closed = is_unsent || (!is_answered && sent.elapsed() < AT_ONCE);
                Err(if was_closed { Failure::Closed(error) } else { Failure::Final(error) })
            }
            Err(_) => Err(Failure::Final(self.timed_out("no answer began"))),
        }
    }

    fn request(&self, outgoing: &Outgoing<'_>) -> Result<Request<Full<Bytes>>> {
        let mut request = Request::new(Full::new(outgoing.body.clone()));
        *request.method_mut() = outgoing.method.clone();
        let target = self.connector.request_target(outgoing.target);
        *request.uri_mut() =
            target.parse().map_err(|_| Error::invalid("the model's address makes no URL"))?;
        let headers = request.headers_mut();
        headers.extend(outgoing.headers.clone());
        // Whoever is passed on keeps its own name.
        headers
            .entry(USER_AGENT)
            .or_insert(HeaderValue::from_static(concat!("reverie/", env!("CARGO_PKG_VERSION"))));
        if let Ok(host) = HeaderValue::try_from(self.origin.authority()) {
            headers.insert(HOST, host);
        }
        if let Some(authorization) = self.connector.proxy_authorization() {
            headers.insert(PROXY_AUTHORIZATION, authorization);
        }
        Ok(request)
    }

    async fn read(&self, response: Response<Incoming>) -> Result<Reply> {
        let (head, mut body) = response.into_parts();
        let announced =
            head.headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        if announced.is_some_and(|length: usize| length > self.limits.response_bytes) {
            return Err(self.too_large());
        }
        let mut read: Vec<u8> = Vec::new();
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|_| self.cut())?;
            let Ok(data) = frame.into_data() else { continue };
            if read.len() + data.len() > self.limits.response_bytes {
                return Err(self.too_large());
            }
            read.extend_from_slice(&data);
        }
        Ok(Reply { status: head.status.as_u16(), headers: head.headers, body: read.into() })
    }

    fn take_idle(&self) -> Option<Sender> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain(|kept| !kept.sender.is_closed() && kept.since.elapsed() < IDLE_FOR);
        idle.pop().map(|kept| kept.sender)
    }

    fn keep(&self, sender: Sender) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if !sender.is_closed() && idle.len() < self.most_idle {
            idle.push(Idle { sender, since: Instant::now() });
        }
    }

    fn timed_out(&self, what: &str) -> Error {
        let hint = match &self.timeout {
            Some(setting) => {
                format!("see whether the server is busy or still loading the model, or raise {setting}")
            }
            None => "see whether the server is up, busy or still loading the model".to_owned(),
        };
        Error::new(Kind::TimedOut, format!("{} took too long: {what}", self.server())).hint(hint)
    }

    fn broken(&self, error: &hyper::Error) -> Error {
        if error.is_parse() {
            let message = format!("what listens at {} does not speak HTTP as expected", self.server());
            return Error::new(Kind::Unreachable, message)
                .hint("check the port, and whether the address begins with https:// or http://");
        }
        self.cut()
    }

    fn cut(&self) -> Error {
        Error::new(Kind::Cut, format!("the answer of {} broke off", self.server()))
            .hint("the server, or a proxy before it, closed the connection; its log may say why")
    }

    fn too_large(&self) -> Error {
        let limit = self.limits.response_bytes;
        Error::new(Kind::TooLarge, format!("the answer of {} is larger than {limit} bytes", self.server()))
            .hint("check that the address is that of a model; else ask for less")
    }
}

enum Failure {
    /// Nothing went out, or what did met a closed door. On a connection that was used before it means little.
    Closed(Error),
    Final(Error),
}

impl Failure {
    fn into_error(self) -> Error {
        match self {
            Self::Closed(error) | Self::Final(error) => error,
        }
    }
}
