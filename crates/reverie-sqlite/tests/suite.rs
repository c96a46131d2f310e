//! Does the SQLite store do what every store must do?

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use reverie_sqlite::{Options, SqliteStore, examine};
use reverie_testkit::store_suite::Case;

fn run(case: Case) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    let store = SqliteStore::open(&path, Options::default()).unwrap();
    case(&store);
    drop(store);
    assert_eq!(examine(&path, &Options::default()).unwrap().findings, []);
}

reverie_testkit::store_suite!(run);
