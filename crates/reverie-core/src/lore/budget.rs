//! Is there room for one more?
//!
//! Counted are the contents of a pass, each with a line break, and those of earlier passes that were searched; of a pass that
//! brought none, the line break.

use std::collections::HashMap;
use std::sync::Arc;

use super::rules::Meter;
use super::shelf::Item;
use super::why::Outcome;

pub(super) struct Budget {
    meter: Meter,
    /// In tokens.
    pub(super) total: usize,
    /// True once an entry did not fit: after that only those come that ignore the budget.
    pub(super) is_over: bool,
    /// Length of what earlier passes brought into the search.
    pub(super) earlier: usize,
    /// Length of what this pass brought so far, whether it fitted or not.
    now: usize,
    books: HashMap<Arc<str>, usize>,
}

impl Budget {
    pub(super) fn new(meter: Meter, total: usize) -> Self {
        Self { meter, total, is_over: false, earlier: 0, now: 0, books: HashMap::new() }
    }

    pub(super) fn begin_pass(&mut self) {
        self.now = 0;
    }

    /// Takes what is searched from now on.
    pub(super) fn search(&mut self, content: &str) {
        self.earlier += self.line(content);
    }

    /// Passes that bring nothing are counted, too: each leaves the line break that stands behind what a pass brings.
    pub(super) fn pass_over(&mut self, passes: usize) {
        self.earlier += passes * self.line("");
    }

    pub(super) fn is_closed_to(&self, item: &Item) -> bool {
        self.is_over && !item.entry.ignore_budget
    }

    /// A book's own budget refuses its entries only; the common one ends the search, but not for the sake of somebody
    /// who wants to be ignored then.
    pub(super) fn take(&mut self, item: &Item, content: &str) -> Result<(), Outcome> {
        let own = self.line(content);
        self.now += own;
        if item.entry.ignore_budget {
            return Ok(());
        }
        if self.needed(self.now) >= self.total {
            if item.orders.ignore_on_max_context {
                self.now -= own;
                return Err(self.too_much(own));
            }
            self.is_over = true;
            return Err(self.too_much(0));
        }
        let Some(most) = item.book_budget.filter(|most| *most > 0) else { return Ok(()) };
        let used = self.books.entry(Arc::clone(&item.book)).or_default();
        if self.meter.tokens(*used + own) > most as usize {
            return Err(self.too_much(0));
        }
        *used += own;
        Ok(())
    }

    /// What is told to somebody who comes too late.
    pub(super) fn too_late(&self, content: &str) -> Outcome {
        self.too_much(self.line(content))
    }

    fn too_much(&self, more: usize) -> Outcome {
        Outcome::OverBudget { needed: self.needed(self.now + more), budget: self.total }
    }

    fn needed(&self, now: usize) -> usize {
        self.meter.tokens(self.earlier) + self.meter.tokens(now)
    }

    fn line(&self, content: &str) -> usize {
        (self.meter.length)(content) + (self.meter.length)("\n")
    }
}
