//! Is every memory in a prompt one that may be there, whatever a host does?
//!
//! `PROPTEST_CASES=2000` looks longer.

use std::cell::Cell;
use std::sync::Arc;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use reverie_sqlite::{Options, SqliteStore};
use reverie_testkit::cases;
use reverie_testkit::model_store::ModelStore;
use reverie_testkit::remindings::{Remindings, Tally};
use reverie_testkit::story::mindful_steps;

const STORIES: u32 = 24;

#[test]
fn only_what_may_be_told_is_told() {
    let config = cases(STORIES);
    let stories = config.cases;
    let all = Cell::new(Tally::default());
    let lived = TestRunner::new(config).run(&mindful_steps(60), |story| {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&folder.path().join("reverie.db"), Options::default()).unwrap();
        let told = Remindings::new(Arc::new(ModelStore::default()), Arc::new(store)).live(&story);
        prop_assert!(told.is_ok(), "{}", told.unwrap_err());
        let mut sum = all.get();
        sum.add(&told.unwrap());
        all.set(sum);
        Ok(())
    });
    if let Err(failure) = lived {
        panic!("{failure}");
    }
    let Tally { told, barred, lines } = all.get();
    let least = told.min(barred).min(lines);
    assert!(
        least > stories as usize,
        "{told} were told, {lines} of them lines, and {barred} not, in {stories} stories"
    );
}
