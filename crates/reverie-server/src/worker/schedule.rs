//! Which world is looked at next, and when?
//!
//! Pure: times come in, times go out. A world is due a moment after something was written to it, when a silence in it will have
//! lasted long enough, or, if it failed, after a wait that doubles.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use reverie_core::WorldId;

/// A world, or all of them.
pub(super) type Target = Option<WorldId>;

/// Writes that come together are digested together.
const GATHER: Duration = Duration::from_millis(100);
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LONGEST_WAIT: Duration = Duration::from_secs(60);

#[derive(Debug, Default)]
pub(super) struct Schedule {
    due: BTreeMap<Target, Instant>,
    /// How long each waits that failed the last time.
    failing: BTreeMap<Target, Duration>,
}

impl Schedule {
    /// Something was written. Whoever failed does not get its turn earlier for that.
    pub(super) fn woken(&mut self, target: Target, now: Instant) {
        if !self.failing.contains_key(&target) {
            self.at_the_latest(target, now + GATHER);
        }
    }

    pub(super) fn at_the_latest(&mut self, target: Target, at: Instant) {
        let due = self.due.entry(target).or_insert(at);
        *due = at.min(*due);
    }

    /// When something will be due.
    pub(super) fn next(&self) -> Option<Instant> {
        self.due.values().min().copied()
    }

    /// The one that waited longest of those that are due.
    pub(super) fn take(&mut self, now: Instant) -> Option<Target> {
        let is_due = self.due.iter().filter(|(_, due)| **due <= now);
        let target = is_due.min_by_key(|(_, due)| **due).map(|(target, _)| target.clone())?;
        self.due.remove(&target);
        Some(target)
    }

    /// True if it had not failed before.
    pub(super) fn failed(&mut self, target: Target, now: Instant) -> bool {
        let before = self.failing.get(&target).copied();
        let wait = before.map_or(FIRST_WAIT, |wait| (wait * 2).min(LONGEST_WAIT));
        self.failing.insert(target.clone(), wait);
        self.due.insert(target, now + wait);
        before.is_none()
    }

    /// True if it had failed before.
    pub(super) fn succeeded(&mut self, target: &Target) -> bool {
        self.failing.remove(target).is_some()
    }

    pub(super) fn failing(&self) -> usize {
        self.failing.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world(id: &str) -> Target {
        Some(WorldId::new(id).unwrap())
    }

    #[test]
    fn writes_that_come_together_are_one_turn() {
        let (mut schedule, start) = (Schedule::default(), Instant::now());
        let at = |ms| start + Duration::from_millis(ms);
        schedule.woken(world("b"), at(0));
        schedule.woken(world("a"), at(50));
        schedule.woken(world("b"), at(90));
        assert_eq!((schedule.take(at(99)), schedule.next()), (None, Some(at(100))));
        assert_eq!(schedule.take(at(200)), Some(world("b")), "it waited longest");
        assert_eq!(schedule.take(at(200)), Some(world("a")));
        assert_eq!((schedule.take(at(200)), schedule.next()), (None, None));
    }

    #[test]
    fn failures_wait_longer_and_longer_and_writes_do_not_hurry_them() {
        let (mut schedule, start) = (Schedule::default(), Instant::now());
        let at = |seconds| start + Duration::from_secs(seconds);
        assert!(schedule.failed(world("a"), at(0)));
        for (now, next) in [(1, 3), (3, 7), (7, 15), (15, 31), (31, 63), (63, 123), (123, 183)] {
            schedule.woken(world("a"), at(now));
            schedule.at_the_latest(None, at(1000));
            assert_eq!(schedule.next(), Some(at(now)), "not before");
            assert_eq!(schedule.take(at(now)), Some(world("a")));
            assert!(!schedule.failed(world("a"), at(now)), "it is told once");
            assert_eq!(schedule.next(), Some(at(next)));
        }
        assert_eq!(schedule.failing(), 1);
        assert!(schedule.succeeded(&world("a")) && !schedule.succeeded(&world("a")));
        assert_eq!(schedule.failing(), 0);
    }

    #[test]
    fn the_earliest_time_counts() {
        let (mut schedule, start) = (Schedule::default(), Instant::now());
        let at = |seconds| start + Duration::from_secs(seconds);
        schedule.at_the_latest(world("a"), at(300));
        schedule.at_the_latest(world("a"), at(20));
        schedule.at_the_latest(world("a"), at(60));
        assert_eq!(schedule.next(), Some(at(20)));
    }
}
