//! Does the SQLite store do what every store must do?

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use reverie_sqlite::{Options, SqliteStore, examine};
use reverie_testkit::store_suite::Case;

/// Once as it is meant to be, once with worlds that arrive in the smallest pieces.
fn run(case: Case) {
    for slice in [Options::default().slice, 1] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("reverie.db");
        let store = SqliteStore::open(&path, Options { slice, ..Options::default() }).unwrap();
        case(&store);
        drop(store);
        assert_eq!(examine(&path, &Options::default()).unwrap().findings, []);
    }
}

reverie_testkit::store_suite!(run);
