//! Which embedding models does this server ask, and when are texts embedded?
//!
//! On a thread of its own, because a network may be slow; recall asks for one vector by itself, within its deadline.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use reverie::SystemClock;
use reverie_core::embed::Embedder;
use reverie_core::{Code, Engine, Error, Result};
use reverie_models::{EmbeddingModel, Embeddings, RemoteEmbedder, Surroundings};

use crate::settings::Models;

/// As `/health` calls the one of all worlds that name no other.
pub(crate) const EMBEDDING: &str = "models.embedding";
/// How often it is looked for texts without a vector.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// What is not a matter of a network is over by then.
const A_BATCH: Duration = Duration::from_secs(2);
/// After a failure the pause grows up to this.
const LONGEST_PAUSE: Duration = Duration::from_secs(300);

/// The clients of all embedding models of the settings, for `/health` and tests of the connection: the default first.
pub(crate) fn clients(models: &Models) -> Result<Vec<Arc<Embeddings>>> {
    let named = models.embedders.iter().map(|(name, model)| (format!("models.embedders.{name}"), model));
    let default = models.embedding.iter().map(|model| (EMBEDDING.to_owned(), model));
    default.chain(named).map(|(setting, model)| client(&setting, model)).collect()
}

pub(crate) fn client(setting: &str, model: &EmbeddingModel) -> Result<Arc<Embeddings>> {
    let surroundings = Surroundings::real(Arc::new(SystemClock));
    let embeddings = Embeddings::new(setting, model.clone(), surroundings).map_err(|error| {
        let passed_on = Error::invalid(format!("{setting}: {}", error.message()));
        error.hint_text().map(str::to_owned).into_iter().fold(passed_on, Error::hint)
    })?;
    Ok(Arc::new(embeddings))
}

/// The embedders over them.
#[derive(Default)]
pub(crate) struct Embedders {
    /// None: the built-in table.
    pub(crate) default: Option<Arc<dyn Embedder>>,
    pub(crate) named: Vec<(String, Arc<dyn Embedder>)>,
}

impl Embedders {
    /// `clients` are those of the same settings.
    pub(crate) fn over(models: &Models, clients: &[Arc<Embeddings>]) -> Result<Self> {
        let mut all = clients.iter().map(|client| remote(client));
        let default = models.embedding.as_ref().and_then(|_| all.next()).transpose()?;
        let names = models.embedders.iter().map(|(name, _)| name.clone());
        let named = names.zip(all).map(|(name, embedder)| Ok((name, embedder?))).collect::<Result<_>>()?;
        Ok(Self { default, named })
    }

    pub(crate) fn give_to(self, engine: Engine) -> Result<Engine> {
        let engine = self.default.into_iter().fold(engine, Engine::embedding_with);
        self.named
            .into_iter()
            .try_fold(engine, |engine, (name, embedder)| engine.embedding_by(&name, embedder))
    }
}

pub(crate) fn remote(client: &Arc<Embeddings>) -> Result<Arc<dyn Embedder>> {
    let remote = RemoteEmbedder::new(Arc::clone(client), Arc::new(SystemClock)).map_err(|error| {
        Error::new(Code::Internal, format!("the server cannot start a thread for its embedder: {error}"))
    })?;
    Ok(Arc::new(remote))
}

/// Embeds in the background as long as it lives.
pub(crate) struct EmbeddingWorker {
    stop: Sender<()>,
    /// Closed by the thread's end.
    ended: Receiver<()>,
    thread: JoinHandle<()>,
}

impl EmbeddingWorker {
    /// None if there is no thread to be had, or nothing to embed with.
    pub(crate) fn start(engine: &Arc<Engine>) -> Option<Self> {
        engine.has_embedder().then_some(())?;
        let engine = Arc::clone(engine);
        let (stop, stopped) = mpsc::channel();
        let (ending, ended) = mpsc::channel();
        let work = move || {
            let _ending: Sender<()> = ending;
            let mut pause = LOOK_EVERY;
            loop {
                match stopped.recv_timeout(pause) {
                    Err(RecvTimeoutError::Timeout) => {}
                    // Whatever was wrong may be right now.
                    Ok(()) => pause = LOOK_EVERY,
                    Err(RecvTimeoutError::Disconnected) => return,
                }
                // A batch at a time, so that a stop is noticed.
                pause = match engine.embed(&|| false) {
                    Ok(done) => {
                        if done.refused > 0 {
                            let refused = done.refused;
                            tracing::warn!(
                                refused,
                                "the embedding model refused texts; `reverie stats` lists them"
                            );
                        }
                        if done.more { Duration::ZERO } else { LOOK_EVERY }
                    }
                    Err(error) => {
                        tracing::warn!(error = error.message(), "texts could not be embedded; they wait");
                        (pause * 2).clamp(LOOK_EVERY, LONGEST_PAUSE)
                    }
                };
            }
        };
        let thread = std::thread::Builder::new().name("embedding".to_owned()).spawn(work).ok()?;
        Some(Self { stop, ended, thread })
    }

    /// Has it look at once, whatever it waits for.
    pub(crate) fn wake(&self) {
        // Gone, it needs no waking.
        let _ = self.stop.send(());
    }

    /// Waits for a batch, so that the data file is closed behind it, but not for a network; what is under way then is done again
    /// another time.
    pub(crate) fn stop(self) {
        drop(self.stop);
        if self.ended.recv_timeout(A_BATCH) == Err(RecvTimeoutError::Disconnected) {
            let _ = self.thread.join();
        }
    }
}
