//! Does the plain store keep what it promises, whatever a host does?
//!
//! Two of them live through the same story: each must take in what the other gives, nobody may learn what they did not
//! witness, and nothing may come to mind that is not in view. `PROPTEST_CASES=5000` looks longer.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use reverie_testkit::cases;
use reverie_testkit::model_store::ModelStore;
use reverie_testkit::story::{Step, mindful_steps, steps};
use reverie_testkit::twins::Twins;

/// How many stories of a wide life, and of a mindful one.
const STORIES: [u32; 2] = [12, 16];

#[test]
fn promises_are_kept_in_any_story() {
    let [wide, mindful] = STORIES.map(|count| TestRunner::new(cases(count)));
    let told = [(wide, steps(60).boxed(), false), (mindful, mindful_steps(60).boxed(), true)];
    for (mut teller, stories, is_mindful) in told {
        if let Err(failure) = teller.run(&stories, |story| live(&story, is_mindful)) {
            panic!("{failure}");
        }
    }
}

fn live(story: &[Step], is_mindful: bool) -> Result<(), TestCaseError> {
    let (one, other) = (ModelStore::default(), ModelStore::default());
    let mut twins = Twins::new(&one, &other);
    let begun = if is_mindful { twins.settle_in() } else { Ok(()) };
    let lived = begun.and_then(|()| twins.live(story));
    prop_assert!(lived.is_ok(), "{:?}", lived);
    Ok(())
}
