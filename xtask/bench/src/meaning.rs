//! How fast is the semantic leg, one character with 100 000 memories, in one thread, and does it find exactly the nearest?
//!
//! With `--peers` the same vectors are searched by others in the same run, query by query in turns.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use reverie_core::embed::Vector;
use reverie_core::memory::{Held, Kind, Memory, Origin, State};
use reverie_core::mind::{Mind, Note};
use reverie_core::{CharacterId, MemoryId};

use crate::Workshop;
use crate::dialogue::Dice;
use crate::measure::Time;
use crate::minds::{DIMENSIONS, Topics, direction, sentence};
use crate::peers::Peers;
use crate::table::{Against, Row, Target};

const MEMORIES: usize = 100_000;
/// Enough for one in a hundred to be ten of them: two interruptions of a machine are no slow end.
const QUERIES: usize = 1000;
const WARM_UP: usize = 10;
const TOP: usize = 10;
/// What a prompt asks of this leg.
const LOOKED_AT: usize = 100;
const INDEX: f64 = 1.3;

/// Who is asked how often of all queries, and how many times as long it may take at least.
const PEERS: &[(&str, usize, f64)] = &[("numpy", 1, 3.0), ("lancedb", 10, 20.0), ("mem0", 50, 200.0)];

pub(crate) fn run(workshop: &Workshop) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    let topics = Topics::new();
    let mut dice = Dice::new(31);
    let mut around_topics = |_| topics.vector(&sentence(&mut dice, 8));
    let vectors: Vec<Vector> = (0..MEMORIES).map(&mut around_topics).collect();
    let queries: Vec<Vector> = (0..QUERIES).map(&mut around_topics).collect();
    rows.extend(measure(workshop, "around topics", &vectors, &queries, PEERS)?);
    let mut dice = Dice::new(37);
    let mut anywhere = |_| Vector(direction(&mut dice).into());
    let vectors: Vec<Vector> = (0..MEMORIES).map(&mut anywhere).collect();
    let queries: Vec<Vector> = (0..QUERIES).map(&mut anywhere).collect();
    // For those who read everything it is all the same.
    rows.extend(measure(workshop, "anywhere", &vectors, &queries, PEERS.get(..1).unwrap_or_default())?);
    Ok(rows)
}

fn measure(
    workshop: &Workshop,
    name: &str,
    vectors: &[Vector],
    queries: &[Vector],
    asked: &[(&'static str, usize, f64)],
) -> Result<Vec<Row>> {
    let mut mind = Mind::default();
    for (number, vector) in vectors.iter().enumerate() {
        mind.put(note(number as u64 + 1)?, std::slice::from_ref(vector));
    }
    let mut peers = match &workshop.peers {
        Some(python) => {
            Some(Peers::start(workshop, python, (vectors, queries), asked.iter().map(|(name, ..)| *name))?)
        }
        None => None,
    };
    // Beforehand, so that whoever is asked has nothing else to do meanwhile.
    let exact: Vec<Vec<usize>> = queries.iter().map(|query| by_reading_all(vectors, query)).collect();
    let (mut own, mut looked) = (Vec::new(), Vec::new());
    let mut others: Vec<Other> = Vec::new();
    for (query, (vector, exact)) in queries.iter().zip(&exact).enumerate() {
        let start = Instant::now();
        let found = mind.by_meaning(vector, TOP, &|_| true);
        let took = start.elapsed();
        let start = Instant::now();
        let wide = mind.by_meaning(vector, LOOKED_AT, &|_| true);
        let wide_took = start.elapsed();
        ensure!(wide.len() >= LOOKED_AT, "only {} were found", wide.len());
        let mut found: Vec<(f32, usize)> = found
            .iter()
            .map(|near| Some((near.cosine, (mind.note(near.slot)?.held.memory.id.get() - 1) as usize)))
            .collect::<Option<_>>()
            .context("what was found is not there")?;
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let rows: Vec<usize> = found.iter().take(TOP).map(|(_, row)| *row).collect();
        ensure!(rows == *exact, "query {query}: {rows:?} instead of {exact:?}");
        if query >= WARM_UP {
            own.push(took);
            looked.push(wide_took);
        }
        let Some(peers) = &mut peers else { continue };
        for (peer, _, target) in asked.iter().filter(|(_, every, _)| query % every == 0) {
            if !peers.names.iter().any(|(name, _)| name == peer) {
                continue;
            }
            let found = peers.search(peer, query, TOP)?;
            let right = found.rows.iter().filter(|row| exact.contains(row)).count();
            let known = others.iter_mut().position(|other| other.name == *peer);
            let place = known.unwrap_or(others.len());
            if known.is_none() {
                others.push(Other { name: peer, target: *target, took: Vec::new(), right: 0, wanted: 0 });
            }
            let Some(other) = others.get_mut(place) else { continue };
            other.right += right;
            other.wanted += exact.len();
            if query >= WARM_UP {
                other.took.push(found.took);
            }
        }
    }
    let float_bytes = (MEMORIES * DIMENSIONS * size_of::<f32>()) as f64;
    let share = mind.vector_bytes() as f64 / float_bytes;
    let verdict = if share <= INDEX { "ok" } else { "MISSED" };
    let own = Time::of(own);
    let mut rows = vec![Row {
        case: format!("nearest {TOP} of {MEMORIES}, {name}"),
        time: own,
        against: None,
        note: format!("exact; index {share:.3} × the floats (≤ {INDEX} {verdict})"),
    }];
    for other in others {
        rows.extend(other.rows(own, peers.as_ref()));
    }
    for (peer, why) in peers.iter().flat_map(|peers| &peers.missing) {
        eprintln!("  {peer} does not work here and is left out: {why}");
    }
    rows.push(Row {
        case: format!("nearest {LOOKED_AT} of {MEMORIES}, {name}"),
        time: Time::of(looked),
        against: None,
        note: "what a prompt asks for".to_owned(),
    });
    Ok(rows)
}

/// Another store, and what it did.
struct Other {
    name: &'static str,
    target: f64,
    took: Vec<Duration>,
    right: usize,
    wanted: usize,
}

impl Other {
    /// How many times as long it takes, at the median and at the slow end.
    fn rows(self, own: Time, peers: Option<&Peers>) -> Vec<Row> {
        let time = Time::of(self.took);
        let recall = self.right as f64 / self.wanted.max(1) as f64;
        let version = peers.and_then(|peers| peers.names.iter().find(|(name, _)| *name == self.name));
        let version = version.map_or("", |(_, version)| version.as_str());
        let at = |end: &str, own: Duration, time_at: Duration| Row {
            case: format!("  {} {version}, {end}", self.name),
            time,
            against: Some(Against {
                name: "reverie",
                time: Time { median: own, p99: own },
                ratio: time_at.as_secs_f64() / own.as_secs_f64(),
                target: Target::AtLeast(self.target),
            }),
            note: format!("recall@{TOP} {recall:.3}"),
        };
        vec![at("p50", own.median, time.median), at("p99", own.p99, time.p99)]
    }
}

/// The nearest by the full vectors; of equals the first.
fn by_reading_all(vectors: &[Vector], query: &Vector) -> Vec<usize> {
    let mut all: Vec<(f32, usize)> =
        vectors.iter().enumerate().map(|(row, vector)| (query.cosine(vector), row)).collect();
    let nearest = |a: &(f32, usize), b: &(f32, usize)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
    all.select_nth_unstable_by(TOP, nearest);
    all.truncate(TOP);
    all.sort_by(nearest);
    all.into_iter().map(|(_, row)| row).collect()
}

fn note(number: u64) -> Result<Note> {
    let memory = Memory {
        id: MemoryId::new(number)?,
        kind: Kind::Episodic,
        origin: Origin::Hand,
        text: String::new(),
        sources: Vec::new(),
        from: Vec::new(),
        about: Vec::new(),
        importance: 0.5,
        keywords: Vec::new(),
        topics: Vec::new(),
        emotions: Vec::new(),
        tick: None,
        wall_ms: 0,
        model: None,
        revision: 1,
    };
    let held = Held {
        memory,
        holder: CharacterId::new("somebody")?,
        state: State::new(None, None),
        version: 0,
        live: true,
        summarised: None,
        superseded: None,
        refreshed: None,
    };
    Ok(Note::new(held, None, Vec::new(), None))
}
