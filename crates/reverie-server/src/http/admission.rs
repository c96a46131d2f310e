//! How many requests are worked on at once, and what happens to the next one?
//!
//! Work is synchronous and touches the disk, so it runs on threads of its own: a bounded number, with a bounded queue.
//! Past the queue the answer is «not now», at once, instead of an ever longer wait.

use std::sync::Arc;

use tokio::sync::{Semaphore, oneshot};
use tokio::time::{Instant, timeout_at};

pub(crate) struct Admission {
    concurrent: usize,
    queue: usize,
    /// Running and waiting.
    places: Arc<Semaphore>,
    /// Running.
    turns: Arc<Semaphore>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Outcome<T> {
    Done(T),
    /// No place in the queue.
    Busy,
    /// Past the deadline. Work that had begun goes on and keeps its place until it ends.
    TimedOut,
    Panicked,
}

impl Admission {
    pub(crate) fn new(concurrent: usize, queue: usize) -> Self {
        Self {
            concurrent,
            queue,
            places: Arc::new(Semaphore::new(concurrent + queue)),
            turns: Arc::new(Semaphore::new(concurrent)),
        }
    }

    /// How many are worked on and how many wait, at about the same moment.
    pub(crate) fn load(&self) -> (usize, usize) {
        let working = self.concurrent.saturating_sub(self.turns.available_permits());
        let inside = (self.concurrent + self.queue).saturating_sub(self.places.available_permits());
        (working, inside.saturating_sub(working))
    }

    pub(crate) async fn run<T, F>(&self, deadline: Instant, work: F) -> Outcome<T>
    where
        T: Send + 'static,
        F: FnOnce() -> T + Send + 'static,
    {
        self.begin(deadline, |_| Some(work())).await
    }

    /// As `run`, for work that may give its answer `early` and go on, keeping its place, until it ends.
    pub(crate) async fn begin<T, F>(&self, deadline: Instant, work: F) -> Outcome<T>
    where
        T: Send + 'static,
        F: FnOnce(oneshot::Sender<T>) -> Option<T> + Send + 'static,
    {
        let Ok(place) = self.places.clone().try_acquire_owned() else { return Outcome::Busy };
        // The semaphore is never closed, so an error here is the deadline.
        let Ok(Ok(turn)) = timeout_at(deadline, self.turns.clone().acquire_owned()).await else {
            return Outcome::TimedOut;
        };
        let (early, begun) = oneshot::channel();
        let work = tokio::task::spawn_blocking(move || {
            let _until_the_work_ends = (place, turn);
            work(early)
        });
        let answer = async {
            tokio::select! {
                biased;
                Ok(begun) = begun => Outcome::Done(begun),
                ended = work => match ended {
                    Ok(Some(done)) => Outcome::Done(done),
                    Ok(None) | Err(_) => Outcome::Panicked,
                },
            }
        };
        timeout_at(deadline, answer).await.unwrap_or(Outcome::TimedOut)
    }
}
