//! Which requests are the proxy's business? Our own API comes first.

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
    let rest = path.strip_prefix("/v1/")?;
    let is_read = *method == Method::GET || *method == Method::HEAD;
    match rest {
        "chat/completions" if *method == Method::POST => return Some(Route::Chat),
        "models" if is_read => return Some(Route::Models),
        "embeddings" if *method == Method::POST => return Some(Route::Embeddings),
        _ => {}
    }
    if let Some(id) = rest.strip_prefix("models/").filter(|id| !id.is_empty() && is_read) {
        return Some(Route::Model(super::headers::decoded(id)));
    }
    if reverie_api::Api::owns(path) {
        return None;
    }
    let first = rest.split('/').next().unwrap_or_default();
    match has_upstream {
        true => Some(Route::Other(format!("/{rest}"))),
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
            ("GET /health", None, None),
        ] {
            let (method, path) = request.split_once(' ').unwrap();
            let method: Method = method.parse().unwrap();
            assert_eq!(find(&method, path, true), with_upstream, "{request}");
            assert_eq!(find(&method, path, false), without, "{request}");
        }
    }
}
