//! Does starting take longer when there is more to start with?

use anyhow::Result;
use reverie_core::Store;
use reverie_sqlite::{Options, SqliteStore};

use crate::Workshop;
use crate::history::{LARGE, SMALL, query};
use crate::measure::{Often, time_both};
use crate::table::{Against, Row, Target};
use crate::world::{self, AUTUMN, SPRING};

const OFTEN: Often = Often { warm_up: 5, samples: 100 };

pub(crate) fn run(workshop: &Workshop) -> Result<Vec<Row>> {
    let (small, large) = (world::file(workshop, SMALL)?, world::file(workshop, LARGE)?);
    let megabytes = |path| std::fs::metadata(path).map(|file| file.len() >> 20);
    let note = format!("{} MiB, small {} MiB", megabytes(&large)?, megabytes(&small)?);
    let open = |path| Ok(SqliteStore::open(path, Options::default())?);
    let (of_large, of_small) = time_both(OFTEN, || open(&large), || open(&small))?;
    let id = world::world_id()?;
    let question = query(&[SPRING, AUTUMN], Some(SPRING))?;
    let ask = |path| Ok(SqliteStore::open(path, Options::default())?.history(&id, &question)?);
    let (asked_large, asked_small) = time_both(OFTEN, || ask(&large), || ask(&small))?;
    let row = |case: &str, time: crate::measure::Time, small: crate::measure::Time| Row {
        case: case.to_owned(),
        time,
        against: Some(Against {
            name: "10k lines",
            time: small,
            ratio: time.over(small),
            target: Target::AtMost(2.0),
        }),
        note: note.clone(),
    };
    Ok(vec![row("open", of_large, of_small), row("open and a first question", asked_large, asked_small)])
}
