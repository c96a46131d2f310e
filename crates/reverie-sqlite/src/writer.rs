//! How do many writers share one fsync?
//!
//! Whoever finds nobody writing becomes the leader: it takes every job that waits, runs them in one transaction (each in
//! its own savepoint, so that one failure undoes only itself) and commits once. No thread is spawned for it.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use reverie_core::Code;
use reverie_core::dependency::{Dependency, Permit, Resting};
use reverie_core::fail_point::{Step, reach};
use rusqlite::Connection;

use crate::damage::Damage;
use crate::error::{Error, Result, explain};
use crate::file::{self, Options};

/// The most jobs in one transaction, so that the first of them does not wait for ever.
const BATCH: usize = 256;
/// After so many failures in a row the file is left alone for a while.
const IN_A_ROW: usize = 3;

pub(crate) struct Writer {
    state: Mutex<State>,
    changed: Condvar,
    connection: Mutex<Connection>,
    path: PathBuf,
    options: Options,
    damage: Damage,
    /// Writes that failed since one went well.
    failures: AtomicUsize,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Box<dyn Job>>,
    leading: bool,
}

impl Writer {
    pub(crate) fn new(connection: Connection, path: &Path, options: &Options, damage: Damage) -> Self {
        Self {
            state: Mutex::default(),
            changed: Condvar::new(),
            connection: Mutex::new(connection),
            path: path.to_owned(),
            options: options.clone(),
            damage,
            failures: AtomicUsize::new(0),
        }
    }

    /// How many rows somebody with many may write in one transaction.
    pub(crate) fn slice(&self) -> usize {
        self.options.slice.max(1)
    }

    /// Runs `work` in a transaction and returns when it is durable. To a damaged file nothing is written.
    pub(crate) fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.damage.check()?;
        let permit = self.options.breaker.as_ref().map(Dependency::ask).transpose();
        let permit = permit.map_err(Resting::into_error)?;
        let written = self.queue(work);
        self.damage.watch(&written);
        if let Some(permit) = permit {
            self.settle(permit, &written);
        }
        written
    }

    /// What is wrong with the request says that the file is well.
    fn settle<T>(&self, permit: Permit, written: &Result<T>) {
        let told = match written {
            Err(Error::Sql(error)) => Some(explain(error)),
            Err(Error::Core(error)) => Some(error.clone()),
            Ok(_) => None,
        };
        let Some(error) = told.filter(|error| error.code() == Code::Unavailable) else {
            self.failures.store(0, Ordering::Relaxed);
            permit.succeeded();
            return;
        };
        // However well it went before: a disk that is full now is full for all.
        let in_a_row = self.failures.fetch_add(1, Ordering::Relaxed) + 1;
        let pause = (in_a_row >= IN_A_ROW).then_some(Duration::from_millis(1));
        permit.failed(error.code().as_str(), error.message(), pause);
    }

    fn queue<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let slot = Arc::new(Slot { result: Mutex::new(None) });
        let job = Task { work: Some(work), outcome: None, slot: Arc::clone(&slot) };
        let deadline = Instant::now() + self.options.patience;
        let mut state = lock(&self.state);
        state.waiting.push_back(Box::new(job));
        loop {
            if let Some(result) = lock(&slot.result).take() {
                return result;
            }
            if !state.leading {
                state.leading = true;
                let batch: Vec<_> = {
                    let most = state.waiting.len().min(BATCH);
                    state.waiting.drain(..most).collect()
                };
                drop(state);
                let office = Office(self);
                self.commit(batch);
                drop(office);
                state = lock(&self.state);
                continue;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let before = state.waiting.len();
                state.waiting.retain(|job| !job.belongs_to(Arc::as_ptr(&slot).cast()));
                if state.waiting.len() < before {
                    return Err(busy());
                }
                // Already in the leader's hands: it ends one way or the other, and only then do we know which.
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            } else {
                state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
            }
        }
    }

    /// Runs something on the writing connection outside of a transaction, between two commits.
    pub(crate) fn between<T>(&self, work: impl FnOnce(&Connection) -> T) -> T {
        work(&self.connection())
    }

    /// As `between`, or None if that would mean waiting for whoever writes.
    pub(crate) fn between_if_free<T>(&self, work: impl FnOnce(&Connection) -> T) -> Option<T> {
        let connection = match self.connection.try_lock() {
            Ok(connection) => connection,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        Some(work(&self.made_fit(connection)))
    }

    /// The writing connection, fit for use.
    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.made_fit(lock(&self.connection))
    }

    fn made_fit<'g>(&self, mut connection: MutexGuard<'g, Connection>) -> MutexGuard<'g, Connection> {
        // A defect may have left its transaction open.
        if !connection.is_autocommit() {
            let _ = connection.execute_batch("ROLLBACK");
        }
        // A file that could only be read when it was opened may be writable by now.
        if connection.is_readonly("main").unwrap_or(false)
            && let Ok((again, _)) = file::open_writer(&self.path, &self.options)
        {
            *connection = again;
        }
        connection
    }

    fn commit(&self, mut batch: Vec<Box<dyn Job>>) {
        let connection = self.connection();
        let result = run(&connection, &mut batch);
        if let Err(error) = result {
            if !connection.is_autocommit() {
                let _ = connection.execute_batch("ROLLBACK");
            }
            let error = reverie_core::Error::from(error);
            for job in &mut batch {
                job.fail(error.clone());
            }
        }
        for job in batch {
            job.deliver();
        }
    }
}

/// Held by the leader; given up whatever happens to it.
struct Office<'w>(&'w Writer);

impl Drop for Office<'_> {
    fn drop(&mut self) {
        lock(&self.0.state).leading = false;
        self.0.changed.notify_all();
    }
}

fn run(connection: &Connection, batch: &mut [Box<dyn Job>]) -> Result<()> {
    connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
    if let [job] = batch {
        return run_alone(connection, job);
    }
    for job in batch.iter_mut() {
        connection.prepare_cached("SAVEPOINT job")?.execute([])?;
        let kept = job.run(connection);
        // Some failures (disk full, I/O) end the whole transaction; then nothing of the batch is durable.
        if connection.is_autocommit() {
            return Err(job.take_error().unwrap_or_else(busy));
        }
        if !kept {
            connection.prepare_cached("ROLLBACK TO job")?.execute([])?;
        }
        connection.prepare_cached("RELEASE job")?.execute([])?;
    }
    reach(Step::BeforeCommit);
    connection.prepare_cached("COMMIT")?.execute([])?;
    reach(Step::Committed);
    Ok(())
}

/// A single job needs no savepoint: if it fails, the transaction goes.
fn run_alone(connection: &Connection, job: &mut Box<dyn Job>) -> Result<()> {
    let kept = job.run(connection);
    if connection.is_autocommit() {
        return Err(job.take_error().unwrap_or_else(busy));
    }
    reach(Step::BeforeCommit);
    connection.prepare_cached(if kept { "COMMIT" } else { "ROLLBACK" })?.execute([])?;
    reach(Step::Committed);
    Ok(())
}

struct Slot<T> {
    result: Mutex<Option<Result<T>>>,
}

trait Job: Send {
    /// True if what it wrote shall be kept.
    fn run(&mut self, connection: &Connection) -> bool;
    fn take_error(&mut self) -> Option<Error>;
    fn fail(&mut self, error: reverie_core::Error);
    fn deliver(self: Box<Self>);
    fn belongs_to(&self, slot: *const ()) -> bool;
}

struct Task<T, F> {
    work: Option<F>,
    outcome: Option<Result<T>>,
    slot: Arc<Slot<T>>,
}

impl<T: Send, F: FnOnce(&Connection) -> Result<T> + Send> Job for Task<T, F> {
    fn run(&mut self, connection: &Connection) -> bool {
        let Some(work) = self.work.take() else { return false };
        // A defect in one job must not take down the leader, who works for others too.
        let outcome = catch_unwind(AssertUnwindSafe(|| work(connection))).unwrap_or_else(|_| {
            Err(reverie_core::Error::new(Code::Internal, "a defect stopped this write").into())
        });
        let kept = outcome.is_ok();
        self.outcome = Some(outcome);
        kept
    }

    fn take_error(&mut self) -> Option<Error> {
        match self.outcome.take() {
            Some(Err(error)) => Some(error),
            other => {
                self.outcome = other;
                None
            }
        }
    }

    fn fail(&mut self, error: reverie_core::Error) {
        self.outcome = Some(Err(error.into()));
    }

    fn deliver(self: Box<Self>) {
        *lock(&self.slot.result) = self.outcome.or_else(|| Some(Err(busy())));
    }

    fn belongs_to(&self, slot: *const ()) -> bool {
        std::ptr::eq(Arc::as_ptr(&self.slot).cast(), slot)
    }
}

fn busy() -> Error {
    reverie_core::Error::new(Code::Unavailable, "the store is too busy to write now").hint("try again").into()
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
