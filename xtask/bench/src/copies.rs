//! How long does it take to carry a world of 10 000 lines away, back, or over?

use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, anyhow};
use reverie::SystemClock;
use reverie_api::export::{self, Format};
use reverie_core::conversation::{Append, OpenConversation};
use reverie_core::line::NewLine;
use reverie_core::store::Erase;
use reverie_core::world::WorldPatch;
use reverie_core::{Attribute, CharacterId, Engine, Limits, Store, Who, WorldId};
use reverie_sqlite::{Options, SqliteStore};

use crate::Workshop;
use crate::dialogue::{Dice, words};
use crate::history::SMALL;
use crate::measure::{Often, Time, time};
use crate::table::Row;
use crate::world;

const OFTEN: Often = Often { warm_up: 2, samples: 15 };
/// Lines of a world that takes seconds to copy.
const LARGE: usize = 200_000;
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
    rows.push(meanwhile(workshop)?);
    Ok(rows)
}

/// How long does somebody wait who records a line while a large world is copied?
fn meanwhile(workshop: &Workshop) -> Result<Row> {
    let path = workshop.folder.join("copies.db");
    world::remove(&path);
    std::fs::copy(world::file(workshop, LARGE)?, &path)?;
    let store = Arc::new(SqliteStore::open(&path, Options::default())?);
    let (id, copy, other) = (world::world_id()?, WorldId::new("copy")?, WorldId::new("other")?);
    store.put_world(&other, &WorldPatch::default(), 0)?;
    let speaker = Who::Id(CharacterId::new("甲")?);
    let open = OpenConversation { participants: vec![speaker.clone()], ..OpenConversation::default() };
    let room = store.open_conversation(&other, &open)?.0.id;
    let line = NewLine::new(Attribute::Assistant, Some(speaker), words(&mut Dice::new(1), 3));
    let append = Append { lines: vec![line], ..Append::default() };
    let start = Instant::now();
    let fork = std::thread::spawn({
        let store = Arc::clone(&store);
        move || store.fork(&id, &copy, None, 0)
    });
    let mut waits = Vec::new();
    while !fork.is_finished() {
        let start = Instant::now();
        store.append(&other, &room, append.clone())?;
        waits.push(start.elapsed());
    }
    fork.join().map_err(|_| anyhow!("the fork met a defect"))??;
    let took = start.elapsed();
    let longest = waits.iter().max().copied().unwrap_or_default();
    let note = format!("longest {longest:.0?}; the fork took {took:.1?}");
    Ok(Row {
        case: format!("an append while {LARGE} lines are forked"),
        time: Time::of(waits),
        against: None,
        note,
    })
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
