//! How long does it take to carry a world of 10 000 lines away, back, or over?

use std::sync::Arc;

use anyhow::Result;
use reverie::SystemClock;
use reverie_api::export::{self, Format};
use reverie_core::store::Erase;
use reverie_core::{Engine, Limits, Store, WorldId};
use reverie_sqlite::{Options, SqliteStore};

use crate::Workshop;
use crate::history::SMALL;
use crate::measure::{Often, Time, time};
use crate::table::Row;
use crate::world;

const OFTEN: Often = Often { warm_up: 2, samples: 15 };
const MOST_BYTES: u64 = 1 << 30;

pub(crate) fn run(workshop: &Workshop) -> Result<Vec<Row>> {
    // Copies are made in a copy.
    let path = workshop.folder.join("copies.db");
    world::remove(&path);
    std::fs::copy(world::file(workshop, SMALL)?, &path)?;
    let store = Arc::new(SqliteStore::open(&path, Options::default())?);
    let engine = Engine::new(store.clone(), Arc::new(SystemClock), Limits::default());
    let (id, copy) = (world::world_id()?, WorldId::new("copy")?);
    let mut rows = Vec::new();
    for (name, format) in [("jsonl", Format::JsonLines), ("save", Format::Save)] {
        let written = || -> Result<Vec<u8>> {
            let mut file = Vec::new();
            export::write(&engine, &id, None, format, &mut file)?;
            Ok(file)
        };
        let file = written()?;
        let note = format!("{} KiB", file.len() / 1024);
        let took = time(OFTEN, written)?;
        rows.push(row(format!("export as {name}"), took, &note));
        let took = made_again(store.as_ref(), &copy, || {
            export::read(&engine, Some(&copy), &mut file.as_slice(), MOST_BYTES)?;
            Ok(())
        })?;
        rows.push(row(format!("import of {name}"), took, &note));
    }
    let took = made_again(store.as_ref(), &copy, || {
        engine.fork(&id, &copy, None)?;
        Ok(())
    })?;
    rows.push(row("fork".to_owned(), took, ""));
    Ok(rows)
}

/// Times only the making; the copy is erased in between.
fn made_again(store: &dyn Store, copy: &WorldId, mut make: impl FnMut() -> Result<()>) -> Result<Time> {
    let mut samples = Vec::new();
    for _ in 0..OFTEN.warm_up + OFTEN.samples {
        let start = std::time::Instant::now();
        make()?;
        samples.push(start.elapsed());
        store.erase(copy, &Erase::World)?;
    }
    Ok(Time::of(samples.split_off(OFTEN.warm_up)))
}

fn row(case: String, time: Time, note: &str) -> Row {
    let rate = SMALL as f64 / time.median.as_secs_f64();
    Row { case, time, against: None, note: format!("{rate:.0} lines/s {note}").trim_end().to_owned() }
}
