//! How does a running server come by its data file, and who works on it from then on?
//!
//! A thread opens the file. If that fails for a reason that may pass (locked, full, not there yet, not to be written), it tries again,
//! later and later, while the server serves what needs no file. A file that is damaged, newer or not ours is touched by nobody; it is
//! looked at again now and then, for somebody may have put a good one in its place. Whoever does that takes the old one away first: so
//! from then on no new file is made where none is.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use reverie_api::wire::StoreFileView;
use reverie_core::dependency::{Dependency, Health};
use reverie_core::{Code, Engine, Error, Result};
use reverie_models::{Driver, Lanes};
use reverie_sqlite::{Options, SqliteStore};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use crate::embedding::{Embedders, EmbeddingWorker};
use crate::settings::Settings;
use crate::worker::{Bell, Watch, Worker};
use crate::{data, sample};

const FIRST_PAUSE: Duration = Duration::from_secs(1);
const TIDY_EVERY: Duration = Duration::from_secs(2);

/// What to do if the file cannot be opened.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Manner {
    /// End at once.
    pub(crate) fail_fast: bool,
    /// A file that is not there is one that comes later, not one to be made.
    pub(crate) expect_data: bool,
}

/// What became of the first try.
#[derive(Debug)]
pub(crate) enum First {
    /// With the world that a first start made.
    Ready(Option<&'static str>),
    /// It is tried again.
    Late(Error),
    /// It is not: the server was told to end then.
    Refused(Error),
}

/// What the server's memory is made of, whether its file is there or not.
pub(crate) struct Memory {
    pub(crate) settings: Arc<Settings>,
    pub(crate) manner: Manner,
    pub(crate) store: Arc<SqliteStore>,
    /// A file was there that can never be used as it is: whoever mends that takes it away first, and nothing may come in between.
    pub(crate) was_unusable: AtomicBool,
    pub(crate) engine: Arc<Engine>,
    pub(crate) database: Dependency,
    pub(crate) digest: Arc<Watch>,
    pub(crate) driver: Arc<Driver>,
    pub(crate) bells: OnceLock<Bells>,
    pub(crate) at_work: Mutex<Option<AtWork>>,
    pub(crate) runtime: Handle,
}

/// Who is to be told of what is written.
#[derive(Clone)]
pub(crate) struct Bells {
    pub(crate) worker: Option<Bell>,
    pub(crate) asker: Option<reverie_models::Bell>,
}

/// Those who work on the file.
pub(crate) struct AtWork {
    looking: LookThrough,
    worker: Option<Worker>,
    lanes: Option<Lanes>,
    embedding: Option<EmbeddingWorker>,
}

/// Dropped, it stops trying.
pub(crate) struct Trying(#[expect(dead_code, reason = "its end is noticed")] Sender<()>);

impl Memory {
    /// Opens the file on a thread of its own, now or as soon as it can be.
    pub(crate) fn open(self: &Arc<Self>) -> Result<(Trying, oneshot::Receiver<First>)> {
        let (stop, stopped) = channel();
        let (tell, first) = oneshot::channel();
        let memory = Arc::clone(self);
        let trying = move || memory.keep_trying(&stopped, tell);
        std::thread::Builder::new().name("data-file".to_owned()).spawn(trying).map_err(|error| {
            Error::new(Code::Internal, format!("the server cannot start a thread for its data file: {error}"))
        })?;
        Ok((Trying(stop), first))
    }

    fn keep_trying(&self, stopped: &Receiver<()>, tell: oneshot::Sender<First>) {
        let mut tell = Some(tell);
        loop {
            let pause = match self.attempt() {
                Ok(sample) => {
                    match tell.take().map(|tell| tell.send(First::Ready(sample))) {
                        Some(Ok(())) => {}
                        // Nobody waited so long.
                        _ => tracing::info!("the data file is open: memory is on"),
                    }
                    return;
                }
                Err(Attempt::Resting(pause)) => pause,
                Err(Attempt::Failed(error)) => {
                    self.store.stay_closed(error.clone());
                    let (code, hint) = (error.code().as_str(), error.hint_text().map(str::to_owned));
                    let is_refused = self.manner.fail_fast;
                    let first = if is_refused { First::Refused(error) } else { First::Late(error) };
                    match tell.take().map(|tell| tell.send(first)) {
                        Some(Ok(())) if is_refused => return,
                        Some(_) => {
                            tracing::warn!(code, hint, "memory is off: the data file cannot be opened")
                        }
                        _ => tracing::debug!(code, "the data file can still not be opened"),
                    }
                    FIRST_PAUSE
                }
            };
            if stopped.recv_timeout(pause) != Err(RecvTimeoutError::Timeout) {
                return;
            }
        }
    }

    /// One try, if it is time for one.
    fn attempt(&self) -> Result<Option<&'static str>, Attempt> {
        let permit = self.database.ask().map_err(|resting| Attempt::Resting(resting.pause))?;
        match self.open_file() {
            Ok((store, is_first_start)) => {
                permit.succeeded();
                self.begin(store, is_first_start).map_err(Attempt::Failed)
            }
            Err(error) => {
                self.was_unusable.fetch_or(!is_passing(&error), Ordering::Relaxed);
                permit.failed(error.code().as_str(), error.message(), Some(FIRST_PAUSE));
                Err(Attempt::Failed(error))
            }
        }
    }

    fn open_file(&self) -> Result<(Arc<SqliteStore>, bool)> {
        let file = self.settings.data_file();
        // An empty one may be a copy that has just begun.
        let is_there = std::fs::metadata(&file).is_ok_and(|file| file.len() > 0);
        let (was_unusable, expects) = (self.was_unusable.load(Ordering::Relaxed), self.manner.expect_data);
        if !is_there && (was_unusable || expects) {
            return Err(not_there(&file, was_unusable));
        }
        data::check_writable(&self.settings)?;
        let is_first_start = sample::make_data_file(&self.settings)?;
        let options = Options { breaker: Some(self.database.clone()), ..Options::default() };
        Ok((Arc::new(SqliteStore::open(&file, options)?), is_first_start))
    }

    /// The file is open: from now on it is used.
    fn begin(&self, store: Arc<SqliteStore>, is_first_start: bool) -> Result<Option<&'static str>> {
        // An empty file that somebody put there is as good as none.
        if store.is_new() {
            let api = data::api_over(Arc::clone(&store) as _, &self.settings, Embedders::default())?;
            sample::fill(&api)?;
        }
        let is_new = is_first_start || store.is_new();
        self.store.arrive(&store)?;
        let concurrency = self.settings.models.concurrency;
        let lanes = Lanes::start(&self.driver, concurrency).map(Some).unwrap_or_else(|error| {
            tracing::error!(%error, "no model is asked: there is no thread for it");
            None
        });
        let asker = lanes.as_ref().map(Lanes::bell);
        let worker = Worker::start(&self.engine, self.settings.digest, &self.digest, asker.clone());
        let _ = self.bells.set(Bells { worker: worker.as_ref().map(Worker::bell), asker });
        let embedding = EmbeddingWorker::start(&self.engine);
        let looking = LookThrough::start(&store);
        self.runtime.spawn(keep_tidy(store));
        *self.at_work.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(AtWork { looking, worker, lanes, embedding });
        Ok(is_new.then_some(sample::WORLD))
    }

    /// There may be texts to embed that could not be embedded a moment ago.
    pub(crate) fn wake_embedding(&self) {
        let at_work = self.at_work.lock().unwrap_or_else(PoisonError::into_inner);
        at_work.iter().filter_map(|at_work| at_work.embedding.as_ref()).for_each(EmbeddingWorker::wake);
    }

    /// Is the store well?
    pub(crate) fn check(&self) -> Result<()> {
        self.store.check().and_then(|()| self.digest.count(&self.engine))
    }

    /// Of the file, and of the vectors in it.
    pub(crate) fn health(&self) -> Vec<Health> {
        vec![self.database.health(), self.engine.vectors_health()]
    }

    /// How large the file is, and what waits to be moved into it. None: there is none.
    pub(crate) fn file(&self) -> Option<StoreFileView> {
        let file = self.settings.data_file();
        let bytes = std::fs::metadata(&file).ok()?.len();
        let name = file.file_name()?.to_string_lossy().into_owned();
        let wal = std::fs::metadata(file.with_file_name(format!("{name}-wal")));
        Some(StoreFileView { file: name, bytes, wal_bytes: wal.map_or(0, |wal| wal.len()) })
    }

    /// Lets those who work on the file end what they are at.
    pub(crate) fn stop(&self, patience: Duration) {
        let at_work = self.at_work.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(AtWork { looking, worker, lanes, embedding }) = at_work else { return };
        drop(looking);
        if let Some(worker) = worker {
            worker.stop(patience);
        }
        if let Some(embedding) = embedding {
            embedding.stop();
        }
        if lanes.is_some_and(|lanes| !lanes.stop(patience)) {
            tracing::warn!("asking models does not end; nothing is lost by that");
        }
    }
}

enum Attempt {
    Failed(Error),
    /// It is not time for one.
    Resting(Duration),
}

fn not_there(file: &Path, was_unusable: bool) -> Error {
    let (what, hint) = match was_unusable {
        true => (
            "there is no data file any more at",
            "put a good one there: it is used as soon as it is whole. To begin with a new one, start the server again",
        ),
        false => (
            "there is no data file yet at",
            "it is waited for, because of --expect-data; without that a new one is made",
        ),
    };
    Error::new(Code::Unavailable, format!("{what} {}", file.display())).hint(hint)
}

/// May it be well in a moment, without anybody changing the file?
pub(crate) fn is_passing(error: &Error) -> bool {
    error.code() == Code::Unavailable
}

/// Erased text leaves the write-ahead log as soon as readers let go of it.
async fn keep_tidy(store: Arc<SqliteStore>) {
    let mut ticks = tokio::time::interval(TIDY_EVERY);
    let mut is_told = false;
    loop {
        ticks.tick().await;
        let store = Arc::clone(&store);
        let tidied = tokio::task::spawn_blocking(move || store.tidy()).await;
        // A disk that stays broken is told of once, not every two seconds.
        match tidied {
            Ok(Err(error)) if !is_told => {
                tracing::warn!(%error, "the data file cannot be written, or its write-ahead log not be emptied");
                is_told = true;
            }
            Ok(Ok(_)) if std::mem::take(&mut is_told) => tracing::info!("the data file can be written again"),
            _ => {}
        }
    }
}

/// Reads through a large data file once, on a thread of its own, so that damage is known before it spreads. Dropped, it stops.
struct LookThrough {
    stop: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl LookThrough {
    fn start(store: &Arc<SqliteStore>) -> Self {
        let stop = Arc::<AtomicBool>::default();
        let (store, told) = (Arc::clone(store), Arc::clone(&stop));
        let look = move || match store.look_through(&told) {
            Ok(_) => tracing::debug!("the data file was looked through"),
            Err(error) => {
                tracing::error!(%error, hint = error.hint_text(), "the data file could not be looked through")
            }
        };
        let thread = std::thread::Builder::new().name("look-through".to_owned()).spawn(look);
        let thread =
            thread.map_err(|error| tracing::warn!(%error, "the data file is not looked through")).ok();
        Self { stop, thread }
    }
}

impl Drop for LookThrough {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // The file is closed only when its last user lets go of it. A panic there was told of already.
        let _ = self.thread.take().map(std::thread::JoinHandle::join);
    }
}
