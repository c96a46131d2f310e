//! What does it cost to remember: characters by the hundred, each with a hundred rounds, without any model? And does it grow with what
//! there is to remember, and with nothing else?

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use reverie::SystemClock;
use reverie_core::conversation::{Append, OpenConversation};
use reverie_core::line::NewLine;
use reverie_core::world::WorldPatch;
use reverie_core::{Attribute, CharacterId, Digested, Engine, Limits, Slice, Store, Who, WorldId};
use reverie_sqlite::{Options, SqliteStore};

use crate::Workshop;
use crate::dialogue::{Dice, words};
use crate::measure::Time;
use crate::table::{Against, Row, Target};

const FEW: usize = 100;
const MANY: usize = 1000;
const ROUNDS: usize = 100;
const ROUNDS_A_DAY: usize = 10;
const DAY_MS: i64 = 86_400_000;
/// How a host without a thread to spare does it.
const SLICE: Duration = Duration::from_millis(5);
/// Ten times as much may take a little more than ten times as long: trees get higher.
const TARGET: Target = Target::AtMost(1.3);

pub(crate) fn run(workshop: &Workshop) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (manner, slice) in [("at once", None), ("in slices of 5 ms", Some(SLICE))] {
        // Before and after, so that whatever else the machine does meets both.
        let few = digest(workshop, FEW, slice)?;
        let many = digest(workshop, MANY, slice)?;
        let again = digest(workshop, FEW, slice)?;
        let few_time = once((few.took + again.took) / 2);
        let many_time = once(many.took);
        let as_long = once(few_time.median * u32::try_from(MANY / FEW)?);
        rows.push(Row {
            case: format!("{FEW} characters, {manner}"),
            time: few_time,
            against: None,
            note: few.told(),
        });
        rows.push(Row {
            case: format!("{MANY} characters, {manner}"),
            time: many_time,
            against: Some(Against {
                name: "10 × that of 100",
                time: as_long,
                ratio: many_time.over(as_long),
                target: TARGET,
            }),
            note: many.told(),
        });
    }
    Ok(rows)
}

fn once(took: Duration) -> Time {
    Time::of(vec![took])
}

struct Measured {
    took: Duration,
    memories: usize,
    summaries: usize,
    slices: usize,
    longest: Duration,
    /// Bytes of the process at the beginning, and at most.
    memory: Option<(u64, u64)>,
    file_bytes: u64,
}

impl Measured {
    fn told(&self) -> String {
        let mega = |bytes: u64| bytes as f64 / 1e6;
        let memory = match self.memory {
            Some((before, most)) => {
                format!("{:.0} MB at most, {:.0} before", mega(most), mega(before))
            }
            None => "memory is not measured here".to_owned(),
        };
        let each = self.took.as_secs_f64() * 1e6 / self.memories.max(1) as f64;
        format!(
            "{} memories, {} of them summaries, {each:.0} µs each; {} slices, the longest {:.0} ms; {memory}; file {:.0} MB",
            self.memories,
            self.summaries,
            self.slices,
            self.longest.as_secs_f64() * 1e3,
            mega(self.file_bytes)
        )
    }
}

/// Gone when dropped.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left lies in the target folder.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn digest(workshop: &Workshop, characters: usize, slice: Option<Duration>) -> Result<Measured> {
    let folder = Folder(workshop.folder.join(format!("digest-{}", std::process::id())));
    std::fs::create_dir_all(&folder.0)?;
    let path = folder.0.join("digest.db");
    let store = Arc::new(SqliteStore::open(&path, Options::default())?);
    talk(&store, characters)?;
    let engine = Engine::new(Arc::clone(&store) as _, Arc::new(SystemClock), Limits::default());
    let before = resources::reset();
    let mut all = Digested::default();
    let (mut slices, mut longest) = (0, Duration::ZERO);
    let start = Instant::now();
    loop {
        let began = Instant::now();
        let go_on = || slice.is_none_or(|slice| began.elapsed() < slice);
        let done = engine.digest(&Slice { world: None, now: true, go_on: &go_on })?;
        ensure!(done.failed.is_empty(), "{:?}", done.failed);
        all.memories += done.memories;
        all.summaries += done.summaries;
        slices += 1;
        longest = longest.max(began.elapsed());
        if !done.more {
            break;
        }
    }
    let took = start.elapsed();
    let most = resources::most();
    let rounds = all.memories - all.summaries;
    ensure!(rounds == characters / 2 * ROUNDS, "{rounds} rounds are remembered");
    Ok(Measured {
        took,
        memories: all.memories,
        summaries: all.summaries,
        slices,
        longest,
        memory: before.zip(most),
        file_bytes: std::fs::metadata(&path)?.len(),
    })
}

/// Everybody talks with one other, ten times a day.
fn talk(store: &SqliteStore, characters: usize) -> Result<()> {
    let world = WorldId::new("bench")?;
    store.put_world(&world, &WorldPatch::default(), 0)?;
    let mut dice = Dice::new(7);
    for pair in 0..characters / 2 {
        let person = |number: usize| -> Result<Who> {
            Ok(Who::Id(CharacterId::new(&format!("人{}", pair * 2 + number))?))
        };
        let people = [person(0)?, person(1)?];
        let open = OpenConversation { participants: people.to_vec(), ..OpenConversation::default() };
        let room = store.open_conversation(&world, &open)?.0.id;
        let mut lines = Vec::with_capacity(ROUNDS * 2);
        for round in 0..ROUNDS {
            let (day, hour) = (round / ROUNDS_A_DAY, round % ROUNDS_A_DAY);
            let at = day as i64 * DAY_MS + (8 + hour as i64) * 3_600_000;
            for (who, attribute) in people.iter().zip([Attribute::User, Attribute::Assistant]) {
                let mut line = NewLine::new(attribute, Some(who.clone()), words(&mut dice, 3));
                line.wall_ms = Some(at);
                lines.push(line);
            }
        }
        store.append(&world, &room, Append { lines, ..Append::default() })?;
    }
    Ok(())
}

/// What this process takes of the machine's memory, where the system tells.
mod resources {
    /// Forgets what was most so far, and gives back what is taken now.
    pub(super) fn reset() -> Option<u64> {
        std::fs::write("/proc/self/clear_refs", "5").ok()?;
        read("VmRSS:")
    }

    pub(super) fn most() -> Option<u64> {
        read("VmHWM:")
    }

    fn read(name: &str) -> Option<u64> {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let value = status.lines().find_map(|line| line.strip_prefix(name))?;
        let kilobytes: u64 = value.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kilobytes * 1024)
    }
}
