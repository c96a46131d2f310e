//! Memory for AI characters, as a library.
//!
//! ```
//! use reverie::{Record, WorldId};
//!
//! # fn main() -> reverie::Result<()> {
//! # let folder = std::env::temp_dir().join(format!("reverie-doc-{}", std::process::id()));
//! # let address = format!("sqlite:{}", folder.join("memory.db").display());
//! let engine = reverie::open(&address)?;
//! let world = WorldId::new("my-game")?;
//! engine.put_world(&world, Default::default())?;
//! # drop(engine);
//! # std::fs::remove_dir_all(folder).ok();
//! # Ok(())
//! # }
//! ```

use std::path::Path;
use std::sync::Arc;

pub use reverie_api::{Api, Request, Response};
pub use reverie_core::*;
pub use reverie_sqlite::{Options, SqliteStore};

/// Opens a memory: `sqlite:PATH`. The file is created if there is none.
pub fn open(address: &str) -> Result<Engine> {
    open_with(address, Limits::default())
}

/// As [`open`], with limits of your own.
pub fn open_with(address: &str, limits: Limits) -> Result<Engine> {
    let Some(path) = address.strip_prefix("sqlite:").filter(|path| !path.is_empty()) else {
        return Err(Error::invalid(format!("cannot open {address:?}"))
            .hint("use sqlite:PATH, for example sqlite:memory.db"));
    };
    let store = SqliteStore::open(Path::new(path), Options::default())?;
    Ok(Engine::new(Arc::new(store), Arc::new(SystemClock), limits)
        .reading_books(reverie_api::library::read_book))
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
