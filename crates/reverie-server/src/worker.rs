//! Who digests while the server serves? One thread that writes wake, that works in small slices and rests between them.

mod schedule;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use reverie_api::wire::{DigestHealthView, WorkerState, format_time};
use reverie_core::{Code, Digested, Engine, Error, Slice, WorldId};

use self::schedule::{Schedule, Target};
use crate::settings::Digest;

/// What a worker did, for `/health` and `/metrics`. Also of one that is off.
#[derive(Default)]
pub(crate) struct Watch {
    is_on: AtomicBool,
    is_working: AtomicBool,
    /// 0: never.
    last_run_ms: AtomicI64,
    pub(crate) runs: AtomicU64,
    pub(crate) memories: AtomicU64,
    pub(crate) summaries: AtomicU64,
    pub(crate) failures: AtomicU64,
    pub(crate) failing: AtomicUsize,
    /// Conversations in which something waits, as last counted.
    pub(crate) waiting: AtomicUsize,
}

impl Watch {
    pub(crate) fn view(&self) -> DigestHealthView {
        let state = match (&self.is_on, &self.failing, &self.is_working) {
            (on, ..) if !on.load(Ordering::Relaxed) => WorkerState::Off,
            (_, failing, _) if failing.load(Ordering::Relaxed) > 0 => WorkerState::Failing,
            (.., working) if working.load(Ordering::Relaxed) => WorkerState::Working,
            _ => WorkerState::Idle,
        };
        let last_run = Some(self.last_run_ms.load(Ordering::Relaxed)).filter(|ms| *ms > 0);
        DigestHealthView {
            worker: state,
            last_run: last_run.and_then(format_time),
            waiting_conversations: self.waiting.load(Ordering::Relaxed),
            failing_worlds: self.failing.load(Ordering::Relaxed),
            memories: self.memories.load(Ordering::Relaxed),
        }
    }

    /// Counts what waits, which asks the store.
    pub(crate) fn count(&self, engine: &Engine) -> reverie_core::Result<()> {
        self.waiting.store(engine.waiting(None)?, Ordering::Relaxed);
        Ok(())
    }
}

/// Wakes the worker. Cheap, and from any thread.
#[derive(Clone)]
pub(crate) struct Bell(Arc<Shared>);

impl Bell {
    /// Something was written to this world, or perhaps to any.
    pub(crate) fn ring(&self, world: Target) {
        self.0.state().schedule.woken(world, Instant::now());
        self.0.changed.notify_one();
    }
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    schedule: Schedule,
    is_told_to_stop: bool,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // Whoever panicked had changed one entry or none.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(crate) struct Worker {
    shared: Arc<Shared>,
    /// Closed when the thread has ended.
    ended: Receiver<()>,
}

impl Worker {
    /// None if the settings say so, or if there is no thread to be had.
    pub(crate) fn start(
        engine: &Arc<Engine>,
        rules: Digest,
        watch: &Arc<Watch>,
        asker: Option<reverie_models::Bell>,
    ) -> Option<Self> {
        if !rules.worker {
            return None;
        }
        let shared = Arc::<Shared>::default();
        // Whatever another program, or an earlier run, left to do.
        shared.state().schedule.at_the_latest(None, Instant::now());
        let (end, ended) = channel();
        let work = Work {
            engine: Arc::clone(engine),
            shared: Arc::clone(&shared),
            watch: Arc::clone(watch),
            rules,
            asker,
            _end: end,
        };
        let thread = std::thread::Builder::new().name("digest".to_owned()).spawn(move || work.run());
        if let Err(error) = thread {
            tracing::warn!(%error, "nothing is remembered by itself: there is no thread for it");
            return None;
        }
        watch.is_on.store(true, Ordering::Relaxed);
        Some(Self { shared, ended })
    }

    pub(crate) fn bell(&self) -> Bell {
        Bell(Arc::clone(&self.shared))
    }

    /// Lets it end its step; what is not done is done after the next start.
    pub(crate) fn stop(self, patience: Duration) {
        self.shared.state().is_told_to_stop = true;
        self.shared.changed.notify_one();
        if self.ended.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
            tracing::warn!("the digest does not end; nothing is lost by that");
        }
    }
}

struct Work {
    engine: Arc<Engine>,
    shared: Arc<Shared>,
    watch: Arc<Watch>,
    rules: Digest,
    /// Whoever asks models about what is remembered.
    asker: Option<reverie_models::Bell>,
    _end: Sender<()>,
}

impl Work {
    fn run(self) {
        while let Some(target) = self.wait() {
            self.watch.is_working.store(true, Ordering::Relaxed);
            self.turn(target);
            self.watch.is_working.store(false, Ordering::Relaxed);
            // Whoever waits to write comes first.
            self.rest(self.rules.slice);
        }
    }

    /// The next one that is due; None if it is time to end.
    fn wait(&self) -> Option<Target> {
        let mut state = self.shared.state();
        loop {
            let now = Instant::now();
            if state.is_told_to_stop {
                return None;
            }
            state.schedule.at_the_latest(None, now + self.rules.look_every);
            if let Some(target) = state.schedule.take(now) {
                return Some(target);
            }
            let until = state.schedule.next().map_or(self.rules.look_every, |next| next - now);
            let waited = self.shared.changed.wait_timeout(state, until);
            state = waited.map_or_else(|poisoned| poisoned.into_inner().0, |(state, _)| state);
        }
    }

    fn rest(&self, pause: Duration) {
        let state = self.shared.state();
        // Being woken early does no harm.
        drop(self.shared.changed.wait_timeout_while(state, pause, |state| !state.is_told_to_stop));
    }

    /// One slice of one world, or of all.
    fn turn(&self, target: Target) {
        let began = Instant::now();
        let go_on = || began.elapsed() < self.rules.slice && !self.shared.state().is_told_to_stop;
        let slice = Slice { world: target.clone(), now: false, go_on: &go_on };
        let digested = catch_unwind(AssertUnwindSafe(|| self.engine.digest(&slice)));
        let digested =
            digested.unwrap_or_else(|_| Err(Error::new(Code::Internal, "digesting met a defect of Reverie")));
        self.watch.runs.fetch_add(1, Ordering::Relaxed);
        self.watch.last_run_ms.store(self.engine.now_ms(), Ordering::Relaxed);
        match digested {
            Ok(done) => self.done(&target, done),
            // It was deleted meanwhile.
            Err(error) if error.code() == Code::NotFound && target.is_some() => {
                self.shared.state().schedule.succeeded(&target);
            }
            Err(error) => self.failed(target.clone(), &error),
        }
        self.watch.failing.store(self.shared.state().schedule.failing(), Ordering::Relaxed);
        if target.is_none() {
            // A store that cannot count cannot digest either, and that is told of.
            let _ = self.watch.count(&self.engine);
        }
    }

    fn done(&self, target: &Target, done: Digested) {
        let Digested { memories, summaries, more, look_again_ms, failed, not_embedded, .. } = done;
        if let Some(error) = not_embedded {
            tracing::debug!(code = error.code().as_str(), %error, "texts could not be embedded; they wait");
        }
        self.watch.memories.fetch_add(memories as u64, Ordering::Relaxed);
        self.watch.summaries.fetch_add(summaries as u64, Ordering::Relaxed);
        if let Some(asker) = self.asker.as_ref().filter(|_| memories > 0) {
            asker.ring();
        }
        let is_whole = failed.is_empty();
        for (world, error) in failed {
            self.failed(Some(world), &error);
        }
        let now = Instant::now();
        let mut state = self.shared.state();
        if is_whole && state.schedule.succeeded(target) {
            tracing::info!("what could not be remembered is remembered now");
        }
        if more {
            state.schedule.at_the_latest(target.clone(), now);
        }
        if let Some(at_ms) = look_again_ms {
            let in_ms = u64::try_from(at_ms.saturating_sub(self.engine.now_ms())).unwrap_or(0);
            state
                .schedule
                .at_the_latest(target.clone(), now + Duration::from_millis(in_ms.clamp(1, A_DAY_MS)));
        }
    }

    /// Ids and messages may be somebody's words: they are for those who look closer.
    fn failed(&self, target: Target, error: &Error) {
        self.watch.failures.fetch_add(1, Ordering::Relaxed);
        let world = target.as_ref().map(WorldId::as_str).unwrap_or_default().to_owned();
        let is_new = self.shared.state().schedule.failed(target, Instant::now());
        let code = error.code().as_str();
        if is_new {
            tracing::warn!(
                code,
                hint = error.hint_text(),
                "something cannot be remembered for now; it is tried again"
            );
        }
        tracing::debug!(code, world, %error, "a digest failed");
    }
}

const A_DAY_MS: u64 = 24 * 3_600_000;
