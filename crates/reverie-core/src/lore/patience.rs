//! How much work is a search willing to do for keys that are looked for one by one?
//!
//! A book may have thousands of patterns, and a search many passes over a long window. So all of them share one number of
//! steps: when it is spent, the others are not found, and the authors are told. Steps are counted, not time, so that the
//! same search always finds the same.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::rc::Rc;

use super::key;
use super::pattern::{Pattern, Search};

/// Steps of all keys of one search: bytes that are read, and whatever else the engines of patterns count. A step takes
/// a few nanoseconds, so that the worst book costs a second.
pub const MOST_STEPS: usize = 192 << 20;
/// One of so many steps is for patterns that go back and try again.
const BACKTRACKING: usize = 3;
/// Steps of one such pattern in one pass.
const MOST_OF_ONE: usize = 4 << 20;
/// Patterns that may reach their limit in one search.
const MOST_GIVEN_UP: u32 = 8;

pub(super) struct Patience {
    given_up: Cell<u32>,
    most: usize,
    left: Cell<usize>,
    left_to_backtracking: Cell<usize>,
    /// Bytes that were read for keys that are looked for one by one.
    read: Cell<usize>,
    /// Patterns that are not tried any more, by number.
    dropped: RefCell<HashSet<u32>>,
    /// Patterns of which something was told.
    named: RefCell<HashSet<u32>>,
    told: RefCell<Vec<Dropped>>,
}

/// A key that was not looked for to the end.
pub(super) struct Dropped {
    pub(super) item: u32,
    /// As it is shown.
    pub(super) key: String,
    pub(super) why: String,
}

/// All steps are spent.
#[derive(PartialEq, Eq)]
struct NothingLeft;

const NOT_AT_ALL: &str = "was not looked for: patterns took all the work that one search may do";
const NOT_TO_THE_END: &str =
    "was not looked for to the end: patterns took all the work that one search may do";

/// Whose key it is, and which.
#[derive(Clone, Copy)]
pub(super) struct Asker<'a> {
    /// The key's own among patterns and macros.
    pub(super) number: u32,
    pub(super) item: u32,
    pub(super) key: &'a str,
}

impl Patience {
    /// With so many steps.
    pub(super) fn new(most: usize) -> Self {
        Self {
            given_up: Cell::default(),
            most,
            left: Cell::new(most),
            left_to_backtracking: Cell::new(most / BACKTRACKING),
            read: Cell::default(),
            dropped: RefCell::default(),
            named: RefCell::default(),
            told: RefCell::default(),
        }
    }

    /// Searches, unless that was in vain before.
    pub(super) fn search(&self, pattern: &Pattern, text: impl FnOnce() -> Rc<str>, asker: Asker<'_>) -> bool {
        if self.dropped.borrow().contains(&asker.number) {
            return false;
        }
        let Some(text) = self.read(text, asker) else { return false };
        if pattern.backtracks(&text) && self.given_up.get() >= MOST_GIVEN_UP {
            self.drop(asker, "was not looked for: other patterns took too long");
            return false;
        }
        match self.count(pattern, &text) {
            Ok(Search::Found) => return true,
            Ok(Search::NotFound) => {}
            Ok(Search::TooLarge) => self.drop(asker, "is not looked for: compiled it takes too much memory"),
            Ok(Search::GivenUp) => {
                self.given_up.set(self.given_up.get() + 1);
                self.drop(asker, "was given up: it takes too many steps on this text");
            }
            Err(NothingLeft) => self.drop(asker, NOT_TO_THE_END),
        }
        false
    }

    /// Reads a text for one key; None: there is no patience left for it.
    pub(super) fn read(&self, text: impl FnOnce() -> Rc<str>, asker: Asker<'_>) -> Option<Rc<str>> {
        if self.left.get() == 0 {
            self.drop(asker, NOT_AT_ALL);
            return None;
        }
        let text = text();
        self.read.set(self.read.get().saturating_add(text.len()));
        let Some(left) = self.left.get().checked_sub(text.len()) else {
            self.left.set(0);
            self.drop(asker, NOT_AT_ALL);
            return None;
        };
        self.left.set(left);
        Some(text)
    }

    /// Looks once more for what was found, in a part of the text.
    pub(super) fn finds_again(&self, pattern: &Pattern, part: &str) -> bool {
        let part = pattern.form().spell(part);
        self.left.set(self.left.get().saturating_sub(part.len()));
        self.count(pattern, &part) == Ok(Search::Found)
    }

    /// The bytes are paid for.
    fn count(&self, pattern: &Pattern, text: &str) -> Result<Search, NothingLeft> {
        let left = self.left.get();
        let backtracks = pattern.backtracks(text);
        let most = match backtracks {
            true => left.min(self.left_to_backtracking.get()).min(MOST_OF_ONE),
            false => left,
        };
        let mut steps = most;
        let found = pattern.search(text, &mut steps);
        let taken = most - steps;
        self.left.set(left - taken);
        if backtracks {
            self.left_to_backtracking.set(self.left_to_backtracking.get() - taken);
        }
        match found {
            Search::GivenUp if most < MOST_OF_ONE || !backtracks => Err(NothingLeft),
            found => Ok(found),
        }
    }

    /// Whether the key of this number was not looked for to the end.
    pub(super) fn has_dropped(&self, number: u32) -> bool {
        self.dropped.borrow().contains(&number)
    }

    /// What was read and counted.
    pub(super) fn steps(&self) -> usize {
        self.most - self.left.get()
    }

    pub(super) fn bytes_read(&self) -> usize {
        self.read.get()
    }

    fn drop(&self, asker: Asker<'_>, why: &str) {
        self.dropped.borrow_mut().insert(asker.number);
        self.tell(asker, why);
    }

    /// Once for each key.
    pub(super) fn tell(&self, asker: Asker<'_>, why: impl Into<String>) {
        if self.named.borrow_mut().insert(asker.number) {
            self.told.borrow_mut().push(Dropped {
                item: asker.item,
                key: key::shown(asker.key),
                why: why.into(),
            });
        }
    }

    pub(super) fn told(self) -> Vec<Dropped> {
        self.told.into_inner()
    }
}
