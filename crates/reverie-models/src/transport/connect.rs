//! How is a connection made, straight or through a proxy, plain or with TLS?

use std::io;

use http_body_util::{Empty, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1::{self, SendRequest};
use hyper::header::{HOST, HeaderValue, PROXY_AUTHORIZATION};
use hyper::{Method, Request, Uri};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, lookup_host};
use tokio::time::{Instant, timeout_at};

use super::proxy::Proxy;
use super::tls::Tls;
use crate::address::Origin;
use crate::error::{Error, Kind, Result};

pub(super) struct Connector {
    origin: Origin,
    proxy: Option<Proxy>,
    /// None: plain.
    tls: Option<Tls>,
}

pub(super) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

impl Connector {
    pub(super) fn new(origin: &Origin, proxy: Option<Proxy>, trusted_pem: Option<&str>) -> Result<Self> {
        let tls = if origin.is_https { Some(Tls::new(&origin.host, trusted_pem)?) } else { None };
        Ok(Self { origin: origin.clone(), proxy, tls })
    }

    /// A plain proxy needs to know where it goes on to.
    pub(super) fn request_target(&self, target: &str) -> String {
        match (&self.proxy, &self.tls) {
            (Some(_), None) => format!("http://{}{target}", self.origin.authority()),
            _ => target.to_owned(),
        }
    }

    /// For requests that the proxy reads itself; inside a tunnel it would reach the model's server.
    pub(super) fn proxy_authorization(&self) -> Option<HeaderValue> {
        if self.tls.is_some() { None } else { self.proxy.as_ref()?.authorization() }
    }

    /// Must be done by then; the caller sees to it, too.
    pub(super) async fn connect(&self, until: Instant) -> Result<SendRequest<Full<Bytes>>> {
        let stream: Box<dyn Stream> = match &self.proxy {
            None => Box::new(self.dial(&self.origin.host, self.origin.port, until).await?),
            Some(proxy) => {
                let stream = self.dial(&proxy.host, proxy.port, until).await?;
                if self.tls.is_some() { self.tunnel(proxy, stream).await? } else { Box::new(stream) }
            }
        };
        let stream = match &self.tls {
            Some(tls) => tls.wrap(stream, &self.origin.authority()).await?,
            None => stream,
        };
        let (sender, connection) =
            http1::handshake(TokioIo::new(stream)).await.map_err(|_| self.no_handshake())?;
        // Ends with the last use of `sender`, or with the connection.
        tokio::spawn(async move {
            if connection.await.is_err() {
                tracing::trace!("a connection to a model ended early");
            }
        });
        Ok(sender)
    }

    /// Each address gets a fair part of the time: one that swallows packets must not take it all. Looking up a name (not
    /// a number) takes one of the runtime's blocking threads for as long as the machine's resolver needs.
    async fn dial(&self, host: &str, port: u16, until: Instant) -> Result<TcpStream> {
        let addresses: Vec<_> = match lookup_host((host, port)).await {
            Ok(addresses) => addresses.collect(),
            Err(_) => Vec::new(),
        };
        if addresses.is_empty() {
            return Err(Error::new(Kind::Unreachable, format!("there is no host named {host}"))
                .hint("check the address for typing errors, and the machine's network and name service"));
        }
        let mut last = None;
        for (tried, address) in addresses.iter().enumerate() {
            let left = until.saturating_duration_since(Instant::now());
            let share = left / u32::try_from(addresses.len() - tried).unwrap_or(u32::MAX).max(1);
            match timeout_at(Instant::now() + share, TcpStream::connect(address)).await {
                Ok(Ok(stream)) => {
                    // A request is written at once; waiting for more of it only costs time.
                    if stream.set_nodelay(true).is_err() {
                        tracing::trace!("a connection keeps small packets back");
                    }
                    return Ok(stream);
                }
                Ok(Err(error)) => last = Some(error),
                Err(_) => {}
            }
        }
        Err(unreachable(host, port, last.as_ref()))
    }

    /// Asks a proxy to pass bytes on.
    async fn tunnel(&self, proxy: &Proxy, stream: TcpStream) -> Result<Box<dyn Stream>> {
        let refused = |why: String| {
            let message = format!(
                "the proxy {}:{} makes no way to {}: {why}",
                proxy.host,
                proxy.port,
                self.origin.authority()
            );
            Error::new(Kind::Unreachable, message).hint("check the proxy's address, user name and password")
        };
        let broke = |_| refused("it broke off".to_owned());
        let (mut sender, connection) =
            http1::handshake::<_, Empty<Bytes>>(TokioIo::new(stream)).await.map_err(broke)?;
        tokio::spawn(connection.with_upgrades());
        let target = self.origin.host_and_port();
        let mut request = Request::new(Empty::new());
        *request.method_mut() = Method::CONNECT;
        *request.uri_mut() = target.parse::<Uri>().map_err(|_| refused("it has no such name".to_owned()))?;
        if let Ok(host) = HeaderValue::try_from(target) {
            request.headers_mut().insert(HOST, host);
        }
        if let Some(authorization) = proxy.authorization() {
            request.headers_mut().insert(PROXY_AUTHORIZATION, authorization);
        }
        let response = sender.send_request(request).await.map_err(broke)?;
        if !response.status().is_success() {
            return Err(refused(format!("it answered {}", response.status().as_u16())));
        }
        let upgraded = hyper::upgrade::on(response).await.map_err(broke)?;
        Ok(Box::new(TokioIo::new(upgraded)))
    }

    fn no_handshake(&self) -> Error {
        Error::new(Kind::Unreachable, format!("{} closed the connection at once", self.origin.authority()))
            .hint("check the port, and whether the address begins with https:// or http://")
    }
}

fn unreachable(host: &str, port: u16, error: Option<&io::Error>) -> Error {
    let why = match error.map(io::Error::kind) {
        Some(io::ErrorKind::ConnectionRefused) => "nobody listens there",
        Some(io::ErrorKind::NetworkUnreachable | io::ErrorKind::HostUnreachable) => "no way leads there",
        Some(_) => "the connection failed",
        None => "it does not answer",
    };
    Error::new(Kind::Unreachable, format!("{host}:{port} cannot be reached: {why}"))
        .hint("see whether the model's server runs, and check host and port of its address")
}
