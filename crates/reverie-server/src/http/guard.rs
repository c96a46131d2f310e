//! Was this request meant for us, and by a page that may?
//!
//! A web page must not reach a local engine. Two doors: DNS rebinding (a foreign name that resolves to this machine),
//! closed by `Host`; and requests from other sites' pages, closed by `Origin` and, for requests that carry none, by
//! `Sec-Fetch-Site`, which pages cannot forge.

use std::net::IpAddr;

use hyper::header::{HOST, HeaderMap, HeaderName, ORIGIN};
use hyper::{Method, Uri};
use reverie_core::{Code, Error};

use super::authority::{Authority, HostName, WebOrigin, canonical};

#[derive(Debug)]
pub(crate) struct Guard {
    pub(crate) allow_host: Vec<Authority>,
    pub(crate) allow_origin: Vec<WebOrigin>,
}

/// Who is let through.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Visitor {
    /// Programs, and pages that this server delivered.
    Own,
    /// A page of another, allowed origin; the text is to be repeated in CORS headers.
    Foreign(String),
}

/// `local` is the address at which the connection arrived.
pub(crate) fn admit(
    guard: &Guard,
    local: IpAddr,
    method: &Method,
    uri: &Uri,
    headers: &HeaderMap,
) -> Result<Visitor, Error> {
    let host = check_host(guard, local, uri, headers)?;
    match single(headers, &ORIGIN) {
        Lookup::One(origin) => check_origin(guard, &host, origin),
        Lookup::None => check_fetch_site(method, headers),
        Lookup::Unreadable => Err(denied("the Origin header is not one readable value")),
    }
}

fn check_host(guard: &Guard, local: IpAddr, uri: &Uri, headers: &HeaderMap) -> Result<Authority, Error> {
    let written = match single(headers, &HOST) {
        Lookup::One(host) => host,
        Lookup::None => {
            return Err(denied("the request has no Host header").hint("use HTTP/1.1 and name the host"));
        }
        Lookup::Unreadable => return Err(denied("the Host header is not one readable value")),
    };
    // In `GET http://name/path` the name outranks the header; then both must be ours.
    let in_target = uri.authority().map(|authority| authority.as_str());
    let mut host = None;
    for text in [Some(written), in_target].into_iter().flatten() {
        let authority = Authority::parse(text).filter(|authority| host_is_ours(guard, local, authority));
        host = Some(authority.ok_or_else(|| foreign_host(text))?);
    }
    host.ok_or_else(|| foreign_host(written))
}

fn host_is_ours(guard: &Guard, local: IpAddr, authority: &Authority) -> bool {
    let is_listen_address = match authority.host {
        HostName::Address(address) => address == canonical(local) && !address.is_unspecified(),
        HostName::Name(_) => false,
    };
    let allowed = |allowed: &Authority| {
        allowed.host == authority.host && (allowed.port.is_none() || allowed.port == authority.port)
    };
    authority.host.is_loopback() || is_listen_address || guard.allow_host.iter().any(allowed)
}

fn check_origin(guard: &Guard, host: &Authority, text: &str) -> Result<Visitor, Error> {
    match WebOrigin::parse(text) {
        Some(origin) if origin.is_same_as(host) => Ok(Visitor::Own),
        Some(origin) if guard.allow_origin.contains(&origin) => Ok(Visitor::Foreign(text.to_owned())),
        _ => {
            let shown = shorten(text);
            Err(denied(format!("requests from the origin \"{shown}\" are not allowed"))
                .hint(format!("if this page may use Reverie, start it with --allow-origin {shown}")))
        }
    }
}

/// Images, scripts and frames of other sites come without `Origin`; following a link is fine.
fn check_fetch_site(method: &Method, headers: &HeaderMap) -> Result<Visitor, Error> {
    let header = |name| headers.get(HeaderName::from_static(name)).map(|value| value.as_bytes());
    let foreign = matches!(header("sec-fetch-site"), Some(b"cross-site" | b"same-site"));
    let is_link =
        header("sec-fetch-mode") == Some(b"navigate") && header("sec-fetch-dest") == Some(b"document");
    if foreign && !(is_link && method == Method::GET) {
        return Err(denied("pages of other sites may not load this address")
            .hint("call it with fetch() in cors mode, and start Reverie with --allow-origin for the page"));
    }
    Ok(Visitor::Own)
}

enum Lookup<'a> {
    None,
    One(&'a str),
    /// Several, or not text.
    Unreadable,
}

fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Lookup<'a> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Lookup::None,
        (Some(value), None) => value.to_str().map_or(Lookup::Unreadable, Lookup::One),
        (Some(_), Some(_)) => Lookup::Unreadable,
    }
}

fn foreign_host(text: &str) -> Error {
    let shown = shorten(text);
    denied(format!("the host \"{shown}\" is not one of this server's names"))
        .hint(format!("if clients may reach Reverie by this name, start it with --allow-host {shown}"))
}

fn denied(message: impl Into<String>) -> Error {
    Error::new(Code::Denied, message)
}

/// Messages repeat what the client sent; not without end.
fn shorten(text: &str) -> String {
    text.chars().take(200).collect()
}
