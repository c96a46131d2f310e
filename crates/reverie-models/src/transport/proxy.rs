//! Through which proxy do requests go? Only through one that was configured: the environment is not read here.

use std::fmt;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use hyper::Uri;
use hyper::header::HeaderValue;

use crate::error::{Error, Result};
use crate::secret::HIDDEN;

/// An HTTP proxy: plain requests are handed to it, others pass through it in a tunnel.
#[derive(Clone, PartialEq, Eq)]
pub struct Proxy {
    pub(super) host: String,
    pub(super) port: u16,
    /// `user:password`.
    credentials: Option<String>,
}

impl Proxy {
    /// Reads `http://host:port` or `http://user:password@host:port`.
    pub fn new(address: &str) -> Result<Self> {
        let wrong = || {
            Error::invalid("the proxy's address cannot be used")
                .hint("write it like http://127.0.0.1:7890; other kinds than HTTP proxies are not supported")
        };
        let address = address.trim();
        let address = if address.contains("://") { address.to_owned() } else { format!("http://{address}") };
        let uri: Uri = address.parse().map_err(|_| wrong())?;
        let authority = uri.authority().filter(|_| uri.scheme_str() == Some("http")).ok_or_else(wrong)?;
        let host = authority.host().trim_start_matches('[').trim_end_matches(']').to_owned();
        let credentials = authority.as_str().rsplit_once('@').map(|(credentials, _)| decoded(credentials));
        if host.is_empty() {
            return Err(wrong());
        }
        Ok(Self { host, port: authority.port_u16().unwrap_or(80), credentials })
    }

    pub(super) fn authorization(&self) -> Option<HeaderValue> {
        let encoded = BASE64_STANDARD.encode(self.credentials.as_ref()?);
        let mut value = HeaderValue::try_from(format!("Basic {encoded}")).ok()?;
        value.set_sensitive(true);
        Some(value)
    }

    /// What must not be shown.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = String> {
        let credentials = self.credentials.clone();
        let password = credentials.as_ref().and_then(|both| Some(both.split_once(':')?.1.to_owned()));
        let encoded = credentials.map(|both| BASE64_STANDARD.encode(both));
        [password, encoded].into_iter().flatten()
    }
}

/// `%40` and such, which a password needs inside an address.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = after.get(..2).filter(|_| *first == b'%').and_then(|two| std::str::from_utf8(two).ok());
        match code.and_then(|two| u8::from_str_radix(two, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

impl fmt::Debug for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let credentials = if self.credentials.is_some() { format!("{HIDDEN}@") } else { String::new() };
        write!(f, "http://{credentials}{}:{}", self.host, self.port)
    }
}
