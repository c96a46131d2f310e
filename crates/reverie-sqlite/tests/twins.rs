//! Does the SQLite store answer like the plain one, whatever a host does?
//!
//! `PROPTEST_CASES=5000` looks longer.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use reverie_sqlite::{Options, SqliteStore, examine};
use reverie_testkit::model_store::ModelStore;
use reverie_testkit::story::{Step, steps};
use reverie_testkit::twins::Twins;

/// How many stories, of how many steps, in a world with how many conversations before.
const STORIES: &[(u32, usize, u8)] = &[(48, 60, 0), (8, 40, 20), (2, 20, 100)];

#[test]
fn a_store_answers_like_the_model() {
    #[expect(clippy::disallowed_methods, reason = "proptest's own variable, so that a long run is one away")]
    let wanted: Option<u32> = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    for (cases, length, past) in STORIES {
        let cases = wanted.map_or(*cases, |wanted| (wanted * cases / 64).max(1));
        let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
        let told = TestRunner::new(config).run(&steps(*length), |story| live(&story, *past));
        if let Err(failure) = told {
            panic!("{failure}");
        }
    }
}

fn live(story: &[Step], past: u8) -> Result<(), TestCaseError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    // Worlds arrive in pieces.
    let store = SqliteStore::open(&path, Options { slice: 24, ..Options::default() }).unwrap();
    let model = ModelStore::default();
    let mut twins = Twins::new(&model, &store);
    let lived = twins.remember(past).and_then(|()| twins.live(story));
    prop_assert!(lived.is_ok(), "{}", lived.unwrap_err());
    drop(store);
    let report = examine(&path, &Options::default()).unwrap();
    prop_assert_eq!(report.findings, vec![]);
    Ok(())
}
