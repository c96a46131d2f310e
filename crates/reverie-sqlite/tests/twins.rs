//! Does the SQLite store answer like the plain one, whatever a host does?
//!
//! `PROPTEST_CASES=5000` looks longer.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use reverie_sqlite::{Options, SqliteStore, examine};
use reverie_testkit::model_store::ModelStore;
use reverie_testkit::story::steps;
use reverie_testkit::twins::Twins;

const CASES: u32 = 64;
const STEPS: usize = 60;

#[test]
fn a_store_answers_like_the_model() {
    #[expect(clippy::disallowed_methods, reason = "proptest's own variable, so that a long run is one away")]
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(CASES);
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let told = TestRunner::new(config).run(&steps(STEPS), |story| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("reverie.db");
        let store = SqliteStore::open(&path, Options::default()).unwrap();
        let lived = Twins::new(&ModelStore::default(), &store).live(&story);
        prop_assert!(lived.is_ok(), "{}", lived.unwrap_err());
        drop(store);
        let report = examine(&path, &Options::default()).unwrap();
        prop_assert_eq!(report.findings, vec![]);
        Ok(())
    });
    if let Err(failure) = told {
        panic!("{failure}");
    }
}
