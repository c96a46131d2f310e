//! Memory for AI characters, as a library.
//!
//! ```
//! use reverie::{Record, WorldId};
//!
//! # fn main() -> reverie::Result<()> {
//! # let folder = std::env::temp_dir().join(format!("reverie-doc-{}", std::process::id()));
//! # let address = format!("sqlite:{}", folder.join("memory.db").display());
//! let memory = reverie::open(&address)?;
//! let world = WorldId::new("my-game")?;
//! memory.put_world(&world, Default::default())?;
//! // Record lines, recall prompts; and now and then, between frames or on a thread of its own:
//! memory.digest(std::time::Duration::from_millis(2))?;
//! // Where there is a chat model, it may be asked what is worth keeping for long, whenever there is time for it:
//! for question in memory.questions(None, 1)? {
//!     let answer = reverie::Answer::Said { text: ask_my_model(&question), model: "my-model".to_owned() };
//!     memory.answer(&question.world, &question.id, answer)?;
//! }
//! # drop(memory);
//! # std::fs::remove_dir_all(folder).ok();
//! # Ok(())
//! # }
//! # fn ask_my_model(_: &reverie::Question) -> String { String::new() }
//! ```

use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

pub use reverie_api::{Api, Request, Response};
pub use reverie_core::digest::{Answer, Purpose, Question};
pub use reverie_core::*;
pub use reverie_sqlite::{Options, SqliteStore};

use reverie_core::breaker::Rules;
use reverie_core::dependency::{Dependency, Health};

/// An open memory: the engine, and the care of the file that it is in. (What a character remembers is a
/// [`memory::Memory`].)
pub struct Memory {
    engine: Arc<Engine>,
    store: Arc<SqliteStore>,
    database: Dependency,
}

impl Deref for Memory {
    type Target = Engine;

    fn deref(&self) -> &Engine {
        &self.engine
    }
}

impl Memory {
    /// For whoever shares it, such as an [`Api`].
    pub fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }

    /// The third verb, for a slice of time: what was lived through becomes memories, days that are over are summed up. To be called
    /// often, from any thread; waits for nothing but the file, and for about a millisecond more than asked for. For one world,
    /// or for what was said last too, see [`Engine::digest`].
    pub fn digest(&self, slice: Duration) -> Result<Digested> {
        let began = Instant::now();
        self.engine.digest(&Slice { world: None, now: false, go_on: &|| began.elapsed() < slice })
    }

    /// Housekeeping; see [`SqliteStore::tidy`]. To be called now and then where several processes share the file.
    pub fn tidy(&self) -> Result<bool> {
        self.store.tidy()
    }

    /// Writes a consistent copy while others go on; a file that is there is not overwritten.
    pub fn backup(&self, to: &Path) -> Result<()> {
        self.store.backup(to)
    }

    /// How the file has been doing: after three writes that failed in a row it is left alone for a while, and writing is refused at once with
    /// the reason; reading goes on. It is tried again by the next write, or by [`tidy`](Self::tidy), when it is time.
    pub fn health(&self) -> Health {
        self.database.health()
    }

    /// Is the store well?
    pub fn check(&self) -> Result<()> {
        self.store.check()
    }

    /// Looks for damage in a large file, on a thread of the caller's; see [`SqliteStore::look_through`].
    pub fn look_through(&self, stop: &Arc<AtomicBool>) -> Result<bool> {
        self.store.look_through(stop)
    }
}

/// Opens a memory: `sqlite:PATH`. The file is created if there is none.
pub fn open(address: &str) -> Result<Memory> {
    open_with(address, Limits::default())
}

/// As [`open`], with limits of your own.
pub fn open_with(address: &str, limits: Limits) -> Result<Memory> {
    open_prepared(address, limits, |engine| engine)
}

/// As [`open_with`], with an engine that was given more on its way, such as an embedder in the place of the built-in one:
/// [`Engine::embedding_with`].
pub fn open_prepared(
    address: &str,
    limits: Limits,
    prepare: impl FnOnce(Engine) -> Engine,
) -> Result<Memory> {
    open_file(address, Options::default(), limits, prepare)
}

/// As [`open_prepared`], with a file that is opened in a way of your own. Without a breaker among the options it gets the usual one.
pub fn open_file(
    address: &str,
    options: Options,
    limits: Limits,
    prepare: impl FnOnce(Engine) -> Engine,
) -> Result<Memory> {
    let Some(path) = address.strip_prefix("sqlite:").filter(|path| !path.is_empty()) else {
        return Err(Error::invalid(format!("cannot open {address:?}"))
            .hint("use sqlite:PATH, for example sqlite:memory.db"));
    };
    let database = options.breaker.clone().unwrap_or_else(database);
    let options = Options { breaker: Some(database.clone()), ..options };
    let store = Arc::new(SqliteStore::open(Path::new(path), options)?);
    let engine = Engine::new(Arc::clone(&store) as _, Arc::new(SystemClock), limits)
        .reading_books(reverie_api::library::read_book)
        .reading_answers(reverie_formats::answer::read);
    Ok(Memory { engine: Arc::new(prepare(offline(engine))), store, database })
}

/// Gives an engine the built-in table of words, as the default embedder and under the name `offline`: meanings are compared with no
/// key and no network. Without the feature `offline` there is none.
#[must_use]
pub fn offline(engine: Engine) -> Engine {
    #[cfg(feature = "offline")]
    let engine = engine.embedding_offline(Arc::new(reverie_offline::OfflineEmbedder::new()));
    engine
}

/// What is known of a data file, and when it is left alone: after failures, for a second at first and for a quarter of a minute at most.
pub fn database() -> Dependency {
    let rules = Rules {
        failures: 3,
        window_ms: 60_000,
        first_pause_ms: 1_000,
        longest_pause_ms: 15_000,
        probe_ms: 60_000,
    };
    Dependency::new("database", rules, Arc::new(SystemClock))
}

/// The machine's own clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl clock::Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the clock")]
    fn now_ms(&self) -> i64 {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        since.map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}
