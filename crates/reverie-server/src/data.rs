//! The data file of this server: how is it opened, and what works on it?

use std::sync::Arc;

use reverie::SystemClock;
use reverie_api::Api;
use reverie_core::{Engine, Result};
use reverie_sqlite::{Options, SqliteStore};

use crate::settings::Settings;

pub(crate) fn open(settings: &Settings) -> Result<(Arc<SqliteStore>, Api)> {
    let store = Arc::new(SqliteStore::open(&settings.data_file(), Options::default())?);
    let engine = Engine::new(Arc::clone(&store) as _, Arc::new(SystemClock), settings.limits.of_engine());
    Ok((store, Api::new(Arc::new(engine), settings.limits.import_bytes)))
}

/// As `open`, for commands that only look: a missing file is an error, not a new one.
pub(crate) fn open_existing(settings: &Settings) -> Result<(Arc<SqliteStore>, Api)> {
    let file = settings.data_file();
    if !file.exists() {
        return Err(reverie_core::Error::not_found(format!("there is no data file {}", file.display()))
            .hint("name its folder with --data DIR; `reverie serve` creates one"));
    }
    open(settings)
}
