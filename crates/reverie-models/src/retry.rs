//! How often, and after which pauses, is a request tried again?

use std::time::Duration;

use crate::error::Error;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryRules {
    /// Tries altogether; 1 means no second one.
    pub attempts: u32,
    pub first_pause: Duration,
    pub longest_pause: Duration,
    /// All tries and pauses together.
    pub whole: Duration,
}

impl Default for RetryRules {
    fn default() -> Self {
        Self {
            attempts: 4,
            first_pause: Duration::from_millis(500),
            longest_pause: Duration::from_secs(20),
            whole: Duration::from_secs(300),
        }
    }
}

impl RetryRules {
    /// The pause before the next try; None: that was the last. `left` is what remains of the caller's time, `chance`
    /// anything from 0 to 1: many clients that failed together should not come back together.
    pub(crate) fn pause(&self, tried: u32, error: &Error, left: Duration, chance: f64) -> Option<Duration> {
        if tried >= self.attempts || !error.kind().is_passing() {
            return None;
        }
        let doubled = self.first_pause.saturating_mul(2u32.saturating_pow(tried.saturating_sub(1)));
        let pause = doubled.min(self.longest_pause).mul_f64(0.5 + chance.clamp(0.0, 1.0) / 2.0);
        // Coming back before the time that the server named would only make it angry.
        let pause =
            error.retry_after().map_or(pause, |named| named.saturating_add(pause.mul_f64(0.1)).max(pause));
        (pause < left).then_some(pause)
    }
}
