//! How did a server do that requests are passed on to?
//!
//! Only watched: nothing is left alone because of it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use reverie_core::clock::Clock;
use reverie_core::dependency::LastFailure;

use crate::error::{Error, Kind};

/// What was seen of it, in our own words: no dialogue, no key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seen {
    /// Answers that began.
    pub answered: u64,
    /// No answer, one that refuses everybody or tells of a fault, or one that broke off.
    pub failed: u64,
    pub last_answer_ms: Option<i64>,
    pub last_failure: Option<LastFailure>,
}

#[derive(Clone)]
pub(super) struct Watch {
    clock: Arc<dyn Clock>,
    server: String,
    seen: Arc<Mutex<Seen>>,
}

impl Watch {
    pub(super) fn new(clock: Arc<dyn Clock>, server: String) -> Self {
        Self { clock, server, seen: Arc::default() }
    }

    pub(super) fn seen(&self) -> Seen {
        self.inside().clone()
    }

    /// The head of an answer is there. What is the matter with one request alone says nothing of the server.
    pub(super) fn answered(&self, status: u16) {
        let kind = match status {
            401 | 403 => Kind::KeyRefused,
            402 => Kind::Unpaid,
            408 => Kind::TimedOut,
            429 => Kind::TooManyRequests,
            500.. => Kind::ServerFault,
            _ => {
                let now_ms = self.clock.now_ms();
                let mut seen = self.inside();
                seen.answered += 1;
                seen.last_answer_ms = Some(now_ms);
                return;
            }
        };
        self.note(kind, format!("{} answered with the status {status}", self.server));
    }

    pub(super) fn failed(&self, error: &Error) {
        self.note(error.kind(), error.message().to_owned());
    }

    fn note(&self, kind: Kind, message: String) {
        let at_ms = self.clock.now_ms();
        let mut seen = self.inside();
        seen.failed += 1;
        seen.last_failure = Some(LastFailure { at_ms, code: kind.as_str().to_owned(), message });
    }

    fn inside(&self) -> MutexGuard<'_, Seen> {
        // Counting cannot stop halfway.
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
