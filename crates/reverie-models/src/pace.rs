//! How does time pass between two tries, and where does chance come from?

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use reverie_core::clock::Clock;
use tokio::time::Instant;

/// Waiting and chance come from outside, so that a test of an hour's patience takes a moment.
pub trait Pace: Send + Sync {
    /// Since some moment in the past; never goes back.
    fn now(&self) -> Duration;
    fn sleep(&self, pause: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;
    /// Anything from 0 to 1.
    fn chance(&self) -> f64;
}

/// The time of the machine, on tokio's timers.
#[derive(Debug)]
pub struct RealPace {
    begun: Instant,
}

impl Default for RealPace {
    fn default() -> Self {
        Self { begun: Instant::now() }
    }
}

impl Pace for RealPace {
    fn now(&self) -> Duration {
        self.begun.elapsed()
    }

    fn sleep(&self, pause: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(tokio::time::sleep(pause))
    }

    fn chance(&self) -> f64 {
        // Without random bytes many clients would come back at the same moment; that is worth no failure.
        getrandom::u32().map_or(0.5, |number| f64::from(number) / f64::from(u32::MAX))
    }
}

/// What a client needs from outside.
#[derive(Clone)]
pub struct Surroundings {
    pub clock: Arc<dyn Clock>,
    pub pace: Arc<dyn Pace>,
}

impl Surroundings {
    /// The machine's own pace, with the host's clock.
    pub fn real(clock: Arc<dyn Clock>) -> Self {
        Self { clock, pace: Arc::new(RealPace::default()) }
    }
}
