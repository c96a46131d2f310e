//! When is the next question asked, and how many at once?
//!
//! Several lanes, each with one question at a time, on a thread of their own with a runtime of its own. A lane that found nothing
//! waits until somebody rings, or a while: what others wrote, and what is due only later, rings no bell.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use reverie_core::Answered;
use tokio::sync::watch;

use super::{Driver, Step};

/// A lane looks again after so long at the latest.
const LOOK_EVERY: Duration = Duration::from_secs(10);
const SHORTEST_WAIT: Duration = Duration::from_millis(50);
const AFTER_LATE: Duration = Duration::from_secs(5);

/// Says that there may be something to ask. Cheap, and from any thread.
#[derive(Clone)]
pub struct Bell(Arc<Driver>);

impl Bell {
    pub fn ring(&self) {
        self.0.ring();
    }
}

/// The lanes of a driver at work, until they are stopped.
pub struct Lanes {
    driver: Arc<Driver>,
    stop: watch::Sender<bool>,
    /// Closed when the thread has ended.
    ended: Receiver<()>,
}

impl Lanes {
    /// So many questions at once, at least one.
    pub fn start(driver: &Arc<Driver>, lanes: usize) -> std::io::Result<Self> {
        let lanes = lanes.max(1);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            // One for the engine in each lane, and as many for looking up names.
            .max_blocking_threads(2 * lanes)
            .thread_name("models")
            .build()?;
        let (stop, stopped) = watch::channel(false);
        let (end, ended) = channel();
        let at_work = Arc::clone(driver);
        std::thread::Builder::new().name("models".to_owned()).spawn(move || {
            runtime.block_on(work(&at_work, lanes, stopped));
            // What a model was asked is let go; what the engine is writing ends.
            runtime.shutdown_timeout(Duration::from_secs(10));
            // Whoever is told that it has ended closes the file, and nobody may hold on to that then.
            drop(at_work);
            drop(end);
        })?;
        Ok(Self { driver: Arc::clone(driver), stop, ended })
    }

    pub fn bell(&self) -> Bell {
        Bell(Arc::clone(&self.driver))
    }

    /// Lets go of what was asked: it is asked again after the next start, when its lease is over. False if it does not end in
    /// time.
    pub fn stop(self, patience: Duration) -> bool {
        self.stop.send_replace(true);
        self.ended.recv_timeout(patience) != Err(RecvTimeoutError::Timeout)
    }
}

async fn work(driver: &Arc<Driver>, lanes: usize, mut stopped: watch::Receiver<bool>) {
    let mut at_work = tokio::task::JoinSet::new();
    for _ in 0..lanes {
        let driver = Arc::clone(driver);
        at_work.spawn(async move { driver.lane().await });
    }
    // It is closed when its owner is gone, which is as good as being told.
    let _ = stopped.wait_for(|is_over| *is_over).await;
    at_work.shutdown().await;
}

impl Driver {
    /// Wakes lanes that wait.
    pub fn ring(&self) {
        self.changed.send_modify(|count| *count = count.wrapping_add(1));
    }

    async fn lane(&self) {
        let mut rung = self.changed.subscribe();
        let mut is_told = false;
        loop {
            rung.mark_unchanged();
            let step = self.step().await;
            let was_told = std::mem::replace(&mut is_told, matches!(step, Step::Trouble(_)));
            let wait = match step {
                // What was asked about changed meanwhile. Should that never end, it must not cost a question a moment.
                Step::Asked(Answered::Late) => AFTER_LATE,
                Step::Asked(_) => continue,
                Step::Resting { until_ms } | Step::GivenBack { until_ms } => self.until(until_ms),
                Step::Nothing => LOOK_EVERY,
                Step::Trouble(error) => {
                    let code = error.code().as_str();
                    if !was_told {
                        tracing::warn!(
                            code,
                            hint = error.hint_text(),
                            "what models should be asked cannot be read for now"
                        );
                    }
                    tracing::debug!(code, %error, "a question could not be taken or its answer kept");
                    LOOK_EVERY
                }
            };
            tokio::select! {
                _ = rung.changed() => {}
                () = tokio::time::sleep(wait) => {}
            }
        }
    }

    fn until(&self, at_ms: i64) -> Duration {
        let left = u64::try_from(at_ms.saturating_sub(self.engine.now_ms())).unwrap_or(0);
        Duration::from_millis(left).clamp(SHORTEST_WAIT, LOOK_EVERY)
    }
}
