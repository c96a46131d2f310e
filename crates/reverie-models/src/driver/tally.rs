//! How much was asked since the start, and what became of it?

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Counts since the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Questions whose answer counted.
    pub answered: u64,
    /// Questions that a model failed to answer, or answered with what could not be used; they come again.
    pub failed: u64,
    /// Questions that were given back unasked: no budget, or the model was left alone.
    pub given_back: u64,
    /// Answers that came too late.
    pub late: u64,
    pub memories: u64,
    /// Statements of models that were not believed.
    pub rejected: u64,
    /// Tokens, as servers counted them, or as estimated where they did not.
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// Questions that are being asked at this moment.
    pub asking: usize,
}

#[derive(Default)]
pub(super) struct Counters {
    pub(super) answered: AtomicU64,
    pub(super) failed: AtomicU64,
    pub(super) given_back: AtomicU64,
    pub(super) late: AtomicU64,
    pub(super) memories: AtomicU64,
    pub(super) rejected: AtomicU64,
    pub(super) input_tokens: AtomicU64,
    pub(super) output_tokens: AtomicU64,
    asking: AtomicUsize,
}

impl Counters {
    pub(super) fn read(&self) -> Tally {
        let of = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Tally {
            answered: of(&self.answered),
            failed: of(&self.failed),
            given_back: of(&self.given_back),
            late: of(&self.late),
            memories: of(&self.memories),
            rejected: of(&self.rejected),
            input_tokens: of(&self.input_tokens),
            output_tokens: of(&self.output_tokens),
            asking: self.asking.load(Ordering::Relaxed),
        }
    }

    /// One more is being asked, until this is dropped.
    pub(super) fn asking(&self) -> Asking<'_> {
        self.asking.fetch_add(1, Ordering::Relaxed);
        Asking(self)
    }
}

pub(super) fn add(counter: &AtomicU64, more: u64) {
    counter.fetch_add(more, Ordering::Relaxed);
}

pub(super) struct Asking<'t>(&'t Counters);

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        self.0.asking.fetch_sub(1, Ordering::Relaxed);
    }
}
