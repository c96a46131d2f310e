//! Does this request carry a token, and does it need one?

use hyper::header::{AUTHORIZATION, HeaderMap};
use reverie_core::{Code, Error};

use std::sync::Arc;

use crate::secret::{PREFIX, Secret};
use crate::settings::ClientKey;

pub(crate) const TOKEN_HEADER: &str = "x-reverie-token";
const API_KEY_HEADER: &str = "x-api-key";

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
pub(crate) fn check_chat(access: &Access, headers: &HeaderMap) -> Result<Option<Arc<ClientKey>>, Error> {
    let mut presented: Vec<&[u8]> =
        headers.get_all(TOKEN_HEADER).iter().map(|value| value.as_bytes()).collect();
    presented.extend(bearers(headers).filter(|token| token.starts_with(PREFIX.as_bytes())));
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

/// `X-Reverie-Token`, or `X-API-Key` as clients of mem0 send it if it is one of our kind, and `Authorization: Bearer`. With
/// one of the former present, the latter counts only if it is one of our kind: it may be a key for somebody behind us.
fn presented_tokens(headers: &HeaderMap) -> Vec<&[u8]> {
    let mut tokens: Vec<&[u8]> = headers.get_all(TOKEN_HEADER).iter().map(|value| value.as_bytes()).collect();
    let keys = headers.get_all(API_KEY_HEADER).iter().map(|value| value.as_bytes());
    tokens.extend(keys.filter(|key| key.starts_with(PREFIX.as_bytes())));
    let own_header = !tokens.is_empty();
    tokens.extend(bearers(headers).filter(|token| !own_header || token.starts_with(PREFIX.as_bytes())));
    tokens
}

pub(crate) fn bearers(headers: &HeaderMap) -> impl Iterator<Item = &[u8]> {
    headers.get_all(AUTHORIZATION).iter().filter_map(|value| {
        let (scheme, token) = value.as_bytes().split_at_checked("bearer ".len())?;
        scheme.eq_ignore_ascii_case(b"bearer ").then(|| token.trim_ascii())
    })
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
