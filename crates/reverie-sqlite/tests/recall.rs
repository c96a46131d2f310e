//! Do the right memories come to mind, on the embedded store?

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;

use reverie_sqlite::{Options, SqliteStore, examine};
use reverie_testkit::recall_suite::Case;

fn run(case: Case) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    case(Arc::new(SqliteStore::open(&path, Options::default()).unwrap()));
    assert_eq!(examine(&path, &Options::default()).unwrap().findings, []);
}

reverie_testkit::recall_suite!(run);
