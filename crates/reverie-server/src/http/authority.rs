//! Whom does a `Host` or an `Origin` name, and do two of them name the same?
//!
//! Reads only what browsers and honest clients write. Everything cleverer (`127.1`, `0x7f000001`, `user@host`) is a
//! plain name at best, and so belongs to no list.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

/// `host[:port]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Authority {
    pub(crate) host: HostName,
    pub(crate) port: Option<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum HostName {
    /// Lower case, without the root's dot.
    Name(String),
    Address(IpAddr),
}

impl Authority {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if let Some(rest) = text.strip_prefix('[') {
            let (address, rest) = rest.split_once(']')?;
            let host = HostName::Address(canonical(IpAddr::V6(address.parse::<Ipv6Addr>().ok()?)));
            return Some(Self { host, port: parse_port(rest)? });
        }
        let (host, port) = text.split_at(text.find(':').unwrap_or(text.len()));
        Some(Self { host: HostName::parse(host)?, port: parse_port(port)? })
    }

    /// The error says what would be right.
    pub(crate) fn parse_setting(text: &str) -> Result<Self, String> {
        // In settings, an IPv6 address may go without its brackets.
        let address = text
            .parse::<Ipv6Addr>()
            .ok()
            .map(|address| Self { host: HostName::Address(canonical(address.into())), port: None });
        address.or_else(|| Self::parse(text)).ok_or_else(|| {
            "write a host name or address without http://, such as memory.local or memory.local:7878"
                .to_owned()
        })
    }
}

impl HostName {
    fn parse(text: &str) -> Option<Self> {
        if let Ok(address) = text.parse() {
            return Some(Self::Address(canonical(IpAddr::V4(address))));
        }
        let name = text.strip_suffix('.').unwrap_or(text);
        let legal = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        let legal = name.bytes().all(legal) && name.split('.').all(|label| !label.is_empty());
        legal.then(|| Self::Name(name.to_ascii_lowercase()))
    }

    pub(crate) fn is_loopback(&self) -> bool {
        match self {
            Self::Name(name) => name == "localhost",
            Self::Address(address) => address.is_loopback(),
        }
    }
}

/// What follows the host: nothing, `:`, or `:port`.
fn parse_port(text: &str) -> Option<Option<u16>> {
    match text.strip_prefix(':') {
        None => text.is_empty().then_some(None),
        Some("") => Some(None),
        Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => Some(Some(digits.parse().ok()?)),
        Some(_) => None,
    }
}

/// `::ffff:127.0.0.1` is 127.0.0.1.
pub(crate) fn canonical(address: IpAddr) -> IpAddr {
    address.to_canonical()
}

impl fmt::Display for Authority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.host {
            HostName::Name(name) => f.write_str(name)?,
            HostName::Address(IpAddr::V4(address)) => write!(f, "{address}")?,
            HostName::Address(IpAddr::V6(address)) => write!(f, "[{address}]")?,
        }
        self.port.map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}

/// What a browser writes into `Origin`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum WebOrigin {
    /// Sandboxed frames, local files.
    Null,
    /// `http` and `https`; the port is always there.
    Web { https: bool, host: HostName, port: u16 },
    /// `tauri://localhost`, `chrome-extension://…`: compared as text, in lower case.
    Other(String),
}

impl WebOrigin {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if text == "null" {
            return Some(Self::Null);
        }
        let (scheme, rest) = text.split_once("://")?;
        let scheme = scheme.to_ascii_lowercase();
        let https = match scheme.as_str() {
            "http" => false,
            "https" => true,
            _ => {
                let legal = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'/' | b'*' | b'@');
                let name = !scheme.is_empty()
                    && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b));
                return (name && rest.bytes().all(legal))
                    .then(|| Self::Other(format!("{scheme}://{}", rest.to_ascii_lowercase())));
            }
        };
        let authority = Authority::parse(rest)?;
        Some(Self::Web { https, host: authority.host, port: authority.port.unwrap_or(default_port(https)) })
    }

    /// The error says what would be right.
    pub(crate) fn parse_setting(text: &str) -> Result<Self, String> {
        if text.contains('*') {
            return Err("name each origin; a wildcard would let every web page read every memory".to_owned());
        }
        let without_slash = text.strip_suffix('/').filter(|text| !text.ends_with('/')).unwrap_or(text);
        Self::parse(without_slash)
            .ok_or_else(|| "write scheme, host and port, such as https://app.example".to_owned())
    }

    /// Is this the origin of a page that the server itself delivered under this host?
    pub(crate) fn is_same_as(&self, authority: &Authority) -> bool {
        match self {
            // Which scheme the client used is not known here (a proxy may have taken the TLS off): the default port
            // is that of the page's scheme.
            Self::Web { https, host, port } => {
                *host == authority.host && *port == authority.port.unwrap_or(default_port(*https))
            }
            Self::Null | Self::Other(_) => false,
        }
    }
}

fn default_port(https: bool) -> u16 {
    if https { 443 } else { 80 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn authorities() {
        for (text, expected) in [
            ("localhost", Some("localhost")),
            ("LocalHost.:80", Some("localhost:80")),
            ("localhost:", Some("localhost")),
            ("127.0.0.1:7878", Some("127.0.0.1:7878")),
            ("[::1]", Some("[::1]")),
            ("[0:0:0:0:0:0:0:1]:80", Some("[::1]:80")),
            ("[::ffff:127.0.0.1]:80", Some("127.0.0.1:80")),
            // A name that looks like a number stays a name: it is not loopback.
            ("127.1", Some("127.1")),
            ("2130706433", Some("2130706433")),
            ("localhost..", None),
            ("", None),
            (":80", None),
            ("::1", None),
            ("[::1", None),
            ("[::1]80", None),
            ("[fe80::1%25eth0]", None),
            ("localhost:80:80", None),
            ("localhost:+80", None),
            ("localhost:70000", None),
            ("user@localhost", None),
            ("localhost/x", None),
            ("localhost ", None),
            ("本地", None),
        ] {
            assert_eq!(Authority::parse(text).map(|a| a.to_string()).as_deref(), expected, "{text}");
        }
        assert!(!Authority::parse("127.1").unwrap().host.is_loopback());
        assert!(Authority::parse("[::ffff:127.0.0.1]").unwrap().host.is_loopback());
    }

    #[test]
    fn same_origin_means_same_host_and_port() {
        for (origin, host, expected) in [
            ("http://localhost:7878", "localhost:7878", true),
            ("HTTP://LOCALHOST:7878", "localhost.:7878", true),
            ("http://localhost:7878", "127.0.0.1:7878", false),
            ("http://localhost:3000", "localhost:7878", false),
            ("http://localhost", "localhost:80", true),
            ("https://memory.example", "memory.example", true),
            ("https://memory.example", "memory.example:80", false),
            ("null", "localhost", false),
            ("tauri://localhost", "localhost", false),
        ] {
            let authority = Authority::parse(host).unwrap();
            assert_eq!(WebOrigin::parse(origin).unwrap().is_same_as(&authority), expected, "{origin} {host}");
        }
        for wrong in ["", "localhost", "http://", "http://a/b", "https://a b", "NULL", "http://a@b", "://a"] {
            assert_eq!(WebOrigin::parse(wrong), None, "{wrong}");
        }
    }
}
