//! Does a client send its history, or only what is new?
//!
//! It decides what becomes of a message that looks like a note: a client that keeps a history sends it again with the next request, one that
//! keeps none never does.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use reverie_core::WorldId;

/// More of them are forgotten.
const MANY: usize = 10_000;
/// So often in a row nothing of what was there must be missing by chance.
const SURE: u8 = 2;

/// Who talks to whom, as the client writes it.
pub(super) type Talkers = (WorldId, String, String);

#[derive(Debug, Default)]
pub(super) struct Habits {
    /// How often in a row only what is new was sent.
    only_new: Mutex<HashMap<Talkers, u8>>,
}

impl Habits {
    pub(super) fn sends_only_what_is_new(&self, talkers: &Talkers) -> bool {
        self.all().get(talkers).is_some_and(|times| *times >= SURE)
    }

    /// A request was understood. `is_only_new`: others had answered before, and it has none of that; None: it says nothing of that.
    pub(super) fn saw(&self, talkers: Talkers, is_only_new: Option<bool>) {
        let mut all = self.all();
        if all.len() > MANY {
            all.clear();
        }
        match is_only_new {
            Some(true) => {
                let times = all.entry(talkers).or_default();
                *times = times.saturating_add(1);
            }
            Some(false) => drop(all.remove(&talkers)),
            None => {}
        }
    }

    fn all(&self) -> MutexGuard<'_, HashMap<Talkers, u8>> {
        self.only_new.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
