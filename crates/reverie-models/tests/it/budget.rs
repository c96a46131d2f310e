//! Is an hour's budget kept, and does the next hour bring a new one?

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use proptest::prelude::*;
use reverie_core::clock::Clock;
use reverie_models::{Budget, Granted, NotBefore, Spent};

use crate::stage::NOON;

struct Hand(AtomicI64);

impl Clock for Hand {
    fn now_ms(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }
}

const MINUTE: i64 = 60_000;

fn at(now: i64) -> Arc<Hand> {
    Arc::new(Hand(AtomicI64::new(now)))
}

#[test]
fn what_is_granted_is_settled_and_the_hour_ends() {
    let clock = at(NOON + 10 * MINUTE);
    let budget = Budget::new(1000, clock.clone());
    let first = budget.take(600).unwrap();
    let next_hour = NotBefore(NOON + 60 * MINUTE);
    assert_eq!(budget.take(600), Err(next_hour));
    budget.settle(first, 250);
    let second = budget.take(600).unwrap();
    assert_eq!(budget.spent(), Spent { hour: NOON / (60 * MINUTE), tokens: 850 });
    // It cost more than was thought: the rest of the hour pays for it.
    budget.settle(second, 900);
    assert_eq!(budget.take(1), Err(next_hour));

    clock.0.store(NOON + 60 * MINUTE, Ordering::SeqCst);
    let third = budget.take(1000).unwrap();
    // An answer from the last hour changes nothing in this one.
    budget.settle(second, 0);
    assert_eq!(budget.spent().tokens, 1000);
    budget.settle(third, 0);
    assert_eq!(budget.spent().tokens, 0);
}

/// What is written down for all comes back later than what we know ourselves, and must not bring back what was settled.
#[test]
fn what_others_wrote_is_added_to_what_of_ours_is_not_written() {
    let hour = NOON / (60 * MINUTE);
    let budget = Budget::new(1000, at(NOON));
    let one = budget.take(400).unwrap();
    let two = budget.take(400).unwrap();
    budget.learn(Spent { hour, tokens: 400 }, 400);
    assert_eq!(budget.spent().tokens, 800, "the second is not written yet");
    budget.settle(one, 50);
    assert_eq!(budget.spent().tokens, 450);
    // Written before the first was corrected.
    budget.learn(Spent { hour, tokens: 800 }, 400);
    assert_eq!(budget.spent().tokens, 450, "what was settled stays so");
    budget.learn(Spent { hour, tokens: 450 }, -350);
    assert_eq!(budget.spent().tokens, 450);
    budget.settle(two, 60);
    // Another server has spent 300 meanwhile.
    budget.learn(Spent { hour, tokens: 410 }, -340);
    assert_eq!(budget.spent().tokens, 410);
    assert!(budget.take(600).is_err() && budget.take(590).is_ok());
    budget.learn(Spent { hour: hour - 1, tokens: 5 }, 590);
    assert_eq!(budget.spent().tokens, 1000, "what is told of another hour changes nothing");
}

#[test]
fn a_question_larger_than_the_budget_has_an_hour_for_itself() {
    let budget = Budget::new(100, at(NOON));
    let small = budget.take(1).unwrap();
    assert!(budget.take(500).is_err());
    budget.settle(small, 0);
    assert!(budget.take(500).is_ok());
    assert!(budget.take(1).is_err());
    assert!(Budget::new(0, at(NOON)).take(1).is_err(), "no budget is no budget");
}

#[test]
fn a_restart_and_a_clock_put_back_do_not_fill_it() {
    let clock = at(NOON + MINUTE);
    let budget = Budget::new(100, clock.clone());
    let _spent: Granted = budget.take(100).unwrap();
    let resumed = Budget::resumed(100, clock.clone(), budget.spent());
    assert!(resumed.take(1).is_err());
    clock.0.store(NOON - MINUTE, Ordering::SeqCst);
    assert!(resumed.take(1).is_err(), "back by a little");
    // A clock that was a year ahead and is put right must not close it for a year.
    clock.0.store(NOON - 365 * 24 * 60 * MINUTE, Ordering::SeqCst);
    assert!(resumed.take(1).is_ok());
}

proptest! {
    /// Without wrong estimates, no hour spends more than its budget, unless one question alone does.
    #[test]
    fn an_hour_never_spends_more_than_its_budget(
        steps in prop::collection::vec((0i64..20 * MINUTE, 0u64..80, 0u64..=100), 1..60),
    ) {
        let clock = at(NOON);
        let budget = Budget::new(100, clock.clone());
        let mut open: Vec<(Granted, u64)> = Vec::new();
        for (pause, estimate, share) in steps {
            let now = clock.0.fetch_add(pause, Ordering::SeqCst) + pause;
            match budget.take(estimate) {
                Ok(granted) => open.push((granted, estimate * share / 100)),
                Err(NotBefore(time)) => prop_assert!(time > now && time <= now + 60 * MINUTE),
            }
            prop_assert!(budget.spent().tokens <= 100);
            if estimate % 3 == 0 && let Some((granted, used)) = open.pop() {
                budget.settle(granted, used);
                prop_assert!(budget.spent().tokens <= 100);
            }
        }
    }
}
