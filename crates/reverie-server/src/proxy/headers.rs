//! Which headers go on to an upstream, and which come back from it?

use hyper::header::{
    ACCEPT_ENCODING, CONNECTION, CONTENT_LENGTH, COOKIE, EXPECT, HOST, HeaderMap, HeaderName, HeaderValue,
    ORIGIN, TRANSFER_ENCODING,
};

use crate::secret::PREFIX;

/// Of a connection, not of what is sent over it.
const OF_A_CONNECTION: &[&str] = &[
    "connection",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];
const OURS: &str = "x-reverie-";

/// What the client sent, without what is ours or the connection's. `readable`: the answer must not come compressed.
pub(super) fn going_on(headers: &HeaderMap, readable: bool) -> HeaderMap {
    let mut going = headers.clone();
    strip_connection(&mut going);
    // From which page a browser asks was ours to judge; local servers and some providers refuse pages that they do not know.
    for name in [HOST, CONTENT_LENGTH, EXPECT, COOKIE, ORIGIN] {
        going.remove(name);
    }
    let ours: Vec<HeaderName> =
        going.keys().filter(|name| name.as_str().starts_with(OURS)).cloned().collect();
    for name in ours {
        going.remove(name);
    }
    let secret: Vec<HeaderName> =
        headers.iter().filter(|(_, value)| holds_our_token(value)).map(|(name, _)| name.clone()).collect();
    for name in secret {
        going.remove(name);
    }
    if readable && going.contains_key(ACCEPT_ENCODING) {
        going.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    }
    going
}

/// Our tokens stay here, whichever header a client puts them into, with or without a scheme before them.
fn holds_our_token(value: &HeaderValue) -> bool {
    let words =
        value.as_bytes().split(|byte| byte.is_ascii_whitespace() || matches!(byte, b',' | b';' | b'='));
    words.into_iter().any(|word| word.starts_with(PREFIX.as_bytes()))
}

/// The query of a request, without our tokens.
pub(super) fn query_going_on(query: Option<&str>) -> Option<String> {
    let is_ours =
        |part: &&str| part.split_once('=').is_some_and(|(_, value)| decoded(value).starts_with(PREFIX));
    let query = query?;
    if !query.split('&').any(|part| is_ours(&part)) {
        return Some(query.to_owned());
    }
    let rest: Vec<&str> = query.split('&').filter(|part| !is_ours(part)).collect();
    (!rest.is_empty()).then(|| rest.join("&"))
}

/// What the upstream sent, without what is the connection's.
pub(super) fn coming_back(mut headers: HeaderMap) -> HeaderMap {
    strip_connection(&mut headers);
    headers.remove(TRANSFER_ENCODING);
    headers
}

fn strip_connection(headers: &mut HeaderMap) {
    let named: Vec<HeaderName> = headers
        .get_all(CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|name| name.trim().parse().ok())
        .collect();
    for name in named {
        headers.remove(name);
    }
    for name in OF_A_CONNECTION {
        headers.remove(*name);
    }
}

/// A header of ours, as text: percent-encoded UTF-8, or UTF-8 as it is.
pub(super) fn text(headers: &HeaderMap, name: &str) -> Option<String> {
    let value = std::str::from_utf8(headers.get(name)?.as_bytes()).ok()?;
    let value = decoded(value.trim());
    (!value.is_empty()).then_some(value)
}

/// Without percent signs that stand for bytes; a text that is not so encoded stays as it is.
pub(super) fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let digit = |at: usize| behind.get(at).and_then(|byte| char::from(*byte).to_digit(16));
        match (first, digit(0), digit(1)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((high * 16 + low) as u8);
                rest = behind.get(2..).unwrap_or_default();
            }
            (byte, ..) => {
                bytes.push(*byte);
                rest = behind;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// A text as a header can carry it.
pub(super) fn encoded(text: &str) -> HeaderValue {
    let mut header = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_graphic() && byte != b'%' {
            header.push(char::from(byte));
        } else {
            header.push_str(&format!("%{byte:02X}"));
        }
    }
    HeaderValue::try_from(header).unwrap_or(HeaderValue::from_static(""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_ours_stays_here() {
        let mut sent = HeaderMap::new();
        for (name, value) in [
            ("host", "127.0.0.1:7878"),
            ("connection", "keep-alive, x-hop"),
            ("x-hop", "1"),
            ("transfer-encoding", "chunked"),
            ("authorization", "Bearer rv_key"),
            ("x-reverie-world", "w"),
            ("x-reverie-token", "rv_token"),
            ("x-api-key", "rv_key"),
            ("api-key", "Token rv_key"),
            ("cookie", "a=b"),
            ("origin", "https://app.example"),
            ("accept-encoding", "gzip, br"),
            ("user-agent", "SillyTavern"),
            ("openai-organization", "org-1"),
        ] {
            sent.insert(name, value.parse().unwrap());
        }
        let names = |headers: &HeaderMap| {
            let mut names: Vec<String> = headers.keys().map(ToString::to_string).collect();
            names.sort();
            names.join(" ")
        };
        let going = going_on(&sent, true);
        assert_eq!(names(&going), "accept-encoding openai-organization user-agent");
        assert_eq!(going["accept-encoding"], "identity");
        sent.insert("authorization", "Bearer sk-of-the-upstream".parse().unwrap());
        let going = going_on(&sent, false);
        assert_eq!(names(&going), "accept-encoding authorization openai-organization user-agent");
        assert_eq!(going["accept-encoding"], "gzip, br");
    }

    #[test]
    fn a_query_goes_on_without_our_tokens() {
        for (query, going) in [
            (None, None),
            (Some("beta=1&&x"), Some("beta=1&&x")),
            (Some("key=rv_a"), None),
            (Some("beta=1&key=rv%5Fa&x=rv"), Some("beta=1&x=rv")),
        ] {
            assert_eq!(query_going_on(query).as_deref(), going);
        }
    }

    #[test]
    fn names_of_any_script_fit_into_a_header() {
        for name in ["钦灵", "plain", "100%", "a b", "%E9", "名前/ü"] {
            assert_eq!(decoded(encoded(name).to_str().unwrap()), name);
        }
        assert_eq!(decoded("钦灵"), "钦灵");
        assert_eq!(decoded("50%"), "50%");
        assert_eq!(decoded("%FF"), "%FF", "no UTF-8");
    }
}
