//! What do durable lines cost, against the same text in plain SQLite at equal batch size?

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use reverie_core::conversation::{Append, Conversation, OpenConversation};
use reverie_core::line::{NewLine, Wording};
use reverie_core::world::WorldPatch;
use reverie_core::{Attribute, CharacterId, Store, Who, WorldId};
use reverie_sqlite::{Options, SqliteStore};

use crate::Workshop;
use crate::dialogue::{Dice, feeling, words};
use crate::measure::{Often, Time, time_both};
use crate::raw;
use crate::table::{Against, Row, Target};

const BATCHES: &[usize] = &[1, 10, 100];
const WRITERS: usize = 16;
const OFTEN: Often = Often { warm_up: 30, samples: 300 };
/// Appends of each writer in one round, and how many rounds.
const EACH: usize = 20;
const ROUNDS: usize = 9;
const TARGET: Target = Target::AtLeast(0.7);

pub(crate) fn run(workshop: &Workshop) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for batch in BATCHES {
        rows.push(one_writer(workshop, *batch)?);
    }
    for batch in BATCHES {
        rows.extend(many_writers(workshop, *batch)?);
    }
    Ok(rows)
}

/// Two files of their own: ours and the plain one. Gone when dropped.
struct Files {
    folder: PathBuf,
    store: SqliteStore,
    world: WorldId,
    /// One for each writer.
    conversations: Vec<Conversation>,
}

impl Files {
    fn new(workshop: &Workshop) -> Result<Self> {
        let folder = workshop.folder.join(format!("appends-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let store = SqliteStore::open(&folder.join("ours.db"), Options::default())?;
        let world = WorldId::new("bench")?;
        store.put_world(&world, &WorldPatch::default(), 0)?;
        let mut conversations = Vec::new();
        for writer in 0..WRITERS {
            let participants = vec![speaker(0)?, speaker(1)?, speaker(2 + writer)?];
            let open = OpenConversation { participants, ..OpenConversation::default() };
            conversations.push(store.open_conversation(&world, &open)?.0);
        }
        Ok(Self { folder, store, world, conversations })
    }

    fn plain(&self) -> PathBuf {
        self.folder.join("plain.db")
    }

    fn append(&self, writer: usize, append: Append) -> Result<()> {
        let conversation = self.conversations.get(writer).ok_or_else(|| anyhow!("no such writer"))?;
        self.store.append(&self.world, &conversation.id, append)?;
        Ok(())
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        // What is left lies in the target folder.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn speaker(number: usize) -> Result<Who> {
    Ok(Who::Id(CharacterId::new(&format!("人{number}"))?))
}

fn lines(count: usize) -> Result<Vec<NewLine>> {
    let mut dice = Dice::new(5);
    (0..count)
        .map(|number| {
            Ok(NewLine {
                wording: Wording {
                    content: words(&mut dice, 3),
                    original_emotion: feeling(&mut dice),
                    tts: Some(words(&mut dice, 1)),
                    action: Some(words(&mut dice, 1)),
                    ..Wording::default()
                },
                tick: Some(1000),
                ..NewLine::new(Attribute::Assistant, Some(speaker(number % 2)?), "")
            })
        })
        .collect()
}

/// What a host has in its hands when it calls: making it is not the store's work.
fn ready(lines: &[NewLine], count: usize) -> Vec<Append> {
    (0..count).map(|_| Append { lines: lines.to_vec(), ..Append::default() }).collect()
}

fn one_writer(workshop: &Workshop, batch: usize) -> Result<Row> {
    let files = Files::new(workshop)?;
    let plain = raw::open(&files.plain())?;
    let lines = lines(batch)?;
    let mut ready = ready(&lines, OFTEN.warm_up + OFTEN.samples).into_iter();
    let ours = || files.append(0, ready.next().ok_or_else(|| anyhow!("too few batches"))?);
    let (ours, theirs) = time_both(OFTEN, ours, || raw::append(&plain, 0, &lines))?;
    Ok(Row {
        case: format!("1 writer, {batch} at a time"),
        time: ours,
        against: Some(Against { name: "plain", time: theirs, ratio: theirs.over(ours), target: TARGET }),
        note: rates(batch, ours, theirs),
    })
}

/// Against plain SQLite as it is mostly used (one connection behind a lock, one transaction a batch), and against what it
/// could do at best: all sixteen batches in one transaction.
fn many_writers(workshop: &Workshop, batch: usize) -> Result<Vec<Row>> {
    let files = Files::new(workshop)?;
    let shared = Mutex::new(raw::open(&files.plain())?);
    let lines = lines(batch)?;
    let together: Vec<NewLine> = (0..WRITERS).flat_map(|_| lines.clone()).collect();
    let (mut ours, mut locked, mut apart, mut at_once) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let waiting = Mutex::new(ready(&lines, WRITERS * EACH));
        ours.push(concurrently(|writer| {
            let append = waiting.lock().map_err(|_| anyhow!("a writer failed"))?.pop();
            files.append(writer, append.ok_or_else(|| anyhow!("too few batches"))?)
        })?);
        locked.push(concurrently(|writer| {
            let connection = shared.lock().map_err(|_| anyhow!("a writer failed"))?;
            raw::append(&connection, writer as i64, &lines)
        })?);
        apart.push(own_connections(&files.plain(), &lines)?);
        let connection = shared.lock().map_err(|_| anyhow!("a writer failed"))?;
        let start = Instant::now();
        for _ in 0..EACH {
            raw::append(&connection, 0, &together)?;
        }
        at_once.push(start.elapsed());
    }
    // A round is as many appends as there are writers, times EACH.
    let each = |samples: Vec<Duration>| {
        Time::of(samples.iter().map(|time| *time / (EACH * WRITERS) as u32).collect())
    };
    let ours = each(ours);
    let row = |name, theirs: Time, target| Row {
        case: format!("{WRITERS} writers, {batch} at a time"),
        time: ours,
        against: Some(Against { name, time: theirs, ratio: theirs.over(ours), target }),
        note: rates(batch, ours, theirs),
    };
    Ok(vec![
        row("plain, one connection", each(locked), TARGET),
        row("plain, 16 connections", each(apart), TARGET),
        row("plain, 16 batches in one commit", each(at_once), Target::None),
    ])
}

/// The time until all writers have made all their appends.
fn concurrently(append: impl Fn(usize) -> Result<()> + Sync) -> Result<Duration> {
    let start = Instant::now();
    let append = &append;
    std::thread::scope(|scope| {
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| scope.spawn(move || (0..EACH).try_for_each(|_| append(writer))))
            .collect();
        writers.into_iter().try_for_each(|writer| writer.join().map_err(|_| anyhow!("a writer failed"))?)
    })?;
    Ok(start.elapsed())
}

fn own_connections(path: &Path, lines: &[NewLine]) -> Result<Duration> {
    let connections: Result<Vec<_>> =
        (0..WRITERS).map(|_| Ok(Arc::new(Mutex::new(raw::open(path)?)))).collect();
    let connections = connections?;
    concurrently(|writer| {
        let connection = connections.get(writer).ok_or_else(|| anyhow!("no such writer"))?;
        let connection = connection.lock().map_err(|_| anyhow!("a writer failed"))?;
        raw::append(&connection, writer as i64, lines)
    })
}

fn rates(batch: usize, ours: Time, theirs: Time) -> String {
    let rate = |time: Time| batch as f64 / time.median.as_secs_f64();
    format!("{:.0} lines/s, plain {:.0}", rate(ours), rate(theirs))
}
