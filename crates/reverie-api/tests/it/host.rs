//! How does a test become a client? A store in a temporary folder, a clock that stands still, JSON in and JSON out.

use std::sync::Arc;

use reverie_api::{Api, Request, Response};
use reverie_core::clock::Clock;
use reverie_core::{Engine, Limits};
use reverie_sqlite::{Options, SqliteStore};
use serde_json::Value;
use tempfile::TempDir;

use crate::described;

/// 2026-01-31T08:15:30Z.
pub(crate) const NOW_MS: i64 = 1_769_847_330_000;
pub(crate) const IMPORT_BYTES: usize = 1 << 20;

pub(crate) struct Still;

impl Clock for Still {
    fn now_ms(&self) -> i64 {
        NOW_MS
    }
}

pub(crate) struct Host {
    api: Api,
    _folder: TempDir,
}

impl Host {
    pub(crate) fn new() -> Self {
        Self::with_limits(Limits::default())
    }

    pub(crate) fn with_limits(limits: Limits) -> Self {
        Self::with_engine(limits, |engine| engine)
    }

    /// With an engine that knows more than usual.
    pub(crate) fn with_engine(limits: Limits, more: impl FnOnce(Engine) -> Engine) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let store =
            SqliteStore::open(&folder.path().join("memory.db"), Options::default()).expect("a new store");
        let engine = Engine::new(Arc::new(store), Arc::new(Still), limits)
            .reading_books(reverie_api::library::read_book)
            .reading_answers(reverie_formats::answer::read);
        Self { api: Api::new(Arc::new(more(engine)), IMPORT_BYTES), _folder: folder }
    }

    pub(crate) fn api(&self) -> &Api {
        &self.api
    }

    /// A host with a world called `w`.
    pub(crate) fn with_world(settings: &str) -> Self {
        let host = Self::new();
        host.done("PUT", "/v1/worlds/w", settings);
        host
    }

    /// Every answer is held against its description.
    #[track_caller]
    pub(crate) fn raw(&self, method: &str, target: &str, body: &[u8]) -> Response {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let response = self.api.dispatch(&Request {
            method: method.to_owned(),
            path: path.to_owned(),
            query: query.to_owned(),
            body: body.to_vec(),
        });
        // That shape is another project's, and described there.
        let is_ours = !response.operation.starts_with("mem0");
        if let Some(problem) = described::problem(method, &response).filter(|_| is_ours) {
            let shown = String::from_utf8_lossy(&response.body);
            panic!("{method} {target} is not answered as described: {problem}\n{} {shown}", response.status);
        }
        response
    }

    #[track_caller]
    pub(crate) fn send(&self, method: &str, target: &str, body: &str) -> (u16, Value) {
        let response = self.raw(method, target, body.as_bytes());
        (response.status, value(&response.body))
    }

    /// The answer to a request that must not fail.
    #[track_caller]
    pub(crate) fn done(&self, method: &str, target: &str, body: &str) -> Value {
        let (status, answer) = self.send(method, target, body);
        assert!((200..300).contains(&status), "{method} {target} {body}\n{status} {answer}");
        answer
    }

    #[track_caller]
    pub(crate) fn get(&self, target: &str) -> Value {
        self.done("GET", target, "")
    }

    /// The world as text, for comparing before and after.
    #[track_caller]
    pub(crate) fn export(&self, world: &str, query: &str) -> String {
        let response = self.raw("GET", &format!("/v1/worlds/{world}/export?{query}"), b"");
        assert_eq!(response.status, 200, "{}", String::from_utf8_lossy(&response.body));
        String::from_utf8(response.body).expect("an export is text")
    }
}

/// JSON where it is JSON, else the text itself.
fn value(body: &[u8]) -> Value {
    serde_json::from_slice(body).unwrap_or_else(|_| Value::String(String::from_utf8_lossy(body).into_owned()))
}

/// As `encodeURIComponent` does.
pub(crate) fn encode(id: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte);
    let one = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    id.bytes().map(one).collect()
}
