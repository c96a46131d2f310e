//! Does this request carry a token, and does it need one?

mod unread;

use hyper::header::{AUTHORIZATION, HeaderMap};
use reverie_core::{Code, Error};

use std::sync::Arc;

use crate::secret::{PREFIX, Secret};
use crate::settings::ClientKey;

pub(crate) const TOKEN_HEADER: &str = "x-reverie-token";
/// Where clients of other APIs put their key.
const API_KEY_HEADERS: [&str; 2] = ["x-api-key", "api-key"];

pub(crate) struct Access {
    /// From the settings. If there are any, requests need a token.
    pub(crate) configured: Vec<Secret>,
    /// Those of clients: they open chats and nothing else.
    pub(crate) keys: Vec<Arc<ClientKey>>,
    /// Made for this run and told only to the process that started it.
    pub(crate) of_this_run: Secret,
}

/// A wrong token is refused even where none is needed: its sender believes to talk to another server.
pub(crate) fn check(access: &Access, headers: &HeaderMap, is_public: bool) -> Result<(), Error> {
    let presented = presented_tokens(headers);
    if presented.is_empty() && !access.configured.is_empty() && !is_public {
        return Err(Error::new(Code::Denied, "this server needs a token").hint(
            "send `Authorization: Bearer rv_…` with a token from its settings (token, REVERIE_TOKEN)",
        ));
    }
    if presented.iter().all(|token| is_valid(access, token)) {
        return Ok(());
    }
    Err(Error::new(Code::Denied, "this token is not one of this server's")
        .hint("compare it with the server's settings (token, REVERIE_TOKEN) or its ready line"))
}

/// As `check`, for chats: keys of clients count, and a bearer that is not of our kind is somebody else's. The key that was shown, if
/// one was.
pub(crate) fn check_chat(
    access: &Access,
    headers: &HeaderMap,
    query: Option<&str>,
) -> Result<Option<Arc<ClientKey>>, Error> {
    let mut presented = own_tokens(headers);
    presented.extend(bearers(headers).filter(|token| token.starts_with(PREFIX.as_bytes())));
    // It goes no further, so whoever sent it would be taken for somebody without one.
    if presented.is_empty()
        && let Some(place) = unread::token(headers, query)
    {
        return Err(Error::new(Code::Denied, format!("a token of Reverie's is not read from {place}"))
            .hint("use it as the API key (Authorization: Bearer rv_…), or send it as X-Reverie-Token"));
    }
    if presented.is_empty() && !access.configured.is_empty() {
        return Err(Error::new(Code::Denied, "this server needs a token").hint(
            "use a token of the server's settings (token, REVERIE_TOKEN, keys) as the API key, or send it as X-Reverie-Token",
        ));
    }
    let mut shown = None;
    for token in presented {
        let key =
            access.keys.iter().fold(None, |found, key| key.token.matches(token).then_some(key).or(found));
        if key.is_none() && !is_valid(access, token) {
            return Err(Error::new(Code::Denied, "this token is not one of this server's").hint(
                "compare it with the server's settings (token, REVERIE_TOKEN, keys) or its ready line",
            ));
        }
        shown = key.cloned().or(shown);
    }
    Ok(shown)
}

/// With a header of our own present, `Authorization` counts only if it is one of our kind: it may be a key for somebody behind us.
fn presented_tokens(headers: &HeaderMap) -> Vec<&[u8]> {
    let mut tokens = own_tokens(headers);
    let own_header = !tokens.is_empty();
    tokens.extend(bearers(headers).filter(|token| !own_header || token.starts_with(PREFIX.as_bytes())));
    tokens
}

/// `X-Reverie-Token`, or where clients of other APIs put their key, if it is one of our kind.
fn own_tokens(headers: &HeaderMap) -> Vec<&[u8]> {
    let mut tokens: Vec<&[u8]> = headers.get_all(TOKEN_HEADER).iter().map(|value| value.as_bytes()).collect();
    let keys = API_KEY_HEADERS.iter().flat_map(|name| headers.get_all(*name));
    tokens.extend(keys.filter_map(|value| of_our_kind(value.as_bytes())));
    tokens
}

/// `Authorization: Bearer`; of our kind, with any scheme or none.
pub(crate) fn bearers(headers: &HeaderMap) -> impl Iterator<Item = &[u8]> {
    headers.get_all(AUTHORIZATION).iter().filter_map(|value| {
        let bearer = value.as_bytes().split_at_checked("bearer ".len());
        let bearer = bearer.filter(|(scheme, _)| scheme.eq_ignore_ascii_case(b"bearer "));
        bearer.map(|(_, token)| token.trim_ascii()).or_else(|| of_our_kind(value.as_bytes()))
    })
}

/// The last word, if it is a token of ours.
fn of_our_kind(value: &[u8]) -> Option<&[u8]> {
    let last = value.trim_ascii().rsplit(u8::is_ascii_whitespace).next()?;
    last.starts_with(PREFIX.as_bytes()).then_some(last)
}

/// Compares with every token, so that time does not tell which one was near.
fn is_valid(access: &Access, presented: &[u8]) -> bool {
    let known = access.configured.iter().chain([&access.of_this_run]);
    known.fold(false, |found, secret| found | secret.matches(presented))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_gets_in() {
        let access = |configured: &[&str]| Access {
            configured: configured.iter().map(|token| Secret::parse(token).unwrap()).collect(),
            keys: Vec::new(),
            of_this_run: Secret::parse("rv_run").unwrap(),
        };
        let open = access(&[]);
        let closed = access(&["rv_a", "rv_b"]);
        let bearer = |token: &str| ("authorization", format!("Bearer {token}"));
        let own = |token: &str| (TOKEN_HEADER, token.to_owned());
        for (headers, into_open, into_closed) in [
            (vec![], true, false),
            (vec![bearer("rv_a")], false, true),
            (vec![bearer("rv_b")], false, true),
            (vec![own("rv_b")], false, true),
            (vec![("authorization", "bEaReR  rv_a ".to_owned())], false, true),
            (vec![bearer("rv_run")], true, true),
            (vec![bearer("rv_c")], false, false),
            (vec![bearer("")], false, false),
            (vec![own("")], false, false),
            (vec![bearer("sk-somebody-else")], false, false),
            (vec![own("rv_run"), bearer("sk-somebody-else")], true, true),
            (vec![own("rv_run"), bearer("rv_c")], false, false),
            (vec![own("rv_run"), own("rv_c")], false, false),
            (vec![("x-api-key", "rv_b".to_owned())], false, true),
            (vec![("x-api-key", "rv_c".to_owned())], false, false),
            (vec![("x-api-key", "m0-somebody-else".to_owned())], true, false),
            (vec![("authorization", "Basic cnZfYTo=".to_owned())], true, false),
            (vec![("authorization", "rv_a".to_owned())], false, true),
            (vec![("authorization", "Token rv_c".to_owned())], false, false),
            (vec![("api-key", "rv_a".to_owned())], false, true),
        ] {
            let mut map = HeaderMap::new();
            for (name, value) in &headers {
                map.append(*name, value.parse().unwrap());
            }
            assert_eq!(check(&open, &map, false).is_ok(), into_open, "open: {headers:?}");
            assert_eq!(check(&closed, &map, false).is_ok(), into_closed, "closed: {headers:?}");
        }
        assert!(check(&closed, &HeaderMap::new(), true).is_ok());
    }
}
