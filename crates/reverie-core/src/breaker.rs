//! When is something that fails left alone, and when is it tried again?
//!
//! Closed: all may ask. When enough has failed lately, and at least half of all, it opens: nobody asks until a pause has
//! passed. Then it is half open: one may ask, the others wait for what comes of it. Success closes it; failure opens it
//! for twice as long, up to a limit. A server that names a time for coming back is left alone until then at once.
//!
//! Nothing here knows a clock: every call says what time it is. Clocks can be put back; a pause then begins anew and never
//! lasts longer than the longest one.

use std::collections::VecDeque;

/// Milliseconds since 1970, as the host's clock tells them.
pub type Millis = i64;

/// When to open, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// So many failures …
    pub failures: usize,
    /// … within this time open it.
    pub window_ms: Millis,
    pub first_pause_ms: Millis,
    pub longest_pause_ms: Millis,
    /// A probe that has told nothing for so long is taken for lost.
    pub probe_ms: Millis,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            failures: 5,
            window_ms: 5 * 60_000,
            first_pause_ms: 5_000,
            longest_pause_ms: 5 * 60_000,
            probe_ms: 5 * 60_000,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum State {
    Closed,
    Open,
    HalfOpen,
}

impl State {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Open => "open",
            Self::HalfOpen => "half_open",
        }
    }
}

/// Leave to ask, to be handed back with the outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leave {
    /// Outcomes of what was asked before the last change of state tell nothing about the present one.
    era: u64,
    pub is_probe: bool,
}

/// What became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Succeeded,
    /// With the pause that the other side asked for, if it did.
    Failed {
        pause_ms: Option<Millis>,
    },
    /// Whoever asked lost interest before there was an answer.
    Abandoned,
}

#[derive(Debug, Clone)]
pub struct Breaker {
    rules: Rules,
    state: State,
    since: Millis,
    /// How long the current or next opening lasts.
    pause_ms: Millis,
    next_probe: Millis,
    era: u64,
    recent: VecDeque<(Millis, bool)>,
}

/// More than these are not kept, however busy it is.
const RECENT: usize = 64;

impl Breaker {
    pub fn new(rules: Rules, now: Millis) -> Self {
        let pause_ms = rules.first_pause_ms.clamp(1, rules.longest_pause_ms.max(1));
        Self {
            rules,
            state: State::Closed,
            since: now,
            pause_ms,
            next_probe: now,
            era: 0,
            recent: VecDeque::new(),
        }
    }

    /// Leave to ask now, or the time before which there is none.
    pub fn ask(&mut self, now: Millis) -> Result<Leave, Millis> {
        self.notice_a_clock_put_back(now);
        match self.state {
            State::Closed => return Ok(Leave { era: self.era, is_probe: false }),
            State::Open if now < self.next_probe => return Err(self.next_probe),
            State::HalfOpen if now < self.since.saturating_add(self.rules.probe_ms) => {
                return Err(self.since.saturating_add(self.rules.probe_ms));
            }
            State::Open | State::HalfOpen => {}
        }
        self.enter(State::HalfOpen, now);
        Ok(Leave { era: self.era, is_probe: true })
    }

    /// What became of what was asked with this leave.
    pub fn settle(&mut self, leave: Leave, outcome: Outcome, now: Millis) {
        self.notice_a_clock_put_back(now);
        if leave.era != self.era {
            return;
        }
        match (self.state, outcome) {
            (State::Closed, Outcome::Succeeded) => self.remember(now, true),
            (State::Closed, Outcome::Failed { pause_ms }) => {
                self.remember(now, false);
                if pause_ms.is_some() || self.is_too_much() {
                    self.open(now, pause_ms);
                }
            }
            (State::HalfOpen, Outcome::Succeeded) => self.close(now),
            (State::HalfOpen, Outcome::Failed { pause_ms }) => {
                self.pause_ms = self.pause_ms.saturating_mul(2).min(self.rules.longest_pause_ms.max(1));
                self.open(now, pause_ms);
            }
            // Neither better nor worse than before.
            (State::HalfOpen, Outcome::Abandoned) => self.open(now, None),
            (State::Closed, Outcome::Abandoned) | (State::Open, _) => {}
        }
    }

    /// Somebody has seen it work.
    pub fn close(&mut self, now: Millis) {
        self.recent.clear();
        self.pause_ms = self.rules.first_pause_ms.clamp(1, self.rules.longest_pause_ms.max(1));
        if self.state != State::Closed {
            self.enter(State::Closed, now);
        }
    }

    pub fn state(&self) -> State {
        self.state
    }

    /// Since when it has been in this state.
    pub fn since(&self) -> Millis {
        self.since
    }

    /// When the next one may ask; None while all may.
    pub fn next_probe(&self) -> Option<Millis> {
        match self.state {
            State::Closed => None,
            State::Open => Some(self.next_probe),
            State::HalfOpen => Some(self.since.saturating_add(self.rules.probe_ms)),
        }
    }

    /// Failures that count at this time.
    pub fn failures(&self, now: Millis) -> usize {
        self.recent.iter().filter(|(at, is_good)| !is_good && self.is_recent(*at, now)).count()
    }

    fn open(&mut self, now: Millis, asked_for: Option<Millis>) {
        let asked_for = asked_for.unwrap_or(0).min(self.rules.longest_pause_ms);
        self.next_probe = now.saturating_add(self.pause_ms.max(asked_for));
        self.recent.clear();
        self.enter(State::Open, now);
    }

    fn enter(&mut self, state: State, now: Millis) {
        self.state = state;
        self.since = now;
        self.era += 1;
    }

    fn remember(&mut self, now: Millis, is_good: bool) {
        let window_ms = self.rules.window_ms;
        self.recent.retain(|(at, _)| now.saturating_sub(*at) < window_ms);
        if self.recent.len() >= RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back((now, is_good));
    }

    fn is_too_much(&self) -> bool {
        let failures = self.recent.iter().filter(|(_, is_good)| !is_good).count();
        failures >= self.rules.failures.clamp(1, RECENT) && failures * 2 >= self.recent.len()
    }

    fn is_recent(&self, at: Millis, now: Millis) -> bool {
        now.saturating_sub(at) < self.rules.window_ms
    }

    fn notice_a_clock_put_back(&mut self, now: Millis) {
        let back = self.since.saturating_sub(now);
        if back > 0 {
            self.since = now;
            self.next_probe = self.next_probe.saturating_sub(back);
        }
        for (at, _) in &mut self.recent {
            *at = (*at).min(now);
        }
    }
}
