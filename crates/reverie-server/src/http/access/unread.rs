//! Does a request carry a token of ours where nobody reads it?

use hyper::header::HeaderMap;

use crate::secret::PREFIX;

/// What a header is called that holds a key. Others, cookies of a neighbour above all, may begin with the same letters by chance.
const KEYS: [&str; 4] = ["key", "token", "auth", "secret"];

/// The place, as the client would name it.
pub(super) fn token(headers: &HeaderMap, query: Option<&str>) -> Option<String> {
    let holds_key = |name: &str| KEYS.iter().any(|key| name.contains(key));
    let is_token = |value: &[u8]| {
        value
            .split(|byte| byte.is_ascii_whitespace() || *byte == b'=')
            .any(|word| word.starts_with(PREFIX.as_bytes()))
    };
    let header = headers.iter().find(|(name, value)| holds_key(name.as_str()) && is_token(value.as_bytes()));
    if let Some((name, _)) = header {
        return Some(format!("the header {name}"));
    }
    let is_ours = |part: &&str| {
        part.split_once('=')
            .is_some_and(|(_, value)| value.replace("%5F", "_").replace("%5f", "_").starts_with(PREFIX))
    };
    query?.split('&').find(is_ours).map(|_| "the query".to_owned())
}
