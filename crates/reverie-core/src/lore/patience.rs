//! How long is a search willing to wait for patterns that go back and try again?
//!
//! One pattern has its limit of steps; a book may have a thousand of them, and a search many passes. So a pattern that
//! was given up is not tried again, and when too much was spent none is: the authors are told.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;

use super::pattern::{Pattern, Search};

/// Patterns that may reach their limit in one search.
const MOST_GIVEN_UP: u32 = 8;
/// Bytes that all backtracking patterns may read in one search.
const MOST_READ: usize = 64 << 20;
/// Counted on top of the text, so that many patterns on a short text are not for free.
const READ_AT_LEAST: usize = 16 << 10;

#[derive(Default)]
pub(super) struct Patience {
    given_up: Cell<u32>,
    read: Cell<usize>,
    /// Patterns that are not tried any more, by number.
    dropped: RefCell<HashSet<u32>>,
    told: RefCell<Vec<Dropped>>,
}

/// A key that was not looked for to the end.
pub(super) struct Dropped {
    pub(super) item: u32,
    pub(super) key: String,
    pub(super) why: &'static str,
}

impl Patience {
    /// Searches, unless that was in vain before. `number` is the pattern's own.
    pub(super) fn search(&self, pattern: &Pattern, text: &str, number: u32, item: u32, key: &str) -> bool {
        if !pattern.backtracks() {
            return pattern.search(text) == Search::Found;
        }
        if self.dropped.borrow().contains(&number) {
            return false;
        }
        if self.given_up.get() >= MOST_GIVEN_UP || self.read.get() >= MOST_READ {
            self.drop(number, item, key, "was not looked for: other patterns took too long");
            return false;
        }
        self.read.set(self.read.get() + text.len().max(READ_AT_LEAST));
        match pattern.search(text) {
            Search::Found => true,
            Search::NotFound => false,
            Search::GivenUp => {
                self.given_up.set(self.given_up.get() + 1);
                self.drop(number, item, key, "was given up: it takes too many steps on this text");
                false
            }
        }
    }

    fn drop(&self, number: u32, item: u32, key: &str, why: &'static str) {
        if self.dropped.borrow_mut().insert(number) {
            self.told.borrow_mut().push(Dropped { item, key: key.to_owned(), why });
        }
    }

    pub(super) fn told(self) -> Vec<Dropped> {
        self.told.into_inner()
    }
}
