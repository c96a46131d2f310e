//! Which requests are the proxy's business? Our own API comes first.
//!
//! Clients build their addresses in many ways: a base URL with a slash behind it, with `/v1` or without, or with it twice. All of them
//! mean the same, and a chat that is not known as one would go without its memory.

use hyper::Method;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Route {
    Chat,
    Models,
    /// As it stands in the path, decoded.
    Model(String),
    Embeddings,
    /// Behind `/v1`: for an upstream, whatever it is.
    Other(String),
    /// What an upstream could answer if there were one.
    Nowhere,
}

/// What clients of the OpenAI API ask for besides chats.
const THEIRS: &[&str] = &[
    "assistants",
    "audio",
    "batches",
    "completions",
    "conversations",
    "files",
    "fine_tuning",
    "images",
    "messages",
    "moderations",
    "rerank",
    "responses",
    "tokenize",
    "uploads",
    "vector_stores",
];

pub(super) fn find(method: &Method, path: &str, has_upstream: bool) -> Option<Route> {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let versions = parts.iter().take_while(|part| **part == "v1").count();
    let rest = parts.get(versions..).unwrap_or_default().join("/");
    let is_read = *method == Method::GET || *method == Method::HEAD;
    match rest.as_str() {
        "" => return None,
        "chat/completions" if *method == Method::POST => return Some(Route::Chat),
        "models" if is_read => return Some(Route::Models),
        "embeddings" if *method == Method::POST => return Some(Route::Embeddings),
        _ => {}
    }
    if let Some(id) = rest.strip_prefix("models/").filter(|_| is_read) {
        return Some(Route::Model(super::headers::decoded(id)));
    }
    if versions == 0 || reverie_api::Api::owns(&format!("/v1/{rest}")) {
        return None;
    }
    let first = rest.split('/').next().unwrap_or_default();
    let end = if path.ends_with('/') { "/" } else { "" };
    match has_upstream {
        true => Some(Route::Other(format!("/{rest}{end}"))),
        false => THEIRS.contains(&first).then_some(Route::Nowhere),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_comes_first() {
        let other = |path: &str| Some(Route::Other(path.to_owned()));
        for (request, with_upstream, without) in [
            ("POST /v1/chat/completions", Some(Route::Chat), Some(Route::Chat)),
            ("GET /v1/chat/completions", other("/chat/completions"), None),
            ("GET /v1/models", Some(Route::Models), Some(Route::Models)),
            (
                "GET /v1/models/deepseek-chat@%E9%92%A6%E7%81%B5",
                Some(Route::Model("deepseek-chat@钦灵".to_owned())),
                Some(Route::Model("deepseek-chat@钦灵".to_owned())),
            ),
            ("POST /v1/models/test", None, None),
            ("POST /v1/embeddings", Some(Route::Embeddings), Some(Route::Embeddings)),
            ("POST /v1/completions", other("/completions"), Some(Route::Nowhere)),
            ("POST /v1/images/generations", other("/images/generations"), Some(Route::Nowhere)),
            ("GET /v1/worlds", None, None),
            ("GET /v1/worlds/w/nothing", None, None),
            ("POST /v1/lore/scan", None, None),
            ("GET /v1/nothing", other("/nothing"), None),
            ("POST /v2/chat/completions", None, None),
            ("POST /v1/chat/completions/", Some(Route::Chat), Some(Route::Chat)),
            ("POST /v1//chat/completions", Some(Route::Chat), Some(Route::Chat)),
            ("POST //v1/v1/chat/completions", Some(Route::Chat), Some(Route::Chat)),
            ("POST /chat/completions", Some(Route::Chat), Some(Route::Chat)),
            ("GET /models/", Some(Route::Models), Some(Route::Models)),
            ("GET /models/a/b", Some(Route::Model("a/b".to_owned())), Some(Route::Model("a/b".to_owned()))),
            ("POST /embeddings", Some(Route::Embeddings), Some(Route::Embeddings)),
            ("POST /completions", None, None),
            ("POST /v1//files/", other("/files/"), Some(Route::Nowhere)),
            ("GET /v1//worlds", None, None),
            ("GET /v1/", None, None),
            ("GET /", None, None),
            ("GET /health", None, None),
        ] {
            let (method, path) = request.split_once(' ').unwrap();
            let method: Method = method.parse().unwrap();
            assert_eq!(find(&method, path, true), with_upstream, "{request}");
            assert_eq!(find(&method, path, false), without, "{request}");
        }
    }
}
