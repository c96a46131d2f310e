//! Does the SQLite store answer like the plain one, whatever a host does?
//!
//! `PROPTEST_CASES=5000` looks longer.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use reverie_sqlite::{Options, SqliteStore, examine};
use reverie_testkit::model_store::ModelStore;
use reverie_testkit::story::{Step, mindful_steps, steps};
use reverie_testkit::twins::Twins;

/// How many stories, of how many steps, beginning where.
const STORIES: &[(u32, usize, Past)] = &[
    (40, 60, Past::Conversations(0)),
    (8, 40, Past::Conversations(20)),
    (2, 20, Past::Conversations(100)),
    (40, 60, Past::Settled),
];

#[derive(Debug, Clone, Copy)]
enum Past {
    /// Many, about which little is remembered.
    Conversations(u8),
    /// Few, about which there is much to remember.
    Settled,
}

#[test]
fn a_store_answers_like_the_model() {
    #[expect(clippy::disallowed_methods, reason = "proptest's own variable, so that a long run is one away")]
    let wanted: Option<u32> = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    for (cases, length, past) in STORIES {
        let cases = wanted.map_or(*cases, |wanted| (wanted * cases / 90).max(1));
        let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
        let stories = match past {
            Past::Conversations(_) => steps(*length).boxed(),
            Past::Settled => mindful_steps(*length).boxed(),
        };
        let told = TestRunner::new(config).run(&stories, |story| live(&story, *past));
        if let Err(failure) = told {
            panic!("{failure}");
        }
    }
}

fn live(story: &[Step], past: Past) -> Result<(), TestCaseError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    // Worlds arrive in pieces.
    let store = SqliteStore::open(&path, Options { slice: 24, ..Options::default() }).unwrap();
    let model = ModelStore::default();
    let mut twins = Twins::new(&model, &store);
    let begun = match past {
        Past::Conversations(rooms) => twins.remember(rooms),
        Past::Settled => twins.settle_in(),
    };
    let lived = begun.and_then(|()| twins.live(story));
    prop_assert!(lived.is_ok(), "{}", lived.unwrap_err());
    drop(store);
    let report = examine(&path, &Options::default()).unwrap();
    prop_assert_eq!(report.findings, vec![]);
    Ok(())
}
