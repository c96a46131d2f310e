//! The data file of this server: how is it opened, and what works on it?

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use reverie::SystemClock;
use reverie_api::Api;
use reverie_core::laps::Stopwatch;
use reverie_core::{Code, Engine, Error, Result, Store};
use reverie_sqlite::{Options, SqliteStore};

use crate::embedding::{self, Embedders};
use crate::settings::Settings;

pub(crate) fn open(settings: &Settings) -> Result<(Arc<SqliteStore>, Api)> {
    open_at(settings, &settings.data_file())
}

pub(crate) fn open_at(settings: &Settings, file: &Path) -> Result<(Arc<SqliteStore>, Api)> {
    let store = SqliteStore::open(file, Options::default())?;
    over(store, settings)
}

fn over(store: SqliteStore, settings: &Settings) -> Result<(Arc<SqliteStore>, Api)> {
    let store = Arc::new(store);
    // A command finds by meaning what the server would. One whose model is set up wrongly goes on without.
    let models = &settings.models;
    let embedders = embedding::clients(models).and_then(|clients| Embedders::over(models, &clients));
    let api = api_over(Arc::clone(&store) as _, settings, embedders.unwrap_or_default())?;
    Ok((store, api))
}

/// The API over any store. The built-in table compares meanings where no model is configured.
pub(crate) fn api_over(store: Arc<dyn Store>, settings: &Settings, embedders: Embedders) -> Result<Api> {
    let engine = Engine::new(store, Arc::new(SystemClock), settings.limits.of_engine())
        .reading_books(reverie_api::library::read_book)
        .reading_answers(reverie_formats::answer::read)
        .waiting_for_answers(settings.models.lease())
        .timed_by(stopwatch());
    let engine = embedders.give_to(reverie::offline(engine))?;
    Ok(Api::new(Arc::new(engine), settings.limits.import_bytes).with_mem0_in(settings.mem0.clone()))
}

fn stopwatch() -> Stopwatch {
    let begun = Instant::now();
    Arc::new(move || u64::try_from(begun.elapsed().as_nanos()).unwrap_or(u64::MAX))
}

/// As `open`, for commands that only look: a missing file is an error, not a new one, and a place that cannot be written is
/// none.
pub(crate) fn open_existing(settings: &Settings) -> Result<(Arc<SqliteStore>, Api)> {
    let file = settings.data_file();
    if !file.exists() {
        return Err(no_file(&file));
    }
    let store = SqliteStore::open_to_read(&file, Options::default())?;
    over(store, settings)
}

/// As `open`, for commands that change what is there: a missing file is an error, not a new one.
pub(crate) fn open_to_change(settings: &Settings) -> Result<(Arc<SqliteStore>, Api)> {
    let file = settings.data_file();
    if !file.exists() {
        return Err(no_file(&file));
    }
    check_writable(settings)?;
    open(settings)
}

fn no_file(file: &Path) -> Error {
    Error::not_found(format!("there is no data file {}", file.display()))
        .hint("name its folder with --data DIR; `reverie serve` creates one")
}

/// For whoever is about to record: SQLite would open a file that may only be read without a word, and every line would
/// be refused later.
pub(crate) fn check_writable(settings: &Settings) -> Result<()> {
    let file = settings.data_file();
    match OpenOptions::new().write(true).open(&file) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(Error::new(
            Code::Unavailable,
            format!("{} cannot be written: {error}", file.display()),
        )
        .hint(
            "make the file and its folder writable for this user, or choose another place with --data DIR",
        )),
        _ => Ok(()),
    }
}
