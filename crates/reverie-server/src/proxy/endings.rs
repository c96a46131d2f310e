//! Whose answer is being said, or has ended and is not written down yet? Somebody who stops an answer may go on at once, and what they
//! say next belongs behind what they were shown.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};

use super::habits::Talkers;

#[derive(Debug, Default)]
pub(super) struct Endings {
    all: Mutex<HashMap<Talkers, Answers>>,
    changed: Notify,
}

/// How many of theirs.
#[derive(Debug, Clone, Copy, Default)]
struct Answers {
    being_said: usize,
    unwritten: usize,
}

/// An answer, from its beginning until it is written down.
pub(super) struct Saying {
    endings: Arc<Endings>,
    talkers: Talkers,
    has_ended: bool,
}

impl Endings {
    pub(super) fn begin(self: &Arc<Self>, talkers: Talkers) -> Saying {
        self.all().entry(talkers.clone()).or_default().being_said += 1;
        Saying { endings: Arc::clone(self), talkers, has_ended: false }
    }

    /// Until all that have ended are written down, but not beyond `late`. That a client has left may be known a little later than what it
    /// says next: so long, until `soon`, those that are being said may still end.
    pub(super) async fn wait(&self, talkers: &Talkers, soon: Instant, late: Instant) {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            // From here on nothing is missed.
            changed.as_mut().enable();
            let answers = self.all().get(talkers).copied().unwrap_or_default();
            let until = match answers {
                Answers { unwritten: 1.., .. } => late,
                Answers { being_said: 1.., .. } => soon,
                _ => return,
            };
            // Whoever is late is recorded beside what was said meanwhile.
            if timeout_at(until, changed).await.is_err() {
                return;
            }
        }
    }

    fn all(&self) -> MutexGuard<'_, HashMap<Talkers, Answers>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Saying {
    /// Nothing more is said; now it is written down.
    pub(super) fn end(&mut self) {
        if let Some(answers) = self.endings.all().get_mut(&self.talkers) {
            answers.being_said -= 1;
            answers.unwritten += 1;
            self.has_ended = true;
        }
        self.endings.changed.notify_waiters();
    }
}

impl Drop for Saying {
    fn drop(&mut self) {
        let mut all = self.endings.all();
        if let Some(answers) = all.get_mut(&self.talkers) {
            match self.has_ended {
                true => answers.unwritten -= 1,
                false => answers.being_said -= 1,
            }
            if answers.being_said + answers.unwritten == 0 {
                all.remove(&self.talkers);
            }
        }
        drop(all);
        self.endings.changed.notify_waiters();
    }
}
