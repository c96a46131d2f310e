//! Is what was lived through remembered as it should be? On the embedded store.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;

use reverie_sqlite::{Options, SqliteStore, examine};
use reverie_testkit::digest_suite::Case;

fn run(case: Case) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    case(Arc::new(SqliteStore::open(&path, Options::default()).unwrap()));
    assert_eq!(examine(&path, &Options::default()).unwrap().findings, []);
}

reverie_testkit::digest_suite!(run);
