//! Which entries stay for a while, and which must rest?
//!
//! Everything counts messages of one branch of a conversation. An effect that began after the point to which the
//! conversation went back has never been.

mod step;
mod text;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::shelf::Item;
use super::why::Outcome;
pub use step::Step;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Sticky,
    Cooldown,
    /// Set off once, by an order that it stay for good.
    Kept,
    /// Set off once, by an order that it never come back.
    Spent,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timer {
    pub book: Arc<str>,
    pub entry: Arc<str>,
    pub kind: Kind,
    /// Messages there were when it began.
    pub start: u32,
    /// Over when there are this many.
    pub end: u32,
    /// Began when another ended, while nothing new was said: going back to its beginning keeps it.
    pub protected: bool,
}

/// All effects of a conversation's branch.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Timers {
    pub list: Vec<Timer>,
}

/// What an entry says about its own timing, as far as timers need it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Timing {
    pub(super) sticky: Option<u32>,
    pub(super) cooldown: Option<u32>,
}

impl Timers {
    /// Lets time pass: what is over goes, what follows begins. `timing` knows the entries; None: not searched today.
    pub(super) fn advance(&mut self, messages: u32, timing: impl Fn(&Timer) -> Option<Timing>) {
        let mut begun = Vec::new();
        self.list.retain(|timer| {
            if messages <= timer.start && !timer.protected {
                return false;
            }
            let Some(timing) = timing(timer) else { return messages < timer.end };
            let configured = match timer.kind {
                Kind::Sticky => timing.sticky.is_some(),
                Kind::Cooldown => timing.cooldown.is_some(),
                Kind::Kept | Kind::Spent => true,
            };
            if !configured {
                return false;
            }
            if messages < timer.end {
                return true;
            }
            if let (Kind::Sticky, Some(cooldown)) = (timer.kind, timing.cooldown) {
                begun.push(Timer {
                    kind: Kind::Cooldown,
                    start: messages,
                    end: messages.saturating_add(cooldown),
                    protected: true,
                    ..timer.clone()
                });
            }
            false
        });
        if begun.is_empty() {
            return;
        }
        let names: HashSet<(&str, &str)> = begun.iter().map(|timer| (&*timer.book, &*timer.entry)).collect();
        self.list.retain(|old| old.kind != Kind::Cooldown || !names.contains(&(&*old.book, &*old.entry)));
        self.list.append(&mut begun);
    }

    /// What is on, by the entry's place on the shelf.
    pub(super) fn by_item(&self, place: impl Fn(&Arc<str>, &Arc<str>) -> Option<u32>) -> HashMap<u32, Timed> {
        let mut timed: HashMap<u32, Timed> = HashMap::new();
        for timer in &self.list {
            let Some(item) = place(&timer.book, &timer.entry) else { continue };
            let timed = timed.entry(item).or_default();
            match timer.kind {
                Kind::Sticky => timed.sticky = true,
                Kind::Kept => timed.kept = true,
                Kind::Spent => timed.spent = true,
                Kind::Cooldown => timed.rests_until = timed.rests_until.or(Some(timer.end)),
            }
        }
        timed
    }

    /// Begins the effects of an entry that became active, but for those that are on already.
    pub(super) fn begin(&mut self, item: &Item, on: Timed, messages: u32) {
        let for_ever = |is: bool| is.then_some(u32::MAX);
        for (kind, length, is_on) in [
            (Kind::Sticky, item.entry.sticky, on.sticky),
            (Kind::Cooldown, item.entry.cooldown, on.rests_until.is_some()),
            (Kind::Kept, for_ever(item.orders.keep_after_match), on.kept),
            (Kind::Spent, for_ever(item.orders.never_after_match), on.spent),
        ] {
            let Some(length) = length.filter(|length| *length > 0 && !is_on) else { continue };
            self.list.push(Timer {
                book: Arc::clone(&item.book),
                entry: Arc::clone(&item.entry.id),
                kind,
                start: messages,
                end: messages.saturating_add(length),
                protected: false,
            });
        }
    }
}

/// Which effects an entry is under.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Timed {
    pub(super) sticky: bool,
    pub(super) kept: bool,
    pub(super) spent: bool,
    pub(super) rests_until: Option<u32>,
}

impl Timed {
    pub(super) fn stays(self) -> bool {
        self.sticky || self.kept
    }

    /// Delays, cooldowns, and the orders about when: what keeps an entry back after so many messages.
    pub(super) fn check(self, item: &Item, messages: u32) -> Result<(), Outcome> {
        let missing = |wanted: Option<u32>| wanted.and_then(|wanted| wanted.checked_sub(messages));
        if let Some(missing) = missing(item.entry.delay).filter(|missing| *missing > 0) {
            return Err(Outcome::Delayed { missing });
        }
        if let Some(missing) = missing(item.orders.only_after).filter(|missing| *missing > 0) {
            return Err(Outcome::Delayed { missing });
        }
        if let Some(every) = item.orders.only_every.filter(|every| !messages.is_multiple_of(*every)) {
            return Err(Outcome::NotThisTime { every });
        }
        if self.stays() {
            return Ok(());
        }
        if self.spent {
            return Err(Outcome::Spent);
        }
        match self.rests_until {
            Some(end) => Err(Outcome::CoolingDown { left: end.saturating_sub(messages) }),
            None => Ok(()),
        }
    }
}
