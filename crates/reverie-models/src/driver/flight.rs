//! Is anything being asked whose cost is not known yet?
//!
//! An estimate is larger than what an answer costs, mostly. While some are out, the hour's tokens only seem to be spent.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Notify;

#[derive(Default)]
pub(super) struct InFlight {
    count: AtomicUsize,
    landed: Notify,
}

/// Out, until this is dropped.
pub(super) struct Flight<'f>(&'f InFlight);

impl Drop for Flight<'_> {
    fn drop(&mut self) {
        self.0.count.fetch_sub(1, Ordering::SeqCst);
        self.0.landed.notify_waiters();
    }
}

impl InFlight {
    pub(super) fn take_off(&self) -> Flight<'_> {
        self.count.fetch_add(1, Ordering::SeqCst);
        Flight(self)
    }

    /// Tries, and tries again whenever one has landed while others are out. The last try says what became of it.
    pub(super) async fn try_until_landed<T, E>(
        &self,
        patience: Duration,
        mut attempt: impl FnMut() -> Result<T, E>,
    ) -> Result<T, E> {
        let trying = async {
            loop {
                // Whoever lands from here on is heard, even before we wait.
                let landed = self.landed.notified();
                let mut landed = std::pin::pin!(landed);
                landed.as_mut().enable();
                let others_are_out = self.count.load(Ordering::SeqCst) > 0;
                match attempt() {
                    Err(_) if others_are_out => landed.await,
                    done => return done,
                }
            }
        };
        match tokio::time::timeout(patience, trying).await {
            Ok(done) => done,
            Err(_) => attempt(),
        }
    }
}
