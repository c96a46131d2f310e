//! What does one prompt change about the timers of its branch, once its answer is recorded?

use std::collections::HashSet;

use super::{Kind, Timer, Timers};

/// A change that can be made to other timers than those it was made from: somebody else may have answered meanwhile.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Step {
    pub ended: Timers,
    pub begun: Timers,
}

type Name<'t> = (Kind, &'t str, &'t str);

fn name(timer: &Timer) -> Name<'_> {
    (timer.kind, &timer.book, &timer.entry)
}

impl Step {
    pub fn between(before: &Timers, after: &Timers) -> Self {
        let missing = |these: &Timers, those: &Timers| {
            let those: HashSet<(Name<'_>, u32, u32)> =
                those.list.iter().map(|timer| (name(timer), timer.start, timer.end)).collect();
            let kept =
                these.list.iter().filter(|timer| !those.contains(&(name(timer), timer.start, timer.end)));
            Timers { list: kept.cloned().collect() }
        };
        Self { ended: missing(before, after), begun: missing(after, before) }
    }

    pub fn is_empty(&self) -> bool {
        self.ended.list.is_empty() && self.begun.list.is_empty()
    }

    /// What runs after it. What somebody else has set off meanwhile goes on.
    pub fn apply(&self, mut timers: Timers) -> Timers {
        let ended: HashSet<(Name<'_>, u32)> =
            self.ended.list.iter().map(|timer| (name(timer), timer.start)).collect();
        timers.list.retain(|timer| !ended.contains(&(name(timer), timer.start)));
        let running: HashSet<(Kind, String, String)> = timers
            .list
            .iter()
            .map(|timer| (timer.kind, timer.book.to_string(), timer.entry.to_string()))
            .collect();
        let is_new = |timer: &&Timer| {
            !running.contains(&(timer.kind, timer.book.to_string(), timer.entry.to_string()))
        };
        timers.list.extend(self.begun.list.iter().filter(is_new).cloned());
        timers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn timers(texts: &[(&str, u32)]) -> Timers {
        let timer = |(entry, start): &(&str, u32)| Timer {
            book: Arc::from("b"),
            entry: Arc::from(*entry),
            kind: Kind::Sticky,
            start: *start,
            end: start + 5,
            protected: false,
        };
        Timers { list: texts.iter().map(timer).collect() }
    }

    #[test]
    fn a_step_is_made_from_where_others_have_gone() {
        let step = Step::between(&timers(&[("old", 1), ("stays", 2)]), &timers(&[("stays", 2), ("new", 9)]));
        assert_eq!(step.ended, timers(&[("old", 1)]));
        assert_eq!(step.begun, timers(&[("new", 9)]));
        assert_eq!(
            step.apply(timers(&[("old", 1), ("stays", 2), ("theirs", 8)])),
            timers(&[("stays", 2), ("theirs", 8), ("new", 9)])
        );
        assert_eq!(step.apply(timers(&[("new", 7)])), timers(&[("new", 7)]), "what runs goes on");
        assert!(Step::between(&timers(&[("a", 1)]), &timers(&[("a", 1)])).is_empty());
    }
}
