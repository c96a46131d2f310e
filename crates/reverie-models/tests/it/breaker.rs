//! Does a breaker open when it should, let one through at a time, and always come back?

use proptest::prelude::*;
use reverie_models::breaker::{Breaker, Leave, Outcome, Rules, State};

use crate::stage::NOON;

fn rules() -> Rules {
    Rules { failures: 3, window_ms: 1000, first_pause_ms: 100, longest_pause_ms: 350, probe_ms: 500 }
}

/// A day in the life of a breaker: `+50` waits, `ask`, `good`, `bad`, `bad:200` (with a pause asked for), `gone` settle
/// the oldest question that is open. Each step shows what came of it, if anything.
#[track_caller]
fn check(day: &str, expected: &str) {
    let mut now = NOON;
    let mut breaker = Breaker::new(rules(), now);
    let mut open: Vec<Leave> = Vec::new();
    let mut shown = Vec::new();
    for step in day.split_whitespace() {
        if let Some(wait) = step.strip_prefix('+') {
            now += wait.parse::<i64>().unwrap();
            continue;
        }
        if let Some(back) = step.strip_prefix('-') {
            now -= back.parse::<i64>().unwrap();
            continue;
        }
        if step == "ask" {
            match breaker.ask(now) {
                Ok(leave) => {
                    shown.push(if leave.is_probe { "probe".to_owned() } else { "yes".to_owned() });
                    open.push(leave);
                }
                Err(not_before) => shown.push(format!("not-for-{}", not_before - now)),
            }
            continue;
        }
        let outcome =
            match step.split_once(':').map_or((step, None), |(step, pause)| (step, pause.parse().ok())) {
                ("good", _) => Outcome::Succeeded,
                ("bad", pause_ms) => Outcome::Failed { pause_ms },
                ("gone", _) => Outcome::Abandoned,
                other => panic!("no such step: {other:?}"),
            };
        breaker.settle(open.remove(0), outcome, now);
        shown.push(breaker.state().as_str().to_owned());
    }
    assert_eq!(shown.join(" "), expected, "{day}");
}

#[test]
fn a_day_in_the_life() {
    let three_bad = "ask ask ask bad bad bad";
    let opened = "yes yes yes closed closed open";
    for (day, expected) in [
        ("ask bad ask bad ask good", "yes closed yes closed yes closed"),
        // Half of all may fail.
        (
            "ask good ask good ask good ask good ask bad ask bad ask bad",
            "yes closed yes closed yes closed yes closed yes closed yes closed yes closed",
        ),
        ("ask good ask bad ask bad ask bad", "yes closed yes closed yes closed yes open"),
        // Failures that are long past do not count.
        ("ask bad ask bad +1000 ask bad", "yes closed yes closed yes closed"),
        (
            &format!("{three_bad} ask +99 ask +1 ask ask"),
            &format!("{opened} not-for-100 not-for-1 probe not-for-500"),
        ),
        (&format!("{three_bad} +100 ask good ask"), &format!("{opened} probe closed yes")),
        // Twice as long each time, up to the longest pause; and from the beginning again after a success.
        (
            &format!(
                "{three_bad} +100 ask bad ask +200 ask bad ask +350 ask bad ask +350 ask good {three_bad} ask"
            ),
            &format!(
                "{opened} probe open not-for-200 probe open not-for-350 probe open not-for-350 probe closed {opened} not-for-100"
            ),
        ),
        // A probe that nobody waits for: the same pause again.
        (&format!("{three_bad} +100 ask gone ask"), &format!("{opened} probe open not-for-100")),
        // A probe that never tells: another one after a while, and what the first says then counts no more.
        (
            &format!("{three_bad} +100 ask +500 ask bad good"),
            &format!("{opened} probe probe half_open closed"),
        ),
        // What was asked before it opened tells nothing about the time after.
        ("ask ask ask ask bad bad bad good ask", "yes yes yes yes closed closed open open not-for-100"),
        // A server that names its time.
        ("ask bad:250 ask", "yes open not-for-250"),
        ("ask bad:99999 ask", "yes open not-for-350"),
        ("ask bad:1 ask", "yes open not-for-100"),
        ("ask gone ask", "yes closed yes"),
        // The clock is put back by an hour: the pause goes on as if nothing had happened.
        (&format!("{three_bad} -3600000 ask +100 ask"), &format!("{opened} not-for-100 probe")),
    ] {
        check(day, expected);
    }
}

#[derive(Debug, Clone)]
enum Step {
    Wait(i64),
    Ask,
    Settle(usize, u8),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        // Clocks go back now and then.
        2 => (-2000i64..3000).prop_map(Step::Wait),
        4 => Just(Step::Ask),
        4 => (0usize..8, 0u8..5).prop_map(|(which, outcome)| Step::Settle(which, outcome)),
    ]
}

proptest! {
    #[test]
    fn whatever_happens_it_keeps_its_promises(steps in prop::collection::vec(step(), 1..200)) {
        let rules = rules();
        let mut now = NOON;
        let mut breaker = Breaker::new(rules, now);
        let mut open: Vec<Leave> = Vec::new();
        let mut last_probe = None;
        for step in steps {
            let before = breaker.state();
            match step {
                Step::Wait(time) => now += time,
                Step::Ask => match breaker.ask(now) {
                    Ok(leave) => {
                        prop_assert_eq!(leave.is_probe, before != State::Closed);
                        if leave.is_probe {
                            prop_assert_eq!(breaker.state(), State::HalfOpen);
                            last_probe = Some(leave);
                        }
                        open.push(leave);
                    }
                    Err(not_before) => {
                        prop_assert!(before != State::Closed);
                        let longest = rules.longest_pause_ms.max(rules.probe_ms);
                        prop_assert!(not_before > now && not_before <= now + longest, "nobody is shut out for ever");
                        prop_assert_eq!(breaker.next_probe(), Some(not_before));
                    }
                },
                Step::Settle(which, outcome) => {
                    if open.is_empty() {
                        continue;
                    }
                    let leave = open.remove(which % open.len());
                    let outcome = match outcome {
                        0 => Outcome::Succeeded,
                        1 | 2 => Outcome::Failed { pause_ms: None },
                        3 => Outcome::Failed { pause_ms: Some(i64::MAX) },
                        _ => Outcome::Abandoned,
                    };
                    breaker.settle(leave, outcome, now);
                    if before == State::HalfOpen && breaker.state() != State::HalfOpen {
                        prop_assert_eq!(Some(leave), last_probe, "only the probe ends being half open");
                    }
                    if before == State::Open {
                        prop_assert_eq!(breaker.state(), State::Open, "only time and a probe end being open");
                    }
                }
            }
            prop_assert_eq!(breaker.next_probe().is_none(), breaker.state() == State::Closed);
        }
        // Left alone long enough, it lets one through, and one success closes it.
        now = now.max(breaker.since()) + rules.longest_pause_ms.max(rules.probe_ms);
        let leave = breaker.ask(now);
        prop_assert!(leave.is_ok());
        breaker.settle(leave.unwrap(), Outcome::Succeeded, now);
        prop_assert_eq!(breaker.state(), State::Closed);
    }

    /// Many at once: while it is half open, exactly one is let through.
    #[test]
    fn one_probe_at_a_time(askers in 2usize..50, pause in 100i64..10_000) {
        let mut breaker = Breaker::new(Rules { failures: 1, ..rules() }, NOON);
        let leave = breaker.ask(NOON).unwrap();
        breaker.settle(leave, Outcome::Failed { pause_ms: None }, NOON);
        let granted = (0..askers).filter(|_| breaker.ask(NOON + pause).is_ok()).count();
        prop_assert_eq!(granted, 1);
    }
}
