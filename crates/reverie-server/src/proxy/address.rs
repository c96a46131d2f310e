//! Which world does a client mean that can set nothing but an address?
//!
//! Below `/worlds/{world}` stands all that chat clients ask for, with `/v1` or without: such a base URL says what the header
//! `X-Reverie-World` says, and whoever sends both means the header. Nothing else of the API is there.

use hyper::Uri;
use hyper::header::{HeaderName, HeaderValue};
use hyper::http::request::Parts;

const WORLD: HeaderName = HeaderName::from_static("x-reverie-world");

/// The same request without the world in its address; None if there is none.
pub(super) fn without_world(head: &Parts) -> Option<Parts> {
    let (world, path) = split(head.uri.path())?;
    let mut parts = head.uri.clone().into_parts();
    let query = head.uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    parts.path_and_query = Some(format!("{path}{query}").parse().ok()?);
    let mut named = head.clone();
    named.uri = Uri::from_parts(parts).ok()?;
    // As it stands in the address: headers are read percent-encoded too.
    let world = HeaderValue::from_str(world).ok()?;
    named.headers.entry(WORLD).or_insert(world);
    Some(named)
}

/// `/worlds/w/v1/models` is `w` and `/v1/models`.
fn split(path: &str) -> Option<(&str, &str)> {
    let below = path.trim_start_matches('/').strip_prefix("worlds/")?;
    let end = below.find('/').filter(|end| *end > 0)?;
    Some(below.split_at(end))
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn where_the_world_stands() {
        for (path, expected) in [
            ("/worlds/mine/v1/chat/completions", Some(("mine", "/v1/chat/completions"))),
            ("//worlds/%E6%B8%AF/models", Some(("%E6%B8%AF", "/models"))),
            ("/worlds//v1/models", None),
            ("/worlds/mine", None),
            ("/v1/worlds/mine/v1/models", None),
        ] {
            assert_eq!(split(path), expected, "{path}");
        }
    }
}
