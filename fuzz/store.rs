//! What do targets speak to that need a store? One for the whole run, in a temporary folder; each input leaves it empty.

use std::sync::{Arc, OnceLock};

use reverie_api::Api;
use reverie_core::clock::Clock;
use reverie_core::{Engine, Limits};
use reverie_sqlite::{Options, SqliteStore};
use tempfile::TempDir;

struct Still;

impl Clock for Still {
    fn now_ms(&self) -> i64 {
        1_769_847_330_000
    }
}

static STORE: OnceLock<(TempDir, Api)> = OnceLock::new();

pub(crate) fn with(body: impl FnOnce(&Api)) {
    let (_, api) = STORE.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let store = SqliteStore::open(&folder.path().join("memory.db"), Options::default()).expect("a new store");
        let engine = Engine::new(Arc::new(store), Arc::new(Still), Limits::default())
            .reading_books(reverie_api::library::read_book);
        (folder, Api::new(Arc::new(engine), 1 << 20))
    });
    body(api);
}
