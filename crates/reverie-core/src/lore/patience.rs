//! How long is a search willing to wait for patterns that go back and try again?
//!
//! One pattern has its limit of steps; a book may have a thousand of them, and a search many passes. So a pattern that
//! was given up is not tried again, and when too much was spent none is: the authors are told.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::rc::Rc;

use super::key;
use super::pattern::{Pattern, Search};

/// Patterns that may reach their limit in one search.
const MOST_GIVEN_UP: u32 = 8;
/// What all backtracking patterns may cost in one search, see [`cost`].
const MOST_COST: usize = 16 << 20;
/// Bytes of a text that one of them reads: a single step may read them all.
const MOST_TEXT: usize = 64 << 10;

/// At worst such a pattern reads the text once from every place, so a text twice as long costs more than twice as much.
fn cost(text: &str) -> usize {
    text.len().max(16 << 10) * (1 + text.len() / (4 << 10))
}

#[derive(Default)]
pub(super) struct Patience {
    given_up: Cell<u32>,
    spent: Cell<usize>,
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

impl Patience {
    /// Searches, unless that was in vain before. `number` is the pattern's own.
    pub(super) fn search(
        &self,
        pattern: &Pattern,
        text: impl FnOnce() -> Rc<str>,
        number: u32,
        item: u32,
        key: &str,
    ) -> bool {
        if !pattern.backtracks() {
            let text = text();
            self.reads(&text);
            let found = pattern.search(&text);
            if found == Search::GivenUp {
                self.tell(number, item, key, "is not looked for: compiled it takes too much memory");
            }
            return found == Search::Found;
        }
        if self.dropped.borrow().contains(&number) {
            return false;
        }
        if self.given_up.get() >= MOST_GIVEN_UP || self.spent.get() >= MOST_COST {
            self.dropped.borrow_mut().insert(number);
            self.tell(number, item, key, "was not looked for: other patterns took too long");
            return false;
        }
        let text = text();
        let ends = (0..=MOST_TEXT.min(text.len())).rev();
        let start = ends.into_iter().find_map(|end| text.get(..end)).unwrap_or_default();
        self.spent.set(self.spent.get() + cost(start));
        match pattern.search(start) {
            Search::Found => return true,
            Search::NotFound if start.len() == text.len() => {}
            Search::NotFound => {
                self.tell(
                    number,
                    item,
                    key,
                    "was looked for in the first 64 KiB only: it tries again and again",
                );
            }
            Search::GivenUp => {
                self.given_up.set(self.given_up.get() + 1);
                self.dropped.borrow_mut().insert(number);
                self.tell(number, item, key, "was given up: it takes too many steps on this text");
            }
        }
        false
    }

    pub(super) fn reads(&self, text: &str) {
        self.read.set(self.read.get().saturating_add(text.len()));
    }

    pub(super) fn read(&self) -> usize {
        self.read.get()
    }

    /// Once for each key.
    pub(super) fn tell(&self, number: u32, item: u32, key: &str, why: impl Into<String>) {
        if self.named.borrow_mut().insert(number) {
            self.told.borrow_mut().push(Dropped { item, key: key::shown(key), why: why.into() });
        }
    }

    pub(super) fn told(self) -> Vec<Dropped> {
        self.told.into_inner()
    }
}
