//! Which of the things that Reverie leans on is well, and who may lean on it now?
//!
//! One [`Dependency`] per thing (chat model, embedding model, vector index, database): a breaker with a name, shared by
//! all who use the thing, and readable for `/health`.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::breaker::{Breaker, Leave, Millis, Outcome, Rules, State};
use crate::clock::Clock;
use crate::{Code, Error};

#[derive(Clone)]
pub struct Dependency {
    shared: Arc<Shared>,
}

struct Shared {
    name: String,
    clock: Arc<dyn Clock>,
    inside: Mutex<Inside>,
}

struct Inside {
    breaker: Breaker,
    last_failure: Option<LastFailure>,
}

/// How the last failure is told: our own words only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastFailure {
    pub at_ms: Millis,
    /// From a closed list, of whoever uses the thing.
    pub code: String,
    pub message: String,
}

/// What `/health` shows of a dependency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    pub name: String,
    pub state: State,
    pub since_ms: Millis,
    /// Failures that count at present.
    pub failures: usize,
    pub last_failure: Option<LastFailure>,
    /// When the next try may be made; None while it is closed.
    pub next_probe_ms: Option<Millis>,
}

impl Dependency {
    pub fn new(name: impl Into<String>, rules: Rules, clock: Arc<dyn Clock>) -> Self {
        let breaker = Breaker::new(rules, clock.now_ms());
        let inside = Mutex::new(Inside { breaker, last_failure: None });
        Self { shared: Arc::new(Shared { name: name.into(), clock, inside }) }
    }

    pub fn name(&self) -> &str {
        &self.shared.name
    }

    /// Leave to use it now, or why it is left alone, and for how long.
    pub fn ask(&self) -> Result<Permit, Resting> {
        let now = self.shared.clock.now_ms();
        let mut inside = self.shared.inside();
        let left = match inside.breaker.ask(now) {
            Ok(leave) => return Ok(Permit { shared: self.shared.clone(), leave: Some(leave) }),
            Err(not_before) => not_before.saturating_sub(now).max(0),
        };
        let pause = Duration::from_millis(left.unsigned_abs());
        let why = inside.last_failure.as_ref().map_or(String::new(), |last| format!(": {}", last.message));
        Err(Resting {
            message: format!("{} failed and is left alone for a while{why}", self.shared.name),
            hint: format!("it is tried again by itself in {} s", pause.as_secs_f32().ceil()),
            pause,
        })
    }

    /// Whether it is left alone at this moment: what [`ask`](Self::ask) would say, without asking.
    pub fn is_closed(&self) -> bool {
        self.shared.inside().breaker.state() == State::Closed
    }

    /// Somebody has seen it work, for instance by testing the connection.
    pub fn close(&self) {
        let now = self.shared.clock.now_ms();
        self.shared.inside().breaker.close(now);
    }

    pub fn health(&self) -> Health {
        let now = self.shared.clock.now_ms();
        let inside = self.shared.inside();
        Health {
            name: self.shared.name.clone(),
            state: inside.breaker.state(),
            since_ms: inside.breaker.since(),
            failures: inside.breaker.failures(now),
            last_failure: inside.last_failure.clone(),
            next_probe_ms: inside.breaker.next_probe(),
        }
    }
}

impl fmt::Debug for Dependency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.health().fmt(f)
    }
}

impl Shared {
    fn inside(&self) -> MutexGuard<'_, Inside> {
        // Nothing in here can panic halfway.
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn settle(&self, leave: Leave, outcome: Outcome, failure: Option<(&str, &str)>) -> Turned {
        let now = self.clock.now_ms();
        let mut inside = self.inside();
        let before = inside.breaker.state();
        if let Some((code, message)) = failure {
            inside.last_failure =
                Some(LastFailure { at_ms: now, code: code.to_owned(), message: message.to_owned() });
        }
        inside.breaker.settle(leave, outcome, now);
        let after = inside.breaker.state();
        match (before, after) {
            (State::Closed, State::Open) => Turned::Opened,
            (State::HalfOpen, State::Closed) => Turned::Closed,
            _ => Turned::Not,
        }
    }
}

/// It is left alone; nothing was tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resting {
    pub message: String,
    pub hint: String,
    /// When it makes sense to ask again.
    pub pause: Duration,
}

impl Resting {
    pub fn into_error(self) -> Error {
        Error::new(Code::Unavailable, self.message).hint(self.hint)
    }
}

/// What an outcome changed, for whoever keeps a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turned {
    Not,
    /// It is left alone from now on.
    Opened,
    /// It works again.
    Closed,
}

/// Leave to use a dependency once. Dropped without a word, it counts as abandoned.
#[must_use = "tell it how it went"]
pub struct Permit {
    shared: Arc<Shared>,
    leave: Option<Leave>,
}

impl Permit {
    pub fn succeeded(mut self) -> Turned {
        let leave = self.leave.take();
        leave.map_or(Turned::Not, |leave| self.shared.settle(leave, Outcome::Succeeded, None))
    }

    /// The message goes to `/health` and to the log: no dialogue, no secrets. `pause`: what the other side asked for.
    pub fn failed(mut self, code: &str, message: &str, pause: Option<Duration>) -> Turned {
        let pause_ms = pause.map(|pause| Millis::try_from(pause.as_millis()).unwrap_or(Millis::MAX));
        let outcome = Outcome::Failed { pause_ms };
        let leave = self.leave.take();
        leave.map_or(Turned::Not, |leave| self.shared.settle(leave, outcome, Some((code, message))))
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if let Some(leave) = self.leave.take() {
            self.shared.settle(leave, Outcome::Abandoned, None);
        }
    }
}
